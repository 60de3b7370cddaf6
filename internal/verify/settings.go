package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
	"vitrine/internal/lazyregexp"
)

// settings contains the settings of the site and its server that determine the expected responses.
type settings struct {
	// limit and window are the allowance in requests and seconds, or 0 if no response contains them.
	limit, window int
	// off reports whether the server has turned the allowance off. declared reports whether the server announced its
	// own allowance instead of using the build's.
	off, declared bool
}

// policy matches the limit and the window in RateLimit-Policy.
var policy = lazyregexp.New(`;q=([0-9]+);w=([0-9]+)`)

// Limits for checking an allowance. leastWindow, in seconds, and leastLimit, in requests, describe the smallest
// allowance whose counters a run can check one by one. A shorter window would end during a file of exchanges, and the
// file would use up a lower limit. mostRate is the maximum number of requests a second that a run sends to use up an
// allowance within one window.
const (
	leastWindow = 20
	leastLimit  = 60
	mostRate    = 20
)

// settle reads the server's settings. The response at artifact.BuildPath shows whether the server has its own
// allowance, or none. The JSON API's response contains the limit and the window.
func (r *run) settle(ctx context.Context) error {
	a, err := r.visitor.Ask(ctx, http.MethodGet, artifact.BuildPath)
	if err != nil {
		return err
	}
	var named struct{ Allowance string }
	if err := json.Unmarshal(a.Body, &named); a.Status == http.StatusOK && err == nil && named.Allowance != "" {
		r.settings.declared, r.settings.off = true, named.Allowance == "0"
	}
	m := policy.FindStringSubmatch(r.tour.Operation.Header.Get(artifact.FieldRateLimitPolicy))
	if m == nil {
		return nil
	}
	limit, tooLong := strconv.Atoi(m[1])
	window, tooWide := strconv.Atoi(m[2])
	if tooLong == nil && tooWide == nil {
		r.settings.limit, r.settings.window = limit, window
	}
	return nil
}

// counts reports whether the site counts requests.
func (r *run) counts() bool { return r.host.Counts() && !r.settings.off }

// countable reports whether a run can check the counters one by one.
func (s settings) countable() bool {
	return !s.off && (s.limit == 0 || s.limit >= leastLimit && s.window >= leastWindow)
}

// omits returns the reason why a thorough run skips a file of exchanges, or "" if the run plays the file. counted is
// the number of the file's requests that count toward the allowance.
func (s settings) omits(name string, counted int) string {
	switch {
	case s.limit > 0 && counted > s.limit:
		return fmt.Sprintf("the allowance is %d/%ds, but the exchanges need %d requests", s.limit, s.window, counted)
	case name != "counters" && name != "allowance":
		return ""
	case s.off:
		return "the server's allowance is off"
	case !s.countable():
		return fmt.Sprintf("the allowance is %d/%ds; checking the counters one by one requires at least %d/%ds", s.limit, s.window, leastLimit, leastWindow)
	case name == "allowance" && s.limit > mostRate*s.window:
		return fmt.Sprintf("the allowance is %d/%ds; using it up would take more than %d requests a second", s.limit, s.window, mostRate)
	}
	return ""
}

// set adds the settings to values, the values of the variables in the exchanges.
func (r *run) set(values map[string]string) {
	if r.settings.limit > 0 {
		values["LIMIT"], values["WINDOW"] = strconv.Itoa(r.settings.limit), strconv.Itoa(r.settings.window)
	}
	if slices.Contains(r.chosen, contract.Agents) {
		values["PAGEVARY"] = "Accept, Accept-Encoding, User-Agent"
	}
}
