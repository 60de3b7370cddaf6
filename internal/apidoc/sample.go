package apidoc

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

const (
	// maxSample is the maximum size of an example in bytes.
	maxSample = 4 << 10
	// maxSampleValues is the maximum number of values in an example generated from a schema.
	maxSampleValues = 1000
)

// sampler generates an example from a schema. left is the number of values that it may still contain.
type sampler struct{ left int }

func newSampler() *sampler { return &sampler{maxSampleValues} }

// sampleOf returns an example of a body as JSON: the description's example, or an example generated from the schema. It
// returns "" if there is no example or the example is longer than maxSample.
func sampleOf(media mediaType) string {
	value := media.example
	if value == nil {
		value = newSampler().sample(media.schema, 0)
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
	if value := newSampler().sample(p.schema, 0); value != nil {
		return value
	}
	return p.name
}

// sample returns an example value for a schema, or nil if the schema has no known type, is nested too deeply, or is too
// large.
func (a *sampler) sample(s *schema, depth int) any {
	if s == nil || depth > 4 || a.left == 0 {
		return nil
	}
	a.left--
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
			return a.sample(choices[0], depth+1)
		}
	}
	if len(s.properties) > 0 || len(s.allOf) > 0 {
		return a.object(s, depth)
	}
	kind := ""
	if len(s.types) > 0 {
		kind = s.types[0]
	}
	switch kind {
	case "array":
		if item := a.sample(s.items, depth+1); item != nil {
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

// object returns an example of an object. A nested object contains only its required members, unless all members
// are optional.
func (a *sampler) object(s *schema, depth int) map[string]any {
	object := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(s.properties)) {
		if depth > 0 && len(s.required) > 0 && !slices.Contains(s.required, name) {
			continue
		}
		if value := a.sample(s.properties[name], depth+1); value != nil {
			object[name] = value
		}
	}
	for _, part := range s.allOf {
		if inner, ok := a.sample(part, depth+1).(map[string]any); ok {
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
