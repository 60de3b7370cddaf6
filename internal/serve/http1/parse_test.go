package http1

import (
	"strings"
	"testing"
)

// A complete plain request is parsed to its last byte. Every prefix of it is incomplete.
func TestParsePlain(t *testing.T) {
	for _, c := range []struct {
		why, raw string
		want     string // method, path, query, and the fields that affect the response, in one line
	}{
		{"the least", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", `GET / - close=false`},
		{"a query", "HEAD /a%20b?c=%64&?d HTTP/1.1\r\nHost: a\r\n\r\n", `HEAD /a%20b ?c=%64&?d close=false`},
		{"an empty query", "OPTIONS /? HTTP/1.1\r\nhost:a.example:80\r\n\r\n", `OPTIONS / ? close=false`},
		{"fields in any case and with spaces", "GET / HTTP/1.1\r\nHOST:   [::1]:80  \r\naCCept:text/html \r\nAccept-Encoding: gzip\r\nIf-Match: a\r\n" +
			"if-none-match: b\r\nOrigin: c\r\nAccess-Control-Request-Method: d\r\nConnection: CLOSE\r\n\r\n",
			`GET / - close=true Accept=text/html Accept-Encoding=gzip If-Match=a If-None-Match=b Origin=c Access-Control-Request-Method=d`},
		{"keep-alive, and irrelevant fields", "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nCookie: a=\"b\"; c\r\nUpgrade-Insecure-Requests: 1\r\nX:\r\n\r\n",
			`GET / - close=false`},
		{"the maximum number of fields", "GET / HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("X: y\r\n", maxFields-1) + "\r\n", `GET / - close=false`},
	} {
		var h head
		for end := range len(c.raw) {
			if _, v := parse([]byte(c.raw[:end]), &h); v != incomplete {
				t.Fatalf("%s: verdict %d on the first %d bytes", c.why, v, end)
			}
		}
		length, v := parse([]byte(c.raw+"GET"), &h)
		if v != plain || length != len(c.raw) {
			t.Errorf("%s: verdict %d, length %d, want %d, %d", c.why, v, length, plain, len(c.raw))
			continue
		}
		if got := h.line(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.why, got, c.want)
		}
	}
}

// line formats a header section.
func (h *head) line() string {
	r := &h.request
	query := "-"
	if r.HasQuery {
		query = "?" + r.Query
	}
	line := r.Method + " " + r.Path + " " + query + " close=" + map[bool]string{true: "true", false: "false"}[h.close]
	for _, f := range [][2]string{
		{"Accept", r.Accept}, {"Accept-Encoding", r.AcceptEncoding}, {"If-Match", r.IfMatch}, {"If-None-Match", r.IfNoneMatch},
		{"Origin", r.Origin}, {"Access-Control-Request-Method", r.AccessControlRequestMethod},
	} {
		if f[1] != "" {
			line += " " + f[0] + "=" + f[1]
		}
	}
	return line
}

// A request that isn't plain is foreign from its first nonconforming byte on, regardless of the rest.
func TestParseForeign(t *testing.T) {
	for _, c := range []struct{ why, raw string }{
		{"another method", "P"},
		{"a method with a valid prefix", "GEX"},
		{"a method in lower case", "g"},
		{"a leading empty line", "\r"},
		{"two spaces", "GET  "},
		{"a tab", "GET\t"},
		{"absolute form", "GET h"},
		{"asterisk form", "OPTIONS *"},
		{"authority form", "OPTIONS a"},
		{"a byte above ASCII", "GET /\xc3"},
		{"NUL in the target", "GET /\x00"},
		{"a fragment", "GET /#"},
		{"a quote", "GET /\""},
		{"a backslash", "GET /\\"},
		{"a malformed escape", "GET /%g"},
		{"a truncated escape", "GET /%a "},
		{"a malformed escape in the query", "GET /?%z"},
		{"no version", "GET /\r"},
		{"HTTP/1.0", "GET / HTTP/1.0"},
		{"HTTP/2", "GET / HTTP/2"},
		{"a space after the version", "GET / HTTP/1.1 "},
		{"a bare LF", "GET / HTTP/1.1\n"},
		{"a bare CR", "GET / HTTP/1.1\rH"},
		{"no host", "GET / HTTP/1.1\r\n\r\n"},
		{"an empty host", "GET / HTTP/1.1\r\nHost:\r\n"},
		{"a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n"},
		{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n"},
		{"a field name with a space", "GET / HTTP/1.1\r\nHost "},
		{"no field name", "GET / HTTP/1.1\r\n:"},
		{"no colon", "GET / HTTP/1.1\r\nHost\r"},
		{"a folded line", "GET / HTTP/1.1\r\nHost: a\r\n "},
		{"a folded line with a tab", "GET / HTTP/1.1\r\nHost: a\r\n\t"},
		{"a bare LF in a field", "GET / HTTP/1.1\r\nHost: a\n"},
		{"a bare CR in a field", "GET / HTTP/1.1\r\nHost: a\rb"},
		{"NUL in a value", "GET / HTTP/1.1\r\nX: \x00"},
		{"a tab in a value", "GET / HTTP/1.1\r\nX: a\t"},
		{"a byte above ASCII in a value", "GET / HTTP/1.1\r\nX: \xc3"},
		{"Content-Length", "GET / HTTP/1.1\r\nContent-Length: 0\r\n"},
		{"Transfer-Encoding", "GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n"},
		{"Expect", "GET / HTTP/1.1\r\nEXPECT: x\r\n"},
		{"Upgrade", "GET / HTTP/1.1\r\nUpgrade: h2c\r\n"},
		{"Trailer", "GET / HTTP/1.1\r\nTrailer: X\r\n"},
		{"another connection option", "GET / HTTP/1.1\r\nConnection: upgrade\r\n"},
		{"two connection options", "GET / HTTP/1.1\r\nConnection: keep-alive, close\r\n"},
		{"Connection twice", "GET / HTTP/1.1\r\nConnection: close\r\nConnection: close\r\n"},
		{"an empty Connection", "GET / HTTP/1.1\r\nConnection:\r\n"},
		{"Accept twice", "GET / HTTP/1.1\r\nAccept: a\r\nAccept: b\r\n"},
		{"Accept twice, first empty", "GET / HTTP/1.1\r\nAccept:\r\nAccept: b\r\n"},
		{"too many fields", "GET / HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("X: y\r\n", maxFields)},
		{"TLS", "\x16"},
	} {
		var h head
		if _, v := parse([]byte(c.raw[:len(c.raw)-1]), &h); v != incomplete {
			t.Errorf("%s: verdict %d before the last byte of %q", c.why, v, c.raw)
		}
		for _, rest := range []string{"", "x", "\r\n\r\n", " HTTP/1.1\r\nHost: a\r\n\r\n"} {
			if _, v := parse([]byte(c.raw+rest), &h); v != foreign {
				t.Errorf("%s: verdict %d on %q", c.why, v, c.raw+rest)
			}
		}
	}
}

// Parsing allocates nothing.
func TestParseDoesNotAllocate(t *testing.T) {
	raw := []byte("GET /a?b HTTP/1.1\r\nHost: a.example\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Encoding: gzip, br\r\nIf-None-Match: \"a\"\r\nCookie: c\r\n\r\n")
	var h head
	if n := testing.AllocsPerRun(100, func() {
		if _, v := parse(raw, &h); v != plain {
			t.Fatal(v)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParse(b *testing.B) {
	raw := []byte("GET /pricing HTTP/1.1\r\nHost: parley.example\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-GB,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n" +
		"Connection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\nPriority: u=0, i\r\n\r\n")
	var h head
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		parse(raw, &h)
	}
}
