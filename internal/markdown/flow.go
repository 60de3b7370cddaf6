package markdown

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/rule"
)

// flow converts kids to blocks, and appends the blocks to parent. The kids are *element, htmlText, and ast.Node values.
func (n *normalizer) flow(parent ast.Node, kids []any) {
	f := flower{n: n, parent: parent}
	f.add(kids)
	f.flush()
}

// flower creates blocks from elements, and paragraphs from the inline content between the blocks.
type flower struct {
	n      *normalizer
	parent ast.Node
	// text is the content of the open paragraph.
	text []any
	// outside is the tag of the element that should contain the preceding misplaced parts, so that consecutive parts
	// are reported only once. It is "" if the preceding content is in a valid position.
	outside string
}

func (f *flower) append(node ast.Node) {
	f.flush()
	f.parent.AppendChild(f.parent, node)
}

// unlessEmpty appends node if it has children. It is for nodes that must not be empty, such as lists.
func (f *flower) unlessEmpty(node ast.Node) {
	if node.HasChildren() {
		f.append(node)
	}
}

// flush appends the open paragraph, unless it is empty, and starts another one.
func (f *flower) flush() {
	kids := f.text
	f.text = nil
	if paragraph := f.n.paragraph(kids); paragraph != nil {
		f.parent.AppendChild(f.parent, paragraph)
	}
}

// paragraph returns a paragraph with the inline content of kids, or nil if the content is empty.
func (n *normalizer) paragraph(kids []any) ast.Node {
	nodes := n.phrasing(kids)
	if len(nodes) == 0 {
		return nil
	}
	p := ast.NewParagraph()
	p.SetPos(nodes[0].Pos())
	if !n.fill(p, nodes) {
		return nil
	}
	return p
}

// fill appends inline nodes to block, without the white space at both ends. It reports whether it appended any nodes.
func (n *normalizer) fill(block ast.Node, nodes []ast.Node) bool {
	for len(nodes) > 0 && blankString(nodes[0]) {
		nodes = nodes[1:]
	}
	for len(nodes) > 0 && blankString(nodes[len(nodes)-1]) {
		nodes = nodes[:len(nodes)-1]
	}
	for i, node := range nodes {
		if t, ok := node.(*ast.Text); ok && !t.SoftLineBreak() && !t.HardLineBreak() {
			if i == 0 {
				t.Segment = t.Segment.TrimLeftSpace(n.d.body)
			}
			if i == len(nodes)-1 {
				t.Segment = t.Segment.TrimRightSpace(n.d.body)
			}
		}
		if s, ok := node.(*ast.String); ok {
			if i == 0 {
				s.Value = []byte(strings.TrimLeft(string(s.Value), " "))
			}
			if i == len(nodes)-1 {
				s.Value = []byte(strings.TrimRight(string(s.Value), " "))
			}
		}
		block.AppendChild(block, node)
	}
	return len(nodes) > 0
}

func blankString(node ast.Node) bool {
	s, ok := node.(*ast.String)
	return ok && len(strings.TrimSpace(string(s.Value))) == 0
}

func (f *flower) add(kids []any) {
	for _, kid := range kids {
		part, ok := kid.(*element)
		if !ok && !blank(kid) || ok && meaningOf(part.tag) != within {
			f.outside = ""
		}
		switch k := kid.(type) {
		case ast.Node:
			if k.Type() == ast.TypeBlock {
				f.append(k)
				continue
			}
			f.text = append(f.text, k)
		case htmlText:
			f.text = append(f.text, k)
		case *element:
			f.element(k)
		}
	}
}

func (f *flower) element(e *element) {
	if e.mark != nil {
		f.text = append(f.text, e)
		return
	}
	switch meaningOf(e.tag) {
	case inText:
		f.text = append(f.text, e)
	case onLines:
		f.flush()
		f.n.attributes(e)
		f.block(e)
	case within:
		in := partOf(e.tag)
		if in != f.outside {
			f.n.htmlProblem(e.at, fmt.Sprintf("<%s> is outside the element that it belongs to; write it inside <%s>", e.written, in))
		}
		f.add(e.kids)
		f.outside = in
	default:
		f.n.noMeaning(e)
		if isRawText(e.tag) {
			return
		}
		if blockElement(e.tag) {
			f.flush()
			defer f.flush()
		}
		f.add(e.kids)
	}
}

