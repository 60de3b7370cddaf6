package card

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/cespare/xxhash/v2"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	tags "golang.org/x/text/language"
)

// noto are fonts for the scripts that the others lack, Noto Sans Bold. They came as they are from the npm packages
// @fontsource/noto-sans-jp, -kr, -sc, -tc, -thai and so on, 5.3.0, under the SIL Open Font License 1.1 (noto/LICENSE):
// 4.3 MB in WOFF2 would be 25 MB unpacked.
//
//go:embed noto/*.woff2
var noto embed.FS

// notoVersion is part of the key of every image that may have them.
const notoVersion = 1

// moreFonts finds fonts for texts that the fonts of a Maker lack letters of. It is safe for concurrent use.
type moreFonts struct {
	language language.Language
	// han are the fonts of Chinese characters, the site's language's first.
	han []string
	// look unpacks the fonts of the site's pages.
	look func() []typeface
	hash uint64
	// known has the fonts of noto by name, and sets those that stand together, by their names.
	known, sets sync.Map
}

func newMoreFonts(style Style) *moreFonts {
	m := &moreFonts{language: language.NewLanguage(style.Language), han: hanOf(style.Language)}
	m.look = sync.OnceValue(func() (fonts []typeface) {
		for _, data := range style.Look {
			// One that cannot be read covers nothing, which is reported for what it would have been for.
			if f, err := parseFont(data); err == nil {
				fonts = append(fonts, unpacked(f))
			}
		}
		return fonts
	})
	h := xxhash.New()
	_, _ = fmt.Fprintf(h, "%d\x00%s\x00%t\x00", notoVersion, style.Language, style.RightToLeft)
	for _, data := range style.Look {
		_, _ = fmt.Fprintf(h, "%d\x00", len(data))
		_, _ = h.Write(data)
	}
	m.hash = h.Sum64()
	return m
}

// key is the seed of images that these fonts may be in.
func (m *moreFonts) key(seed uint64) uint64 { return seed*0x9e3779b97f4a7c15 ^ m.hash }

// with are some fonts, and behind them those that a text needs besides.
func (m *moreFonts) with(base *fontSet, text string) *fontSet {
	set := &fontSet{language: m.language, fonts: slices.Concat(base.fonts, m.look())}
	var names []string
	for _, r := range text {
		if !needed(r) || set.has(r) {
			continue
		}
		for _, name := range m.candidates(r, text) {
			if f := m.font(name); f.has(r) {
				names, set.fonts = append(names, name), append(set.fonts, f)
				break
			}
		}
	}
	known, _ := m.sets.LoadOrStore(strings.Join(names, " "), set)
	return known.(*fontSet)
}

// font is one of noto. Whether it has a letter is known without its glyphs, which most builds do not draw.
func (m *moreFonts) font(name string) typeface {
	if known, ok := m.known.Load(name); ok {
		return known.(typeface)
	}
	read := func() []byte {
		data, err := noto.ReadFile("noto/" + name + ".woff2")
		if err != nil {
			panic(err) // it is in the program
		}
		return data
	}
	characters := sync.OnceValue(func() font.Cmap {
		cmap, err := charactersOf(read())
		if err != nil {
			panic(err)
		}
		return cmap
	})
	known, _ := m.known.LoadOrStore(name, typeface{
		has: func(r rune) bool { _, ok := characters().Lookup(r); return ok },
		font: sync.OnceValue(func() *font.Font {
			f, err := parseFont(read())
			if err != nil {
				panic(err)
			}
			return f
		}),
	})
	return known.(typeface)
}

// candidates are the fonts that may have a letter of a text.
func (m *moreFonts) candidates(r rune, text string) []string {
	switch {
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return []string{"japanese"}
	case unicode.Is(unicode.Hangul, r):
		return []string{"korean"}
	case unicode.Is(unicode.Bopomofo, r):
		return []string{"chinese-traditional"}
	case unicode.Is(unicode.Han, r):
		kana := func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }
		if strings.ContainsFunc(text, kana) {
			return hanOf("ja")
		}
		return m.han
	}
	for _, name := range []string{
		"Thai", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Khmer", "Myanmar", "Sinhala", "Ethiopic",
	} {
		if unicode.Is(unicode.Scripts[name], r) {
			return []string{strings.ToLower(name)}
		}
	}
	// A letter that many scripts share, such as the long mark of kana or the danda of India.
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return append([]string{"devanagari"}, m.han...)
	}
	return nil
}

// hanOf are the fonts of Chinese characters, the one for a language first.
func hanOf(tag string) []string {
	const japanese, korean, simplified, traditional = "japanese", "korean", "chinese-simplified", "chinese-traditional"
	lang := tags.Make(tag)
	base, _ := lang.Base()
	script, _ := lang.Script()
	switch {
	case base.String() == "ja":
		return []string{japanese, traditional, simplified}
	case base.String() == "ko":
		return []string{korean, traditional, japanese, simplified}
	case script.String() == "Hant":
		return []string{traditional, simplified, japanese}
	}
	return []string{simplified, traditional, japanese}
}
