package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/lab/supply"
)

// release is a release that is being made.
type release struct {
	version string
	// temporary is a folder for checkouts and binaries, out for what is made.
	temporary, out string
	// first and second are checkouts in two folders, when the commit's time.
	first, second string
	when          time.Time
}

// checkOut clones the tagged commit twice.
func (r *release) checkOut(ctx context.Context, repository string) error {
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(r.version) {
		return fmt.Errorf("%q is no version; write one such as v1.2.3", r.version)
	}
	seconds, err := git(ctx, repository, "log", "-1", "--format=%ct", "refs/tags/"+r.version, "--")
	if err != nil {
		return fmt.Errorf("there is no tag %s; tag the commit that is to be released: git tag %[1]s", r.version)
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the commit: %w", err)
	}
	r.when = time.Unix(n, 0)
	r.first, r.second = filepath.Join(r.temporary, "first"), filepath.Join(r.temporary, "another", "place", "second")
	for _, dir := range []string{r.first, r.second} {
		if _, err := git(ctx, repository, "clone", "--quiet", "--branch", r.version, ".", dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(r.out), 0o777); err != nil {
		return err
	}
	if err := os.Mkdir(r.out, 0o777); errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already; a release is made once, so remove it first if it is not published", r.out)
	} else if err != nil {
		return err
	}
	return nil
}

// git returns what a git command prints, without the line break.
func git(ctx context.Context, dir string, arguments ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "advice.detachedHead=false"}, arguments...)...)
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(arguments, " "), err, told.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// make makes what each platform gets.
func (r *release) make(ctx context.Context) error {
	for _, p := range supply.Platforms() {
		bin, err := r.buildTwice(ctx, p)
		if err != nil {
			return err
		}
		modules, err := r.modules(ctx, p, bin)
		if err != nil {
			return err
		}
		if err := r.archive(p, bin, modules); err != nil {
			return err
		}
		bom, err := supply.BillOfMaterials(r.version, runtime.Version(), modules)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, r.name(p)+".cdx.json"), bom, 0o666); err != nil {
			return err
		}
		fmt.Printf("%s: built twice, equal; %d modules\n", p, len(modules))
	}
	return nil
}

func (r *release) name(p supply.Platform) string { return "vitrine_" + r.version + "_" + p.String() }

// buildTwice builds the programs from both checkouts and compares them. For the
// platform that this runs on, the second build finds nothing compiled.
func (r *release) buildTwice(ctx context.Context, p supply.Platform) (bin string, err error) {
	bin = filepath.Join(r.temporary, "bin", p.String())
	again := filepath.Join(r.temporary, "again", p.String())
	if err := supply.Build(ctx, r.first, bin, p, true); err != nil {
		return "", err
	}
	var environment []string
	if p.OS == runtime.GOOS && p.Arch == runtime.GOARCH {
		environment = []string{"GOCACHE=" + filepath.Join(r.temporary, "cache")}
	}
	if err := supply.Build(ctx, r.second, again, p, true, environment...); err != nil {
		return "", err
	}
	for _, program := range supply.Programs() {
		name := p.Executable(program)
		one, err := os.ReadFile(filepath.Join(bin, name))
		if err != nil {
			return "", err
		}
		other, err := os.ReadFile(filepath.Join(again, name))
		if err != nil {
			return "", err
		}
		if !bytes.Equal(one, other) {
			return "", fmt.Errorf("%s for %s differs between two checkouts; the release is not made", program, p)
		}
	}
	return bin, nil
}

// modules lists what the programs are made of, and holds it against what the
// binaries say themselves.
func (r *release) modules(ctx context.Context, p supply.Platform, bin string) ([]supply.Module, error) {
	modules, err := supply.Modules(ctx, r.first, p.Environment(), "./cmd/vitrine", "./cmd/vitrined")
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, program := range supply.Programs() {
		info, err := buildinfo.ReadFile(filepath.Join(bin, p.Executable(program)))
		if err != nil {
			return nil, err
		}
		if info.Main.Version != r.version {
			return nil, fmt.Errorf("%s calls itself %s, not %s; is the tagged commit clean?", program, info.Main.Version, r.version)
		}
		for _, d := range info.Deps {
			seen[d.Path+"@"+d.Version] = true
		}
	}
	for _, m := range modules {
		if !seen[m.Path+"@"+m.Version] {
			return nil, fmt.Errorf("%s %s is imported for %s and in no binary", m.Path, m.Version, p)
		}
	}
	if len(modules) != len(seen) {
		return nil, fmt.Errorf("the binaries for %s hold %d modules, go list knows %d", p, len(seen), len(modules))
	}
	return modules, nil
}

// archive puts the programs and what has to go with them into one file.
func (r *release) archive(p supply.Platform, bin string, modules []supply.Module) error {
	texts, err := supply.LicenceTexts(modules)
	if err != nil {
		return err
	}
	files := []supply.File{{Name: r.name(p) + "/LICENSES-OF-MODULES.txt", Mode: 0o644, Body: []byte(texts)}}
	add := func(path string, mode os.FileMode) error {
		body, err := os.ReadFile(path)
		files = append(files, supply.File{Name: r.name(p) + "/" + filepath.Base(path), Mode: mode, Body: body})
		return err
	}
	for _, program := range supply.Programs() {
		if err := add(filepath.Join(bin, p.Executable(program)), 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if err := add(filepath.Join(r.first, name), 0o644); err != nil {
			return err
		}
	}
	slices.SortFunc(files, func(a, b supply.File) int { return strings.Compare(a.Name, b.Name) })
	pack, extension := supply.TarGz, ".tar.gz"
	if p.OS == "windows" {
		pack, extension = supply.Zip, ".zip"
	}
	data, err := pack(files, r.when)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name(p)+extension), data, 0o666)
}

// sums writes SHA256SUMS, in the form that sha256sum -c reads.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	fmt.Printf("%d files in %s\n", len(entries)+1, r.out)
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o666)
}
