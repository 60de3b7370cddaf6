package apidoc

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	// maxDepth is the maximum depth of the listed members of a schema. Schemas may contain themselves.
	maxDepth = 4
	// maxMembers is the maximum number of listed members of one schema.
	maxMembers = 200
	// maxValues is the maximum number of listed values of an enumeration.
	maxValues = 12
)

// field is a parameter or a member of a schema.
type field struct {
	name                 string
	schema               *openapi3.SchemaRef
	required, deprecated bool
	about                string
}

// write writes a field as a list item, with its members as a nested list.
func (f field) write(b *strings.Builder, indent string, depth int) {
	fmt.Fprintf(b, "%s- %s", indent, code(f.name))
	about := f.about
	var s *openapi3.Schema
	if f.schema != nil && f.schema.Value != nil {
		s = f.schema.Value
		fmt.Fprintf(b, " %s", plain(typeOf(f.schema, 0)))
		if about == "" {
			about = s.Description
		}
	}
	if f.required {
		b.WriteString(", **required**")
	}
	if f.deprecated || s != nil && s.Deprecated {
		b.WriteString(", **deprecated**")
	}
	if s != nil {
		b.WriteString(limits(s))
	}
	if about = prose(about); about != "" {
		b.WriteString(": " + indented(about, indent+"  "))
	}
	b.WriteString("\n")
	if s == nil || depth >= maxDepth {
		return
	}
	if members := membersOf(f.schema, depth); len(members) > 0 {
		b.WriteString("\n")
		for _, m := range members {
			m.write(b, indent+"  ", depth+1)
		}
	}
}

// writeSchema writes the schema of a body: its members as a list that folds at the top, or its type.
func writeSchema(b *strings.Builder, ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil {
		return
	}
	about := prose(ref.Value.Description)
	members := membersOf(ref, 0)
	if len(members) == 0 {
		fmt.Fprintf(b, "%s%s\n\n", plain(typeOf(ref, 0)), limits(ref.Value))
		if about != "" {
			b.WriteString(about + "\n\n")
		}
		return
	}
	if typeOf(ref, 0) != "object" {
		fmt.Fprintf(b, "%s:\n\n", plain(typeOf(ref, 0)))
	}
	for i, m := range members {
		if i == maxMembers {
			fmt.Fprintf(b, "- and %d more\n", len(members)-i)
			break
		}
		m.write(b, "", 1)
	}
	b.WriteString("\n")
}

// membersOf returns the members of an object, of the items of an array, or of a composed schema.
func membersOf(ref *openapi3.SchemaRef, depth int) (members []field) {
	if ref == nil || ref.Value == nil || depth > maxDepth {
		return nil
	}
	s := ref.Value
	if s.Items != nil {
		return membersOf(s.Items, depth+1)
	}
	seen := make(map[string]bool)
	add := func(list []field) {
		for _, m := range list {
			if !seen[m.name] {
				seen[m.name] = true
				members = append(members, m)
			}
		}
	}
	var own []field
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		own = append(own, field{name: name, schema: s.Properties[name], required: slices.Contains(s.Required, name)})
	}
	slices.SortStableFunc(own, func(a, b field) int {
		if a.required != b.required {
			if a.required {
				return -1
			}
			return 1
		}
		return 0
	})
	add(own)
	for _, part := range s.AllOf {
		add(membersOf(part, depth+1))
	}
	if len(members) > 0 {
		return members
	}
	for _, choices := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf} {
		for i, choice := range choices {
			if inner := membersOf(choice, depth+1); len(inner) > 0 && depth < 2 {
				members = append(members, field{name: choiceName(choice, i), schema: choice})
			}
		}
	}
	return members
}

// choiceName returns the name of one of several schemas.
func choiceName(ref *openapi3.SchemaRef, i int) string {
	if ref.Value.Title != "" {
		return oneLine(ref.Value.Title)
	}
	if at := strings.LastIndexByte(ref.Ref, '/'); at >= 0 {
		return ref.Ref[at+1:]
	}
	return fmt.Sprintf("choice %d", i+1)
}

// typeOf is the type of a schema in words.
func typeOf(ref *openapi3.SchemaRef, depth int) string {
	if ref == nil || ref.Value == nil || depth > 3 {
		return "any"
	}
	s := ref.Value
	var types []string
	if s.Type != nil {
		for _, name := range s.Type.Slice() {
			if name == "array" && s.Items != nil {
				name = "array of " + typeOf(s.Items, depth+1)
			}
			types = append(types, name)
		}
	}
	switch {
	case len(types) > 0:
	case len(s.OneOf)+len(s.AnyOf) > 0:
		for _, choice := range append(slices.Clone(s.OneOf), s.AnyOf...) {
			if name := typeOf(choice, depth+1); !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
	case len(s.AllOf) == 1:
		return typeOf(s.AllOf[0], depth+1)
	case len(s.Properties) > 0 || len(s.AllOf) > 0:
		types = []string{"object"}
	default:
		types = []string{"any"}
	}
	if s.Nullable && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	text := strings.Join(types, " or ")
	if s.Format != "" {
		text += " (" + s.Format + ")"
	}
	return text
}

// limits are the values that a schema allows, and its default.
func limits(s *openapi3.Schema) string {
	var b strings.Builder
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum[:min(len(s.Enum), maxValues)] {
			values = append(values, code(asJSON(v)))
		}
		if len(s.Enum) > maxValues {
			values = append(values, fmt.Sprintf("and %d more", len(s.Enum)-maxValues))
		}
		b.WriteString(", one of " + strings.Join(values, ", "))
	}
	if s.Const != nil {
		b.WriteString(", always " + code(asJSON(s.Const)))
	}
	if s.Min != nil {
		fmt.Fprintf(&b, ", at least %v", *s.Min)
	}
	if s.Max != nil {
		fmt.Fprintf(&b, ", at most %v", *s.Max)
	}
	if s.MaxLength != nil {
		fmt.Fprintf(&b, ", at most %d characters", *s.MaxLength)
	}
	if s.Default != nil {
		b.WriteString(", default " + code(asJSON(s.Default)))
	}
	return b.String()
}

// asJSON returns a value as JSON, and a string without quotes.
func asJSON(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
