package card

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
)

func newMaker(t testing.TB) *Maker {
	t.Helper()
	m, err := New(Style{Site: "Parley", Host: "parley.example", Color: color.RGBA{0x0b, 0x5e, 0x4c, 0xff}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// titles returns typical and problematic titles.
func titles() map[string]string {
	return map[string]string{
		"short":       "Pricing",
		"sentence":    "Feedback that people can use on the very next call",
		"long":        strings.Repeat("How a team of six practises conversations ", 4),
		"endless":     strings.Repeat("words and more words ", 200),
		"unbreakable": strings.Repeat("Donaudampfschifffahrt", 20),
		"greek":       "Συνομιλίες πωλήσεων που βελτιώνονται",
		"cyrillic":    "Разговоры о продажах, которые становятся лучше",
		"vietnamese":  "Luyện tập hội thoại bán hàng mỗi ngày",
		"arabic":      "محادثات المبيعات تتحسن مع التدريب 2026",
		"mixed":       "Parley и друзья: v2.0 “beta” — 100 % ✓",
		"combining":   "Cafe\u0301 a\u0300 la carte",
		"emoji":       "Launch 🚀 day ❤️",
		"japanese":    "営業の会話を練習するParleyの使い方",
		"chinese":     "销售对话练习：从第一天开始",
		"traditional": "銷售對話練習",
		"korean":      "영업 대화 연습하기",
		"thai":        "ฝึกการสนทนาการขายทุกวัน",
		"hindi":       "बिक्री वार्तालाप का अभ्यास",
		"tamil":       "விற்பனை உரையாடல் பயிற்சி",
		"hebrew":      "תרגול שיחות מכירה 2026",
		"uncovered":   "𒀀𒁀𒂀",
		"blank":       " ",
	}
}

// Every title results in an image of the right size and format, with its words within the margins. If VITRINE_SOCIAL is
// set to a folder, the test writes the images to it for inspection.
func TestImages(t *testing.T) {
	m := newMaker(t)
	for name, title := range titles() {
		t.Run(name, func(t *testing.T) {
			body := m.PNG(title)
			if folder := os.Getenv("VITRINE_SOCIAL"); folder != "" {
				if err := os.WriteFile(folder+"/"+name+".png", body, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			got := decode(t, body)
			drawn := 0
			for y := range Height {
				for x := range Width {
					level := got.ColorIndexAt(x, y)
					inside := x >= margin-4 && x < Width-margin+4 && y >= 60 && y < 600
					if level != 0 && !inside {
						t.Fatalf("something is drawn at %d,%d, outside of the margins", x, y)
					}
					if level != 0 && y > titleTop-10 && y < ruleTop-8 {
						drawn++
					}
				}
			}
			if drawn == 0 {
				t.Error("neither the title nor the site's name is drawn")
			}
		})
	}
}

func decode(t *testing.T, body []byte) *image.Paletted {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	paletted, ok := decoded.(*image.Paletted)
	if !ok || paletted.Rect != image.Rect(0, 0, Width, Height) {
		t.Fatalf("a %T of %v", decoded, decoded.Bounds())
	}
	return paletted
}

// The encoder's output decodes to the canvas, for repeated rows, rows that differ everywhere, and every run length.
func TestEncoder(t *testing.T) {
	c := &canvas{}
	state := uint32(1)
	for y := range Height {
		row := c.row(y)
		switch {
		case y%3 == 0 && y > 0:
			copy(row, c.row(y-1))
		case y < 320:
			row[y%stride] = byte(y)
			row[(y*7)%stride] = 0xff
		default:
			for x := range row {
				state = state*1664525 + 1013904223
				row[x] = byte(state >> 24)
			}
		}
	}
	got := decode(t, encodePNG(c, ramp(color.RGBA{0, 0, 0, 255})))
	for y := range Height {
		for x := range Width {
			if want := c.row(y)[x/2] >> (4 * (^x & 1)) & 0xf; got.ColorIndexAt(x, y) != want {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, got.ColorIndexAt(x, y), want)
			}
		}
	}
}

// The same title results in the same bytes from a different maker and from concurrent goroutines, and a different title
// has a different key.
func TestDeterministic(t *testing.T) {
	one, two := newMaker(t), newMaker(t)
	keys := make(map[uint64]string)
	for name, title := range titles() {
		want := one.PNG(title)
		done := make(chan []byte, 4)
		for range cap(done) {
			go func() { done <- two.PNG(title) }()
		}
		for range cap(done) {
			if !bytes.Equal(<-done, want) {
				t.Errorf("%s: the bytes differ", name)
			}
		}
		if one.Key(title) != two.Key(title) {
			t.Errorf("%s: the keys differ", name)
		}
		if other, taken := keys[one.Key(title)]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[one.Key(title)] = name
	}
}

// The key includes the site's name, host, color, fonts, and logo, so that a cache never returns an image in a different
// style.
func TestStyleInKey(t *testing.T) {
	base := Style{Site: "Parley", Host: "parley.example", Color: color.RGBA{1, 2, 3, 255}}
	keys := make(map[uint64]bool)
	for _, change := range []func(*Style){
		func(*Style) {},
		func(s *Style) { s.Site = "Other" },
		func(s *Style) { s.Host = "other.example" },
		func(s *Style) { s.Color.R = 9 },
		func(s *Style) { s.Fonts = [][]byte{gobold.TTF} },
		func(s *Style) { s.Logo = []byte("x") },
	} {
		style := base
		change(&style)
		m, err := New(style)
		if err != nil {
			t.Fatal(err)
		}
		if key := m.Key("Pricing"); keys[key] {
			t.Errorf("%v has the key of another", style)
		} else {
			keys[key] = true
		}
	}
}

// The fonts cover the scripts that the package comment lists.
func TestCovers(t *testing.T) {
	m := newMaker(t)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"latin": {"Äpfel œuvre łódź", true}, "vietnamese": {"Tiếng Việt", true}, "greek": {"Ελληνικά", true},
		"cyrillic": {"Українська", true}, "armenian": {"Հայերեն", true}, "georgian": {"ქართული", true},
		"arabic": {"العربية فارسی", true}, "lao": {"ພາສາລາວ", true}, "symbols": {"→ ✓ ★ €", true}, "emoji": {"🚀", true},
		"hebrew": {"עברית", true}, "thai": {"ไทย", true}, "devanagari": {"हिन्दी।", true}, "bengali": {"বাংলা", true}, "tamil": {"தமிழ்", true},
		"telugu": {"తెలుగు", true}, "kannada": {"ಕನ್ನಡ", true}, "malayalam": {"മലയാളം", true}, "gujarati": {"ગુજરાતી", true}, "gurmukhi": {"ਪੰਜਾਬੀ", true},
		"khmer": {"ភាសាខ្មែរ", true}, "burmese": {"မြန်မာ", true}, "sinhala": {"සිංහල", true}, "ethiopic": {"አማርኛ", true},
		"chinese": {"中文 简体 繁體", true}, "japanese": {"日本語ガイドー１", true}, "korean": {"한국어 漢字", true},
		"cuneiform": {"𒀀", false}, "mixed": {"Parley と ไทย", true}, "mixed with what none has": {"日本語 𒀀", false},
	} {
		if got := m.Covers(c.text); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// White text is used on dark colors, and black text is used on light colors.
func TestRamp(t *testing.T) {
	for _, c := range []struct {
		back color.RGBA
		want color.RGBA
	}{
		{color.RGBA{0x0b, 0x5e, 0x4c, 255}, color.RGBA{255, 255, 255, 255}},
		{color.RGBA{0xff, 0xd4, 0x00, 255}, color.RGBA{0, 0, 0, 255}},
		{color.RGBA{0xe0, 0x1b, 0x24, 255}, color.RGBA{255, 255, 255, 255}},
		{color.RGBA{0x9a, 0x9a, 0x9a, 255}, color.RGBA{0, 0, 0, 255}},
	} {
		p := ramp(c.back)
		if p[0] != c.back || p[levels-1] != c.want {
			t.Errorf("on %v: from %v to %v", c.back, p[0], p[levels-1])
		}
	}
}

// A logo is drawn within its area in the text's color, with its contrasting parts in the background color. The site's
// name replaces an unsuitable logo.
func TestLogo(t *testing.T) {
	badge := image.NewNRGBA(image.Rect(0, 0, 200, 100))
	for y := range 100 {
		for x := 20; x < 180; x++ {
			badge.SetNRGBA(x, y, color.NRGBA{0x7a, 0x3e, 0, 255})
			if x >= 80 && x < 120 && y >= 25 && y < 75 {
				badge.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			}
		}
	}
	encoded := func(i image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, i); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	style := Style{Site: "Parley", Host: "parley.example", Color: color.RGBA{0x0b, 0x5e, 0x4c, 0xff}}
	drawn := func(logo []byte) image.Image {
		style.Logo = logo
		m, err := New(style)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, m.PNG("Pricing"))
	}
	got, ink, back := drawn(encoded(badge)), color.RGBA{255, 255, 255, 255}, style.Color
	const top = nameLine + 12 - logoHeight
	for at, want := range map[image.Point]color.RGBA{
		{margin + 4, top + 32}: back, {margin + 30, top + 10}: ink, {margin + 64, top + 32}: back, {margin + 100, top + 32}: ink,
		{margin + 124, top + 32}: back, {margin + 30, top - 1}: back, {margin + 30, top + logoHeight}: back,
	} {
		if c := color.RGBAModel.Convert(got.At(at.X, at.Y)); c != want {
			t.Errorf("at %v: %v, want %v", at, c, want)
		}
	}
	name := encoded(drawn(nil))
	for what, logo := range map[string][]byte{
		"no image": []byte("<svg/>"), "no place without it": encoded(image.NewGray(image.Rect(0, 0, 40, 40))), "nothing": encoded(image.NewNRGBA(image.Rect(0, 0, 40, 40))),
	} {
		if !bytes.Equal(encoded(drawn(logo)), name) {
			t.Errorf("%s: the name is not there", what)
		}
	}
	for _, size := range []image.Point{{3000, 20}, {1, 900}, {5, 5}} {
		if m := shrunk(make([]int, size.X*size.Y), size.X, size.Y, logoWidth, logoHeight); m.width > logoWidth || m.height > logoHeight || m.width < 1 || m.height < 1 {
			t.Errorf("%v becomes %d × %d", size, m.width, m.height)
		}
	}
}

// Data that is not a font is rejected.
func TestBadFont(t *testing.T) {
	if _, err := New(Style{Fonts: [][]byte{[]byte("no font")}}); err == nil {
		t.Error("a text passes for a font")
	}
}

func BenchmarkPNG(b *testing.B) {
	m := newMaker(b)
	size := 0
	for b.Loop() {
		size = len(m.PNG("Feedback that people can use on the very next call"))
	}
	b.ReportMetric(float64(size), "bytes")
}

// FuzzTitle checks that any title results in a valid PNG.
func FuzzTitle(f *testing.F) {
	for _, title := range titles() {
		f.Add(title)
	}
	f.Add("\u202e\u0600\u200d\ufe0f")
	f.Add("\xff\xfe")
	f.Add("a\u0301\u0301\u0301\u0301\n\u2028\u00ad")
	m := newMaker(f)
	f.Fuzz(func(t *testing.T, title string) {
		if _, err := png.Decode(bytes.NewReader(m.PNG(title))); err != nil {
			t.Error(err)
		}
	})
}

// A site gets images even if it has no name or host, or if no font covers its name or host.
func TestPoorStyles(t *testing.T) {
	for _, style := range []Style{{}, {Site: "🚀", Host: "例え.example"}, {Site: "例え"}} {
		m, err := New(style)
		if err != nil {
			t.Fatal(err)
		}
		decode(t, m.PNG(""))
		decode(t, m.PNG("例え"))
	}
}

// The PNG of an image with previously encoded surroundings equals the PNG of the complete image, byte for byte, even if
// a title extends beyond its rows, and regardless of the worker's earlier images.
func TestEncodedSurroundings(t *testing.T) {
	m := newMaker(t)
	images := titles()
	images["tall"] = strings.Repeat("Ặ̂̂̂̂̂̂̂̂g̣̣̣̣̣̣̣̣̣ ", 60)
	for range 2 {
		for name, title := range images {
			w := newWorker(m)
			base := *m.base()
			w.canvas = &base
			if !w.title(title) && !w.title(m.site) {
				w.emblem()
			}
			if !bytes.Equal(m.PNG(title), encodePNG(w.canvas, m.palette)) {
				t.Errorf("%s: the image is not what the whole one is coded as", name)
			}
		}
	}
	// An image that draws outside the title rows is encoded as a whole.
	w := newWorker(m)
	w.canvas = &canvas{}
	w.canvas.fill(0, titleRows-1, Width, 2, strong)
	if w.canvas.first != titleRows-1 || w.canvas.last != titleRows+1 {
		t.Errorf("what was drawn is said to be in rows %d to %d", w.canvas.first, w.canvas.last)
	}
}

// The encoder writes runs of every length, copies of every length, and every byte correctly.
func TestEncoderRuns(t *testing.T) {
	c := &canvas{}
	for y := range Height {
		if y%2 == 0 {
			c.row(y)[y*stride/Height] = byte(1 + y%255)
		}
	}
	m := newAround(c)
	if !bytes.Equal(m.encodePNG(c, ramp(color.RGBA{}), new([]byte)), encodePNG(c, ramp(color.RGBA{}))) {
		t.Error("the parts differ from the whole")
	}
	got := decode(t, encodePNG(c, ramp(color.RGBA{})))
	for y := range Height {
		for x := range Width {
			if want := c.row(y)[x/2] >> (4 * (^x & 1)) & 0xf; got.ColorIndexAt(x, y) != want {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, got.ColorIndexAt(x, y), want)
			}
		}
	}
}
