package brand

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/site"
)

// font returns a WOFF2 file with only a header and a directory.
func font(directory ...byte) []byte {
	data := make([]byte, 48, 64)
	copy(data, woff2Signature)
	tables := 0
	for i := 0; i < len(directory); i += 2 { // a known table and its length, each a byte
		data, tables = append(data, directory[i:i+2]...), tables+1
	}
	binary.BigEndian.PutUint16(data[12:], uint16(tables))
	return sized(append(data, "compressed"...))
}

// sized sets the length in a font's header.
func sized(data []byte) []byte {
	binary.BigEndian.PutUint32(data[8:], uint32(len(data)))
	return data
}

func pixels(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const vector = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"/>`

// look returns the look of a site with the given theme settings, and the problems.
func look(t *testing.T, theme site.Theme) (*Look, []string) {
	t.Helper()
	s := &site.Site{Config: site.Config{Theme: theme}}
	files := fstest.MapFS{}
	for name, body := range map[string][]byte{
		"brand/logo.svg": []byte(vector), "brand/logo.png": pixels(t, 300, 80), "brand/wide.png": pixels(t, 3000, 10),
		"brand/icon.ico": {0, 0, 1, 0, 1, 0}, "brand/fake.ico": []byte("GIF89a"), "brand/heavy.svg": []byte(vector + strings.Repeat(" ", 200<<10)),
		"brand/nosize.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "brand/text.svg": []byte("no image"), "brand/cut.png": pixels(t, 30, 30)[:60],
		"brand/vector.png": []byte(vector), "brand/text.woff2": font(0, 9), "brand/wide.woff2": font(0, 9, 47, 9),
		"brand/fake.woff2": []byte("\x00\x01\x00\x00 a TrueType font"), "brand/text.ttf": font(0, 9), "brand/cut.woff2": font(0, 9)[:50],
		"brand/big.woff2": sized(append(font(0, 9), make([]byte, 300<<10)...)), "brand/photo.gif": []byte("GIF89a\x10\x00\x10\x00\x00\x00\x00;"),
	} {
		files["content/static/"+name] = &fstest.MapFile{Data: body}
		s.Files = append(s.Files, site.File{Source: "content/static/" + name, Path: "/" + name, Size: int64(len(body))})
	}
	l, problems, err := New(s, files)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return l, lines
}

func at(target string) site.Reference {
	return site.Reference{Target: target, Pos: site.Pos{Line: 3, Col: 9}}
}

// A setting with an unusable file causes one problem, at the setting's position, with the solution.
func TestUnusableFiles(t *testing.T) {
	for name, c := range map[string]struct {
		theme site.Theme
		want  string
	}{
		"missing":                   {site.Theme{Logo: at("brand/lgoo.svg")}, `error: theme.logo: there is no file content/static/brand/lgoo.svg; did you mean "brand/logo.svg"? [V024]`},
		"different case":            {site.Theme{Logo: at("Brand/Logo.svg")}, `did you mean "brand/logo.svg"? [V024]`},
		"other folder":              {site.Theme{Logo: at("pictures/of/the/brand/logo.svg")}, `did you mean "brand/logo.svg"? [V024]`},
		"from the root":             {site.Theme{Logo: at("/brand/logo.svg")}, `write "brand/logo.svg", its path in content/static/ [V024]`},
		"path from the site folder": {site.Theme{Favicon: at("content/static/brand/icon.ico")}, `write "brand/icon.ico", its path in content/static/ [V024]`},
		"no similar name":           {site.Theme{Favicon: at("x.svg")}, `add the file, or remove the setting [V024]`},
		"no image":                  {site.Theme{Logo: at("brand/text.svg")}, `error: theme.logo: the format of brand/text.svg is not supported; a logo must be an SVG, PNG, JPEG, GIF, WebP, or AVIF file [V045]`},
		"a font as a logo":          {site.Theme{Logo: at("brand/text.woff2")}, `the format of brand/text.woff2 is not supported; a logo must be`},
		"wrong extension":           {site.Theme{Logo: at("brand/vector.png")}, `the format of brand/vector.png is SVG; change the file extension to match`},
		"truncated image":           {site.Theme{LogoDark: at("brand/cut.png"), Logo: at("brand/logo.png")}, `theme.logoDark: brand/cut.png cannot be read`},
		"no size":                   {site.Theme{Logo: at("brand/nosize.svg")}, `has no size, so pages would jump while they load; add a viewBox to its outermost element`},
		"too many pixels":           {site.Theme{Logo: at("brand/wide.png")}, `brand/wide.png is 3000 × 10 pixels, and the maximum side length is 2048`},
		"too many bytes":            {site.Theme{Logo: at("brand/heavy.svg")}, `brand/heavy.svg is 200 KiB, and the maximum is 100 KiB; make it smaller`},
		"only a dark logo":          {site.Theme{LogoDark: at("brand/logo.png")}, `theme.logoDark: there is no logo for the light scheme; set theme.logo too [V005]`},
		"wrong icon format":         {site.Theme{Favicon: at("brand/photo.gif")}, `the format of brand/photo.gif is not supported; an icon must be an SVG, PNG, or ICO file`},
		"no icon":                   {site.Theme{Favicon: at("brand/fake.ico")}, `brand/fake.ico is not an ICO file, despite its name`},
		"no font":                   {site.Theme{Text: at("brand/fake.woff2")}, `theme.fonts.text: brand/fake.woff2 is not a usable woff2 file: it does not start with "wOF2"; create one`},
		"wrong font format":         {site.Theme{Headings: at("brand/text.ttf")}, `theme.fonts.headings: brand/text.ttf is not a usable woff2 file: its name does not end in .woff2`},
		"truncated font":            {site.Theme{Text: at("brand/cut.woff2")}, `the file is truncated`},
		"large font":                {site.Theme{Headings: at("brand/big.woff2")}, `warning: theme.fonts.headings: brand/big.woff2 is 300 KiB, which every new reader must download; remove the characters that the site does not use`},
		"word":                      {site.Theme{Text: at("sans")}, `theme.fonts.text: want system, serif, mono, or a woff2 file in content/static/; found "sans" [V004]`},
	} {
		_, problems := look(t, c.theme)
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "content/site.yaml:3:9: ") || !strings.Contains(problems[0], c.want) {
			t.Errorf("%s: got %q, want %s", name, problems, c.want)
		}
	}
}

