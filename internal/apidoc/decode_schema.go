package apidoc

import (
	"cmp"

	"vitrine/internal/load/tree"
)

// schemaAt decodes the schema at key, or returns nil if there is none.
func (r *reader) schemaAt(v value, key string) *schema {
	if m := v.Get(key); m != nil && m.Value.Kind != tree.Null {
		return r.schema(key, value{v.in, m.Value})
	}
	return nil
}

// schema decodes a schema. It returns nil and adds a problem if v isn't a schema. what is the subject of messages.
func (r *reader) schema(what string, v value) *schema {
	target, name, ok := r.resolve(v)
	if !ok {
		return nil
	}
	s := r.schemas[target.Node]
	if s == nil {
		s = new(schema)
		// Store the schema before decoding it, because it may contain itself.
		r.schemas[target.Node] = s
		r.decode(s, what, target)
	}
	if s.name == "" {
		s.name = name
	}
	if target.Node != v.Node && len(v.Members) > 1 && r.siblings {
		return r.refined(what, s, v)
	}
	return s
}

// refined returns the schema for a reference with other members, such as a description.
func (r *reader) refined(what string, base *schema, v value) *schema {
	if s := r.schemas[v.Node]; s != nil {
		return s
	}
	s := new(schema)
	r.schemas[v.Node] = s
	r.decode(s, what, v)
	r.refinements = append(r.refinements, refinement{s, base})
	return s
}

// refinement is a schema that inherits the members that it doesn't have from a referenced schema. In OpenAPI 3.1, a
// reference can have other members (JSON Schema 2020-12, section 8.2.3.1); in 3.0, they are ignored.
type refinement struct{ schema, base *schema }

// refine completes all refinements. It must be called after all schemas are decoded.
func (r *reader) refine() {
	// A base may be a refinement, too. Repeat until the members have reached every refinement of a refinement.
	for range longestReference {
		for _, one := range r.refinements {
			one.schema.inherit(one.base)
		}
	}
}

// inherit copies the members that s doesn't have from base.
func (s *schema) inherit(base *schema) {
	s.name, s.title = cmp.Or(s.name, base.name), cmp.Or(s.title, base.title)
	s.description, s.format = cmp.Or(s.description, base.description), cmp.Or(s.format, base.format)
	s.nullable, s.deprecated = s.nullable || base.nullable, s.deprecated || base.deprecated
	s.items = cmp.Or(s.items, base.items)
	s.types, s.required = present(s.types, base.types), present(s.required, base.required)
	s.allOf, s.oneOf, s.anyOf = present(s.allOf, base.allOf), present(s.oneOf, base.oneOf), present(s.anyOf, base.anyOf)
	s.enum = present(s.enum, base.enum)
	if len(s.properties) == 0 {
		s.properties = base.properties
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
	s.nullable, s.deprecated = isTrue(v, "nullable"), isTrue(v, "deprecated")
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
	if m := v.Get("examples"); s.example == nil && m != nil && len(m.Value.Items) > 0 {
		s.example = m.Value.Items[0].Plain()
	}
	s.minimum, s.maximum, s.maxLength = plainOf(v, "minimum"), plainOf(v, "maximum"), plainOf(v, "maxLength")
}

// types returns the types of a schema. OpenAPI 3.1 allows a list of types.
func (r *reader) types(v value) []string {
	m := v.Get("type")
	switch {
	case m == nil || m.Value.Kind == tree.Null:
		return nil
	case m.Value.Kind == tree.List:
		return r.texts(v, "type")
	default:
		return []string{r.text(v, "type")}
	}
}

func (r *reader) schemaList(v value, key string) (list []*schema) {
	for _, item := range r.items(v, key) {
		if s := r.schema(key, item); s != nil {
			list = append(list, s)
		}
	}
	return list
}
