package apidoc

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
)

// schemaAt decodes the schema at key, or returns nil if there is none.
func (r *reader) schemaAt(v value, key string) *schema {
	if m, ok := v.at(key); ok {
		return r.schema(key, m)
	}
	return nil
}

// pendingSchema is a schema that must be decoded from v. what is the subject of messages.
type pendingSchema struct {
	*schema
	what string
	v    value
}

// schema returns the schema at v. It returns nil and adds a problem if v is a wrong reference. decodeAll fills the schema
// later, because schemas may be nested deeply and may contain themselves. what is the subject of messages.
func (r *reader) schema(what string, v value) *schema {
	references, target, ok := r.follow(v, func(n *tree.Node) bool {
		_, known := r.schemas[n]
		return known
	})
	if !ok {
		return r.referring(what, nil, references)
	}
	s, known := r.schemas[target.Node]
	if !known {
		s = r.newSchema(what, target)
	}
	return r.referring(what, s, references)
}

func (r *reader) newSchema(what string, v value) *schema {
	s := new(schema)
	r.schemas[v.Node] = s
	r.pending = append(r.pending, pendingSchema{s, what, v})
	return s
}

// referring returns the schema for the first of the references, which lead to base. It stores the schemas of all these
// references. base is nil if they lead to no schema.
func (r *reader) referring(what string, base *schema, references []value) *schema {
	for _, v := range slices.Backward(references) {
		ref := v.reference().Text
		if at := strings.LastIndexByte(ref, '/'); base != nil && base.name == "" && at > strings.IndexByte(ref, '#') {
			base.name = unescape(ref[at+1:])
		}
		if base != nil && r.siblings && len(v.Members) > 1 {
			own := r.newSchema(what, v)
			r.refinements[own] = &refinement{base: base}
			base = own
		}
		r.schemas[v.Node] = base
	}
	return base
}

// decodeAll decodes all schemas that description and its parts have referred to.
func (r *reader) decodeAll() {
	for len(r.pending) > 0 {
		last := len(r.pending) - 1
		next := r.pending[last]
		r.pending = r.pending[:last]
		r.decode(next.schema, next.what, next.v)
	}
	for s := range r.refinements {
		r.refine(s)
	}
}

// refinement describes a schema that inherits members from base, because it is a reference with other members. In OpenAPI
// 3.1, a reference can have other members (JSON Schema 2020-12, section 8.2.3.1); in 3.0, they are ignored.
type refinement struct {
	base *schema
	done bool
}

// refine completes s if it is a refinement.
func (r *reader) refine(s *schema) {
	if one := r.refinements[s]; one != nil && !one.done {
		one.done = true
		r.refine(one.base)
		s.inherit(one.base)
	}
}

// inherit adds the members of base to s. If both have a member that can't be combined, s keeps its own.
func (s *schema) inherit(base *schema) {
	s.name, s.title = cmp.Or(s.name, base.name), cmp.Or(s.title, base.title)
	s.description, s.format = cmp.Or(s.description, base.description), cmp.Or(s.format, base.format)
	s.nullable, s.deprecated = s.nullable || base.nullable, s.deprecated || base.deprecated
	s.items = cmp.Or(s.items, base.items)
	s.types, s.enum = present(s.types, base.types), present(s.enum, base.enum)
	s.oneOf, s.anyOf = present(s.oneOf, base.oneOf), present(s.anyOf, base.anyOf)
	s.allOf, s.required = slices.Concat(s.allOf, base.allOf), slices.Concat(s.required, base.required)
	for name, property := range base.properties {
		if s.properties[name] == nil {
			s.properties[name] = property
		}
	}
	for _, v := range []struct{ own, inherited *any }{
		{&s.constant, &base.constant}, {&s.initial, &base.initial}, {&s.example, &base.example},
		{&s.minimum, &base.minimum}, {&s.maximum, &base.maximum}, {&s.maxLength, &base.maxLength},
	} {
		if *v.own == nil {
			*v.own = *v.inherited
		}
	}
}

// present returns own, or inherited if own is empty.
func present[T any](own, inherited []T) []T {
	if len(own) > 0 {
		return own
	}
	return inherited
}

func (r *reader) decode(s *schema, what string, v value) {
	if v.Kind == tree.Bool {
		// JSON Schema 2020-12, section 4.3.2: true allows every value, like a schema without members.
		return
	}
	if v.Kind != tree.Map {
		r.fault(v, "%s: want a schema, found %s", what, v.Describe())
		return
	}
	s.title, s.description, s.format = r.text(v, "title"), r.text(v, "description"), r.text(v, "format")
	s.types, s.required = r.types(v), r.texts(v, "required")
	s.nullable, s.deprecated = r.flag(v, "nullable"), r.flag(v, "deprecated")
	s.items = r.schemaAt(v, "items")
	s.properties = make(map[string]*schema)
	for _, e := range r.entries(v, "properties") {
		if property := r.schema(e.key, e.value); property != nil {
			s.properties[e.key] = property
		}
	}
	s.allOf, s.oneOf, s.anyOf = r.schemaList(v, "allOf"), r.schemaList(v, "oneOf"), r.schemaList(v, "anyOf")
	r.values(s, v)
}

// values decodes the values in a schema.
func (r *reader) values(s *schema, v value) {
	for _, item := range r.items(v, "enum") {
		s.enum = append(s.enum, item.Plain())
	}
	s.constant, s.initial, s.example = plainOf(v, "const"), plainOf(v, "default"), plainOf(v, "example")
	// In OpenAPI 3.1, a schema has a list of examples.
	if m, ok := v.at("examples"); ok && s.example == nil && len(m.Items) > 0 {
		s.example = m.Items[0].Plain()
	}
	s.minimum, s.maximum, s.maxLength = r.number(v, "minimum"), r.number(v, "maximum"), r.number(v, "maxLength")
}

// types returns the types of a schema. OpenAPI 3.1 allows a list of types.
func (r *reader) types(v value) []string {
	m, ok := v.at("type")
	if !ok {
		return nil
	}
	if m.Kind != tree.List {
		return []string{r.textOf("type", m)}
	}
	types := r.texts(v, "type")
	for i, t := range types {
		// In YAML, null without quotes isn't text.
		types[i] = cmp.Or(t, "null")
	}
	return types
}

func (r *reader) schemaList(v value, key string) (list []*schema) {
	for _, item := range r.items(v, key) {
		if s := r.schema(key, item); s != nil {
			list = append(list, s)
		}
	}
	return list
}
