package load

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"vitrine/internal/folder"
)

// baseSite copies testdata/base to a temporary folder, adds files, and returns the folder.
func baseSite(t testing.TB, files ...txtar.File) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/base")); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		addPage(t, dir, f.Name, string(f.Data))
	}
	return dir
}

func addPage(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func page(name, text string) txtar.File { return txtar.File{Name: name, Data: []byte(text)} }

// Symbolic links within content/ are followed. Links that leave content/, point to hidden or missing files, or form a
// loop are reported, and no file outside content/ is read.
func TestSymbolicLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("# Secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := baseSite(t, page("content/a.md", "# A"), page("content/dir/b.md", "# B"), page("shared/c.md", "# C"),
		page("content/.env", "KEY"), page("templates/text/llms.txt", ""))
	for link, target := range map[string]string{
		"content/inside.md":         "a.md",
		"content/around.md":         "../content/dir/../a.md",
		"content/beside":            "../shared",
		"content/hidden.txt":        ".env",
		"content/absolute.md":       outside,
		"content/relative.md":       "../../../../../../../../etc/hostname",
		"content/nowhere.png":       "missing.png",
		"content/circle":            ".",
		"content/dir/selfself":      "selfself",
		"templates/text/robots.txt": "../../content/a.md",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	s, problems := loadDir(t, dir, Options{Now: now(), TitleOf: firstHeading})
	want := `content/absolute.md: error: the symbolic link points to OUTSIDE, outside content/; put the file itself here [V001]
content/beside: error: the symbolic link points to shared, outside content/; put the file itself here [V001]
content/circle/absolute.md: error: the symbolic link points to OUTSIDE, outside content/; put the file itself here [V001]
content/circle/beside: error: the symbolic link points to shared, outside content/; put the file itself here [V001]
content/circle/circle: error: this is a symbolic link to a folder inside a linked folder; put the files themselves here [V001]
content/circle/dir/selfself: error: the symbolic link is part of a loop; put the file itself here [V001]
content/circle/hidden.txt: error: the symbolic link points to content/.env, which is hidden and never published; put the file itself here [V001]
content/circle/nowhere.png: error: the symbolic link is broken; put the file itself here [V001]
content/circle/relative.md: error: the symbolic link points outside the site's folder; put the file itself here [V001]
content/dir/selfself: error: the symbolic link is part of a loop; put the file itself here [V001]
content/hidden.txt: error: the symbolic link points to content/.env, which is hidden and never published; put the file itself here [V001]
content/nowhere.png: error: the symbolic link is broken; put the file itself here [V001]
content/relative.md: error: the symbolic link points outside the site's folder; put the file itself here [V001]
templates/text/robots.txt: error: the symbolic link points to content/a.md, outside templates/; put the file itself here [V001]
`
	if got := strings.ReplaceAll(diagnostics(problems), filepath.ToSlash(outside), "OUTSIDE"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	site := describe(s)
	for _, path := range []string{"page /inside ", "page /around ", "page /dir/b "} {
		if !strings.Contains(site, path) {
			t.Errorf("no %sin\n%s", path, site)
		}
	}
}

// Files and front matter above their size limits are rejected.
func TestSizes(t *testing.T) {
	dir := baseSite(t,
		page("content/site.yaml", "title: "+strings.Repeat("x", maxFacts)),
		page("content/page.md", "# A\n"+strings.Repeat("x", maxPage)),
		page("content/front.md", "---\ntitle: A\ndescription: "+strings.Repeat("x", maxFrontMatter)+"\n---\n"))
	_, problems := loadDir(t, dir, Options{Now: now()})
	want := `content/front.md:1:1: error: the front matter is larger than 64 KiB; move text into the page body [V002]
content/page.md: error: the file is larger than the limit of 8192 KiB; make it smaller [V001]
content/site.yaml: error: the file is larger than the limit of 1024 KiB; make it smaller [V001]
`
	if got := diagnostics(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Problems about a name with a line break or invalid UTF-8 are each reported on one line.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // the operating system rejects such names
	}
	dir := baseSite(t, page("content/a\nb.md", "# A"), page("content/\xff.png", "x"))
	_, problems := loadDir(t, dir, Options{Now: now()})
	want := "content/a\uFFFDb.md: error: the file name cannot be used as a URL path: it contains the control character U+000A; rename the file [V009]\n" +
		"content/\uFFFD.png: error: the file name cannot be used as a URL path: it is not UTF-8; rename the file [V009]\n"
	if got := diagnostics(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// If the context is canceled, Load returns the context's error.
func TestContext(t *testing.T) {
	root, err := folder.Open(baseSite(t))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Load(ctx, root, Options{Now: now()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// Without TitleOf, a page needs a title in front matter. TitleOf isn't called for a page with a title in front matter.
func TestTitleOf(t *testing.T) {
	dir := baseSite(t, page("content/a.md", "# A"), page("content/b.md", "---\ntitle: B\n---\n# Other\n"))
	if _, problems := loadDir(t, dir, Options{Now: now()}); len(problems) != 1 || problems[0].Path != "content/a.md" {
		t.Errorf("got %v", problems)
	}
	asked := ""
	loadDir(t, dir, Options{Now: now(), TitleOf: func(path string, _ []byte, _ int) string { asked += path; return "A" }})
	if asked != "content/a.md" {
		t.Errorf("asked for %q", asked)
	}
}
