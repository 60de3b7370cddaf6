package rig

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
	"vitrine/internal/serve/decide"
)

// Tool returns the first existing file in files, or otherwise the program with that name in PATH. Relative paths are
// relative to the checkout. If neither exists, the test fails, because a skipped test would prove nothing. Only files
// with the build tag proof may call Tool. make proof-tools installs the required programs.
func Tool(t testing.TB, name string, files ...string) string {
	t.Helper()
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
		t.Fatalf("%s is missing; install it with make proof-tools", name)
	}
	return path
}

// Node returns the path of the Node.js program that tests use to run JavaScript: the value of VITRINE_NODE, or
// otherwise the program installed by make tools. The test fails if the program is missing.
func Node(t testing.TB) string {
	t.Helper()
	path := os.Getenv("VITRINE_NODE")
	if path == "" {
		path = filepath.Join(Root(t), ".tools/node22/bin/node")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("Node.js 22 is missing; install it with make tools, or set VITRINE_NODE to its path")
	}
	return path
}

// Until calls holds repeatedly until it returns true. It fails the test if holds still returns false after a minute.
// what describes the condition in the failure message.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); !holds(); {
		select {
		case <-deadline:
			t.Fatalf("timed out after waiting for a minute until %s", what)
		case <-tick.C:
		}
	}
}

// Listens waits until a program accepts connections at a TCP address.
func Listens(t testing.TB, address string) {
	t.Helper()
	Until(t, "something listens on "+address, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// Root returns the root folder of the checkout that contains the working folder. The folder contains go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := root()
	must(t, err)
	return dir
}

// Site writes the files of a site and returns its folder, which is removed after the test.
func Site(t testing.TB, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	must(t, WriteFiles(root, files))
	return root
}

// Build builds the site in the folder root and returns the folder of the build, which is removed after the test.
func Build(t testing.TB, root string, options Options) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "build")
	must(t, BuildSite(t.Context(), root, out, options))
	return out
}

// Publish publishes groups of resources to dir as a build, in the given encodings and with an allowance of 120 requests
// per minute. Variants that share a file must be in the same group.
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

// Open opens the build in dir and closes it at the end of the test.
func Open(t testing.TB, dir string) *artifact.Build {
	t.Helper()
	build, err := artifact.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = build.Close() })
	return build
}

// Serve publishes resources to dir in every encoding, and returns the build, ready to be served until the test ends.
func Serve(t testing.TB, dir string, resources []artifact.Resource) *decide.Site {
	t.Helper()
	Publish(t, dir, []artifact.Coding{artifact.Gzip, artifact.Brotli}, resources)
	site, err := decide.NewSite(Open(t, dir))
	must(t, err)
	return site
}

// Operations returns resources for the operation's three paths. variant returns the variant for a file.
func Operations(variant func(file string) artifact.Variant) []artifact.Resource {
	var all []artifact.Resource
	for _, path := range artifact.OperationPaths() {
		all = append(all, artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{variant(path[1:] + ".json")}})
	}
	return all
}

// Problems returns the resources of all error responses. variant returns the variant for a type of problem.
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
