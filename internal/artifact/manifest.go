package artifact

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// ErrManifest is wrapped by every error about a manifest that is damaged or has an unknown format.
var ErrManifest = errors.New("not a manifest that this version can serve")

// Manifest is the table of a build's resources. It decodes records from the manifest file's bytes when they are needed,
// so looking up a path doesn't allocate. It is safe for concurrent use.
type Manifest struct {
	data string
	// Build identifies the build. It is the checksum of the manifest, which contains the hash of every representation.
	Build uint64
	// Limit and Window are the request allowance of a server instance: at most Limit requests per Window.
	Limit  int
	Window time.Duration
	// NextDue is the publication time, in whole seconds, of the first scheduled page that the build omitted. The site
	// must be rebuilt at that time. It is the zero Time if the build omitted no scheduled page.
	NextDue time.Time
	// Size is the total size of all bodies in bytes.
	Size int64
	// Mount is the site's base path on its host, such as "/acorn", or "" at the root. The paths in the table are
	// relative to the base path.
	Mount string
	// ReprDigest reports whether responses include the SHA-256 digest of their representation (OptionReprDigest).
	ReprDigest bool
	// Agents is the list of known user agents, or nil if the site doesn't enable OptionAgents. A server looks up the
	// User-Agent field in this list if the Accept field names neither text/html nor text/markdown.
	Agents *Agents

	routes, variants, bodies, classes, uses, fields, packs section
	text                                                   string
}

// section is a sequence of fixed-size records.
type section struct {
	data  string
	size  int
	count int
}

func (s section) record(i int) string {
	return s.data[i*s.size : (i+1)*s.size]
}

// ReadManifest checks a manifest's bytes and returns its table. The error wraps ErrManifest and names the defect, such
// as an unknown format or version, a wrong length, or a wrong checksum.
func ReadManifest(data string) (*Manifest, error) {
	sum := uint64(0)
	if len(data) >= headerAt {
		sum = xxhash.Sum64String(data[headerAt:])
	}
	return newManifest(data, sum)
}

// ReadManifestBytes is like ReadManifest, but takes a byte slice, which the caller must not modify afterward.
func ReadManifestBytes(data []byte) (*Manifest, error) {
	return ReadManifest(unsafe.String(unsafe.SliceData(data), len(data)))
}

// ReadManifestFile is like ReadManifest, but reads the manifest from the file called name.
func ReadManifestFile(name string) (*Manifest, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	data, sum, err := ReadSummed(f, headerAt)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return newManifest(data, sum)
}

// newManifest parses a manifest's bytes. sum is the checksum of the bytes after the header's checksum field.
func newManifest(data string, sum uint64) (*Manifest, error) {
	if len(data) < len(magic) || data[:len(magic)-1] != magic[:len(magic)-1] {
		return nil, fmt.Errorf("%w: the file does not start with a manifest's magic bytes", ErrManifest)
	}
	if data[:len(magic)] != magic {
		return nil, otherVersion(data[len(magic)-1], magic[len(magic)-1])
	}
	if len(data) < headerSize {
		return nil, fmt.Errorf("%w: the file is shorter than a manifest's header", ErrManifest)
	}
	m := &Manifest{data: data, Build: u64(data, checksumAt)}
	if sum != m.Build {
		return nil, fmt.Errorf("%w: its checksum is %016x, want %016x", ErrManifest, sum, m.Build)
	}
	m.Limit = int(u32(data, limitAt))
	m.Window = time.Duration(u32(data, windowAt)) * time.Second
	m.Size = int64(u64(data, sizeAt))
	if due := int64(u64(data, nextDueAt)); due != 0 {
		m.NextDue = time.Unix(due, 0).UTC()
	}
	if err := m.slice(); err != nil {
		return nil, err
	}
	if r, ok := m.Lookup(MountName); ok && r.Kind() == KindFallback {
		m.Mount = r.Location()
	}
	m.ReprDigest, m.Agents = m.hasOption(OptionReprDigest), m.agents()
	return m, nil
}

// hasOption reports whether the site enabled option.
func (m *Manifest) hasOption(option string) bool {
	_, ok := m.Lookup(OptionPrefix + option)
	return ok
}

