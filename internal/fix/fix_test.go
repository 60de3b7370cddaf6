package fix_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vitrine/internal/fix"
	"vitrine/internal/site"
)

// An edit changes its own bytes and no other, whatever the line ends are; what two
// problems say is made once.
func TestApply(t *testing.T) {
	source := []byte("\ufeffa: old\r\nb: x\rc\x00\n")
	edits := []site.Edit{{Start: 14, Old: "x", New: "yy"}, {Start: 6, Old: "old", New: "/old"}, {Start: 6, Old: "old", New: "/old"}, {Start: 7, Old: "ld", New: "z"}}
	text, made, err := fix.Apply(source, edits)
	if want := "\ufeffa: /old\r\nb: yy\rc\x00\n"; err != nil || string(text) != want || len(made) != 2 {
		t.Errorf("got %q, %d edits, %v; want %q", text, len(made), err, want)
	}
	if _, _, err := fix.Apply(source, []site.Edit{{Start: 5, Old: "old"}}); !errors.Is(err, fix.ErrChanged) {
		t.Errorf("an edit of another text: %v", err)
	}
}

// A file keeps its mode, is left alone where it was changed meanwhile or is a link,
// and nothing else is left in its folder.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	put("one two")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	problems := []site.Problem{{Path: "a.md", Fix: site.Edit{Start: 4, Old: "two", New: "three"}}, {Path: "a.md"}}
	files, err := fix.Files(root, problems)
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v", files, err)
	}
	put("one two, and more")
	if err := files[0].Write(root); !errors.Is(err, fix.ErrChanged) {
		t.Errorf("a file that was changed meanwhile: %v", err)
	}
	put("one two")
	if err := files[0].Write(root); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(name)
	info, statErr := os.Stat(name)
	if err != nil || statErr != nil || string(text) != "one three" || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("got %q, mode %v, %v, %v", text, info.Mode(), err, statErr)
	}
	if _, err := fix.Files(root, problems); !errors.Is(err, fix.ErrChanged) {
		t.Errorf("the second time: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "b.md")); err != nil {
		t.Skip(err)
	}
	problems[0].Path = "b.md"
	if files, err := fix.Files(root, problems); err == nil || len(files) > 0 {
		t.Error("a symbolic link was followed")
	}
}

// A diff is one that patch makes the fixed file of, for any file and any edits.
func TestDiff(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("there is no patch")
	}
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for range 200 {
		var source []byte
		for range random.IntN(30) {
			source = append(source, fmt.Sprint(random.IntN(100))...)
			source = append(source, []string{"\n", "\r\n", "\n\n", " "}[random.IntN(4)]...)
		}
		var edits []site.Edit
		for at := 0; at < len(source); at += 1 + random.IntN(40) {
			old := string(source[at:min(at+1+random.IntN(4), len(source))])
			edits = append(edits, site.Edit{Start: at, Old: old, New: []string{"x", "", "y\nz", "é\r\n"}[random.IntN(4)]})
			at += len(old)
		}
		f := fix.File{Name: "f", Before: source}
		var err error
		if f.Text, f.Edits, err = fix.Apply(source, edits); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(f.Text, source) {
			continue
		}
		if err := os.WriteFile(name, source, 0o600); err != nil {
			t.Fatal(err)
		}
		patch := exec.Command("patch", "--binary", "-s", "-p1", "-d", dir)
		patch.Stdin = strings.NewReader(f.Diff())
		if out, err := patch.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%q\n%v\n%s", err, out, source, f.Edits, f.Diff())
		}
		got, err := os.ReadFile(name)
		if err != nil && len(f.Text) > 0 || !bytes.Equal(got, f.Text) {
			t.Fatalf("%q: got %q, want %q, by\n%s", source, got, f.Text, f.Diff())
		}
	}
}
