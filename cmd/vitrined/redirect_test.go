package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// For any spelling of the request, the redirect address redirects to the same URL with https on the server's hosts,
// never to another host.
func TestRedirect(t *testing.T) {
	names := func(host string) bool { return host == "x.example" || host == "::1" }
	for _, c := range []struct {
		target, host, port string
		status             int
		location           string
	}{
		{"/", "x.example", "", 308, "https://x.example/"},
		{"/pricing?a=%20b", "x.example:80", "", 308, "https://x.example/pricing?a=%20b"},
		{"/a%2fb?", "x.example", ":8443", 308, "https://x.example:8443/a%2fb?"},
		{"/", "[::1]:80", ":8443", 308, "https://[::1]:8443/"},
		{"//evil.example/a", "x.example", "", 308, "https://x.example//evil.example/a"},
		{"/\\evil.example", "x.example", "", 308, `https://x.example/%5Cevil.example`},
		{"http://x.example/a", "x.example", "", 308, "https://x.example/a"},
		{"*", "x.example", "", 308, "https://x.example/"},
		{"/", "evil.example", "", 421, ""},
		{"/", "x.example.evil.example", "", 421, ""},
		{"/", "evil.example:443@x.example", "", 421, ""},
		{"/", "x.example/evil", "", 421, ""},
		{"/", "", "", 421, ""},
		{"http://evil.example/a", "evil.example", "", 421, ""},
	} {
		r := httptest.NewRequest(http.MethodOptions, c.target, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		redirectTo(names, c.port).ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("Location") != c.location {
			t.Errorf("%s at %q: %d %q, want %d %q", c.target, c.host, w.Code, w.Header().Get("Location"), c.status, c.location)
		}
		if strings.Contains(w.Body.String(), "evil") {
			t.Errorf("%s at %q: the answer repeats what was sent: %s", c.target, c.host, w.Body)
		}
	}
}

// The port of the https address is part of its URLs, unless it is the default.
func TestPortOf(t *testing.T) {
	for address, want := range map[string]string{"0.0.0.0:443": "", "127.0.0.1:8443": ":8443", "[::]:443": "", "[::]:1": ":1"} {
		a, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := portOf(a); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
