package visit

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Seen summarizes all responses of a visit.
type Seen struct {
	// Cookies lists responses with Set-Cookie. Hidden lists HTML responses with noindex or none in X-Robots-Tag. Each
	// contains at most mostMarks responses.
	Cookies, Hidden []Mark
	// Median and Slowest are the median and the longest time from a request to the header section of its response.
	Median, Slowest time.Duration
	// SlowestRequest is the method and path of the slowest request.
	SlowestRequest string
}

// Mark is a request, and the value of a header field in the response.
type Mark struct{ Request, Value string }

// mostMarks is the maximum number of responses in Seen.Cookies, and also in Seen.Hidden.
const mostMarks = 20

// note records a response.
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

// Seen returns the summary of the responses received so far.
func (v *Visitor) Seen() Seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	seen := v.seen
	if times := slices.Sorted(slices.Values(v.times)); len(times) > 0 {
		seen.Median = times[len(times)/2]
	}
	return seen
}
