package publish

import (
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// Prepared resources of a part of a build are stored with all their bytes, and adopted by the stage that merges the parts.

// publicBody is the body of a public file, and the manifest entry that refers to it.
type publicBody struct {
	bytes          []byte
	entry, variant int
}

// Record writes or reads the prepared resources of a stage with Options.Part. After reading them, the caller must call
// Adopt.
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

// Public returns the body of a public file that isn't written yet, or nil if there is no such file.
func (p *Prepared) Public(file string) []byte {
	for _, b := range p.public {
		if p.entries[b.entry].Variants[b.variant].File == file {
			return b.bytes
		}
	}
	return nil
}

// Adopt writes the public files of resources read by Record, so that the resources can be appended. It is safe for
// concurrent use.
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
