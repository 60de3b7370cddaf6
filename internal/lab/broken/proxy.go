package broken

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/verify/visit"
)

// Proxy starts a proxy that applies between to the responses of the site at the given address, and returns the site's
// address through the proxy. The requests that the middleware receives have paths relative to the site's base path. The
// proxy stops at the end of the test.
func Proxy(t testing.TB, site string, between func(http.Handler) http.Handler) string {
	t.Helper()
	u, err := visit.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	mount := strings.TrimSuffix(u.Path, "/")
	transport := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	forward := &httputil.ReverseProxy{
		Transport: transport, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = u.Scheme, u.Host, r.In.Host
		},
	}
	server := httptest.NewServer(below(mount, between(addMount(mount, forward))))
	t.Cleanup(server.Close)
	return server.URL + mount
}

// mounted is the key of a value that below adds to the context of a request when it removes the base path.
type mounted struct{}

// below removes the base path mount from the paths of requests. It doesn't change requests outside mount.
func below(mount string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, mount); ok && mount != "" && strings.HasPrefix(rest, "/") {
			r = r.WithContext(context.WithValue(r.Context(), mounted{}, true))
			r.URL = &url.URL{Path: rest, RawPath: strings.TrimPrefix(r.URL.RawPath, mount), RawQuery: r.URL.RawQuery, ForceQuery: r.URL.ForceQuery}
		}
		next.ServeHTTP(w, r)
	})
}

// addMount restores the base path mount in the requests from which below removed it.
func addMount(mount string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(mounted{}) != nil {
			u := *r.URL
			if u.Path = mount + u.Path; u.RawPath != "" {
				u.RawPath = mount + u.RawPath
			}
			r = r.WithContext(r.Context())
			r.URL = &u
		}
		next.ServeHTTP(w, r)
	})
}
