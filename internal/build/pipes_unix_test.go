//go:build unix

package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/check"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/scaffold"
	"vitrine/internal/site"
)

// If a named pipe replaces a source file, the build fails with an error that names the file, even if the file is
// replaced between two reads. Opening a pipe can block forever, so the test has a timeout and abandons the blocked
// goroutine.
func TestPipesInPlaceOfFiles(t *testing.T) {
	const notRegular = " is a named pipe, not a regular file; replace it with a file"
	for _, c := range []struct {
		name, file string
		build      func(t *testing.T, root, file string) error
		want       string
	}{
		{"a page", "content/about.md", readPage, "content/about.md" + notRegular},
		{"an image", "content/shot.png", lookAtImage, "content/shot.png" + notRegular},
		{"a file next to pages", "content/static/terms.txt", replaceBeforeFiles, "content/static/terms.txt" + notRegular},
		{"a layout", "templates/layouts/page.html", buildWhole, "templates"},
		{"a text of the theme", "templates/text/robots.txt", buildWhole, "templates"},
		{"a stylesheet", "templates/assets/style.css", buildWhole, "templates"},
		{"a page of the theme", "templates/pages/404.md", buildWhole, "templates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "site")
			writeSite(t, root)
			ended := make(chan error, 1)
			go func() { ended <- c.build(t, root, filepath.Join(root, filepath.FromSlash(c.file))) }()
			select {
			case err := <-ended:
				if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			case <-time.After(time.Minute):
				t.Fatal("the build waits for the pipe")
			}
		})
	}
}

// writeSite writes a new site in the same way as vitrine new.
func writeSite(t *testing.T, dir string) {
	t.Helper()
	files, err := scaffold.Site("", "Acorn", time.Unix(0, 0), scaffold.Release{Repository: "a/b", Version: "1.2.3"})
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(scaffold.Write(root, files), root.Close()); err != nil {
		t.Fatal(err)
	}
}

// pipe replaces a file with a named pipe.
func pipe(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return syscall.Mkfifo(name, 0o600)
}

// readPage reads a page that a pipe has replaced after the front matter was read.
func readPage(_ *testing.T, root, file string) error {
	b, err := begin(context.Background(), request{Source: Source{Root: root}})
	if err != nil {
		return err
	}
	if err := pipe(file); err != nil {
		return err
	}
	_, err = b.readPage(&site.Page{Source: "content/about.md"})
	return errors.Join(err, b.end())
}

// lookAtImage reads an image that a pipe has replaced after the image was found next to a page.
func lookAtImage(_ *testing.T, root, file string) error {
	if err := pipe(file); err != nil {
		return err
	}
	f, err := folder.Open(root)
	if err != nil {
		return err
	}
	s := &site.Site{Files: []site.File{{Source: "content/shot.png", Path: "/shot.png", Size: 100}}}
	shown, _ := image.New(f.FS(), s, nil).Show("/shot.png")
	return errors.Join(shown.Err, f.Close())
}

// replaceBeforeFiles builds a site and replaces a file with a pipe after the pages are rendered, while outside links
// are checked.
func replaceBeforeFiles(t *testing.T, root, file string) error {
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("Terms.\n"), 0o666)); err != nil {
		return err
	}
	b, err := begin(t.Context(), request{
		Source: Source{Root: root}, Output: Output{Out: t.TempDir()},
		CheckOptions: CheckOptions{Outside: func(context.Context, []check.Outside) ([]site.Problem, error) { return nil, pipe(file) }},
	})
	if err != nil {
		return err
	}
	_, problems, err := b.build(t.Context())
	if err = errors.Join(err, b.end()); len(problems) > 0 {
		t.Logf("%v", problems)
	}
	return err
}

// buildWhole builds a site in which a pipe has replaced a file before the build.
func buildWhole(t *testing.T, root, file string) error {
	if err := pipe(file); err != nil {
		return err
	}
	_, problems, err := Build(t.Context(), Source{Root: root}, Output{Out: t.TempDir()}, Observer{})
	for _, p := range problems {
		err = errors.Join(err, errors.New(p.String()))
	}
	return err
}
