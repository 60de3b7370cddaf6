package markdown

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

// Component is the data for a component's templates. The strings are HTML for the page's template, and Markdown for the
// twin's template.
type Component struct {
	// Name is the component's name in the directive.
	Name string
	// ID is an ID that is unique on the page, for `id` attributes; empty in Markdown templates.
	ID      string
	Label   string // the text in brackets: HTML in `NAME.html`, Markdown in `NAME.md`
	Content string // the blocks inside the component
	Text    string // the label without markup
	// Attributes are the written attributes by name: strings, and a site.Ref for links. An attribute without a value
	// has its name as the value.
	Attributes map[string]any
	// Children are the components directly inside the component.
	Children []*Component
	Outside  bool // whether `src` is on another host
	Inline   bool // whether the component is part of a line of text
}

// Components executes the templates of a site's components.
type Components interface {
	// Names returns the names of the components, sorted.
	Names() []string
	// Own reports whether the site adds the component called name. It returns false for a component of the default
	// theme, even if the site replaces its templates.
	Own(name string) bool
	// HTML executes the component's template for the page, and appends the output to w.
	HTML(w *bytes.Buffer, c *Component) error
	// HasMarkdown reports whether a component has a template for the twin. If there is no such template, the twin
	// contains the directive.
	HasMarkdown(name string) bool
	// Markdown executes the component's template for the twin, and appends the output to w.
	Markdown(w *bytes.Buffer, c *Component) error
	// IconProblem returns a message that explains why name isn't the name of an icon, or "" if it is.
	IconProblem(name string) string
}

// With returns a copy of the parser for a site with the given components.
func (p *Parser) With(components Components) *Parser {
	with := *p
	with.components = components
	return &with
}

