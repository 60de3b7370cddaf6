//go:build proof

package config_test

import (
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// caches reports whether a host caches responses from vitrined.
func (h host) caches() bool { return h.Name == "nginx" || h.Name == "varnish" }

// keepsNothing reports whether a host runs in front of vitrined without a cache.
func (h host) keepsNothing() bool { return !h.files() && !h.caches() }

// proveVariants requests HTML and Markdown alternately, in many spellings of Accept, and revalidates each response. It
// makes two rounds so that the second may come from the cache. A cache must not mix up representations, and its 304
// must have the ETag of the requested representation.
func (h host) proveVariants(t *testing.T, url string) result {
	for _, path := range []string{"/", "/pricing", "/blog/objection-practice", "/no-such-page"} {
		for range 2 {
			for _, accept := range []string{
				"text/markdown", "text/html", "text/markdown, text/html;q=0.9", "*/*", "text/markdown, text/html, */*",
				"text/markdown;q=0.5, text/html", "TEXT/MARKDOWN", "text/html;q=0.2, text/markdown;q=0.25",
			} {
				want := "text/html"
				switch accept {
				case "text/html", "*/*", "text/markdown;q=0.5, text/html":
				default:
					want = "text/markdown"
				}
				for _, coding := range []string{"", "gzip", "br", "gzip, br"} {
					h.proveVariant(t, url+path, accept, want, coding)
				}
			}
		}
	}
	if !h.caches() {
		return result{Level: "–"}
	}
	h.proveHits(t)
	return result{Level: "exact"}
}

// proveVariant requests one variant, and requests it again with its ETag.
func (h host) proveVariant(t *testing.T, url, accept, want, coding string) {
	t.Helper()
	fields := []string{"Accept", accept}
	if coding != "" {
		fields = append(fields, "Accept-Encoding", coding)
	}
	resp, _ := ask(t, "GET", url, fields...)
	if got := resp.Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
		t.Errorf("%s, Accept: %s, Accept-Encoding: %s returned %s, want %s", url, accept, coding, got, want)
	}
	if got := strings.ReplaceAll(resp.Header.Get("Vary"), ", ", ","); got != "Accept,Accept-Encoding" {
		t.Errorf("%s has Vary: %s", url, got)
	}
	if got := resp.Header.Get("Content-Encoding"); !strings.Contains(coding, got) {
		t.Errorf("%s, Accept-Encoding: %s returned %s", url, coding, got)
	}
	if resp.StatusCode != http.StatusOK {
		return
	}
	tag := resp.Header.Get("ETag")
	again, body := ask(t, "GET", url, append(fields, "If-None-Match", `"a", W/`+tag)...)
	if again.StatusCode != http.StatusNotModified || again.Header.Get("ETag") != tag || body != "" {
		t.Errorf("%s, If-None-Match: %s returned %s with the ETag %s", url, tag, again.Status, again.Header.Get("ETag"))
	}
	other, _ := ask(t, "GET", url, append(fields, "If-None-Match", `"0000000000000000"`)...)
	if other.StatusCode != http.StatusOK {
		t.Errorf("%s, If-None-Match of another returned %s", url, other.Status)
	}
}

// proveHits checks that the cache stores responses: while vitrined is stopped, the cache still serves the responses
// that it stored, and no other responses.
func (h host) proveHits(t *testing.T) {
	t.Helper()
	b := &backend{address: freePort(t)}
	b.fresh(t)
	url := h.start(t, b).url
	for _, accept := range []string{"text/html", "text/markdown"} {
		ask(t, "GET", url+"/pricing", "Accept", accept)
	}
	ask(t, "GET", url+"/api/v1/marketing")
	ask(t, "GET", url+"/no-such-page")
	b.running.stop()
	for accept, want := range map[string]string{"text/html, */*;q=0.1": "text/html", "text/markdown;q=1": "text/markdown"} {
		resp, body := ask(t, "GET", url+"/pricing", "Accept", accept)
		if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), want) || body == "" {
			t.Errorf("without vitrined, /pricing with Accept: %s returned %s, %s", accept, resp.Status, resp.Header.Get("Content-Type"))
		}
	}
	for _, path := range []string{"/api/v1/marketing", "/no-such-page", "/pricing?x=1"} {
		resp, _ := ask(t, "GET", url+path)
		if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("RateLimit") != "" ||
			resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("without vitrined, %s returned %s with %v", path, resp.Status, resp.Header)
		}
	}
}

