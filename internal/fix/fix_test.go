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

// An edit changes only its own bytes, regardless of the line endings. If edits are equal or overlap, only the first of
// them is applied.
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

// A fixed file keeps its mode. A file isn't changed if it has been edited in the meantime, or if it is a symbolic link.
// No temporary files remain.
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
	edits := fix.Edits(problems)["a.md"]
	file, err := fix.Read(root, "a.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Edit(edits); err != nil || len(edits) != 1 {
		t.Fatalf("got %v, %v", edits, err)
	}
	put("one two, and more")
	if err := file.Write(root); !errors.Is(err, fix.ErrChanged) {
		t.Errorf("a file that was changed meanwhile: %v", err)
	}
	put("one two")
	if err := file.Write(root); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(name)
	info, statErr := os.Stat(name)
	if err != nil || statErr != nil || string(text) != "one three" || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("got %q, mode %v, %v, %v", text, info.Mode(), err, statErr)
	}
	if err := file.Edit(edits); !errors.Is(err, fix.ErrChanged) {
		t.Errorf("the second time: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := fix.Read(root, "b.md"); err == nil {
		t.Error("a symbolic link was followed")
	}
}

// git applies each diff correctly, for any file and any edits.
func TestDiff(t *testing.T) { testDiff(t, "git", "apply", "--whitespace=nowarn") }

// testDiff checks that program correctly applies random diffs in its working folder.
func testDiff(t *testing.T, program string, arguments ...string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for range 200 {
		var source []byte
		for range random.IntN(30) {
			source = append(source, fmt.Sprint(random.IntN(100))...)
			source = append(source, []string{"\n", "\r\n", "\n\n", " "}[random.IntN(4)]...)
		}
		f := fix.New("f", source)
		for range 2 {
			var edits []site.Edit
			for at := 0; at < len(f.Text); at += 1 + random.IntN(40) {
				old := string(f.Text[at:min(at+1+random.IntN(4), len(f.Text))])
				edits = append(edits, site.Edit{Start: at, Old: old, New: []string{"x", "", "y\nz", "é\r\n"}[random.IntN(4)]})
				at += len(old)
			}
			if err := f.Edit(edits); err != nil {
				t.Fatal(err)
			}
		}
		if bytes.Equal(f.Text, source) {
			continue
		}
		if err := os.WriteFile(name, source, 0o600); err != nil {
			t.Fatal(err)
		}
		patch := exec.Command(program, arguments...)
		patch.Dir, patch.Env = dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		patch.Stdin = strings.NewReader(f.Diff())
		if out, err := patch.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%q\n%s", err, out, source, f.Diff())
		}
		got, err := os.ReadFile(name)
		if err != nil && len(f.Text) > 0 || !bytes.Equal(got, f.Text) {
			t.Fatalf("%q: got %q, want %q, by\n%s", source, got, f.Text, f.Diff())
		}
	}
}