// Components returns the names of the components that the page uses, sorted and without duplicates.
func (d *Document) Components() []string {
	names := slices.Collect(maps.Keys(d.components))
	for _, f := range d.fragments {
		names = append(names, f.Components()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unknownComponent reports an unknown component. The message suggests the most similar name or, if no name is similar,
// lists all names. sign contains the colons before the name.
func (n *normalizer) unknownComponent(sign, name string, at int) {
	text := fmt.Sprintf("unknown component %q", name)
	if near := n.d.parser.nearest(name); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "; the components are " + strings.Join(n.d.parser.componentNames(), ", ") + ", and any in templates/components/"
	}
	if sign != ":::" {
		text += "; write a literal colon as \\:"
	}
	n.d.noteForeign(sign+name, errorSeverity, rule.Directive, at, text, "", "")
}

// component normalizes a block component. It converts an alert to a block quote, and replaces an unknown component with
// its content.
func (n *normalizer) component(parent ast.Node, c *component) {
	s, ok := n.d.parser.component(c.name)
	if c.name == "code-group" && !ok {
		codeGroup(c, n.d.body)
		s, ok = n.d.parser.component(c.name)
	}
	if kind, alert := alertNamed(c.name); ok && alert && !s.own {
		if c.colons == 2 && c.FirstChild() == nil {
			n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s has no text; write :::%s, the text, and :::, each on its own line", c.name, c.name))
		}
		n.alert(parent, c, kind)
		return
	}
	if ok && s.forms == inline {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s is an inline component; write :%s[…]", c.name, c.name))
	}
	if !ok || s.forms == inline {
		if !ok {
			n.unknownComponent(strings.Repeat(":", c.colons), c.name, c.Pos())
		}
		// Move the content of c, which isn't a block component, to parent, and normalize the content there.
		n.readBlocks(c)
		for kid := c.FirstChild(); kid != nil; kid = c.FirstChild() {
			parent.InsertBefore(parent, c, kid)
			if l, ok := kid.(*label); ok {
				paragraph := ast.NewParagraph()
				replaceBlock(parent, l, paragraph)
				kid = paragraph
			}
			n.block(parent, kid)
		}
		parent.RemoveChild(parent, c)
		return
	}
	outer := n.height
	n.height = 0
	n.blocks(c)
	if l := labelOf(c); l != nil && n.empty(l) {
		c.RemoveChild(c, l)
	}
	n.useComponent(&c.directive, s, c.Pos(), c.plainLabel(n.d))
	if n.isLinkCard(c) {
		n.fillCard(c)
	}
	c.height = n.height
	n.height = max(outer, c.height+1)
	n.place(parent, c, s)
}

// colonsIn returns the minimum height of a component that contains the code; see component.height. Other tools end a
// component at a line with as many colons as the component's opening line, even in code, so the component needs more
// colons than any line of the code.
func (d *Document) colonsIn(code ast.Node) (height int) {
	for i := range code.Lines().Len() {
		line := code.Lines().At(i)
		if text := bytes.TrimLeft(line.Value(d.body), " \t"); bytes.HasPrefix(text, []byte(":::")) {
			height = max(height, runOf(text, ':')-2)
		}
	}
	return height
}

func (c *component) plainLabel(d *Document) string {
	if l := labelOf(c); l != nil {
		return d.plain(l)
	}
	return ""
}

// place checks the position, the label, the content, and the notation of a component, and reports mistakes.
func (n *normalizer) place(parent ast.Node, c *component, s spec) {
	fault := func(at int, text string) { n.d.problem(at, errorSeverity, rule.Directive, text) }
	outer, _ := parent.(*component)
	first := c.FirstChild()
	if labelOf(c) != nil {
		first = first.NextSibling()
	} else if s.label && !n.isLinkCard(c) {
		fault(c.Pos(), fmt.Sprintf("%s has no label; write %s[Its label]", c.name, c.sign()))
	}
	switch {
	case s.own:
	case c.name == "steps" && !holdsList(first):
		fault(c.Pos(), "steps: want a numbered list; write 1. before each step")
	case c.name == "filetree" && !holdsList(first):
		fault(c.Pos(), "filetree: want a list of files and folders; write - before each name")
	case c.name == "zoom" && !holdsImage(c):
		fault(c.Pos(), "zoom must contain an image without a link around it; write ![what it shows](picture.png)")
	case groupOf(c.name) != "" && (outer == nil || outer.name != groupOf(c.name)):
		group := groupOf(c.name)
		fault(c.Pos(), fmt.Sprintf("a %s must be inside %s; write ::::%s before the first %[1]s, and :::: after the last one", c.name, group, group))
	case onlyPart(c.name) != "":
		n.parts(c, first)
	case s.forms&alone == 0 && c.colons == 2:
		fault(c.Pos(), fmt.Sprintf("%s needs content; write :::%s, then its content, then ::: on its own line", c.name, c.name))
	case s.forms&around == 0 && first != nil:
		fault(c.Pos(), fmt.Sprintf("%s does not take content; write ::%s[Label]{…} on its own line", c.name, c.name))
	}
}

// holdsList reports whether n or a later sibling is a list.
func holdsList(n ast.Node) bool {
	for ; n != nil; n = n.NextSibling() {
		if _, ok := n.(*ast.List); ok {
			return true
		}
	}
	return false
}

// codeGroup converts a VitePress code group to tabs. In a code group, a block's label follows the language, as in "js
// [config.js]".
func codeGroup(c *component, source []byte) {
	c.name = "tabs"
	for kid := c.FirstChild(); kid != nil; {
		next := kid.NextSibling()
		if code, ok := kid.(*ast.FencedCodeBlock); ok {
			tab := &component{directive: directive{name: "tab"}, colons: 3, closed: true}
			tab.SetPos(code.Pos())
			l := newLabel()
			l.SetPos(code.Pos())
			name := "Code"
			if code.Info != nil {
				name = strings.TrimSpace(string(code.Info.Segment.Value(source)))
				if open, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); open >= 0 && end > open+1 {
					name = name[open+1 : end]
				}
			}
			l.AppendChild(l, plainString(name, code.Pos()))
			tab.AppendChild(tab, l)
			c.ReplaceChild(c, code, tab)
			tab.AppendChild(tab, code)
		}
		kid = next
	}
}

// alert converts a component to an alert of the given kind. A title attribute becomes the alert's title if the
// component has no label.
func (n *normalizer) alert(parent ast.Node, c *component, kind string) {
	for _, a := range c.attributes {
		if n.isLook(c.name, a) {
			continue
		}
		if a.name == "title" && labelOf(c) == nil && a.value != "" {
			l := newLabel()
			l.SetPos(a.at)
			l.AppendChild(l, plainString(a.value, a.at))
			c.InsertBefore(c, c.FirstChild(), l)
			continue
		}
		n.d.problem(a.at, errorSeverity, rule.Directive, fmt.Sprintf("%s has no attribute %q; it takes only a title, as in :::%s[Title]", c.name, a.name, c.name))
	}
	quote := ast.NewBlockquote()
	quote.SetPos(c.Pos())
	quote.SetAttributeString(alertAttribute, kind)
	replaceBlock(parent, c, quote)
	n.block(parent, quote)
}

// inlineComponent normalizes an inline component, and returns the next node to normalize.
func (n *normalizer) inlineComponent(parent ast.Node, c *inlineComponent) (next ast.Node) {
	next = c.NextSibling()
	s, ok := n.d.parser.component(c.name)
	if ok && s.forms&inline == 0 {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s cannot appear inline; write it on its own line, as ::%s or :::%s", c.name, c.name, c.name))
		return dissolve(parent, c, next)
	}
	if !ok {
		n.unknownComponent(":", c.name, c.Pos())
		return dissolve(parent, c, next)
	}
	n.inlines(c)
	oneLineText(c)
	if s.label && !c.HasChildren() {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s has no label; write :%s[Its label]", c.name, c.name))
	}
	if c.name == "kbd" && !s.own {
		for _, a := range c.attributes {
			n.d.problem(a.at, errorSeverity, rule.Directive, "kbd does not take attributes; write :kbd[Ctrl]")
		}
		span := &elementSpan{tag: "kbd"}
		span.SetPos(c.Pos())
		for kid := c.FirstChild(); kid != nil; kid = c.FirstChild() {
			span.AppendChild(span, kid)
		}
		parent.ReplaceChild(parent, c, span)
		n.closeSpan(parent, span)
		return next
	}
	n.useComponent(&c.directive, s, c.Pos(), n.d.plain(c))
	return next
}

// oneLineText replaces the soft line breaks in parent with spaces, for content that must be on one line.
func oneLineText(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && t.SoftLineBreak() {
			t.SetSoftLineBreak(false)
			parent.InsertAfter(parent, t, plainString(" ", t.Segment.Stop))
			continue
		}
		oneLineText(c)
	}
}
