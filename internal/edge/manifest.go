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

// ReadFunc returns the bytes of a body, as artifact.Build.Read does. It is called for bodies that aren't public files,
// and for every body if the site sends digests.
type ReadFunc func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)

// Manifest is the table of a build that core.mjs reads. Header fields, classes of variants with the same fields, and
// bodies are stored once and referred to by index. The contents of public files aren't in the table: Texts contains
// only the other bodies, such as problems. See the package comment for its size.
type Manifest struct {
	// Build identifies the build, in 16 hex digits; see artifact.Manifest.
	Build string `json:"build"`
	// Limit is the allowance in requests.
	Limit int `json:"limit"`
	// Window is the length of the allowance's window in seconds.
	Window int `json:"window"`
	// Fields lists header fields, each with its name and its value. A value can contain placeholders: NUL for the
	// escaped path of the route without ".md", U+0001 for the variant's argument, and U+0002 for the escaped path
	// without ".md" and without its first segment.
	Fields [][2]string `json:"fields"`
	// Classes lists the common parts of variants: the name of the public file, in which NUL represents the path without
	// its leading slash and ".md", followed by the indexes of fields.
	Classes [][]any `json:"classes"`
	// Bodies contains a list for each body: the hash in 16 hex digits and the size in bytes of the identity
	// representation, followed by the hash and the size of the gzip and of the br representation. If the body has a br
	// but no gzip representation, two zeros represent the gzip representation.
	Bodies json.RawMessage `json:"bodies"`
	// Texts contains the bodies that aren't public files, keyed by their index in Bodies.
	Texts map[int]string `json:"texts"`
	// Headers contains the indexes of the fields of responses without a body, keyed by the kind of response, such as
	// "preflight".
	Headers map[string][]int `json:"headers"`
	// Routes contains a list for each resource: its path and kind, followed by its variants (class, body, argument) or
	// by the Location of a redirect. Like Bodies, it grows with the site, so it is encoded without encoding/json, which
	// is slow.
	Routes json.RawMessage `json:"routes"`
	// Digests contains a list for each body: its Repr-Digest value in each content coding, or "" if the body isn't
	// available in that coding. It is nil if the site doesn't send digests.
	Digests json.RawMessage `json:"digests"`
	// Recoded reports whether the platform compresses responses itself. The digests of its responses may then differ
	// from the digests of the files.
	Recoded bool `json:"recoded"`
	// Agents contains two lists of the names of known agents: agents that read for a language model, and other agents.
	// It is nil if the site hasn't enabled negotiation by User-Agent.
	Agents [][]string `json:"agents"`
}

// NewManifest returns the table of a build for core.mjs. codings are the content codings, apart from identity, that the
// platform can send.
func NewManifest(m *artifact.Manifest, read ReadFunc, codings ...artifact.Coding) (*Manifest, error) {
	t := &table{
		source: m, read: read, codings: codings,
		out: &Manifest{
			Build: artifact.BuildName(m.Build), Limit: m.Limit, Window: int(m.Window.Seconds()),
			Bodies: make([]byte, 0, 32*m.BodyCount()+2), Routes: make([]byte, 0, 64*m.RouteCount()+2),
			Texts: map[int]string{}, Headers: map[string][]int{},
		},
		fields: map[artifact.Field]int{}, classes: make([]int, m.ClassCount()), bodies: make([]int, m.BodyCount()),
	}
	t.out.Bodies, t.out.Routes = append(t.out.Bodies, '['), append(t.out.Routes, '[')
	if m.ReprDigest {
		t.out.Digests, t.out.Recoded = append(t.out.Digests, '['), len(codings) == 0
	}
	if m.Agents != nil {
		ai, others := m.Agents.Names()
		t.out.Agents = [][]string{ai, others}
	}
	// Add the fields of responses to OPTIONS, and of redirects.
	for _, h := range []struct {
		name   string
		fields []artifact.Field
	}{
		{"options", artifact.OptionsFields()}, {"operation", artifact.OperationOptionsFields()},
		{"preflight", artifact.PreflightFields()}, {"redirect", artifact.WithBuild(artifact.RedirectFields(), m.Build)},
	} {
		for _, f := range h.fields {
			t.out.Headers[h.name] = append(t.out.Headers[h.name], t.field(f))
		}
	}
	for route := range m.RoutesAsAdded() {
		if route.Kind() == artifact.KindFallback && route.Variants() == 0 {
			continue // skip the base path, which mount.mjs contains, and the site's options
		}
		if err := t.add(route); err != nil {
			return nil, fmt.Errorf("creating the edge manifest: %s: %w", route.Path(), err)
		}
	}
	t.addBuild()
	t.out.Bodies, t.out.Routes = append(t.out.Bodies, ']'), append(t.out.Routes, ']')
	if m.ReprDigest {
		t.out.Digests = append(t.out.Digests, ']')
	}
	return t.out, nil
}

