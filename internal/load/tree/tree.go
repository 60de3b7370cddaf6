// Package tree parses YAML, JSON, and TOML into one kind of document tree with positions. Scalars keep their written
// form, and members keep their order. In a valid document, the keys of each map are unique, strings contain no control
// characters except line breaks and tabs, and lists and maps are nested at most MaxDepth levels deep; Large accepts more.
// Invalid documents yield faults with positions, never a panic.
package tree

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/site"
)

// MaxDepth is the maximum nesting depth of lists and maps.
const MaxDepth = 32

// Kind is the type of a node.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

// Node is a value in a document, with its position.
type Node struct {
	Kind Kind
	Pos  site.Pos
	// Text is the content of a string, or the written form of a number or Boolean.
	Text string
	// Number is the JSON form of a Number, which is its written form if that is valid JSON. It is "" for an infinity,
	// for "not a number", and for a number too large for a double.
	Number string
	// Quoted reports whether the string is written with quotes or a block indicator, such as |.
	Quoted bool
	// Items are the items of a List, in order.
	Items []*Node
	// Members are the members of a Map, in written order.
	Members []Member
}

// Member is a key of a map with its value.
type Member struct {
	Key string
	Pos site.Pos
	// Odd reports whether YAML reads the key as a number, a Boolean, or null instead of a string.
	Odd bool
	// Bare reports whether the key has no colon. Such a key occurs in {…}, usually because a value contains a comma.
	Bare bool
	// Missing reports whether the loader added the member because it is required but missing.
	Missing bool
	Value   *Node
}

// Fault is a mistake that makes a document unreadable.
type Fault struct {
	site.Pos
	// Text is one line, in the style of a site.Problem.
	Text string
}

// Get returns the member with the given key, or nil if there is none.
func (n *Node) Get(key string) *Member {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Describe returns a short description of the node for messages, such as `the text "x"`, "the number 5", or "a list".
func (n *Node) Describe() string {
	switch n.Kind {
	case Bool:
		return n.Text
	case Number:
		return "the number " + shorten(n.Text)
	case Text:
		return fmt.Sprintf("the text %q", shorten(n.Text))
	case List:
		return "a list"
	case Map:
		return "a map"
	default:
		return "nothing"
	}
}

// shorten truncates s to 40 characters to keep messages readable.
func shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// verify checks the requirements on documents in every syntax: unique keys, no forbidden characters in strings, and at
// most MaxDepth levels. depth is the number of lists and maps around n. verify appends to faults.
func verify(n *Node, depth int, faults []Fault) []Fault {
	if depth > MaxDepth && (n.Kind == List || n.Kind == Map) {
		return append(faults, tooDeep(n.Pos, MaxDepth))
	}
	switch n.Kind {
	case Text:
		faults = verifyText(n.Text, n.Pos, faults)
	case List:
		for _, item := range n.Items {
			faults = verify(item, depth+1, faults)
		}
	case Map:
		faults = verifyKeys(n, faults)
		for _, m := range n.Members {
			faults = verifyText(m.Key, m.Pos, faults)
			faults = verify(m.Value, depth+1, faults)
		}
	}
	return faults
}

// verifyKeys reports the keys of a map that occur twice.
func verifyKeys(n *Node, faults []Fault) []Fault {
	first := make(map[string]site.Pos, len(n.Members))
	for _, m := range n.Members {
		if at, twice := first[m.Key]; twice {
			faults = append(faults, Fault{m.Pos, fmt.Sprintf("the key %q is already on line %d; remove one of the two", shorten(m.Key), at.Line)})
		} else {
			first[m.Key] = m.Pos
		}
	}
	return faults
}

func tooDeep(at site.Pos, deepest int) Fault {
	return Fault{at, fmt.Sprintf("lists and maps are nested more than %d levels deep here; use fewer levels", deepest)}
}

func verifyText(s string, at site.Pos, faults []Fault) []Fault {
	if !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
		return append(faults, Fault{at, "the text contains a character that is not valid Unicode; write the character itself"})
	}
	if i := strings.IndexFunc(s, forbidden); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return append(faults, Fault{at, controlText(r)})
	}
	return faults
}

func controlText(r rune) string {
	return fmt.Sprintf("the control character U+%04X is not allowed; remove it", r)
}

// forbidden reports whether a character is not allowed in a string.
func forbidden(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t'
}
