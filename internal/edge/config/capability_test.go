package config_test

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/contract"
	edgehosts "vitrine/internal/edge/hosts"
)

// behaviors returns the rows of the table: the rows that all tables share, and the proofs of this package.
func behaviors() []edgehosts.Behavior {
	return append(edgehosts.Behaviors(),
		edgehosts.Behavior{File: mixes, Title: "Separate caching of HTML and Markdown"},
		edgehosts.Behavior{File: replays, Title: "No rate-limit fields from the cache"},
		edgehosts.Behavior{File: purges, Title: "No responses from the previous build after a deploy"},
	)
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

	// Random lists differences that only random requests show.
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

// ofTheSite reports whether an exchange was skipped because the sample site lacks something that the exchange needs,
// and not because of the server.
func ofTheSite(why string) bool {
	for _, choice := range contract.Choices() {
		if strings.HasSuffix(why, string(choice)) {
			return true
		}
	}
	// The sample site doesn't have every value that exchanges may need.
	return strings.HasPrefix(why, "the site has no")
}
