package search

import (
	"bytes"
	"html"
	"strings"

	"vitrine/internal/markup"
)

// Heading is a heading of a page that a link can point to.
type Heading struct{ ID, Text string }

// section is the part of a page under a heading, or before the first heading, as one line of plain text. cells contains
// the text of the section's tables if text omits it.
type section struct{ id, heading, text, cells string }

// Answers returns the text under each heading of a page's Markdown as one line, keyed by heading ID. Text under a
// heading that isn't in headings belongs to the nearest listed heading before it. The text before the first listed
// heading has the ID "".
func Answers(markdown []byte, headings []Heading) map[string]string {
	texts := make(map[string]string, len(headings))
	for _, s := range sections(markdown, headings, false) {
		texts[s.id] = s.text
	}
	return texts
}

// sections splits a page's Markdown twin into sections. A heading that isn't in headings, such as a heading from a
// layout, doesn't start a section, because no link points to it. If apart is set, table rows go into cells instead of
// text, because they don't read as sentences.
func sections(twin []byte, headings []Heading, apart bool) []section {
	list := make([]section, 0, len(headings)+1)
	var now section
	text := make([]byte, 0, len(twin)+1)
	var cells []byte
	end := func() {
		now.text, now.cells = string(bytes.TrimRight(text, " ")), string(bytes.TrimRight(cells, " "))
		text, cells = text[:0], cells[:0]
		if now.text != "" || now.heading != "" || now.cells != "" {
			list = append(list, now)
		}
	}
	first := true
	for line := range markup.Lines(twin) {
		switch line.Kind {
		case markup.Heading:
			before := len(text)
			text = inline(text, line.Text)
			words := string(bytes.TrimRight(text[before:], " "))
			own := len(headings) > 0 && words == strings.Join(strings.Fields(headings[0].Text), " ")
			if own || first {
				// Remove two kinds of headings from the text: a heading that starts a section, and the first heading,
				// which is the page's title.
				text = text[:before]
			}
			if own {
				end()
				now, headings = section{id: headings[0].ID, heading: words}, headings[1:]
			}
			first = false
		case markup.Code:
			text = spaceOut(append(text, line.Text...), len(text))
		case markup.Prose:
			content := withoutDirective(line.Text)
			switch {
			case len(content) == 0, isRule(content):
			case apart && content[0] == '|':
				cells = inline(cells, content)
			default:
				text = inline(text, content)
			}
		}
	}
	end()
	return list
}

// withoutDirective returns the label if line starts a component, such as ":::details[Label]{open}". It returns an empty
// line for the start of a component without a label and for the end of a component. It returns any other line
// unchanged.
func withoutDirective(line []byte) []byte {
	rest := bytes.TrimLeft(line, ":")
	if len(line)-len(rest) < 2 {
		return line
	}
	name := nameLength(rest)
	if rest = rest[name:]; name == 0 && len(rest) > 0 {
		return line
	}
	switch {
	case len(rest) == 0 || rest[0] == '{':
		return nil
	case rest[0] != '[':
		return line
	}
	if end := closing(rest); end > 0 {
		return rest[1:end]
	}
	return rest[1:]
}

// nameLength returns the length in bytes of the component name at the start of text, or 0 if there is none.
func nameLength(text []byte) int {
	n := 0
	for n < len(text) && (isAlphanumeric(text[n]) || n > 0 && (text[n] == '-' || text[n] == '_')) {
		n++
	}
	return n
}

