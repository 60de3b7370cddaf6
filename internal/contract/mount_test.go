package contract

import (
	"net/http"
	"net/url"
	"testing"
)

// Exchanges use paths without the base path: the mount adds the base path to requests, and removes it from responses.
// An address that lacks the base path isn't accepted as a path of the site.
func TestMount(t *testing.T) {
	u, err := url.Parse("http://127.0.0.1:8080/acorn/")
	if err != nil {
		t.Fatal(err)
	}
	m := MountOf(u)
	for _, c := range [][2]string{{"/", "/acorn/"}, {"/pricing?x", "/acorn/pricing?x"}, {"//", "/acorn//"}, {"*", "*"}} {
		if got := m.Target(c[0]); got != c[1] {
			t.Errorf("%s is asked for as %s, want %s", c[0], got, c[1])
		}
	}
	for _, c := range [][2]string{
		{"GET /pricing HTTP/1.1\r\nHost: x\r\n\r\n", "GET /acorn/pricing HTTP/1.1\r\nHost: x\r\n\r\n"},
		{"\r\nget /api HTTP/1.1\r\n", "\r\nget /acorn/api HTTP/1.1\r\n"},
		{"GET http://x.example/a/b HTTP/1.1\r\n", "GET http://x.example/acorn/a/b HTTP/1.1\r\n"},
		{"GET http:///a HTTP/1.1\r\n", "GET http:///acorn/a HTTP/1.1\r\n"},
		{"OPTIONS * HTTP/1.1\r\nA: /b\r\n", "OPTIONS * HTTP/1.1\r\nA: /b\r\n"},
	} {
		if got := m.raw(c[0]); got != c[1] {
			t.Errorf("%q is sent as %q, want %q", c[0], got, c[1])
		}
	}
	h := http.Header{
		"Location": {"/acorn/pricing?x"},
		"Link":     {`</acorn/a.md>; rel="alternate", <https://user.example/acorn/a>; rel="canonical", </b>; rel="x"`},
	}
	m.Answered(h)
	if got := h.Get("Location"); got != "/pricing?x" {
		t.Errorf("the Location is read as %s", got)
	}
	if got, want := h.Get("Link"), `</a.md>; rel="alternate", <https://user.example/acorn/a>; rel="canonical", <http://127.0.0.1:8080/b>; rel="x"`; got != want {
		t.Errorf("the Link is read as %s, want %s", got, want)
	}
	for _, beside := range []string{"/pricing", "/acornx", "/acorn"} {
		if got := m.Local(beside); got != "http://127.0.0.1:8080"+beside {
			t.Errorf("%s is read as %s", beside, got)
		}
	}
	root := MountOf(&url.URL{Scheme: "https", Host: "acorn.example", Path: "/"})
	if root.Path != "" || root.Local("/pricing") != "/pricing" || root.Target("/pricing") != "/pricing" {
		t.Errorf("at the root: %+v", root)
	}
}
