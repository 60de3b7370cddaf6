package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// This file defines the nodes for elements without Markdown syntax. The elements come from semantic HTML and from
// directives; see rawhtml.go and directive.go.

var (
	kindSpan      = ast.NewNodeKind("ElementSpan")
	kindAnchor    = ast.NewNodeKind("Anchor")
	kindElement   = ast.NewNodeKind("ElementBlock")
	kindPre       = ast.NewNodeKind("Pre")
	kindLabel     = ast.NewNodeKind("Label")
	kindComponent = ast.NewNodeKind("Component")
	kindInline    = ast.NewNodeKind("InlineComponent")
	kindMark      = ast.NewNodeKind("DirectiveMark")
)

// attribute is an attribute of a tag or a directive.
type attribute struct {
	name, value string
	// at is the attribute's offset in the body.
	at int
}

// attributeOf returns the value of the attribute with the given name, and reports whether list contains the attribute.
func attributeOf(list []attribute, name string) (string, bool) {
	for _, a := range list {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// elementSpan is an inline element with content: <kbd>, <sub>, <abbr>, …
type elementSpan struct {
	ast.BaseInline
	tag string
	// title is the title of an <abbr>.
	title string
}

// Kind implements ast.Node.
func (*elementSpan) Kind() ast.NodeKind { return kindSpan }

// Dump implements ast.Node.
func (e *elementSpan) Dump(source []byte, level int) { ast.DumpHelper(e, source, level, nil, nil) }

// anchor is a link target: <a id="…"></a>.
type anchor struct {
	ast.BaseInline
	id string
}

// Kind implements ast.Node.
func (*anchor) Kind() ast.NodeKind { return kindAnchor }

// Dump implements ast.Node.
func (a *anchor) Dump(source []byte, level int) { ast.DumpHelper(a, source, level, nil, nil) }

// elementBlock is a <dl>, a <table> that Markdown can't express, or a part of either.
type elementBlock struct {
	ast.BaseBlock
	tag string
	// attributes are the attributes to write in both outputs.
	attributes []attribute
}

// Kind implements ast.Node.
func (*elementBlock) Kind() ast.NodeKind { return kindElement }

// Dump implements ast.Node.
func (e *elementBlock) Dump(source []byte, level int) { ast.DumpHelper(e, source, level, nil, nil) }

// pre is a math block, or the code block for a <pre>. The content of a <pre> is in code, because the body may contain
// it with character references and tags.
type pre struct {
	ast.BaseBlock
	language string
	code     []byte
	// math reports whether the block is a math block. closed reports whether the end of a math block was found.
	math, closed bool
}

// Kind implements ast.Node.
func (*pre) Kind() ast.NodeKind { return kindPre }

// IsRaw implements ast.Node.
func (*pre) IsRaw() bool { return true }

// Dump implements ast.Node.
func (p *pre) Dump(source []byte, level int) { ast.DumpHelper(p, source, level, nil, nil) }

// label is the label of a component, or the title of an alert. It is the first child of its block.
type label struct {
	ast.BaseBlock
}

func newLabel(lines ...text.Segment) *label {
	l := &label{}
	for _, line := range lines {
		l.Lines().Append(line)
		l.SetPos(line.Start)
	}
	return l
}

// Kind implements ast.Node.
func (*label) Kind() ast.NodeKind { return kindLabel }

// Dump implements ast.Node.
func (l *label) Dump(source []byte, level int) { ast.DumpHelper(l, source, level, nil, nil) }

// labelOf returns the label of a block, or nil if the block has no label.
func labelOf(block ast.Node) *label {
	l, _ := block.FirstChild().(*label)
	return l
}

// directive contains the fields shared by the three forms of a component: containers, leaves, and inline components.
type directive struct {
	name       string
	attributes []attribute
	// links contains the links in attributes, keyed by attribute name.
	links map[string]*Link
}

// component is a block created by a directive: a container (":::name") or a leaf ("::name").
type component struct {
	ast.BaseBlock
	directive
	// colons is the number of colons before the component's name, which is 2 for a leaf.
	colons int
	// closed reports whether the component's end was found.
	closed bool
	// height determines the number of colons in the twin, which is 3 + height. It is greater than the height of each
	// component inside, and at least the result of colonsIn for any code inside.
	height int
}

// Kind implements ast.Node.
func (*component) Kind() ast.NodeKind { return kindComponent }

// Dump implements ast.Node.
func (c *component) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// inlineComponent is an inline component: ":name[…]".
type inlineComponent struct {
	ast.BaseInline
	directive
}

// Kind implements ast.Node.
func (*inlineComponent) Kind() ast.NodeKind { return kindInline }

// Dump implements ast.Node.
func (c *inlineComponent) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// directiveMark is the mark at the start or the end of an inline directive. The normalizer replaces both marks with one
// node.
type directiveMark struct {
	ast.BaseInline
	directive
	// opening is nil for a start mark. For an end mark, opening is the start mark. For the only mark of a directive
	// without a label, opening is the mark itself.
	opening *directiveMark
	// written is the source text of the mark.
	written text.Segment
}

// Kind implements ast.Node.
func (*directiveMark) Kind() ast.NodeKind { return kindMark }

// Dump implements ast.Node.
func (m *directiveMark) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }
