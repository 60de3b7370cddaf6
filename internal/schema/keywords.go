package schema

import (
	"bytes"
	"encoding/json"

	"vitrine/internal/load/shape"
)

// member is a member of an object. An object keeps the order of its members.
type member struct {
	name  string
	value any
}

type object []member

// MarshalJSON encodes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	err := o.encode(&out)
	return out.Bytes(), err
}

// encode appends the object to out. It encodes the objects inside directly, because package json would copy the result
// of each object's MarshalJSON into the surrounding object.
func (o object) encode(out *bytes.Buffer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := encoder.Encode(m.name); err != nil {
			return err
		}
		out.WriteByte(':')
		if inner, ok := m.value.(object); ok {
			if err := inner.encode(out); err != nil {
				return err
			}
		} else if err := encoder.Encode(m.value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

// keywords converts a shape to JSON Schema. It uses only keywords of Draft 7, which editors support best. Each keyword
// applies only to values of one type, so a schema for several types doesn't need alternatives such as anyOf.
func keywords(s *shape.Shape) object {
	var o object
	if len(s.Kinds) > 0 {
		o = append(o, member{"type", types(s)})
	}
	o = append(o, textKeywords(s)...)
	if s.Min != nil {
		o = append(o, member{"minimum", *s.Min})
	}
	if s.Max != nil {
		o = append(o, member{"maximum", *s.Max})
	}
	if s.Item != nil {
		o = append(o, member{"items", keywords(s.Item)})
	}
	if s.Usual() == shape.Map {
		o = append(o, mapKeywords(s)...)
	}
	return o
}

func textKeywords(s *shape.Shape) object {
	var o object
	switch {
	case s.Empty && !s.Has(shape.Text):
		o = append(o, member{"maxLength", 0})
	case s.Empty && s.Pattern != "":
		o = append(o, member{"pattern", "^$|" + s.Pattern})
	case s.Pattern != "":
		o = append(o, member{"pattern", s.Pattern})
	}
	if len(s.Examples) > 0 {
		o = append(o, member{"examples", s.Examples})
	}
	return o
}

func mapKeywords(s *shape.Shape) object {
	var properties object
	var required []string
	for i := range s.Fields {
		f := &s.Fields[i]
		properties = append(properties, member{f.Name, append(object{{"description", f.About}}, keywords(&f.Shape)...)})
		if f.Required {
			required = append(required, f.Name)
		}
	}
	for _, name := range s.Never {
		properties = append(properties, member{name, false})
	}
	var o object
	if properties != nil {
		o = append(o, member{"properties", properties})
	}
	if required != nil {
		o = append(o, member{"required", required})
	}
	if s.Names != "" {
		o = append(o, member{"propertyNames", object{{"pattern", s.Names}}})
	}
	switch {
	case s.Others == nil:
		o = append(o, member{"additionalProperties", false})
	case len(s.Others.Kinds) > 0:
		o = append(o, member{"additionalProperties", keywords(s.Others)})
	}
	return o
}

// types returns the JSON types that s allows: a single type, or a list of types. The list starts with the usual type,
// because editors use the first type to complete a value.
func types(s *shape.Shape) any {
	var names []string
	for _, k := range s.Kinds {
		names = append(names, typeName(k))
	}
	if s.Empty && !s.Has(shape.Text) {
		names = append(names, typeName(shape.Text))
	}
	if len(names) == 1 {
		return names[0]
	}
	return names
}

func typeName(k shape.Kind) string {
	switch k {
	case shape.Truth:
		return "boolean"
	case shape.Whole:
		return "integer"
	case shape.Number:
		return "number"
	case shape.Text:
		return "string"
	case shape.List:
		return "array"
	case shape.Map:
		return "object"
	default:
		return "null"
	}
}
