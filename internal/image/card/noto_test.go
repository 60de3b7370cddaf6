package card

import (
	"bytes"
	"image/color"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/go-fonts/dejavu/dejavusansbold"
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

// sidesOf returns the leftmost and rightmost positions of drawn pixels between two rows.
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

// On a right-to-left site, the name, the title, and the host start at the right margin.
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
				t.Errorf("%s: %s is drawn from x = %d to %d", style.Language, what, left, right)
			}
		}
		style.RightToLeft = false
		if other := makerOf(t, style); other.Key("API 2.0") == makerOf(t, Style{Site: style.Site, Host: style.Host, Language: style.Language, RightToLeft: true}).Key("API 2.0") {
			t.Errorf("%s: the side is not in the key", style.Language)
		}
	}
}

// The form of a Chinese character follows the site's language, or adjacent kana.
func TestHan(t *testing.T) {
	images := make(map[string]string)
	for _, tag := range []string{"ja", "zh", "zh-Hant", "ko"} {
		m := makerOf(t, Style{Site: "P", Host: "p.example", Language: tag})
		body := string(m.PNG("直骨"))
		if tag == "ko" {
			continue // the Korean font has few Chinese characters, so other fonts replace it
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

// Images use the site's fonts. A font in WOFF2 is rejected with advice on how to convert it.
func TestFormatsOfFonts(t *testing.T) {
	thai, err := io.ReadAll(io.NewSectionReader(unpack("thai"), 0, 20512))
	if err != nil {
		t.Fatal(err)
	}
	style := Style{Site: "P", Host: "p.example", Language: "en", Fonts: [][]byte{thai}}
	plain, own := makerOf(t, Style{Site: "P", Host: "p.example", Language: "en"}), makerOf(t, style)
	if own.Key("Pricing") == plain.Key("Pricing") || !own.fonts.covers("ไทย") || plain.fonts.covers("ไทย") {
		t.Error("a font of the site is not used")
	}
	if err := CheckFont([]byte("wOF2\x00\x01\x00\x00")); err == nil || !strings.Contains(err.Error(), "woff2_decompress") {
		t.Errorf("a font in WOFF2: %v", err)
	}
}

// If neither the title nor the site's name can be drawn, the logo replaces the title.
func TestLogoReplacesUndrawableTitle(t *testing.T) {
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
		t.Errorf("the logo is drawn from x = %d to %d", left, right)
	}
}

// Every embedded font can be read and is used for some script.
func TestNoto(t *testing.T) {
	m := newMoreFonts(Style{})
	files, err := fs.ReadDir(noto, "noto")
	if err != nil || len(files) < 17 {
		t.Fatalf("%d fonts, %v", len(files), err)
	}
	for _, f := range files {
		name, packed := strings.CutSuffix(f.Name(), ".ttf.br")
		if !packed {
			t.Fatalf("%s is no compressed font", f.Name())
		}
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

// As fontSet.has assumes, Go Bold contains all printable ASCII characters, so no font is read for titles with only such
// characters. Both bundled fonts can be read.
func TestBundledFonts(t *testing.T) {
	for r := rune(' '); r <= '~'; r++ {
		if !bundled[0].has(r) {
			t.Errorf("Go Bold has no %q", r)
		}
	}
	if !bundled[1].has('Ж') {
		t.Error("DejaVu Sans Bold has no Cyrillic")
	}
	unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(dejavu)))
	if err != nil || !bytes.Equal(unpacked, dejavusansbold.TTF) {
		t.Errorf("the embedded font, %d bytes, is not the module's, %d bytes (%v)", len(unpacked), len(dejavusansbold.TTF), err)
	}
}
