package memo_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine/internal/memo"
	"vitrine/internal/record"
)

// look looks at a folder as if the last look were a while ago, and takes the
// tree through what is kept of it.
func look(t *testing.T, dir string, last *memo.Tree) *memo.Tree {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	tree, err := memo.Look(root, last, func(name string) bool { return filepath.Base(name) == "x~" }, "content")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func kept(t *testing.T, tree *memo.Tree) *memo.Tree {
	t.Helper()
	var w record.Writer
	tree.Write(&w)
	read := memo.ReadTree(record.NewReader(string(w.Data)))
	if read == nil {
		t.Fatal("what was written is no tree")
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

// Whatever is done to a file or to its folder is seen, and what is done without
// changing anything is not taken for a change where the bytes are known.
func TestLook(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	for what, c := range map[string]struct {
		do      func(t *testing.T, dir string)
		changed []string
		listed  bool
	}{
		"nothing":        {func(*testing.T, string) {}, nil, true},
		"ignored":        {func(t *testing.T, dir string) { write(t, dir+"/content/x~", "x") }, nil, true},
		"other bytes":    {func(t *testing.T, dir string) { write(t, dir+"/content/a.md", "longer") }, []string{"content/a.md"}, true},
		"as many bytes":  {func(t *testing.T, dir string) { write(t, dir+"/content/b/c.md", "C") }, []string{"content/b/c.md"}, true},
		"the same bytes": {func(t *testing.T, dir string) { write(t, dir+"/content/a.md", "a") }, nil, true},
		"new file":       {func(t *testing.T, dir string) { write(t, dir+"/content/b/d.md", "d") }, nil, false},
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
		"a link in its place": {func(t *testing.T, dir string) {
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
			first := look(t, dir, nil)
			for _, name := range []string{"content/a.md", "content/b/c.md"} {
				if _, err := first.Digest(name); err != nil {
					t.Fatal(err)
				}
			}
			last := kept(t, first)
			c.do(t, dir)
			next := look(t, dir, last)
			changed, listed := next.Changes()
			if listed != c.listed || listed && !slices.Equal(changed, c.changed) {
				t.Errorf("changed %q, with the same names: %t; want %q, %t", changed, listed, c.changed, c.listed)
			}
			if next.Same() != (c.listed && c.changed == nil) {
				t.Errorf("the same: %t", next.Same())
			}
		})
	}
}

// What was cut short is no tree, wherever it was cut, and nothing panics.
func TestReadTreeOfDamage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/content/a.md", "a")
	var w record.Writer
	look(t, dir, nil).Write(&w)
	for n := range len(w.Data) {
		if memo.ReadTree(record.NewReader(string(w.Data[:n]))) != nil && n < len(w.Data) {
			t.Errorf("%d of %d bytes are a tree", n, len(w.Data))
		}
	}
}
