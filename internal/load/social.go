package load

import (
	"fmt"
	"regexp"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// social reads how the images look that stand for pages elsewhere.
func social(dst *site.Social) reader {
	return closed(
		field{"images", "", "Whether an image with its title is made for each page that has none; true without it.", not(&dst.NoImages)},
		field{"color", "", "The brand's colour, as six hexadecimal digits; the theme's without it.", optional(colour(&dst.Color))},
	)
}

// not reads the opposite of a truth.
func not(dst *bool) reader {
	var given bool
	read := truth(&given)
	return reader{func(r *report, v value) {
		given = !*dst
		read.read(r, v)
		*dst = !given
	}, read.draw}
}

// colourPattern is what a colour looks like.
const colourPattern = `^#?[0-9A-Fa-f]{6}$`

func colour(dst *string) reader {
	form := regexp.MustCompile(colourPattern)
	read := text(dst, check{func(s string) string {
		if !form.MatchString(s) {
			return fmt.Sprintf("want a colour of six hexadecimal digits such as \"#0b5e4c\", found %q", s)
		}
		return ""
	}, colourPattern, []string{"#0b5e4c"}})
	return reader{func(r *report, v value) {
		read.read(r, v)
		*dst = strings.ToLower(strings.TrimPrefix(*dst, "#"))
	}, read.draw}
}

// agents reads crawlers that are let in or kept out by name.
func agents(dst *[]site.Signal) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {GPTBot: disallow}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if strings.ContainsAny(m.Key, " :\n\r\t#") {
				r.errorf(m.Pos, "%s: want a crawler's name such as GPTBot, found %q", v.name, m.Key)
				continue
			}
			if m.Value.Kind != tree.Text || m.Value.Text != "allow" && m.Value.Text != "disallow" {
				r.errorf(m.Value.Pos, "%s: want allow or disallow, found %s", child(v, m.Key), m.Value.Describe())
				continue
			}
			*dst = append(*dst, site.Signal{Name: m.Key, Allow: m.Value.Text == "allow"})
		}
	}
	return reader{read, func() shape.Shape {
		choice := shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: "^(allow|disallow)$", Examples: []string{"allow", "disallow"}}
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &choice, Names: `^[^ :\n\r\t#]+$`}
	}}
}
