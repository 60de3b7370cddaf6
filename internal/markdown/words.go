package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Words counts the words of the page's prose: its text, headings, lists,
// tables and footnotes, without code blocks, destinations and descriptions of
// images. A character of a script without spaces between words is a word.
func (d *Document) Words() int {
	c := wordCounter{d: d}
	c.node(d.root)
	for _, n := range d.notes {
		c.node(n.node)
	}
	return c.words
}

type wordCounter struct {
	d     *Document
	words int
	// inWord says that the last character was part of a word, which may go on
	// in the next node.
	inWord bool
	text   []byte
}

func (c *wordCounter) node(n ast.Node) {
	for i := n.FirstChild(); i != nil; i = i.NextSibling() {
		switch t := i.(type) {
		case *ast.Text:
			if value := t.Segment.Value(c.d.body); t.IsRaw() {
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
		case *ast.Image, *noteRef, *east.TaskCheckBox, *ast.CodeBlock, *ast.FencedCodeBlock:
		default:
			if i.Type() == ast.TypeBlock {
				c.inWord = false
			}
			c.node(i)
		}
	}
}

// count counts the words that begin in text: what has a letter or a digit,
// up to the next space.
func (c *wordCounter) count(text []byte) {
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			switch {
			case b == ' ' || b == '\t' || b == '\n':
				c.inWord = false
			case !c.inWord && (b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9'):
				c.inWord = true
				c.words++
			}
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			c.words++
			c.inWord = false
		case unicode.IsSpace(r):
			c.inWord = false
		case !c.inWord && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			c.inWord = true
			c.words++
		}
	}
}
