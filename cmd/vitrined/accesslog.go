package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

// logFormat is the format of the request log.
type logFormat string

const (
	logOff logFormat = ""
	// logJSON is a format with one JSON object per line.
	logJSON logFormat = "json"
	// logCombined is the Combined Log Format of Apache and nginx, followed by additional fields; see appendCombined.
	logCombined logFormat = "combined"
)

// String returns the flag's value. With Set and IsBoolFlag, it implements flag.Value for a flag whose value is
// optional.
func (f *logFormat) String() string { return string(*f) }

// Set parses value. Package flag passes "true", which selects logJSON, if the flag is given without a value.
func (f *logFormat) Set(value string) error {
	switch value {
	case "true":
		*f = logJSON
	case "false":
		*f = logOff
	case string(logJSON), string(logCombined):
		*f = logFormat(value)
	default:
		return fmt.Errorf("unknown format %q; want combined or json", value)
	}
	return nil
}

// IsBoolFlag makes --access-log mean --access-log=true.
func (f *logFormat) IsBoolFlag() bool { return true }

// accessLog is the request log. Lines are buffered and written within a second by a separate goroutine, so that
// responses never wait for the log's reader. If the reader doesn't keep up, lines are dropped and counted. A nil
// accessLog logs nothing. An accessLog is safe for concurrent use.
type accessLog struct {
	format  logFormat
	proxies proxies
	json    *slog.Logger
	dropped atomic.Int64

	mu    sync.Mutex
	lines []byte
	// writing contains the lines of the write in progress.
	writing []byte
	// given reports whether stop has given up waiting for the writes.
	given bool
	wake  chan struct{}
	ended chan struct{}
	over  chan struct{}
}

const (
	// logFull is the number of waiting bytes at which lines are written immediately.
	logFull = 32 << 10
	// logMost is the maximum number of waiting bytes. Further lines are dropped.
	logMost = 4 << 20
	// logPause is the interval at which waiting lines are written.
	logPause = time.Second
	// logPiece is the maximum size of one write in bytes. A pipe never accepts only part of such a write, so the number
	// of lost lines is known if the pipe's reader stops.
	logPiece = 4 << 10
)

// startAccessLog starts a log that writes to w until stop is called. It returns nil if format is logOff.
func startAccessLog(format logFormat, trusted proxies, w io.Writer) *accessLog {
	if format == logOff {
		return nil
	}
	l := &accessLog{format: format, proxies: trusted, wake: make(chan struct{}, 1), ended: make(chan struct{}), over: make(chan struct{})}
	l.json = slog.New(slog.NewJSONHandler(printable{l}, nil))
	go l.writeOn(w)
	return l
}

// stop ends the log after writing the remaining lines. It waits for at most within, because the log's reader may have
// stopped. Lines that haven't been written by then are dropped and counted.
func (l *accessLog) stop(within time.Duration) {
	if l == nil {
		return
	}
	close(l.ended)
	select {
	case <-l.over:
	case <-time.After(within):
		l.mu.Lock()
		defer l.mu.Unlock()
		l.given = true
		l.dropped.Add(int64(bytes.Count(l.lines, []byte("\n")) + bytes.Count(l.writing, []byte("\n"))))
		l.lines, l.writing = nil, nil
	}
}

// Dropped returns the number of lines that were dropped or couldn't be written.
func (l *accessLog) Dropped() int64 {
	if l == nil {
		return 0
	}
	return l.dropped.Load()
}

// add logs a request and its response. It doesn't retain the request's strings.
func (l *accessLog) add(r *decide.Request, a *decide.Answer, reader readers.Family, now time.Time) {
	if l == nil {
		return
	}
	client, took := l.proxies.client(r), max(now.Sub(r.Began), 0)
	if l.format == logCombined {
		var buf [512]byte
		_, _ = l.Write(appendCombined(buf[:0], r, a, client, reader, now, took)) // Write never fails
		return
	}
	target := r.Path
	if r.HasQuery {
		target += "?" + r.Query
	}
	if target == "" {
		target = r.Malformed
	}
	remote := ""
	if client.IsValid() {
		remote = client.String()
	}
	l.json.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("remote", remote), slog.String("method", r.Method), slog.String("target", target),
		slog.String("protocol", r.Protocol), slog.Int("status", a.Status), slog.Int("bytes", len(a.Body)),
		slog.String("reason", a.Reason), slog.String("class", a.Class.String()),
		slog.String("representation", string(representation(r, a))), slog.String("reader", string(reader)),
		slog.String("referer", r.Referer), slog.String("userAgent", r.UserAgent), slog.Float64("seconds", took.Seconds()),
		slog.String("requestID", requestID(r)), slog.String("traceparent", traceParent(r)))
}

