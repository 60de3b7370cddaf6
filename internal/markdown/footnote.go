package markdown

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// note is a footnote. Its definition is node.
type note struct {
	node *east.Footnote
	// index is the footnote's number, or 0 if the footnote has no visible references.
	index int
	// refs is the number of visible references.
	refs int
	// label is the footnote's label in the twin.
	label string
}

var (
	kindNoteRef   = ast.NewNodeKind("NoteRef")
	kindNoteStore = ast.NewNodeKind("NoteStore")
)

// noteRef is a reference to a footnote.
type noteRef struct {
	ast.BaseInline
	note *note
	// ordinal is the reference's number among the visible references to the footnote, from 0.
	ordinal int
}

// Kind implements ast.Node.
func (*noteRef) Kind() ast.NodeKind { return kindNoteRef }

// Dump implements ast.Node.
func (r *noteRef) Dump(source []byte, level int) { ast.DumpHelper(r, source, level, nil, nil) }

// noteStore is the block that contains the definitions of footnotes until goldmark has parsed their inline content,
// which it does only for blocks in the tree.
type noteStore struct {
	ast.BaseBlock
}

// Kind implements ast.Node.
func (*noteStore) Kind() ast.NodeKind { return kindNoteStore }

// Dump implements ast.Node.
func (s *noteStore) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// noteParser parses the definitions of footnotes as goldmark's extension does, except that a footnote can't contain the
// definition of another footnote, which would create a loop in goldmark's tree.
type noteParser struct {
	parser.BlockParser
}

func newNoteParser() parser.BlockParser {
	return noteParser{blankLines{extension.NewFootnoteBlockParser(), noteIndent}}
}

