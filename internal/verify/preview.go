package verify

import (
	"context"
	"strings"
)

// previewMark is the start of robots.txt in a preview, a build for an address other than the site's own.
const previewMark = "# A preview of the site at an address other than its own"

// indexing checks that the site doesn't exclude itself from search engines. It finds previews that were deployed at an
// address other than the one they were built for, and hosts that add X-Robots-Tag. A preview at the address that it was
// built for is correct.
func (r *run) indexing(ctx context.Context) error {
	c := &Check{Name: "indexing", Proves: "search engines may index the site"}
	defer r.report.add(c)
	home, err := r.visitor.Ask(ctx, "HEAD", "/")
	if err != nil {
		f, err := unanswered(ctx, "HEAD /", err)
		c.Findings = []*Finding{f}
		return err
	}
	r.notice(home)
	robots := strings.ToLower(strings.Join(home.Header.Values("X-Robots-Tag"), ", "))
	if !strings.Contains(robots, "noindex") && !strings.Contains(robots, "none") {
		return nil
	}
	r.unindexed = true
	text, err := r.visitor.Ask(ctx, "GET", "/robots.txt")
	if err != nil {
		f, err := unanswered(ctx, "GET /robots.txt", err)
		c.Findings = []*Finding{f}
		return err
	}
	if strings.HasPrefix(string(text.Body), previewMark) {
		if r.tour.Base == r.visitor.URL() {
			c.Notes = append(c.Notes, "this is a preview of the site, which search engines must not index")
			return nil
		}
		c.find(Preview, "HEAD / header X-Robots-Tag", robots+"; robots.txt marks it as a preview for "+r.tour.Base, "no such header")
		return nil
	}
	c.find(NotIndexed, "HEAD / header X-Robots-Tag", robots, "no such header")
	return nil
}
