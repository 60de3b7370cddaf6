package render

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// searchStart is the file that a search loads first.
type searchStart struct {
	Root, Files, Engine, Stemmer string
	Depth, Pages                 int
}

// unpacked returns the contents of the search files. It fails the test if a file isn't reachable from the first file.
func unpacked(t *testing.T, b *built) (start searchStart, files []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(b.body(t, plan.SearchIndexPath)), &start); err != nil {
		t.Fatal(err)
	}
	for path := range b.resources {
		if begin, end, _ := strings.Cut(start.Files, "*"); strings.HasPrefix(path, begin) && strings.HasSuffix(path, end) {
			r, err := gzip.NewReader(bytes.NewReader([]byte(b.body(t, path))))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			body, err := io.ReadAll(r)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			files = append(files, string(body))
		}
	}
	return start, files
}

// In search results, the theme's pages rank after the site's pages.
func TestThemePagesRankLast(t *testing.T) {
	s := &site.Site{}
	r := &Renderer{site: s, searcher: newSearcher(s)}
	entries := make(map[string]bool)
	for _, source := range []string{"templates/pages/cli.md", "content/cli.md"} {
		done := &Rendered{}
		if err := r.noteSearch(done, &site.Page{Path: "/cli", Source: source, Text: []byte("Time.")}, &view.Page{Path: "/cli", Title: "Tool"}, []byte("# Tool\n\nTime and time again.\n")); err != nil {
			t.Fatal(err)
		}
		entries[done.given.Entry] = true
	}
	if len(entries) != 2 {
		t.Error("the index has the same data for a page of the theme and a page of the site")
	}
}

// The search page groups articles under the title of the blog's page.
func TestSearchNamesTheBlog(t *testing.T) {
	b := build(t, posts(with("content/blog/index.md", "---\ntitle: Journal\n---\n"), 2))
	if page := b.body(t, "/search"); !strings.Contains(page, "<h2>Journal</h2>") || strings.Contains(page, "<h2>Blog</h2>") {
		t.Errorf("the search doesn't name the journal:\n%s", page)
	}
}

// A small site's index is one file with every listed page, its sections, and their text. It contains no unlisted pages,
// no generated lists, and no 404 page.
func TestSearchIndex(t *testing.T) {
	b := build(t, posts(with(
		"content/a.md", "---\ntitle: Credits & “plans”\ndescription: What they are.\ntags: [one, two]\n---\n## Café\n\nWords and [links](https://elsewhere.example/path) and \\<words\\>.\n",
		"content/hidden.md", "---\ntitle: Hidden\nunlisted: true\n---\n",
	), 2))
	start, files := unpacked(t, b)
	if len(files) != 1 || start.Depth != 0 || !strings.Contains(files[0], `["/a","Credits & “plans”",[["","","What they are.`) ||
		!strings.Contains(files[0], `["café","Café","Words and links and <words>."]`) {
		t.Fatalf("%d files: %+v %.3000q", len(files), start, files)
	}
	for _, path := range []string{start.Engine, start.Stemmer, start.Root} {
		b.body(t, path)
	}
	pages := 0
	for _, p := range b.site.Pages {
		there := strings.Contains(files[0], fmt.Sprintf(`["%s",`, p.Path))
		if want := b.renderer.searched(p); there != want || want == (p.Unlisted || p.List != nil || p.Path == plan.NotFoundPath) {
			t.Errorf("the index has %s: %t", p.Path, there)
		}
		if there {
			pages++
		}
	}
	if start.Pages != pages {
		t.Errorf("the index says that it has %d pages of %d", start.Pages, pages)
	}
}

// On a larger site, the pages' text isn't in the index but in separate files, which are published with the pages.
func TestSearchTextIsSeparate(t *testing.T) {
	b := build(t, posts(sampleFacts(), searchApart))
	_, files := unpacked(t, b)
	texts := 0
	for _, body := range files {
		if strings.HasPrefix(body, `["/blog/post-`) {
			texts++
		} else if strings.Contains(body, `["/blog/post-`) {
			t.Errorf("a text is within the index: %.200q", body)
		}
	}
	if texts != searchApart {
		t.Errorf("%d articles have texts of their own", texts)
	}
}

// Only the search page loads the search script. Without the script, the search page is a list of pages.
func TestSearchPage(t *testing.T) {
	b := build(t, posts(sampleFacts(), 2))
	for path, r := range b.resources {
		if len(r.Variants) != 2 {
			continue
		}
		if got, want := strings.Contains(string(r.Variants[0].Body), "/assets/search."), path == plan.SearchPath; got != want {
			t.Errorf("%s has the script of the search: %t", path, got)
		}
	}
	page := b.body(t, plan.SearchPath)
	for _, want := range []string{`<a href="/blog/post-001">Post 1</a>`, `action="/search#Everything" data-index="/search.json"`, `<button class="button tiny" type="submit">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(b.body(t, plan.SitemapPath), plan.SearchPath) {
		t.Error("the sitemap lists the search")
	}
	own := build(t, with("content/search.md", "---\ntitle: Ours\n---\n"))
	if _, ok := own.resources[plan.SearchIndexPath]; ok || strings.Contains(own.body(t, "/"), `>Search</a>`) {
		t.Error("a site with a page of its own at /search has the theme's search too")
	}
}

// A search finds a page by its own text, not by its byline or by the titles of other pages that its layout shows.
func TestSearchIndexesOwnText(t *testing.T) {
	b := build(t, with(
		"content/blog/a.md", "---\ntitle: Alpha\ndescription: About alpha.\ndate: 2026-04-01\nauthor: Quentin\ntags: [zebra]\n---\nOwn words of alpha.\n",
		"content/blog/b.md", "---\ntitle: Bravo\ndate: 2026-04-02\nauthor: Quentin\n---\nOwn words of bravo.\n",
		"content/blog/c.md", "---\ntitle: Charlie\ndate: 2026-04-03\n---\nOwn words of charlie.\n",
		"content/lessons/index.md", "---\ntitle: Lessons\nlayout: list\n---\nOwn words of lessons.\n",
		"content/lessons/one.md", "---\ntitle: Delta\n---\nText.\n",
	))
	_, files := unpacked(t, b)
	all := strings.Join(files, "\n")
	for _, want := range []string{"Own words of bravo.", "Own words of lessons.", "About alpha."} {
		if !strings.Contains(all, want) {
			t.Errorf("the index lacks %q", want)
		}
	}
	for _, other := range []string{"Quentin", "Previous:", "Next:", "Published:", "Own words of bravo. More articles", "Delta Text", "There is nothing here yet"} {
		if strings.Contains(all, other) {
			t.Errorf("the index has %q", other)
		}
	}
	// Each title is only in the text of its page.
	if n := strings.Count(all, "Charlie"); n != 1 {
		t.Errorf("the title of one article is there %d times", n)
	}
}
