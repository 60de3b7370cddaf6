package card

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-text/typesetting/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/text/unicode/norm"
)

// fontSet is the fonts in the order in which they are tried.
type fontSet struct {
	fonts []*font.Font
}

func newFontSet(own [][]byte) (*fontSet, error) {
	var set fontSet
	all := append(own[:len(own):len(own)], gobold.TTF, dejavusansbold.TTF)
	for _, data := range all {
		face, err := font.ParseTTF(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("reading a font: %w", err)
		}
		set.fonts = append(set.fonts, face.Font)
	}
	return &set, nil
}

// with returns the first font that has a character, nil where none has.
func (s *fontSet) with(r rune) *font.Font {
	for _, f := range s.fonts {
		if _, ok := f.NominalGlyph(r); ok {
			return f
		}
	}
	return nil
}

// covers reports whether there is a glyph for every letter, digit and mark.
func (s *fontSet) covers(text string) bool {
	for _, r := range text {
		if (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !variation(r) && s.with(r) == nil {
			return false
		}
	}
	return true
}

// drawable composes letters with their accents, which more fonts have so, and
// leaves out what no font has and no reader misses.
func drawable(s *fontSet, text string) string {
	kept := strings.Map(func(r rune) rune {
		if variation(r) || !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && s.with(r) == nil {
			return -1
		}
		return r
	}, norm.NFC.String(text))
	return strings.Join(strings.Fields(kept), " ")
}

// variation reports whether a mark only chooses between forms of what is
// before it, as those of emoji do.
func variation(r rune) bool {
	return unicode.Is(unicode.Variation_Selector, r)
}

// chooser picks the face for each character of a text (shaping.Fontmap): the
// first font that has all of them, else the first that has this one.
type chooser struct {
	set   *fontSet
	faces []*font.Face
	whole *font.Face
}

func newChooser(set *fontSet) *chooser {
	c := &chooser{set: set}
	for _, f := range set.fonts {
		c.faces = append(c.faces, font.NewFace(f))
	}
	return c
}

// text prepares to choose for a text.
func (c *chooser) text(text []rune) {
	c.whole = nil
	for _, face := range c.faces {
		if hasAll(face, text) {
			c.whole = face
			return
		}
	}
}

func hasAll(face *font.Face, text []rune) bool {
	for _, r := range text {
		if _, ok := face.NominalGlyph(r); !ok && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}

// ResolveFace implements shaping.Fontmap.
func (c *chooser) ResolveFace(r rune) *font.Face {
	if c.whole != nil {
		return c.whole
	}
	for _, face := range c.faces {
		if _, ok := face.NominalGlyph(r); ok {
			return face
		}
	}
	return c.faces[0]
}