// otherVersion returns the error for a manifest of another layout version. The error explains what to do.
func otherVersion(its, ours byte) error {
	todo := "run vitrine build again to rewrite it"
	if its > ours {
		todo = "update this program, or build the site with the same version of vitrine"
	}
	return fmt.Errorf("%w: its format is version %d, but this program reads version %d; %s", ErrManifest, its, ours, todo)
}

// slice locates the sections, using the counts in the header. It returns an error if the counts don't match the size of
// the file.
func (m *Manifest) slice() error {
	counts, rest := countsAt, m.data[headerSize:]
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
	for _, s := range [sections]struct {
		to   *section
		size int
	}{
		{&m.routes, routeSize}, {&m.variants, variantSize}, {&m.bodies, bodySize}, {&m.classes, classSize},
		{&m.uses, useSize}, {&m.fields, fieldSize}, {&m.packs, packSize}, {&text, 1},
	} {
		var ok bool
		if *s.to, ok = take(s.size); !ok {
			return fmt.Errorf("%w: the file is shorter than its header specifies", ErrManifest)
		}
	}
	if rest != "" {
		return fmt.Errorf("%w: the file is longer than its header specifies", ErrManifest)
	}
	m.text = text.data
	return nil
}

// VariantIndex is the number of a variant in a manifest, from 0.
type VariantIndex int

// BodyIndex is the number of a body in a manifest, from 0.
type BodyIndex int

// VariantCount returns the number of variants in the manifest.
func (m *Manifest) VariantCount() int { return m.variants.count }

// BodyCount returns the number of bodies in the manifest.
func (m *Manifest) BodyCount() int { return m.bodies.count }

// ClassCount returns the number of classes in the manifest.
func (m *Manifest) ClassCount() int { return m.classes.count }

// ClassOf returns a variant's class and the values for its holes: the stem of the path, not percent-encoded, and the
// argument.
func (m *Manifest) ClassOf(v VariantIndex) (c ClassIndex, path string, argument uint32) {
	record := m.variant(v)
	return ClassIndex(u32(record, 8)), stem(m.str(u32(record, 0))), u32(record, 4)
}

// Class returns the class at index c, or the zero Class if c is out of range.
func (m *Manifest) Class(c ClassIndex) Class {
	if int(c) < 0 || int(c) >= m.classes.count {
		return Class{}
	}
	record := m.classes.record(int(c))
	return Class{File: m.str(u32(record, 0)), Fields: m.classFields(record)}
}

func (m *Manifest) classFields(record string) []Field {
	first, count := int(u32(record, 4)), int(u32(record, 8))
	fields := make([]Field, 0, min(count, m.uses.count))
	for i := first; i < first+count && i < m.uses.count; i++ {
		f := int(u32(m.uses.record(i), 0))
		if f >= m.fields.count {
			continue
		}
		record := m.fields.record(f)
		fields = append(fields, Field{Name: m.str(u32(record, 0)), Value: m.str(u32(record, 4))})
	}
	return fields
}

// File returns the name of a variant's public file, or "" if there is no file.
func (m *Manifest) File(v VariantIndex) string {
	c, path, _ := m.ClassOf(v)
	file := m.classFile(c)
	if path == "" {
		return file
	}
	return strings.Replace(file, string(HolePath), path[1:], 1)
}

func (m *Manifest) classFile(c ClassIndex) string {
	if int(c) < 0 || int(c) >= m.classes.count {
		return ""
	}
	return m.str(u32(m.classes.record(int(c)), 0))
}

// Fields returns a variant's header fields.
func (m *Manifest) Fields(v VariantIndex) []Field {
	c, path, argument := m.ClassOf(v)
	fields := m.Class(c).Fields
	for i := range fields {
		fields[i].Value = Fill(fields[i].Value, path, argument)
	}
	return fields
}

// HasFile reports whether a variant has a public file.
func (m *Manifest) HasFile(v VariantIndex) bool {
	return m.classFile(ClassIndex(u32(m.variant(v), 8))) != ""
}

// AppendFile appends the name of a variant's public file to dst. It returns dst unchanged if there is no file.
func (m *Manifest) AppendFile(dst []byte, v VariantIndex) []byte {
	c, path, _ := m.ClassOf(v)
	file := m.classFile(c)
	hole := strings.IndexByte(file, HolePath)
	if hole < 0 || path == "" {
		return append(dst, file...)
	}
	dst = append(append(dst, file[:hole]...), path[1:]...)
	return append(dst, file[hole+1:]...)
}

