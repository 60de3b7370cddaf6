//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// held is the environment variable that makes the test binary create a folder and hold it until the process is killed.
const held = "VITRINE_TEST_HOLDS_FOLDER"

// The next preview removes the folder of a killed preview, but not the folders of running previews or unmarked folders.
func TestAbandonedFolder(t *testing.T) {
	if os.Getenv(held) != "" {
		folder, err := NewFolder()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("made " + folder.Path + "\n")
		select {}
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	unmarked := filepath.Join(temp, strings.Replace(folderPattern, "*", "unmarked", 1))
	if err := os.Mkdir(unmarked, 0o700); err != nil {
		t.Fatal(err)
	}
	killed := folderOfKilled(t)
	if err := os.WriteFile(filepath.Join(killed, "draft.html"), []byte("a draft"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(first.Path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has %v, %v", info.Mode(), err)
	}
	second, err := NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{killed: false, unmarked: true, first.Path: true, second.Path: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it to exist: %t", path, err, want)
		}
	}
	for _, folder := range []*Folder{first, second} {
		if err := folder.Remove(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) != 1 || left[0] != unmarked {
		t.Errorf("left behind: %v", left)
	}
}

// folderOfKilled returns the folder of a process that was killed while holding it.
func folderOfKilled(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAbandonedFolder$")
	cmd.Env = append(os.Environ(), held+"=1")
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
	other, err := NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("removed the folder of a running preview: %v", err)
	}
	if err := other.Remove(); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // returns an error, because the process was killed
	return path
}