// partOf returns the tag of the element that must contain a part, such as "ul" for "li". It returns "table" for any
// part of a table.
func partOf(tag string) string {
	switch tag {
	case "li":
		return "ul"
	case "summary":
		return "details"
	case "figcaption":
		return "figure"
	case "dt", "dd":
		return "dl"
	case "source", "track":
		return "video"
	}
	return "table"
}

// block converts a block element, and appends the resulting blocks.
func (f *flower) block(e *element) {
	n := f.n
	id := n.anchorOf(e)
	if id != nil && (e.tag == "details" || e.tag == "figure" || e.tag == "video") {
		id = nil
	}
	if id != nil && !slices.Contains([]string{"p", "h1", "h2", "h3", "h4", "h5", "h6"}, e.tag) {
		p := ast.NewParagraph()
		p.SetPos(e.at)
		p.AppendChild(p, id)
		f.append(p)
	}
	kids := e.kids
	if id != nil {
		kids = append([]any{ast.Node(id)}, kids...)
	}
	switch e.tag {
	case "p":
		f.add(kids)
		f.flush()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		h := ast.NewHeading(int(e.tag[1] - '0'))
		h.SetPos(e.at)
		n.fill(h, n.phrasing(kids))
		f.append(h)
	case "ul", "ol":
		f.unlessEmpty(n.listOf(e))
	case "blockquote":
		quote := ast.NewBlockquote()
		quote.SetPos(e.at)
		n.flow(quote, e.kids)
		f.append(quote)
	case "pre":
		f.append(n.preOf(e))
	case "hr":
		f.append(ast.NewThematicBreak())
	case "table":
		f.unlessEmpty(n.tableOf(e))
	case "dl":
		f.unlessEmpty(n.definitions(e))
	case "details", "figure":
		f.append(n.folded(e))
	case "video":
		f.append(n.video(e))
	}
}

// anchorOf returns the anchor for an element's id, or for the name of an <a>. It returns nil if there is neither.
func (n *normalizer) anchorOf(e *element) *anchor {
	for _, name := range [...]string{"id", "name"} {
		if id, ok := attributeOf(e.attributes, name); ok && (name == "id" || e.tag == "a") {
			a := &anchor{id: norm.NFC.String(id)}
			a.SetPos(e.at)
			return a
		}
	}
	return nil
}

// listOf converts a <ul> or an <ol> to a list.
func (n *normalizer) listOf(e *element) ast.Node {
	list := ast.NewList('-')
	if e.tag == "ol" {
		list = ast.NewList('.')
		list.Start = 1
		if written, ok := attributeOf(e.attributes, "start"); ok {
			start, err := strconv.Atoi(strings.TrimSpace(written))
			if err != nil || start < 0 || start > maxNumber {
				n.htmlProblem(e.at, fmt.Sprintf("start of <ol>: want a whole number from 0 to %d, such as start=\"3\"; found %q", maxNumber, written))
			} else {
				list.Start = start
			}
		}
	}
	list.SetPos(e.at)
	list.IsTight = true
	n.items(list, e)
	return list
}

func (n *normalizer) items(list *ast.List, e *element) {
	for _, kid := range e.kids {
		if li, ok := kid.(*element); ok && li.tag == "li" {
			n.attributes(li)
			item := ast.NewListItem(2)
			item.SetPos(li.at)
			n.flow(item, li.kids)
			for _, k := range li.kids {
				if p, ok := k.(*element); ok && p.tag == "p" {
					list.IsTight = false
				} else if p, ok := k.(ast.Node); ok && p.Kind() == ast.KindParagraph {
					list.IsTight = false
				}
			}
			list.AppendChild(list, item)
			continue
		}
		n.stray(e, kid, e.tag, "li")
		if last, ok := list.LastChild().(*ast.ListItem); ok {
			n.flow(last, []any{kid})
		}
	}
}

