package render

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Prefer adds the usage preferences to every representation except errors, without modifying shared fields. Without
// preferences, the resources stay unchanged.
func TestPreferences(t *testing.T) {
	shared := make([]artifact.Field, 1, 8)
	shared[0] = field("Content-Type", media.HTML)
	resources := func() []artifact.Resource {
		return []artifact.Resource{
			{Path: "/a", Kind: artifact.KindPage, Variants: []artifact.Variant{{Fields: shared}, {Fields: []artifact.Field{field("Link", "</x>; rel=y")}}}},
			{Path: "/old", Kind: artifact.KindRedirect, Location: "/a"},
			{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{{Fields: shared}}},
		}
	}
	r := &Renderer{site: &site.Site{Config: site.Config{BaseURL: "https://acorn.example"}}}
	silent := resources()
	r.Prefer(silent)
	if len(silent[0].Variants[0].Fields) != 1 {
		t.Errorf("a site that says nothing sends %v", silent[0].Variants[0].Fields)
	}
	r.site.Config.Robots.ContentUsage = []site.Signal{{Name: "train-ai"}, {Name: "search", Allow: true}}
	said := resources()
	r.Prefer(said)
	want := field("Content-Usage", "train-ai=n, search=y")
	for _, v := range said[0].Variants {
		if !slices.Contains(v.Fields, want) {
			t.Errorf("a page has the fields %v", v.Fields)
		}
	}
	r.site.Config.License = "/license.xml"
	licensed := resources()
	r.Prefer(licensed)
	const link = `<https://acorn.example/license.xml>; rel="license"; type="application/rsl+xml"`
	for i, want := range []string{link, "</x>; rel=y, " + link} {
		if v := licensed[0].Variants[i]; !slices.Contains(v.Fields, field("Link", want)) {
			t.Errorf("a page with a license has the fields %v", v.Fields)
		}
	}
	if r.site.Config.License = "https://other.example/l.xml"; r.license() != "https://other.example/l.xml" {
		t.Errorf("the license of another site is at %s", r.license())
	}
	if slices.Contains(said[2].Variants[0].Fields, want) {
		t.Error("an error states a preference")
	}
	if len(shared[:2][1].Name) > 0 {
		t.Errorf("fields that others share were written to: %v", shared[:2])
	}
	if strings.Contains(r.usage(), "yes") {
		t.Error("the values are tokens of one letter")
	}
}
