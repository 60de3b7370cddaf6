package folder

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/codec"
)

// scan scans dir into tree and returns tree.
func scan(t *testing.T, dir string, tree *Tree) *Tree {
	t.Helper()
	tree.Scan(opened(t, dir))
	return tree
}

func kept(t *testing.T, tree *Tree) *Tree {
	t.Helper()
	var w codec.Writer
	tree.Record(codec.To(&w))
	read := new(Tree)
	r := codec.NewReader(string(w.Data))
	if read.Record(codec.From(r)); !r.Done() || read.folders == nil {
		t.Fatal("the encoded tree can't be decoded")
	}
	return read
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A scan finds every change to a file or a folder. If the digest of a file is known and the file is rewritten with the
// same bytes, the scan reports no change.
func TestLook(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	for what, c := range map[string]struct {
		do      func(t *testing.T, dir string)
		changed []string
		listed  bool
	}{
		"nothing":                {func(*testing.T, string) {}, nil, true},
		"ignored":                {func(t *testing.T, dir string) { write(t, dir+"/content/x~", "x") }, nil, true},
		"other bytes":            {func(t *testing.T, dir string) { write(t, dir+"/content/a.md", "longer") }, []string{"content/a.md"}, true},
		"other bytes, same size": {func(t *testing.T, dir string) { write(t, dir+"/content/b/c.md", "C") }, []string{"content/b/c.md"}, true},
		"the same bytes":         {func(t *testing.T, dir string) { write(t, dir+"/content/a.md", "a") }, nil, true},
		"new file":               {func(t *testing.T, dir string) { write(t, dir+"/content/b/d.md", "d") }, nil, false},
		"file removed": {func(t *testing.T, dir string) {
			if err := os.Remove(dir + "/content/a.md"); err != nil {
				t.Fatal(err)
			}
		}, nil, false},
		"old times": {func(t *testing.T, dir string) {
			write(t, dir+"/content/a.md", "A")
			if err := os.Chtimes(dir+"/content/a.md", past, past); err != nil {
				t.Fatal(err)
			}
		}, []string{"content/a.md"}, true},
		"replaced by a link": {func(t *testing.T, dir string) {
			write(t, dir+"/other", "z")
			if err := os.Remove(dir + "/content/a.md"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../other", dir+"/content/a.md"); err != nil {
				t.Fatal(err)
			}
		}, []string{"content/a.md"}, true},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir+"/content/a.md", "a")
			write(t, dir+"/content/b/c.md", "c")
			first := scan(t, dir, new(Tree))
			for _, name := range []string{"content/a.md", "content/b/c.md"} {
				if _, err := first.Digest(name); err != nil {
					t.Fatal(err)
				}
			}
			next := kept(t, first)
			c.do(t, dir)
			scan(t, dir, next)
			changed, listed := next.Changes()
			if listed != c.listed || listed && !slices.Equal(changed, c.changed) {
				t.Errorf("changed %q, same names: %t; want %q, %t", changed, listed, c.changed, c.listed)
			}
			if next.Same() != (c.listed && c.changed == nil) {
				t.Errorf("Same: %t", next.Same())
			}
		})
	}
}

// A scan of a copy of the folder recognizes files whose digests were computed or noted.
func TestLookAtCopy(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, name := range []string{"content/a.md", "content/b.md", "content/c.png", "content/d.txt", "templates/e.html"} {
		write(t, dir+"/"+name, name)
		write(t, other+"/"+name, name)
	}
	write(t, other+"/content/d.txt", "other")
	first := scan(t, dir, new(Tree))
	first.HashExcept(func(name string) bool { return strings.HasSuffix(name, ".md") })
	digest, err := scan(t, other, new(Tree)).Digest("content/a.md")
	if err != nil {
		t.Fatal(err)
	}
	first.Note("content/a.md", digest)
	changed, listed := scan(t, other, kept(t, first)).Changes()
	if want := []string{"content/b.md", "content/d.txt"}; !listed || !slices.Equal(changed, want) {
		t.Errorf("changed %q, same names: %t; want %q", changed, listed, want)
	}
}

