package serve_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// FuzzLocation checks that no target can cause a redirect to another host: a Location is the path of a resource,
// optionally followed by the request's query.
func FuzzLocation(f *testing.F) {
	const page = rig.SmallUmlaut
	for _, path := range []string{
		"/", page + "/", page + ".html", "/old", "/old/", "//evil.example/", "//evil.example" + page + "/", "/\\evil.example/",
		"/%2fevil.example" + page + "/", "/%5cevil.example/", "///", "/.//evil.example/", "/index.html", "//index.html", "http://evil.example/", "",
	} {
		f.Add(path, "")
		f.Add(path, "next=//evil.example")
		f.Add(path, "\r\nLocation: //evil.example")
	}
	h := serve.NewHandler(rig.SmallSite(f), serve.HandlerOptions{})
	f.Fuzz(func(t *testing.T, path, query string) {
		a := h.Answer(&decide.Request{Method: "GET", Path: path, Query: query, HasQuery: query != ""}, time.Now())
		if a.Location == "" {
			return
		}
		target, _, _ := strings.Cut(a.Location, "?")
		u, err := url.Parse(target)
		if err != nil || u.Host != "" || u.Scheme != "" || !slices.Contains([]string{"/", page, rig.SmallPage}, target) {
			t.Errorf("%q?%q is redirected to %q", path, query, a.Location)
		}
	})
}
