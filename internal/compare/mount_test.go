package compare

import (
	"slices"
	"strings"
	"testing"
)

// For a site with a base path, the purge list contains complete paths, and the base path itself, which redirects to the
// home page.
func TestPurgeUnderPath(t *testing.T) {
	page := func(path, hash string) Resource {
		html := Variant{Type: "text/html; charset=utf-8", Cache: "public", Hash: hash}
		return Resource{Path: path, Variants: []Variant{html, {Type: "text/markdown; charset=utf-8", Cache: "public", Hash: hash}}}
	}
	state := func(base string, resources ...Resource) *Snapshot {
		s := &Snapshot{Format: format, Base: base, Resources: resources}
		s.sort()
		return s
	}
	const base = "https://user.example/acorn.v1"
	d := Between(state(base, page("/", "1"), page("/pricing", "1")), state(base, page("/", "1"), page("/pricing", "2")))
	if !slices.Equal(d.Purge, []string{"/pricing"}) {
		t.Errorf("the list is %q", d.Purge)
	}
	for host, want := range map[string]string{
		"cloudfront": "/acorn.v1/pricing\n", "fastly": base + "/pricing\n",
		"varnish":    `ban req.url ~ "^/acorn\\.v1/pricing([?]|$)"` + "\n",
		"cloudflare": `{"files":["` + base + `/pricing"]}` + "\n",
	} {
		var out strings.Builder
		if err := d.WritePurge(&out, host); err != nil || out.String() != want {
			t.Errorf("for %s: %q, %v; want %q", host, out.String(), err, want)
		}
	}
	gone := Between(state(base, page("/", "1")), state(base))
	if !slices.Contains(gone.Purge, "") {
		t.Errorf("without a home page, the base path's response changes too; the list is %q", gone.Purge)
	}
	atRoot := Between(state("https://user.example", page("/", "1")), state("https://user.example"))
	if slices.Contains(atRoot.Purge, "") {
		t.Errorf("at the root, there is no base path; the list is %q", atRoot.Purge)
	}
}
