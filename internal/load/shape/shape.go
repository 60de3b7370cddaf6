// Package shape describes, as data, the values that keys in a site's files may have. A loader describes its own fields
// as Shapes, for tools that help to write those files. A Shape is at least as permissive as the loader: the loader
// rejects every value that a Shape excludes. The loader has the final say, because not every rule can be written as a
// pattern.
package shape

import "slices"

// Kind is the type of a value.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Truth
	// Whole is a number without a fraction.
	Whole
	Number
	Text
	List
	Map
)

// Use is the purpose of a string, if an editor could offer more than a text field.
type Use uint8

// The uses of strings.
const (
	Plain Use = iota
	// Prose may have several lines.
	Prose
	// Moment is a date, with or without a time.
	Moment
	// Image is the path of an image.
	Image
)

// Shape describes the values of a key.
type Shape struct {
	// Kinds are the allowed types, the most common one first. If empty, any type is allowed.
	Kinds []Kind
	// Empty allows the empty string, regardless of the kinds and the pattern.
	Empty bool
	// Pattern is a regular expression that strings match, in the common subset of the syntaxes of Go and ECMA-262. If
	// "", any string is allowed.
	Pattern string
	Use     Use
	// Examples are values that an editor can start from.
	Examples []string
	// Min and Max are a number's limits, or nil if it has no limit.
	Min, Max *int64
	// Item describes the items of a list.
	Item *Shape
	// Fields are the known members of a map.
	Fields []Field
	// Others describes further members of a map, or is nil if there can't be any.
	Others *Shape
	// Names is a pattern that matches the names of all members. "" allows any name.
	Names string
	// Never lists names that a member must not have.
	Never []string
}

// Field is a member of a map.
type Field struct {
	Name string
	// About describes the value to write, in a complete sentence.
	About    string
	Required bool
	Shape    Shape
}

// Usual returns the most common kind of a value, or Null if every kind is allowed.
func (s *Shape) Usual() Kind {
	if len(s.Kinds) == 0 {
		return Null
	}
	return s.Kinds[0]
}

// Has reports whether values of kind k are allowed.
func (s *Shape) Has(k Kind) bool { return slices.Contains(s.Kinds, k) }

// Get returns the field with that name, or nil.
func (s *Shape) Get(name string) *Field {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// Optional returns the shape that also allows an empty value.
func (s Shape) Optional() Shape {
	s = s.OrNull()
	s.Empty = true
	return s
}

// OrNull returns the shape that also allows null, as for a key without a value.
func (s Shape) OrNull() Shape {
	s.Kinds = append(s.Kinds[:len(s.Kinds):len(s.Kinds)], Null)
	return s
}
