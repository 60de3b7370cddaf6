package artifact

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Body describes the bytes of one representation and their location.
type Body struct {
	Coding Coding
	// Hash is the XXH64 of the bytes.
	Hash uint64
	// Size is the number of bytes.
	Size int64
	// Pack is the name of the file under build/coded that contains the bytes, or "" if they are the variant's public
	// file.
	Pack string
	// Offset is the position of the bytes in the pack.
	Offset int64
}

// Entry is a resource as the manifest stores it, without the bytes of its representations.
type Entry struct {
	Path     string
	Kind     Kind
	Location string
	Variants []EntryVariant
}

// EntryVariant is a variant as the manifest stores it.
type EntryVariant struct {
	File   string
	Fields []Field
	// Bodies are the representations, identity first.
	Bodies []Body
}

// ManifestWriter collects the entries of a build and writes its manifest. The same entries in the same order produce
// the same bytes.
type ManifestWriter struct {
	routes []routeRecord
	// earlier maps the table position of each route of an earlier build to the turn (see routeRecord) of its copy plus
	// 1, or to 0 if the route wasn't copied.
	earlier  []uint32
	variants []byte
	bodies   []byte
	classes  []byte
	uses     []byte
	fields   []byte
	packs    []string
	text     []byte
	size     int64
	nextDue  int64
	// problem is the error for the first value that the format can't represent, or nil.
	problem error

	texts      map[string]uint32
	fieldIndex map[Field]uint32
	classIndex map[string]uint32
	packIndex  map[string]uint32
	// lastPack is the pack of the most recently added body.
	lastPack struct {
		name  string
		index uint32
	}
	// key is a reusable buffer for class keys.
	key []byte
	// recent is a cache of classes, and oldest is the index of the class to replace next.
	recent []recentClass
	oldest int
}

type routeRecord struct {
	hash uint32
	path string
	// text is the position of the path in the text section.
	text uint32
	// target is the index of the first variant, or the position of the location in the text section if there are no
	// variants.
	target uint32
	tail   uint32
	// turn is the number of routes added before this one.
	turn uint32
}

// NewManifestWriter returns a ManifestWriter with no entries.
func NewManifestWriter() *ManifestWriter {
	return &ManifestWriter{
		text:       []byte{0}, // the empty string
		texts:      map[string]uint32{"": 0},
		fieldIndex: make(map[Field]uint32),
		classIndex: make(map[string]uint32),
		packIndex:  make(map[string]uint32),
	}
}

// Add appends entries. If several variants in one call have the same public file, they all share the bodies of the
// first of these variants.
func (w *ManifestWriter) Add(entries ...Entry) {
	shared := make(map[string]bodyRange)
	for i := range entries {
		w.add(&entries[i], shared)
	}
}

// bodyRange is the index of a variant's first body and the number of its bodies.
type bodyRange struct {
	first, count uint32
}

func (w *ManifestWriter) add(e *Entry, shared map[string]bodyRange) {
	path := w.append(e.Path)
	stem := stem(e.Path)
	escaped := escapedPath(stem)
	first := uint32(len(w.variants) / variantSize)
	for i := range e.Variants {
		v := &e.Variants[i]
		w.check(e.Path, v)
		index, argument := w.classOf(stem, escaped, v)
		bodies, ok := shared[v.File]
		if !ok || v.File == "" {
			bodies = bodyRange{uint32(len(w.bodies) / bodySize), uint32(len(v.Bodies))}
			shared[v.File] = bodies
			for _, b := range v.Bodies {
				w.body(b)
			}
		}
		w.variant(path, argument, index, bodies)
	}
	w.route(routeRecord{hash: pathHash(e.Path), path: e.Path, text: path, target: first}, e.Location, uint32(len(e.Variants)), e.Kind)
}

// check records an error if v contains a value that the format can't represent.
func (w *ManifestWriter) check(path string, v *EntryVariant) {
	bad := hasControl(v.File)
	for _, f := range v.Fields {
		bad = bad || hasControl(f.Name) || hasControl(f.Value)
	}
	switch {
	case bad:
		w.fail(fmt.Errorf("%s: the file name or a header field contains a control character: %q, %q", path, v.File, v.Fields))
	case len(v.Bodies) > Codings:
		w.fail(fmt.Errorf("%s: a variant has %d bodies, want at most one for each content encoding", path, len(v.Bodies)))
	}
}

func (w *ManifestWriter) fail(err error) {
	if w.problem == nil {
		w.problem = err
	}
}

