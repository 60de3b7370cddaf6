package card

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/andybalholm/brotli"
	"github.com/cespare/xxhash/v2"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/language"
	tags "golang.org/x/text/language"
)

// noto contains Noto Sans Bold, the fonts for the scripts that the other fonts lack. They are from the npm packages
// @fontsource/noto-sans-jp, -kr, -sc, -tc, -thai and so on, 5.3.0, under the SIL Open Font License 1.1 (noto/LICENSE),
// each unpacked with woff2_decompress 1.0.2 and compressed with brotli -q 11 -w 24: 5.0 MB for 11.3 MB of TrueType.
//
//go:embed noto/*.ttf.br
var noto embed.FS

// notoVersion is part of the key of every image that may use these fonts.
const notoVersion = 1

// moreFonts finds fonts for characters that a Maker's fonts lack. It is safe for concurrent use.
type moreFonts struct {
	language language.Language
	// han lists the fonts for Chinese characters, with the site's language first.
	han  []string
	hash uint64
	// known caches the fonts in noto, keyed by name. sets caches font sets, keyed by the names of their additional
	// fonts.
	known, sets sync.Map
}

func newMoreFonts(style Style) *moreFonts {
	m := &moreFonts{language: language.NewLanguage(style.Language), han: hanOf(style.Language)}
	h := xxhash.New()
	_, _ = fmt.Fprintf(h, "%d\x00%s\x00%t\x00", notoVersion, style.Language, style.RightToLeft)
	m.hash = h.Sum64()
	return m
}

// key combines the seed with the hash of the fonts' version, the site's language, and its direction, for images that
// may use these fonts.
func (m *moreFonts) key(seed uint64) uint64 { return seed*0x9e3779b97f4a7c15 ^ m.hash }

// with returns base followed by the additional fonts for a string.
func (m *moreFonts) with(base *fontSet, text string) *fontSet {
	set := &fontSet{language: m.language, fonts: slices.Clone(base.fonts)}
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

// font returns a font from noto. Reading its character table doesn't decompress the glyphs, which most builds don't
// need.
func (m *moreFonts) font(name string) typeface {
	if known, ok := m.known.Load(name); ok {
		return known.(typeface)
	}
	// Neither read can fail: the fonts are embedded, and TestNoto reads each of them.
	characters := sync.OnceValue(func() font.Cmap {
		cmap, err := charactersOf(unpack(name))
		if err != nil {
			panic(err)
		}
		return cmap
	})
	known, _ := m.known.LoadOrStore(name, typeface{
		has: func(r rune) bool { _, ok := characters().Lookup(r); return ok },
		font: sync.OnceValue(func() *font.Font {
			face, err := font.ParseTTF(unpack(name))
			if err != nil {
				panic(err)
			}
			return face.Font
		}),
	})
	return known.(typeface)
}

// maxUnpacked exceeds the unpacked size of every font in noto, in bytes.
const maxUnpacked = 16 << 20

// unpack returns a reader of a font in noto. The reader decompresses the font only as far as it is read.
func unpack(name string) *io.SectionReader {
	packed, err := noto.Open("noto/" + name + ".ttf.br")
	if err != nil {
		panic(err) // the font is embedded
	}
	return io.NewSectionReader(&unpacking{stream: brotli.NewReader(packed)}, 0, maxUnpacked)
}

// unpacking is a compressed font, decompressed only as far as it is read. It isn't safe for concurrent use.
type unpacking struct {
	stream io.Reader
	begin  []byte
}

// ReadAt implements io.ReaderAt.
func (u *unpacking) ReadAt(p []byte, at int64) (int, error) {
	end := int(at) + len(p)
	if more := end - len(u.begin); more > 0 {
		u.begin = slices.Grow(u.begin, more)
		n, err := io.ReadFull(u.stream, u.begin[len(u.begin):end])
		if u.begin = u.begin[:len(u.begin)+n]; err != nil {
			return 0, fmt.Errorf("unpacking a font: %w", err)
		}
	}
	return copy(p, u.begin[at:]), nil
}

// charactersOf reads the character table of a font. The table precedes the glyphs, which are the largest part of a
// font.
func charactersOf(file opentype.Resource) (font.Cmap, error) {
	loader, err := opentype.NewLoader(file)
	if err != nil {
		return nil, err
	}
	body, err := loader.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, err
	}
	table, _, err := tables.ParseCmap(body)
	if err != nil {
		return nil, err
	}
	characters, _, err := font.ProcessCmap(table, tables.FPNone)
	return characters, err
}

// candidates returns the names of the fonts that may contain r, in the order in which to try them. Kana in text selects
// the Japanese form of Chinese characters.
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
	// Several scripts share these characters, such as the long mark of kana or the danda of Indian scripts.
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return append([]string{"devanagari"}, m.han...)
	}
	return nil
}

// hanOf returns the names of the fonts for Chinese characters, with the font for the given language first.
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