// Field returns the value of a variant's first header field called name, or "" if there is none.
func (m *Manifest) Field(v VariantIndex, name string) string {
	c, path, argument := m.ClassOf(v)
	if int(c) < 0 || int(c) >= m.classes.count {
		return ""
	}
	record := m.classes.record(int(c))
	first, count := int(u32(record, 4)), int(u32(record, 8))
	for i := first; i < first+count && i < m.uses.count; i++ {
		f := int(u32(m.uses.record(i), 0))
		if f >= m.fields.count {
			continue
		}
		if record := m.fields.record(f); m.str(u32(record, 0)) == name {
			return Fill(m.str(u32(record, 4)), path, argument)
		}
	}
	return ""
}

// Bodies returns the index of a variant's first body and the number of its bodies.
func (m *Manifest) Bodies(v VariantIndex) (first BodyIndex, count int) {
	bodies := u32(m.variant(v), 12)
	first, count = BodyIndex(bodies>>bodiesBits), int(bodies&bodiesMask)
	return first, max(0, min(count, m.bodies.count-int(first)))
}

// BodyIn returns the index of a variant's body in a content coding, and reports whether there is one.
func (m *Manifest) BodyIn(v VariantIndex, coding Coding) (BodyIndex, bool) {
	first, count := m.Bodies(v)
	for i := range count {
		if m.CodingOf(first+BodyIndex(i)) == coding {
			return first + BodyIndex(i), true
		}
	}
	return 0, false
}

// CodingOf returns the content coding of body i. i must be in a range returned by Bodies.
func (m *Manifest) CodingOf(i BodyIndex) Coding {
	return Coding(m.bodies.data[int(i)*bodySize+8])
}

// Digest returns the hash and the size in bytes of body i. i must be in a range returned by Bodies.
func (m *Manifest) Digest(i BodyIndex) (hash uint64, size int64) {
	record := m.bodies.record(int(i))
	return u64(record, 0), int64(u64(record, 8) >> 24)
}

// Body returns the description of body i, or the zero Body if i is out of range.
func (m *Manifest) Body(i BodyIndex) Body {
	if int(i) < 0 || int(i) >= m.bodies.count {
		return Body{}
	}
	record := m.bodies.record(int(i))
	what := u64(record, 8)
	b := Body{Hash: u64(record, 0), Size: int64(what >> 24), Offset: int64(u64(record, 16)), Coding: Coding(what)}
	if pack := int(what >> 8 & maxPacks); pack > 0 && pack <= m.packs.count {
		b.Pack = m.str(u32(m.packs.record(pack-1), 0))
	}
	return b
}

// Data returns the manifest's bytes as stored in the build folder.
func (m *Manifest) Data() string { return m.data }

// Packs returns the names of the files that contain compressed bytes.
func (m *Manifest) Packs() []string {
	names := make([]string, m.packs.count)
	for i := range names {
		names[i] = m.str(u32(m.packs.record(i), 0))
	}
	return names
}

// variant returns the record of v, or an empty record if v is out of range. A manifest that another program wrote can
// contain such an index and must not crash a server.
func (m *Manifest) variant(v VariantIndex) string {
	if int(v) < 0 || int(v) >= m.variants.count {
		return noVariant
	}
	return m.variants.record(int(v))
}

const noVariant = "\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\x00\x00\x00\x00"

// str returns the string at offset at in the text section, or "" if at or the string's length is out of range.
func (m *Manifest) str(at uint32) string {
	if uint64(at) >= uint64(len(m.text)) {
		return ""
	}
	rest := m.text[at:]
	length, shift := uint64(0), 0
	for i := 0; i < len(rest) && shift < 35; i++ {
		length |= uint64(rest[i]&0x7f) << shift
		shift += 7
		if rest[i] < 0x80 {
			rest = rest[i+1:]
			if length > uint64(len(rest)) {
				return ""
			}
			return rest[:length]
		}
	}
	return ""
}

func u32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func u64(s string, at int) uint64 {
	return uint64(u32(s, at)) | uint64(u32(s, at+4))<<32
}
