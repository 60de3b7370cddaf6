//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// The next preview of a site renders only the pages changed since the last preview. It opens its first build even if no
// file has changed, and can then show a page early.
func TestNextPreviewContinues(t *testing.T) {
	root := twoPages(t)
	folder := previewOnce(t, root, "A sentence.", nil)
	kept := stamps(t, folder)
	if again := previewOnce(t, root, "A sentence.", nil); again != folder {
		t.Fatalf("the next preview builds into %s, not into %s", again, folder)
	}
	if now := stamps(t, folder); now["about.html"] != kept["about.html"] || now["index.html"] != kept["index.html"] {
		t.Error("the next preview rendered pages that had not changed")
	}
	writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nAnother sentence.\n")
	previewOnce(t, root, "Another sentence.", func(b *Builder) {
		writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nAn early sentence.\n")
		early := b.Early([]string{"content/about.md"})
		if early == nil || !bytes.Contains(early.bodies["text/html"], []byte("An early sentence.")) {
			t.Errorf("the page after the first build is %v", early)
		}
	})
	if now := stamps(t, folder); now["about.html"] == kept["about.html"] || now["index.html"] != kept["index.html"] {
		t.Error("the next preview did not render only the changed page")
	}
}

// twoPages returns the root of a site with the pages / and /about, and gives the test its own folder for previews.
func twoPages(t *testing.T) string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	root := t.TempDir()
	writeFile(t, root, "content/product.yaml", `name: Acorn
url: https://acorn.example
description: A kit for repairing bicycles at home.
audience: [Commuters]
capabilities: [Truing wheels]
pricing: {currency: CHF, billingPeriod: month, plans: [{name: Solo, monthlyPrice: 9.50}], url: "https://acorn.example/about"}
contact: hello@acorn.example
links: {}
`)
	writeFile(t, root, "content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\n")
	writeFile(t, root, "content/index.md", "---\ntitle: Acorn\n---\n\nText.\n")
	writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nA sentence.\n")
	return root
}

// If no source has changed since the last preview, the preview shows that preview's build while it loads the site. The
// toolbar of a page then learns the page's source without a reload.
func TestShowsLastPreviewWhileLoading(t *testing.T) {
	root := twoPages(t)
	writeFile(t, root, "content/plan.md", "---\ntitle: Plan\ndraft: true\n---\n\nA draft.\n")
	previewOnce(t, root, "A sentence.", nil)
	b, err := NewBuilder(build.Source{Root: root, Drafts: true, NoSocialImages: true})
	if err != nil {
		t.Fatal(err)
	}
	loads := make(chan struct{})
	server, err := New(Options{Root: root, Addr: "127.0.0.1:8080", Last: b.Last, Build: func(ctx context.Context) (Built, error) {
		<-loads
		return b.Build(ctx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	watched := make(chan error, 1)
	go func() { watched <- server.Watch(ctx) }()
	defer func() {
		end()
		if err := errors.Join(<-watched, server.Close(), b.Close()); err != nil {
			t.Error(err)
		}
	}()
	if err := server.Ready(ctx); err != nil {
		t.Fatal(err)
	}

	view := func() (v View) {
		answer := ask(server, "/about")
		_, data, _ := strings.Cut(answer.Body.String(), `id="vitrine-preview">`)
		if err := json.NewDecoder(strings.NewReader(data)).Decode(&v); err != nil || !strings.Contains(answer.Body.String(), "A sentence.") {
			t.Fatalf("%d without the page and its toolbar: %v\n%s", answer.Code, err, answer.Body)
		}
		return v
	}
	before := view()
	if want := (PageView{Twin: "/about.md"}); before.Page != want || before.Number != 0 {
		t.Errorf("while the site is loaded, build %d has the page %+v, want %+v", before.Number, before.Page, want)
	}
	if missing := ask(server, "/missing"); missing.Code != http.StatusNotFound || !strings.Contains(missing.Body.String(), "vitrine-preview") {
		t.Errorf("a missing page returns %d without a toolbar", missing.Code)
	}
	if file := ask(server, "/search.json"); file.Code != http.StatusOK || strings.Contains(file.Body.String(), "vitrine-preview") {
		t.Errorf("a file returns %d, or has a toolbar", file.Code)
	}
	close(loads)
	// The list of unpublished pages waits until the site is loaded.
	if waiting := ask(server, waitingPath); strings.TrimSpace(waiting.Body.String()) != `{"/plan":"draft"}` {
		t.Errorf("unpublished pages: %s", waiting.Body)
	}
	after := view()
	if after.Page.Source != "content/about.md" || after.Page.Twin != "/about.md" || after.Number != 1 || after.Build != before.Build {
		t.Errorf("after loading, build %s with number %d has the page %+v; it was build %s", after.Build, after.Number, after.Page, before.Build)
	}
}

// The preview doesn't show the last preview's build if the sources have changed since.
func TestLastPreviewOfChangedSources(t *testing.T) {
	root := twoPages(t)
	previewOnce(t, root, "A sentence.", nil)
	writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nAnother sentence.\n")
	b, err := NewBuilder(build.Source{Root: root, Drafts: true, NoSocialImages: true})
	if err != nil {
		t.Fatal(err)
	}
	if last, _ := b.Last(t.Context()); last != nil {
		t.Error("the preview shows the build of sources that have changed")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// ask returns the response to a GET request.
func ask(server *Server, path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	request.Host = "127.0.0.1:8080"
	request.Header.Set("Accept", "text/html")
	server.ServeHTTP(answer, request)
	return answer
}

// previewOnce builds a site as a preview does, checks that the page /about contains text, calls before with the Builder
// if it isn't nil, and returns the preview's folder.
func previewOnce(t *testing.T, root, text string, before func(*Builder)) string {
	t.Helper()
	b, err := NewBuilder(build.Source{Root: root, Drafts: true, NoSocialImages: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	built, err := b.Build(context.Background())
	if err != nil || site.HasErrors(built.Problems) || built.Build == nil {
		t.Fatalf("the preview's first build: %v, %v, %v", built.Build, err, built.Problems)
	}
	if len(built.Site.Pages) < 2 {
		t.Errorf("the preview knows %d pages", len(built.Site.Pages))
	}
	page, err := os.ReadFile(filepath.Join(b.out, artifact.PublicDir, "about.html"))
	if err != nil || !bytes.Contains(page, []byte(text)) {
		t.Errorf("the page is %.200q, %v; want %q in it", page, err, text)
	}
	if before != nil {
		before(b)
	}
	if err := built.Build.Close(); err != nil {
		t.Error(err)
	}
	return b.folder.Path
}

// stamps returns the modification times of the pages in a preview's folder in nanoseconds since 1970, keyed by file
// name.
func stamps(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, name := range []string{"index.html", "about.html"} {
		info, err := os.Stat(filepath.Join(folder, "build", artifact.PublicDir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = info.ModTime().UnixNano()
	}
	return all
}

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
