package load

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// fonts returns a reader for a font setting. The reader stores a keyword or file name in *one, and a list of files in
// *several.
func fonts(one *site.Reference, several *[]site.Font) reader {
	single, files := reference(one), each(several, font)
	return reader{
		read: func(r *report, v value) {
			switch {
			case v.Kind != tree.List:
				single.read(r, v)
			case len(v.Items) == 0:
				r.errorf(v.Pos, "%s: the list is empty; add a file such as {src: fonts/text.woff2, weight: 400}, or remove the key", v.name)
			default:
				files.read(r, v)
			}
		},
		draw: func() shape.Shape {
			drawn := single.draw()
			drawn.Kinds = append(drawn.Kinds[:len(drawn.Kinds):len(drawn.Kinds)], shape.List)
			drawn.Item = files.draw().Item
			return drawn
		},
	}
}

// font returns a reader for a font file's settings.
func font(f *site.Font) reader {
	return closed(
		field{"src", "the name of a woff2 file in content/static/", "The woff2 file in content/static/.", reference(&f.Src)},
		field{"weight", "", "The font's weight, or the range of weights of a variable font.", optional(written(text(&f.Weight, isWeight())))},
		field{"style", "", "The font's style. Default: normal.", optional(text(&f.Style, oneOf("normal", "italic")))},
		field{"range", "", "The characters for which browsers use the file, in the syntax of CSS unicode-range. On pages without these characters, browsers do not load the file.", optional(text(&f.Range, isUnicodeRange()))},
	)
}

// isWeight returns a check that a string is a CSS font weight, or a range of two weights with the lighter one first.
func isWeight() check {
	const pattern = `^([1-9][0-9]{0,2}|1000)( ([1-9][0-9]{0,2}|1000))?$`
	form := regexp.MustCompile(pattern)
	return check{func(s string) string {
		from, to, isRange := strings.Cut(s, " ")
		least, _ := strconv.Atoi(from)
		most, _ := strconv.Atoi(to)
		if !form.MatchString(s) || isRange && least >= most {
			return fmt.Sprintf("want a weight from 1 to 1000 such as 400, or a range such as 100 900; found %q", s)
		}
		return ""
	}, pattern, []string{"400", "100 900"}}
}

// isUnicodeRange returns a check that a string is a list of character ranges in the syntax of CSS unicode-range.
func isUnicodeRange() check {
	const one = `U\+[0-9A-Fa-f]{1,6}(-[0-9A-Fa-f]{1,6})?`
	const pattern = `^` + one + `(, ?` + one + `)*$`
	form := regexp.MustCompile(pattern)
	return check{func(s string) string {
		if !form.MatchString(s) {
			return fmt.Sprintf("want Unicode ranges such as U+0000-00FF, U+0131; found %q", s)
		}
		return ""
	}, pattern, []string{"U+0000-00FF"}}
}
