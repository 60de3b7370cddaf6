package verify

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"vitrine/internal/artifact"
)

// sitemaps is the maximum number of parts that a quick run reads, both of a sitemap index and of a split llms.txt.
const sitemaps = 5

// discovery reads the discovery document, the sitemap, and llms.txt, from which the other checks derive their requests.
func (r *run) discovery(ctx context.Context) error {
	c := &Check{Name: "discovery", Proves: "the site identifies itself and names its descriptions"}
	most := sitemaps
	if r.options.Thorough {
		most = 0
	}
	var err error
	if r.tour, err = r.visitor.Tour(ctx, most); err != nil {
		return err
	}
	for _, f := range r.tour.Flaws {
		symptom := DeadLink
		if f.Discovery {
			symptom = NoDiscovery
		}
		if s := refusal(f.Got); s != "" {
			symptom = s
		}
		c.find(symptom, f.Check, f.Got, f.Want)
	}
	if r.tour.Unread > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d sitemaps in the index were not read; --thorough reads them all", r.tour.Unread))
	}
	r.report.Base = r.tour.Base
	r.report.add(c)
	return nil
}

// values returns the values of the variables in the exchanges: the paths PAGE and ARTICLE from the sitemap and, if a
// build is known, the redirect from ALIAS to ALIASED.
func (r *run) values() map[string]string {
	values := map[string]string{}
	for _, path := range r.tour.Pages {
		switch {
		case path == "/" || path == "/blog" || r.tour.Translated[path]:
		case strings.HasPrefix(path, "/blog/") && values["ARTICLE"] == "":
			values["ARTICLE"] = path
		case !strings.HasPrefix(path, "/blog/") && values["PAGE"] == "":
			values["PAGE"] = path
		}
	}
	if values["PAGE"] == "" && values["ARTICLE"] != "" {
		values["PAGE"] = values["ARTICLE"]
	}
	if r.options.Build == nil {
		return values
	}
	for route := range r.options.Build.Manifest.Routes() {
		if route.Kind() == artifact.KindRedirect && strings.HasPrefix(route.Location(), "/") {
			values["ALIAS"], values["ALIASED"] = escaped(route.Path()), route.Target()
			break
		}
	}
	return values
}

// escaped returns path, percent-encoded for a request target.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }
