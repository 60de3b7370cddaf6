package supply

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

var update = flag.Bool("update", false, "write docs/dependencies.md anew")

const document = "../../../docs/dependencies.md"

// docs/dependencies.md lists every module that the programs and their tests are
// made of, with the licence that the text in the module's folder is.
func TestDependenciesAreListed(t *testing.T) {
	want, err := dependencies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/dependencies.md is out of date; run go test ./internal/lab/supply -update and read the difference")
	}
}

// Each module that go.mod names for the project's own imports has its reason in
// docs/architecture.md.
func TestDependenciesHaveReasons(t *testing.T) {
	reasons, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := Modules(t.Context(), "../../..", nil, "-test", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(m.Path) + ` \| .+ \| .+ \|$`); m.Direct && !row.Match(reasons) {
			t.Errorf("%s has no row among the dependencies in docs/architecture.md", m.Path)
		}
	}
}

func dependencies(ctx context.Context) (string, error) {
	lists := make(map[string][]Module)
	for name, arguments := range map[string][]string{"vitrine": {"./cmd/vitrine"}, "vitrined": {"./cmd/vitrined"}, "tests": {"-test", "./..."}} {
		for _, p := range Platforms() {
			modules, err := Modules(ctx, "../../..", p.Environment(), arguments...)
			if err != nil {
				return "", err
			}
			lists[name] = Merged(lists[name], modules)
			if name == "tests" {
				break // one platform tells what tests need
			}
		}
	}
	var b strings.Builder
	b.WriteString(`# The dependencies and their licences

Made by ` + "`go test ./internal/lab/supply -update`" + ` from what the packages import and from the licences in the
modules' folders; the same test holds this file to them. Why each direct dependency is there is said in
[architecture.md](architecture.md#dependencies-each-with-its-reason). ` + "`go mod verify`" + `, which ` + "`make lint`" + ` runs, holds the
modules against the checksums in go.sum.

| module | version | licence (SPDX) | vitrine | vitrined | brought by |
|---|---|---|---|---|---|
`)
	for _, m := range Merged(lists["tests"], lists["vitrine"], lists["vitrined"]) {
		by := strings.Join(m.ImportedBy, ", ")
		if m.Direct {
			by = "us"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", m.Path, m.Version, m.Licence, in(lists["vitrine"], m), in(lists["vitrined"], m), by)
	}
	b.WriteString("\nWhat is in neither program is for tests alone.\n")
	return b.String(), nil
}

func in(modules []Module, m Module) string {
	for _, other := range modules {
		if other.Path == m.Path {
			return "yes"
		}
	}
	return "–"
}

// The texts of licences are told apart, and one that nobody has read is none.
func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004\n":                                                  "Apache-2.0",
		"Redistribution and use in source\nand binary forms … may be used to endorse or promote products": "BSD-3-Clause",
		"Redistribution and use in source and binary forms":                                               "BSD-2-Clause",
		"Neither the name of … Apache License Version 2.0, January 2004 … The MIT License (MIT)":          "BSD-3-Clause AND Apache-2.0 AND MIT",
		"You may do as you please.": "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The same source in two folders gives the same programs, byte for byte.
func TestBinariesAreReproducible(t *testing.T) {
	rig.Long(t, "race")
	t.Parallel()
	p := Platform{runtime.GOOS, runtime.GOARCH}
	var programs [2]map[string][]byte
	first := filepath.Join(t.TempDir(), "one")
	copySource(t, "../../..", first)
	second := filepath.Join(t.TempDir(), "another", "place")
	copySource(t, first, second)
	for i, source := range []string{first, second} {
		out := t.TempDir()
		if err := Build(t.Context(), source, out, p, false); err != nil {
			t.Fatal(err)
		}
		programs[i] = make(map[string][]byte)
		for _, name := range Programs() {
			body, err := os.ReadFile(filepath.Join(out, p.Executable(name)))
			if err != nil {
				t.Fatal(err)
			}
			programs[i][name] = body
			if bytes.Contains(body, []byte(source)) {
				t.Errorf("%s holds the folder that it was built in", name)
			}
		}
	}
	for _, name := range Programs() {
		if !bytes.Equal(programs[0][name], programs[1][name]) {
			t.Errorf("%s differs between two folders", name)
		}
	}
}

// copySource copies what the programs are built from.
func copySource(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{"cmd", "internal", "templates"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Archives hold what was given, and are equal when made again.
func TestArchives(t *testing.T) {
	files := []File{{"a/run", 0o755, []byte("program")}, {"a/README.md", 0o644, []byte("text")}}
	when := time.Date(2026, 1, 2, 3, 4, 6, 0, time.FixedZone("", 3600))
	for name, read := range map[string]func(*testing.T, []byte) map[string]string{"tar": untar, "zip": unzip} {
		t.Run(name, func(t *testing.T) {
			pack := TarGz
			if name == "zip" {
				pack = Zip
			}
			one, err := pack(files, when)
			if err != nil {
				t.Fatal(err)
			}
			other, err := pack(files, when.UTC())
			if err != nil || !bytes.Equal(one, other) {
				t.Errorf("made again it differs (%v)", err)
			}
			got := read(t, one)
			want := map[string]string{"a/run": "-rwxr-xr-x program", "a/README.md": "-rw-r--r-- text"}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("it holds %v, want %v", got, want)
			}
		})
	}
}

func untar(t *testing.T, data []byte) map[string]string {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = header.FileInfo().Mode().String() + " " + string(body)
	}
}

func unzip(t *testing.T, data []byte) map[string]string {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = f.Mode().String() + " " + string(body)
	}
	return found
}

// A release is made of a tag, and of nothing else.
func TestReleaseNeedsTag(t *testing.T) {
	rig.Long(t, "race")
	t.Parallel()
	program := filepath.Join(t.TempDir(), "release")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./release").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for version, want := range map[string]string{"": "is no version", "1.2": "is no version", "v9876.0.0": "git tag v9876.0.0"} {
		out, err := exec.CommandContext(t.Context(), program, "--version", version, "--repository", "../../..", "--out", t.TempDir()).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("--version %q: %v, %s; want %q", version, err, out, want)
		}
	}
}
