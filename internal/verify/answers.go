package verify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/edge/platform"
	"vitrine/internal/verify/visit"
)

// Limits for response times. The limits are far above the usual response times of any host, so that a busy network
// doesn't cause findings.
const (
	// slow is the maximum response time.
	slow = 3 * time.Second
	// typical is the maximum median response time.
	typical = time.Second
)

// everyAnswer checks the properties that all responses in the run must have.
func (r *run) everyAnswer(context.Context) error {
	c := &Check{Name: "answers", Proves: "no response sets a cookie, hides a page from search engines, or is slow"}
	defer r.report.add(c)
	seen := r.visitor.Seen()
	for _, a := range seen.Cookies {
		c.find(Cookie, a.Request+" no header Set-Cookie", a.Value, "no such header")
	}
	for _, a := range seen.Hidden {
		// A page in the sitemap must not be noindex. Other pages and Markdown may be noindex, if the site's settings
		// say so.
		_, path, _ := strings.Cut(a.Request, " ")
		if !r.unindexed && slices.Contains(r.tour.Pages, path) {
			c.find(Hidden, a.Request+" no header X-Robots-Tag", a.Value, "no noindex on a page that the sitemap lists")
		}
	}
	if seen.Slowest > slow {
		c.find(Slow, seen.SlowestRequest, "a response after "+seen.Slowest.Round(10*time.Millisecond).String(), fmt.Sprintf("a response within %s", slow))
	}
	if seen.Median > typical {
		c.find(Slow, "half of the requests", "a response after "+seen.Median.Round(10*time.Millisecond).String()+" or more", fmt.Sprintf("a response within %s", typical))
	}
	c.Notes = append(c.Notes, fmt.Sprintf("half of the responses took at most %s, and the slowest took %s (%s)",
		seen.Median.Round(100*time.Microsecond), seen.Slowest.Round(100*time.Microsecond), seen.SlowestRequest))
	return nil
}

// recognize detects the host if the user didn't set one. It considers the header fields of the responses, whether the
// host counts requests, and how the host rejects an invalid path. Without any evidence, it assumes vitrined, which has
// no documented differences from the contract.
func (r *run) recognize(ctx context.Context) error {
	if r.options.Host != nil {
		r.host = r.options.Host
		return nil
	}
	a, err := r.visitor.Ask(ctx, "HEAD", artifact.OperationPath)
	if err != nil {
		return err
	}
	counts := r.settings.declared || slices.ContainsFunc(counters(), func(name string) bool { return a.Header.Get(name) != "" })
	known := r.visitor.Hosts()
	for _, p := range platform.All() {
		if slices.Contains(known, visit.Host(p.Title)) {
			r.host = hosts.ByName(p.Name)
			return nil
		}
	}
	name := "vitrined"
	switch {
	case slices.Contains(known, visit.Varnish):
		name = "varnish"
	case slices.Contains(known, visit.Nginx) && counts:
		name = "nginx"
	case slices.Contains(known, visit.Nginx):
		name = "nginx-files"
	default:
		caddy, err := r.refusesLikeGo(ctx)
		if err != nil {
			return err
		}
		switch {
		case (caddy || slices.Contains(known, visit.Caddy)) && counts:
			name = "caddy"
		case caddy || slices.Contains(known, visit.Caddy):
			name = "caddy-files"
		}
	}
	r.host = hosts.ByName(name)
	return nil
}

// refusesLikeGo reports whether the host rejects a path with an invalid escape the way Go's parser, and therefore
// Caddy, does. vitrined responds to such a path with 404.
func (r *run) refusesLikeGo(ctx context.Context) (bool, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.visitor.URL(), http.NoBody)
	if err != nil {
		return false, err
	}
	request.URL = &url.URL{Scheme: request.URL.Scheme, Host: request.URL.Host, Opaque: "/%zz"}
	response, err := r.visitor.RoundTrip(request)
	if err != nil {
		return false, ctx.Err() // a host that can't respond to this is not Caddy
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusBadRequest && strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") &&
		response.Header.Get("X-Content-Type-Options") == "", nil
}
