package serve_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"vitrine/internal/serve"
)

// No request, however its target is spelt, is redirected to another host: a
// Location is the path of a resource, with the request's query at most.
func FuzzLocation(f *testing.F) {
	const page = "/preise%20f%C3%BCr%20alle"
	for _, path := range []string{
		"/", page + "/", page + ".html", "/old", "/old/", "//evil.example/", "//evil.example" + page + "/", "/\\evil.example/",
		"/%2fevil.example" + page + "/", "/%5cevil.example/", "///", "/.//evil.example/", "/index.html", "//index.html", "http://evil.example/", "",
	} {
		f.Add(path, "")
		f.Add(path, "next=//evil.example")
		f.Add(path, "\r\nLocation: //evil.example")
	}
	h := serve.NewHandler(newSite(f), serve.HandlerOptions{})
	f.Fuzz(func(t *testing.T, path, query string) {
		a := h.Answer(&serve.Request{Method: "GET", Path: path, Query: query, HasQuery: query != ""}, time.Now())
		if a.Location == "" {
			return
		}
		target, _, _ := strings.Cut(a.Location, "?")
		u, err := url.Parse(target)
		if err != nil || u.Host != "" || u.Scheme != "" || target != page {
			t.Errorf("%q?%q is redirected to %q", path, query, a.Location)
		}
	})
}
