package folder

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// Regular files of any size are read completely. For a missing file and for a name outside the root, the error is the
// error of the os.Root.
func TestRegular(t *testing.T) {
	dir := t.TempDir()
	large := bytes.Repeat([]byte("abc\n"), 1<<18)
	for name, text := range map[string][]byte{"site/empty": nil, "site/a/small": []byte("a"), "site/large": large, "secret": []byte("b")} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	site := opened(t, filepath.Join(dir, "site"))
	if err := fstest.TestFS(site.FS(), "empty", "a/small", "large"); err != nil {
		t.Error(err)
	}
	if text, err := site.ReadFile("large"); err != nil || !bytes.Equal(text, large) {
		t.Errorf("got %d bytes of %d, %v", len(text), len(large), err)
	}
	if _, err := site.ReadFile("a/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := site.ReadFile("../secret"); err == nil {
		t.Error("read a file outside the root")
	}
}

// opened opens a site's folder, which is closed at the end of the test.
func opened(t *testing.T, dir string) *Folder {
	t.Helper()
	site, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	return site
}
