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
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
)

// Site is a build that is being served. It is safe for concurrent use.
type Site struct {
	build *artifact.Build
	// Header classes and bodies are made ready when they are first asked for.
	classes []atomic.Pointer[headerClass]
	bodies  *bodies
	// Fallbacks are ready from the start, so that an error can always be answered.
	notFound artifact.Route
	problems map[string]*representation
	options  optionsHeaders
	redirect Header
	// named is the answer at artifact.BuildPath.
	named representation
	// retirement announces the end of the version where no representation does: with
	// its errors and its OPTIONS. It is nil while nothing is announced.
	retirement *fieldSet
}

// representation is one body with what its header is made of.
type representation struct {
	class  *headerClass
	header Header // of an answer with the body, or its length for HEAD
	body   []byte
	shelf  *Shelf // see Answer
}

// etag appends the validator, which exists even where no answer carries it.
func (r *representation) etag(dst []byte) []byte {
	return artifact.AppendETag(dst, r.header.hash, r.header.coding)
}

// notModified makes the header of a 304.
func (r *representation) notModified(h *Header) {
	*h = r.header
	h.ready, h.described = &r.class.notModified, false
}

// NewSite makes a build ready to be served: the table has been checked already,
// the operation and all error answers are read and checked here, everything
// else when it is first asked for.
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
	body, class := artifact.BuildBody(m.Build), newHeaderClass(artifact.BuildFields(m.Build))
	s.named = representation{class: class, body: body, header: Header{
		ready: &class.full, described: true, hash: artifact.Hash(body), length: int64(len(body)),
	}}
	if m.ReprDigest {
		s.named.header.digest = artifact.NewSHA256(body)
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
		if err := s.represented(new(representation), route.Variant(0), artifact.Identity); err != nil {
			return nil, err
		}
		if path == artifact.OperationPath {
			s.retirement = retirementOf(m.Fields(route.Variant(0)))
		}
	}
	return s, nil
}

// retirementOf takes what announces the end of the version out of the fields of
// its product information (wire contract §8).
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
		return fmt.Errorf("the build has no problem %s", slug)
	}
	s.problems[slug] = new(representation)
	return s.represented(s.problems[slug], route.Variant(0), artifact.Identity)
}

// Build identifies the build that is being served.
func (s *Site) Build() uint64 { return s.build.Manifest.Build }

// Mount is the path that the site stands below on its host, "" for the root.
func (s *Site) Mount() string { return s.build.Manifest.Mount }

// Size is the number of bytes of all bodies that the site can answer with.
func (s *Site) Size() int64 { return s.build.Manifest.Size }

// NextDue is when the next scheduled page of the site is due, zero where none
// waits; see artifact.Manifest.
func (s *Site) NextDue() time.Time { return s.build.Manifest.NextDue }

// codings returns the content codings that a variant is kept in.
func (s *Site) codings(v artifact.VariantIndex) codingSet {
	var set codingSet
	first, count := s.build.Manifest.Bodies(v)
	for i := range count {
		set = set.with(s.build.Manifest.CodingOf(first + artifact.BodyIndex(i)))
	}
	return set
}

// represented fills in a variant in a content coding, which it must have, made
// ready now if it was not yet.
func (s *Site) represented(r *representation, v artifact.VariantIndex, c artifact.Coding) (err error) {
	m := s.build.Manifest
	i, ok := m.BodyIn(v, c)
	if !ok {
		return fmt.Errorf("the build has no %s body of variant %d", c, v)
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

// class returns what the headers of a class of variants have in common, made
// ready now if it was not yet.
func (s *Site) class(i artifact.ClassIndex) (*headerClass, error) {
	if int(i) >= len(s.classes) {
		return nil, fmt.Errorf("the build has no class %d of header fields", i)
	}
	if c := s.classes[i].Load(); c != nil {
		return c, nil
	}
	c := newHeaderClass(artifact.WithBuild(s.build.Manifest.Class(i).Fields, s.Build()))
	s.classes[i].Store(c)
	return c, nil
}
