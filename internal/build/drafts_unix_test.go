//go:build unix

package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// draftSite creates a new site. It returns the site's folder and a function that adds a file to it.
func draftSite(t *testing.T) (root string, write func(name, text string)) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "site")
	writeSite(t, root)
	return root, func(name, text string) {
		t.Helper()
		local := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(local), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(local, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Files next to pages, such as drafts and notes, are published only if a page links to them or they are in
// content/static. A warning names each unpublished file. After a change to the links, the next build publishes the
// files that are linked then.
func TestDraftsDoNotLeak(t *testing.T) {
	root, write := draftSite(t)
	const draft = "---\ntitle: Secret\ndraft: true\n---\nSecret.\n"
	for _, name := range []string{
		"a.md", "b.markdown", "c.MD", "d.Markdown", "e.mdx", "f.md.bak", "g.txt", "h.docx", "i.xlsx", "j.md.orig", "k.html", "l", "m.json", "n.rst",
		"_drafts/o.txt", "p/index.MD", "p/q.png",
	} {
		write("content/new/"+name, draft)
	}
	write("content/_drafts/r.md", "# Secret\n")
	write("content/_Drafts/s.png", "x")
	write("content/t.markdown", "---\ntitle: T\n---\nSee [the notes](new/g.txt) and [u](u.MD), [v](v.MD).\n")
	write("content/u.MD", "---\ntitle: U\n---\n![A picture](w.tiff)\n")
	write("content/v.MD", "---\ntitle: V\nimage: x.tiff\n---\nV.\n")
	for _, name := range []string{"w.tiff", "x.tiff", "y.tiff", "style.css", "photo.JPG", "paper.pdf", "static/z.txt", "static/_drafts/z.md"} {
		write("content/"+name, name)
	}
	out := t.TempDir()
	published, problems := buildAgain(t, root, out)
	want := []string{"/new/g.txt", "/t", "/u", "/v", "/w.tiff", "/x.tiff", "/style.css", "/photo.JPG", "/paper.pdf", "/z.txt", "/_drafts/z.md"}
	for _, path := range want {
		if !slices.Contains(published, path) && !slices.Contains(published, path+".html") {
			t.Errorf("%s is not published", path)
		}
	}
	for _, path := range published {
		if !slices.Contains(want, path) && (strings.HasPrefix(path, "/new/") || strings.Contains(path, "rafts/") || path == "/y.tiff") {
			t.Errorf("%s is published", path)
		}
	}
	wantWarned := []string{
		"content/new/e.mdx", "content/new/f.md.bak", "content/new/h.docx", "content/new/i.xlsx", "content/new/j.md.orig", "content/new/k.html",
		"content/new/l", "content/new/m.json", "content/new/n.rst", "content/y.tiff",
	}
	if warned := unlinked(problems); !slices.Equal(warned, wantWarned) {
		t.Errorf("warned of %q,\nwant %q", warned, wantWarned)
	}

	// Another page links to another file.
	write("content/u.MD", "---\ntitle: U\n---\nNothing to see.\n")
	write("content/v.MD", "---\ntitle: V\nimage: x.tiff\n---\n[y](y.tiff)\n")
	published, problems = buildAgain(t, root, out)
	if slices.Contains(published, "/w.tiff") || !slices.Contains(published, "/y.tiff") || !slices.Contains(published, "/x.tiff") {
		t.Errorf("after another link, published are %q", published)
	}
	if warned := unlinked(problems); !slices.Contains(warned, "content/w.tiff") || slices.Contains(warned, "content/y.tiff") {
		t.Errorf("after another link, warned of %q", warned)
	}
	// A link in the navigation also publishes a file, and the site can disable the rule.
	config, err := os.ReadFile(filepath.Join(root, "content/site.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write("content/site.yaml", strings.Replace(string(config), "\nnavigation:\n", "\nnavigation:\n  - {label: W, path: /w.tiff}\n", 1)+"\ndiagnostics: {V043: off}\n")
	published, problems = buildAgain(t, root, out)
	if !slices.Contains(published, "/w.tiff") || unlinked(problems) != nil {
		t.Errorf("with a navigation, published are %q, warned of %q", published, unlinked(problems))
	}
}

// buildAgain builds a site and returns the published files and the problems.
func buildAgain(t *testing.T, root, out string) (published []string, problems []site.Problem) {
	t.Helper()
	_, problems, err := Build(t.Context(), Source{Root: root, NoSocialImages: true}, Output{Out: out}, Observer{})
	if err != nil || site.HasErrors(problems) {
		t.Fatal(err, problems)
	}
	public := filepath.Join(out, "public")
	err = filepath.WalkDir(public, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			published = append(published, strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(public)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return published, problems
}

// unlinked returns the files that are reported in problems as unpublished.
func unlinked(problems []site.Problem) []string {
	var names []string
	for _, p := range problems {
		if p.Code == rule.UnlinkedFile {
			names = append(names, p.Path)
		}
	}
	return names
}
