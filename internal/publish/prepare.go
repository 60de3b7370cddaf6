package publish

import (
	"fmt"
	"slices"

	"vitrine/internal/artifact"
)

// A Prepared is a group of resources whose public files have been written and whose bodies have been compressed.
// Stage.Append adds the resources to the build.
type Prepared struct {
	// kept contains the positions of reused resources in the manifest of the previous build. If kept isn't nil, the
	// other fields are empty.
	kept    []uint32
	entries []artifact.Entry
	coded   []codedBody
	files   int
	bytes   int64
	// public contains the bodies of public files that must still be written; see Stage.Adopt.
	public []publicBody
}

// A codedBody is a body to write to a pack. entry, variant, and body are indexes of the manifest entry, its variant,
// and the variant's body.
type codedBody struct {
	bytes                []byte
	entry, variant, body int
}

// Prepare writes the public files of the resources and compresses their bodies. If Options.Part is set, Prepare keeps
// the public files in memory instead of writing them; see Adopt. If several variants have the same public file, all of
// them must be passed in one call, which writes and compresses the file once. Prepare is safe for concurrent use.
func (s *Stage) Prepare(resources ...artifact.Resource) (*Prepared, error) {
	if !s.options.Part {
		if err := s.files.start(); err != nil {
			return nil, err
		}
	}
	p := &Prepared{entries: make([]artifact.Entry, len(resources))}
	written := make(map[string]bool)
	for i := range resources {
		r := &resources[i]
		e := &p.entries[i]
		e.Path, e.Kind, e.Location = r.Path, r.Kind, r.Location
		e.Variants = make([]artifact.EntryVariant, len(r.Variants))
		for j := range r.Variants {
			v := &r.Variants[j]
			e.Variants[j] = artifact.EntryVariant{File: v.File, Fields: s.every(v.Fields)}
			if v.File != "" && written[v.File] {
				continue
			}
			written[v.File] = true
			if err := s.prepareVariant(p, r.Path, v, i, j); err != nil {
				return nil, fmt.Errorf("preparing %s: %w", r.Path, err)
			}
		}
	}
	return p, nil
}

// PrepareKept prepares the unchanged resources at paths, which must be in the previous build.
func (s *Stage) PrepareKept(paths ...string) (*Prepared, error) {
	last, p := s.Last(), new(Prepared)
	for _, path := range paths {
		var place uint32
		known := false
		if last != nil {
			place, known = last.Place(path)
		}
		if !known {
			return nil, fmt.Errorf("reusing %s: it is not in the previous build", path)
		}
		p.kept = append(p.kept, place)
	}
	return p, nil
}

// every returns fields, followed by the fields in Options.Every whose names don't occur in fields.
func (s *Stage) every(fields []artifact.Field) []artifact.Field {
	for _, f := range s.options.Every {
		if !slices.ContainsFunc(fields, func(own artifact.Field) bool { return own.Name == f.Name }) {
			fields = append(fields[:len(fields):len(fields)], f)
		}
	}
	return fields
}

func (s *Stage) prepareVariant(p *Prepared, resource string, v *artifact.Variant, entry, variant int) error {
	bodies := []artifact.Body{{Coding: artifact.Identity, Hash: artifact.Hash(v.Body), Size: int64(len(v.Body))}}
	switch {
	case v.File != "" && s.options.Part:
		p.public = append(p.public, publicBody{v.Body, entry, variant})
	case v.File != "":
		if err := s.files.putPublic(resource, v, bodies[0]); err != nil {
			return err
		}
		p.files++
		p.bytes += int64(len(v.Body))
	default:
		bodies[0].Pack = provisionalPack
		p.coded = append(p.coded, codedBody{bytes: v.Body, entry: entry, variant: variant, body: 0})
	}
	if artifact.Compressible(v.MediaType()) {
		codings := s.options.Codings
		if artifact.Shared(v.MediaType()) {
			codings = slices.Concat(codings, s.options.SharedCodings)
		}
		for _, coding := range codings {
			coded, err := s.encoders.encode(v.Body, coding)
			if err != nil {
				return err
			}
			if coded == nil {
				continue
			}
			bodies = append(bodies, artifact.Body{
				Coding: coding, Hash: artifact.Hash(coded), Size: int64(len(coded)), Pack: provisionalPack,
			})
			p.coded = append(p.coded, codedBody{bytes: coded, entry: entry, variant: variant, body: len(bodies) - 1})
		}
	}
	p.entries[entry].Variants[variant].Bodies = bodies
	return nil
}

// Append adds prepared resources to the build. It must not be called concurrently. The order of the calls must be the
// same in every build of the same site.
func (s *Stage) Append(p *Prepared) error {
	if p.kept != nil {
		return s.Reuse(p.kept)
	}
	before := s.packs.size
	for _, c := range p.coded {
		body := &p.entries[c.entry].Variants[c.variant].Bodies[c.body]
		offset, err := s.packs.appendCoded(c.bytes)
		if err != nil {
			return err
		}
		body.Pack, body.Offset = s.packs.packName(), offset
	}
	s.manifest.Add(p.entries...)
	for i := range p.entries {
		if p.entries[i].Kind == artifact.KindPage {
			s.summary.Pages++
		}
	}
	s.summary.Files += p.files
	s.summary.Bytes += p.bytes
	if len(p.entries) == 0 {
		return nil
	}
	return s.packs.endGroup(p.entries[0].Path, before)
}

// Expect sets the average size of packs for a site with the given number of pages. Call it before Append and Reuse.
func (s *Stage) Expect(pages int) { s.packs.expect(pages) }

// EndSegment ends the current pack. Call it before appending resources that change at other times.
func (s *Stage) EndSegment() error { return s.packs.endSegment() }
