package markdown

import (
	"sort"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/site"
)

// Prose is the text of one block as people read it: of a paragraph, a heading,
// or a row of a table. Code is left out of it, as are images.
type Prose struct {
	// Text is on one line. The cells of a row have a tab between them.
	Text string
	// Level is that of a heading, else 0.
	Level int
	// Head is the head of the table that the row is in, in the form of Text; ""
	// for other blocks.
	Head string
	d    *Document
	// base is where the text begins in that of all blocks, which the pieces
	// count in.
	base   int
	pieces []prosePiece
}

// prosePiece is where a part of the text comes from.
type prosePiece struct {
	// start is where the part begins in the text of all blocks, offset where it
	// does in the body.
	start, offset int32
	// written is how long the part is as it was written, with its escapes; 0
	// where that is not known.
	written int32
	fact    bool
}

// codeStandIn stands for code, so that the words around it stay apart.
const codeStandIn = "\uFFFC"

// Prose returns the text of every block, in the order of the page; footnotes
// come last.
func (d *Document) Prose() []Prose {
	g := &proseGatherer{d: d, text: make([]byte, 0, len(d.body)), pieces: make([]prosePiece, 0, 16+len(d.body)/64), head: -1}
	g.blocks(d.root)
	for _, n := range d.notes {
		g.blocks(n.node)
	}
	// The texts of all blocks are parts of one.
	text := string(g.text)
	prose := make([]Prose, len(g.spans))
	for i, b := range g.spans {
		prose[i] = Prose{Text: text[b.start:b.end], Level: b.level, d: d, base: b.start, pieces: g.pieces[b.first:b.last:b.last]}
		if b.head >= 0 {
			prose[i].Head = text[b.head:b.headEnd]
		}
	}
	return prose
}

// proseGatherer gathers the texts of blocks, one behind the other.
type proseGatherer struct {
	d      *Document
	text   []byte
	pieces []prosePiece
	spans  []proseSpan
	// head and headEnd are where the head of the open table is; -1 for none.
	head, headEnd int
}

// proseSpan is the text of a block and its pieces.
type proseSpan struct {
	start, end, first, last, level, head, headEnd int
}

func (g *proseGatherer) blocks(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch b := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			g.block(b, 0)
		case *ast.Heading:
			g.block(b, b.Level)
		case *east.Table:
			g.table(b)
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.ThematicBreak:
		default:
			g.blocks(b)
		}
	}
}

func (g *proseGatherer) block(b ast.Node, level int) {
	span := g.begin()
	span.level = level
	g.inlines(b)
	g.end(span)
}

func (g *proseGatherer) begin() proseSpan {
	return proseSpan{start: len(g.text), first: len(g.pieces), head: g.head, headEnd: g.headEnd}
}

func (g *proseGatherer) end(span proseSpan) {
	if span.last, span.end = len(g.pieces), len(g.text); span.last > span.first {
		g.spans = append(g.spans, span)
	}
}

func (g *proseGatherer) table(t *east.Table) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		span := g.begin()
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			g.inlines(cell)
			if cell.NextSibling() != nil {
				g.text = append(g.text, '\t')
			}
		}
		g.end(span)
		if isHeader(row) {
			g.head, g.headEnd = span.start, len(g.text)
		}
	}
	g.head = -1
}

func (g *proseGatherer) inlines(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch i := c.(type) {
		case *ast.Text:
			g.piece(i.Segment.Start, i.Segment.Stop-i.Segment.Start, false)
			g.text = g.d.appendText(g.text, i)
			if i.SoftLineBreak() || i.HardLineBreak() {
				g.text = append(g.text, ' ')
			}
		case *ast.String:
			g.piece(i.Pos(), 0, g.state(i))
			g.text = g.d.appendText(g.text, i)
		case *ast.AutoLink:
			g.piece(i.Pos(), 0, false)
			g.text = append(g.text, i.Label(g.d.body)...)
		case *ast.CodeSpan:
			g.piece(i.Pos(), 0, false)
			g.text = append(g.text, codeStandIn...)
		case *ast.Image, *noteRef, *east.TaskCheckBox:
		default:
			g.inlines(c)
		}
	}
}

// state reports whether a string stands for a fact.
func (g *proseGatherer) state(s *ast.String) bool {
	return g.d.state.facts != nil && (g.d.state.facts.uses[s] != nil || s.Pos() < 0)
}

func (g *proseGatherer) piece(offset, written int, fact bool) {
	g.pieces = append(g.pieces, prosePiece{int32(len(g.text)), int32(offset), int32(written), fact})
}

// pieceOf is the piece that a byte of the text is in.
func (p *Prose) pieceOf(i int) prosePiece {
	n := sort.Search(len(p.pieces), func(n int) bool { return int(p.pieces[n].start) > p.base+i })
	return p.pieces[max(n-1, 0)]
}

// Fact reports whether a byte of the text comes from product.yaml, by an
// expression.
func (p *Prose) Fact(i int) bool { return p.pieceOf(i).fact }

// Pos returns where a byte of the text is written in the file.
func (p *Prose) Pos(i int) site.Pos {
	piece := p.pieceOf(i)
	offset := max(int(piece.offset), 0)
	written := p.d.body[offset : offset+int(piece.written)]
	return p.d.position(offset + writtenLength(written, p.base+i-int(piece.start)))
}

// writtenLength is how many bytes of a text, as it is written, stand for its
// first bytes: escapes and references are longer than what they stand for.
func writtenLength(written []byte, shown int) int {
	n := 0
	for shown > 0 && n < len(written) {
		switch {
		case written[n] == '\\' && n+1 < len(written) && util.IsPunct(written[n+1]):
			n, shown = n+2, shown-1
			continue
		case written[n] == '&':
			if character, size := appendReference(nil, written[n:]); size > 0 {
				n, shown = n+size, shown-len(character)
				continue
			}
		}
		n, shown = n+1, shown-1
	}
	return n
}