func (w *ManifestWriter) variant(path, argument, class uint32, bodies bodyRange) {
	w.variants = binary.LittleEndian.AppendUint32(w.variants, path)
	w.variants = binary.LittleEndian.AppendUint32(w.variants, argument)
	w.variants = binary.LittleEndian.AppendUint32(w.variants, class)
	w.variants = binary.LittleEndian.AppendUint32(w.variants, bodies.first<<bodiesBits|bodies.count&bodiesMask)
}

// route adds a route whose variants were already added. r must contain the path, its hash, its position in the text
// section, and the index of the first variant.
func (w *ManifestWriter) route(r routeRecord, location string, variants uint32, kind Kind) {
	if variants == 0 {
		r.target = w.ref(location)
	}
	r.tail, r.turn = variants<<8|uint32(kind), uint32(len(w.routes))
	w.routes = append(w.routes, r)
}

func (w *ManifestWriter) body(b Body) {
	pack := uint64(0)
	if b.Pack != "" {
		pack = uint64(w.pack(b.Pack)) + 1
	}
	if b.Size < 0 || b.Size >= maxSize || pack > maxPacks {
		w.fail(fmt.Errorf("a body of %d bytes in pack number %d exceeds the limits of the manifest format", b.Size, pack))
	}
	w.size += b.Size
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, b.Hash)
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, uint64(b.Size)<<24|pack<<8|uint64(b.Coding))
	w.bodies = binary.LittleEndian.AppendUint64(w.bodies, uint64(b.Offset))
}

// recentClass is a class in ManifestWriter.recent. A few classes cover most variants. Comparing a variant with these
// classes is faster than creating its class and looking up that class.
type recentClass struct {
	Class
	index uint32
}

const recentClasses = 8

// classOf returns the index of the class of v and the argument with which the class describes v.
func (w *ManifestWriter) classOf(stem, escaped string, v *EntryVariant) (index, argument uint32) {
	for i := range w.recent {
		if argument, ok := w.recent[i].fits(stem, escaped, v.File, v.Fields); ok {
			return w.recent[i].index, argument
		}
	}
	class, argument := classify(stem, escaped, v.File, v.Fields)
	// Clone the fields because the caller may reuse the slice.
	known := recentClass{Class{class.File, slices.Clone(class.Fields)}, w.class(class)}
	if len(w.recent) < recentClasses {
		w.recent = append(w.recent, known)
	} else {
		w.recent[w.oldest] = known
		w.oldest = (w.oldest + 1) % recentClasses
	}
	return known.index, argument
}

// class returns the index of the class c. It stores c if c is new.
func (w *ManifestWriter) class(c Class) uint32 {
	w.key = binary.LittleEndian.AppendUint32(w.key[:0], w.ref(c.File))
	for _, f := range c.Fields {
		w.key = binary.LittleEndian.AppendUint32(w.key, w.field(f))
	}
	if i, ok := w.classIndex[string(w.key)]; ok {
		return i
	}
	i := uint32(len(w.classes) / classSize)
	w.classIndex[string(w.key)] = i
	uses := w.key[4:]
	w.classes = append(w.classes, w.key[:4]...)
	w.classes = binary.LittleEndian.AppendUint32(w.classes, uint32(len(w.uses)/useSize))
	w.classes = binary.LittleEndian.AppendUint32(w.classes, uint32(len(uses)/useSize))
	w.uses = append(w.uses, uses...)
	return i
}

func (w *ManifestWriter) field(f Field) uint32 {
	if i, ok := w.fieldIndex[f]; ok {
		return i
	}
	i := uint32(len(w.fields) / fieldSize)
	w.fieldIndex[f] = i
	w.fields = binary.LittleEndian.AppendUint32(w.fields, w.ref(f.Name))
	w.fields = binary.LittleEndian.AppendUint32(w.fields, w.ref(f.Value))
	return i
}

func (w *ManifestWriter) pack(name string) uint32 {
	// Most bodies are in the same pack as the previous body.
	if name == w.lastPack.name {
		return w.lastPack.index
	}
	if i, ok := w.packIndex[name]; ok {
		w.lastPack.name, w.lastPack.index = name, i
		return i
	}
	i := uint32(len(w.packs))
	w.packIndex[name] = i
	w.packs = append(w.packs, name)
	return i
}

// NamePack renames the pack called added to final. A pack is named after its content, so its name isn't known when its
// entries are added.
func (w *ManifestWriter) NamePack(added, final string) {
	if i, ok := w.packIndex[added]; ok {
		w.packs[i] = final
	}
}

