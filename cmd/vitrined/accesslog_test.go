package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

// loggedRequest returns a request and its response, with a value for every field of the Combined Log Format.
func loggedRequest() (*decide.Request, *decide.Answer) {
	return &decide.Request{
			Method: "GET", Path: "/pricing", Query: "a=1", HasQuery: true, Protocol: "HTTP/1.1",
			Remote: netip.MustParseAddrPort("[::ffff:192.0.2.7]:4711"), Referer: "https://x.example/", UserAgent: "test/1.0",
		}, &decide.Answer{
			Status: 200, Body: make([]byte, 12345), Reason: "ok", Class: decide.ClassPage,
		}
}

var logTime = time.Date(2026, 11, 3, 4, 5, 6, 0, time.FixedZone("", -3600))

// A line in the Combined Log Format starts with exactly the bytes that Apache and nginx write, followed by seven more
// fields.
func TestCombined(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(*decide.Request, *decide.Answer)
		want   string
	}{
		{"everything", func(*decide.Request, *decide.Answer) {},
			`192.0.2.7 - - [03/Nov/2026:04:05:06 -0100] "GET /pricing?a=1 HTTP/1.1" 200 12345 "https://x.example/" "test/1.0" ok page html people 0.001500 "-" "-"`},
		{"all optional values are missing", func(r *decide.Request, a *decide.Answer) {
			*r = decide.Request{Method: "HEAD", Path: "/x", Protocol: "HTTP/2.0"}
			*a = decide.Answer{Status: 304, Reason: "not-modified"}
		}, `- - - [03/Nov/2026:04:05:06 -0100] "HEAD /x HTTP/2.0" 304 - "-" "-" not-modified none page people 0.001500 "-" "-"`},
		{"an address of IPv6 and a bare question mark", func(r *decide.Request, _ *decide.Answer) {
			r.Remote, r.Query = netip.MustParseAddrPort("[2001:db8::1]:1"), ""
		}, `2001:db8::1 - - [03/Nov/2026:04:05:06 -0100] "GET /pricing? HTTP/1.1" 200 12345 "https://x.example/" "test/1.0" ok page html people 0.001500 "-" "-"`},
		{"no request line", func(r *decide.Request, a *decide.Answer) {
			*r = decide.Request{Remote: r.Remote, Malformed: "\x16\x03\"\u202e"}
			*a = decide.Answer{Status: 400, Reason: "malformed-request"}
		}, `192.0.2.7 - - [03/Nov/2026:04:05:06 -0100] "\x16\x03\"\xe2\x80\xae" 400 - "-" "-" malformed-request none page people 0.001500 "-" "-"`},
		{"values that would end a value, a line, or speak to a terminal", func(r *decide.Request, _ *decide.Answer) {
			r.Path, r.Query, r.UserAgent, r.Referer = "/\"x", "\\", "a\r\nb\x1b[31m\u009b\x7f", "\x00\""
		}, `192.0.2.7 - - [03/Nov/2026:04:05:06 -0100] "GET /\"x?\\ HTTP/1.1" 200 12345 "\x00\"" "a\x0d\x0ab\x1b[31m\xc2\x9b\x7f" ok page html people 0.001500 "-" "-"`},
	} {
		r, a := loggedRequest()
		c.change(r, a)
		if got := string(appendCombined(nil, r, a, proxies(nil).client(r), readers.People, logTime, 1500*time.Microsecond)); got != c.want+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
	}
}

// For any client input, a log entry is one line of visible ASCII with the expected fields.
func FuzzCombined(f *testing.F) {
	line := regexp.MustCompile(`^\S+ - - \[[^]]+\] "(?:[^"\\]|\\.)*" \d{3} (?:\d+|-) "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*" [a-z-]+ [a-z]+ [a-z]+ people 0\.001500 "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"\n$`)
	f.Add("GET", "/", "", "", "")
	f.Add("G\"ET", "/\\", "a\nb", "\x1b]0;x\x07", "\xff\u2028")
	f.Fuzz(func(t *testing.T, method, path, query, referer, agent string) {
		r, a := loggedRequest()
		r.Method, r.Path, r.Query, r.Referer, r.UserAgent = method, path, query, referer, agent
		got := appendCombined(nil, r, a, proxies(nil).client(r), readers.People, logTime, 1500*time.Microsecond)
		if !line.Match(got) || bytes.ContainsFunc(got[:len(got)-1], func(c rune) bool { return c < ' ' || c > '~' }) {
			t.Errorf("%q", got)
		}
	})
}

