package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every page of every kind of site has its own file, and links only to other pages of the site in its language.
func TestShapes(t *testing.T) {
	const pages = 450
	for _, c := range []struct {
		shape Shape
		urls  map[int]string
	}{
		{Blog(), map[int]string{0: "/blog/post-00000", 449: "/blog/post-00449"}},
		{Languages(), map[int]string{0: "/blog/post-00000", 1: "/de/blog/post-00000", 447: "/fr/blog/post-00111"}},
		{Documentation(), map[int]string{0: "/docs/area-000/part-0/post-00000", 20: "/docs/area-000/part-1/post-00020", 449: "/docs/area-002/part-2/post-00449"}},
	} {
		t.Run(c.shape.Name, func(t *testing.T) {
			for i, want := range c.urls {
				if got := c.shape.URL(i); got != want {
					t.Errorf("page %d is at %s, want %s", i, got, want)
				}
			}
			root := t.TempDir()
			if err := c.shape.Write(root, pages, 1, Options{}); err != nil {
				t.Fatal(err)
			}
			for i := range pages {
				checkLinks(t, root, c.shape.URL(i))
			}
		})
	}
}

var destination = regexp.MustCompile(`\]\((/[^)]*)\)`)

// checkLinks checks that the files of all linked pages exist, and that their folders are in the language of the page.
func checkLinks(t *testing.T, root, url string) {
	t.Helper()
	file := func(url string) string { return filepath.Join(root, "content", filepath.FromSlash(url)+".md") }
	source, err := os.ReadFile(file(url))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(url[1:], "/")
	for _, link := range destination.FindAllStringSubmatch(string(source), -1) {
		if _, err := os.Stat(file(link[1])); err != nil {
			t.Errorf("%s links to %s: %v", url, link[1], err)
		}
		if linked, _, _ := strings.Cut(link[1][1:], "/"); linked != first {
			t.Errorf("%s links to %s in another language", url, link[1])
		}
	}
}

// An edit changes one page.
func TestShapeEdits(t *testing.T) {
	root := t.TempDir()
	s := Documentation()
	if err := s.Write(root, 2, 1, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Edit(root, 1, 1, 7); err != nil {
		t.Fatal(err)
	}
	for i, edited := range []bool{false, true} {
		source, err := os.ReadFile(filepath.Join(root, "content", s.URL(i)+".md"))
		if err != nil || strings.Contains(string(source), EditedSentence(7)) != edited {
			t.Errorf("page %d: edited is not %t: %v", i, edited, err)
		}
	}
}
