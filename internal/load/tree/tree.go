// Package tree reads YAML, JSON and TOML into one kind of document tree that
// knows where everything stands. It promises that every scalar keeps the form
// it was written in, that members keep their order, that no key is there twice
// in one map, that no text holds a control character other than a line break
// or a tab, that a tree is at most MaxDepth deep, and that whatever a stranger
// wrote gives a tree or located faults, never a panic.
package tree

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/site"
)

// MaxDepth is how deep lists and maps may stand in one another.
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

// Node is a value and its place.
type Node struct {
	Kind Kind
	Pos  site.Pos
	// Text is a text's content, and of a number or truth value the form it was
	// written in.
	Text string
	// Number is a Number's valid JSON form: its written form wherever that is
	// one. It is "" for an infinity, for "not a number", and for what is too
	// large to be a double.
	Number string
	// Quoted says that a text was marked as text: by quotes, or as a block.
	Quoted bool
	// Items are a List's, in order.
	Items []*Node
	// Members are a Map's, in the order written.
	Members []Member
}

// Member is a key of a map with its value.
type Member struct {
	Key string
	Pos site.Pos
	// Odd says that YAML reads the key as something else than a name: a number, a
	// truth value, or nothing.
	Odd bool
	// Bare says that the key has no colon: it stands between commas in {…}, and is
	// most often what a comma cut off the value before it.
	Bare bool
	// Missing says that the member has to be there and is not, which was reported.
	Missing bool
	Value   *Node
}

// Fault is something that makes a document unreadable, and its place.
type Fault struct {
	site.Pos
	// Text is one line, in the style of a site.Problem.
	Text string
}

// Get returns the member with that key, or nil.
func (n *Node) Get(key string) *Member {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Describe names what a node is in a message: `the text "x"`, "the number 5",
// "a list".
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

// shorten keeps messages on one readable line.
func shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// verify holds a tree to what every syntax has to keep: unique keys and clean
// texts, MaxDepth levels.
func verify(n *Node, depth int, faults []Fault) []Fault {
	switch n.Kind {
	case Text:
		faults = verifyText(n.Text, n.Pos, faults)
	case List:
		for _, item := range n.Items {
			faults = verify(item, depth+1, faults)
		}
	case Map:
		first := make(map[string]site.Pos, len(n.Members))
		for _, m := range n.Members {
			faults = verifyText(m.Key, m.Pos, faults)
			if at, twice := first[m.Key]; twice {
				faults = append(faults, Fault{m.Pos, fmt.Sprintf("%q is here for the second time; the first is on line %d", shorten(m.Key), at.Line)})
			} else {
				first[m.Key] = m.Pos
			}
			faults = verify(m.Value, depth+1, faults)
		}
	}
	if depth == MaxDepth+1 && (n.Kind == List || n.Kind == Map) {
		faults = append(faults, tooDeep(n.Pos))
	}
	return faults
}

func tooDeep(at site.Pos) Fault {
	return Fault{at, fmt.Sprintf("lists and maps are nested more than %d levels deep here; use fewer levels", MaxDepth)}
}

func verifyText(s string, at site.Pos, faults []Fault) []Fault {
	if !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
		return append(faults, Fault{at, "the text holds a character that is not valid Unicode; write the character itself"})
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

// forbidden reports whether a character cannot be in a text.
func forbidden(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t'
}
