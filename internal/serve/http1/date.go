package http1

import (
	"net/http"
	"sync/atomic"
	"time"
)

// date keeps the Date line of the current second (RFC 9110 §6.6.1), so that it
// is formatted once a second and not once an answer. It is safe for concurrent
// use; the zero date is ready.
type date struct {
	current atomic.Pointer[dateLine]
}

type dateLine struct {
	second int64
	line   string
}

// at returns the Date line of a moment, CR LF included.
func (d *date) at(now time.Time) string {
	second := now.Unix()
	if l := d.current.Load(); l != nil && l.second == second {
		return l.line
	}
	l := &dateLine{second: second, line: "Date: " + now.UTC().Format(http.TimeFormat) + "\r\n"}
	d.current.Store(l)
	return l.line
}
