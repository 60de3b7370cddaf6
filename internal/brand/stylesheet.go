package brand

import (
	"cmp"
	"fmt"
	"strings"
)

// Stylesheet returns the look as custom properties, from which the theme's stylesheet derives all others, or nil if
// the settings change nothing. text and headings are the addresses of the published fonts.
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
	properties := ""
	letters := cmp.Or(font("Site text", text, l.Text), l.TextStack)
	if l.Accent != nil {
		properties = property("accent", l.Accent.String())
	}
	properties += property("text-font", letters)
	// Headings have the text's font unless site.yaml sets theirs.
	properties += property("head-font", cmp.Or(font("Site headings", headings, l.Headings), l.HeadingsStack, letters))
	if properties != "" {
		fmt.Fprintf(&b, ":root{%s}\n", properties)
	}
	if b.Len() == 0 {
		return nil
	}
	return []byte(b.String())
}

// property declares a custom property, or nothing if it has no value.
func property(name, value string) string {
	if value == "" {
		return ""
	}
	return "--" + name + ":" + value + ";"
}
