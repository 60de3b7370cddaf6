package compare

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/verify/visit"
)

// public returns the paths that OfSite requests even if the site doesn't list them.
func public() []string {
	return []string{
		"/llms.txt", "/llms-full.txt", "/robots.txt", "/sitemap.xml", artifact.DescriptionPath, artifact.CatalogPath,
		"/.well-known/security.txt", artifact.DiscoveryPath, artifact.AliasPath, artifact.OperationPath,
	}
}

// OfSite returns the snapshot of a live site. It requests the pages in the site's sitemap and llms.txt, the paths that
// public returns, and the paths in others. others is the snapshot to compare with the result, or nil if there is none.
// OfSite identifies a representation by its ETag or, if the ETag doesn't have the format of the wire contract, by its
// bytes.
func OfSite(ctx context.Context, v *visit.Visitor, others *Snapshot) (*Snapshot, error) {
	tour, err := v.Tour(ctx, 0)
	if err != nil {
		return nil, err
	}
	paths := slices.Concat(tour.Pages, tour.Texts, public())
	for _, page := range tour.Pages {
		paths = append(paths, twinPath(page))
	}
	if others != nil {
		for _, r := range others.Resources {
			paths = append(paths, r.Path)
		}
	}
	for i, path := range paths {
		paths[i] = normal(path)
	}
	slices.Sort(paths)
	found, err := visit.Each(ctx, slices.Compact(paths), func(ctx context.Context, path string) (*Resource, error) {
		return ask(ctx, v, path)
	})
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Format: format, Base: tour.Base, Partial: true}
	for _, r := range found {
		if r != nil {
			s.Resources = append(s.Resources, *r)
		}
	}
	s.sort()
	return s, nil
}

// normal returns the path of a target in the spelling that snapshots of builds use: percent-encoded, and without a
// query. It returns an invalid target unchanged.
func normal(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return target // the request will fail
	}
	return u.EscapedPath()
}

// twinPath returns the path of a page's Markdown.
func twinPath(page string) string {
	if page == "/" {
		return "/index.md"
	}
	return page + ".md"
}

// ask requests a path and returns its resource, which may be a redirect, or nil if the site responds with 404 or 410.
// For any other response except 200, ask returns an error.
func ask(ctx context.Context, v *visit.Visitor, path string) (*Resource, error) {
	r := &Resource{Path: path}
	first, a, err := representation(ctx, v, path, "text/html")
	switch {
	case err != nil:
		return nil, err
	case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
		return nil, nil
	case a.Status >= 300 && a.Status < 400 && a.Header.Get("Location") != "":
		r.Location, err = relative(a.Header.Get("Location"), v.URL())
		return r, err
	case a.Status != http.StatusOK:
		return nil, fmt.Errorf("HEAD %s returned %s; try again later", path, a.Describe())
	}
	r.Variants = append(r.Variants, first)
	if !strings.HasPrefix(first.Type, "text/html") {
		return r, nil
	}
	second, a, err := representation(ctx, v, path, "text/markdown")
	if err == nil && a.Status == http.StatusOK && second.Type != first.Type {
		r.Variants = append(r.Variants, second)
	}
	return r, err
}

// relative removes site, the site's URL, from the start of location. It returns a location on another site unchanged.
func relative(location, site string) (string, error) {
	u, err := url.Parse(location)
	if err != nil {
		return "", fmt.Errorf("parsing a Location header: %w", err)
	}
	if below, ok := strings.CutPrefix(u.String(), site); ok && u.Host != "" && strings.HasPrefix(below, "/") {
		return below, nil
	}
	return u.String(), nil
}

// tag matches an ETag in the format of the wire contract, even if a host has made the ETag weak or added a suffix.
var tag = lazyregexp.New(`^(?:W/)?"([0-9a-f]{16})(?:-[a-z]+)*"$`)

// representation requests one representation of a path. It sends HEAD, and then GET only if the response has no ETag in
// the format of the wire contract. If the status isn't 200, it returns the zero Variant and the response.
func representation(ctx context.Context, v *visit.Visitor, path, accept string) (Variant, *visit.Answer, error) {
	fields := []string{"Accept", accept, "Accept-Encoding", "identity"}
	a, err := v.Ask(ctx, "HEAD", path, fields...)
	if err != nil || a.Status != http.StatusOK {
		return Variant{}, a, err
	}
	known := Variant{Type: a.Header.Get("Content-Type"), Cache: a.Header.Get("Cache-Control")}
	if m := tag.FindStringSubmatch(cmp.Or(a.Header.Get("ETag"), "none")); m != nil && a.Header.Get("Content-Encoding") == "" {
		known.Hash = m[1]
		return known, a, nil
	}
	if a, err = v.Ask(ctx, "GET", path, fields...); err != nil {
		return Variant{}, a, err
	}
	known.Hash = fmt.Sprintf("%016x", artifact.Hash(a.Body))
	return known, a, nil
}
