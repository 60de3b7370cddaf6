package verify

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/contract"
)

//go:embed probes/*.txt
var exchanges embed.FS

// A probe is a check that plays the exchanges in the file name + ".txt".
type probe struct {
	name, proves string
}

// probes returns the checks of every run in order. The order matters, because a cached response is detected most
// reliably before the run has sent many other requests.
func probes() []probe {
	return []probe{
		{"mixing", "no cache mixes a page's HTML and its Markdown"},
		{"vary", "every representation names the fields it depends on"},
		{"compression", "compression keeps validators, and nothing rewrites bytes"},
		{"conditional", "a client with the current representation gets 304"},
		{"head", "HEAD returns the header fields of GET"},
		{"redirects", "old addresses are redirected with 308"},
		{"errors", "errors have their status and type, and no cache stores them"},
		{"headers", "every response has its security headers, and pages link to their Markdown"},
		{"files", "public files have their content types"},
		{"operation", "the JSON API keeps its contract"},
	}
}

// probes plays the exchanges of each probe and adds the results to the report.
func (r *run) probes(ctx context.Context) error {
	var files []*contract.File
	wanted := probes()
	if slices.Contains(r.chosen, contract.Agents) {
		wanted = append(wanted, probe{"agents", "known agents get Markdown, browsers get HTML, and caches keep the two apart"})
	}
	if len(r.tour.Translated) > 0 {
		wanted = append(wanted, probe{"languages", "every page names its language and its translations"})
	}
	for _, p := range wanted {
		name := p.name + ".txt"
		source, err := exchanges.ReadFile("probes/" + name)
		if err != nil {
			return err
		}
		f, err := contract.Parse(name, source)
		if err != nil {
			return fmt.Errorf("reading the exchanges: %w", err)
		}
		files = append(files, f)
	}
	played, err := contract.PlayFiles(ctx, r.target(), files)
	if err != nil {
		return err
	}
	for i, p := range wanted {
		r.report.add(r.checkOf(p, played.Files[i]))
	}
	return nil
}

// target returns the site and its settings in the form that contract.PlayFiles requires.
func (r *run) target() contract.Target {
	values := r.values()
	r.set(values)
	return contract.Target{
		URL: r.visitor.URL(), Base: r.tour.Base, Values: values,
		Transport: r.visitor, Timeout: r.options.Timeout, Sleep: r.visitor.Wait,
	}
}

// checkOf converts the result of a file of exchanges to a check. Documented differences of the host become notes.
func (r *run) checkOf(p probe, played *contract.FileReport) *Check {
	c := &Check{Name: p.name, Proves: p.proves}
	exact, _, not := played.Counts()
	for _, outcome := range played.Cases {
		declared := ""
		for _, f := range outcome.Failures {
			if f.Answered == "" && f.Sent == declared {
				continue // a consequence of an earlier declared difference in the same response
			}
			if f.Want == "" && strings.Contains(f.Got, "has no value") {
				continue // a consequence of an earlier failure
			}
			if d := r.host.Explains(f); d != nil {
				declared = f.Sent
				if note := "as documented for " + r.host.Title + ": " + d.Why; !slices.Contains(c.Notes, note) {
					c.Notes = append(c.Notes, note)
				}
				continue
			}
			c.Findings = append(c.Findings, &Finding{
				Symptom: symptomOf(p.name, f, r.visitor.Mount()), Check: f.Check, Got: f.Got, Want: f.Want, Sent: f.Sent, Answered: f.Answered,
			})
		}
		for _, n := range outcome.NotApplicable {
			if note := outcome.Title + ": " + n.Why; len(c.Notes) == 0 || c.Notes[len(c.Notes)-1] != note {
				c.Notes = append(c.Notes, note)
			}
		}
	}
	if exact == 0 && not > 0 && len(c.Findings) == 0 {
		c.Why, c.Notes = c.Notes[0], nil
	}
	return c
}
