package card

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/text/unicode/norm"
)

// fontSet lists fonts in the order in which they are tried.
type fontSet struct {
	fonts []typeface
	// language is the text's language, for fonts with language-specific glyphs.
	language language.Language
}

// typeface is a font that is loaded on the first call of has or font.
type typeface struct {
	has  func(r rune) bool
	font func() *font.Font
}

func newTypeface(read func() *font.Font) typeface {
	return typeface{
		has:  func(r rune) bool { _, ok := read().NominalGlyph(r); return ok },
		font: read,
	}
}

// bundled lists the fonts that every set contains after the site's fonts. They are loaded for the first title with
// non-ASCII characters or when the first image is drawn.
var bundled = []typeface{
	newTypeface(readOnce(func() ([]byte, error) { return gobold.TTF, nil })),
	newTypeface(readOnce(func() ([]byte, error) { return io.ReadAll(brotli.NewReader(bytes.NewReader(dejavu))) })),
}

// dejavu is DejaVu Sans Bold from the module github.com/go-fonts/dejavu, compressed with brotli -q 11 -w 24.
//
//go:embed dejavu/sans-bold.ttf.br
var dejavu []byte

func readOnce(read func() ([]byte, error)) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		data, err := read()
		if err != nil {
			panic(err) // the data is part of the program, and tests read it
		}
		f, err := parseFont(data)
		if err != nil {
			panic(err)
		}
		return f
	})
}

func newFontSet(own [][]byte) (*fontSet, error) {
	set := fontSet{language: "en"}
	for _, data := range own {
		f, err := parseFont(data)
		if err != nil {
			return nil, err
		}
		set.fonts = append(set.fonts, newTypeface(func() *font.Font { return f }))
	}
	set.fonts = append(set.fonts, bundled...)
	return &set, nil
}

// parseFont reads a font in TrueType, OpenType, or WOFF.
func parseFont(data []byte) (*font.Font, error) {
	if bytes.HasPrefix(data, []byte("wOF2")) {
		return nil, errors.New("it is a WOFF2 font, which only browsers can use; convert it to .ttf or .otf with woff2_decompress")
	}
	face, err := font.ParseTTF(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading a font: %w", err)
	}
	return face.Font, nil
}

// has reports whether one of the fonts contains r. Go Bold contains all printable ASCII characters, so most titles need
// no lookup.
func (s *fontSet) has(r rune) bool {
	return ' ' <= r && r <= '~' || slices.ContainsFunc(s.fonts, func(f typeface) bool { return f.has(r) })
}

// covers reports whether the fonts contain every letter, digit, and combining mark of text.
func (s *fontSet) covers(text string) bool {
	_, lacks := s.lacks(text)
	return !lacks
}

// lacks returns the first letter, digit, or combining mark of text that no font has, and reports whether there is one.
func (s *fontSet) lacks(text string) (rune, bool) {
	for _, r := range text {
		// Every font set has all ASCII letters and digits.
		if r >= utf8.RuneSelf && needed(r) && !s.has(r) {
			return r, true
		}
	}
	return 0, false
}

// needed reports whether text is unreadable without r because r is a letter, a number, or a combining mark other than a
// variation selector.
func needed(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !variation(r)
}

// drawable returns the part of text that can be drawn. It composes letters with their accents because more fonts
// support the composed form. It omits variation selectors and characters that no font has, and replaces each run of
// white space with one space.
func drawable(s *fontSet, text string) string {
	kept := strings.Map(func(r rune) rune {
		if variation(r) || !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !s.has(r) {
			return -1
		}
		return r
	}, norm.NFC.String(text))
	return strings.Join(strings.Fields(kept), " ")
}

// variation reports whether r only selects a form of the preceding character, as with emoji.
func variation(r rune) bool {
	return unicode.Is(unicode.Variation_Selector, r)
}

// chooser selects the face for each character of a string (shaping.Fontmap). It prefers the first font with all
// characters of the string, then the first font with the character, and otherwise uses the first font of the set.
type chooser struct {
	set   *fontSet
	faces []*font.Face
	whole *font.Face
}

func newChooser(set *fontSet) *chooser {
	c := &chooser{set: set}
	for _, f := range set.fonts {
		c.faces = append(c.faces, font.NewFace(f.font()))
	}
	return c
}

// text prepares c to choose fonts for the characters of a string.
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
