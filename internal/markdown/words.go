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
	// in is 1 inside a word. No branch depends on an ASCII character: which one
	// comes next cannot be foretold, and all prose goes through here.
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
			c.words++
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

// wordBegins has 1 for the ASCII letters and digits, which make a word of what
// they are in, wordEnds for the spaces.
var (
	wordBegins = marked("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	wordEnds   = marked(" \t\n")
)

func marked(characters string) (table [utf8.RuneSelf]uint8) {
	for _, c := range []byte(characters) {
		table[c] = 1
	}
	return table
}
