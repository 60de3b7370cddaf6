package load

import (
	"strconv"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// images reads how pages show images.
func images(dst *site.Images) reader {
	return closed(
		field{"responsive", "", "Whether smaller copies of PNG and JPEG images are made, of which a browser takes the right one; yes without it.", optional(unspoken(&dst.Single))},
		field{"keepMetadata", "", "Whether images are published with all that they say of their making, such as the place; no without it.", optional(spoken(&dst.KeepMetadata))},
		field{"sizes", "", "How wide images are shown, as the attribute sizes of HTML says it, for templates of your own.", optional(text(&dst.Sizes, oneLineOnly()))},
		field{"budget", "", "How many KiB an image may have before it is warned of; 512 without it.", optional(between(1, 1<<20, func(n int64) { dst.Budget = n << 10 }))},
		field{"side", "", "How many pixels the longer side of an image may have before it is warned of; 4096 without it.", optional(between(1, 1<<16, func(n int64) { dst.Side = int(n) }))},
	)
}

// oneLineOnly checks for a text without line breaks.
func oneLineOnly() check {
	return check{func(s string) string {
		if strings.ContainsAny(s, "\r\n") {
			return "write it in one line"
		}
		return ""
	}, `^[^\r\n]*\S[^\r\n]*$`, []string{"(min-width: 48em) 45rem, 100vw"}}
}

// unspoken reads the opposite of yes or no, in the words of people and of YAML.
func unspoken(dst *bool) reader {
	read := func(r *report, v value) {
		truth, ok := spokenTruth(v.Text)
		if !ok || v.Kind != tree.Bool && v.Kind != tree.Text {
			r.errorf(v.Pos, "%s: want yes or no, found %s", v.name, v.Describe())
			return
		}
		*dst = !truth
	}
	return reader{read, drawSpoken}
}

// spoken reads yes or no.
func spoken(dst *bool) reader {
	var not bool
	read := unspoken(&not)
	return reader{func(r *report, v value) {
		not = !*dst
		read.read(r, v)
		*dst = !not
	}, read.draw}
}

// drawSpoken is what spokenTruth takes.
func drawSpoken() shape.Shape {
	return shape.Shape{
		Kinds: []shape.Kind{shape.Text, shape.Truth}, Examples: []string{"yes", "no"},
		Pattern: "^([Yy][Ee][Ss]|[Yy]|[Oo][Nn]|[Tt][Rr][Uu][Ee]|[Nn][Oo]|[Nn]|[Oo][Ff][Ff]|[Ff][Aa][Ll][Ss][Ee])$",
	}
}

// between reads a whole number within bounds.
func between(least, most int64, set func(int64)) reader {
	read := func(r *report, v value) {
		form, ok := number(r, v, "a whole number such as 512")
		if !ok {
			return
		}
		n, err := strconv.ParseInt(form, 10, 64)
		if err != nil || n < least || n > most {
			r.errorf(v.Pos, "%s: want a whole number from %d to %d, found %s", v.name, least, most, v.Describe())
			return
		}
		set(n)
	}
	return reader{read, func() shape.Shape { return drawWhole(least, most) }}
}
