package preview

import (
	"net/http/httptest"
	"testing"
)

// The preview responds only to localhost, IP addresses, and the host of the configured address. Any other name could be
// another site's name that resolves to this machine (DNS rebinding), and that site could read the response.
func TestGuardKnowsHosts(t *testing.T) {
	for _, c := range []struct {
		addr, host string
		known      bool
	}{
		{"127.0.0.1:8080", "127.0.0.1:8080", true},
		{"127.0.0.1:8080", "localhost:8080", true},
		{"127.0.0.1:8080", "LOCALHOST", true},
		{"127.0.0.1:8080", "localhost.:8080", true},
		{"127.0.0.1:8080", "site.localhost:8080", true},
		{"127.0.0.1:8080", "[::1]:8080", true},
		{"127.0.0.1:8080", "[::1]", true},
		{"0.0.0.0:8080", "192.168.1.20:8080", true},
		{"studio.lan:8080", "studio.lan:8080", true},
		{"studio.lan:8080", "Studio.LAN:8080", true},
		{":8080", "", false},
		{"127.0.0.1:8080", "", false},
		{"127.0.0.1:8080", "studio.lan:8080", false},
		{"127.0.0.1:8080", "evil.example:8080", false},
		{"127.0.0.1:8080", "localhost.evil.example", false},
		{"127.0.0.1:8080", "127.0.0.1.evil.example", false},
		{"127.0.0.1:8080", "notlocalhost", false},
		{"127.0.0.1:8080", "evil.example:80:80", false},
	} {
		if got := newGuard(c.addr).knows(c.host); got != c.known {
			t.Errorf("listening on %s, knows(%q) = %t", c.addr, c.host, got)
		}
	}
}

// The preview rejects requests from pages of other origins, whether Origin or Sec-Fetch-Site identifies them. It
// accepts navigation from a link on another site.
func TestGuardRejects(t *testing.T) {
	for _, c := range []struct {
		name, method string
		fields       map[string]string
		refused      bool
	}{
		{"a tool", "GET", nil, false},
		{"an address typed in", "GET", map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, false},
		{"the page's own script", "POST", map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}, false},
		{"a link elsewhere", "GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, false},
		{"a form elsewhere", "POST", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, true},
		{"a frame elsewhere", "GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, true},
		{"a script elsewhere", "GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}, true},
		{"another server of this machine", "GET", map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}, true},
		{"another origin", "GET", map[string]string{"Origin": "https://evil.example"}, true},
		{"another port", "GET", map[string]string{"Origin": "http://127.0.0.1:8081"}, true},
		{"another scheme", "GET", map[string]string{"Origin": "https://127.0.0.1:8080"}, true},
		{"a sandbox", "GET", map[string]string{"Origin": "null"}, true},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, "http://127.0.0.1:8080/blog/draft", nil)
		for name, value := range c.fields {
			r.Header.Set(name, value)
		}
		if reason := newGuard("127.0.0.1:8080").rejects(r); (reason != "") != c.refused {
			t.Errorf("%s: rejected with %q", c.name, reason)
		}
	}
}
