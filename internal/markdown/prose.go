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
	Head   string
	d      *Document
	pieces []prosePiece
}

// prosePiece is where a part of the text comes from.
type prosePiece struct {
	// start is where the part begins in the text, offset where it does in the
	// body.
	start, offset int
	// written is the part as it was written, with its escapes.
	written []byte
	fact    bool
}

// codeStandIn stands for code, so that the words around it stay apart.
const codeStandIn = "\uFFFC"

// Prose returns the text of every block, in the order of the page; footnotes
// come last.
func (d *Document) Prose() []Prose {
	g := &proseGatherer{d: d}
	g.blocks(d.root)
	for _, n := range d.notes {
		g.blocks(n.node)
	}
	return g.prose
}

type proseGatherer struct {
	d     *Document
	prose []Prose
	text  []byte
	at    Prose
}

func (g *proseGatherer) blocks(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch b := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			g.begin(Prose{})
			g.inlines(b)
			g.end()
		case *ast.Heading:
			g.begin(Prose{Level: b.Level})
			g.inlines(b)
			g.end()
		case *east.Table:
			g.table(b)
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.ThematicBreak:
		default:
			g.blocks(b)
		}
	}
}

func (g *proseGatherer) begin(p Prose) {
	g.text, g.at = g.text[:0], p
	g.at.d = g.d
}

func (g *proseGatherer) end() {
	if len(g.at.pieces) > 0 {
		g.at.Text = string(g.text)
		g.prose = append(g.prose, g.at)
	}
}

func (g *proseGatherer) table(t *east.Table) {
	head := ""
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		g.begin(Prose{Head: head})
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			g.inlines(cell)
			if cell.NextSibling() != nil {
				g.text = append(g.text, '\t')
			}
		}
		if isHeader(row) {
			head = string(g.text)
		}
		g.end()
	}
}

func (g *proseGatherer) inlines(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch i := c.(type) {
		case *ast.Text:
			g.piece(i.Segment.Start, i.Segment.Value(g.d.body), false)
			g.text = g.d.appendText(g.text, i)
			if i.SoftLineBreak() || i.HardLineBreak() {
				g.text = append(g.text, ' ')
			}
		case *ast.String:
			g.piece(i.Pos(), nil, g.state(i))
			g.text = g.d.appendText(g.text, i)
		case *ast.AutoLink:
			g.piece(i.Pos(), nil, false)
			g.text = append(g.text, i.Label(g.d.body)...)
		case *ast.CodeSpan:
			g.piece(i.Pos(), nil, false)
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

func (g *proseGatherer) piece(offset int, written []byte, fact bool) {
	g.at.pieces = append(g.at.pieces, prosePiece{len(g.text), offset, written, fact})
}

// pieceOf is the piece that a byte of the text is in.
func (p *Prose) pieceOf(i int) prosePiece {
	n := sort.Search(len(p.pieces), func(n int) bool { return p.pieces[n].start > i })
	return p.pieces[max(n-1, 0)]
}

// Fact reports whether a byte of the text comes from product.yaml, by an
// expression.
func (p *Prose) Fact(i int) bool { return p.pieceOf(i).fact }

// Pos returns where a byte of the text is written in the file.
func (p *Prose) Pos(i int) site.Pos {
	piece := p.pieceOf(i)
	offset := max(piece.offset, 0)
	return p.d.position(offset + writtenLength(piece.written, i-piece.start))
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
