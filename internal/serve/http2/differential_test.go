package http2_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	xhttp2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve/decide"
)

// shown formats a response without the parts that depend on the time.
func (g got) shown() string {
	var lines []string
	for name, value := range g.header {
		switch name {
		case "date", "x-ratelimit-reset", "retry-after":
			value = "…"
		case "ratelimit":
			value, _, _ = strings.Cut(value, ";t=")
		}
		lines = append(lines, name+": "+value)
	}
	slices.Sort(lines)
	return fmt.Sprintf("%s\n%d bytes, %.60q; reset %d, GOAWAY %d, %v", strings.Join(lines, "\n"), len(g.body), g.body, g.reset, g.goAway, g.err)
}

// both fails the test if the engine's response differs from net/http's.
func both(t *testing.T, site *decide.Site, all []hpack.HeaderField, body ...[]byte) {
	t.Helper()
	answers := make(map[string]got)
	for name, run := range map[string]runner{"ours": runOurs, "net/http": runNetHTTP} {
		answers[name] = start(t, run, newHandler(site), 0, quiet()).dial(t).get(t, all, body...)
	}
	compare(t, all, answers["ours"], answers["net/http"])
}

func compare(t *testing.T, all []hpack.HeaderField, ours, theirs got) {
	t.Helper()
	if ours.shown() != theirs.shown() || string(ours.body) != string(theirs.body) {
		t.Errorf("to %q\nours:\n%s\nnet/http:\n%s", all, ours.shown(), theirs.shown())
	}
}

// paths returns at least one path for each kind of response.
func paths() []string {
	return []string{
		"/", "/?", "/?a=b", rig.SmallPage, rig.SmallPage + ".md", rig.SmallPage + "/", rig.SmallPage + ".html?x=1", rig.SmallLong, rig.SmallUmlaut, rig.SmallOld,
		rig.SmallOld + "?utm=1", "/nothing", "/nothing.md", "/api/", "/api", "/api?x=1", "/api?", "/api/marketing", "/api/v1/marketing", "/api/v1/marketing?&",
		"/%61pi", "//x", "/a/../b", "/%00", "/api/%00", "/.md", "/index.md",
	}
}

// The engine's responses match the responses of net/http's HTTP/2 with the same handler: status, fields, and body. Each
// request has its own connection and its own allowance.
func TestResponsesMatchNetHTTP(t *testing.T) {
	site := rig.SmallSite(t)
	t.Run("set", func(t *testing.T) {
		var requests [][]hpack.HeaderField
		for _, path := range paths() {
			for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "PURGE", "get"} {
				requests = append(requests, request(method, path))
			}
		}
		for _, more := range [][]string{
			{"accept", "text/markdown"}, {"accept", "text/markdown;q=0.5", "accept", "text/html"}, {"accept-encoding", "gzip, br"}, {"accept-encoding", "br;q=0"},
			{"if-none-match", "*"}, {"if-none-match", `"x"`, "if-none-match", "*"}, {"if-match", `"x"`}, {"if-match", ""}, {"if-match", "*"},
			{"range", "bytes=0-1"}, {"expect", "100-continue"}, {"expect", "tea"}, {"te", "trailers"},
			{"cookie", "a=b"}, {"x", strings.Repeat("a", 12<<10)}, {"content-length", "0"}, {"origin", "https://x", "access-control-request-method", "GET"},
			{"referer", "https://a.example/", "user-agent", "test"}, {"x-empty", ""}, {"host", "x.example"},
		} {
			for _, path := range []string{"/", "/api", rig.SmallPage} {
				requests = append(requests, request("GET", path, more...), request("OPTIONS", path, more...), request("HEAD", path, more...))
			}
		}
		requests = append(requests,
			request("OPTIONS", "*"), fields(":method", "CONNECT", ":authority", "x.example:443"),
			fields(":method", "GET", ":scheme", "http", ":authority", "x.example", ":path", "/"),
			fields(":method", "GET", ":scheme", "https", ":path", "/", "host", "x.example"),
			fields(":path", "/api", ":authority", "[::1]:80", ":method", "GET", ":scheme", "https"))
		for _, r := range requests {
			both(t, site, r)
		}
	})
	// net/http accepts "GET *", and the handler rejects it. Our engine also resets the stream, because the request is
	// malformed.
	t.Run("asterisk", func(t *testing.T) {
		ours := start(t, runOurs, newHandler(site), 0, quiet()).dial(t).get(t, request("GET", "*"))
		if ours.status != "400" || ours.reset != int(xhttp2.ErrCodeProtocol) {
			t.Errorf("%s", ours.shown())
		}
		ours.reset = -1
		compare(t, request("GET", "*"), ours, start(t, runNetHTTP, newHandler(site), 0, quiet()).dial(t).get(t, request("GET", "*")))
	})
	t.Run("bodies", func(t *testing.T) {
		for _, path := range []string{"/", "/api"} {
			both(t, site, request("POST", path), []byte("abc"))
			both(t, site, request("GET", path, "content-length", "6"), []byte("abc"), []byte("def"))
		}
	})
	t.Run("random", func(t *testing.T) { randomRequests(t, site, 40, 3) })
}

// randomRequests compares the engines' responses to random requests, generated from a seed.
func randomRequests(t *testing.T, site *decide.Site, count int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 4))
	for range count {
		both(t, site, randomRequest(random))
	}
}

// randomRequest returns a request whose fields affect the response and have valid but unusual values.
func randomRequest(random *rand.Rand) []hpack.HeaderField {
	all := paths()
	var more []string
	for range random.IntN(8) {
		names := []string{"accept", "accept-encoding", "if-none-match", "if-match", "origin", "access-control-request-method", "range", "user-agent", "referer", "x-other", "cookie"}
		pieces := []string{"*", "*/*", "text/html", "text/markdown", "text/*", ";q=0", ";q=0.5", ";q=x", ", ", ",", "gzip", "br", "identity", `"x"`, `W/"x"`, `"`, "GET", "https://a", "\u00e4", ";", "=", "a b"}
		value := ""
		for range random.IntN(6) {
			value += pieces[random.IntN(len(pieces))]
		}
		more = append(more, names[random.IntN(len(names))], strings.Trim(value, " "))
	}
	methods := []string{"GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE"}
	return request(methods[random.IntN(len(methods))], all[random.IntN(len(all))], more...)
}
