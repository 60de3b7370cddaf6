package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
)

// ReadFunc returns the bytes of a body; artifact.Build.Read is one. It is
// asked for bodies that are not public files alone.
type ReadFunc func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)

// Manifest is the table of a build as the JavaScript twin reads it. Header
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
	Bodies [][]any `json:"bodies"`
	// Texts are the bodies that are not files, by their index.
	Texts map[int]string `json:"texts"`
	// Headers are indexes of the fields of answers that have no body.
	Headers map[string][]int `json:"headers"`
	// Routes are the path and the kind of each resource, then its variants
	// (class, body, argument) or the Location of a redirect.
	Routes [][]any `json:"routes"`
}

// NewManifest makes the twin's table of a build. codings are those that the
// platform can answer with, identity aside.
func NewManifest(m *artifact.Manifest, read ReadFunc, codings ...artifact.Coding) (*Manifest, error) {
	t := &table{
		source: m, read: read, codings: codings,
		out: &Manifest{
			Build: fmt.Sprintf("%016x", m.Build), Limit: m.Limit, Window: int(m.Window.Seconds()),
			Texts: map[int]string{}, Headers: map[string][]int{},
		},
		fields: map[artifact.Field]int{}, classes: map[string]int{}, bodies: map[artifact.BodyIndex]int{},
	}
	for _, h := range fixedHeaders() {
		for _, f := range h.fields {
			t.out.Headers[h.name] = append(t.out.Headers[h.name], t.field(f))
		}
	}
	for route := range m.Routes() {
		if err := t.add(route); err != nil {
			return nil, fmt.Errorf("making the manifest for edges: %s: %w", route.Path(), err)
		}
	}
	return t.out, nil
}

// table is a Manifest in the making.
type table struct {
	source  *artifact.Manifest
	read    ReadFunc
	codings []artifact.Coding
	out     *Manifest

	fields  map[artifact.Field]int
	classes map[string]int
	bodies  map[artifact.BodyIndex]int
}

// errNotText keeps names out that JSON would silently change.
var errNotText = errors.New("it is not UTF-8")

func (t *table) add(route artifact.Route) error {
	path := route.Path()
	if !utf8.ValidString(path) || !utf8.ValidString(route.Location()) {
		return errNotText
	}
	record := []any{path, route.Kind()}
	if route.Kind() == artifact.KindRedirect {
		record = append(record, route.Location())
	}
	for i := range route.Variants() {
		v, err := t.variant(path, route.Variant(i))
		if err != nil {
			return err
		}
		record = append(record, v)
	}
	t.out.Routes = append(t.out.Routes, record)
	return nil
}

// variant returns the record of a variant: class, body, argument.
func (t *table) variant(path string, v artifact.VariantIndex) ([]any, error) {
	stem := strings.TrimSuffix(path, ".md")
	file := t.source.File(v)
	if !utf8.ValidString(file) {
		return nil, errNotText
	}
	if len(stem) > 1 && stem[0] == '/' {
		file = strings.Replace(file, stem[1:], "\x00", 1)
	}
	class := []any{file}
	argument := ""
	for _, f := range t.source.Fields(v) {
		f, own := parametrise(f, stem)
		if own != "" {
			argument = own
		}
		class = append(class, t.field(f))
	}
	body, err := t.body(v)
	if err != nil {
		return nil, err
	}
	record := []any{t.class(class), body}
	if argument != "" {
		record = append(record, argument)
	}
	return record, nil
}

// parametrise takes out of a field what differs from page to page, so that all
// pages share what is left: their path, and the estimate of their length.
func parametrise(f artifact.Field, stem string) (shared artifact.Field, argument string) {
	switch f.Name {
	case "Link":
		if escaped := (&url.URL{Path: stem}).EscapedPath(); len(stem) > 1 {
			f.Value = strings.ReplaceAll(f.Value, escaped, "\x00")
		}
	case "X-Markdown-Tokens":
		f.Value, argument = "\x01", f.Value
	}
	return f, argument
}

// body returns the index of a variant's body.
func (t *table) body(v artifact.VariantIndex) (int, error) {
	first, ok := t.source.BodyIn(v, artifact.Identity)
	if !ok {
		return 0, errors.New("it has no body")
	}
	if i, ok := t.bodies[first]; ok {
		return i, nil
	}
	i := len(t.out.Bodies)
	t.bodies[first] = i
	var record []any
	for c := range artifact.Coding(artifact.Codings) {
		b, ok := t.source.BodyIn(v, c)
		if !ok || c != artifact.Identity && !slices.Contains(t.codings, c) {
			record = append(record, 0, 0)
			continue
		}
		body := t.source.Body(b)
		record = append(record, fmt.Sprintf("%016x", body.Hash), body.Size)
	}
	for len(record) > 2 && record[len(record)-2] == 0 {
		record = record[:len(record)-2]
	}
	t.out.Bodies = append(t.out.Bodies, record)
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

// class returns the index of a class.
func (t *table) class(c []any) int {
	key := fmt.Sprintf("%q", c)
	i, ok := t.classes[key]
	if !ok {
		i = len(t.out.Classes)
		t.classes[key] = i
		t.out.Classes = append(t.out.Classes, c)
	}
	return i
}

// JSON returns the manifest as JSON. Equal builds give equal bytes.
func (m *Manifest) JSON() ([]byte, error) { return encode(m) }

// encode returns a value as JSON, with <, > and & as they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the manifest for edges: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
