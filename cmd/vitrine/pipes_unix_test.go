//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/check"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// A source that becomes a named pipe between two looks at it, or that is one
// where nobody looked before, ends the build with what it is. To open it would be
// to wait for ever: the test waits a while, and leaves what waits behind.
func TestPipesInPlaceOfFiles(t *testing.T) {
	const notRegular = " is not a regular file but a named pipe; put a file here"
	for _, c := range []struct {
		name, file string
		build      func(t *testing.T, root, file string) error
		want       string
	}{
		{"a page", "content/about.md", readPage, "content/about.md" + notRegular},
		{"an image", "content/shot.png", lookAtImage, "content/shot.png" + notRegular},
		{"a file beside pages", "content/static/terms.txt", replaceBeforeFiles, "content/static/terms.txt" + notRegular},
		{"a layout", "templates/layouts/page.html", buildWhole, "templates"},
		{"a text of the theme", "templates/text/robots.txt", buildWhole, "templates"},
		{"a stylesheet", "templates/assets/style.css", buildWhole, "templates"},
		{"a page of the theme", "templates/pages/404.md", buildWhole, "templates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "site")
			if code := run(t.Context(), []string{"new", "site", root, "--title", "Acorn"}, io.Discard, testWriter{t}); code != exitOK {
				t.Fatalf("vitrine new site exits %d", code)
			}
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

// pipe puts a named pipe in the place of a file.
func pipe(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return syscall.Mkfifo(name, 0o600)
}

// readPage reads a page whose front matter was read.
func readPage(_ *testing.T, folder, file string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	c := &compiler{root: root, folders: load.NewFolders(root)}
	defer c.folders.Close()
	if err := pipe(file); err != nil {
		return err
	}
	_, err = c.read(&site.Page{Source: "content/about.md"})
	return err
}

// lookAtImage shows an image that was found beside the pages.
func lookAtImage(_ *testing.T, folder, file string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := pipe(file); err != nil {
		return err
	}
	s := &site.Site{Files: []site.File{{Source: "content/shot.png", Path: "/shot.png", Size: 100}}}
	pictures, err := openPictures(root, s, "")
	if err != nil {
		return err
	}
	var shown image.Image
	shown, _ = pictures.Show("/shot.png")
	return shown.Err
}

// replaceBeforeFiles replaces a file when the pages are done: links to other sites
// are looked at then.
func replaceBeforeFiles(t *testing.T, folder, file string) error {
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("Terms.\n"), 0o666)); err != nil {
		return err
	}
	stage, err := publish.Begin(t.Context(), t.TempDir(), publish.Options{})
	if err != nil {
		return err
	}
	_, problems, err := compile(t.Context(), source{root: folder, outside: func(context.Context, []check.Outside) ([]site.Problem, error) {
		return nil, pipe(file)
	}}, stage)
	if len(problems) > 0 {
		t.Logf("%v", problems)
	}
	return errors.Join(err, stage.Abort())
}

// buildWhole builds a site in which the pipe stands from the beginning.
func buildWhole(t *testing.T, folder, file string) error {
	if err := pipe(file); err != nil {
		return err
	}
	var told bytes.Buffer
	if code := run(t.Context(), []string{"build", "--root", folder, "--out", t.TempDir()}, io.Discard, &told); code != exitOK {
		return errors.New(told.String())
	}
	return nil
}
