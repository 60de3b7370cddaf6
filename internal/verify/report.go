package verify

import (
	"encoding/json"
	"io"

	"vitrine/internal/verify/visit"
)

// Outcome is the result of a check.
type Outcome string

// The possible outcomes of a check.
const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// Report is the result of a run.
type Report struct {
	// URL is the requested address.
	URL string `json:"url"`
	// Base is the base URL in the site's links; see visit.Tour.
	Base string `json:"base"`
	// Build is the name of the build with which the site was compared, or "" if no build was specified.
	Build    string `json:"build,omitempty"`
	Thorough bool   `json:"thorough"`
	// Hosts lists the hosts that the responses' header fields identify.
	Hosts []visit.Host `json:"hosts,omitempty"`
	// Host is the name of the host for which the site was verified: the value of --host, or the detected host.
	Host   string   `json:"host"`
	Checks []*Check `json:"checks"`
	// Requests is the total number of requests that the run sent.
	Requests int `json:"requests"`
	// Counted is the number of these requests that count toward the allowance.
	Counted int `json:"counted"`
}

// Check is the result of checking one requirement.
type Check struct {
	Name    string  `json:"name"`
	Proves  string  `json:"proves"`
	Outcome Outcome `json:"outcome"`
	// Why is the reason for skipping the check, or "" if the check wasn't skipped.
	Why string `json:"why,omitempty"`
	// Notes lists observations that aren't findings, and anything that the check left out.
	Notes    []string   `json:"notes,omitempty"`
	Findings []*Finding `json:"findings,omitempty"`
	// Hints lists solutions for the findings.
	Hints []string `json:"hints,omitempty"`
	// Traits lists known causes of the findings on the detected hosts.
	Traits []string `json:"traits,omitempty"`
}

// Finding is an incorrect response.
type Finding struct {
	// Symptom is the kind of problem.
	Symptom Symptom `json:"symptom"`
	// Check is the failed line of an exchange, or a similar description of the failed check.
	Check string `json:"check"`
	// Got is the actual value.
	Got string `json:"got"`
	// Want is the expected value, or "" if the exchange failed for another reason, which Got describes.
	Want string `json:"want,omitempty"`
	// Sent is the request, or "" if the check didn't record it.
	Sent string `json:"sent,omitempty"`
	// Answered is the response, or "" if the check didn't record it.
	Answered string `json:"answered,omitempty"`
}

// find adds a finding to the check. The arguments are the fields of Finding with the same names.
func (c *Check) find(symptom Symptom, check, got, want string) {
	c.Findings = append(c.Findings, &Finding{Symptom: symptom, Check: check, Got: got, Want: want})
}

// add adds a check, and sets its outcome according to its findings and its reason for being skipped.
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

// Count returns the number of checks with outcome o.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, c := range r.Checks {
		if c.Outcome == o {
			n++
		}
	}
	return n
}

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
