package visit

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Seen is what all answers of a visit showed.
type Seen struct {
	// Cookies and Hidden are answers with Set-Cookie, and with a noindex in X-Robots-Tag; few of each.
	Cookies, Hidden []Mark
	// Median and Slowest are times to the first byte, and SlowestRequest is what took longest.
	Median, Slowest time.Duration
	SlowestRequest  string
}

// Mark is a field of an answer.
type Mark struct{ Request, Value string }

// mostMarks is how many answers with a mark are kept.
const mostMarks = 20

// note remembers what an answer shows.
func (v *Visitor) note(r *http.Request, h http.Header, took time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	request := r.Method + " " + v.mount.Local(r.URL.RequestURI())
	if value := h.Get("Set-Cookie"); value != "" && len(v.seen.Cookies) < mostMarks {
		name, _, _ := strings.Cut(value, "=")
		v.seen.Cookies = append(v.seen.Cookies, Mark{request, "Set-Cookie: " + name + "=…"})
	}
	value := strings.Join(h.Values("X-Robots-Tag"), ", ")
	if hidden := (Mark{request, value}); (strings.Contains(value, "noindex") || strings.Contains(value, "none")) &&
		strings.HasPrefix(h.Get("Content-Type"), "text/html") && len(v.seen.Hidden) < mostMarks && !slices.Contains(v.seen.Hidden, hidden) {
		v.seen.Hidden = append(v.seen.Hidden, hidden)
	}
	v.times = append(v.times, took)
	if took > v.seen.Slowest {
		v.seen.Slowest, v.seen.SlowestRequest = took, request
	}
}

// Seen returns what the answers have shown so far.
func (v *Visitor) Seen() Seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	seen := v.seen
	if times := slices.Sorted(slices.Values(v.times)); len(times) > 0 {
		seen.Median = times[len(times)/2]
	}
	return seen
}