// The look contains the usable files of the settings.
func TestFiles(t *testing.T) {
	l, problems := look(t, site.Theme{
		Logo: at("brand/logo.svg"), LogoDark: at("brand/logo.png"), Favicon: at("brand/icon.ico"), Text: at("brand/wide.woff2"), Headings: at("serif"),
	})
	if problems != nil || l.Logo.Width != 120 || l.Logo.Height != 40 || l.LogoDark.Width != 300 || l.Icon.Extension != ".ico" ||
		len(l.Text) != 1 || !l.Text[0].Variable || l.Headings != nil || l.HeadingsStack == "" || l.Accent != nil {
		t.Fatalf("%+v, %v", l, problems)
	}
	if l, _ := look(t, site.Theme{Text: at("brand/text.woff2")}); l.Text[0].Variable {
		t.Error("a font without axes is variable")
	}
	if l, problems := look(t, site.Theme{}); problems != nil || l.Stylesheet(nil) != nil {
		t.Errorf("without settings: %+v, %v", l, problems)
	}
}

// An accent that pages must change considerably causes a warning for each affected scheme of the site.
func TestAccentProblems(t *testing.T) {
	const yellow, black = "theme.accent: #ffd400 has a contrast of 1.2:1 on the surfaces of the light scheme, but text needs 4.5:1, so that scheme uses #735f03; choose a darker color", "of the dark scheme"
	for _, c := range []struct {
		accent, scheme string
		want           []string
	}{
		{"7a3e00", "", nil}, {"0b5e4c", "auto", nil}, {"001f5b", "auto", nil}, {"ffd400", "auto", []string{yellow}}, {"ffd400", "light", []string{yellow}},
		{"ffd400", "dark", nil}, {"000000", "auto", []string{black}}, {"000000", "light", nil}, {"777777", "", nil},
	} {
		_, problems := look(t, site.Theme{Accent: c.accent, Scheme: c.scheme, AccentPos: site.Pos{Line: 3, Col: 9}})
		if len(problems) != len(c.want) || len(problems) > 0 && (!strings.Contains(problems[0], c.want[0]) ||
			!strings.HasPrefix(problems[0], "content/site.yaml:3:9: warning: ") || !strings.HasSuffix(problems[0], "[V044]")) {
			t.Errorf("%s %s: %q, want %q", c.accent, c.scheme, problems, c.want)
		}
	}
}

// published returns an address that contains a font's name and size.
func published(name string, f *File) string { return fmt.Sprintf("/%s-%d.woff2", name, len(f.Body)) }

