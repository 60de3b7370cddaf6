package decide

import (
	"net/http"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/field"
)

// Decide returns the response to a request. f must be the result of Find for r. g is the allowance's decision, or the
// zero Grant if the request doesn't count toward the allowance.
func (s *Site) Decide(r *Request, f Found, g Grant) Answer {
	// An Answer is large, so the functions below fill it in instead of returning it. A connection's goroutine then
	// needs only a small stack.
	var a Answer
	if f.Counted() {
		s.decideOperation(&a, r, f.route, g)
		a.Grant = g
		s.announce(&a, f)
	} else {
		s.decidePlain(&a, r, f)
	}
	return a
}

// Reject returns the response to a request that an engine rejects without a decision, such as a malformed request: the
// problem with the given slug. f must be the result of Find for r.
func (s *Site) Reject(r *Request, f Found, g Grant, slug string) Answer {
	var a Answer
	p, _ := artifact.ProblemBySlug(slug)
	s.problem(&a, r, p.Status, slug)
	if f.Counted() {
		a.Grant = g
		s.announce(&a, f)
	}
	return a
}

// announce adds the fields that announce the retirement of the API version to a response at artifact.OperationPath that
// isn't a representation, such as an error. Representations get these fields from their class.
func (s *Site) announce(a *Answer, f Found) {
	if f.path == artifact.OperationPath && a.Status != http.StatusOK && a.Status != http.StatusNotModified {
		a.Header.more = s.retirement
	}
}

func (s *Site) decidePlain(a *Answer, r *Request, f Found) {
	switch {
	case !allowed(r.Method):
		s.problem(a, r, http.StatusMethodNotAllowed, artifact.ProblemMethodNotAllowed)
	case !f.ok && f.path == artifact.BuildPath && r.Method != http.MethodOptions:
		s.precondition(a, r, &s.named)
	case !f.ok && f.path != artifact.BuildPath:
		s.decideMissing(a, r, f.path)
	case f.ok && f.route.Kind() == artifact.KindRedirect:
		s.redirectTo(a, r, f.route.Location())
	case r.Method == http.MethodOptions:
		a.Status, a.Header, a.Reason = http.StatusNoContent, s.options.plain, "options"
	case f.route.Kind() == artifact.KindPage:
		variant := s.pageVariant(r)
		a.Markdown = variant == 1
		s.represent(a, r, f.route.Variant(variant))
	default:
		s.represent(a, r, f.route.Variant(0))
	}
}

// decideOperation decides in the order of wire contract §1. A precondition applies only if the unconditional response
// would be 2xx (RFC 9110 §13.2.1), so 429, 405, and 400 take precedence over 304.
func (s *Site) decideOperation(a *Answer, r *Request, route artifact.Route, g Grant) {
	switch {
	case g.Counted && !g.Allowed:
		s.problem(a, r, http.StatusTooManyRequests, artifact.ProblemAllowanceExhausted)
	case !allowed(r.Method):
		s.problem(a, r, http.StatusMethodNotAllowed, artifact.ProblemMethodNotAllowed)
	case hasQueryParameter(r.Query, r.HasQuery):
		s.problem(a, r, http.StatusBadRequest, artifact.ProblemUnsupportedQuery)
	case r.Method == http.MethodOptions:
		a.Status, a.Header, a.Reason = http.StatusNoContent, s.options.operation(r), "options"
	default:
		s.represent(a, r, route.Variant(0))
	}
}

// decideMissing responds to a path without a resource: with 204 to "OPTIONS *", with a redirect if the path is another
// spelling of the path of a page or a redirect, and with 404 otherwise.
func (s *Site) decideMissing(a *Answer, r *Request, path string) {
	if r.Path == "*" && r.Method == http.MethodOptions {
		// RFC 9110 §9.3.7: the asterisk refers to the entire server.
		a.Status, a.Header, a.Reason = http.StatusNoContent, s.options.plain, "options"
		return
	}
	if canonical, ok := s.canonical(path); ok {
		s.redirectTo(a, r, canonical)
		return
	}
	if s.belowAPI(r.Path) || strings.HasPrefix(path, apiPrefix) {
		s.problem(a, r, http.StatusNotFound, artifact.ProblemNotFound)
		return
	}
	// Preconditions apply only if the unconditional response would be 2xx.
	variant := s.pageVariant(r)
	if strings.HasSuffix(path, ".md") {
		variant = 1
		if r.Accept != "" && PrefersHTML(r.Accept) {
			variant = 0
		}
	}
	var rep representation
	if s.choose(&rep, a, r, s.lost(path).Variant(variant)) {
		respond(a, r, http.StatusNotFound, &rep, artifact.ProblemNotFound)
	}
}

// lost returns the 404 page for path in the language whose folder contains it, or in the site's default language if
// that language has no such page.
func (s *Site) lost(path string) artifact.Route {
	const most = 35 // maximum length of a tag in bytes, so that the call doesn't allocate
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if first == "" || len(first) > most {
		return s.notFound
	}
	var name [len(artifact.NotFoundPage) + 1 + most]byte
	route, ok := s.build.Manifest.Lookup(string(artifact.AppendNotFound(name[:0], first)))
	if !ok || route.Variants() != 2 {
		return s.notFound
	}
	return route
}

