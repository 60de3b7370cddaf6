package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Keeping folders open doesn't change which files can be read: they are the same as with an os.Root of the site. A
// symbolic link may point outside its own folder, but never outside the site.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(filepath.Base(name)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "secret.md"))
	write(filepath.Join(site, "content", "a.md"))
	write(filepath.Join(site, "content", "blog", "b.md"))
	for link, target := range map[string]string{
		"content/blog/inside.md":  "../a.md",
		"content/blog/outside.md": "../../../secret.md",
		"content/linked":          "blog",
		"content/away":            "../..",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(site, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	// Use more folders than are kept open.
	names := []string{"content/a.md", "content/blog/b.md", "content/blog/inside.md", "content/blog/outside.md",
		"content/linked/b.md", "content/away/secret.md", "content/blog/none.md", "content/none/b.md", "content/blog"}
	for i := range maxOpenFolders + 2 {
		name := fmt.Sprintf("content/many/%d/page.md", i)
		write(filepath.Join(site, filepath.FromSlash(name)))
		names = append(names, name)
	}
	root, err := os.OpenRoot(site)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	folders := opened(t, site)
	for _, name := range names {
		for range 2 {
			want, wantErr := root.ReadFile(filepath.FromSlash(name))
			got, err := folders.ReadFile(name)
			if string(got) != string(want) || (err == nil) != (wantErr == nil) {
				t.Errorf("%s: got %q, %v; the root gives %q, %v", name, got, err, want, wantErr)
			}
			got, err = folders.ReadLimited(name, 100)
			if err == nil && string(got) != string(want) || (err == nil) != (wantErr == nil) {
				t.Errorf("%s, limited: got %q, %v; the root gives %q, %v", name, got, err, want, wantErr)
			}
			if _, err := folders.ReadLimited(name, 3); wantErr == nil && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s, at most three bytes: %v", name, err)
			}
		}
	}
	for _, name := range []string{"content/blog/outside.md", "content/away/secret.md"} {
		if _, err := folders.ReadFile(name); err == nil {
			t.Errorf("read %s, which is outside the site", name)
		}
	}
	if open := len(folders.open); open > maxOpenFolders {
		t.Errorf("%d folders are open", open)
	}
}

// The size limit also applies to text in Instead.
func TestLimitOfUnsavedText(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("saved"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := opened(t, dir)
	f.Instead = map[string][]byte{"a.md": []byte("unsaved")}
	if got, err := f.ReadLimited("a.md", 7); string(got) != "unsaved" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := f.ReadLimited("a.md", 6); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %q, %v, want ErrTooLarge", got, err)
	}
}