// table is a Manifest under construction.
type table struct {
	source  *artifact.Manifest
	read    ReadFunc
	codings []artifact.Coding
	out     *Manifest

	fields map[artifact.Field]int
	// classes and bodies map an index in the manifest to the index in the table plus 1, or 0 if the class or body isn't
	// in the table yet.
	classes, bodies []int
	// count is the number of bodies in the table.
	count int
}

// errNotText is returned for paths, redirect targets, file names, and bodies that aren't valid UTF-8, because encoding
// such text as JSON would change it silently.
var errNotText = errors.New("its path, redirect target, file name, or body is not valid UTF-8")

func (t *table) add(route artifact.Route) error {
	path := route.Path()
	if !utf8.ValidString(path) || !utf8.ValidString(route.Target()) {
		return errNotText
	}
	out := appendText(append(separated(t.out.Routes), '['), path)
	out = strconv.AppendUint(append(out, ','), uint64(route.Kind()), 10)
	if route.Kind() == artifact.KindRedirect {
		out = appendText(append(out, ','), route.Target())
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

// addBuild adds the resource at artifact.BuildPath, which identifies the build, unless the site has its own file there.
func (t *table) addBuild() {
	if _, taken := t.source.Lookup(artifact.BuildPath); taken {
		return
	}
	class := []any{""}
	for _, f := range artifact.BuildFields(t.source.Build) {
		class = append(class, t.field(f))
	}
	body := artifact.BuildBody(t.source.Build)
	t.out.Texts[t.count] = string(body)
	out := artifact.AppendETag(append(separated(t.out.Bodies), '['), artifact.Hash(body), artifact.Identity)
	t.out.Bodies = append(strconv.AppendInt(append(out, ','), int64(len(body)), 10), ']')
	if t.source.ReprDigest {
		t.out.Digests = append(appendDigest(append(separated(t.out.Digests), '['), body), ']')
	}
	t.out.Routes = fmt.Appendf(separated(t.out.Routes), `[%q,%d,[%d,%d]]`, artifact.BuildPath, artifact.KindFile, len(t.out.Classes), t.count)
	t.out.Classes = append(t.out.Classes, class)
	t.count++
}

// variant appends a variant as JSON: a list of its class, its body, and its argument if it has one.
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

// class returns the index of a class in the table, adding the class if it is new.
func (t *table) class(index artifact.ClassIndex) (int, error) {
	if i := t.classes[index]; i > 0 {
		return i - 1, nil
	}
	source := t.source.Class(index)
	if !utf8.ValidString(source.File) {
		return 0, errNotText
	}
	class := []any{source.File}
	for _, f := range artifact.WithBuild(source.Fields, t.source.Build) {
		class = append(class, t.field(f))
	}
	t.out.Classes = append(t.out.Classes, class)
	t.classes[index] = len(t.out.Classes)
	return len(t.out.Classes) - 1, nil
}

// body returns the index of a variant's body in the table, adding the body if it is new.
func (t *table) body(v artifact.VariantIndex) (int, error) {
	first, ok := t.source.BodyIn(v, artifact.Identity)
	if !ok {
		return 0, errors.New("a variant has no body")
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
		b, ok := first, true
		if c != artifact.Identity {
			if ok = slices.Contains(t.codings, c); ok {
				b, ok = t.source.BodyIn(v, c)
			}
		}
		if !ok {
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
	if err := t.digests(v); err != nil {
		return 0, err
	}
	if t.source.HasFile(v) {
		return i, nil
	}
	text, err := t.read(v, first)
	if err == nil && !utf8.Valid(text) {
		err = errNotText
	}
	t.out.Texts[i] = string(text)
	return i, err
}

// digests adds the digests of a variant's bodies if the site sends digests.
func (t *table) digests(v artifact.VariantIndex) error {
	if !t.source.ReprDigest {
		return nil
	}
	out := append(separated(t.out.Digests), '[')
	for c := range artifact.Coding(artifact.Codings) {
		if c != artifact.Identity {
			out = append(out, ',')
		}
		b, ok := t.source.BodyIn(v, c)
		if !ok || c != artifact.Identity && !slices.Contains(t.codings, c) {
			out = append(out, `""`...)
			continue
		}
		body, err := t.read(v, b)
		if err != nil {
			return err
		}
		out = appendDigest(out, body)
	}
	t.out.Digests = append(out, ']')
	return nil
}

// appendDigest appends the Repr-Digest value of body as a JSON string. The value contains no characters that JSON
// escapes.
func appendDigest(out, body []byte) []byte {
	return append(artifact.AppendReprDigest(append(out, '"'), artifact.NewSHA256(body)), '"')
}

// field returns the index of a field in the table, adding the field if it is new.
func (t *table) field(f artifact.Field) int {
	i, ok := t.fields[f]
	if !ok {
		i = len(t.out.Fields)
		t.fields[f] = i
		t.out.Fields = append(t.out.Fields, [2]string{f.Name, f.Value})
	}
	return i
}

// separated returns list, followed by a comma if it already has an item, so that the next item can be appended.
func separated(list []byte) []byte {
	if len(list) > 1 {
		return append(list, ',')
	}
	return list
}
