package brand

import (
	"cmp"
	"fmt"
	"strings"
)

// Stylesheet returns the look as CSS: @font-face rules, and the custom properties from which the theme's stylesheet
// derives all other properties. It returns nil if the settings don't change the look. publish publishes a font under a
// name and returns the font's URL.
func (l *Look) Stylesheet(publish func(name string, f *File) string) []byte {
	var b strings.Builder
	font := func(family, name string, faces []Face) string {
		for _, f := range faces {
			fmt.Fprintf(&b, "@font-face{font-family:%q;src:url(%q) format(\"woff2\");%s%s%sfont-display:swap}\n", family, publish(name, f.File),
				declared("font-weight", f.Weight), declared("font-style", f.Style), declared("unicode-range", f.Range))
		}
		if len(faces) == 0 {
			return ""
		}
		return fmt.Sprintf("%q,%s", family, stacks["system"])
	}
	properties := ""
	letters := cmp.Or(font("Site text", "site-text", l.Text), l.TextStack)
	if l.Accent != nil {
		properties = property("accent", l.Accent.String())
	}
	properties += property("text-font", letters)
	// Headings use the font of the text unless site.yaml sets one for headings.
	properties += property("head-font", cmp.Or(font("Site headings", "site-headings", l.Headings), l.HeadingsStack, letters))
	if properties != "" {
		fmt.Fprintf(&b, ":root{%s}\n", properties)
	}
	if b.Len() == 0 {
		return nil
	}
	return []byte(b.String())
}

// declared returns a CSS declaration, including its semicolon, or "" if value is "".
func declared(name, value string) string {
	if value == "" {
		return ""
	}
	return name + ":" + value + ";"
}

// property returns the declaration of a custom property, or "" if value is "".
func property(name, value string) string {
	return declared("--"+name, value)
}
