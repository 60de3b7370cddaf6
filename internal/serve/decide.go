package serve

import (
	"net/http"
	"strings"

	"vitrine/internal/artifact"
)

// Found is where a request's path leads: the resource there, if any.
type Found struct {
	route artifact.Route
	ok    bool
	// path is the request's path, decoded; "" where it cannot be the path of
	// any resource.
	path string
}

// Find looks the path of a request up. What it returns is valid until the
// Request is used for another.
func (s *Site) Find(r *Request) Found {
	if len(r.decoded) < len(r.Path) && strings.IndexByte(r.Path, '%') >= 0 {
		r.decoded = make([]byte, len(r.Path))
	}
	path, ok := DecodePath(r.Path, r.decoded)
	if !ok {
		return Found{}
	}
	route, ok := s.build.Manifest.Lookup(path)
	return Found{route: route, ok: ok, path: path}
}

// Counted reports whether a request for what was found counts toward the
// allowance, whatever comes of it (wire contract §1).
func (f Found) Counted() bool {
	return f.ok && f.route.Kind() == artifact.KindOperation
}

// Decide answers a request. g is what the allowance said, the zero Grant where
// the request is not counted.
func (s *Site) Decide(r *Request, f Found, g Grant) Answer {
	if f.Counted() {
		a := s.decideOperation(r, f.route, g)
		a.Grant = g
		return a
	}
	if !allowed(r.Method) {
		return s.problem(r, http.StatusMethodNotAllowed, artifact.ProblemMethodNotAllowed)
	}
	if !f.ok {
		return s.decideMissing(r, f.path)
	}
	if f.route.Kind() == artifact.KindRedirect {
		return s.redirectTo(r, f.route.Location())
	}
	if r.Method == http.MethodOptions {
		return Answer{Status: http.StatusNoContent, Header: s.options.plain, Reason: "options"}
	}
	if f.route.Kind() == artifact.KindPage {
		return s.represent(r, f.route.Variant(pageVariant(r)))
	}
	return s.represent(r, f.route.Variant(0))
}

// decideOperation takes the decisions of wire contract §1 in their order: a
// precondition counts only where the plain answer would be 2xx (RFC 9110
// §13.2.1), so 429, 405 and 400 outrank 304.
func (s *Site) decideOperation(r *Request, route artifact.Route, g Grant) Answer {
	switch {
	case g.Counted && !g.Allowed:
		return s.problem(r, http.StatusTooManyRequests, artifact.ProblemAllowanceExhausted)
	case !allowed(r.Method):
		return s.problem(r, http.StatusMethodNotAllowed, artifact.ProblemMethodNotAllowed)
	case HasQueryParameter(r.Query, r.HasQuery):
		return s.problem(r, http.StatusBadRequest, artifact.ProblemUnsupportedQuery)
	case r.Method == http.MethodOptions:
		return Answer{Status: http.StatusNoContent, Header: s.options.operation(r), Reason: "options"}
	}
	return s.represent(r, route.Variant(0))
}

// decideMissing answers for a path that no resource has: with a redirect where
// it is an old spelling of a page's path, else with 404.
func (s *Site) decideMissing(r *Request, path string) Answer {
	if r.Path == "*" && r.Method == http.MethodOptions {
		// RFC 9110 §9.3.7: the asterisk asks about the server as a whole.
		return Answer{Status: http.StatusNoContent, Header: s.options.plain, Reason: "options"}
	}
	if canonical, ok := s.canonical(path); ok {
		return s.redirectTo(r, canonical)
	}
	if strings.HasPrefix(path, "/api/") {
		return s.problem(r, http.StatusNotFound, artifact.ProblemNotFound)
	}
	a := s.represent(&Request{Method: r.Method, AcceptEncoding: r.AcceptEncoding}, s.notFound.Variant(pageVariant(r)))
	if a.Status == http.StatusOK {
		a.Status, a.Reason = http.StatusNotFound, artifact.ProblemNotFound
	}
	return a
}

// canonical returns the path of the page that a path with a trailing slash or
// with ".html" means (wire contract §3).
func (s *Site) canonical(path string) (string, bool) {
	trimmed, ok := strings.CutSuffix(path, "/")
	if !ok {
		if trimmed, ok = strings.CutSuffix(path, ".html"); !ok {
			return "", false
		}
	}
	if trimmed == "/index" {
		trimmed = "/"
	}
	route, ok := s.build.Manifest.Lookup(trimmed)
	if !ok {
		return "", false
	}
	switch route.Kind() {
	case artifact.KindPage:
		return escapePath(trimmed), true
	case artifact.KindRedirect:
		return route.Location(), true
	}
	return "", false
}

// represent answers with a variant, in the content coding that the client likes
// best, or with what its preconditions make of that.
func (s *Site) represent(r *Request, v artifact.VariantIndex) Answer {
	coding := artifact.Identity
	if r.AcceptEncoding != "" {
		coding = ChooseCoding(r.AcceptEncoding, true, s.codings(v))
	}
	rep, err := s.representation(v, coding)
	if err != nil {
		a := s.problem(r, http.StatusInternalServerError, artifact.ProblemInternalError)
		a.Err = err
		return a
	}
	// RFC 9110 §13.2.2: If-Match first; If-Modified-Since is not looked at, as
	// no answer carries Last-Modified.
	if r.IfMatch != "" && !MatchesStrongly(r.IfMatch, rep.etag) {
		return s.problem(r, http.StatusPreconditionFailed, artifact.ProblemPreconditionFailed)
	}
	if r.IfNoneMatch != "" && MatchesWeakly(r.IfNoneMatch, rep.etag) {
		return Answer{Status: http.StatusNotModified, Header: rep.notModified, Reason: "not-modified"}
	}
	return respond(r, http.StatusOK, rep, "ok")
}

// problem answers with a problem (RFC 9457).
func (s *Site) problem(r *Request, status int, slug string) Answer {
	return respond(r, status, s.problems[slug], slug)
}

func (s *Site) redirectTo(r *Request, location string) Answer {
	if r.Query != "" {
		// Links arrive with utm_source; what reads it is behind the redirect.
		location += "?" + r.Query
	}
	return Answer{Status: http.StatusPermanentRedirect, Header: s.redirect, Location: location, Reason: "redirect"}
}

func respond(r *Request, status int, rep *representation, reason string) Answer {
	a := Answer{Status: status, Header: rep.full, Reason: reason}
	if r.Method != http.MethodHead {
		a.Body = rep.body
	}
	return a
}

// pageVariant chooses between a page's HTML and its Markdown.
func pageVariant(r *Request) int {
	if r.Accept != "" && PrefersMarkdown(r.Accept) {
		return 1
	}
	return 0
}

// allowed reports whether a method is one of the three that the service has.
func allowed(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
