// Package decide decides the response to a request from a build. Decide is a pure function from a request and the state
// of the allowance to a status, a prepared header, and prepared bytes. Its responses follow the wire contract and never
// contain bytes from outside the build. It doesn't allocate after the first request for a representation. It opens no
// sockets: the engines in package serve send the responses to clients.
package decide

import (
	"fmt"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
)

// Site is a build prepared for serving. It is safe for concurrent use.
type Site struct {
	build *artifact.Build
	// Header classes and bodies are prepared at their first request.
	classes []atomic.Pointer[headerClass]
	bodies  *bodies
	// Fallbacks are prepared in NewSite so that an error always has a response.
	notFound artifact.Route
	problems map[string]*representation
	options  optionsHeaders
	redirect Header
	// named is the response at artifact.BuildPath.
	named representation
	// retirement contains the fields that announce the retirement of the API version in responses that aren't
	// representations: errors and OPTIONS. It is nil if the site announces no retirement.
	retirement *fieldSet
}

// representation is one body of a resource, with the parts of its header.
type representation struct {
	class  *headerClass
	header Header // header of every response except a 304
	body   []byte
	shelf  *Shelf // see Answer
}

// etag appends the representation's ETag to dst. Preconditions need the ETag even if responses don't include it.
func (r *representation) etag(dst []byte) []byte {
	return artifact.AppendETag(dst, r.header.hash, r.header.coding)
}

// notModified sets h to the header of a 304 response.
func (r *representation) notModified(h *Header) {
	*h = r.header
	h.ready, h.described = &r.class.notModified, false
}

// NewSite prepares a build, whose manifest has already been checked, for serving. It reads the responses of the JSON
// API and all problems, and returns an error if any of them is missing or damaged. Other bodies, including the 404
// pages, are read and checked at their first request.
func NewSite(build *artifact.Build) (*Site, error) {
	m := build.Manifest
	s := &Site{
		build:    build,
		classes:  make([]atomic.Pointer[headerClass], m.ClassCount()),
		bodies:   newBodies(build),
		problems: make(map[string]*representation),
		options:  newOptionsHeaders(),
		redirect: fixedHeader(artifact.WithBuild(artifact.RedirectFields(), m.Build)...),
	}
	s.nameBuild(artifact.BuildBody(m.Build))
	var ok bool
	if s.notFound, ok = m.Lookup(artifact.NotFoundPage); !ok || s.notFound.Variants() != 2 {
		return nil, fmt.Errorf("the build has no %s page in HTML and Markdown", artifact.NotFoundPage)
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
		if err := s.represented(new(representation), route.Variant(0), artifact.Identity); err != nil {
			return nil, err
		}
		if path == artifact.OperationPath {
			s.retirement = retirementOf(m.Fields(route.Variant(0)))
		}
	}
	return s, nil
}

// nameBuild prepares the response at artifact.BuildPath, which has the given body.
func (s *Site) nameBuild(body []byte) {
	m := s.build.Manifest
	class := newHeaderClass(artifact.BuildFields(m.Build))
	s.named = representation{class: class, body: body, header: Header{
		ready: &class.full, described: true, hash: artifact.Hash(body), length: int64(len(body)),
	}}
	if m.ReprDigest {
		s.named.header.digest = artifact.NewSHA256(body)
	}
}

// Announce adds a to the response at artifact.BuildPath if a differs from the build's allowance. If a is nil, vitrine
// verify then expects no rate-limit fields from the server. The caller must call Announce before it serves the site.
func (s *Site) Announce(a *Allowance) {
	m := s.build.Manifest
	if a.Limit() != m.Limit || a.Window() != m.Window {
		s.nameBuild(artifact.BuildBodyWith(m.Build, a.String()))
	}
}

// retirementOf returns the fields of the product information that announce the retirement of the API version, or nil if
// there are no such fields (wire contract §1).
func retirementOf(fields []artifact.Field) *fieldSet {
	var announced []artifact.Field
	for _, f := range fields {
		if f.Name == artifact.FieldDeprecation || f.Name == artifact.FieldSunset {
			announced = append(announced, f)
		}
	}
	if announced == nil {
		return nil
	}
	set := newFieldSet(announced)
	return &set
}

func (s *Site) readyProblem(slug string) error {
	route, ok := s.build.Manifest.Lookup(artifact.ProblemPrefix + slug)
	if !ok || route.Variants() != 1 {
		return fmt.Errorf("the build has no body for the problem type %q", slug)
	}
	s.problems[slug] = new(representation)
	return s.represented(s.problems[slug], route.Variant(0), artifact.Identity)
}

// Build returns the number that identifies the build being served.
func (s *Site) Build() uint64 { return s.build.Manifest.Build }

// Mount returns the site's base path on its host, or "" for the root.
func (s *Site) Mount() string { return s.build.Manifest.Mount }

// Size returns the total size in bytes of all bodies that the site can serve.
func (s *Site) Size() int64 { return s.build.Manifest.Size }

// NextDue returns the publication time of the next scheduled page, or the zero time if there is
// none; see artifact.Manifest.
func (s *Site) NextDue() time.Time { return s.build.Manifest.NextDue }

// codings returns the content codings in which a variant is stored.
func (s *Site) codings(v artifact.VariantIndex) codingSet {
	var set codingSet
	first, count := s.build.Manifest.Bodies(v)
	for i := range count {
		set = set.with(s.build.Manifest.CodingOf(first + artifact.BodyIndex(i)))
	}
	return set
}

// represented sets r to the representation of v in the content coding c, which must be available. It prepares the
// header class and the body at their first use.
func (s *Site) represented(r *representation, v artifact.VariantIndex, c artifact.Coding) (err error) {
	m := s.build.Manifest
	i, ok := m.BodyIn(v, c)
	if !ok {
		return fmt.Errorf("the build has no %s body for variant %d", c, v)
	}
	h := &r.header
	h.hash, h.length = m.Digest(i)
	if r.body, err = s.bodies.get(v, i, h.length); err != nil {
		return err
	}
	r.shelf = s.bodies.shelf
	h.digest = s.bodies.digest(i)
	var class artifact.ClassIndex
	class, h.path, h.argument = m.ClassOf(v)
	if r.class, err = s.class(class); err != nil {
		return err
	}
	h.ready, h.validated, h.described, h.coding = &r.class.full, r.class.validated, true, c
	return nil
}

// class returns the header fields shared by a class of variants. It prepares these fields at their first use.
func (s *Site) class(i artifact.ClassIndex) (*headerClass, error) {
	if int(i) >= len(s.classes) {
		return nil, fmt.Errorf("the build has no header class %d", i)
	}
	if c := s.classes[i].Load(); c != nil {
		return c, nil
	}
	c := newHeaderClass(artifact.WithBuild(s.build.Manifest.Class(i).Fields, s.Build()))
	s.classes[i].Store(c)
	return c, nil
}
