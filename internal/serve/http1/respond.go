package http1

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"vitrine/internal/serve/decide"
)

// statusLines has the status lines of all codes from 200 to 599 with a name. The index is the code minus 200.
var statusLines = makeStatusLines()

func makeStatusLines() [400]string {
	var lines [400]string
	for i := range lines {
		if text := http.StatusText(200 + i); text != "" {
			lines[i] = "HTTP/1.1 " + strconv.Itoa(200+i) + " " + text + "\r\n"
		}
	}
	return lines
}

// appendHead appends the header section of a response: the status line, the Date line, the lines of
// every response, the prepared fields, the fields known only now, and the empty line.
func appendHead(dst []byte, a *decide.Answer, date string, lines []byte, last bool) []byte {
	dst = append(dst, statusLines[a.Status-200]...)
	dst = append(dst, date...)
	dst = append(dst, lines...)
	dst = a.Header.AppendLines(dst)
	if a.Location != "" {
		dst = append(dst, "Location: "...)
		dst = append(dst, a.Location...)
		dst = append(dst, "\r\n"...)
	}
	dst = decide.AppendRateLimitLines(dst, a.Grant)
	if last {
		dst = append(dst, "Connection: close\r\n"...)
	}
	return append(dst, "\r\n"...)
}

// date caches the Date line of the current second (RFC 9110 §6.6.1), so that it is formatted once
// per second and not for every response. It is safe for concurrent use. The zero date is ready to
// use.
type date struct {
	current atomic.Pointer[dateLine]
}

type dateLine struct {
	second int64
	line   string
}

// at returns the Date line for now, including CR LF.
func (d *date) at(now time.Time) string {
	second := now.Unix()
	if l := d.current.Load(); l != nil && l.second == second {
		return l.line
	}
	l := &dateLine{second: second, line: "Date: " + now.UTC().Format(http.TimeFormat) + "\r\n"}
	d.current.Store(l)
	return l.line
}
