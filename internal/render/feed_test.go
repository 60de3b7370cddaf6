package render

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/plan"
)

// Both feeds contain the newest 50 articles, newest first, with the same IDs, dates, and text. Every page's <head> and
// header section link to both feeds.
func TestFeeds(t *testing.T) {
	b := build(t, posts(sampleFacts(), feedEntries+10))
	var atom struct {
		Entries []struct {
			ID      string `xml:"id"`
			Updated string `xml:"updated"`
			Content string `xml:"content"`
		} `xml:"entry"`
		Updated string `xml:"updated"`
	}
	if err := xml.Unmarshal([]byte(b.body(t, plan.AtomPath)), &atom); err != nil {
		t.Fatal(err)
	}
	var items jsonFeed
	if err := json.Unmarshal([]byte(b.body(t, plan.JSONFeedPath)), &items); err != nil {
		t.Fatal(err)
	}
	if len(atom.Entries) != feedEntries || len(items.Items) != feedEntries {
		t.Fatalf("%d and %d entries", len(atom.Entries), len(items.Items))
	}
	for i, e := range atom.Entries {
		j := items.Items[i]
		n := feedEntries + 10 - 1 - i
		if want := fmt.Sprintf("https://parley.example/blog/post-%03d", n); string(e.ID) != want || string(j.ID) != want || string(j.URL) != want {
			t.Errorf("entry %d: ids %s and %s, want %s", i, e.ID, j.ID, want)
		}
		if want := fmt.Sprintf("<p>Text %d.</p>\n", n); e.Content != want || j.Content != want {
			t.Errorf("entry %d: %q and %q, want %q", i, e.Content, j.Content, want)
		}
		if e.Updated != j.Modified || e.Updated == "" {
			t.Errorf("entry %d: updated %q and %q", i, e.Updated, j.Modified)
		}
	}
	if atom.Updated != atom.Entries[0].Updated {
		t.Errorf("the feed is of %s, its newest entry of %s", atom.Updated, atom.Entries[0].Updated)
	}
	for path, r := range b.resources {
		if len(r.Variants) != 2 || path == "404" {
			continue
		}
		for _, f := range []string{plan.AtomPath, plan.JSONFeedPath} {
			if !strings.Contains(string(r.Variants[0].Body), `<link rel="alternate" href="`+f+`"`) {
				t.Errorf("the head of %s does not lead to %s", path, f)
			}
			if !strings.Contains(b.header(path, 0, "Link"), "<"+f+`>; rel="alternate"`) {
				t.Errorf("the Link field of %s does not lead to %s", path, f)
			}
		}
	}
}

// A feed changes only if its articles change.
func TestFeedsAreStable(t *testing.T) {
	one := build(t, posts(sampleFacts(), 3))
	files := posts(sampleFacts(), 3)
	files["content/new.md"] = "---\ntitle: New\n---\nNew.\n"
	two := build(t, files)
	for _, path := range []string{plan.AtomPath, plan.JSONFeedPath} {
		if one.body(t, path) != two.body(t, path) {
			t.Errorf("%s differs", path)
		}
	}
}

// All links in a feed are absolute. The rest of the HTML is unchanged.
func TestAbsoluteLinks(t *testing.T) {
	for html, want := range map[string]string{
		`<a href="/a#b">x</a>`:                             `<a href="B/a#b">x</a>`,
		`<a href="#b">x</a>`:                               `<a href="P#b">x</a>`,
		`<a href="https://x.example/">x</a>`:               `<a href="https://x.example/">x</a>`,
		`<a href="mailto:a@b.example">x</a>`:               `<a href="mailto:a@b.example">x</a>`,
		`<img alt="a" src="/i.png"> <img src="/j.png">`:    `<img alt="a" src="B/i.png"> <img src="B/j.png">`,
		`<a href="/a"><img src="/i.png"></a><a href="#z">`: `<a href="B/a"><img src="B/i.png"></a><a href="P#z">`,
		`<p>plain</p>`:                                     `<p>plain</p>`,
		``:                                                 ``,
	} {
		if got := string(absoluteLinks([]byte(html), "B", "P")); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", html, got, want)
		}
	}
}

// Text in an article that looks like an attribute is unchanged.
func TestFeedTextIsNotChanged(t *testing.T) {
	files := sampleFacts()
	files["content/blog/a.md"] = "---\ntitle: A\ndate: 2026-01-01\n---\n" +
		"Write ` href=\"/x\"` or  src=\"#y\" in it.\n\n```html\n<a href=\"/x\" src=\"/y\">\n```\n\n![ href=\"/z\"](/favicon.svg \" src=\\\"/t\\\"\")\n"
	files["content/static/favicon.svg"] = "<svg/>"
	b := build(t, files)
	var items jsonFeed
	if err := json.Unmarshal([]byte(b.body(t, plan.JSONFeedPath)), &items); err != nil {
		t.Fatal(err)
	}
	got := items.Items[0].Content
	if n := strings.Count(got, b.site.Config.BaseURL); n != 1 {
		t.Errorf("%d references were made absolute, want that of the image alone:\n%s", n, got)
	}
	if u, err := url.Parse(string(items.Items[0].Image)); err != nil || !u.IsAbs() {
		t.Errorf("the image is %q", items.Items[0].Image)
	}
}

// All copies of an image have absolute addresses in a feed.
func TestFeedCopies(t *testing.T) {
	const html = `<p><img src="/a.png" alt="" srcset="/x-480.png 480w, /a%20b.png 960w" sizes="1px, 2px"> <a href="#b">b</a> <video src="/v.mp4" poster="/p.png"></video></p>`
	const want = `<p><img src="https://p.example/a.png" alt="" srcset="https://p.example/x-480.png 480w, https://p.example/a%20b.png 960w" sizes="1px, 2px"> <a href="https://p.example/page#b">b</a> <video src="https://p.example/v.mp4" poster="https://p.example/p.png"></video></p>`
	if got := string(absoluteLinks([]byte(html), "https://p.example", "https://p.example/page")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