// Each line of the JSON log is an object that contains the reason, for any client input.
func TestJSONLog(t *testing.T) {
	var out bytes.Buffer
	l := startAccessLog(logJSON, nil, &out)
	r, a := loggedRequest()
	r.UserAgent, r.Began = "a\nb\"\xff", logTime.Add(-1500*time.Microsecond)
	l.add(r, a, readers.People, logTime)
	l.stop(time.Minute)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v in %q", err, out.Bytes())
	}
	for name, want := range map[string]any{
		"remote": "192.0.2.7", "method": "GET", "target": "/pricing?a=1", "protocol": "HTTP/1.1", "status": 200.0, "bytes": 12345.0,
		"reason": "ok", "class": "page", "seconds": 0.0015, "requestID": "", "traceparent": "", "referer": "https://x.example/", "userAgent": "a\nb\"\ufffd",
	} {
		if line[name] != want {
			t.Errorf("%s: %v, want %v", name, line[name], want)
		}
	}
}

// A client's input can't affect a terminal that displays a JSON log: the log contains neither control characters nor
// characters that change the direction of text. Its decoded content stays the same.
func TestJSONLogIsPrintable(t *testing.T) {
	const sent = "\u009b31m\x7f \u202ea\u2066b\u200e\u061c\ufeff\u2028\U000e0041 ü \U0001f642"
	var out bytes.Buffer
	l := startAccessLog(logJSON, nil, &out)
	r, a := loggedRequest()
	r.Path, r.Query, r.HasQuery, r.UserAgent, r.Malformed = "", "", false, sent, sent
	l.add(r, a, readers.People, logTime)
	l.stop(time.Minute)
	slog.New(slog.NewJSONHandler(printable{&out}, nil)).Info(sent)
	if i := bytes.IndexFunc(out.Bytes(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("not printable at %d: %q", i, out.Bytes())
	}
	var line struct{ Target, UserAgent, Msg string }
	decoder := json.NewDecoder(&out)
	if err := decoder.Decode(&line); err != nil || line.Target != sent || line.UserAgent != sent {
		t.Errorf("%q, %v", line, err)
	}
	if err := decoder.Decode(&line); err != nil || line.Msg != sent {
		t.Errorf("%q, %v", line, err)
	}
}

// stalled is a writer that blocks until the test unlocks mu and counts the lines written.
type stalled struct {
	mu sync.Mutex
	n  int
}

func (s *stalled) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// A stalled log reader delays no response and costs a limited amount of memory: excess lines are dropped, and every
// lost line is counted.
func TestStalledLog(t *testing.T) {
	s := new(stalled)
	s.mu.Lock()
	l := startAccessLog(logCombined, nil, s)
	const requests = 100_000
	r, a := loggedRequest()
	for range requests {
		l.add(r, a, readers.People, logTime)
	}
	if l.Dropped() == 0 {
		t.Error("no line was dropped")
	}
	l.mu.Lock()
	if len(l.lines) > logMost {
		t.Errorf("%d bytes wait", len(l.lines))
	}
	l.mu.Unlock()
	s.mu.Unlock()
	l.stop(time.Minute)
	if int64(s.n)+l.Dropped() != requests {
		t.Errorf("%d lines were written and %d dropped, want %d", s.n, l.Dropped(), requests)
	}
}

// full is a writer to a full disk.
type full struct{}

func (full) Write(p []byte) (int, error) { return 0, errors.New("no space left on device") }

// If the log can't be written, its lost lines are counted.
func TestFullDiskLog(t *testing.T) {
	l := startAccessLog(logCombined, nil, full{})
	r, a := loggedRequest()
	for range 10 {
		l.add(r, a, readers.People, logTime)
	}
	l.stop(time.Minute)
	if l.Dropped() != 10 {
		t.Errorf("%d lines counted as lost, want 10", l.Dropped())
	}
}

// Logging a line in the Combined Log Format allocates nothing, because the engine guarantees responses without
// allocations.
func TestCombinedDoesNotAllocate(t *testing.T) {
	r, a := loggedRequest()
	l := &accessLog{format: logCombined, lines: make([]byte, 0, 1<<20), wake: make(chan struct{}, 1)}
	if n := testing.AllocsPerRun(100, func() { l.add(r, a, readers.People, logTime) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Without a value, --access-log selects JSON.
func TestLogFormatFlag(t *testing.T) {
	for arguments, want := range map[string]logFormat{
		"": logOff, "--access-log": logJSON, "--access-log=json": logJSON, "--access-log=combined": logCombined, "--access-log=false": logOff,
	} {
		var stderr strings.Builder
		if o, err := parse(strings.Fields(arguments), &stderr); err != nil || o.accessLog != want {
			t.Errorf("%s: %q, %v %s, want %q", arguments, o.accessLog, err, stderr.String(), want)
		}
	}
}
