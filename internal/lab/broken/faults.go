package broken

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"vitrine/internal/artifact"
)

// A Fault is a way in which a host can break the wire contract.
type Fault struct {
	// Between is middleware that adds the fault to a site's responses.
	Between func(http.Handler) http.Handler
	// Want lists findings in the form check/symptom, such as "vary/vary-lost". On every host, verify must report at
	// least one of these findings. The tests of package verify require all of them.
	Want []string
	// Says is a string that a hint or host trait in the report must contain, or "" if any report is acceptable.
	Says string
}

// on returns middleware that applies change to the responses selected by which.
func on(which func(*http.Request, *httptest.ResponseRecorder) bool, change func(*http.Request, *httptest.ResponseRecorder)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
			if which(r, a) {
				change(r, a)
			}
		})
	}
}

// set returns middleware that sets a header field in the responses selected by which, or removes the field if value is
// "".
func set(which func(*http.Request, *httptest.ResponseRecorder) bool, name, value string) func(http.Handler) http.Handler {
	return on(which, func(_ *http.Request, a *httptest.ResponseRecorder) {
		if a.Header().Del(name); value != "" {
			a.Header().Set(name, value)
		}
	})
}

func every(*http.Request, *httptest.ResponseRecorder) bool { return true }
func html(_ *http.Request, a *httptest.ResponseRecorder) bool {
	return strings.HasPrefix(a.Header().Get("Content-Type"), "text/html")
}
func markdown(_ *http.Request, a *httptest.ResponseRecorder) bool {
	return strings.HasPrefix(a.Header().Get("Content-Type"), "text/markdown")
}
func status(code int) func(*http.Request, *httptest.ResponseRecorder) bool {
	return func(_ *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == code }
}
func at(path string) func(*http.Request, *httptest.ResponseRecorder) bool {
	return func(r *http.Request, _ *httptest.ResponseRecorder) bool { return strings.HasPrefix(r.URL.Path, path) }
}

// instead returns middleware that responds in place of the site to the requests selected by which. pairs alternates
// header field names and values.
func instead(which func(*http.Request) bool, code int, pairs ...string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !which(r) {
				next.ServeHTTP(w, r)
				return
			}
			for i := 0; i < len(pairs); i += 2 {
				w.Header().Set(pairs[i], pairs[i+1])
			}
			w.WriteHeader(code)
			fmt.Fprint(w, "<!doctype html><p>something else")
		})
	}
}

