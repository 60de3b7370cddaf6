package convert

import (
	"html"
	"strings"

	"vitrine/internal/lazyregexp"
)

// rawText reports whether the content of the named element is read verbatim instead of as Markdown.
func rawText(name string) bool {
	switch name {
	case "pre", "code", "script", "style", "textarea", "template", "svg", "math", "samp", "tt":
		return true
	}
	return false
}

// readInner reads the content of t, an element for which rawText returns true. The content starts at from. readInner
// stores the content in t.inner, and returns t and the position after the end tag. If there is no end tag, or if a
// <code> element contains an empty line, it leaves t unchanged, and returns t and from.
func (c *Converter) readInner(t *Tag, text string, from int) (*Tag, int) {
	end := "</" + t.Name
	rest := text[from:]
	for at := 0; ; {
		i := -1
		if !c.noEnd[t.Name] {
			i = indexFold(rest[at:], end)
		}
		if i < 0 {
			c.noEnd[t.Name] = true
			return t, from
		}
		i += at
		if t.Name == "code" && strings.Contains(rest[:i], "\n\n") {
			return t, from
		}
		stop := strings.IndexByte(rest[i:], '>')
		if stop < 0 {
			return t, from
		}
		if strings.TrimSpace(rest[i+len(end):i+stop]) == "" {
			t.Form, t.inner = Alone, rest[:i]
			return t, from + i + stop + 1
		}
		at = i + len(end)
	}
}

func indexFold(s, lower string) int {
	if i := strings.Index(s, lower); i >= 0 {
		return i
	}
	// Fold the case of ASCII letters only, so that byte positions stay the same.
	for i := 0; i+len(lower) <= len(s); i++ {
		if s[i] == lower[0] && strings.EqualFold(s[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

var (
	// attrText matches an attribute with or without a value. The fourth group captures "{" if the value is an
	// expression.
	attrText  = lazyregexp.New(`^([^\s/>=<"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{)|([^\s>"'{][^\s>]*)))?`)
	attrSpace = lazyregexp.New(`^[ \t/\n]*`)
	// emptyLine matches an empty line, which ends a tag in Markdown.
	emptyLine = lazyregexp.New(`\n[ \t]*\n`)
)

// readAttrs reads the rest of the tag t, starting with the attributes at i, and returns the position after the tag. It
// returns -1 if the tag has no end or too many attributes.
func (c *Converter) readAttrs(t *Tag, text string, i int) int {
	text = text[:min(len(text), i+64<<10)]
	// The number of attributes is limited, because reading an attribute may require a scan of up to 64 KiB. Real tags
	// have fewer.
	const most = 100
	for len(t.Attrs) < most && strings.IndexByte(text[i:], '>') >= 0 {
		space := attrSpace.FindString(text[i:])
		i += len(space)
		if i == len(text) || !c.syntax.Mdx && !c.syntax.Vue && emptyLine.MatchString(space) {
			return -1
		}
		if text[i] == '>' {
			return i + 1
		}
		if text[i] == '{' && c.syntax.Mdx {
			end := balanced(text, i)
			if end < 0 {
				return -1
			}
			t.Attrs = append(t.Attrs, Attr{Name: "{", Value: text[i:end], code: !isComment(text[i+1 : end-1])})
			i = end
			continue
		}
		m := attrText.FindStringSubmatch(text[i:])
		if m == nil {
			return -1
		}
		i += len(m[0])
		a := Attr{Name: m[1], Value: html.UnescapeString(m[2] + m[3] + m[5])}
		if m[4] != "" && !c.syntax.Mdx {
			rest := text[i:]
			end := max(0, strings.IndexAny(rest, " \t\n>"))
			a.Value, i = "{"+rest[:end], i+end
		} else if m[4] != "" {
			end := balanced(text, i-1)
			if end < 0 {
				return -1
			}
			a.Value = strings.TrimSpace(text[i : end-1])
			s, ok := c.Constant(a.Value)
			if a.code = !ok; ok {
				a.Value = s
			}
			i = end
		}
		t.Attrs = append(t.Attrs, a)
	}
	return -1
}

// balanced returns the position after the closing bracket that matches the bracket at text[i], or -1 if there is none
// within 64 KiB. It ignores brackets in strings, templates, and block comments.
func balanced(text string, i int) int {
	const most = 64 << 10
	depth := 0
	for start := i; i < len(text) && i-start < most; i++ {
		switch text[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			// A quote without an end is an apostrophe in the text between tags, not the start of a string.
			end := stringEnd(text, i)
			if end > 0 {
				i = end - 1
			}
		case '/':
			if strings.HasPrefix(text[i:], "/*") {
				end := strings.Index(text[i:], "*/")
				if end < 0 {
					return -1
				}
				i += end + 1
			}
		}
	}
	return -1
}

// stringEnd returns the position after the JavaScript string that starts at i, or -1 if the string has no end.
func stringEnd(text string, i int) int {
	q := text[i]
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case text[j] == q:
			return j + 1
		case text[j] == '\n' && q != '`':
			return -1
		case q == '`' && strings.HasPrefix(text[j:], "${"):
			end := balanced(text, j+1)
			if end < 0 {
				return -1
			}
			j = end - 1
		}
	}
	return -1
}

func isComment(code string) bool {
	code = strings.TrimSpace(code)
	return strings.HasPrefix(code, "/*") && strings.Index(code, "*/") == len(code)-2
}
