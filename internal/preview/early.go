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

// Early is a page as the build in progress will publish it. The preview shows the page before the build is complete, so
// that the author doesn't have to wait for the other pages of a large site.
type Early struct {
	// page is the page, with its current source.
	page *site.Page
	// mount is the site's base path.
	mount string
	// bodies contains the page's representations, keyed by media type, such as "text/html".
	bodies map[string][]byte
	// identity distinguishes this version of the page from other versions at the same path.
	identity string
}

// NewEarly returns page with its representations. resources contains the resources that the build will publish for
// page, including these representations. NewEarly doesn't copy the bodies of the representations.
func NewEarly(page *site.Page, resources []artifact.Resource) *Early {
	e := &Early{page: page, bodies: make(map[string][]byte)}
	for _, r := range resources {
		if r.Path != page.Path {
			continue
		}
		for _, v := range r.Variants {
			e.bodies[mediaType(v.MediaType())] = v.Body
		}
	}
	h := xxhash.New()
	_, _ = h.WriteString(page.Path)
	for _, media := range slices.Sorted(maps.Keys(e.bodies)) {
		_, _ = h.Write(e.bodies[media])
	}
	e.identity = "page-" + strconv.FormatUint(h.Sum64(), 16)
	return e
}

// isAt reports whether e isn't nil and its page is at path, a decoded path on the host that includes the base path.
func (e *Early) isAt(path string) bool { return e != nil && e.mount+e.page.Path == path }

// body returns the early body that replaces the body of answer, the response at a requested path. It returns nil if
// answer isn't a representation of the early page.
func (e *Early) body(path string, answer *recorder) []byte {
	path = decodedPath(path)
	if e == nil || answer.status != http.StatusOK || !e.isAt(path) && path != e.mount+e.page.MarkdownPath() {
		return nil
	}
	return e.bodies[answer.mediaType()]
}

// mediaType returns the media type in a Content-Type without parameters. If the value is malformed, it returns "",
// which no representation has as its media type.
func mediaType(contentType string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	return media
}

// showEarly shows the changed page if it can be rendered before the build is complete and differs from the served page.
// It does nothing before the first good build or after a failed build.
func (s *Server) showEarly(ctx context.Context, changed []string, began time.Time) {
	now := s.stage.now()
	if s.options.Early == nil || now == nil || now.served == nil || now.Failed() {
		return
	}
	made := s.options.Early(changed)
	if made == nil || ctx.Err() != nil || now.early == nil && now.served.has(made) {
		return
	}
	next := &state{Outcome: now.Outcome, found: now.found, served: now.served, early: made}
	next.Number, next.Changed, next.Took = s.number+1, changed, time.Since(began)
	// The served build stays the same, so put has no build to close.
	_ = s.stage.put(next)
}

// confirm sets s.shown to e if the build contains the early page unchanged. The page then keeps its identity, so
// browsers don't reload it.
func (s *served) confirm(e *Early) {
	if e != nil && s.has(e) {
		s.shown = e
	}
}

// has reports whether s contains the page of e exactly as it was rendered early.
func (s *served) has(e *Early) bool {
	for media, body := range e.bodies {
		answer := s.get(escapedPath(e.mount+e.page.Path), media)
		if answer.mediaType() != media || !bytes.Equal(answer.body, body) {
			return false
		}
	}
	return true
}

// get returns the response to a GET request for path that accepts only the given media type. path is percent-encoded.
func (s *served) get(path, media string) *recorder {
	request := &http.Request{
		Method: http.MethodGet, URL: &url.URL{Path: decodedPath(path), RawPath: path}, Header: http.Header{"Accept": {media}},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	answer := &recorder{header: make(http.Header)}
	s.handler.ServeHTTP(answer, request)
	return answer
}
