package markdown

import (
	"bytes"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// The HTML of an image contains its known properties. Only the first image of a page loads immediately, wherever it is.
// The twin contains the original image.
func TestPictures(t *testing.T) {
	d := New(Options{}).Parse("page.md", []byte("![a](a.png)\n\n> ![b](b.png \"B\") ![c](c.png)\n"), 0)
	for i, l := range d.Links() {
		l.Target = "/" + l.Destination
		l.Picture = []site.Picture{
			{Width: 2000, Height: 1200, Set: "/x-480.png 480w, /a&b.png 960w", WebP: "/x-480.webp 480w, /x-960.webp 960w", Sizes: "(min-width: 48em) 45rem, 100vw"},
			{Width: 30, Height: 20, AVIF: "/b-30.avif", WebP: "/b&30.webp"},
			{Width: 30},
		}[i]
	}
	var html, twin bytes.Buffer
	if err := d.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteMarkdown(&twin, "https://parley.example"); err != nil {
		t.Fatal(err)
	}
	const wantHTML = `<p><picture><source type="image/webp" srcset="/x-480.webp 480w, /x-960.webp 960w" sizes="(min-width: 48em) 45rem, 100vw"><img src="/a.png" alt="a" srcset="/x-480.png 480w, /a&amp;b.png 960w" sizes="(min-width: 48em) 45rem, 100vw" width="2000" height="1200"></picture></p>` + "\n<blockquote>\n" +
		`<p><picture><source type="image/avif" srcset="/b-30.avif"><source type="image/webp" srcset="/b&amp;30.webp"><img src="/b.png" alt="b" title="B" width="30" height="20" loading="lazy" decoding="async"></picture> <img src="/c.png" alt="c" loading="lazy" decoding="async"></p>` + "\n</blockquote>\n"
	const wantTwin = "![a](https://parley.example/a.png)\n\n> ![b](https://parley.example/b.png \"B\") ![c](https://parley.example/c.png)\n"
	if html.String() != wantHTML {
		t.Errorf("got\n%s\nwant\n%s", &html, wantHTML)
	}
	if twin.String() != wantTwin {
		t.Errorf("got\n%s\nwant\n%s", &twin, wantTwin)
	}
}

// TestForms checks the differences between a page, a feed, and plain HTML: links in headings, and copies of images.
func TestForms(t *testing.T) {
	d := New(Options{}).Parse("a.md", []byte("# One\n\n## *T*wo & \"more\"\n\n##### Five\n\n> #### Four\n\n![a](a.png)\n"), 0)
	for _, l := range d.Links() {
		l.Target, l.Picture = "/a.png", site.Picture{AVIF: "/a.avif", Set: "/a-1.png 1w"}
	}
	const self = ` <a class="anchor" href="#`
	for name, c := range map[string]struct {
		write           func(*bytes.Buffer) error
		links, pictures int
	}{"page": {d.WritePage, 2, 1}, "feed": {d.WriteFeed, 0, 0}, "neither": {d.WriteHTML, 0, 1}} {
		var out bytes.Buffer
		if err := c.write(&out); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if n := strings.Count(got, self); n != c.links {
			t.Errorf("%s: %d headings link to themselves, want %d:\n%s", name, n, c.links, got)
		}
		if n := strings.Count(got, "<picture>") + strings.Count(got, "<source "); n != 2*c.pictures {
			t.Errorf("%s: %d elements for other formats, want %d:\n%s", name, n, 2*c.pictures, got)
		}
		if !strings.Contains(got, `<img src="/a.png" alt="a" srcset="/a-1.png 1w">`) {
			t.Errorf("%s: no image in its own format:\n%s", name, got)
		}
	}
	var page bytes.Buffer
	if err := d.WritePage(&page); err != nil {
		t.Fatal(err)
	}
	const want = `<h2 id="two--more"><em>T</em>wo &amp; &quot;more&quot; <a class="anchor" href="#two--more" aria-label="Link to this section"></a></h2>`
	if !strings.Contains(page.String(), want) {
		t.Errorf("no %s in\n%s", want, page.String())
	}
}
