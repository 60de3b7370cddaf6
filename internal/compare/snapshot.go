// Package compare compares two states of a site by their public URLs. It finds added, changed, and moved URLs, URLs
// removed without a redirect, and the URLs that a cache must purge. A state is a build, a live site, or a file exported
// from either.
//
// A snapshot of a live site contains only the pages that the site lists or that were requested. A comparison with a
// live site may therefore miss removed URLs, and is marked as partial.
package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// format is the format version of exported snapshots.
const format = 1

// Snapshot describes a site's responses at its public URLs.
type Snapshot struct {
	Format int `json:"vitrine"`
	// Base is the site's base URL, which consists of the scheme, the host, and the base path.
	Base string `json:"base"`
	// Build is the name of the build, or "" for a live site.
	Build string `json:"build,omitempty"`
	// Partial reports whether the snapshot is from a live site, which may have more resources.
	Partial bool `json:"partial,omitempty"`
	// Resources are sorted by path.
	Resources []Resource `json:"resources"`
}

// Resource describes a site's responses at one path.
type Resource struct {
	// Path is percent-encoded.
	Path string `json:"path"`
	// Location is the target of a redirect, or "" if the resource isn't a redirect.
	Location string `json:"location,omitempty"`
	// Variants are the representations of the resource, one for each media type.
	Variants []Variant `json:"variants,omitempty"`
}

// Variant describes the uncompressed representation in one media type.
type Variant struct {
	Type string `json:"type"`
	// Hash is the XXH64 of the representation's bytes, in 16 hexadecimal digits.
	Hash string `json:"hash"`
	// Header is the hash of the representation's header fields, or "" if they are unknown.
	Header string `json:"header,omitempty"`
	// Cache is the Cache-Control of the representation.
	Cache string `json:"cache,omitempty"`
	// Hidden reports whether the representation is excluded from search engines.
	Hidden bool `json:"hidden,omitempty"`
}

// kept reports whether a shared cache may store the representation.
func (v Variant) kept() bool {
	return !strings.Contains(v.Cache, "private") && !strings.Contains(v.Cache, "no-store")
}

// immutable reports whether the Cache-Control contains the directive immutable. Only files whose names change with
// their content have this directive.
func (v Variant) immutable() bool { return strings.Contains(v.Cache, "immutable") }

// asset reports whether a resource is a file whose name changes with its content, so that each version has its own URL.
func (r Resource) asset() bool { return len(r.Variants) == 1 && r.Variants[0].immutable() }

// page reports whether a resource is a page, which has an HTML and a Markdown representation.
func (r Resource) page() bool { return len(r.Variants) > 1 }

// OfBuild returns the snapshot of a build.
func OfBuild(build *artifact.Build) (*Snapshot, error) {
	m := build.Manifest
	base, err := baseOf(build)
	if err != nil {
		return nil, fmt.Errorf("determining the build's base URL: %w", err)
	}
	s := &Snapshot{Format: format, Base: base, Build: artifact.BuildName(m.Build)}
	for route := range m.Routes() {
		if route.Kind() == artifact.KindFallback {
			continue
		}
		r := Resource{Path: (&url.URL{Path: route.Path()}).EscapedPath(), Location: route.Target()}
		for i := range route.Variants() {
			r.Variants = append(r.Variants, variantOf(m, route.Variant(i)))
		}
		s.Resources = append(s.Resources, r)
	}
	s.sort()
	return s, nil
}

func variantOf(m *artifact.Manifest, i artifact.VariantIndex) Variant {
	var v Variant
	var header strings.Builder
	for _, f := range m.Fields(i) {
		switch f.Name {
		case "Content-Type":
			v.Type = f.Value
		case "Cache-Control":
			v.Cache = f.Value
		case "X-Robots-Tag":
			v.Hidden = strings.Contains(f.Value, "noindex")
		}
		fmt.Fprintf(&header, "%s: %s\n", f.Name, f.Value)
	}
	v.Header = fmt.Sprintf("%016x", artifact.Hash([]byte(header.String())))
	if body, ok := m.BodyIn(i, artifact.Identity); ok {
		v.Hash = fmt.Sprintf("%016x", m.Body(body).Hash)
	}
	return v
}