// SetNextDue sets the due time of the next scheduled page; see Manifest.NextDue. SetNextDue rounds t up to a whole
// second, so that a build at that time includes the page.
func (w *ManifestWriter) SetNextDue(t time.Time) {
	if w.nextDue = 0; !t.IsZero() {
		w.nextDue = t.Add(time.Second - 1).Unix()
	}
}

// ref returns the position of s in the text section. It stores s if s is new.
func (w *ManifestWriter) ref(s string) uint32 {
	at, ok := w.texts[s]
	if !ok {
		at = w.append(s)
		w.texts[s] = at
	}
	return at
}

// append stores s without looking for an equal string, and returns its position in the text section.
func (w *ManifestWriter) append(s string) uint32 {
	at := uint32(len(w.text))
	w.text = binary.AppendUvarint(w.text, uint64(len(s)))
	w.text = append(w.text, s...)
	return at
}

// Bytes returns the manifest. limit and window are the request allowance. It returns an error if two entries have the
// same path, if the build is too large for the format, or if an added value is invalid.
func (w *ManifestWriter) Bytes(limit int, window time.Duration) ([]byte, error) {
	routes, err := w.sortedRoutes()
	if err != nil {
		return nil, err
	}
	var packs []byte
	for _, name := range w.packs {
		packs = binary.LittleEndian.AppendUint32(packs, w.ref(name))
	}
	if int64(len(w.text)) > maxText || int64(len(w.bodies)) > maxBodies*bodySize {
		w.fail(errors.New("the site is too large for one manifest"))
	}
	if w.problem != nil {
		return nil, w.problem
	}
	parts := [sections][]byte{routes, w.variants, w.bodies, w.classes, w.uses, w.fields, packs, w.text}
	sizes := [sections]int{routeSize, variantSize, bodySize, classSize, useSize, fieldSize, packSize, 1}
	length := headerSize
	for _, p := range parts {
		length += len(p)
	}
	out := append(make([]byte, 0, length), magic...)
	out = append(out, make([]byte, headerAt-checksumAt)...)
	out = binary.LittleEndian.AppendUint32(out, uint32(limit))
	out = binary.LittleEndian.AppendUint32(out, uint32(window/time.Second))
	out = binary.LittleEndian.AppendUint64(out, uint64(w.nextDue))
	out = binary.LittleEndian.AppendUint64(out, uint64(w.size))
	for i, p := range parts {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(p)/sizes[i]))
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	binary.LittleEndian.PutUint64(out[checksumAt:], xxhash.Sum64(out[headerAt:]))
	return out, nil
}

// sortedRoutes sorts the routes and returns their section. It returns an error if two routes have the same path.
func (w *ManifestWriter) sortedRoutes() ([]byte, error) {
	w.arrange()
	routes := make([]byte, 0, len(w.routes)*routeSize)
	for i, r := range w.routes {
		if i > 0 && r.path == w.routes[i-1].path {
			return nil, fmt.Errorf("two resources have the path %q", r.path)
		}
		routes = binary.LittleEndian.AppendUint32(routes, r.hash)
		routes = binary.LittleEndian.AppendUint32(routes, r.text)
		routes = binary.LittleEndian.AppendUint32(routes, r.target)
		routes = binary.LittleEndian.AppendUint32(routes, r.tail)
	}
	return routes, nil
}

// byPath compares two routes by hash, then by path. It defines the order of the table.
func byPath(a, b routeRecord) int {
	if a.hash != b.hash {
		return cmp.Compare(a.hash, b.hash)
	}
	return strings.Compare(a.path, b.path)
}

// arrange sorts the routes into table order. Copied routes are already in order, so arrange usually only inserts the
// other routes.
func (w *ManifestWriter) arrange() {
	arranged := make([]routeRecord, 0, len(w.routes))
	copied := make([]bool, len(w.routes))
	var more []routeRecord
	for _, turn := range w.earlier {
		if turn > 0 {
			copied[turn-1] = true
		}
	}
	for i, r := range w.routes {
		if !copied[i] {
			more = append(more, r)
		}
	}
	slices.SortFunc(more, byPath)
	for _, turn := range w.earlier {
		if turn == 0 {
			continue
		}
		r := w.routes[turn-1]
		for len(more) > 0 && byPath(more[0], r) <= 0 {
			arranged, more = append(arranged, more[0]), more[1:]
		}
		arranged = append(arranged, r)
	}
	w.routes, w.earlier = append(arranged, more...), nil
	if !slices.IsSortedFunc(w.routes, byPath) {
		// The earlier manifest wasn't sorted, because another program wrote it.
		slices.SortFunc(w.routes, byPath)
	}
}
