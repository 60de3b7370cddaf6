package soak

import (
	"bufio"
	"strings"
	"testing"
)

// A response counts as failed unless it is complete and has status 200 and a body that matches its ETag.
func TestJudge(t *testing.T) {
	for stream, whole := range map[string]bool{
		"HTTP/1.1 200 OK\r\nETag: \"44bc2cf5ad770999\"\r\nContent-Length: 3\r\n\r\nabc":        true,
		"HTTP/1.1 200 OK\r\nETag: \"44bc2cf5ad770999\"\r\nContent-Length: 3\r\n\r\nabd":        false,
		"HTTP/1.1 200 OK\r\nETag: \"44bc2cf5ad770999\"\r\nContent-Length: 4\r\n\r\nabc":        false,
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc":                                      false,
		"HTTP/1.1 404 Not Found\r\nETag: \"44bc2cf5ad770999\"\r\nContent-Length: 3\r\n\r\nabc": false,
		"": false,
	} {
		if err := answerOf(stream).read(); (err == nil) != whole {
			t.Errorf("%q: %v", stream, err)
		}
	}
}

// known rejects malformed responses, unknown statuses, and redirects to other hosts, and counts other responses.
func TestKnown(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	for stream, want := range map[string]int{
		"": 0, ok: 1, ok + ok: 2,
		ok + "HTTP/1.1 308 Permanent Redirect\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n":         2,
		"HTTP/1.1 308 Permanent Redirect\r\nLocation: //evil.example/\r\nContent-Length: 0\r\n\r\n": -1,
		"HTTP/1.1 308 Permanent Redirect\r\nLocation: https://a/\r\nContent-Length: 0\r\n\r\n":      -1,
		"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n":                           -1,
		ok + "HTTP/1.1 2": -1,
		"HTTP/1.1 200 OK\r\nContent-Length: 617\r\n\r\n" + ok: 2,
		"HTTP/1.1 200 OK\r\nContent-Length: 617\r\n\r\n":      1,
	} {
		if n, err := known([]byte(stream)); (err != nil) != (want < 0) || want >= 0 && n != want {
			t.Errorf("%q: %d responses, %v", stream, n, err)
		}
	}
}

// answerOf returns a connection that reads the given stream.
func answerOf(stream string) *connection {
	return &connection{r: bufio.NewReader(strings.NewReader(stream))}
}