// baseOf returns a build's base URL. It derives the base URL from the type in one of the build's error responses, which
// is always an absolute URL of the site.
func baseOf(build *artifact.Build) (string, error) {
	p := artifact.ProblemTypes()[0]
	route, ok := build.Manifest.Lookup(artifact.ProblemPrefix + p.Slug)
	if !ok || route.Variants() == 0 {
		return "", fmt.Errorf("the build has no page for the problem type %q", p.Slug)
	}
	body, ok := build.Manifest.BodyIn(route.Variant(0), artifact.Identity)
	if !ok {
		return "", fmt.Errorf("the page for the problem type %q has no body", p.Slug)
	}
	text, err := build.Read(route.Variant(0), body)
	if err != nil {
		return "", err
	}
	var problem struct{ Type string }
	if err := json.Unmarshal(text, &problem); err != nil {
		return "", err
	}
	base, ok := strings.CutSuffix(problem.Type, p.Path())
	if !ok {
		return "", fmt.Errorf("the problem %s has the unexpected type %q", p.Slug, problem.Type)
	}
	return base, nil
}

// ErrSnapshot is wrapped by every error that Read returns.
var ErrSnapshot = errors.New("not a snapshot that this version can read")

// Read reads a snapshot that Snapshot.Write exported.
func Read(r io.Reader) (*Snapshot, error) {
	var s Snapshot
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if s.Format != format {
		return nil, fmt.Errorf("%w: the format version is %d, want %d; export the snapshot again", ErrSnapshot, s.Format, format)
	}
	s.sort()
	return &s, nil
}

// Write writes the snapshot as JSON, for Read.
func (s *Snapshot) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(s)
}

func (s *Snapshot) sort() {
	slices.SortFunc(s.Resources, func(a, b Resource) int { return cmp.Compare(a.Path, b.Path) })
}

// find returns the resource at path, or false if there is none.
func (s *Snapshot) find(path string) (Resource, bool) {
	i, ok := slices.BinarySearchFunc(s.Resources, path, func(r Resource, path string) int { return cmp.Compare(r.Path, path) })
	if !ok {
		return Resource{}, false
	}
	return s.Resources[i], true
}

// answer returns the resource at path, or the redirect from another spelling of a page's path, which snapshots don't
// list. It returns false if the path has no response.
func (s *Snapshot) answer(path string) (Resource, bool) {
	if r, ok := s.find(path); ok {
		return r, true
	}
	of, ok := strings.CutSuffix(path, "/")
	if !ok {
		of, ok = strings.CutSuffix(path, ".html")
	}
	switch {
	case path == mountItself:
		// For a site with a base path, the base path itself redirects to the home page.
		_, ok = s.find("/")
		return Resource{Path: path, Location: "/"}, ok && s.mounted()
	case path == "/.md":
		_, ok = s.find("/index.md")
		return Resource{Path: path, Location: "/index.md"}, ok
	case !ok:
		return Resource{}, false
	case of == "/index":
		of = "/"
	}
	switch r, ok := s.find(of); {
	case ok && r.Location != "":
		return Resource{Path: path, Location: r.Location}, true
	case ok && r.page():
		return Resource{Path: path, Location: of}, true
	}
	return Resource{}, false
}

// addresses returns all paths whose responses a cache may store, in sorted order: the paths of the resources, the other
// spellings of pages and redirects, "/.md", and the base path itself.
func (s *Snapshot) addresses() []string {
	var all []string
	for _, r := range s.Resources {
		all = append(all, r.Path)
		if r.Location != "" || r.page() {
			all = append(all, artifact.Spellings(r.Path)...)
		}
	}
	all = append(all, "/.md")
	if s.mounted() {
		all = append(all, mountItself)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mountItself is the base path without a trailing slash, relative to the site.
const mountItself = ""

// mounted reports whether the site has a base path on its host.
func (s *Snapshot) mounted() bool {
	u, err := url.Parse(s.Base)
	return err == nil && strings.Trim(u.Path, "/") != ""
}

// twinOf returns the page whose Markdown is at path, or false if there is none.
func (s *Snapshot) twinOf(path string) (Resource, bool) {
	of, ok := strings.CutSuffix(path, ".md")
	if !ok {
		return Resource{}, false
	}
	if of == "/index" {
		of = "/"
	}
	r, ok := s.find(of)
	return r, ok && r.page()
}