// Open implements parser.BlockParser.
func (p noteParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	for n := parent; n != nil; n = n.Parent() {
		if _, ok := n.(*east.Footnote); ok {
			return nil, parser.NoChildren
		}
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// Close implements parser.BlockParser.
func (p noteParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	state := stateOf(pc)
	definition := node.(*east.Footnote)
	if state.holder == nil {
		state.holder = &noteStore{}
		top := node
		for top.Parent().Kind() != ast.KindDocument {
			top = top.Parent()
		}
		top.Parent().InsertBefore(top.Parent(), top, state.holder)
		state.notes = make(map[string]*note)
	}
	node.Parent().RemoveChild(node.Parent(), node)
	if _, ok := state.notes[string(definition.Ref)]; ok {
		state.document.problem(node.Pos(), warningSeverity, rule.Footnote,
			"footnote [^"+string(definition.Ref)+"] is already defined; remove one of the definitions")
		return
	}
	state.holder.AppendChild(state.holder, node)
	n := &note{node: definition}
	state.notes[string(definition.Ref)] = n
	state.notesList = append(state.notesList, n)
}

// noteRefParser is the inline parser for references to footnotes. When it runs, all definitions are known, because
// goldmark parses all blocks first.
type noteRefParser struct{}

// Trigger implements parser.InlineParser. It includes "!", because goldmark would otherwise read "![^1]" as an image.
func (noteRefParser) Trigger() []byte { return []byte{'!', '['} }

// maxLabel is the maximum length of a label in bytes (CommonMark 0.31 §4.7).
const maxLabel = 999

// Parse implements parser.InlineParser.
func (noteRefParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	state := stateOf(pc)
	if state.notes == nil {
		return nil
	}
	line, segment := block.PeekLine()
	open := 0
	if line[0] == '!' {
		open = 1
	}
	if len(line) < open+4 || line[open] != '[' || line[open+1] != '^' {
		return nil
	}
	label := line[open+2 : min(len(line), open+2+maxLabel)]
	end := bytes.IndexByte(label, ']')
	if end < 0 {
		return nil
	}
	n := state.notes[string(label[:end])]
	if n == nil {
		return nil
	}
	if open == 1 {
		parent.AppendChild(parent, ast.NewTextSegment(text.NewSegment(segment.Start, segment.Start+1)))
	}
	block.Advance(open + 2 + end + 1)
	ref := &noteRef{note: n}
	ref.SetPos(segment.Start + open)
	return ref
}

// number numbers the footnotes in the order of their references: first the references in the text, then the references
// in footnotes. It is called again if the title is dropped, because the title may contain references.
func (d *Document) number(state *parseState) {
	d.notes = d.notes[:0]
	for _, n := range state.notesList {
		n.index, n.refs = 0, 0
	}
	for c := d.root.FirstChild(); c != nil; c = c.NextSibling() {
		d.numberIn(c)
	}
	for i := 0; i < len(d.notes); i++ {
		d.numberIn(d.notes[i].node)
	}
	d.labelNotes()
}

func (d *Document) numberIn(n ast.Node) {
	switch ref := n.(type) {
	case *ast.Image:
		return
	case *noteRef:
		if ref.note.index == 0 {
			d.notes = append(d.notes, ref.note)
			ref.note.index = len(d.notes)
		}
		ref.ordinal = ref.note.refs
		ref.note.refs++
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.numberIn(c)
	}
}

// labelNotes chooses the footnotes' labels in the twin. A footnote keeps the author's label if that label is simple.
// Otherwise, its label is an unused number.
func (d *Document) labelNotes() {
	taken := make(map[string]bool, len(d.notes))
	for _, n := range d.notes {
		n.label = ""
		if simpleLabel(n.node.Ref) {
			n.label = string(n.node.Ref)
			taken[n.label] = true
		}
	}
	for _, n := range d.notes {
		for i := n.index; n.label == ""; i += len(d.notes) {
			if label := strconv.Itoa(i); !taken[label] {
				n.label = label
				taken[label] = true
			}
		}
	}
}

// simpleLabel reports whether a label contains only ASCII letters and digits, "-", "_", and non-ASCII characters, and
// is shorter than maxLabel.
func simpleLabel(label []byte) bool {
	for _, c := range label {
		if !util.IsAlphaNumeric(c) && c != '-' && c != '_' && c < 0x80 {
			return false
		}
	}
	return len(label) < maxLabel
}

// appendNoteID appends the anchor of a footnote to dst: for example, "fn:1".
func appendNoteID(dst []byte, n *note) []byte {
	return strconv.AppendInt(append(dst, "fn:"...), int64(n.index), 10)
}

// appendRefID appends the anchor of a reference to dst: for example, "fnref:1" for the first reference to a footnote,
// and "fnref1:1" for the second.
func appendRefID(dst []byte, n *note, ordinal int) []byte {
	dst = append(dst, "fnref"...)
	if ordinal > 0 {
		dst = strconv.AppendInt(dst, int64(ordinal), 10)
	}
	return strconv.AppendInt(append(dst, ':'), int64(n.index), 10)
}

// notes writes the footnotes at the end of the page.
func (h *htmlWriter) notes() {
	if len(h.d.notes) == 0 {
		return
	}
	h.w.WriteString(`<div class="footnotes" role="doc-endnotes" aria-label="`)
	h.word("footnotes")
	h.w.WriteString("\">\n<hr>\n<ol>\n")
	for _, n := range h.d.notes {
		h.w.WriteString(`<li id="`)
		h.w.Write(appendNoteID(h.w.AvailableBuffer(), n))
		h.w.WriteString("\">\n")
		last, _ := n.node.LastChild().(*ast.Paragraph)
		for c := n.node.FirstChild(); c != nil; c = c.NextSibling() {
			if c != ast.Node(last) || last == nil {
				h.block(c)
			}
		}
		h.w.WriteString("<p>")
		if last != nil {
			h.inlines(last)
			h.w.WriteString("&#160;")
		}
		h.backLinks(n)
		h.w.WriteString("</p>\n</li>\n")
	}
	h.w.WriteString("</ol>\n</div>\n")
}

// backLinks writes the links from a footnote to its references.
func (h *htmlWriter) backLinks(n *note) {
	for i := range n.refs {
		if i > 0 {
			h.w.WriteString("&#160;")
		}
		h.w.WriteString(`<a href="#`)
		h.w.Write(appendRefID(h.w.AvailableBuffer(), n, i))
		h.w.WriteString(`" class="footnote-backref" role="doc-backlink" aria-label="`)
		number := strconv.Itoa(n.index)
		if i > 0 {
			number += "-" + strconv.Itoa(i+1)
		}
		h.word("footnoteBack", "number", number)
		h.w.WriteString("\">\u21a9\ufe0e</a>")
	}
}

// noteRef writes a reference to a footnote.
func (h *htmlWriter) noteRef(r *noteRef) {
	h.w.WriteString(`<sup id="`)
	h.w.Write(appendRefID(h.w.AvailableBuffer(), r.note, r.ordinal))
	h.w.WriteString(`"><a href="#`)
	h.w.Write(appendNoteID(h.w.AvailableBuffer(), r.note))
	h.w.WriteString(`" class="footnote-ref" role="doc-noteref">`)
	h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(r.note.index), 10))
	h.w.WriteString(`</a></sup>`)
}