// Reading a truncated record of any length yields no tree and doesn't panic.
func TestTruncatedRecord(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/content/a.md", "a")
	var w codec.Writer
	scan(t, dir, new(Tree)).Record(codec.To(&w))
	for n := range len(w.Data) {
		var tree Tree
		if tree.Record(codec.From(codec.NewReader(string(w.Data[:n])))); tree.folders != nil {
			t.Errorf("%d of %d bytes were read as a tree", n, len(w.Data))
		}
	}
}

// Refreshing the names in an event finds the same changes as a complete scan. The tree is then the same as after a
// first scan.
func TestRefresh(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"content/a.md", "content/b/c.md", "content/b/d/e.md", "templates/x.html"} {
		write(t, dir+"/"+name, "x")
	}
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	var folders []string
	tree := &Tree{
		OnFolder: func(name string) {
			if !slices.Contains(folders, name) {
				folders = append(folders, name)
			}
		},
		OnGone: func(name string) { folders = slices.DeleteFunc(folders, func(f string) bool { return f == name }) },
	}
	scan(t, dir, tree)
	for _, c := range []struct {
		what    string
		do      func()
		events  []string
		changed []string
	}{
		{"a file changed", func() { write(t, dir+"/content/a.md", "longer") }, []string{"content/a.md"}, []string{"content/a.md"}},
		{"a file created and removed", func() {}, []string{"content/tmp.md"}, nil},
		{"a new file", func() { write(t, dir+"/content/n.md", "new") }, []string{"content/n.md"}, []string{"content/n.md"}},
		{"a folder renamed", func() { rename("content/b", "content/z") }, []string{"content/b", "content/z"},
			[]string{"content/b", "content/b/c.md", "content/b/d", "content/b/d/e.md", "content/z", "content/z/c.md", "content/z/d", "content/z/d/e.md"}},
		{"a file becomes a folder", func() { rename("content/n.md", "content/n"); write(t, dir+"/content/n.md/x.md", "x") },
			[]string{"content/n.md", "content/n"}, []string{"content/n", "content/n.md", "content/n.md/x.md"}},
		{"all templates removed", func() { rename("templates", "away") }, []string{"templates"}, []string{"templates", "templates/x.html"}},
		{"and back", func() { rename("away", "templates") }, []string{"templates"}, []string{"templates", "templates/x.html"}},
	} {
		c.do()
		changed := slices.Compact(slices.Sorted(slices.Values(tree.Refresh(opened(t, dir), c.events))))
		// Refresh may also report the folder content/ as changed.
		if got := slices.DeleteFunc(changed, func(name string) bool { return name == "content" && !slices.Contains(c.changed, name) }); !slices.Equal(got, c.changed) {
			t.Errorf("%s: changed %q, want %q", c.what, got, c.changed)
		}
		fresh := scan(t, dir, new(Tree))
		if got, want := tree.Files("content"), fresh.Files("content"); !slices.Equal(got, want) {
			t.Errorf("%s: files %q, want %q", c.what, got, want)
		}
		slices.Sort(folders)
		if want := slices.Sorted(maps.Keys(fresh.folders)); !slices.Equal(folders, want) {
			t.Errorf("%s: watched %q, want %q", c.what, folders, want)
		}
	}
}

// If a folder can no longer be read, its entries are reported once, as removed.
func TestScanOfUnreadable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/content/a/b.md", "b")
	tree := scan(t, dir, new(Tree))
	// Remove the folder after its parent is listed, so that opening the folder fails.
	if tree.folders["content/a"] == nil {
		t.Fatal("the folder is unknown")
	}
	if err := os.RemoveAll(dir + "/content/a"); err != nil {
		t.Fatal(err)
	}
	tree.begin(opened(t, dir))
	tree.list("content/a", 1, false, true)
	if !slices.Equal(tree.changed, []string{"content/a/b.md"}) || tree.Whole() {
		t.Errorf("changed %q, whole: %t", tree.changed, tree.Whole())
	}
}
