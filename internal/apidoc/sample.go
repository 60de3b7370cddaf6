package apidoc

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// maxSample is the maximum size of an example in bytes.
const maxSample = 4 << 10

// sampleOf returns an example of a body as JSON: the description's example, or an example generated from the schema. It
// returns "" if there is no example or the example is longer than maxSample.
func sampleOf(media *openapi3.MediaType) string {
	if media == nil {
		return ""
	}
	value := media.Example
	if value == nil {
		for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
			if e := media.Examples[name]; e != nil && e.Value != nil && e.Value.Value != nil {
				value = e.Value.Value
				break
			}
		}
	}
	if value == nil {
		value = sample(media.Schema, 0)
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
func sampleParameter(p *openapi3.Parameter) any {
	if p.Example != nil {
		return p.Example
	}
	for _, name := range slices.Sorted(maps.Keys(p.Examples)) {
		if e := p.Examples[name]; e != nil && e.Value != nil && e.Value.Value != nil {
			return e.Value.Value
		}
	}
	if value := sample(p.Schema, 0); value != nil {
		return value
	}
	return p.Name
}

// sample returns an example value for a schema, or nil if the schema has no known type or is nested too deeply.
func sample(ref *openapi3.SchemaRef, depth int) any {
	if ref == nil || ref.Value == nil || depth > 4 {
		return nil
	}
	s := ref.Value
	switch {
	case s.Example != nil:
		return s.Example
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	for _, choices := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf} {
		if len(choices) > 0 {
			return sample(choices[0], depth+1)
		}
	}
	if len(s.Properties) > 0 || len(s.AllOf) > 0 {
		return sampleObject(s, depth)
	}
	kind := ""
	if s.Type != nil && len(s.Type.Slice()) > 0 {
		kind = s.Type.Slice()[0]
	}
	switch kind {
	case "array":
		if item := sample(s.Items, depth+1); item != nil {
			return []any{item}
		}
		return []any{}
	case "object":
		return map[string]any{}
	case "string":
		return sampleText(s.Format)
	case "integer", "number":
		if s.Min != nil {
			return *s.Min
		}
		return 1
	case "boolean":
		return true
	}
	return nil
}

// sampleObject returns an example of an object. A nested object contains only its required members, unless all members
// are optional.
func sampleObject(s *openapi3.Schema, depth int) map[string]any {
	object := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if depth > 0 && len(s.Required) > 0 && !slices.Contains(s.Required, name) {
			continue
		}
		if value := sample(s.Properties[name], depth+1); value != nil {
			object[name] = value
		}
	}
	for _, part := range s.AllOf {
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
