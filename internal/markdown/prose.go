package markdown

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/site"
)

// Prose is the readable text of one block: a paragraph, a heading, or a table row, without code or images. It is valid
// until the next block is visited.
type Prose struct {
	// Text is the block's text on one line, with tabs between the cells of a row.
	Text []byte
	// Level is the level of a heading, or 0.
	Level int
	// Head is the header row of the table that contains the row, in the same form as Text. It is nil for other blocks.
	Head []byte

	d    *Document
	node ast.Node
	// pieces is set when a position is first requested, which happens for few blocks.
	pieces []prosePiece
}

// prosePiece maps a part of the text to its source.
type prosePiece struct {
	// start is the part's offset in the text, and offset is its offset in the body.
	start, offset int32
	// written is the length of the part in the source, with its escapes, or 0 if unknown.
	written int32
	fact    bool
}

// codeStandIn replaces code in Text, so that the words before and after the code stay separate.
const codeStandIn = "\uFFFC"

// Prose calls visit for each block with readable text, in page order: first the sections, then the body, then the
// footnotes.
func (d *Document) Prose(visit func(*Prose)) {
	for _, f := range d.fragments {
		f.Prose(visit)
	}
	w := &proseWalker{visit: visit, prose: Prose{d: d}, text: proseText{d: d, text: d.work.prose}}
	w.blocks(d.root)
	for _, n := range d.notes {
		w.blocks(n.node)
	}
	d.work.prose = w.text.text[:0]
}

// proseWalker visits the blocks of a page. It reuses one Prose for all of them.
type proseWalker struct {
	visit func(*Prose)
	prose Prose
	text  proseText
	// head is the header of the open table, or nil.
	head []byte
}

func (w *proseWalker) blocks(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch b := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			w.block(b, 0)
		case *ast.Heading:
			w.block(b, b.Level)
		case *east.Table:
			w.table(b)
		case *label:
			w.block(b, 0)
		case *ast.CodeBlock, *ast.FencedCodeBlock, *pre, *ast.ThematicBreak:
		default:
			w.blocks(b)
		}
	}
}

// block visits b unless it contains no readable text.
func (w *proseWalker) block(b ast.Node, level int) {
	w.text.text, w.text.some = w.text.text[:0], false
	w.text.block(b)
	if !w.text.some {
		return
	}
	w.prose = Prose{Text: w.text.text, Level: level, Head: w.head, d: w.prose.d, node: b, pieces: w.prose.pieces[:0]}
	w.visit(&w.prose)
}

func (w *proseWalker) table(t *east.Table) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		w.block(row, 0)
		if isHeader(row) {
			w.head = append(make([]byte, 0, len(w.text.text)), w.text.text...)
		}
	}
	w.head = nil
}

// proseText collects the text of one block.
type proseText struct {
	d    *Document
	text []byte
	// some reports whether the block contains any piece of text, even an empty one.
	some bool
	// located enables the collection of pieces, which positions require.
	located bool
	pieces  []prosePiece
}

func (g *proseText) block(b ast.Node) {
	switch b.(type) {
	case *east.TableRow, *east.TableHeader:
		for cell := b.FirstChild(); cell != nil; cell = cell.NextSibling() {
			g.inlines(cell)
			if cell.NextSibling() != nil {
				g.text = append(g.text, '\t')
			}
		}
	default:
		g.inlines(b)
	}
}

