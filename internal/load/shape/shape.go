// Package shape describes the values that keys in a site's files may have. The loader describes its fields as Shapes,
// for tools that help write those files. A Shape allows every value that the loader accepts. It may also allow values
// that the loader rejects, because not every rule can be written as a pattern.
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

// Use is the purpose of a string. It lets editing tools offer a better input than a text field.
type Use uint8

// The uses of strings.
const (
	Plain Use = iota
	// Prose is text that may have several lines.
	Prose
	// Moment is a date, with or without a time.
	Moment
	// Image is the path of an image.
	Image
)

// Shape describes the values of a key.
type Shape struct {
	// Kinds are the allowed types, the most common type first. If Kinds is empty, any type is allowed.
	Kinds []Kind
	// Empty reports whether the empty string is allowed, regardless of Kinds and Pattern.
	Empty bool
	// Pattern is a regular expression that strings must match, in the common subset of Go's and ECMA-262's syntax. If
	// "", any string is allowed.
	Pattern string
	Use     Use
	// Examples are valid values that an editor can start from.
	Examples []string
	// Min and Max are a number's inclusive limits, or nil for no limit.
	Min, Max *int64
	// Item describes the items of a list.
	Item *Shape
	// Fields are the known members of a map.
	Fields []Field
	// Others describes the other members of a map, or is nil if none are allowed.
	Others *Shape
	// Names is a pattern that the names of all members must match. If "", any name is allowed.
	Names string
	// Never lists names that no member may have.
	Never []string
}

// Field is a known member of a map.
type Field struct {
	Name string
	// About describes the value to write, in a complete sentence.
	About    string
	Required bool
	Shape    Shape
}

// Usual returns the most common kind, or Null if any kind is allowed.
func (s *Shape) Usual() Kind {
	if len(s.Kinds) == 0 {
		return Null
	}
	return s.Kinds[0]
}

// Has reports whether values of kind k are allowed.
func (s *Shape) Has(k Kind) bool { return slices.Contains(s.Kinds, k) }

// Get returns the named field, or nil if there is none.
func (s *Shape) Get(name string) *Field {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// Optional returns a copy of s that also allows null and the empty string.
func (s Shape) Optional() Shape {
	s = s.OrNull()
	s.Empty = true
	return s
}

// OrNull returns a copy of s that also allows null, for a key without a value.
func (s Shape) OrNull() Shape {
	s.Kinds = append(s.Kinds[:len(s.Kinds):len(s.Kinds)], Null)
	return s
}
