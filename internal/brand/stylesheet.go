package brand

import (
	"cmp"
	"fmt"
	"strings"
)

// Stylesheet is the look as custom properties, which the theme's stylesheet refers to;
// nil where the settings ask for nothing. text and headings are where the fonts are
// published. What is printed has the light scheme, whatever the screen has.
func (l *Look) Stylesheet(text, headings string) []byte {
	var b strings.Builder
	font := func(family, at string, f *File) string {
		if f == nil {
			return ""
		}
		weight := ""
		if f.Variable {
			weight = "font-weight:1 1000;"
		}
		fmt.Fprintf(&b, "@font-face{font-family:%q;src:url(%q) format(\"woff2\");%sfont-display:swap}\n", family, at, weight)
		return fmt.Sprintf("%q,%s", family, stacks["system"])
	}
	letters := cmp.Or(font("Site text", text, l.Text), l.TextStack)
	// Headings look as the text does, where nothing else is asked for.
	families := property("font-text", letters) + property("font-headings", cmp.Or(font("Site headings", headings, l.Headings), l.HeadingsStack, letters))
	if l.Light == nil {
		if families != "" {
			fmt.Fprintf(&b, ":root{%s}\n", families)
		}
	} else {
		dark := l.Dark.properties()
		fmt.Fprintf(&b, ":root{%s%s}\n", l.Light.properties(), families)
		fmt.Fprintf(&b, "@media screen and (prefers-color-scheme:dark){:root:not([data-scheme=light]){%s}}\n", dark)
		fmt.Fprintf(&b, "@media screen{:root[data-scheme=dark]{%s}}\n", dark)
	}
	if b.Len() == 0 {
		return nil
	}
	return []byte(b.String())
}

func (p *Palette) properties() string {
	return property("accent", p.Accent.String()) + property("accent-strong", p.Strong.String()) +
		property("accent-ink", p.Ink.String()) + property("accent-soft", p.Soft.String())
}

// property declares a custom property, and nothing where it has no value.
func property(name, value string) string {
	if value == "" {
		return ""
	}
	return "--" + name + ":" + value + ";"
}
