// Package shape says which values the keys of a site's files take, as data:
// what a loader's tables of fields look like to the tools that help to write
// those files. It promises no less than the loader takes: a value that a Shape
// rules out is one that the loader refuses. The other way round the loader is
// the judge, for not every rule can be written down as a pattern.
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

// Use says what a text is for, where an editor could offer more than a line to
// write in.
type Use uint8

// The uses of texts.
const (
	Plain Use = iota
	// Prose may have several lines.
	Prose
	// Moment is a date or a time.
	Moment
	// Image is the path of an image.
	Image
)

// Shape says which values a key takes.
type Shape struct {
	// Kinds are the types that pass, the usual one first. None means any.
	Kinds []Kind
	// Empty lets the empty text pass, whatever the kinds and the pattern are.
	Empty bool
	// Pattern is a regular expression that a text matches, in the common part
	// of Go's syntax and ECMA-262's; "" for any text.
	Pattern string
	Use     Use
	// Examples are values that an editor can begin with.
	Examples []string
	// Min and Max bound a number; nil where there is no bound.
	Min, Max *int64
	// Item is what the items of a list are.
	Item *Shape
	// Fields are the members that a map is known to have.
	Fields []Field
	// Others is what further members of a map are; nil where there are none.
	Others *Shape
	// Names is a pattern that the names of all members match; "" for any name.
	Names string
	// Never are names that no member has.
	Never []string
}

// Field is a member of a map.
type Field struct {
	Name string
	// About says what to write, in a full sentence.
	About    string
	Required bool
	Shape    Shape
}

// Usual is the kind that a value most often has; Null where it may be any.
func (s *Shape) Usual() Kind {
	if len(s.Kinds) == 0 {
		return Null
	}
	return s.Kinds[0]
}

// Has reports whether values of a kind pass.
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

// Optional is the shape of what may also be left empty.
func (s Shape) Optional() Shape {
	s = s.OrNull()
	s.Empty = true
	return s
}

// OrNull is the shape of what may also be null, as a key without a value is.
func (s Shape) OrNull() Shape {
	s.Kinds = append(s.Kinds[:len(s.Kinds):len(s.Kinds)], Null)
	return s
}