// Faults returns the faults that can occur on any host, keyed by a description of the fault. page is the path of the
// site's first article, which some faults affect.
func Faults(page string) map[string]Fault {
	return map[string]Fault{
		"Vary is dropped": {NoVary, []string{"vary/vary-lost", "compression/vary-lost", "head/vary-lost", "errors/vary-lost"}, "removes or rewrites Vary"},
		"a cache mixes HTML and Markdown": {naive, []string{
			"mixing/mixed-representations", "compression/coding-not-asked-for", "conditional/no-304",
		}, "make it honor Vary"},
		"the ETag is stripped": {noTag, []string{
			"vary/etag-lost", "compression/etag-lost", "conditional/etag-lost", "head/etag-lost", "headers/etag-lost", "operation/etag-lost", "build/etag-lost",
		}, "let the ETag through"},
		"compression weakens the ETag": {compressing, []string{"compression/etag-weakened"}, "weakens the ETag"},
		"the host changes the ETag": {suffixed, []string{
			"vary/no-304", "compression/etag-changed", "compression/no-304", "conditional/etag-changed",
		}, "Netlify: it adds -ssl"},
		"a digest does not match the body": {set(html, "Repr-Digest", "sha-256=:AAAA:"), []string{"build/bytes-rewritten"}, "rewrites, minifies, or compresses"},
		"HEAD says that there is nothing": {func(next http.Handler) http.Handler {
			return Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if r.Method == http.MethodHead {
					a.Header().Set("Content-Length", "0")
				}
			})
		}, []string{"head/head-differs", "operation/head-differs"}, "including the length of its body"},
		"a page refreshes instead of a redirect": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 308 {
					Rewrite(a, []byte(`<meta http-equiv="refresh" content="0; url=`+a.Header().Get("Location")+`">`))
					a.Header().Del("Location")
					a.Code = 200
				}
			})
		}, []string{"redirects/no-redirect", "headers/no-redirect", "build/no-redirect"}, "a meta refresh or a second copy"},
		"nosniff is missing on 404": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				a.Header().Set("Server", "nginx/1.29.0")
				if a.Code == 404 {
					a.Header().Del("X-Content-Type-Options")
				}
			})
		}, []string{"headers/security-header-lost"}, "nginx: without always, add_header skips error responses"},
		"the content type is guessed": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if strings.HasPrefix(a.Header().Get("Content-Type"), "text/markdown") {
					a.Header().Set("Content-Type", "application/octet-stream")
				}
			})
		}, []string{"mixing/wrong-content-type"}, "the host's guess"},
		"HTML is rewritten": {func(next http.Handler) http.Handler {
			return Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				a.Header().Set("Cf-Ray", "1")
				if strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") && a.Code == 200 && a.Header().Get("Content-Encoding") == "" && r.Method == "GET" {
					Rewrite(a, append(a.Body.Bytes(), "<script></script>"...))
				}
			})
		}, []string{"compression/bytes-rewritten", "build/bytes-rewritten"}, "Cloudflare: Email Obfuscation"},
		"missing pages are 200": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 404 {
					a.Code = 200
				}
			})
		}, []string{"errors/wrong-status"}, "hides the real status"},
		"errors may be kept": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 404 {
					a.Header().Set("Cache-Control", "public, max-age=600")
				}
			})
		}, []string{"errors/error-may-be-kept"}, "serve it after the cause is fixed"},
		"the operation may be kept": {func(next http.Handler) http.Handler {
			return Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if Operation(r) && a.Code < 400 {
					a.Header().Set("Cache-Control", "max-age=14400")
				}
			})
		}, []string{"operation/operation-may-be-kept"}, "private, max-age=300"},
		"a page gets no response": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == page {
					panic(http.ErrAbortHandler)
				}
				next.ServeHTTP(w, r)
			})
		}, []string{"compression/no-answer", "links/no-answer", "build/no-answer"}, "--timeout"},
		"a page of the sitemap is gone": {func(next http.Handler) http.Handler {
			return Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if r.URL.Path == page {
					a.Code = 410
				}
			})
		}, []string{"compression/wrong-status", "links/link-does-not-answer"}, "deploy the complete build"},
		"a cookie is set":                        {set(every, "Set-Cookie", "__cf_bm=x"), []string{"answers/cookie"}, "sets a cookie"},
		"the site is hidden from search engines": {set(html, "X-Robots-Tag", "noindex"), []string{"indexing/not-indexed"}, "search engines drop the site"},
		"a page is hidden from search engines": {set(func(r *http.Request, _ *httptest.ResponseRecorder) bool { return r.URL.Path == page },
			"X-Robots-Tag", "noindex"), []string{"answers/hidden-from-search"}, "right for a preview"},
		"HEAD has a body": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodHead || r.Header.Get("Connection") != "close" {
					next.ServeHTTP(w, r)
					return
				}
				answer := Record(next, r)
				conn, out, err := w.(http.Hijacker).Hijack()
				if err != nil {
					panic(err)
				}
				defer conn.Close()
				fmt.Fprint(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n")
				answer.Header().Del("Content-Length")
				_ = answer.Header().Write(out)
				fmt.Fprint(out, "\r\nwords")
				_ = out.Flush()
			})
		}, []string{"head/head-differs"}, "HEAD must have the header fields of GET"},
		"the host requires a password": {instead(func(r *http.Request) bool { return true }, 401, "WWW-Authenticate", "Basic"),
			[]string{"discovery/password", "files/password"}, "requires a password"},
		"a firewall rejects requests": {instead(func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/blog") }, 403),
			[]string{"compression/refused"}, "a firewall, a bot challenge"},
		"https is ended twice": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api" || r.URL.Path == "/sitemap.xml" || r.URL.Path == "/llms.txt" {
					next.ServeHTTP(w, r)
					return
				}
				http.Redirect(w, r, "https://"+r.Host+r.RequestURI, http.StatusMovedPermanently)
			})
		}, []string{"mixing/redirect-loop"}, "in a loop"},
		"Markdown is plain text":         {set(markdown, "Content-Type", "text/plain; charset=utf-8"), []string{"mixing/markdown-as-plain-text", "links/markdown-as-plain-text"}, "Markdown is served as text/plain"},
		"the server fails on some pages": {instead(func(r *http.Request) bool { return r.URL.Path == page }, 502), []string{"compression/server-error"}, "check its log for the reason"},
		"answers are slow": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					time.Sleep(3200 * time.Millisecond)
				}
				next.ServeHTTP(w, r)
			})
		}, []string{"answers/slow"}, "responses are slow"},
		"the policy allows scripts in pages": {set(html, "Content-Security-Policy", "default-src 'self' 'unsafe-inline'"), []string{"headers/security-header-lost"}, "set the field on every response"},
		"the policy is lost":                 {set(html, "Content-Security-Policy", ""), []string{"headers/security-header-lost"}, ""},
		"the referrer policy is lost":        {set(html, "Referrer-Policy", ""), []string{"headers/security-header-lost"}, ""},
		"Link is lost":                       {set(html, "Link", ""), []string{"headers/link-field-lost"}, "agents find the Markdown"},
		"redirects are 301":                  {on(status(308), func(_ *http.Request, a *httptest.ResponseRecorder) { a.Code = 301 }), []string{"redirects/no-redirect"}, ""},
		"redirects lose the query": {on(status(308), func(_ *http.Request, a *httptest.ResponseRecorder) {
			path, _, _ := strings.Cut(a.Header().Get("Location"), "?")
			a.Header().Set("Location", path)
		}), []string{"redirects/no-redirect"}, ""},
		"redirects name a host inside": {on(status(308), func(_ *http.Request, a *httptest.ResponseRecorder) {
			a.Header().Set("Location", "http://10.0.0.1:8080"+a.Header().Get("Location"))
		}), []string{"redirects/no-redirect"}, ""},
		"hashed assets are not kept":              {set(at("/assets/"), "Cache-Control", "no-cache"), []string{"files/other"}, ""},
		"OPTIONS is refused":                      {instead(func(r *http.Request) bool { return r.Method == http.MethodOptions }, 405), []string{"headers/wrong-status"}, ""},
		"a page takes POST":                       {instead(func(r *http.Request) bool { return r.Method == http.MethodPost }, 200, "Content-Type", "text/html"), []string{"errors/wrong-status", "operation/wrong-status"}, ""},
		"a 404 is always HTML":                    {func(next http.Handler) http.Handler { return missingHTML(next) }, []string{"errors/wrong-content-type"}, ""},
		"problems are pages":                      {set(at("/api/vitrine"), "Content-Type", "text/html; charset=utf-8"), []string{"errors/wrong-content-type"}, ""},
		"other origins may not read the data":     {set(func(r *http.Request, _ *httptest.ResponseRecorder) bool { return Operation(r) }, "Access-Control-Allow-Origin", ""), []string{"operation/other"}, ""},
		"a cache keeps the operation for a while": {set(func(r *http.Request, _ *httptest.ResponseRecorder) bool { return Operation(r) }, "Age", "30"), []string{"counters/counters-replayed"}, ""},
		"the sitemap is gone":                     {instead(func(r *http.Request) bool { return r.URL.Path == "/sitemap.xml" }, 404), []string{"discovery/link-does-not-answer", "files/wrong-status"}, ""},
		"llms.txt is gone":                        {instead(func(r *http.Request) bool { return r.URL.Path == "/llms.txt" }, 404), []string{"discovery/link-does-not-answer", "files/wrong-status"}, ""},
		"the host has its own robots.txt":         {instead(func(r *http.Request) bool { return r.URL.Path == "/robots.txt" }, 200, "Content-Type", "text/plain; charset=utf-8", "X-Content-Type-Options", "nosniff"), []string{"files/other", "build/not-this-build"}, ""},
		"every path is the home page":             {func(next http.Handler) http.Handler { return single(next) }, []string{"errors/wrong-status"}, ""},
		"Markdown addresses give HTML": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.URL.Path = strings.TrimSuffix(r.URL.Path, ".md")
				r.RequestURI = r.URL.RequestURI()
				next.ServeHTTP(w, r)
			})
		}, []string{"mixing/mixed-representations"}, ""},
		"Accept is lost on the way": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.Header.Del("Accept"); next.ServeHTTP(w, r) })
		}, []string{"mixing/mixed-representations"}, ""},
		"a list in If-None-Match is not read": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.Header.Get("If-None-Match"), ",") {
					r.Header.Del("If-None-Match")
				}
				next.ServeHTTP(w, r)
			})
		}, []string{"conditional/no-304"}, ""},
		"pages are kept by browsers for a day": {set(html, "Cache-Control", "public, max-age=86400"), []string{"headers/other"}, ""},
	}
}

