package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
)

// Mapped returns a handler that replaces a component with text. The text may contain placeholders: {inner} for the
// content of the component, {name} for the attribute with that name, and {0} to {9} for the positional arguments of a
// shortcode. Placeholders for missing attributes become empty. If text is "", the handler drops the component.
func Mapped(text string) Handler {
	block := strings.Contains(strings.TrimRight(text, "\n"), "\n") || strings.HasPrefix(text, "::") || strings.HasPrefix(text, "#") || text == "{inner}"
	return func(c *Converter, n *Node) Piece {
		inner := ""
		if strings.Contains(text, "{inner}") {
			inner = c.Inner(n)
		}
		out := placeholder.ReplaceAllStringFunc(strings.TrimRight(text, "\n"), func(s string) string {
			switch name := s[1 : len(s)-1]; {
			case name == "inner":
				return inner
			case name[0] >= '0' && name[0] <= '9':
				return n.Tag.Argument(int(name[0] - '0'))
			default:
				return n.Tag.Get(name)
			}
		})
		lines := strings.Split(out, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, ":::") || strings.HasPrefix(line, "::") {
				lines[i] = Sign + line
			} else {
				lines[i] = inlineMark.ReplaceAllString(line, "${1}"+Sign+"${2}")
			}
		}
		return Piece{strings.Join(lines, "\n"), block || strings.Contains(inner, "\n")}
	}
}

var (
	placeholder = lazyregexp.New(`\{(?:[A-Za-z][\w-]*|\d)\}`)
	// inlineMark matches a component within a line, such as :badge[…].
	inlineMark = lazyregexp.New(`(^|\s)(:[a-z][\w-]*\[)`)
)
