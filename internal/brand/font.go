package brand

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// stacks maps the keywords in site.yaml to system font families.
var stacks = map[string]string{
	"system": `-apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,var(--script-font,sans-serif)`,
	"serif":  `"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",P052,"Noto Serif","Liberation Serif",Georgia,serif`,
	"mono":   `ui-monospace,"SF Mono","Cascadia Code","Roboto Mono",Menlo,Consolas,"Liberation Mono",monospace`,
}

// Face is a font file and its declarations in the stylesheet.
type Face struct {
	*File
	// Weight is a CSS weight or range of weights. Style is "italic" or "". Range is the CSS range of characters for
	// which browsers use the file, or "" for all characters.
	Weight, Style, Range string
}

// anyWeight is the CSS weight range of a file used for all weights.
const anyWeight = "1 1000"

// faces reads the font setting named key. If list is nil, the setting is ref: one file, or the keyword of a system
// font. faces returns the files, or the font families for the keyword as stack. It reports and omits unusable files.
func (l *looker) faces(key string, ref site.Reference, list []site.Font) (faces []Face, stack string) {
	if list == nil {
		f, stack := l.font(key, ref)
		if f == nil {
			return nil, stack
		}
		face := Face{File: f}
		if f.Variable || key == "fonts.headings" {
			// A single file for headings is used for all weights, so browsers don't synthesize bold glyphs.
			face.Weight = anyWeight
		}
		return []Face{face}, stack
	}
	for i, of := range list {
		f, word := l.font(fmt.Sprintf("%s[%d].src", key, i), of.Src)
		if word != "" {
			l.wrong(of.Src.Pos, rule.WrongValue, "theme.%s[%d].src: want a woff2 file in %s, found %q; to use a system font, write its keyword instead of the list", key, i, folder, of.Src.Target)
		}
		if f == nil {
			continue
		}
		face := Face{File: f, Weight: of.Weight, Range: of.Range}
		if of.Style == "italic" {
			face.Style = of.Style
		}
		switch _, _, isRange := strings.Cut(of.Weight, " "); {
		case of.Weight == "" && f.Variable:
			face.Weight = anyWeight
		case of.Weight == "":
			face.Weight = "400"
		case isRange && !f.Variable:
			l.wrong(of.Src.Pos, rule.LookFile, "theme.%s[%d]: %s has only one weight, not a range; write that weight, such as weight: 400", key, i, of.Src.Target)
			continue
		}
		faces = append(faces, face)
	}
	return faces, ""
}

// heavy is the lightest weight for which browsers synthesize bold glyphs if a font has only lighter weights. Strong
// text and headings have at least this weight.
const heavy = 600

// weights warns about glyphs that browsers would have to synthesize. It checks whether the files for the text and the
// files for headings include bold glyphs. For the text, it also checks for glyphs of regular weight and, if the setting
// is a list, for italics.
func (l *looker) weights(theme *site.Theme, look *Look) {
	for _, role := range []struct {
		key   string
		faces []Face
		one   site.Reference
		list  []site.Font
		uses  bool // whether the role uses italics and the regular weight
	}{
		{"text", look.Text, theme.Text, theme.TextFonts, true},
		{"headings", look.Headings, theme.Headings, theme.HeadingsFonts, false},
	} {
		if len(role.faces) == 0 || len(role.faces) < len(role.list) {
			continue
		}
		pos := role.one.Pos
		if role.list != nil {
			pos = role.list[0].Src.Pos
		}
		var lacks []string
		usual, bold, italics := covered(role.faces)
		if role.uses && !usual {
			lacks = append(lacks, "the regular weight (400)")
		}
		if !bold {
			lacks = append(lacks, "bold (600 to 700)")
		}
		if role.uses && !italics && role.list != nil {
			lacks = append(lacks, "italics")
		}
		if len(lacks) > 0 {
			l.problems = append(l.problems, site.Problem{Path: configFile, Pos: pos, Severity: site.Warning, Code: rule.FontWeight, Text: fmt.Sprintf(
				"theme.fonts.%s: no file provides %s, so browsers synthesize the glyphs; list a file for each weight and style, or a variable font with its range of weights", role.key, strings.Join(lacks, " or "))})
		}
	}
}

