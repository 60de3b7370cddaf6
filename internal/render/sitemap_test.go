package render

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"vitrine/internal/site"
)

type sitemapDocumentXML struct {
	XMLName xml.Name
	URLs    []sitemapEntry `xml:"url"`
	Maps    []sitemapEntry `xml:"sitemap"`
}

func readSitemap(t *testing.T, body []byte) sitemapDocumentXML {
	t.Helper()
	var doc sitemapDocumentXML
	if err := xml.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.XMLName.Space != sitemapNamespace {
		t.Errorf("the namespace is %q", doc.XMLName.Space)
	}
	return doc
}

// sitemapOf renders the sitemap of a site with count pages.
func sitemapOf(t *testing.T, count int) map[string][]byte {
	t.Helper()
	s := &site.Site{Config: site.Config{BaseURL: "https://parley.example"}}
	for i := range count {
		s.Pages = append(s.Pages, &site.Page{Path: fmt.Sprintf("/p%06d", i)})
	}
	r := &Renderer{shared: &shared{whole: s}, site: s, dates: Dates{Source: (*site.Page).Modified}}
	resources, err := r.sitemap()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, f := range resources {
		files[f.Path] = f.Variants[0].Body
	}
	return files
}

// All parts are within both limits, and no entry is missing.
func TestSitemapParts(t *testing.T) {
	var entries []sitemapEntry
	for i := range 100 {
		entries = append(entries, sitemapEntry{Location: site.Ref("https://parley.example/" + strings.Repeat("x", i))})
	}
	for _, c := range []struct{ urls, size int }{{100, 1 << 20}, {7, 1 << 20}, {100, 2000}, {3, 600}, {1, 1 << 20}} {
		parts, err := sitemapParts(entries, c.urls, c.size)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range parts {
			doc := readSitemap(t, p)
			if len(p) > c.size || len(doc.URLs) > c.urls {
				t.Errorf("%+v: a part has %d URLs and %d bytes", c, len(doc.URLs), len(p))
			}
			for _, u := range doc.URLs {
				if u.Location != entries[n].Location || u.Modified != entries[n].Modified {
					t.Fatalf("%+v: entry %d is %v", c, n, u)
				}
				n++
			}
		}
		if n != len(entries) {
			t.Errorf("%+v: %d entries", c, n)
		}
	}
	if parts, err := sitemapParts(nil, 10, 100); err != nil || len(parts) != 1 {
		t.Errorf("an empty site has %d sitemaps, %v", len(parts), err)
	}
}

// lastmod is the page's modification date, with the time of day only if it is known. It is absent if the date is
// unknown, and is never the date of the build.
func TestLastModified(t *testing.T) {
	berlin := time.FixedZone("", 2*60*60)
	for name, c := range map[string]struct {
		page site.Page
		git  time.Time
		want string
	}{
		"none":         {site.Page{}, time.Time{}, ""},
		"a date":       {site.Page{Date: time.Date(2026, 5, 12, 0, 0, 0, 0, berlin)}, time.Time{}, "2026-05-12"},
		"an update":    {site.Page{Date: now, Updated: time.Date(2026, 5, 15, 8, 30, 0, 0, berlin)}, time.Time{}, "2026-05-15T08:30:00+02:00"},
		"git's":        {site.Page{}, time.Date(2026, 4, 1, 9, 0, 0, 0, time.UTC), "2026-04-01T09:00:00Z"},
		"front matter": {site.Page{Date: time.Date(2026, 5, 12, 0, 0, 0, 0, berlin)}, now, "2026-05-12"},
	} {
		r := &Renderer{dates: Dates{Source: func(p *site.Page) time.Time {
			if own := p.Modified(); !own.IsZero() {
				return own
			}
			return c.git
		}}}
		if got := r.lastModified(&c.page); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
