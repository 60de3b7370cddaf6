// Package card draws the images that represent pages when they are shared. An image is 1200 by 630 pixels. It shows the
// page's title in large type on the brand's color, with the site's name above it and the site's host below it. The same
// inputs result in the same bytes on any machine because outlines are filled with integer arithmetic. Titles are
// wrapped, and very long titles are truncated, so that they stay within the image. Drawing takes a fraction of a
// millisecond, so every page can have an image.
//
// Titles are shaped and ordered according to their scripts, including Arabic and Hebrew. A Maker tries the site's fonts
// first, then Go Bold (Latin, Greek, Cyrillic), then DejaVu Sans Bold, which adds the rest of these scripts, as well as
// Armenian, Georgian, Hebrew, Arabic, Lao, and many symbols. Noto Sans Bold covers the rest: Chinese, Japanese, Korean,
// Thai, Khmer, Burmese, Ethiopic, and the scripts of India. Each of these fonts is unpacked when a title first needs
// it. Covers reports whether a title can be drawn. If neither the title nor the site's name can be drawn, the image
// shows the logo, or the theme's mark if there is no logo.
package card

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"
)

// Width and Height are the size of every image in pixels, as recommended for Open Graph and Twitter's large cards.
const (
	Width  = 1200
	Height = 630
)

// version is part of every key. Increase version whenever the drawn images change.
const version = 2

// Style contains the properties shared by all images of a site.
type Style struct {
	// Site is the site's name. Host is the host and the path of the site's URL.
	Site, Host string
	// Color is the background color. The text is white, or black on a light background.
	Color color.RGBA
	// Logo is a PNG that is drawn in one color in place of the mark and the site's name. It is nil if there is no logo.
	// A logo that can't be drawn in one color is ignored.
	Logo []byte
	// Fonts are the site's fonts in TrueType, OpenType, or WOFF. They are tried before all other fonts.
	Fonts [][]byte
	// Language is the site's language as a BCP 47 tag. It selects the form of Chinese characters, which differs between
	// Chinese and Japanese.
	Language string
	// RightToLeft aligns the name, the logo, and the host to the right.
	RightToLeft bool
}

// Maker draws the images of one site. It is safe for concurrent use.
type Maker struct {
	site  string
	fonts *fontSet
	// more finds fonts for characters that no font in fonts contains.
	more        *moreFonts
	rightToLeft bool
	// logo is the large logo for images without text, or nil.
	logo    *mask
	palette color.Palette
	// base returns the image that all images start from. It is drawn on first use.
	base func() *canvas
	// around returns the encoded rows of base above and below the titles. They are encoded on first use.
	around func() *around
	// seed is a hash of all inputs of an image except its title.
	seed    uint64
	masks   sync.Map
	kept    atomic.Int64
	workers sync.Pool
}

// New returns a Maker for the images of a site. It returns an error if one of the style's fonts can't be used.
func New(style Style) (*Maker, error) {
	fonts, err := newFontSet(style.Fonts)
	if err != nil {
		return nil, err
	}
	m := &Maker{site: style.Site, fonts: fonts, more: newMoreFonts(style), rightToLeft: style.RightToLeft, palette: ramp(style.Color)}
	m.logo = logoMask(style.Logo, largeLogoWidth, largeLogoHeight)
	m.seed = seedOf(style)
	if style.RightToLeft || !fonts.covers(norm.NFC.String(style.Site+style.Host)) {
		m.seed = m.more.key(m.seed)
	}
	m.workers.New = func() any { return newWorker(m) }
	m.base = sync.OnceValue(func() *canvas { return m.drawBase(style) })
	m.around = sync.OnceValue(func() *around { return newAround(m.base()) })
	return m, nil
}

func seedOf(style Style) uint64 {
	h := xxhash.New()
	// Writing to a hash never fails, so Fprintf returns no error.
	_, _ = fmt.Fprintf(h, "%d\x00%s\x00%s\x00%v\x00", version, style.Site, style.Host, style.Color)
	for _, f := range append([][]byte{style.Logo}, style.Fonts...) {
		_, _ = fmt.Fprintf(h, "%d\x00", len(f))
		_, _ = h.Write(f)
	}
	return h.Sum64()
}

// Key returns a hash of all inputs of a title's image. Titles with the same key have identical images.
func (m *Maker) Key(title string) uint64 {
	seed := m.seed
	if !m.fonts.covers(norm.NFC.String(title)) {
		seed = m.more.key(seed)
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(title)), seed)
	return xxhash.Sum64(append(b, title...))
}

// PNG draws the image of a title. If the fonts don't cover the title, the image shows the site's name. If the fonts
// don't cover the name either, the image shows the logo, or the theme's mark if there is no logo.
func (m *Maker) PNG(title string) []byte {
	w := m.workers.Get().(*worker)
	defer m.workers.Put(w)
	if w.canvas == nil {
		base := *m.base()
		w.canvas = &base
	}
	defer w.canvas.reset(m.base())
	w.canvas.first, w.canvas.last = 0, 0
	if !w.title(title) && !w.title(m.site) {
		w.emblem()
	}
	// The first encoded row below the title is the difference from the last title row, so the last title row must be
	// unchanged, too.
	if w.canvas.first < titleRows || w.canvas.last >= titleRowsEnd {
		return encodePNG(w.canvas, m.palette)
	}
	return m.around().encodePNG(w.canvas, m.palette, &w.stream)
}

// CheckFont returns an error if data isn't a usable font.
func CheckFont(data []byte) error {
	_, err := newFontSet([][]byte{data})
	return err
}

// Covers reports whether the fonts contain every letter, digit, and combining mark of title. Symbols without a font,
// such as emoji, are omitted from the image.
func (m *Maker) Covers(title string) bool {
	_, lacks := m.Lacks(title)
	return !lacks
}

// Lacks returns the first letter, digit, or combining mark of title that no font has, and whether there is one.
func (m *Maker) Lacks(title string) (rune, bool) {
	title = norm.NFC.String(title)
	return m.fontsFor(title).lacks(title)
}

// fontsFor returns the fonts for a string in composed form.
func (m *Maker) fontsFor(text string) *fontSet {
	if m.fonts.covers(text) {
		return m.fonts
	}
	return m.more.with(m.fonts, text)
}

// levels is the number of shades from the background to the text, including both.
const levels = 16

// ramp returns the palette, from the background color to the text color.
func ramp(back color.RGBA) color.Palette {
	text := 255
	// The limit is a Rec. 709 luma of 144, in thousandths. On a gray background up to this limit, white text has a
	// contrast of at least 3:1, which WCAG requires for large text. For saturated colors, luma only approximates the
	// luminance that determines the contrast.
	if 213*int(back.R)+715*int(back.G)+72*int(back.B) > 144_000 {
		text = 0
	}
	mix := func(from uint8, i int) uint8 {
		return uint8((int(from)*(levels-1-i) + text*i + (levels-1)/2) / (levels - 1))
	}
	palette := make(color.Palette, levels)
	for i := range palette {
		palette[i] = color.RGBA{mix(back.R, i), mix(back.G, i), mix(back.B, i), 255}
	}
	return palette
}