func isAlphanumeric(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// closing returns the index of the "]" matching the "[" at the start of text, or 0 if there is none.
func closing(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// isRule reports whether line contains only characters that occur in a table's delimiter row or a thematic break of
// hyphens.
func isRule(line []byte) bool {
	for _, c := range line {
		if c != '|' && c != ':' && c != '-' && c != ' ' {
			return false
		}
	}
	return true
}

// spaceOut normalizes the white space in text[from:]: a single space between words and after the last word.
func spaceOut(text []byte, from int) []byte {
	end := from
	for at := from; at < len(text); {
		if isSpace(text[at]) {
			at++
			continue
		}
		begin := at
		for at < len(text) && !isSpace(text[at]) {
			at++
		}
		if end < begin {
			copy(text[end:], text[begin:at])
		}
		if end += at - begin; end == len(text) {
			return append(text, ' ')
		}
		text[end] = ' '
		end++
	}
	return text[:end]
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// marks is the set of bytes that may be part of Markdown syntax within a line.
var marks = func() (is [256]bool) {
	for _, c := range []byte("\\`*[~_!|]<:") {
		is[c] = true
	}
	return is
}()

// inline appends a line of Markdown to text as plain text, without emphasis marks, link destinations, and the
// backslashes of escapes.
func inline(text, line []byte) []byte {
	if bytes.IndexByte(line, '&') >= 0 {
		// This also replaces character references in code spans, but the words in a code span stay the same.
		line = []byte(html.UnescapeString(string(line)))
	}
	from := len(text)
	// The search for the end of a mark extends to the end of the line. After several unsuccessful searches, the search
	// is limited to nearby text, because a line with many unclosed marks would otherwise take quadratic time.
	vain := 0
	rest := func(i int) []byte {
		if vain < 8 {
			return line[i:]
		}
		return line[i:min(len(line), i+4<<10)]
	}
	for i := 0; i < len(line); i++ {
		begin := i
		for i < len(line) && !marks[line[i]] {
			i++
		}
		if text = append(text, line[begin:i]...); i == len(line) {
			break
		}
		switch c := line[i]; c {
		case '\\':
			if i+1 < len(line) && isPunctuation(line[i+1]) {
				i++
				text = append(text, line[i])
			}
		case '`':
			ticks := len(line[i:]) - len(bytes.TrimLeft(line[i:], "`"))
			code := rest(i + ticks)
			end := bytes.Index(code, line[i:i+ticks])
			if end < 0 {
				vain++
				i += ticks - 1
				continue
			}
			text = append(text, code[:end]...)
			i += 2*ticks + end - 1
		case '*', '[':
		case ':':
			// Skip the name of an inline component, such as ":badge[New]". Twins escape other colons of that form.
			name := nameLength(line[i+1:])
			if end := i + 1 + name; name > 0 && end < len(line) && line[end] == '[' && (i == 0 || !isAlphanumeric(line[i-1]) && line[i-1] != ':') {
				i = end
				continue
			}
			text = append(text, c)
		case '~':
			if i+1 < len(line) && line[i+1] == '~' {
				i++
				continue
			}
			text = append(text, c)
		case '_':
			if i > 0 && i+1 < len(line) && line[i-1] != ' ' && line[i+1] != ' ' && !isPunctuation(line[i-1]) && !isPunctuation(line[i+1]) {
				text = append(text, c)
			}
		case '!':
			if i+1 >= len(line) || line[i+1] != '[' {
				text = append(text, c)
			}
		case '|':
			text = append(text, ' ')
		case ']':
			if i+1 < len(line) && line[i+1] == '(' {
				n := destination(rest(i + 1))
				if i += n; n == 0 {
					vain++
				}
			} else if i+1 < len(line) && line[i+1] == '{' {
				// Skip the attributes of a component.
				if end := bytes.IndexByte(rest(i+1), '}'); end > 0 {
					i += end + 1
				} else {
					vain++
				}
			}
		case '<':
			if bytes.HasPrefix(line[i+1:], []byte("http")) || bytes.HasPrefix(line[i+1:], []byte("mailto:")) {
				if end := bytes.IndexByte(rest(i), '>'); end > 0 {
					i += end
					continue
				}
				vain++
			}
			text = append(text, c)
		}
	}
	return spaceOut(text, from)
}

// destination returns the length in bytes of the "(…)" at the start of text, or 0 if it isn't closed.
func destination(text []byte) int {
	depth, angled := 0, false
	for i, c := range text {
		switch {
		case i > 0 && text[i-1] == '\\':
		case c == '<' && i == 1:
			angled = true
		case c == '>':
			angled = false
		case angled:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
