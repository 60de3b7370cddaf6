package preview

import (
	"bytes"
	"context"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Early is a page as the build that is being made will have it: in a large site
// whoever writes it need not wait for all the others.
type Early struct {
	// Page is what the site has at the page's path, with the source as it is now.
	Page *site.Page
	// Bodies are its representations by their media types, such as "text/html".
	Bodies map[string][]byte
}

// early is an Early that is shown.
type early struct {
	Early
	identity string
}

func newEarly(e Early) *early {
	h := xxhash.New()
	_, _ = h.WriteString(e.Page.Path)
	for _, media := range slices.Sorted(maps.Keys(e.Bodies)) {
		_, _ = h.Write(e.Bodies[media])
	}
	return &early{e, "page-" + strconv.FormatUint(h.Sum64(), 16)}
}

// isAt reports whether the page is the one at a path, as the site knows it.
func (e *early) isAt(path string) bool { return e != nil && e.Page.Path == path }

// body returns the representation of the page that an answer at a path, as it
// was requested, has to have; nil where it is an answer of its own.
func (e *early) body(path string, answer *recorder) []byte {
	path = decodedPath(path)
	if e == nil || answer.status != http.StatusOK || !e.isAt(path) && path != e.Page.MarkdownPath() {
		return nil
	}
	return e.Bodies[mediaType(answer)]
}

func mediaType(answer *recorder) string {
	// A type that cannot be read is that of no representation.
	media, _, _ := mime.ParseMediaType(answer.header.Get("Content-Type"))
	return media
}

// hurry shows the page that a change concerns, where it can be made ahead of the
// build. While there are errors nothing is shown ahead: the last good build stays.
func (s *Server) hurry(ctx context.Context, changed []string, began time.Time) {
	now := s.stage.now()
	if s.options.Early == nil || now == nil || now.served == nil || now.Failed() {
		return
	}
	made, ok := s.options.Early(ctx, changed)
	if !ok || ctx.Err() != nil || now.early == nil && now.served.has(made) {
		return
	}
	next := &state{Outcome: now.Outcome, found: now.found, served: now.served, early: newEarly(made)}
	next.Number, next.Changed, next.Took = s.number+1, changed, time.Since(began)
	// The build that is served stays open, so that there is nothing to close.
	_ = s.stage.put(next)
}

// confirm has a page keep the identity that it was shown with ahead of this
// build, where the build has the same.
func (s *served) confirm(e *early) {
	if e != nil && s.has(e.Early) {
		s.shown = e
	}
}

// has reports whether a build has a page as it was made ahead of one.
func (s *served) has(e Early) bool {
	for media, body := range e.Bodies {
		request := &http.Request{
			Method: http.MethodGet, URL: &url.URL{Path: e.Page.Path}, Header: http.Header{"Accept": {media}},
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		}
		answer := &recorder{header: make(http.Header)}
		s.handler.ServeHTTP(answer, request)
		if mediaType(answer) != media || !bytes.Equal(answer.body, body) {
			return false
		}
	}
	return true
}

// EarlyBodies are the representations of a page among the resources that it is
// published as.
func EarlyBodies(path string, resources []artifact.Resource) map[string][]byte {
	bodies := make(map[string][]byte)
	for _, r := range resources {
		if r.Path != path {
			continue
		}
		for _, v := range r.Variants {
			media, _, _ := mime.ParseMediaType(v.MediaType())
			bodies[media] = v.Body
		}
	}
	return bodies
}
