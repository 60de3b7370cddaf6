package publish

import (
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// A part of a build stores its prepared resources with their complete bodies. The stage that merges the parts adds
// these resources to the build with Adopt and Append.

// A publicBody is the body of a public file. entry and variant are the indexes of the manifest entry and its variant
// that refer to the body.
type publicBody struct {
	bytes          []byte
	entry, variant int
}

// Record writes or reads prepared resources of a stage for which Options.Part is set. After reading, the caller must
// call Stage.Adopt.
func (p *Prepared) Record(c codec.Coder) {
	codec.List(c, &p.entries, func(e *artifact.Entry) { recordEntry(c, e) })
	codec.List(c, &p.coded, func(b *codedBody) {
		c.Bytes(&b.bytes)
		codec.Uint(c, &b.entry)
		codec.Uint(c, &b.variant)
		codec.Uint(c, &b.body)
	})
	codec.List(c, &p.public, func(b *publicBody) {
		c.Bytes(&b.bytes)
		codec.Uint(c, &b.entry)
		codec.Uint(c, &b.variant)
	})
}

func recordEntry(c codec.Coder, e *artifact.Entry) {
	c.Text(&e.Path)
	codec.Uint(c, &e.Kind)
	c.Text(&e.Location)
	codec.List(c, &e.Variants, func(v *artifact.EntryVariant) {
		c.Text(&v.File)
		codec.List(c, &v.Fields, func(f *artifact.Field) {
			c.Text(&f.Name)
			c.Text(&f.Value)
		})
		codec.List(c, &v.Bodies, func(b *artifact.Body) {
			codec.Uint(c, &b.Coding)
			c.Hash(&b.Hash)
			codec.Int(c, &b.Size)
			c.Text(&b.Pack)
		})
	})
}

// Public returns the body of the named public file if the file must still be written. Otherwise, it returns nil.
func (p *Prepared) Public(file string) []byte {
	for _, b := range p.public {
		if p.entries[b.entry].Variants[b.variant].File == file {
			return b.bytes
		}
	}
	return nil
}

// Adopt writes the public files of resources that Record has read. The caller can then append the resources. Adopt is
// safe for concurrent use.
func (s *Stage) Adopt(p *Prepared) error {
	if err := s.files.start(); err != nil {
		return err
	}
	for _, b := range p.public {
		e := &p.entries[b.entry]
		v := &e.Variants[b.variant]
		if err := s.files.putPublic(e.Path, &artifact.Variant{File: v.File, Body: b.bytes}, v.Bodies[0]); err != nil {
			return fmt.Errorf("writing %s: %w", e.Path, err)
		}
		p.files++
		p.bytes += int64(len(b.bytes))
	}
	p.public = nil
	return nil
}
