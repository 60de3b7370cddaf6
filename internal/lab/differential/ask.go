package differential

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/artifact"
)

// answer contains the parts of a response that differences compares.
type answer struct {
	status string
	header http.Header
	// body is the hash of the body.
	body uint64
	// length is the size of the body in bytes.
	length int
	// head is true for the response to a HEAD request.
	head bool
}

// asker sends raw requests over one connection, and reconnects if the server has closed it.
type asker struct {
	address string
	conn    net.Conn
	r       *bufio.Reader
}

func (a *asker) close() {
	if a.conn != nil {
		a.conn.Close()
		a.conn = nil
	}
}

// ask sends a request and reads its response. If the request fails on a reused connection, ask resends it on a new one.
func (a *asker) ask(ctx context.Context, q Question) (*answer, error) {
	old := a.conn != nil
	got, err := a.once(ctx, q)
	if err != nil && old {
		got, err = a.once(ctx, q)
	}
	return got, err
}

func (a *asker) once(ctx context.Context, q Question) (got *answer, err error) {
	if a.conn == nil {
		if a.conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", a.address); err != nil {
			a.conn = nil
			return nil, err
		}
		a.r = bufio.NewReader(a.conn)
	}
	defer func() {
		// The server may not have read the body of a rejected request, so the connection can't be reused.
		if err != nil || q.Body > 0 {
			a.close()
		}
	}()
	if err := a.conn.SetDeadline(time.Now().Add(15 * time.Second)); err != nil {
		return nil, err
	}
	// A server may respond before it has read the complete body, so write and read concurrently. A server that rejects
	// the rest of the body causes no error.
	sent := make(chan struct{})
	go func(conn net.Conn) { _, _ = conn.Write(q.bytes(a.address)); close(sent) }(a.conn)
	defer func() { <-sent }()
	var resp *http.Response
	for resp == nil || resp.StatusCode < 200 {
		if resp, err = http.ReadResponse(a.r, &http.Request{Method: q.Method}); err != nil {
			a.conn.Close() // this also stops the write
			return nil, err
		}
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		a.conn.Close()
		return nil, err
	}
	if a.r.Buffered() > 0 && q.Body <= 0 {
		return nil, fmt.Errorf("%d bytes follow the response", a.r.Buffered())
	}
	got = &answer{status: strconv.Itoa(resp.StatusCode), header: resp.Header, body: artifact.Hash(body), length: len(body), head: q.Method == "HEAD"}
	if resp.Close {
		a.close()
	}
	return got, nil
}

// reason returns the reason for a missing response, without the addresses of the connection, so that failures with the
// same reason produce the same text.
func reason(err error) string {
	timeout := net.Error(nil)
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "closed"
	}
	if i := strings.LastIndex(err.Error(), ": "); i >= 0 {
		return err.Error()[i+2:]
	}
	return err.Error()
}

// ofTheConnection reports whether a field applies only to the connection, or identifies the server or a cache. Such
// fields are not compared.
func ofTheConnection(name string) bool {
	return slices.Contains([]string{"Connection", "Keep-Alive", "Transfer-Encoding", "Server", "Via", "Age", "X-Varnish", "Cache-Status"}, name)
}

// ofTheMoment reports whether the value of a field can differ between two responses to the same request. Only the
// presence of such a field is compared.
func ofTheMoment(name string) bool {
	return slices.ContainsFunc([]string{"Date", artifact.FieldRateLimit, artifact.FieldRemaining, artifact.FieldReset}, func(n string) bool { return strings.EqualFold(n, name) })
}

// field returns the value of a header field, with its lines joined. It normalizes the spaces in Vary, because Apache
// rewrites that list. Spaces in a list are insignificant (RFC 9110 §5.6.1).
func (a *answer) field(name string) string {
	value := strings.Join(a.header.Values(name), ", ")
	if name == "Vary" {
		value = strings.Join(strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }), ", ")
	}
	return value
}

// differences returns the differences between two responses. Each difference is a check in the syntax of the contract's
// exchanges, followed by an arrow and the actual value. If the statuses differ, differences compares nothing else, but
// reports whether caches may store an error response.
func differences(want, got *answer) []string {
	var lines []string
	if want.status != got.status {
		lines = append(lines, "answers "+want.status+" → "+got.status)
		if got.status >= "400" {
			for _, name := range []string{"Cache-Control", "CDN-Cache-Control"} {
				if v := got.header.Get(name); strings.Contains(v, "max-age=") && !strings.HasSuffix(v, "max-age=0") {
					lines = append(lines, "no header "+name+" → "+name+": "+v)
				}
			}
		}
		return lines
	}
	names := make(map[string]bool)
	for _, h := range []http.Header{want.header, got.header} {
		for name := range h {
			names[http.CanonicalHeaderKey(name)] = !ofTheConnection(http.CanonicalHeaderKey(name))
		}
	}
	for name, compared := range names {
		if !compared {
			continue
		}
		w, g := want.field(name), got.field(name)
		if ofTheMoment(name) {
			w, g = w[:min(len(w), 1)], g[:min(len(g), 1)]
			if w != "" && g != "" {
				g = w
			}
		}
		switch {
		case w == g:
		case g == "":
			lines = append(lines, "header "+name+" = "+w+" → no such header")
		case w == "":
			lines = append(lines, "no header "+name+" → "+name+": "+g)
		default:
			lines = append(lines, "header "+name+" = "+w+" → "+g)
		}
	}
	slices.Sort(lines)
	if want.body != got.body && !want.head {
		lines = append(lines, fmt.Sprintf("body = %d bytes → %d other bytes", want.length, got.length))
	}
	return lines
}
