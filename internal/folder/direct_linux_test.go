package folder

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Reading directly accepts only regular files in the folder itself. It rejects symbolic links, names that point outside
// the folder, files whose opening would block, and files that are too large.
func TestReadDirectly(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "content")
	if err := os.MkdirAll(filepath.Join(folder, "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"secret": "s", "content/page.md": "12345", "content/empty.md": "", "content/below/b.md": "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out.md": "../secret", "in.md": "page.md"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.md"), 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	open := newOpenFolder(root)
	defer open.close()
	for _, c := range []struct {
		name  string
		limit int64
		want  string
		ok    bool
	}{
		{"page.md", 5, "12345", true},
		{"page.md", 4, "", false},
		{"empty.md", 5, "", true},
		{"none.md", 5, "", false},
		{"in.md", 5, "", false},
		{"out.md", 5, "", false},
		{"pipe.md", 5, "", false},
		{"below", 5, "", false},
		{"below/b.md", 5, "", false},
		{"../secret", 5, "", false},
		{"..", 5, "", false},
		{".", 5, "", false},
		{"", 5, "", false},
	} {
		got, err := open.read(c.name, c.limit)
		if string(got) != c.want || (err == nil) != c.ok {
			t.Errorf("%q of at most %d bytes: %q, %v", c.name, c.limit, got, err)
		}
	}
}
