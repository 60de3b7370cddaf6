package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"vitrine/internal/plan"
)

// searchIndex reads the index as the script does, by path.
func searchIndex(t *testing.T, b *built) map[string][]string {
	t.Helper()
	var list struct{ Shards []string }
	if err := json.Unmarshal([]byte(b.body(t, plan.SearchIndexPath)), &list); err != nil {
		t.Fatal(err)
	}
	index := make(map[string][]string)
	for _, path := range list.Shards {
		var records [][]string
		body := b.body(t, path)
		if err := json.Unmarshal([]byte(body), &records); err != nil {
			t.Fatal(err)
		}
		if len(body) > searchShard+4096 {
			t.Errorf("%s has %d bytes", path, len(body))
		}
		for _, r := range records {
			index[r[0]] = r
		}
	}
	return index
}

// The index has every listed page with its title, description, tags, headings
// and words, and none that is unlisted, a list, or the page of a 404.
func TestSearchIndex(t *testing.T) {
	b := build(t, posts(with(
		"content/a.md", "---\ntitle: Credits & “plans”\ndescription: What they are.\ntags: [one, two]\n---\n## Café\n\nWords and [links](https://elsewhere.example/path) and words.\n",
		"content/hidden.md", "---\ntitle: Hidden\nunlisted: true\n---\n",
	), 25))
	index := searchIndex(t, b)
	got := index["/a"]
	if len(got) != 6 || got[1] != "Credits & “plans”" || got[2] != "What they are." || got[3] != "one, two" || got[4] != "Café" {
		t.Fatalf("the record is %q", got)
	}
	words := " " + got[5] + " "
	for word, want := range map[string]bool{"café": true, "words": true, "links": true, "elsewhere": false, "path": false} {
		if there := strings.Contains(words, " "+word+" "); there != want {
			t.Errorf("%q is in the index: %t, want %t", word, there, want)
		}
	}
	for path := range index {
		p := b.renderer.lists.Pages[path]
		if p == nil || p.Unlisted || p.List != nil {
			t.Errorf("the index has %s", path)
		}
	}
	for _, p := range b.site.Pages {
		if _, ok := index[p.Path]; !ok && !p.Unlisted && p.List == nil {
			t.Errorf("the index lacks %s", p.Path)
		}
	}
}

// A large site's index stays within its budget and leaves the words out.
func TestSearchIndexIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("not under -short; make race runs it")
	}
	t.Parallel()
	files := sampleFacts()
	for i := range searchWords + 1 {
		files[fmt.Sprintf("content/p%04d.md", i)] = fmt.Sprintf("---\ntitle: Page %d\ndescription: %s\n---\n## %s\n\nunmistakable\n", i, strings.Repeat("d", 400), strings.Repeat("é", 6000))
	}
	b := build(t, files, withoutImages)
	size := 0
	for path, r := range searchIndex(t, b) {
		for _, f := range r {
			size += len(f)
			if !utf8.ValidString(f) {
				t.Fatalf("%s: a text is cut within a character", path)
			}
		}
		if strings.Contains(strings.Join(r, " "), "unmistakable") {
			t.Fatalf("%s has words of its text", path)
		}
	}
	if size > searchBudget+searchBudget/10 {
		t.Errorf("the index has %d bytes", size)
	}
}

// The page of the search loads its script and is a list of pages without it;
// no other page has a script to run.
func TestSearchPage(t *testing.T) {
	b := build(t, posts(sampleFacts(), 2))
	for path, r := range b.resources {
		if len(r.Variants) != 2 {
			continue
		}
		if got, want := strings.Contains(string(r.Variants[0].Body), "<script src"), path == plan.SearchPath; got != want {
			t.Errorf("%s has a script: %t", path, got)
		}
	}
	page := b.body(t, plan.SearchPath)
	for _, want := range []string{`<a href="/blog/post-001">Post 1</a>`, `data-index="/search.json" hidden>`} {
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

// clip never cuts within a character.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		want string
	}{{"abc", 5, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"日本", 4, "日"}, {"日本", 2, ""}, {"abc", 0, ""}, {"abc", -7, ""}} {
		if got := clip(c.text, c.size); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.size, got, c.want)
		}
	}
}

// Every word once, in lower case, without the destinations of links.
func TestDistinctWords(t *testing.T) {
	for text, want := range map[string]string{
		"# A Title\n\nWords, words WORDS.":              "title words",
		"[text](https://x.example/(a)) and <https://y>": "text and",
		"[open](never closed":                           "open",
		"e\u0301tude 日本語 x2":                            "e\u0301tude 日本語 x2",
		"":                                              "",
	} {
		if got := distinctWords([]byte(text), 1000); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := distinctWords([]byte("alpha beta gamma"), 11); got != "alpha beta" {
		t.Errorf("cut off: %q", got)
	}
}
