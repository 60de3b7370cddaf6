//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Builds are equal if their published files are equal, regardless of the cache and of hidden folders.
func TestSame(t *testing.T) {
	build := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	base := build(map[string]string{"manifest": "m", "public/a.html": "a", "public/.well-known/b": "b", "cache/c": "c", ".spare/d": "d"})
	for what, c := range map[string]struct {
		other map[string]string
		want  string
	}{
		"equal":           {map[string]string{"manifest": "m", "public/a.html": "a", "public/.well-known/b": "b", "cache/e": "e"}, ""},
		"changed":         {map[string]string{"manifest": "m", "public/a.html": "x", "public/.well-known/b": "b"}, "a.html differ"},
		"a hidden folder": {map[string]string{"manifest": "m", "public/a.html": "a", "public/.well-known/b": "x"}, "differ"},
		"missing":         {map[string]string{"manifest": "m", "public/.well-known/b": "b"}, "Only in "},
		"added":           {map[string]string{"manifest": "m", "public/a.html": "a", "public/.well-known/b": "b", "public/n": ""}, "Only in "},
	} {
		err := same(base, build(c.other))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

// complete rejects a build that omits posts.
func TestCompleteWantsEveryPost(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"blog/post-00000.html", "blog/post-00000.md", "blog/post-00001/index.html", "index.html", "index.md"} {
		write(name)
	}
	if err := complete(dir, 2); err == nil {
		t.Error("a build without the Markdown of a post was taken")
	}
	write("blog/post-00001/index.md")
	if err := complete(dir, 2); err != nil {
		t.Error(err)
	}
}
