package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

// Describe is the type of the function that returns the title and the description of the page that a link points to.
// page is the file of the page that contains the link. ok is false if the target isn't a page of the site.
type Describe func(page, link string) (title, description string, ok bool)

// Describing returns a copy of the parser that calls describe for the title and the description of each card without a
// label.
func (p *Parser) Describing(describe Describe) *Parser {
	with := *p
	with.describe = describe
	return &with
}

// isLinkCard reports whether c is a card with a link but no label or content.
func (n *normalizer) isLinkCard(c *component) bool {
	return c.name == "card" && c.links["link"] != nil && !c.HasChildren()
}

// fillCard sets the label and the content of a card to the title and the description of the page that it links to. It
// reports a link to anything other than a page of the site.
func (n *normalizer) fillCard(c *component) {
	if n.d.parser.describe == nil {
		return
	}
	l := c.links["link"]
	title, description, ok := n.d.parser.describe(n.d.path, l.Destination)
	if !ok {
		n.d.problem(l.offset, errorSeverity, rule.Directive, fmt.Sprintf("the card has no label and cannot show a page title, because %q is not a page of this site; write %s[Its title]", l.Destination, c.sign()))
		title = l.Destination
	}
	if title == "" {
		return
	}
	l.Alt = title
	head := newLabel()
	head.SetPos(c.Pos())
	head.AppendChild(head, plainString(title, c.Pos()))
	c.AppendChild(c, head)
	if description == "" {
		return
	}
	about := ast.NewParagraph()
	about.SetPos(c.Pos())
	about.AppendChild(about, plainString(description, c.Pos()))
	c.AppendChild(c, about)
	c.colons = 3
}
