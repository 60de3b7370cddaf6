package visit

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// site returns a handler that serves texts, keyed by path.
func site(texts map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Link", `</openapi.json>; rel="service-desc", </docs>; rel="service-doc", </c>; rel="api-catalog"`)
		fmt.Fprint(w, text)
	}
}

const xmlns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// Tour reads the discovery document, the sitemap or the sitemaps in an index, and llms.txt or its parts.
func TestTour(t *testing.T) {
	v := serve(t, site(map[string]string{
		"/api": `{"apiDescription":"https://x.example/openapi.json"}`,
		"/sitemap.xml": `<sitemapindex` + xmlns + `><sitemap><loc>https://x.example/sitemap-1.xml</loc></sitemap>` +
			`<sitemap><loc>https://x.example/sitemap-2.xml</loc></sitemap></sitemapindex>`,
		"/sitemap-1.xml":     `<urlset` + xmlns + `><url><loc>https://x.example</loc></url><url><loc>https://x.example/caf%C3%A9#a</loc></url></urlset>`,
		"/sitemap-2.xml":     `<urlset` + xmlns + `><url><loc>https://x.example/two</loc></url></urlset>`,
		"/llms.txt":          "- [Blog](https://x.example/blog/llms.txt)\n- [Blog, part 2](https://x.example/llms/blog/2.md)\n- [All](https://x.example/llms/blog-full.md)\n- [App](https://app.x.example/)\n",
		"/blog/llms.txt":     "- [Two](https://x.example/llms/blog/2.md)\n",
		"/llms/blog/2.md":    "- [One](https://x.example/blog/one.md)\n",
		"/llms/blog-full.md": "[no link of the index](https://x.example/prose)",
	}), Options{})
	tour, err := v.Tour(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/", "/caf%C3%A9", "/two"}; tour.Base != "https://x.example" || !slices.Equal(tour.Pages, want) {
		t.Errorf("learned %s with %v, want %v", tour.Base, tour.Pages, want)
	}
	if want := []string{"/blog/llms.txt", "/llms/blog/2.md", "/llms/blog-full.md", "/blog/one.md"}; !slices.Equal(tour.Texts, want) || tour.Elsewhere != 1 {
		t.Errorf("learned %v and %d elsewhere, want %v", tour.Texts, tour.Elsewhere, want)
	}
	if len(tour.Flaws) > 0 || tour.Unread > 0 {
		t.Errorf("%v, %d unread; want neither", tour.Flaws, tour.Unread)
	}
	if tour, err = v.Tour(t.Context(), 1); err != nil || tour.Unread != 1 || len(tour.Pages) != 2 {
		t.Errorf("with one sitemap: %v, %v", tour, err)
	}
}

// Missing parts of a site's description are reported, with the actual response.
func TestFlaws(t *testing.T) {
	for name, c := range map[string]struct {
		texts map[string]string
		base  string
		flaws []Flaw
	}{
		"no files": {nil, "", []Flaw{
			{true, "GET /api", "404 Not Found", "200 with the product information"},
			{false, "GET /sitemap.xml", "404 Not Found", "200 with the sitemap"},
			{false, "GET /llms.txt", "404 Not Found", "200"},
		}},
		"a page for every path": {map[string]string{"/api": "<p>", "/sitemap.xml": "<p>", "/llms.txt": "<p>"}, "", []Flaw{
			{true, "GET /api", "text/html; charset=utf-8 that is not a JSON object", "the product information as JSON"},
			{false, "GET /sitemap.xml", "not XML: XML syntax error on line 1: unexpected EOF", "a sitemap"},
		}},
		"no description": {map[string]string{"/api": `{"apiDescription":7}`, "/llms.txt": "",
			"/sitemap.xml": `<urlset` + xmlns + `><url><loc>https://y.example/a</loc></url><url><loc>https://z.example/</loc></url></urlset>`}, "https://y.example", []Flaw{
			{true, "GET /api", `apiDescription: ""`, "the absolute URL of /openapi.json"},
			{false, "GET /sitemap.xml", "https://z.example/", "only URLs on https://y.example"},
		}},
	} {
		v := serve(t, site(c.texts), Options{})
		tour, err := v.Tour(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tour.Flaws, c.flaws) {
			t.Errorf("%s: got %v, want %v", name, tour.Flaws, c.flaws)
		}
		if c.base == "" {
			c.base = v.URL()
		}
		if tour.Base != c.base {
			t.Errorf("%s: the base is %s, want %s", name, tour.Base, c.base)
		}
	}
}
