//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// held is the environment variable that makes the test binary create a folder and hold it until killed.
const held = "VITRINE_TEST_HOLDS_FOLDER"

// A preview reuses the folder of its site's last preview, even if that preview was killed. It keeps the folders of
// other sites, of running previews, and of other programs.
func TestFolderIsReused(t *testing.T) {
	if root := os.Getenv(held); root != "" {
		folder, err := NewFolder(root)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("made " + folder.Path + "\n")
		select {}
	}
	temp, root := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	unmarked := filepath.Join(temp, strings.Replace(folderPattern, "*", "unmarked", 1))
	if err := os.Mkdir(unmarked, 0o700); err != nil {
		t.Fatal(err)
	}
	killed := folderOfKilled(t, root)
	draft := filepath.Join(killed, "draft.html")
	if err := os.WriteFile(draft, []byte("a draft"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, second, other := open(t, root), open(t, root), open(t, t.TempDir())
	if first.Path != killed {
		t.Errorf("the preview's folder is %s, want that of the killed preview, %s", first.Path, killed)
	}
	if info, err := os.Stat(first.Path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has %v, %v", info.Mode(), err)
	}
	if second.Path == first.Path {
		t.Error("two running previews share a folder")
	}
	for _, folder := range []*Folder{first, second, other} {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(draft); err != nil {
		t.Errorf("the build is gone after the end: %v", err)
	}
	// The next preview keeps only one folder for the site.
	again := open(t, root)
	defer again.Close()
	if again.Path != first.Path && again.Path != second.Path {
		t.Errorf("the next preview's folder is %s", again.Path)
	}
	want := []string{unmarked, again.Path, other.Path}
	slices.Sort(want)
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}

// A preview removes folders that no preview can reuse and doesn't reuse folders that another user could have changed.
func TestUselessFolders(t *testing.T) {
	for name, c := range map[string]struct {
		label   string
		spoil   func(folder, mark string) error
		removed bool
	}{
		"another site's, old": {"/elsewhere\n" + startOfMachine(), func(_, mark string) error {
			old := time.Now().Add(-keptFor - time.Hour)
			return os.Chtimes(mark, old, old)
		}, true},
		"before the machine's start": {"ROOT\nan earlier start", func(string, string) error { return nil }, true},
		"open to others":             {"ROOT\n" + startOfMachine(), func(folder, _ string) error { return os.Chmod(folder, 0o755) }, false},
		"a link as its mark": {"ROOT\n" + startOfMachine(), func(folder, mark string) error {
			elsewhere := filepath.Join(folder, "elsewhere")
			return errors.Join(os.Rename(mark, elsewhere), os.Symlink(elsewhere, mark))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			root := t.TempDir()
			spoiled := open(t, root)
			mark := filepath.Join(spoiled.Path, markName)
			label := strings.Replace(c.label, "ROOT", root, 1)
			if err := errors.Join(spoiled.describe(label), spoiled.Close(), c.spoil(spoiled.Path, mark)); err != nil {
				t.Fatal(err)
			}
			fresh := open(t, root)
			defer fresh.Close()
			if _, err := os.Stat(spoiled.Path); (err != nil) != c.removed || fresh.Path == spoiled.Path {
				t.Errorf("the folder: %v, want it to be removed: %t; used: %t", err, c.removed, fresh.Path == spoiled.Path)
			}
		})
	}
}

func open(t *testing.T, root string) *Folder {
	t.Helper()
	folder, err := NewFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// folderOfKilled returns the folder of a process that was killed while holding it.
func folderOfKilled(t *testing.T, root string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFolderIsReused$")
	cmd.Env = append(os.Environ(), held+"="+root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var path string
	for scanner := bufio.NewScanner(out); path == "" && scanner.Scan(); {
		if made, ok := strings.CutPrefix(scanner.Text(), "made "); ok {
			path = made
		}
	}
	other := open(t, t.TempDir())
	if _, err := os.Stat(path); err != nil {
		t.Errorf("removed the folder of a running preview: %v", err)
	}
	if err := errors.Join(other.Close(), os.RemoveAll(other.Path)); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // returns an error because the process was killed
	return path
}
