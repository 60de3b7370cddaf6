package config_test

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/contract"
)

// behaviour is a row of the capability table: a file of exchanges, or a proof
// of this package.
type behaviour struct{ name, title string }

func behaviours() []behaviour {
	return []behaviour{
		{"operation.txt", "The JSON operation, its alias, its discovery"},
		{"query.txt", "Query parameters refused on the operation"},
		{"methods.txt", "GET, HEAD, OPTIONS, CORS preflights; 405 for the rest"},
		{"accept.txt", "HTML or Markdown by `Accept`, q-values included"},
		{"pages.txt", "Pages, their `.md` URLs, their fields"},
		{"coding.txt", "gzip and brotli, each with its own ETag"},
		{"conditional.txt", "Strong ETags, `If-None-Match`, `If-Match`"},
		{"redirect.txt", "Redirects (308) that keep the query"},
		{"missing.txt", "404 in the negotiated type, problems below `/api`"},
		{"problems.txt", "Problems (RFC 9457)"},
		{"fields.txt", "Cache, CDN and security fields on every answer"},
		{"texts.txt", "llms.txt, sitemap, robots.txt, security.txt"},
		{"found.txt", "Feeds, structured data, search, links between representations"},
		{"discovery.txt", "OpenAPI document, API catalog"},
		{"protocol.txt", "Odd requests, byte for byte"},
		{"framing.txt", "Malformed requests refused with problems"},
		{"counters.txt", "The fields that tell the allowance"},
		{"allowance.txt", "The allowance: 429 when it is exhausted"},
		{mixes, "A cache keeps HTML and Markdown apart"},
		{replays, "No counter is replayed"},
		{purges, "A deploy replaces what is kept"},
	}
}

// Proofs of this package.
const (
	mixes   = "mixes"
	replays = "replays"
	purges  = "purges"
)

// result is what the suite found of a host and a behaviour.
type result struct {
	Level string `json:"level"`
	// Differences say what an approximate behaviour does otherwise.
	Differences []string `json:"differences,omitempty"`
}

// outcome is what the suite found of a host.
type outcome struct {
	Target     string            `json:"target"`
	Title      string            `json:"title"`
	Behaviours map[string]result `json:"behaviours"`

	exact, declared, unasked int
	undeclared               []error
}

// judge holds a report against what the host declares.
func judge(h host, report *contract.Report) *outcome {
	o := &outcome{Target: h.name, Title: h.title, Behaviours: make(map[string]result)}
	open := declared(h.name)
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
			if why := o.judgeCase(c, &open); why != "" {
				r.Level = "approximate"
				r.Differences = append(r.Differences, why)
			}
		}
		switch {
		case exact == 0 && lacking > 0:
			r.Level = "absent"
		case lacking > 0:
			r.Level = "approximate"
		}
		o.Behaviours[f.Name] = r
	}
	for _, d := range open {
		o.undeclared = append(o.undeclared, fmt.Errorf("%s declares a difference in %s: %s, and there is none", h.name, d.File, d.Case))
	}
	return o
}

// judgeCase finds the declaration of a case that failed, takes it off the list,
// and returns its reason. A failure that is not declared just so is an error.
func (o *outcome) judgeCase(c *contract.CaseReport, open *[]difference) string {
	if c.Failed == 0 {
		return ""
	}
	var instead []string
	for _, f := range c.Failures {
		if f.Answered != "" {
			instead = append(instead, f.Check+" → "+f.Got)
		}
	}
	i := slices.IndexFunc(*open, func(d difference) bool { return d.File == c.File && d.Case == c.Title })
	if i < 0 || !slices.Equal((*open)[i].Instead, instead) || len(instead) != c.Failed {
		for _, f := range c.Failures {
			o.undeclared = append(o.undeclared, f)
		}
		return ""
	}
	why := (*open)[i].Why
	*open = slices.Delete(*open, i, i+1)
	o.declared += c.Failed
	return why
}

// ofTheSite reports whether an exchange was not asked because of what the
// sample site is, whoever serves it.
func ofTheSite(why string) bool {
	for _, choice := range []contract.Capability{
		contract.Retirement, contract.Sunset, contract.NoindexMarkdown, contract.ContentSignal, contract.SecurityContact,
	} {
		if strings.HasSuffix(why, string(choice)) {
			return true
		}
	}
	// A host that serves files has nothing to be fresh.
	return strings.HasPrefix(why, "the site has no")
}
