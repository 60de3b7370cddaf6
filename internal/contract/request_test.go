package contract

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Requests are sent as written: method, target, repeated and empty fields, host, body. Redirects
// are not followed.
func TestRequests(t *testing.T) {
	report := play(t, sample(), `== requests
proves X

GET /echo?
answers 200
body = GET /echo? host={HOST} accept=[] body=

GET /echo?%zz
Accept: a
Accept: b
answers 200
body = GET /echo?%zz host={HOST} accept=["a" "b"] body=

BREW /echo
Accept:
Host: other.example
sends some text
answers 200
body = BREW /echo host=other.example accept=[""] body=some text

POST /echo
sends
	one
	two
answers 200
body =
	POST /echo host={HOST} accept=[] body=one
	two

GET {BASE}/echo?x#part
answers 200
body contains GET /echo?x host={HOST}

HEAD /json
answers 200
header ETag = "1"
body empty

GET /moved
answers 308
header Location = /one

raw
	get /echo HTTP/1.1
	Host: {HOST}
	Connection: close
answers 200
body = get /echo host={HOST} accept=[] body=

raw
	GET /echo HTTP/1.1
	Connection: close
answers 400
`, nil)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	if exact, _, _ := report.Counts(); exact != 9 {
		t.Errorf("%d exchanges were exact, want 9", exact)
	}
}

// If an exchange can't be played, its failure gives the reason.
func TestRequestFailures(t *testing.T) {
	extra := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		buffer.WriteString("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\nextra")
		buffer.Flush()
	})
	for _, c := range []struct {
		handler           http.Handler
		exchange, failure string
	}{
		{extra, "raw\n\tGET / HTTP/1.1\n\tHost: {HOST}\nanswers 304\n", "5 bytes follow the response: extra"},
		{sample(), "GET https://elsewhere.example/\nanswers 200\n", "is not on the site https://parley.example"},
		{sample(), "GET https://parley.example.org/\nanswers 200\n", "is not on the site https://parley.example"},
		{sample(), "GET {DRAFT}\nanswers 200\n", "{DRAFT} has no value"},
		{sample(), "GET /json\nanswers 404\nkeep up to 3 X = json missing\n\nGET {X}\nanswers 200\n", "{X} has no value"},
		{sample(), "GET /json\nanswers 200\nkeep X = header ETag\n\nrepeat {X}\nGET /json\nanswers 200\n", `repeat {X}`},
		{sample(), "GET /json\nanswers 200\nkeep X = header ETag\nheader X-Left = {X-1}\n", `{X-1}: "\"1\"" is not a whole number`},
		{sample(), "GET /list\nanswers 200\nkeep up to 3 X = body ~ see\n\nGET /list\nAccept: {X}\nanswers 200\n", `{X} is a list`},
	} {
		report := play(t, c.handler, "== x\nproves X\n\n"+c.exchange, nil)
		if err := report.Err(); err == nil || !strings.Contains(err.Error(), c.failure) {
			t.Errorf("%s: got %v, want %q", c.exchange, err, c.failure)
		}
	}
}

// The target's timeout applies to raw requests, which its transport doesn't send.
func TestRawTimeout(t *testing.T) {
	const source = "== x\nproves X\n\nGET /json\nanswers 200\n\nraw\n\tGET /json HTTP/1.1\n\tHost: {HOST}\n\tConnection: close\nanswers 200\n"
	report := play(t, sample(), source, func(target *Target) { target.Timeout = time.Nanosecond })
	exact, failed, _ := report.Counts()
	if exact != 1 || failed != 1 || !strings.Contains(report.Err().Error(), "timeout") {
		t.Errorf("%d exact, %d failed, want 1 each: %v", exact, failed, report.Err())
	}
}
