package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables of a run replace those of the same run before, and nothing else.
func TestRecordReplacesOneRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	document := write("doc.md", "by hand\n<!-- run 1 -->\nold\n<!-- end of run 1 -->\nbetween\n<!-- run 2 -->\n<!-- end of run 2 -->\nend\n")
	build, serve := write("build.md", "tables of builds\n"), write("serve.md", "tables of servers\n")
	const tables = "\n### Builds\n\ntables of builds\n\n### Servers\n\ntables of servers\n\n"
	want := "by hand\n<!-- run 1 -->\n" + tables + "<!-- end of run 1 -->\nbetween\n<!-- run 2 -->\n" + tables + "<!-- end of run 2 -->\nend\n"
	for _, run := range []int{1, 2, 1} {
		if err := record(build, serve, run, document); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("the document is\n%s\nwant\n%s", got, want)
	}
}

// A run without a place is refused: tables are never appended anywhere.
func TestRecordNeedsAPlace(t *testing.T) {
	for document, want := range map[string]string{
		"nothing\n":                "there is no place for run 3",
		"<!-- run 3 -->\n\nopen\n": "has no end",
	} {
		if _, err := place(document, 3, "tables"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", document, err)
		}
	}
}

// The project's own document has the places of both runs.
func TestDocumentHasPlaces(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	for run := 1; run <= 2; run++ {
		if _, err := place(string(text), run, "tables"); err != nil {
			t.Error(err)
		}
	}
}
