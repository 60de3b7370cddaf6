package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

// This file checks components that may contain only one kind of component, such as tabs.

// onlyPart returns the name of the only component that group may contain, or "" if group may contain anything.
func onlyPart(group string) string {
	switch group {
	case "tabs":
		return "tab"
	case "columns":
		return "column"
	case "fields":
		return "field"
	}
	return ""
}

// groupOf returns the name of the component that part must be directly inside, or "" if part may be anywhere.
func groupOf(part string) string {
	if group := part + "s"; onlyPart(group) == part {
		return group
	}
	return ""
}

// parts reports a problem if the group c, such as tabs, contains none of its parts, such as a tab, or contains anything
// else. first is the group's first block after its label, or nil if there is none.
func (n *normalizer) parts(c *component, first ast.Node) {
	part := onlyPart(c.name)
	sign := ":::" + part
	if s, _ := n.d.parser.component(part); s.label {
		sign += "[Label]"
	}
	fault := func(at int, text string) { n.d.problem(at, errorSeverity, rule.Directive, text) }
	if first == nil {
		fault(c.Pos(), fmt.Sprintf("%s has no %s; write %s, its content, and ::: inside it", c.name, part, sign))
		return
	}
	for kid := first; kid != nil; kid = kid.NextSibling() {
		if inner, ok := kid.(*component); !ok || inner.name != part {
			fault(kid.Pos(), fmt.Sprintf("%s may contain only %s components; write %s before this content, and ::: after it", c.name, part, sign))
			return
		}
	}
}

// holdsImage reports whether n contains an image outside a link.
func holdsImage(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.Image:
			return true
		case *ast.Link:
			continue
		}
		if holdsImage(c) {
			return true
		}
	}
	return false
}
