package artifact

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/cespare/xxhash/v2"
)

// ErrManifest is wrapped by every refusal of a manifest's bytes.
var ErrManifest = errors.New("not a manifest that this version can serve")

// Manifest is the table of a build's resources, read from its bytes. It is
// safe for concurrent use, and looking a path up does not allocate.
type Manifest struct {
	data string
	// Build identifies the build: the checksum of the table, which covers the
	// hash of every representation.
	Build uint64
	// Limit and Window are the request allowance of an instance.
	Limit  int
	Window time.Duration

	routes, variants, bodies, uses, fields, packs section
	text                                          string
}

// section is a run of records of one size.
type section struct {
	data  string
	size  int
	count int
}

func (s section) record(i int) string {
	return s.data[i*s.size : (i+1)*s.size]
}

// ReadManifest checks a manifest's bytes and returns the table in them. The
// error wraps ErrManifest and says what is wrong: another format or version,
// a wrong length, a wrong checksum.
func ReadManifest(data string) (*Manifest, error) {
	if len(data) < headerSize || data[:len(magic)-1] != magic[:len(magic)-1] {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrManifest)
	}
	if data[:len(magic)] != magic {
		return nil, fmt.Errorf("%w: its format is version %d, this program reads version %d; build the site again",
			ErrManifest, data[len(magic)-1], magic[len(magic)-1])
	}
	m := &Manifest{data: data, Build: u64(data, checksumAt)}
	if sum := xxhash.Sum64String(data[headerAt:]); sum != m.Build {
		return nil, fmt.Errorf("%w: its checksum is %016x where %016x was written", ErrManifest, sum, m.Build)
	}
	m.Limit = int(u32(data, headerAt))
	m.Window = time.Duration(u32(data, headerAt+4)) * time.Second
	if err := m.slice(); err != nil {
		return nil, err
	}
	return m, nil
}

// slice finds the sections by the counts in the header.
func (m *Manifest) slice() error {
	counts, rest := headerAt+8, m.data[headerSize:]
	take := func(size int) (section, bool) {
		n := int(u32(m.data, counts))
		counts += 4
		if n > len(rest)/size {
			return section{}, false
		}
		s := section{data: rest[:n*size], size: size, count: n}
		rest = rest[n*size:]
		return s, true
	}
	var text section
	for _, s := range []struct {
		to   *section
		size int
	}{
		{&m.routes, routeSize}, {&m.variants, variantSize}, {&m.bodies, bodySize},
		{&m.uses, useSize}, {&m.fields, fieldSize}, {&m.packs, packSize}, {&text, 1},
	} {
		var ok bool
		if *s.to, ok = take(s.size); !ok {
			return fmt.Errorf("%w: it is shorter than its header says", ErrManifest)
		}
	}
	if rest != "" {
		return fmt.Errorf("%w: it is longer than its header says", ErrManifest)
	}
	m.text = text.data
	return nil
}

// Route is a resource in the table. The zero Route is no resource.
type Route struct {
	m      *Manifest
	record string
}

// Lookup finds the resource with a path.
func (m *Manifest) Lookup(path string) (Route, bool) {
	hash := xxhash.Sum64String(path)
	low, high := 0, m.routes.count
	for low < high {
		middle := int(uint(low+high) >> 1)
		if u64(m.routes.record(middle), 0) < hash {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < m.routes.count; low++ {
		r := Route{m, m.routes.record(low)}
		if u64(r.record, 0) != hash {
			break
		}
		if r.Path() == path {
			return r, true
		}
	}
	return Route{}, false
}

// Routes yields every resource, in the table's order.
func (m *Manifest) Routes() iter.Seq[Route] {
	return func(yield func(Route) bool) {
		for i := range m.routes.count {
			if !yield(Route{m, m.routes.record(i)}) {
				return
			}
		}
	}
}

// Path is the resource's URL path, or its name where it has no URL.
func (r Route) Path() string { return r.m.str(u64(r.record, 8)) }

// Location is the target of a redirect.
func (r Route) Location() string { return r.m.str(u64(r.record, 16)) }

// Kind says how the resource is answered.
func (r Route) Kind() Kind { return Kind(u32(r.record, 28) & 0xff) }

// Variants is the number of media types that the resource has.
func (r Route) Variants() int { return int(u32(r.record, 28) >> 8) }

// Variant returns the index of the resource's i-th variant.
func (r Route) Variant(i int) VariantIndex {
	return VariantIndex(int(u32(r.record, 24)) + i)
}

// VariantIndex numbers the variants of a manifest from 0.
type VariantIndex int

// BodyIndex numbers the bodies of a manifest from 0.
type BodyIndex int

// VariantCount is the number of variants, BodyCount that of bodies.
func (m *Manifest) VariantCount() int { return m.variants.count }

// BodyCount is the number of bodies.
func (m *Manifest) BodyCount() int { return m.bodies.count }

// File is the name of a variant's public file, or "".
func (m *Manifest) File(v VariantIndex) string {
	return m.str(u64(m.variant(v), 0))
}

// Fields returns a variant's header fields.
func (m *Manifest) Fields(v VariantIndex) []Field {
	record := m.variant(v)
	first, count := int(u32(record, 8)), int(u32(record, 12))
	fields := make([]Field, 0, min(count, m.uses.count))
	for i := first; i < first+count && i < m.uses.count; i++ {
		f := int(u32(m.uses.record(i), 0))
		if f >= m.fields.count {
			continue
		}
		record := m.fields.record(f)
		fields = append(fields, Field{Name: m.str(u64(record, 0)), Value: m.str(u64(record, 8))})
	}
	return fields
}

// BodyIn finds the body of a variant in a content coding.
func (m *Manifest) BodyIn(v VariantIndex, coding Coding) (BodyIndex, bool) {
	record := m.variant(v)
	first, count := int(u32(record, 16)), int(u32(record, 20))
	for i := first; i < first+count && i < m.bodies.count; i++ {
		if Coding(u32(m.bodies.record(i), 28)) == coding {
			return BodyIndex(i), true
		}
	}
	return 0, false
}

// Body returns a body's record.
func (m *Manifest) Body(i BodyIndex) Body {
	if int(i) < 0 || int(i) >= m.bodies.count {
		return Body{}
	}
	record := m.bodies.record(int(i))
	b := Body{
		Hash: u64(record, 0), Size: int64(u64(record, 8)), Offset: int64(u64(record, 16)),
		Coding: Coding(u32(record, 28)),
	}
	if pack := int(u32(record, 24)); pack > 0 && pack <= m.packs.count {
		b.Pack = m.str(u64(m.packs.record(pack-1), 0))
	}
	return b
}

// Packs returns the names of the files that hold coded bytes.
func (m *Manifest) Packs() []string {
	names := make([]string, m.packs.count)
	for i := range names {
		names[i] = m.str(u64(m.packs.record(i), 0))
	}
	return names
}

// variant returns a variant's record, an empty one where the index is out of
// range: a table that was written by another hand must not bring a server down.
func (m *Manifest) variant(v VariantIndex) string {
	if int(v) < 0 || int(v) >= m.variants.count {
		return noVariant
	}
	return m.variants.record(int(v))
}

const noVariant = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// str returns the text that a reference points to, "" where it points outside.
func (m *Manifest) str(ref uint64) string {
	start, length := ref>>32, ref&0xffffffff
	if start+length > uint64(len(m.text)) {
		return ""
	}
	return m.text[start : start+length]
}

func u32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func u64(s string, at int) uint64 {
	return uint64(u32(s, at)) | uint64(u32(s, at+4))<<32
}
