package http1

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// statusLines contains the status line of each code from 200 to 599, or "" for a code without a name. The index is the
// code minus 200.
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

// appendHead appends the header section of a response: the status line, the Date line, the fields common to all
// responses, the prepared fields, the fields that depend on the request, and the empty line.
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

// respond appends a response to the output and writes the output if the body doesn't fit.
func (c *conn) respond(a *decide.Answer, last bool) error {
	w, s := c.work, c.server
	if len(w.out) > outSize/2 {
		if err := c.flush(nil, nil); err != nil {
			return err
		}
	}
	w.out = appendHead(w.out, a, s.date.at(c.now), s.lines, last)
	if len(a.Body) <= cap(w.out)-len(w.out) {
		w.out = append(w.out, a.Body...)
		return nil
	}
	return c.flush(a.Body, a.Shelf)
}

// flush writes the output, followed by body. shelf is the shelf that may contain body, or nil.
func (c *conn) flush(body []byte, shelf *decide.Shelf) error {
	w := c.work
	if len(w.out) == 0 {
		return nil
	}
	var err error
	if c.secure != nil {
		err = c.seal(body)
	} else if head, body, failure := c.tryWrite(w.out, body, shelf); failure != nil || len(head)+len(body) > 0 {
		if err = failure; err == nil {
			err = c.write(head, body)
		}
	}
	w.out = w.out[:0]
	if w.start < w.end {
		c.now = time.Now() // writing may have taken a long time
	}
	if err != nil {
		c.server.log.LogAttrs(context.Background(), slog.LevelDebug, "a client did not read its response", slog.Any("error", err))
	}
	return err
}

// seal writes the output, followed by body, in TLS records of the maximum size. It copies only the part of body that
// fills the first record.
func (c *conn) seal(body []byte) error {
	w := c.work
	filled := copy(w.out[len(w.out):cap(w.out)], body)
	_, err := c.secure.Write(w.out[:len(w.out)+filled])
	if err == nil && filled < len(body) {
		_, err = c.secure.Write(body[filled:])
	}
	return err
}

// write writes all of head and body, waiting for the client if necessary, but only until the write timeout.
func (c *conn) write(head, body []byte) error {
	c.limitWrite()
	c.account.Writing(true, true)
	defer c.account.Writing(false, false)
	if len(body) == 0 {
		// Not every connection ignores an empty write.
		_, err := c.wire.Stream.Write(head)
		return err
	}
	w, step := c.work, min(len(body), serve.WriteStep)
	w.vector = [2][]byte{head, body[:step]}
	w.buffers = w.vector[:]
	_, err := w.buffers.WriteTo(c.wire.Stream)
	w.vector = [2][]byte{}
	for body = body[step:]; err == nil && len(body) > 0; body = body[step:] {
		c.account.Wrote()
		step = min(len(body), serve.WriteStep)
		_, err = c.wire.Stream.Write(body[:step])
	}
	return err
}

// date caches the Date line of the current second (RFC 9110 §6.6.1), so that it is formatted once per second instead of
// for every response. It is safe for concurrent use. The zero date is ready to use.
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
