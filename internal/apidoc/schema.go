package apidoc

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	// maxDepth is the maximum nesting depth of listed members. Schemas may be recursive.
	maxDepth = 4
	// maxMembers is the maximum number of listed members of a body, not counting nested members.
	maxMembers = 200
	// maxLists is the maximum number of lists of members on a page, because a schema may contain itself many times.
	maxLists = 2000
	// maxValues is the maximum number of listed values of an enumeration.
	maxValues = 12
)

// field is a parameter or a member of a schema.
type field struct {
	name                 string
	schema               *schema
	required, deprecated bool
	about                string
}

// writeField writes a field as a list item with the given indentation, and the field's members as a nested list.
func (r *reference) writeField(b *strings.Builder, f field, indent string, depth int) {
	fmt.Fprintf(b, "%s- %s", indent, code(f.name))
	about, s := f.about, f.schema
	if s != nil {
		fmt.Fprintf(b, " %s", plain(r.typeOf(s, 0)))
		if about == "" {
			about = s.description
		}
	}
	if f.required {
		fmt.Fprintf(b, ", **%s**", plain(r.word("apiRequired")))
	}
	if f.deprecated || s != nil && s.deprecated {
		fmt.Fprintf(b, ", **%s**", plain(r.word("apiDeprecated")))
	}
	if s != nil {
		b.WriteString(r.limits(s))
	}
	if about = prose(about); about != "" {
		b.WriteString(": " + indented(about, indent+"  "))
	}
	b.WriteString("\n")
	if s == nil || depth >= maxDepth {
		return
	}
	if members := r.membersOf(s, depth); len(members) > 0 {
		b.WriteString("\n")
		for _, m := range members {
			r.writeField(b, m, indent+"  ", depth+1)
		}
	}
}

// writeSchema writes the schema of a body as a list of its members, or as a type if it has no members.
func (r *reference) writeSchema(b *strings.Builder, s *schema) {
	if s == nil {
		return
	}
	about := prose(s.description)
	members := r.membersOf(s, 0)
	if len(members) == 0 {
		fmt.Fprintf(b, "%s%s\n\n", plain(r.typeOf(s, 0)), r.limits(s))
		if about != "" {
			b.WriteString(about + "\n\n")
		}
		return
	}
	if name := r.typeOf(s, 0); name != "object" {
		fmt.Fprintf(b, "%s:\n\n", plain(name))
	}
	for i, m := range members {
		if i == maxMembers {
			fmt.Fprintf(b, "- %s\n", plain(r.word("refMore", "count", len(members)-i)))
			break
		}
		r.writeField(b, m, "", 1)
	}
	b.WriteString("\n")
}

// membersOf returns the members of an object, of the items of an array, or of a composed schema. The required members
// of an object come first. If a schema has only alternatives, each alternative with members becomes a member.
func (r *reference) membersOf(s *schema, depth int) (members []field) {
	if s == nil || depth > maxDepth || r.lists == maxLists {
		return nil
	}
	r.lists++
	if s.items != nil {
		return r.membersOf(s.items, depth+1)
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
	for _, name := range slices.Sorted(maps.Keys(s.properties)) {
		own = append(own, field{name: name, schema: s.properties[name], required: slices.Contains(s.required, name)})
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
	for _, part := range s.allOf {
		add(r.membersOf(part, depth+1))
	}
	if len(members) > 0 {
		return members
	}
	for _, choices := range [][]*schema{s.oneOf, s.anyOf} {
		for i, choice := range choices {
			if inner := r.membersOf(choice, depth+1); len(inner) > 0 && depth < 2 {
				members = append(members, field{name: r.choiceName(choice, i), schema: choice})
			}
		}
	}
	return members
}

// choiceName returns the name of the alternative at index i: its title, the name in its reference, or its number.
func (r *reference) choiceName(s *schema, i int) string {
	if s.title != "" {
		return oneLine(s.title)
	}
	if s.name != "" {
		return s.name
	}
	return r.word("refChoice", "number", i+1)
}

// typeOf returns the type of a schema in the page's language. Names of JSON types and formats stay in English.
func (r *reference) typeOf(s *schema, depth int) string {
	if s == nil || depth > 3 {
		return r.word("refAny")
	}
	var types []string
	for _, name := range s.types {
		if name == "array" && s.items != nil {
			name = r.word("refArray", "type", r.typeOf(s.items, depth+1))
		}
		types = append(types, name)
	}
	switch {
	case len(types) > 0:
	case len(s.oneOf)+len(s.anyOf) > 0:
		for _, choice := range append(slices.Clone(s.oneOf), s.anyOf...) {
			if name := r.typeOf(choice, depth+1); !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
	case len(s.allOf) == 1:
		return r.typeOf(s.allOf[0], depth+1)
	case len(s.properties) > 0 || len(s.allOf) > 0:
		types = []string{"object"}
	default:
		types = []string{r.word("refAny")}
	}
	if s.nullable && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	text := strings.Join(types, " "+r.word("refOr")+" ")
	if s.format != "" {
		text += " (" + s.format + ")"
	}
	return text
}

// limits returns the constraints of a schema, such as the allowed values and the maximum, and the default value, each
// preceded by a comma. It returns "" if there are none.
func (r *reference) limits(s *schema) string {
	var parts []string
	say := func(key string, values ...any) { parts = append(parts, r.word(key, values...)) }
	if len(s.enum) > 0 {
		say("refOneOf", "values", r.values(s.enum))
	}
	if s.constant != nil {
		parts = append(parts, r.word("apiAlways")+" "+code(asJSON(s.constant)))
	}
	if s.minimum != nil {
		say("refAtLeast", "value", asJSON(s.minimum))
	}
	if s.maximum != nil {
		say("refAtMost", "value", asJSON(s.maximum))
	}
	if s.maxLength != nil {
		say("refLength", "count", s.maxLength)
	}
	if s.initial != nil {
		parts = append(parts, r.word("apiDefault")+" "+code(asJSON(s.initial)))
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(", " + part)
	}
	return b.String()
}

// values returns a list of up to maxValues values of an enumeration, followed by the number of omitted values, if any.
func (r *reference) values(all []any) string {
	var values []string
	for _, v := range all[:min(len(all), maxValues)] {
		values = append(values, code(asJSON(v)))
	}
	if more := len(all) - len(values); more > 0 {
		values = append(values, r.word("refMore", "count", more))
	}
	return strings.Join(values, ", ")
}

// asJSON returns v as JSON, or unchanged if v is a string.
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
