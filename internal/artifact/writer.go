package artifact

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Body says what the bytes of one representation are and where they are kept.
type Body struct {
	Coding Coding
	// Hash is the XXH64 of the bytes, Size their number.
	Hash uint64
	Size int64
	// Pack is the name of the file below build/coded that holds the bytes, and
	// Offset where in it; Pack is "" for the bytes of the variant's public file.
	Pack   string
	Offset int64
}

// Entry is a resource as the manifest keeps it: without its bytes.
type Entry struct {
	Path     string
	Kind     Kind
	Location string
	Variants []EntryVariant
}

// EntryVariant is a variant as the manifest keeps it.
type EntryVariant struct {
	File   string
	Fields []Field
	// Bodies are the representations, identity first.
	Bodies []Body
}

// ManifestWriter gathers the entries of a build. Equal entries added in equal
// order give equal bytes.
type ManifestWriter struct {
	routes   []routeRecord
	variants []byte
	bodies   []byte
	uses     []byte
	fields   []byte
	packs    []string
	text     []byte

	texts      map[string]uint64
	fieldIndex map[Field]uint32
	packIndex  map[string]uint32
}

type routeRecord struct {
	hash           uint64
	path, location string
	firstVariant   uint32
	tail           uint32
}

// NewManifestWriter returns an empty writer.
func NewManifestWriter() *ManifestWriter {
	return &ManifestWriter{
		texts:      make(map[string]uint64),
		fieldIndex: make(map[Field]uint32),
		packIndex:  make(map[string]uint32),
	}
}

// Add appends entries. Variants of one call that name the same public file
// share the bodies of the first of them.
func (w *ManifestWriter) Add(entries ...Entry) {
	shared := make(map[string]bodyRange)
	for i := range entries {
		w.add(&entries[i], shared)
	}
}

// bodyRange says where the bodies of a variant are.
type bodyRange struct {
	first, count uint32
}

func (w *ManifestWriter) add(e *Entry, shared map[string]bodyRange) {
	first := uint32(len(w.variants) / variantSize)
	for i := range e.Variants {
		v := &e.Variants[i]
		firstUse := uint32(len(w.uses) / useSize)
		for _, f := range v.Fields {
			w.uses = binary.LittleEndian.AppendUint32(w.uses, w.field(f))
		}
		bodies, ok := shared[v.File]
		if !ok || v.File == "" {
			bodies = bodyRange{uint32(len(w.bodies) / bodySize), uint32(len(v.Bodies))}
			shared[v.File] = bodies
			for _, b := range v.Bodies {
				w.body(b)
			}
		}
		w.variants = binary.LittleEndian.AppendUint64(w.variants, w.ref(v.File))
		w.variants = binary.LittleEndian.AppendUint32(w.variants, firstUse)
		w.variants = binary.LittleEndian.AppendUint32(w.variants, uint32(len(v.Fields)))
		w.variants = binary.LittleEndian.AppendUint32(w.variants, bodies.first)
		w.variants = binary.LittleEndian.AppendUint32(w.variants, bodies.count)
	}
	w.routes = append(w.routes, routeRecord{
		hash: xxhash.Sum64String(e.Path), path: e.Path, location: e.Location,
		firstVariant: first, tail: uint32(len(e.Variants))<<8 | uint32(e.Kind),
	})
}

func (w *ManifestWriter) body(b Body) {
	pack := uint32(0)
	if b.Pack != "" {
		pack = w.pack(b.Pack) + 1
	}
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, b.Hash)
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, uint64(b.Size))
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, uint64(b.Offset))
	w.bodies = binary.LittleEndian.AppendUint32(w.bodies, pack)
	w.bodies = binary.LittleEndian.AppendUint32(w.bodies, uint32(b.Coding))
}

func (w *ManifestWriter) field(f Field) uint32 {
	if i, ok := w.fieldIndex[f]; ok {
		return i
	}
	i := uint32(len(w.fields) / fieldSize)
	w.fieldIndex[f] = i
	w.fields = binary.LittleEndian.AppendUint64(w.fields, w.ref(f.Name))
	w.fields = binary.LittleEndian.AppendUint64(w.fields, w.ref(f.Value))
	return i
}

func (w *ManifestWriter) pack(name string) uint32 {
	if i, ok := w.packIndex[name]; ok {
		return i
	}
	i := uint32(len(w.packs))
	w.packIndex[name] = i
	w.packs = append(w.packs, name)
	return i
}

// NamePack gives a pack that entries were added under its final name, for a
// pack that is named after its content is known by that name only at the end.
func (w *ManifestWriter) NamePack(added, final string) {
	if i, ok := w.packIndex[added]; ok {
		w.packs[i] = final
	}
}

// ref stores a text once and returns where it is: its offset and its length.
func (w *ManifestWriter) ref(s string) uint64 {
	if r, ok := w.texts[s]; ok {
		return r
	}
	r := uint64(len(w.text))<<32 | uint64(len(s))
	w.text = append(w.text, s...)
	w.texts[s] = r
	return r
}

// Bytes returns the manifest. It fails where two entries have one path, or
// where the build is too large for the format's 32-bit references.
func (w *ManifestWriter) Bytes(limit int, window time.Duration) ([]byte, error) {
	slices.SortFunc(w.routes, func(a, b routeRecord) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return strings.Compare(a.path, b.path)
	})
	var routes []byte
	for i, r := range w.routes {
		if i > 0 && r.path == w.routes[i-1].path {
			return nil, fmt.Errorf("two resources have the path %q", r.path)
		}
		routes = binary.LittleEndian.AppendUint64(routes, r.hash)
		routes = binary.LittleEndian.AppendUint64(routes, w.ref(r.path))
		routes = binary.LittleEndian.AppendUint64(routes, w.ref(r.location))
		routes = binary.LittleEndian.AppendUint32(routes, r.firstVariant)
		routes = binary.LittleEndian.AppendUint32(routes, r.tail)
	}
	var packs []byte
	for _, name := range w.packs {
		packs = binary.LittleEndian.AppendUint64(packs, w.ref(name))
	}
	if int64(len(w.text)) > math.MaxUint32 || int64(len(w.bodies)) > math.MaxUint32*bodySize {
		return nil, errors.New("the site is too large for one manifest")
	}
	sections := [][]byte{routes, w.variants, w.bodies, w.uses, w.fields, packs, w.text}
	sizes := []int{routeSize, variantSize, bodySize, useSize, fieldSize, packSize, 1}

	out := append([]byte(magic), make([]byte, 8)...)
	out = binary.LittleEndian.AppendUint32(out, uint32(limit))
	out = binary.LittleEndian.AppendUint32(out, uint32(window/time.Second))
	for i, s := range sections {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(s)/sizes[i]))
	}
	for _, s := range sections {
		out = append(out, s...)
	}
	binary.LittleEndian.PutUint64(out[checksumAt:], xxhash.Sum64(out[headerAt:]))
	return out, nil
}
