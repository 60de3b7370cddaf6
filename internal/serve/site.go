// Package serve answers requests from a build. Decide is the heart of it: a
// pure function from the facts of a request and the state of the allowance to
// a status, a header that was made before, and bytes that were made before. It
// promises the answers of the wire contract, that it never sends bytes which
// are not those of the build, and that deciding does not allocate once a
// representation was asked for the first time. An engine carries decisions to
// the wire: Handler does so for net/http.
package serve

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// Site is a build that is being served. It is safe for concurrent use.
type Site struct {
	build *artifact.Build
	// Representations and bodies are made ready when they are first asked for.
	// A body belongs to all variants of one file, its header to each alone.
	representations []atomic.Pointer[representation]
	bodies          []atomic.Pointer[[]byte]
	// Fallbacks are ready from the start, so that an error can always be told.
	notFound artifact.Route
	problems map[string]*representation
	options  optionsHeaders
	redirect *Header
}

// representation is one body with its header.
type representation struct {
	etag string
	body []byte
	// full is the header of an answer with the body (or its length, for HEAD),
	// notModified that of a 304.
	full, notModified *Header
}

// NewSite makes a build ready to be served: the table has been checked already,
// the operation and all error answers are read and checked here, everything
// else when it is first asked for.
func NewSite(build *artifact.Build) (*Site, error) {
	m := build.Manifest
	s := &Site{
		build:           build,
		representations: make([]atomic.Pointer[representation], m.VariantCount()*artifact.Codings),
		bodies:          make([]atomic.Pointer[[]byte], m.BodyCount()),
		problems:        make(map[string]*representation),
		options:         newOptionsHeaders(),
		redirect:        newHeader(artifact.RedirectFields()...),
	}
	var ok bool
	if s.notFound, ok = m.Lookup(artifact.NotFoundPage); !ok || s.notFound.Variants() != 2 {
		return nil, fmt.Errorf("the build has no %s pair", artifact.NotFoundPage)
	}
	for _, p := range artifact.ProblemTypes() {
		if err := s.readyProblem(p.Slug); err != nil {
			return nil, err
		}
	}
	for _, path := range artifact.OperationPaths() {
		route, ok := m.Lookup(path)
		if !ok || route.Kind() != artifact.KindOperation || route.Variants() != 1 {
			return nil, fmt.Errorf("the build has no operation at %s", path)
		}
		if _, err := s.representation(route.Variant(0), artifact.Identity); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Site) readyProblem(slug string) error {
	route, ok := s.build.Manifest.Lookup(artifact.ProblemPrefix + slug)
	if !ok || route.Variants() != 1 {
		return fmt.Errorf("the build has no problem %s", slug)
	}
	r, err := s.representation(route.Variant(0), artifact.Identity)
	if err != nil {
		return err
	}
	s.problems[slug] = r
	return nil
}

// Build identifies the build that is being served.
func (s *Site) Build() uint64 { return s.build.Manifest.Build }

// codings returns the content codings that a variant is kept in.
func (s *Site) codings(v artifact.VariantIndex) CodingSet {
	var set CodingSet
	for c := range artifact.Coding(artifact.Codings) {
		if _, ok := s.build.Manifest.BodyIn(v, c); ok {
			set = set.With(c)
		}
	}
	return set
}

// representation returns a variant in a content coding, which it must have,
// made ready now if it was not yet.
func (s *Site) representation(v artifact.VariantIndex, c artifact.Coding) (*representation, error) {
	slot := &s.representations[int(v)*artifact.Codings+int(c)]
	if r := slot.Load(); r != nil {
		return r, nil
	}
	i, ok := s.build.Manifest.BodyIn(v, c)
	if !ok {
		return nil, fmt.Errorf("the build has no %s body of variant %d", c, v)
	}
	body, err := s.body(v, i)
	if err != nil {
		return nil, err
	}
	record := s.build.Manifest.Body(i)
	r := newRepresentation(s.build.Manifest.Fields(v), artifact.ETag(record.Hash, c), c, body)
	slot.Store(r)
	return r, nil
}

func (s *Site) body(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
	slot := &s.bodies[i]
	if b := slot.Load(); b != nil {
		return *b, nil
	}
	body, err := s.build.Read(v, i)
	if err != nil {
		return nil, err
	}
	slot.Store(&body)
	return body, nil
}

func newRepresentation(fields []artifact.Field, etag string, c artifact.Coding, body []byte) *representation {
	full := append([]artifact.Field(nil), fields...)
	if !hasField(fields, noValidator) {
		full = append(full, artifact.Field{Name: "ETag", Value: etag})
	}
	if c != artifact.Identity {
		full = append(full, artifact.Field{Name: "Content-Encoding", Value: c.String()})
	}
	full = append(full, artifact.Field{Name: "Content-Length", Value: strconv.Itoa(len(body))})
	return &representation{
		etag: etag, body: body,
		full: newHeader(full...), notModified: newHeader(notModifiedFields(full)...),
	}
}

// noValidator is in the header of answers that have no ETag: errors, which no
// request can be conditional on.
var noValidator = artifact.Field{Name: "Cache-Control", Value: artifact.ErrorCacheControl}

func hasField(fields []artifact.Field, f artifact.Field) bool {
	for i := range fields {
		if fields[i] == f {
			return true
		}
	}
	return false
}

// notModifiedFields leaves out what describes a body: a 304 has none, and its
// receiver has those fields already (RFC 9110 §15.4.5).
func notModifiedFields(full []artifact.Field) []artifact.Field {
	var kept []artifact.Field
	for _, f := range full {
		if strings.HasPrefix(f.Name, "Content-Type") || f.Name == "Content-Encoding" ||
			f.Name == "Content-Length" || f.Name == "X-Markdown-Tokens" {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