// Write adds a line, or drops and counts it if too many bytes are waiting. It never returns an error.
func (l *accessLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines)+len(line) > logMost {
		l.dropped.Add(1)
		return len(line), nil
	}
	l.lines = append(l.lines, line...)
	if len(l.lines) >= logFull {
		select {
		case l.wake <- struct{}{}:
		default: // a wake-up is already pending
		}
	}
	return len(line), nil
}

// writeOn writes the lines to w until the log is stopped. It counts the lines of failed writes as dropped.
func (l *accessLog) writeOn(w io.Writer) {
	defer close(l.over)
	tick := time.NewTicker(logPause)
	defer tick.Stop()
	var spare []byte
	for last := false; !last; {
		select {
		case <-l.ended:
			last = true
		case <-tick.C:
		case <-l.wake:
		}
		l.mu.Lock()
		lines := l.lines
		l.lines, l.writing = spare[:0], lines
		l.mu.Unlock()
		for rest := lines; len(rest) > 0; {
			piece := wholeLines(rest)
			n, err := w.Write(piece)
			if rest = rest[len(piece):]; !l.wrote(rest) {
				return
			}
			if err != nil {
				l.dropped.Add(int64(bytes.Count(piece[n:], []byte("\n"))))
			}
		}
		if spare = lines; cap(spare) > 2*logFull {
			spare = nil
		}
	}
}

// wrote records that rest is all that remains of the write in progress. It returns false if stop has given up waiting.
func (l *accessLog) wrote(rest []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writing = rest
	return !l.given
}

// wholeLines returns as many of the leading lines as fit in one write, but at least one.
func wholeLines(lines []byte) []byte {
	if len(lines) <= logPiece {
		return lines
	}
	if end := bytes.LastIndexByte(lines[:logPiece], '\n'); end >= 0 {
		return lines[:end+1]
	}
	return lines[:bytes.IndexByte(lines, '\n')+1]
}

// appendCombined appends a line in the Combined Log Format:
//
//	host - - [time] "method target protocol" status bytes "referer" "user agent" reason class representation reader seconds "request ID" "traceparent"
//
// The last seven fields are an extension, which parsers of the Combined Log Format ignore. A request line that couldn't
// be parsed is logged without changes other than escaping and truncation.
func appendCombined(dst []byte, r *decide.Request, a *decide.Answer, client netip.Addr, reader readers.Family, now time.Time, took time.Duration) []byte {
	if client.IsValid() {
		dst = client.AppendTo(dst)
	} else {
		dst = append(dst, '-')
	}
	dst = append(dst, " - - ["...)
	dst = now.AppendFormat(dst, "02/Jan/2006:15:04:05 -0700")
	dst = append(dst, `] "`...)
	dst = appendRequestLine(dst, r)
	dst = append(dst, `" `...)
	dst = strconv.AppendInt(dst, int64(a.Status), 10)
	dst = append(dst, ' ')
	if len(a.Body) == 0 {
		dst = append(dst, '-')
	} else {
		dst = strconv.AppendInt(dst, int64(len(a.Body)), 10)
	}
	dst = appendQuoted(dst, r.Referer)
	dst = appendQuoted(dst, r.UserAgent)
	dst = append(dst, ' ')
	dst = append(dst, a.Reason...)
	dst = append(dst, ' ')
	dst = append(dst, a.Class.String()...)
	dst = append(dst, ' ')
	dst = append(dst, representation(r, a)...)
	dst = append(dst, ' ')
	dst = append(dst, reader...)
	dst = append(dst, ' ')
	dst = strconv.AppendFloat(dst, took.Seconds(), 'f', 6, 64)
	dst = appendQuoted(dst, requestID(r))
	dst = appendQuoted(dst, traceParent(r))
	return append(dst, '\n')
}

func appendRequestLine(dst []byte, r *decide.Request) []byte {
	if r.Malformed != "" {
		return appendEscaped(dst, r.Malformed)
	}
	dst = appendEscaped(dst, r.Method)
	dst = append(dst, ' ')
	dst = appendEscaped(dst, r.Path)
	if r.HasQuery {
		dst = append(dst, '?')
		dst = appendEscaped(dst, r.Query)
	}
	dst = append(dst, ' ')
	return appendEscaped(dst, r.Protocol)
}

// appendQuoted appends a space and a quoted value, or "-" in quotes if the value is empty.
func appendQuoted(dst []byte, value string) []byte {
	dst = append(dst, ` "`...)
	if value == "" {
		dst = append(dst, '-')
	}
	dst = appendEscaped(dst, value)
	return append(dst, '"')
}

// appendEscaped appends s, a client's input, escaped so that it can neither end a quoted value or a line nor control a
// terminal. Like Apache, it writes \" and \\, and \xhh for each byte that is neither visible ASCII nor a space.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ' || c > '~':
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