// proveCounters shows that vitrined counts each request to the operation, and that the counters in the fields are
// correct or missing.
func (h host) proveCounters(t *testing.T, b *backend, url string) result {
	names := []string{"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"}
	if h.files() {
		for _, path := range []string{"/api", "/api/v1/marketing", "/api/marketing", "/api?x", "/", "/api/none"} {
			resp, _ := ask(t, "GET", url+path)
			for _, name := range names {
				if v := resp.Header.Get(name); v != "" {
					t.Errorf("%s carries %s: %s, and nothing counts", path, name, v)
				}
			}
		}
		return result{Level: "–"}
	}
	b.fresh(t)
	for i, request := range []struct{ method, path string }{
		{"GET", "/api/v1/marketing"}, {"GET", "/api/v1/marketing"}, {"HEAD", "/api/v1/marketing"}, {"GET", "/api/marketing"},
		{"GET", "/api"}, {"GET", "/api"}, {"GET", "/api?x"}, {"GET", "/api/v1/marketing"},
	} {
		resp, _ := ask(t, request.method, url+request.path)
		want := strconv.Itoa(119 - i)
		if got := resp.Header.Get("X-RateLimit-Remaining"); got != want || !strings.Contains(resp.Header.Get("RateLimit"), ";r="+want+";") {
			t.Errorf("request %d, %s %s, leaves %s (%s), want %s", i+1, request.method, request.path, got, resp.Header.Get("RateLimit"), want)
		}
	}
	for _, path := range []string{"/", "/pricing", "/llms.txt"} {
		resp, _ := ask(t, "GET", url+path)
		for _, name := range names {
			if v := resp.Header.Get(name); v != "" {
				t.Errorf("%s carries %s: %s", path, name, v)
			}
		}
	}
	return result{Level: "exact"}
}

// provePurge deploys another build to the vitrined behind a host, or to the host itself, and shows that the host serves
// no representation of the old build.
func (h host) provePurge(t *testing.T) result {
	if h.keepsNothing() {
		return result{Level: "–"}
	}
	root := copySite(t)
	site := buildSite(t, root)
	b := &backend{address: freePort(t), dir: site}
	if !h.files() {
		b.fresh(t)
	}
	d := h.start(t, b)
	before := tags(t, d.url)
	edit(t, filepath.Join(root, "content/pricing.md"))
	buildInto(t, root, site)
	if !h.files() {
		b.reload(t)
	}
	if h.caches() {
		if stale := tags(t, d.url); stale != before {
			t.Error("the cache had kept nothing before the deploy")
		}
	}
	d.deploy(t)
	old := strings.Fields(before)
	until(t, h.Name+" answers nothing of the old build", func() bool {
		after := strings.Fields(tags(t, d.url))
		return after[0] != old[0] && after[1] != old[1]
	})
	until(t, h.Name+" answers 200 to an ETag of the old build", func() bool {
		resp, _ := ask(t, "GET", d.url+"/pricing", "Accept", "text/markdown", "If-None-Match", old[1])
		return resp.StatusCode == http.StatusOK
	})
	return result{Level: "exact"}
}

// tags returns the ETags of the HTML and of the Markdown of /pricing.
func tags(t *testing.T, url string) string {
	t.Helper()
	html, _ := ask(t, "GET", url+"/pricing")
	markdown, _ := ask(t, "GET", url+"/pricing", "Accept", "text/markdown")
	return html.Header.Get("ETag") + " " + markdown.Header.Get("ETag")
}

// PURGE removes all representations of one URL, and no other URL. Only permitted clients can purge.
func TestVarnishPurgesOneURL(t *testing.T) {
	tool(t, "varnishd") // before anything is set up for it
	b := &backend{address: freePort(t)}
	b.fresh(t)
	url := startVarnish(t, b).url
	for _, path := range []string{"/pricing", "/features"} {
		tags(t, url)
		ask(t, "GET", url+path)
		ask(t, "GET", url+path, "Accept", "text/markdown")
	}
	for _, method := range []string{"PURGE", "BAN"} {
		if resp, _ := ask(t, method, url+"/features", "X-Forwarded-For", "203.0.113.9"); resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s from elsewhere returned %s", method, resp.Status)
		}
	}
	if resp, _ := ask(t, "PURGE", url+"/pricing"); resp.StatusCode != http.StatusOK {
		t.Errorf("PURGE returned %s", resp.Status)
	}
	b.running.stop()
	for _, accept := range []string{"text/html", "text/markdown"} {
		if resp, _ := ask(t, "GET", url+"/pricing", "Accept", accept); resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("/pricing, which was purged, returned %s to Accept: %s", resp.Status, accept)
		}
		if resp, _ := ask(t, "GET", url+"/features", "Accept", accept); resp.StatusCode != http.StatusOK {
			t.Errorf("/features, which was not purged, returned %s to Accept: %s", resp.Status, accept)
		}
	}
}