// The stylesheet declares exactly the properties that the theme's stylesheet uses.
func TestStylesheet(t *testing.T) {
	l, _ := look(t, site.Theme{Accent: "7a3e00", Text: at("brand/text.woff2"), Headings: at("brand/wide.woff2")})
	want := `@font-face{font-family:"Site text";src:url("/site-text-60.woff2") format("woff2");font-display:swap}
@font-face{font-family:"Site headings";src:url("/site-headings-62.woff2") format("woff2");font-weight:1 1000;font-display:swap}
:root{--accent:#7a3e00;--text-font:"Site text",` + stacks["system"] + `;--head-font:"Site headings",` + stacks["system"] + `;}
`
	if got := string(l.Stylesheet(published)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l, _ = look(t, site.Theme{Text: at("mono")})
	if got := string(l.Stylesheet(published)); got != ":root{--text-font:"+stacks["mono"]+";--head-font:"+stacks["mono"]+";}\n" {
		t.Errorf("the headings don't have the text's font: %s", got)
	}
}

// A truncated or damaged font causes an error, never a panic.
func FuzzFont(f *testing.F) {
	f.Add(font(0, 9, 47, 9))
	f.Add(sized(append(font(), 63, 'f', 'v', 'a', 'r', 0x80)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := inspectFont(data); err == nil && string(data[:4]) != woff2Signature {
			t.Error("accepted data that isn't WOFF2")
		}
	})
}

// A role may have a file for each weight and style. Glyphs that browsers would have to synthesize cause a warning.
func TestFontLists(t *testing.T) {
	const upright, wide, wrong = "brand/text.woff2", "brand/wide.woff2", "brand/fake.woff2"
	file := func(src, weight, style string) site.Font {
		return site.Font{Src: at(src), Weight: weight, Style: style}
	}
	for name, c := range map[string]struct {
		theme site.Theme
		faces []string
		want  string
	}{
		"one static file": {site.Theme{Text: at(upright)}, []string{" "}, "theme.fonts.text: no file provides bold (600 to 700), so browsers synthesize the glyphs; list a file for each weight and style, or a variable font with its range of weights [V098]"},
		"one variable":    {site.Theme{Text: at(wide)}, []string{"1 1000 "}, ""},
		"headings":        {site.Theme{Headings: at(upright)}, nil, ""},
		"weights":         {site.Theme{TextFonts: []site.Font{file(upright, "400", ""), file(upright, "700", "normal"), file(upright, "400", "italic")}}, []string{"400 ", "700 ", "400 italic"}, ""},
		"a range":         {site.Theme{TextFonts: []site.Font{file(wide, "100 900", ""), file(wide, "", "italic")}}, []string{"100 900 ", "1 1000 italic"}, ""},
		"without weight":  {site.Theme{TextFonts: []site.Font{file(upright, "", "")}}, []string{"400 "}, "no file provides bold (600 to 700) or italics, so"},
		"bold alone":      {site.Theme{TextFonts: []site.Font{file(upright, "700", ""), file(upright, "700", "italic")}}, []string{"700 ", "700 italic"}, "no file provides the regular weight (400), so"},
		"light headings":  {site.Theme{HeadingsFonts: []site.Font{file(upright, "300", "")}}, nil, "theme.fonts.headings: no file provides bold (600 to 700), so"},
		"static range":    {site.Theme{TextFonts: []site.Font{file(upright, "100 900", "")}}, nil, "theme.fonts.text[0]: brand/text.woff2 has only one weight, not a range; write that weight, such as weight: 400 [V045]"},
		"no font":         {site.Theme{TextFonts: []site.Font{file(wrong, "400", "")}}, nil, "theme.fonts.text[0].src: brand/fake.woff2 is not a usable woff2"},
		"a word":          {site.Theme{TextFonts: []site.Font{file("serif", "400", "")}}, nil, `theme.fonts.text[0].src: want a woff2 file in content/static/, found "serif"; to use a system font, write its keyword instead of the list`},
	} {
		l, problems := look(t, c.theme)
		if c.want == "" && problems != nil || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], c.want)) {
			t.Errorf("%s: got %q, want %s", name, problems, c.want)
		}
		var faces []string
		for _, f := range l.Text {
			faces = append(faces, f.Weight+" "+f.Style)
		}
		if !slices.Equal(faces, c.faces) {
			t.Errorf("%s: faces %q, want %q", name, faces, c.faces)
		}
	}
	l, _ := look(t, site.Theme{TextFonts: []site.Font{{Src: at(wide), Weight: "100 900", Style: "italic", Range: "U+0000-00FF"}}})
	want := `@font-face{font-family:"Site text";src:url("/site-text-62.woff2") format("woff2");font-weight:100 900;font-style:italic;unicode-range:U+0000-00FF;font-display:swap}`
	if got := string(l.Stylesheet(published)); !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
