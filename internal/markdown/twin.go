package markdown

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// WriteMarkdown appends the page to w as Markdown in a normal form, with all facts and included code inserted. base,
// such as "https://parley.example", is the prefix of targets that start with exactly one "/". It returns the error of a
// component's template, or an error that names an unknown construct.
func (d *Document) WriteMarkdown(w *bytes.Buffer, base string) error {
	t := &d.work.twin
	t.begin(d, w, base)
	t.blocks(d.root, false)
	for i, n := range d.notes {
		if i > 0 || d.root.HasChildren() {
			t.blank()
		}
		t.note(n)
	}
	return t.err
}

// twin writes the blocks of a page as Markdown, line by line, with the prefix of the open containers before each line.
// It gets the inline content of a block from an inlineWriter.
type twin struct {
	d    *Document
	w    *bytes.Buffer
	base string
	err  error
	text inlineWriter
	// prefix starts every line in the open containers. If lead isn't empty, it replaces prefix on the next line and
	// includes the pending markers.
	prefix, lead []byte
	// cells is a buffer for the current line.
	cells []byte
	// href and absolute are buffers for the URL of a link.
	href, absolute []byte
	// lists counts the open lists.
	lists int
	// children are the components written directly inside the current component.
	children []*Component
}

// begin prepares the writer for page d, regardless of its previous state.
func (t *twin) begin(d *Document, w *bytes.Buffer, base string) {
	t.d, t.w, t.base, t.err, t.lists = d, w, base, nil, 0
	t.prefix, t.lead, t.children = t.prefix[:0], t.lead[:0], nil
	t.text.t = t
}

// line writes content as one line, after the prefix of the open containers.
func (t *twin) line(content []byte) {
	start := t.prefix
	if len(t.lead) > 0 {
		start = t.lead
	}
	if len(content) == 0 {
		start = bytes.TrimRight(start, " ")
	}
	t.w.Write(start)
	t.w.Write(content)
	t.w.WriteByte('\n')
	t.lead = t.lead[:0]
}

// blank writes the empty line between two blocks.
func (t *twin) blank() {
	t.w.Write(bytes.TrimRight(t.prefix, " "))
	t.w.WriteByte('\n')
}

// between writes the empty line after a block. In a list, it omits the line after a block that ends in an empty item,
// because goldmark would end all open lists there.
func (t *twin) between(before ast.Node) {
	if t.lists == 0 || !endsEmpty(before) {
		t.blank()
	}
}

// open starts a container, with marker before its first line and indent before the other lines. The caller must pass
// the result to close.
func (t *twin) open(marker, indent string) (outer int) {
	outer = len(t.prefix)
	if len(t.lead) == 0 {
		t.lead = append(t.lead, t.prefix...)
	}
	t.lead = append(t.lead, marker...)
	t.prefix = append(t.prefix, indent...)
	return outer
}

// close ends a container. If the container is empty, it writes the container's marker.
func (t *twin) close(outer int) {
	if len(t.lead) > 0 {
		t.line(nil)
	}
	t.prefix = t.prefix[:outer]
}

// blocks writes the blocks of a container, with blank lines between them unless the container is an item of a tight
// list.
func (t *twin) blocks(parent ast.Node, tight bool) {
	var marker byte
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == kindLabel {
			continue
		}
		if before := c.PreviousSibling(); before != nil && before.Kind() != kindLabel && !tight {
			t.between(before)
		}
		if list, ok := c.(*ast.List); ok {
			marker = t.list(list, marker, 0)
			continue
		}
		marker = 0
		t.block(c, tight)
	}
}

func (t *twin) block(n ast.Node, tight bool) {
	switch b := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		t.lines(t.inline(n, inBlock))
	case *ast.Heading:
		t.heading(b)
	case *ast.Blockquote:
		t.quote(b)
	case *ast.FencedCodeBlock:
		t.code(b, t.d.twinInfo(b))
	case *ast.CodeBlock:
		t.code(b, nil)
	case *ast.ThematicBreak:
		// After a line of text, "---" would turn that line into a heading.
		if tight {
			t.line([]byte("***"))
		} else {
			t.line([]byte("---"))
		}
	case *east.Table:
		t.table(b)
	case *component:
		t.component(b)
	case *elementBlock:
		t.element(b)
	case *pre:
		if b.math {
			t.math(b)
		} else {
			t.code(b, []byte(b.language))
		}
	default:
		if t.err == nil {
			t.err = fmt.Errorf("%s: writing a %s as Markdown: unknown construct", t.d.path, n.Kind())
		}
	}
}

