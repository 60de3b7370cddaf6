// Package rig provides the setup for tests and lab tools: the two programs, compiled once for all packages; builds;
// small sites; and a uniform error for a missing tool.
//
// Only the first caller compiles the programs. Errors contain the failed command's output. The error for a missing tool
// names the make target that installs it. Packages of the product must not import rig; internal/lab/rooms checks this.
package rig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// Programs contains the paths of the two programs. They are compiled like releases, without cgo, so that they also
// start in an empty root folder.
type Programs struct{ Vitrine, Vitrined string }

// Compile compiles the programs to .tools/rig in the checkout, once per process. A lock excludes other processes,
// because `go test` runs packages in parallel. Up-to-date programs and their modification times stay unchanged, because
// a running test of another package may depend on them: a build without a version identifies its program by its file's
// modification time.
func Compile() (Programs, error) { return compiled() }

// compiled doesn't use a context, because its result outlives the first test that calls it.
var compiled = sync.OnceValues(func() (Programs, error) {
	root, err := root()
	if err != nil {
		return Programs{}, err
	}
	dir := filepath.Join(root, ".tools", "rig")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Programs{}, fmt.Errorf("creating a folder for the programs: %w", err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, ".lock")).Lock()
	if err != nil {
		return Programs{}, fmt.Errorf("waiting for another process that compiles the programs: %w", err)
	}
	defer unlock()
	fresh := filepath.Join(dir, "compiled")
	cmd := exec.Command("go", "build", "-o", fresh+string(filepath.Separator), "vitrine/cmd/vitrine", "vitrine/cmd/vitrined")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	if _, err := Run(cmd); err != nil {
		return Programs{}, err
	}
	programs := Programs{filepath.Join(dir, "vitrine"+suffix), filepath.Join(dir, "vitrined"+suffix)}
	for _, program := range []string{programs.Vitrine, programs.Vitrined} {
		if err := update(program, filepath.Join(fresh, filepath.Base(program))); err != nil {
			return Programs{}, fmt.Errorf("updating %s: %w", program, err)
		}
	}
	return programs, nil
})

// update replaces a program with the freshly compiled one if their bytes differ. `go build` updates the modification
// time of fresh. Because update reads that file, `go test` never reuses cached results of tests that run the program.
func update(program, fresh string) error {
	text, err := os.ReadFile(fresh)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(program); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.WriteFile(program+".new", text, 0o755); err != nil {
		return err
	}
	return os.Rename(program+".new", program)
}

// root returns the folder of the checkout that contains the working folder.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a vitrine checkout: no go.mod found", dir)
		}
	}
}

// Run runs a command to completion and returns its combined standard output and standard error. Its errors also contain
// this output.
func Run(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(cmd.Path), strings.Join(cmd.Args[1:], " "), err, out)
	}
	return string(out), err
}

// Options configures a build made by a test or lab tool.
type Options struct {
	// Drafts enables drafts and scheduled pages in the build.
	Drafts bool
	// Epoch is the build's Unix time in seconds, or 0 for the current time.
	Epoch int64
}

// BuildSite builds the site in the folder root to the folder out, like vitrine build without flags. The returned error
// contains all of the site's errors.
func BuildSite(ctx context.Context, root, out string, options Options) error {
	source := build.Source{Root: root, Drafts: options.Drafts}
	if options.Epoch != 0 {
		source.Now = time.Unix(options.Epoch, 0)
	}
	output := build.Output{Out: out, Codings: []artifact.Coding{artifact.Gzip, artifact.Brotli}, Edges: true}
	_, problems, err := build.Build(ctx, source, output, build.Observer{})
	for _, p := range problems {
		if p.Severity == site.Error {
			err = errors.Join(err, errors.New(p.String()))
		}
	}
	return err
}

// WriteFiles writes files under root, creating parent folders as needed. Names are slash-separated.
func WriteFiles(root string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// TinySite returns the files of a site with a price list, an article, and a home page with the given title, keyed by
// name. settings contains additional lines for site.yaml.
func TinySite(title, settings string) map[string]string {
	return map[string]string{
		"content/product.yaml": `name: Tiny
url: https://tiny.example
description: A small product.
audience: [Everyone]
capabilities: [Being small]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one thing.
  unlimitedReps: true
  unlimitedTeams: true
  plans: [{name: Only, monthlyPrice: 9, includedCredits: 1}]
  url: https://tiny.example/pricing
contact: hello@tiny.example
links: {}
`,
		"content/site.yaml":     "baseURL: https://tiny.example\ntitle: Tiny\n" + settings,
		"content/index.md":      "# " + title + "\n\nText.\n",
		"content/pricing.md":    "---\ntitle: Pricing\nlayout: pricing\n---\n",
		"content/blog/first.md": "---\ntitle: First\ndate: 2026-01-01\n---\n\nText.\n",
	}
}