// AllowanceFaults returns faults in the request allowance's counters, for hosts that count requests.
func AllowanceFaults() map[string]Fault {
	return map[string]Fault{
		"counters are replayed": {replaying, []string{"counters/counters-replayed"}, "configure it not to store /api"},
		"the rate-limit fields are lost": {func(next http.Handler) http.Handler {
			return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				for _, name := range []string{artifact.FieldRateLimit, artifact.FieldRateLimitPolicy, artifact.FieldRemaining} {
					a.Header().Del(name)
				}
			})
		}, []string{"counters/counters-lost"}, "clients need them to limit their rate"},
		"all rate-limit fields are lost": {on(every, func(_ *http.Request, a *httptest.ResponseRecorder) {
			for _, name := range []string{artifact.FieldRateLimit, artifact.FieldRateLimitPolicy, artifact.FieldRemaining, artifact.FieldLimit, artifact.FieldReset} {
				a.Header().Del(name)
			}
		}), []string{"counters/counters-lost"}, ""},
	}
}

// LanguageFaults returns the faults that can occur on sites in several languages.
func LanguageFaults() map[string]Fault {
	return map[string]Fault{
		"Content-Language is lost":           {set(every, "Content-Language", ""), []string{"languages/language-lost"}, ""},
		"all pages name one language":        {set(html, "Content-Language", "en"), []string{"languages/language-lost"}, ""},
		"translations are lost":              {set(every, "Link", ""), []string{"languages/link-field-lost"}, ""},
		"a 404 is of another language":       {set(status(http.StatusNotFound), "Content-Language", "xx"), []string{"languages/language-lost"}, ""},
		"the host selects pages by language": {byLanguage, []string{"languages/wrong-status"}, ""},
	}
}