// stray reports kid as misplaced, because its parent may contain only certain elements, such as items or cells. in is
// the parent's tag, and part is the tag of the allowed elements. stray reports only the first misplaced kid of e, and
// ignores white space.
func (n *normalizer) stray(e *element, kid any, in, part string) {
	if e.strayed || blank(kid) {
		return
	}
	e.strayed = true
	at := e.at
	switch k := kid.(type) {
	case htmlText:
		at = k.at
	case *element:
		at = k.at
	case ast.Node:
		at = max(at, k.Pos())
	}
	n.htmlProblem(at, fmt.Sprintf("this content is in <%s> but outside <%s>; put all content inside <%[2]s>", in, part))
}

// blank reports whether kid is white space between tags.
func blank(kid any) bool {
	t, ok := kid.(htmlText)
	return ok && strings.TrimSpace(t.text) == ""
}

// definitions converts a <dl> to an elementBlock.
func (n *normalizer) definitions(e *element) ast.Node {
	dl := &elementBlock{tag: "dl"}
	dl.SetPos(e.at)
	var add func(kids []any)
	add = func(kids []any) {
		for _, kid := range kids {
			part, ok := kid.(*element)
			switch {
			case ok && (part.tag == "dt" || part.tag == "dd"):
				n.attributes(part)
				block := &elementBlock{tag: part.tag}
				block.SetPos(part.at)
				n.content(block, part)
				dl.AppendChild(dl, block)
			case ok && part.tag == "div":
				add(part.kids)
			default:
				n.stray(e, kid, "dl", "dt> or <dd")
			}
		}
	}
	add(e.kids)
	return dl
}

// content converts the anchor and the content of an element, and appends them to block. The content may be inline or
// blocks.
func (n *normalizer) content(block ast.Node, e *element) {
	kids := e.kids
	if id := n.anchorOf(e); id != nil {
		kids = append([]any{ast.Node(id)}, kids...)
	}
	n.flow(block, kids)
}

// folded converts <details> and <figure> to components, with the <summary> or <figcaption> as the label.
func (n *normalizer) folded(e *element) ast.Node {
	part := map[string]string{"details": "summary", "figure": "figcaption"}[e.tag]
	c := &component{directive: directive{name: e.tag}, colons: 3, closed: true}
	c.SetPos(e.at)
	for _, name := range [...]string{"id", "open"} {
		if value, ok := attributeOf(e.attributes, name); ok {
			if name == "open" {
				value = ""
			}
			c.attributes = append(c.attributes, attribute{name: name, value: value, at: e.at})
		}
	}
	kids := make([]any, 0, len(e.kids))
	for _, kid := range e.kids {
		if inner, ok := kid.(*element); ok && inner.tag == part && labelOf(c) == nil {
			n.attributes(inner)
			l := newLabel()
			l.SetPos(inner.at)
			if n.fill(l, n.phrasing(unwrapped(inner.kids))) {
				c.AppendChild(c, l)
			}
			continue
		}
		kids = append(kids, kid)
	}
	n.flow(c, kids)
	return c
}

// unwrapped returns kids with each paragraph and heading replaced by its content and a space.
func unwrapped(kids []any) []any {
	var out []any
	for _, kid := range kids {
		if e, ok := kid.(*element); ok && (e.tag == "p" || len(e.tag) == 2 && e.tag[0] == 'h' && e.tag != "hr") {
			out = append(append(out, e.kids...), htmlText{" ", e.at})
			continue
		}
		out = append(out, kid)
	}
	return out
}

// pixels parses a width or a height in pixels. It reports an invalid value and returns 0.
func (n *normalizer) pixels(e *element, name, value string) int {
	size, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), "px"))
	if err != nil || size < 1 || size > 100_000 {
		n.d.problem(e.at, warningSeverity, rule.LostHTML, fmt.Sprintf("%s=%q on <%s> is ignored; write a number of pixels, as in %s=\"400\", or remove it", name, value, e.written, name))
		return 0
	}
	return size
}
