package apidoc

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxSample is the maximum size of an example in bytes.
const maxSample = 4 << 10

// sampleOf returns an example of a body as JSON: the description's example, or an example generated from the schema. It
// returns "" if there is no example or the example is longer than maxSample.
func sampleOf(media mediaType) string {
	value := media.example
	if value == nil {
		value = sample(media.schema, 0)
	}
	if value == nil {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil || b.Len() > maxSample {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// sampleParameter returns an example of a parameter's value, or the parameter's name if there is none.
func sampleParameter(p *parameter) any {
	if p.example != nil {
		return p.example
	}
	if value := sample(p.schema, 0); value != nil {
		return value
	}
	return p.name
}

// sample returns an example value for a schema, or nil if the schema has no known type or is nested too deeply.
func sample(s *schema, depth int) any {
	if s == nil || depth > 4 {
		return nil
	}
	switch {
	case s.example != nil:
		return s.example
	case s.initial != nil:
		return s.initial
	case s.constant != nil:
		return s.constant
	case len(s.enum) > 0:
		return s.enum[0]
	}
	for _, choices := range [][]*schema{s.oneOf, s.anyOf} {
		if len(choices) > 0 {
			return sample(choices[0], depth+1)
		}
	}
	if len(s.properties) > 0 || len(s.allOf) > 0 {
		return sampleObject(s, depth)
	}
	kind := ""
	if len(s.types) > 0 {
		kind = s.types[0]
	}
	switch kind {
	case "array":
		if item := sample(s.items, depth+1); item != nil {
			return []any{item}
		}
		return []any{}
	case "object":
		return map[string]any{}
	case "string":
		return sampleText(s.format)
	case "integer", "number":
		if s.minimum != nil {
			return s.minimum
		}
		return 1
	case "boolean":
		return true
	}
	return nil
}

// sampleObject returns an example of an object. A nested object contains only its required members, unless all members
// are optional.
func sampleObject(s *schema, depth int) map[string]any {
	object := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(s.properties)) {
		if depth > 0 && len(s.required) > 0 && !slices.Contains(s.required, name) {
			continue
		}
		if value := sample(s.properties[name], depth+1); value != nil {
			object[name] = value
		}
	}
	for _, part := range s.allOf {
		if inner, ok := sample(part, depth+1).(map[string]any); ok {
			maps.Copy(object, inner)
		}
	}
	return object
}

// sampleText returns an example string in the given format, or "text" if the format is unknown.
func sampleText(format string) string {
	switch format {
	case "date":
		return "2026-01-31"
	case "date-time":
		return "2026-01-31T12:00:00Z"
	case "email":
		return "ann@example.com"
	case "uri", "url":
		return "https://example.com/"
	case "uuid":
		return "123e4567-e89b-12d3-a456-426614174000"
	}
	return "text"
}
