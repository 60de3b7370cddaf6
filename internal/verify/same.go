package verify

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/verify/visit"
)

// built is a representation or a redirect in a build.
type built struct {
	path, accept string
	// location is the target of a redirect, or "" for a representation.
	location    string
	contentType string
	body        artifact.Body
}

// same compares the site's responses with the representations and redirects in the build: all of them in a thorough
// run, otherwise a sample.
func (r *run) same(ctx context.Context) error {
	c := &Check{Name: "build", Proves: "the served bytes are the bytes of the build"}
	defer r.report.add(c)
	if r.options.Build == nil {
		c.Why = "specify the build folder with --build"
		return nil
	}
	if due := r.options.Build.Manifest.NextDue; !due.IsZero() {
		c.Notes = append(c.Notes, fmt.Sprintf("the next scheduled page is due at %s; build the site again then", due.Format(time.RFC3339)))
	}
	all := listed(r.options.Build.Manifest, r.options.Thorough)
	chosen := all
	if !r.options.Thorough {
		chosen = visit.Sample(all, quickSample)
	}
	if len(chosen) < len(all) {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d representations were compared, spread evenly; --thorough compares all", len(chosen), len(all)))
	}
	findings, err := visit.Each(ctx, chosen, r.compare)
	c.Findings = slices.Concat(findings...)
	return err
}

// listed returns the representations and redirects at the URLs of a build, sorted by path. Unless whole is set, it
// includes only one of the operation's three paths, because requests for these paths count toward the allowance.
func listed(m *artifact.Manifest, whole bool) []built {
	var all []built
	for route := range m.Routes() {
		path := escaped(route.Path())
		switch {
		case route.Kind() == artifact.KindFallback:
		case route.Kind() == artifact.KindRedirect:
			all = append(all, built{path: path, location: route.Target()})
		case route.Kind() == artifact.KindOperation && !whole && route.Path() != artifact.OperationPath:
		default:
			all = append(all, representations(m, route, path)...)
		}
	}
	slices.SortFunc(all, func(a, b built) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.accept, b.accept))
	})
	return all
}

// representations returns the uncompressed representations of a resource.
func representations(m *artifact.Manifest, route artifact.Route, path string) []built {
	var all []built
	for i := range route.Variants() {
		body, ok := m.BodyIn(route.Variant(i), artifact.Identity)
		if !ok {
			continue
		}
		b := built{path: path, body: m.Body(body)}
		for _, f := range m.Fields(route.Variant(i)) {
			if f.Name == "Content-Type" {
				b.contentType = f.Value
			}
		}
		if route.Kind() == artifact.KindPage {
			b.accept = [...]string{"text/html", "text/markdown"}[min(i, 1)]
		}
		all = append(all, b)
	}
	return all
}

// compare requests b, a representation or a redirect, and returns a finding for each difference from the build.
func (r *run) compare(ctx context.Context, b built) ([]*Finding, error) {
	fields := []string{"Accept-Encoding", "identity"}
	request := "GET " + b.path
	if b.accept != "" {
		fields = append(fields, "Accept", b.accept)
		request += " as " + b.accept
	}
	a, err := r.visitor.Ask(ctx, "GET", b.path, fields...)
	if err != nil {
		f, err := unanswered(ctx, request, err)
		return []*Finding{f}, err
	}
	c := &Check{}
	if b.location != "" {
		if a.Status != http.StatusPermanentRedirect || a.Header.Get("Location") != b.location {
			c.find(NoRedirect, request, a.Describe(), "308 Permanent Redirect to "+b.location)
		}
		return c.Findings, nil
	}
	if a.Status != http.StatusOK {
		c.find(Stale, request, a.Describe(), "200 OK")
		return c.Findings, nil
	}
	if got := a.Header.Get("Content-Type"); got != b.contentType {
		c.find(WrongType, request+" header Content-Type", got, b.contentType)
	}
	if declared, digest := a.Header.Get(artifact.FieldReprDigest), string(artifact.AppendReprDigest(nil, artifact.NewSHA256(a.Body))); declared != "" && declared != digest {
		c.find(Rewritten, request+" header "+artifact.FieldReprDigest, declared, digest)
	} else if declared == "" && r.options.Build.Manifest.ReprDigest && r.host.Digests() {
		c.find(Other, request+" header "+artifact.FieldReprDigest, "no such header", digest)
	}
	want := artifact.ETag(b.body.Hash, artifact.Identity)
	switch got := artifact.ETag(artifact.Hash(a.Body), artifact.Identity); {
	case got == want:
		tag := a.Header.Get("ETag")
		declared := r.host.Declares("GET "+b.path+"\n", "header ETag = "+want+" → "+cmp.Or(tag, "no such header"))
		if tag != want && declared == nil {
			c.find(tagSymptom(tag), request+" header ETag", tag, want)
		}
	case a.Header.Get("ETag") == want:
		c.find(Rewritten, request, fmt.Sprintf("different bytes (%d, hash %s) with the ETag of the build", len(a.Body), got), fmt.Sprintf("%d bytes, hash %s", b.body.Size, want))
	default:
		c.find(Stale, request, fmt.Sprintf("%d bytes, hash %s", len(a.Body), got), fmt.Sprintf("%d bytes, hash %s", b.body.Size, want))
	}
	return c.Findings, nil
}