// apiPrefix is the prefix of paths, relative to the base path, for which errors are problems (RFC 9457), including
// paths that can't be decoded, such as /api/%00.
const apiPrefix = "/api/"

// belowAPI reports whether raw, a path as sent, starts with the site's base path, percent-encoded or not, and
// apiPrefix.
func (s *Site) belowAPI(raw string) bool {
	for _, c := range []byte(s.build.Manifest.Mount) {
		switch {
		case len(raw) > 0 && raw[0] == c:
			raw = raw[1:]
		case len(raw) > 2 && raw[0] == '%' && c != '/' && field.IsHex(raw[1]) && field.IsHex(raw[2]) && field.HexValue(raw[1])<<4|field.HexValue(raw[2]) == c:
			raw = raw[3:]
		default:
			return false
		}
	}
	return strings.HasPrefix(raw, apiPrefix)
}

// canonical returns the Location to which path redirects (wire contract §3). A page's path with a trailing slash or
// ".html" redirects to the page. A redirect's path with such a suffix redirects to the redirect's target. "/.md"
// redirects to the home page's Markdown. canonical returns false if path doesn't redirect.
func (s *Site) canonical(path string) (string, bool) {
	if path == "/.md" {
		_, ok := s.build.Manifest.Lookup("/index.md")
		return s.build.Manifest.Mount + "/index.md", ok
	}
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
		return string(artifact.AppendEscaped([]byte(s.build.Manifest.Mount), trimmed)), true
	case artifact.KindRedirect:
		return route.Location(), true
	}
	return "", false
}

// represent responds with a variant, or with a 304 or 412 if the request's preconditions require it.
func (s *Site) represent(a *Answer, r *Request, v artifact.VariantIndex) {
	var rep representation
	if s.choose(&rep, a, r, v) {
		s.precondition(a, r, &rep)
	}
}

// precondition responds with rep, or with a 304 or 412 if the request's preconditions require it.
func (s *Site) precondition(a *Answer, r *Request, rep *representation) {
	// RFC 9110 §13.2.2: If-Match comes first. If-Modified-Since is ignored, because no response carries Last-Modified.
	var etag [artifact.MaxETag]byte
	switch {
	case r.HasIfMatch && !matchesStrongly(r.IfMatch, string(rep.etag(etag[:0]))):
		s.problem(a, r, http.StatusPreconditionFailed, artifact.ProblemPreconditionFailed)
	case r.IfNoneMatch != "" && matchesWeakly(r.IfNoneMatch, string(rep.etag(etag[:0]))):
		a.Status, a.Reason = http.StatusNotModified, "not-modified"
		rep.notModified(&a.Header)
	default:
		respond(a, r, http.StatusOK, rep, "ok")
	}
}

// choose selects a variant's representation in the client's preferred content coding. If the
// variant can't be served, it fills in an error response.
func (s *Site) choose(rep *representation, a *Answer, r *Request, v artifact.VariantIndex) (ok bool) {
	coding := artifact.Identity
	if r.AcceptEncoding != "" {
		coding = chooseCoding(r.AcceptEncoding, s.codings(v))
	}
	if err := s.represented(rep, v, coding); err != nil {
		s.problem(a, r, http.StatusInternalServerError, artifact.ProblemInternalError)
		a.Err = err
		return false
	}
	return true
}

// problem responds with a problem (RFC 9457).
func (s *Site) problem(a *Answer, r *Request, status int, slug string) {
	respond(a, r, status, s.problems[slug], slug)
}

func (s *Site) redirectTo(a *Answer, r *Request, location string) {
	if r.Query != "" {
		// Keep the query, because scripts on the target page may read parameters such as utm_source.
		location += "?" + r.Query
	}
	a.Status, a.Header, a.Location, a.Reason = http.StatusPermanentRedirect, s.redirect, location, "redirect"
}

func respond(a *Answer, r *Request, status int, rep *representation, reason string) {
	a.Status, a.Header, a.Reason = status, rep.header, reason
	if r.Method != http.MethodHead {
		a.Body, a.Shelf = rep.body, rep.shelf
	}
}

// pageVariant returns the index of the preferred variant of a page: 0 for its HTML, 1 for its Markdown. It considers
// User-Agent only if the site enables negotiation by User-Agent and Accept expresses no preference.
func (s *Site) pageVariant(r *Request) int {
	if r.Accept != "" && PrefersMarkdown(r.Accept) {
		return 1
	}
	if agents := s.build.Manifest.Agents; agents != nil && LeavesOpen(r.Accept) && agents.AI(r.UserAgent) {
		return 1
	}
	return 0
}

// allowed reports whether a method is GET, HEAD, or OPTIONS, the methods that the server supports.
func allowed(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