// byLanguage redirects requests for pages according to Accept-Language, like hosts with rules for that field.
func byLanguage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tag := r.Header.Get("Accept-Language"); tag != "" {
			http.Redirect(w, r, "/"+tag+"/", http.StatusFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// MountFaults returns the faults that can occur on sites under the base path mount.
func MountFaults(mount string) map[string]Fault {
	shorten := func(name string) func(http.Handler) http.Handler {
		return on(every, func(_ *http.Request, a *httptest.ResponseRecorder) {
			for i, v := range a.Header()[name] {
				a.Header()[name][i] = strings.ReplaceAll(v, mount+"/", "/")
			}
		})
	}
	return map[string]Fault{
		"redirects lose the path":              {shorten("Location"), []string{"redirects/no-redirect"}, ""},
		"links in header fields lose the path": {shorten("Link"), []string{"headers/link-field-lost", "languages/link-field-lost"}, ""},
	}
}

// AgentFaults returns the faults that can occur on sites that send Markdown to known agents (negotiation.agents).
func AgentFaults() map[string]Fault {
	return map[string]Fault{
		"a cache ignores User-Agent": {byAccept, []string{"agents/mixed-representations"}, ""},
		"Vary lacks User-Agent":      {noAgent, []string{"agents/vary-lost"}, ""},
	}
}

func missingHTML(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/vitrine-verify-no-such-page" {
			r.Header.Del("Accept")
		}
		next.ServeHTTP(w, r)
	})
}

// single serves the home page for missing paths, as hosts of single-page applications do.
func single(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := Record(next, r)
		if answer.Code != http.StatusNotFound {
			Replay(w, r, answer)
			return
		}
		r.URL.Path, r.RequestURI = "/", "/"
		next.ServeHTTP(w, r)
	})
}
