//go:build proof

package render

import (
	"strings"
	"testing"

	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// A site of 50,000 pages has one sitemap. With 50,001 pages, it has an index with two sitemaps, and each page is in
// exactly one of them.
func TestSitemapIndex(t *testing.T) {
	t.Parallel()
	files := sitemapOf(t, sitemapURLs)
	if doc := readSitemap(t, files[plan.SitemapPath]); len(files) != 1 || len(doc.URLs) != sitemapURLs || doc.XMLName.Local != "urlset" {
		t.Errorf("%d files, %d URLs in a %s", len(files), len(doc.URLs), doc.XMLName.Local)
	}
	files = sitemapOf(t, sitemapURLs+1)
	index := readSitemap(t, files[plan.SitemapPath])
	if index.XMLName.Local != "sitemapindex" || len(index.Maps) != 2 || len(files) != 3 {
		t.Fatalf("%d sitemaps in a %s, and %d files", len(index.Maps), index.XMLName.Local, len(files))
	}
	seen := make(map[site.Ref]bool)
	for _, m := range index.Maps {
		doc := readSitemap(t, files[strings.TrimPrefix(string(m.Location), "https://parley.example")])
		if len(doc.URLs) > sitemapURLs || len(doc.URLs) == 0 {
			t.Errorf("%s has %d URLs", m.Location, len(doc.URLs))
		}
		for _, u := range doc.URLs {
			seen[u.Location] = true
		}
	}
	if len(seen) != sitemapURLs+1 {
		t.Errorf("%d pages are listed", len(seen))
	}
}