// covered reports whether faces include an upright file that is lighter than heavy (usual), an upright file of at least
// the weight heavy (bold), and an italic file (italics).
func covered(faces []Face) (usual, bold, italics bool) {
	for _, f := range faces {
		from, to, isRange := strings.Cut(cmp.Or(f.Weight, "400"), " ")
		if !isRange {
			to = from
		}
		least, _ := strconv.Atoi(from)
		most, _ := strconv.Atoi(to)
		if f.Style != "" {
			italics = true
			continue
		}
		usual, bold = usual || least < heavy, bold || most >= heavy
	}
	return usual, bold, italics
}

// font reads the setting named key, which names a font file or is the keyword of a system font. It returns the file, or
// the font families for the keyword as stack. It returns neither if the setting is empty or if the file is unusable. It
// reports an unusable file.
func (l *looker) font(key string, ref site.Reference) (f *File, stack string) {
	if ref.Target == "" || stacks[ref.Target] != "" {
		return nil, stacks[ref.Target]
	}
	if !strings.Contains(ref.Target, ".") {
		l.wrong(ref.Pos, rule.WrongValue, "theme.%s: want system, serif, mono, or a woff2 file in %s; found %q", key, folder, ref.Target)
		return nil, ""
	}
	f, ok := l.read(key, ref, maxFont, fontAdvice)
	if !ok {
		return nil, ""
	}
	var err error
	if f.Variable, err = inspectFont(f.Body); err != nil || f.Extension != ".woff2" {
		if err == nil {
			err = errors.New("its name does not end in .woff2")
		}
		l.wrong(ref.Pos, rule.LookFile, "theme.%s: %s is not a usable woff2 file: %v; create one with woff2_compress or fonttools", key, ref.Target, err)
		return nil, ""
	}
	if len(f.Body) > sensibleFont {
		l.problems = append(l.problems, site.Problem{Path: configFile, Pos: ref.Pos, Severity: site.Warning, Code: rule.LargeFont,
			Text: fmt.Sprintf("theme.%s: %s is %d KiB, which every new reader must download; %s", key, ref.Target, len(f.Body)/kib, fontAdvice)})
	}
	return f, ""
}

// inspectFont reads the header and the table directory of a WOFF2 font (W3C, WOFF File Format 2.0, §4). variable
// reports whether the font has a table of variation axes (fvar).
func inspectFont(data []byte) (variable bool, err error) {
	const headerSize, fvar, other = 48, 47, 63
	cut := errors.New("the file is truncated")
	switch {
	case len(data) < 4 || string(data[:4]) != woff2Signature:
		return false, fmt.Errorf("it does not start with %q", woff2Signature)
	case len(data) < headerSize || int64(binary.BigEndian.Uint32(data[8:])) != int64(len(data)):
		return false, cut
	}
	rest := data[headerSize:]
	number := func() bool { // skips a UIntBase128
		for i := 0; i < 5 && i < len(rest); i++ {
			if rest[i]&0x80 == 0 {
				rest = rest[i+1:]
				return true
			}
		}
		return false
	}
	for range binary.BigEndian.Uint16(data[12:]) {
		if len(rest) == 0 {
			return false, cut
		}
		tag, version := rest[0]&63, rest[0]>>6
		if rest = rest[1:]; tag == other {
			if len(rest) < 4 {
				return false, cut
			}
			variable = variable || string(rest[:4]) == "fvar"
			rest = rest[4:]
		}
		variable = variable || tag == fvar
		// A transformed table has a second length. Version 3 of glyf and loca, and version 0 of other tables, mean that
		// the table isn't transformed.
		transformed := version != 0
		if tag == 10 || tag == 11 {
			transformed = version != 3
		}
		if !number() || transformed && !number() {
			return false, cut
		}
	}
	return variable, nil
}
