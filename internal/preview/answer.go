package preview

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
)

// page responds with the resource at the requested path, as the production server would, and adds the toolbar to pages.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	now, release, err := s.stage.borrow(r.Context())
	if err != nil {
		// The client disconnected, or the preview is ending.
		http.Error(w, "the preview has ended", http.StatusServiceUnavailable)
		return
	}
	defer release()
	if now.served == nil {
		s.notBuilt(w, r, now)
		return
	}
	answer := &recorder{header: make(http.Header)}
	inner := r.Clone(r.Context())
	if r.Method == http.MethodHead {
		// Handle the request as GET so that the Content-Length of the HEAD response includes the toolbar.
		inner.Method = http.MethodGet
	}
	if paths := artifact.OperationPaths(); !slices.Contains(paths[:], strings.TrimPrefix(r.URL.Path, now.served.mount)) {
		// Ignore these preconditions, except for the JSON API. The preview sends no-store, so clients have no stored
		// responses to revalidate.
		inner.Header.Del("If-None-Match")
		inner.Header.Del("If-Match")
	}
	now.served.handler.ServeHTTP(answer, inner)
	if body := now.early.body(r.URL.EscapedPath(), answer); body != nil {
		answer.replace(body)
	}
	if s.wantsToolbar(now, r, answer) {
		addition, err := script(s.view(now, r.URL.EscapedPath()))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer.replace(inserted(answer.body, addition))
	}
	answer.send(w)
}

// wantsToolbar reports whether a response gets a toolbar: HTML from a source of the site or the theme, or the 404 page.
// Other HTML documents, such as the content editor, don't get a toolbar, because the toolbar could reload them and
// discard the user's input.
func (s *Server) wantsToolbar(now *state, r *http.Request, a *recorder) bool {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		return false
	}
	switch {
	case a.status != http.StatusOK:
		return a.status == http.StatusNotFound
	case now.served.unloaded():
		return now.served.hasTwin(r.URL.EscapedPath())
	}
	page, file := now.served.find(r.URL.EscapedPath())
	return page != nil || file != ""
}

// hasTwin reports whether the resource at a requested path has a Markdown form, as pages do.
func (s *served) hasTwin(path string) bool {
	return s.get(path, "text/markdown").mediaType() == "text/markdown"
}

// notBuilt responds with 503 until the first good build. The response lists the problems that prevent a build, either
// as an HTML page or as plain text, depending on Accept.
func (s *Server) notBuilt(w http.ResponseWriter, r *http.Request, now *state) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		for _, p := range now.Problems {
			fmt.Fprintln(w, p)
		}
		if now.Err != nil {
			fmt.Fprintln(w, now.Err)
		}
		return
	}
	addition, err := script(s.view(now, r.URL.EscapedPath()))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(http.StatusServiceUnavailable)
	const document = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>Not built yet</title>\n</head>\n" +
		"<body>\n<noscript>The site has errors; the terminal that runs vitrine preview lists them.</noscript>\n</body>\n</html>\n"
	_, _ = w.Write(inserted([]byte(document), addition))
}

// recorder stores a response so that it can be modified before it is sent.
type recorder struct {
	header http.Header
	status int
	body   []byte
}

func (a *recorder) Header() http.Header { return a.header }

func (a *recorder) WriteHeader(status int) { a.status = status }

func (a *recorder) Write(b []byte) (int, error) {
	a.body = append(a.body, b...)
	return len(b), nil
}

// mediaType returns the response's media type, without parameters.
func (a *recorder) mediaType() string { return mediaType(a.header.Get("Content-Type")) }

// replace replaces the response's body and updates Content-Length. It removes the ETag, which identifies the old body.
// The new body needs no ETag, because clients don't store responses.
func (a *recorder) replace(body []byte) {
	a.body = body
	a.drop("ETag")
	a.header.Set("Content-Length", strconv.Itoa(len(body)))
}

// drop removes the named header field, ignoring case because the production server spells names as the standards do,
// not in net/http's canonical form.
func (a *recorder) drop(name string) {
	for other := range a.header {
		if strings.EqualFold(other, name) {
			delete(a.header, other)
		}
	}
}

// send sends the response to w, without CDN-Cache-Control, because no cache may store it. If the preview has already
// set a header field in w, that field takes precedence over the production server's field.
func (a *recorder) send(w http.ResponseWriter) {
	a.drop("CDN-Cache-Control")
	for name, values := range a.header {
		if w.Header()[name] == nil {
			w.Header()[name] = slices.Clone(values)
		}
	}
	w.WriteHeader(a.status)
	if len(a.body) > 0 {
		// Ignore the error: the client has disconnected.
		_, _ = w.Write(a.body)
	}
}
