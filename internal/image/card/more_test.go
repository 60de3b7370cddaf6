package card

import (
	"bytes"
	"image/color"
	"io/fs"
	"os"
	"reflect"
	"testing"

	"github.com/go-text/typesetting/font"
	"golang.org/x/image/font/gofont/gobold"
)

func makerOf(t *testing.T, style Style) *Maker {
	t.Helper()
	if style.Color == (color.RGBA{}) {
		style.Color = color.RGBA{0x0b, 0x5e, 0x4c, 0xff}
	}
	m, err := New(style)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// leftmost and rightmost are the sides of what is drawn between two rows.
func sidesOf(t *testing.T, body []byte, from, to int) (left, right int) {
	t.Helper()
	got := decode(t, body)
	left, right = Width, -1
	for y := from; y < to; y++ {
		for x := range Width {
			if got.ColorIndexAt(x, y) != 0 {
				left, right = min(left, x), max(right, x)
			}
		}
	}
	return left, right
}

// On a site that is read from the right, the name, the title and the host begin at the right margin.
func TestRightToLeft(t *testing.T) {
	for _, style := range []Style{
		{Site: "تحرير", Host: "tahrir.example", Language: "ar", RightToLeft: true}, {Site: "עריכה", Host: "arikha.example", Language: "he", RightToLeft: true},
	} {
		body := makerOf(t, style).PNG("API 2.0")
		if folder := os.Getenv("VITRINE_SOCIAL"); folder != "" {
			if err := os.WriteFile(folder+"/rtl-"+style.Language+".png", makerOf(t, style).PNG("ما الجديد في الإصدار 2.0 من تحرير؟ عريكة עריכה"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for what, rows := range map[string][2]int{"the name": {70, 130}, "the title": {titleTop, ruleTop - 8}, "the host": {ruleTop + 10, Height}} {
			left, right := sidesOf(t, body, rows[0], rows[1])
			if right < Width-margin-8 || right >= Width-margin+4 || left < 400 {
				t.Errorf("%s: %s stands from %d to %d", style.Language, what, left, right)
			}
		}
		style.RightToLeft = false
		if other := makerOf(t, style); other.Key("API 2.0") == makerOf(t, Style{Site: style.Site, Host: style.Host, Language: style.Language, RightToLeft: true}).Key("API 2.0") {
			t.Errorf("%s: the side is not in the key", style.Language)
		}
	}
}

// The form of a Chinese character is that of the site's language, or of the kana beside it.
func TestHan(t *testing.T) {
	images := make(map[string]string)
	for _, tag := range []string{"ja", "zh", "zh-Hant", "ko"} {
		m := makerOf(t, Style{Site: "P", Host: "p.example", Language: tag})
		body := string(m.PNG("直骨"))
		if tag == "ko" {
			continue // its font has few characters, and the others stand in
		}
		for other, same := range images {
			if body == same {
				t.Errorf("%s and %s have one form", tag, other)
			}
		}
		images[tag] = body
	}
	english, japanese := makerOf(t, Style{Site: "P", Host: "p.example", Language: "en"}), makerOf(t, Style{Site: "P", Host: "p.example", Language: "ja"})
	if !bytes.Equal(english.PNG("直のこと"), japanese.PNG("直のこと")) {
		t.Error("a title with kana has the forms of Chinese")
	}
	if english.Key("直") == japanese.Key("直") || english.Key("Pricing") != japanese.Key("Pricing") {
		t.Error("the language is in the key of the wrong titles")
	}
}

// The fonts of pages are used for what the usual ones lack, in WOFF2 too, and for nothing else.
func TestLook(t *testing.T) {
	thai, err := fs.ReadFile(noto, "noto/thai.woff2")
	if err != nil {
		t.Fatal(err)
	}
	style := Style{Site: "P", Host: "p.example", Language: "en"}
	plain := makerOf(t, style)
	style.Look = [][]byte{gobold.TTF, thai, []byte("no font")}
	look := makerOf(t, style)
	if plain.Key("Pricing") != look.Key("Pricing") || !bytes.Equal(plain.PNG("Pricing"), look.PNG("Pricing")) {
		t.Error("a title that needs no other font is another with one")
	}
	if plain.Key("ไทย") == look.Key("ไทย") || !look.Covers("ไทย") {
		t.Error("the font of the pages is not in the key, or not used")
	}
	style.Look, style.Fonts = nil, [][]byte{thai}
	if own := makerOf(t, style); !own.Covers("ไทย") {
		t.Error("a font in WOFF2 is not read")
	}
}

// Where neither the title nor the site's name can be drawn, the logo stands in the place of the title.
func TestNeverBlank(t *testing.T) {
	m := makerOf(t, Style{Site: "𒀀", Host: "p.example", Language: "akk"})
	if r, lacks := m.Lacks("a 𒀀"); !lacks || r != '𒀀' {
		t.Errorf("%q, %t is what it lacks", r, lacks)
	}
	body := m.PNG("𒁀")
	if folder := os.Getenv("VITRINE_SOCIAL"); folder != "" {
		if err := os.WriteFile(folder+"/wordless.png", body, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if left, right := sidesOf(t, body, titleTop, titleBottom); left != margin || right < margin+150 {
		t.Errorf("what is drawn stands from %d to %d", left, right)
	}
}

// Every font of the program can be read, and is named by a script.
func TestNoto(t *testing.T) {
	m := newMoreFonts(Style{})
	files, err := fs.ReadDir(noto, "noto")
	if err != nil || len(files) < 17 {
		t.Fatalf("%d fonts, %v", len(files), err)
	}
	for _, f := range files {
		name := f.Name()[:len(f.Name())-len(".woff2")]
		letters, face := 0, m.font(name)
		whole := face.font()
		for r := range rune(0x30000) {
			_, ok := whole.NominalGlyph(r)
			if ok != face.has(r) {
				t.Errorf("%s: whether it has %q is not sure", name, r)
			}
			if ok {
				letters++
			}
		}
		if letters < 50 {
			t.Errorf("%s has %d characters", name, letters)
		}
	}
}

// What woff2_compress 1.0.2 made of a font is that font again, to the last point.
func TestUnpackedIsTheOriginal(t *testing.T) {
	data, err := os.ReadFile("testdata/gobold.woff2")
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := unpackWOFF2(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := font.ParseTTF(bytes.NewReader(unpacked))
	if err != nil {
		t.Fatal(err)
	}
	want, err := font.ParseTTF(bytes.NewReader(gobold.TTF))
	if err != nil {
		t.Fatal(err)
	}
	composed, drawn := 0, 0
	for id := range font.GID(700) {
		a, ok := got.GlyphDataOutline(id)
		b, also := want.GlyphDataOutline(id)
		one, _ := got.GlyphExtents(id)
		other, _ := want.GlyphExtents(id)
		if ok != also || !reflect.DeepEqual(a, b) || one != other || got.HorizontalAdvance(id) != want.HorizontalAdvance(id) {
			t.Errorf("glyph %d is another", id)
		}
		if len(a.Segments) > 0 {
			drawn++
		}
	}
	for r := range rune(0x3000) {
		a, ok := got.NominalGlyph(r)
		if b, also := want.NominalGlyph(r); a != b || ok != also {
			t.Errorf("%q has another glyph", r)
		} else if ok && r >= 'À' && r <= 'ÿ' {
			composed++
		}
	}
	if drawn < 500 || composed < 60 {
		t.Errorf("%d glyphs and %d letters with accents were compared", drawn, composed)
	}
}

// A font in WOFF2 that is cut off or changed is an error, or another font, and never a crash.
func FuzzWOFF2(f *testing.F) {
	for _, name := range []string{"thai", "gurmukhi"} {
		data, err := noto.ReadFile("noto/" + name + ".woff2")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, 0, byte(0))
		f.Add(data[:len(data)/2], 20, byte(0xff))
		f.Add(data[:30], 60, byte(1))
	}
	f.Fuzz(func(_ *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= change
		}
		_, _ = unpackWOFF2(data)
	})
}
