package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"vitrine/internal/artifact"
)

// ReadFunc returns the bytes of a body; artifact.Build.Read is one. It is
// asked for bodies that are not public files alone.
type ReadFunc func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)

// Manifest is the table of a build as core.mjs reads it. Header
// fields, the classes of variants that send the same ones, and bodies are
// stored once and referred to by index. It holds no bodies but those of
// problems, which are no files. The package comment gives its size.
type Manifest struct {
	// Build identifies the build, in 16 hex digits; see artifact.Manifest.
	Build string `json:"build"`
	// Limit is the allowance in requests, Window in seconds.
	Limit  int `json:"limit"`
	Window int `json:"window"`
	// Fields are names and values. In a value, NUL stands for the path of the
	// route without ".md", escaped, and U+0001 for the variant's argument.
	Fields [][2]string `json:"fields"`
	// Classes are what variants have in common: the name of the public file, in
	// which NUL stands for the path without its slash and ".md", then indexes
	// of fields.
	Classes [][]any `json:"classes"`
	// Bodies are the hash, in 16 hex digits, and the size of the identity
	// coding, then those of gzip and those of br. Two zeros fill a gap.
	Bodies json.RawMessage `json:"bodies"`
	// Texts are the bodies that are not files, by their index.
	Texts map[int]string `json:"texts"`
	// Headers are indexes of the fields of answers that have no body.
	Headers map[string][]int `json:"headers"`
	// Routes are the path and the kind of each resource, then its variants
	// (class, body, argument) or the Location of a redirect. Like Bodies they are
	// JSON already, for they grow with the site.
	Routes json.RawMessage `json:"routes"`
}

// NewManifest makes the table of a build that core.mjs reads. codings are those that the
// platform can answer with, identity aside.
func NewManifest(m *artifact.Manifest, read ReadFunc, codings ...artifact.Coding) (*Manifest, error) {
	t := &table{
		source: m, read: read, codings: codings,
		out: &Manifest{
			Build: fmt.Sprintf("%016x", m.Build), Limit: m.Limit, Window: int(m.Window.Seconds()),
			Bodies: make([]byte, 0, 32*m.BodyCount()+2), Routes: make([]byte, 0, 64*m.RouteCount()+2),
			Texts: map[int]string{}, Headers: map[string][]int{},
		},
		fields: map[artifact.Field]int{}, classes: make([]int, m.ClassCount()), bodies: make([]int, m.BodyCount()),
	}
	t.out.Bodies, t.out.Routes = append(t.out.Bodies, '['), append(t.out.Routes, '[')
	// Answers to OPTIONS, and redirects.
	for _, h := range []struct {
		name   string
		fields []artifact.Field
	}{
		{"options", artifact.OptionsFields()}, {"operation", artifact.OperationOptionsFields()},
		{"preflight", artifact.PreflightFields()}, {"redirect", artifact.RedirectFields()},
	} {
		for _, f := range h.fields {
			t.out.Headers[h.name] = append(t.out.Headers[h.name], t.field(f))
		}
	}
	for route := range m.Routes() {
		if err := t.add(route); err != nil {
			return nil, fmt.Errorf("making the manifest for edges: %s: %w", route.Path(), err)
		}
	}
	t.out.Bodies, t.out.Routes = append(t.out.Bodies, ']'), append(t.out.Routes, ']')
	return t.out, nil
}

// table is a Manifest in the making.
type table struct {
	source  *artifact.Manifest
	read    ReadFunc
	codings []artifact.Coding
	out     *Manifest

	fields map[artifact.Field]int
	// classes and bodies have the index plus 1 of what is in the table already, by
	// its index in the manifest.
	classes, bodies []int
	// count is the number of bodies in the table.
	count int
}

// errNotText keeps names out that JSON would silently change.
var errNotText = errors.New("it is not UTF-8")

func (t *table) add(route artifact.Route) error {
	path := route.Path()
	if !utf8.ValidString(path) || !utf8.ValidString(route.Location()) {
		return errNotText
	}
	out := appendText(append(separated(t.out.Routes), '['), path)
	out = strconv.AppendUint(append(out, ','), uint64(route.Kind()), 10)
	if route.Kind() == artifact.KindRedirect {
		out = appendText(append(out, ','), route.Location())
	}
	for i := range route.Variants() {
		var err error
		if out, err = t.variant(append(out, ','), route.Variant(i)); err != nil {
			return err
		}
	}
	t.out.Routes = append(out, ']')
	return nil
}

// variant appends the record of a variant: class, body, argument.
func (t *table) variant(out []byte, v artifact.VariantIndex) ([]byte, error) {
	index, _, argument := t.source.ClassOf(v)
	class, err := t.class(index)
	if err != nil {
		return nil, err
	}
	body, err := t.body(v)
	if err != nil {
		return nil, err
	}
	out = strconv.AppendInt(append(out, '['), int64(class), 10)
	out = strconv.AppendInt(append(out, ','), int64(body), 10)
	if argument != 0 {
		out = append(strconv.AppendUint(append(out, `,"`...), uint64(argument), 10), '"')
	}
	return append(out, ']'), nil
}

// class returns the index of a class.
func (t *table) class(index artifact.ClassIndex) (int, error) {
	if i := t.classes[index]; i > 0 {
		return i - 1, nil
	}
	source := t.source.Class(index)
	if !utf8.ValidString(source.File) {
		return 0, errNotText
	}
	class := []any{source.File}
	for _, f := range source.Fields {
		class = append(class, t.field(f))
	}
	t.out.Classes = append(t.out.Classes, class)
	t.classes[index] = len(t.out.Classes)
	return len(t.out.Classes) - 1, nil
}

// body returns the index of a variant's body.
func (t *table) body(v artifact.VariantIndex) (int, error) {
	first, ok := t.source.BodyIn(v, artifact.Identity)
	if !ok {
		return 0, errors.New("it has no body")
	}
	if i := t.bodies[first]; i > 0 {
		return i - 1, nil
	}
	i := t.count
	t.count++
	t.bodies[first] = i + 1
	out := append(separated(t.out.Bodies), '[')
	gaps := 0
	for c := range artifact.Coding(artifact.Codings) {
		b, ok := t.source.BodyIn(v, c)
		if !ok || c != artifact.Identity && !slices.Contains(t.codings, c) {
			gaps++
			continue
		}
		for ; gaps > 0; gaps-- {
			out = append(out, `,0,0`...)
		}
		if c != artifact.Identity {
			out = append(out, ',')
		}
		body := t.source.Body(b)
		// A plain ETag is the hash in 16 hex digits, in quotes.
		out = artifact.AppendETag(out, body.Hash, artifact.Identity)
		out = strconv.AppendInt(append(out, ','), body.Size, 10)
	}
	t.out.Bodies = append(out, ']')
	if t.source.File(v) != "" {
		return i, nil
	}
	text, err := t.read(v, first)
	if err == nil && !utf8.Valid(text) {
		err = errNotText
	}
	t.out.Texts[i] = string(text)
	return i, err
}

// field returns the index of a field.
func (t *table) field(f artifact.Field) int {
	i, ok := t.fields[f]
	if !ok {
		i = len(t.out.Fields)
		t.fields[f] = i
		t.out.Fields = append(t.out.Fields, [2]string{f.Name, f.Value})
	}
	return i
}

// separated is a list that another item can be appended to.
func separated(list []byte) []byte {
	if len(list) > 1 {
		return append(list, ',')
	}
	return list
}