// lines writes text that may contain several lines.
func (t *twin) lines(text []byte) {
	for {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			t.line(text)
			return
		}
		t.line(text[:end])
		text = text[end+1:]
	}
}

// heading writes a heading with "#". A heading of level 1 or 2 with a hard line break is underlined instead, because
// "#" allows only one line.
func (t *twin) heading(b *ast.Heading) {
	if hasHardBreak(b) && b.Level <= 2 {
		t.lines(t.inline(b, inUnderlined))
		t.line([]byte([]string{"===", "---"}[b.Level-1]))
		return
	}
	text := t.inline(b, inHeading)
	t.cells = append(t.cells[:0], "######"[:b.Level]...)
	if len(text) > 0 {
		t.cells = append(t.cells, ' ')
		t.cells = append(t.cells, text...)
	}
	if len(text) > 0 && text[len(text)-1] == '#' {
		t.cells = append(t.cells[:len(t.cells)-1], `\#`...)
	}
	t.line(t.cells)
}

func (t *twin) quote(b *ast.Blockquote) {
	outer := t.open("> ", "> ")
	if kind, ok := alertOf(b); ok {
		t.cells = append(append(append(t.cells[:0], "[!"...), kind...), ']')
		first := b.FirstChild()
		if l := labelOf(b); l != nil {
			first = l.NextSibling()
			if title := t.inline(l, inHeading); len(title) > 0 {
				t.cells = append(append(t.cells, ' '), title...)
			}
		}
		t.line(t.cells)
		if first != nil {
			if _, paragraph := first.(*ast.Paragraph); !paragraph {
				t.blank()
			}
		}
	}
	t.blocks(b, false)
	t.close(outer)
}

// list writes a list and returns its marker. before is the marker of the list directly before b, and around is the
// marker of the item that starts with b. Both are 0 if there is none. Consecutive lists get different markers, because
// they would otherwise form one list. A list and a nested list in the first line of an item also get different markers,
// because three markers in a row could otherwise be a thematic break.
func (t *twin) list(b *ast.List, before, around byte) byte {
	marker := byte('-')
	if b.IsOrdered() {
		marker = '.'
		if before == '.' {
			marker = ')'
		}
	} else if before == '-' || around == '-' {
		marker = '*'
	}
	t.lists++
	number := b.Start
	for item := b.FirstChild(); item != nil; item = item.NextSibling() {
		if before := item.PreviousSibling(); before != nil && !b.IsTight && !(t.lists > 1 && endsEmpty(before)) {
			t.blank()
		}
		text := string(marker) + " "
		if b.IsOrdered() {
			text = strconv.Itoa(min(number, maxNumber)) + text
			number++
		}
		outer := t.open(text, "                "[:len(text)])
		t.item(item, b.IsTight, marker)
		t.close(outer)
	}
	t.lists--
	return marker
}

// maxNumber is the largest number of a list item (CommonMark 0.31 §5.2).
const maxNumber = 999_999_999

func (t *twin) item(item ast.Node, tight bool, marker byte) {
	switch first := item.FirstChild().(type) {
	case *ast.List:
		inner := t.list(first, 0, marker)
		t.remaining(first, tight, inner)
	case *ast.ThematicBreak:
		if marker == '-' {
			t.line([]byte("***"))
		} else {
			t.line([]byte("---"))
		}
		t.remaining(first, tight, 0)
	default:
		t.blocks(item, tight)
	}
}

// remaining writes the blocks that follow the first block of an item.
func (t *twin) remaining(first ast.Node, tight bool, marker byte) {
	for c := first.NextSibling(); c != nil; c = c.NextSibling() {
		if !tight {
			t.between(c.PreviousSibling())
		}
		if list, ok := c.(*ast.List); ok {
			marker = t.list(list, marker, 0)
			continue
		}
		marker = 0
		t.block(c, tight)
	}
}

// note writes the definition of a footnote.
func (t *twin) note(n *note) {
	label := "[^" + n.label + "]:"
	if _, ok := n.node.FirstChild().(*ast.Paragraph); ok {
		outer := t.open(label+" ", "    ")
		t.blocks(n.node, false)
		t.close(outer)
		return
	}
	t.line([]byte(label))
	outer := len(t.prefix)
	t.prefix = append(t.prefix, "    "...)
	t.blocks(n.node, false)
	t.prefix = t.prefix[:outer]
}
