package config_test

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/contract"
	edgehosts "vitrine/internal/edge/hosts"
)

// behavior is a row of the capability table: a file of exchanges, or a proof
// of this package.
type behavior struct{ name, title string }

func behaviors() []behavior {
	return []behavior{
		{"operation.txt", "The JSON operation, its alias, its discovery"},
		{"query.txt", "Query parameters rejected on the operation"},
		{"methods.txt", "GET, HEAD, OPTIONS, CORS preflights; 405 for the rest"},
		{"accept.txt", "HTML or Markdown by `Accept`, q-values included"},
		{"pages.txt", "Pages, their `.md` URLs, their fields"},
		{"coding.txt", "gzip and brotli, each with its own ETag"},
		{"conditional.txt", "Strong ETags, `If-None-Match`, `If-Match`"},
		{"redirect.txt", "Redirects (308) that keep the query"},
		{"missing.txt", "404 in the negotiated type, problems under `/api`"},
		{"problems.txt", "Problems (RFC 9457)"},
		{"fields.txt", "Cache, CDN, and security fields on every response"},
		{"textfiles.txt", "llms.txt, sitemap, robots.txt, security.txt"},
		{"found.txt", "Feeds, structured data, search, links between representations"},
		{"discovery.txt", "OpenAPI document, API catalog"},
		{"build.txt", "The build's ID in responses"},
		{"protocol.txt", "Unusual requests, byte for byte"},
		{"framing.txt", "Malformed requests rejected with problems"},
		{"counters.txt", "The fields with the allowance"},
		{"allowance.txt", "The allowance: 429 when it is exhausted"},
		{mixes, "A cache keeps HTML and Markdown apart"},
		{replays, "Caches don't replay rate-limit counters"},
		{purges, "A deploy replaces cached responses"},
	}
}

// Proofs of this package.
const (
	mixes   = "mixes"
	replays = "replays"
	purges  = "purges"
)

// result is the suite's result for a host and a behavior.
type result struct {
	Level string `json:"level"`
	// Differences describe how an approximate behavior differs.
	Differences []string `json:"differences,omitempty"`
}

// outcome is the suite's result for a host.
type outcome struct {
	Target    string            `json:"target"`
	Title     string            `json:"title"`
	Behaviors map[string]result `json:"behaviors"`

	// Random are differences that only random requests show.
	Random []string `json:"random,omitempty"`

	exact, declared, unasked int
	undeclared               []error
}

// judge compares a report with the host's declarations: every failure must be declared, and every declared difference
// that the exchanges cover must occur.
func judge(h *edgehosts.Host, report *contract.Report) *outcome {
	o := &outcome{Target: h.Name, Title: h.Title, Behaviors: make(map[string]result)}
	seen := make(map[*edgehosts.Difference]bool)
	for _, f := range report.Files {
		exact, _, _ := f.Counts()
		o.exact += exact
		lacking, r := 0, result{Level: "exact"}
		for _, c := range f.Cases {
			for _, n := range c.NotApplicable {
				if !ofTheSite(n.Why) {
					lacking++
				}
			}
			o.unasked += len(c.NotApplicable)
			o.declared += c.Failed
			for _, failure := range c.Failures {
				d := h.Explains(failure)
				if d == nil && failure.Answered == "" {
					continue // a consequence of the previous failure in the same exchange
				}
				if d == nil {
					o.undeclared = append(o.undeclared, failure)
					continue
				}
				seen[d], r.Level = true, "approximate"
				if !slices.Contains(r.Differences, d.Why) {
					r.Differences = append(r.Differences, d.Why)
				}
			}
		}
		switch {
		case exact == 0 && lacking > 0:
			r.Level = "absent"
		case lacking > 0:
			r.Level = "approximate"
		}
		o.Behaviors[f.Name] = r
	}
	for _, d := range h.Differences {
		if d.Random {
			o.Random = append(o.Random, d.Why)
		} else if !seen[d] {
			o.undeclared = append(o.undeclared, fmt.Errorf("%s declares that %s, and no exchange shows it", h.Name, d.Why))
		}
	}
	return o
}

// ofTheSite reports whether an exchange was skipped because of the sample site, regardless of the
// server.
func ofTheSite(why string) bool {
	for _, choice := range contract.Choices() {
		if strings.HasSuffix(why, string(choice)) {
			return true
		}
	}
	// A host that serves files has no state to reset.
	return strings.HasPrefix(why, "the site has no")
}
