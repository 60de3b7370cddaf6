package verify

import (
	"encoding/json"
	"io"

	"vitrine/internal/verify/visit"
)

// Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// Report is what a run found.
type Report struct {
	// URL is what was asked, Base the address that the site has in its links.
	URL  string `json:"url"`
	Base string `json:"base"`
	// Build identifies the build that the site was compared with.
	Build    string `json:"build,omitempty"`
	Thorough bool   `json:"thorough"`
	// Hosts are those whose marks the answers bear.
	Hosts []visit.Host `json:"hosts,omitempty"`
	// Host is what the site was verified as: the name that --host takes.
	Host   string   `json:"host"`
	Checks []*Check `json:"checks"`
	// Requests were sent in all, Counted of them count toward the allowance.
	Requests int `json:"requests"`
	Counted  int `json:"counted"`
}

// Check is one promise, and whether it is kept.
type Check struct {
	Name    string  `json:"name"`
	Proves  string  `json:"proves"`
	Outcome Outcome `json:"outcome"`
	// Why says why a check was skipped.
	Why string `json:"why,omitempty"`
	// Notes say what the check left out or noticed.
	Notes    []string   `json:"notes,omitempty"`
	Findings []*Finding `json:"findings,omitempty"`
	// Hints say what to do about the findings, Traits what is known of the host.
	Hints  []string `json:"hints,omitempty"`
	Traits []string `json:"traits,omitempty"`
}

// Finding is one answer that is not what it should be.
type Finding struct {
	// Symptom names what is wrong: see symptoms.
	Symptom Symptom `json:"symptom"`
	// Check is what did not hold, Got and Want what came and was wanted.
	Check string `json:"check"`
	Got   string `json:"got"`
	Want  string `json:"want,omitempty"`
	// Sent is the request, Answered the answer to it.
	Sent     string `json:"sent,omitempty"`
	Answered string `json:"answered,omitempty"`
}

// find adds a finding.
func (c *Check) find(symptom Symptom, check, got, want string) {
	c.Findings = append(c.Findings, &Finding{Symptom: symptom, Check: check, Got: got, Want: want})
}

// add adds a check, whose outcome follows from its findings unless it was
// skipped.
func (r *Report) add(c *Check) {
	switch {
	case len(c.Findings) > 0:
		c.Outcome = Failed
	case c.Why != "":
		c.Outcome = Skipped
	default:
		c.Outcome = OK
	}
	r.Checks = append(r.Checks, c)
}

// Count returns how many checks had an outcome.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, c := range r.Checks {
		if c.Outcome == o {
			n++
		}
	}
	return n
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
