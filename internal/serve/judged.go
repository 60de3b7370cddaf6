package serve

import (
	"fmt"
	"net/http"
	"net/url"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
)

// Judged returns a handler for addresses that serve no site, such as the addresses for redirects and metrics. Their
// listeners must be returned by Gated. A request that the gate rejects gets the status of its problem; next serves all
// other requests. Every response has Cache-Control: no-store and X-Content-Type-Options: nosniff. Without a gate, the
// handler responds with 500.
func Judged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		if r.ContentLength != 0 {
			header.Set("Connection", "close") // the gate doesn't check requests after a body
		}
		gate, ok := r.Context().Value(gateKey{}).(*Gate)
		if !ok {
			http.Error(w, "the listener has no gate", http.StatusInternalServerError)
			return
		}
		h := gate.ask()
		switch {
		case h == nil:
		case h.slug != "":
			p, _ := artifact.ProblemBySlug(h.slug)
			header.Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(p.Status)
			fmt.Fprintln(w, p.Detail, p.Resolution)
			return
		default:
			r = withTarget(r, &h.request)
		}
		next.ServeHTTP(w, r)
	})
}

// withTarget returns r with the target sent by the client. If net/url can't parse that target, withTarget returns r
// unchanged, with the gate's replacement as its target.
func withTarget(r *http.Request, sent *decide.Request) *http.Request {
	target := sent.Path
	if sent.HasQuery {
		target += "?" + sent.Query
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return r
	}
	r = r.Clone(r.Context())
	r.URL = u
	return r
}