func (g *proseText) inlines(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch i := c.(type) {
		case *ast.Text:
			g.piece(i.Segment.Start, i.Segment.Stop-i.Segment.Start, false)
			g.text = g.d.appendText(g.text, i)
			if i.HardLineBreak() || i.SoftLineBreak() && !g.d.joins(i) {
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

// state reports whether s comes from an expression, and therefore states a fact.
func (g *proseText) state(s *ast.String) bool {
	return g.d.state.facts != nil && (g.d.state.facts.uses[s] != nil || s.Pos() < 0)
}

func (g *proseText) piece(offset, written int, fact bool) {
	g.some = true
	if g.located {
		g.pieces = append(g.pieces, prosePiece{int32(len(g.text)), int32(offset), int32(written), fact})
	}
}

// pieceOf returns the piece that contains Text[i].
func (p *Prose) pieceOf(i int) prosePiece {
	if len(p.pieces) == 0 {
		g := proseText{d: p.d, located: true, pieces: p.pieces}
		g.block(p.node)
		p.pieces = g.pieces
	}
	n := sort.Search(len(p.pieces), func(n int) bool { return int(p.pieces[n].start) > i })
	return p.pieces[max(n-1, 0)]
}

// Fact reports whether Text[i] is part of the value of a fact.
func (p *Prose) Fact(i int) bool { return p.pieceOf(i).fact }

// Pos returns the position of Text[i] in the file.
func (p *Prose) Pos(i int) site.Pos {
	piece := p.pieceOf(i)
	offset := max(int(piece.offset), 0)
	written := p.d.body[offset : offset+int(piece.written)]
	return p.d.position(offset + writtenLength(written, i-int(piece.start)))
}

// writtenLength returns the length of the prefix of written that represents the given number of bytes of shown text.
// Escapes and references are longer than the characters that they represent.
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

// Words returns the number of words in the page's prose: its text, headings, lists, tables, and footnotes, without code
// blocks, destinations, and image descriptions. Each Chinese or Japanese character counts as a word. In other scripts
// without spaces between words, four letters count as one word.
func (d *Document) Words() int {
	words, _ := d.Reading()
	return words
}

// Reading returns the number of words, as Words does, and the reading time in minutes, rounded up. It assumes a speed
// of 220 words a minute, or 500 Chinese or Japanese characters a minute.
func (d *Document) Reading() (words, minutes int) {
	c := wordCounter{d: d}
	for _, f := range d.fragments {
		c.d, c.inWord = f, false
		c.node(f.root)
	}
	c.d, c.inWord = d, false
	c.node(d.root)
	for _, n := range d.notes {
		c.node(n.node)
	}
	const lettersOfAWord, perMinute, charactersPerMinute = 4, 220, 500
	words = c.words + (c.letters+lettersOfAWord-1)/lettersOfAWord
	const both = perMinute * charactersPerMinute
	return words + c.characters, (words*charactersPerMinute + c.characters*perMinute + both - 1) / both
}

type wordCounter struct {
	d     *Document
	words int
	// characters is the number of Chinese and Japanese characters. letters is the number of letters in other scripts
	// without spaces.
	characters, letters int
	// inWord reports whether the previous character was part of a word, which may continue in the next node.
	inWord bool
	text   []byte
}

func (c *wordCounter) node(n ast.Node) {
	for i := n.FirstChild(); i != nil; i = i.NextSibling() {
		switch t := i.(type) {
		case *ast.Text:
			if value := t.Segment.Value(c.d.body); t.IsRaw() || isPlain(value) {
				c.count(value)
			} else {
				c.text = decode(c.text[:0], value)
				c.count(c.text)
			}
			if t.SoftLineBreak() || t.HardLineBreak() {
				c.inWord = false
			}
		case *ast.String:
			c.text = c.d.appendText(c.text[:0], t)
			c.count(c.text)
		case *ast.AutoLink:
			c.count(t.Label(c.d.body))
		case *ast.Image, *noteRef, *east.TaskCheckBox, *ast.CodeBlock, *ast.FencedCodeBlock, *pre:
		default:
			if i.Type() == ast.TypeBlock {
				c.inWord = false
			}
			c.node(i)
		}
	}
}

// count counts the words that start in text, and the characters and letters of scripts without spaces. A word starts
// with a letter or a digit and ends at the next space.
func (c *wordCounter) count(text []byte) {
	// in is 1 inside a word. No branch depends on an ASCII character, because processors can't predict the next
	// character, and this function reads all prose.
	var in uint8
	if c.inWord {
		in = 1
	}
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			begins := wordBegins[b]
			c.words += int(begins &^ in)
			in = in&^wordEnds[b] | begins
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			c.characters++
			in = 0
		case r >= 0x0e00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			if unicode.IsLetter(r) {
				c.letters++
			}
			in = 0
		case unicode.IsSpace(r):
			in = 0
		case in == 0 && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			in = 1
			c.words++
		}
	}
	c.inWord = in == 1
}

// Tables of ASCII characters; see count.
var (
	// wordBegins is 1 for letters and digits, which start a word.
	wordBegins = marked("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	// wordEnds is 1 for white space.
	wordEnds = marked(" \t\n")
)

func marked(characters string) (table [utf8.RuneSelf]uint8) {
	for _, c := range []byte(characters) {
		table[c] = 1
	}
	return table
}
