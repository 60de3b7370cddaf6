package search

import (
	"bytes"
	"html"
	"strings"
)

// Heading is a heading of a page that a link can lead to.
type Heading struct{ ID, Text string }

// section is a part of a page below a heading, or before the first, as plain text on one line.
type section struct{ id, heading, text string }

// sections are the parts of a page's Markdown twin. A heading that is none of the
// page's own, such as one of its layout, begins no section: nothing leads to it.
func sections(twin []byte, headings []Heading) []section {
	var list []section
	var text bytes.Buffer
	var now section
	end := func() {
		now.text = strings.TrimRight(text.String(), " ")
		text.Reset()
		if now.text != "" || now.heading != "" {
			list = append(list, now)
		}
	}
	fence, first := "", true
	for len(twin) > 0 {
		line, rest, _ := bytes.Cut(twin, []byte("\n"))
		twin = rest
		if fence != "" {
			if trimmed := bytes.TrimLeft(line, " >"); bytes.HasPrefix(trimmed, []byte(fence)) {
				fence = ""
			} else {
				spaceOut(&text, trimmed)
			}
			continue
		}
		line = withoutMarkers(line)
		switch title, isHeading := heading(line); {
		case isHeading:
			var plain bytes.Buffer
			inline(&plain, title)
			words := strings.TrimRight(plain.String(), " ")
			if len(headings) > 0 && words == strings.Join(strings.Fields(headings[0].Text), " ") {
				end()
				now, headings = section{id: headings[0].ID, heading: words}, headings[1:]
			} else if !first {
				spaceOut(&text, plain.Bytes())
			}
			// The first heading is the page's title, which is known.
			first = false
		case bytes.HasPrefix(line, []byte("```")), bytes.HasPrefix(line, []byte("~~~")):
			fence = string(line[:len(line)-len(bytes.TrimLeft(line, string(line[:1])))])
		case len(bytes.Trim(line, "|:- ")) == 0:
			// The line below a table's head, or a rule.
		default:
			inline(&text, line)
		}
	}
	end()
	return list
}

// withoutMarkers is a line without what begins quotes, items of lists and notes.
func withoutMarkers(line []byte) []byte {
	for {
		line = bytes.TrimLeft(line, " \t")
		switch {
		case bytes.HasPrefix(line, []byte("> [!")):
			return nil
		case len(line) > 0 && line[0] == '>':
			line = line[1:]
		case len(line) > 1 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ':
			line = line[2:]
			if len(line) > 3 && line[0] == '[' && line[2] == ']' && line[3] == ' ' {
				line = line[4:] // a task's box
			}
		default:
			digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
			if digits == 0 || len(line) < digits+2 || line[digits] != '.' || line[digits+1] != ' ' {
				return line
			}
			line = line[digits+2:]
		}
	}
}

func heading(line []byte) (text []byte, ok bool) {
	text = bytes.TrimLeft(line, "#")
	level := len(line) - len(text)
	return bytes.TrimSpace(text), level > 0 && level <= 6 && len(text) > 0 && text[0] == ' '
}

// spaceOut writes text with single spaces, and one behind it.
func spaceOut(w *bytes.Buffer, text []byte) {
	for begin := 0; begin < len(text); {
		for begin < len(text) && isSpace(text[begin]) {
			begin++
		}
		// Up to the first white space that is not a single space between words.
		end := begin
		for end < len(text) && (!isSpace(text[end]) || text[end] == ' ' && end+1 < len(text) && !isSpace(text[end+1])) {
			end++
		}
		if w.Write(text[begin:end]); end > begin {
			w.WriteByte(' ')
		}
		begin = end
	}
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// inline writes the text of a line of Markdown: without emphasis, destinations of
// links, and escapes.
func inline(w *bytes.Buffer, line []byte) {
	if bytes.IndexByte(line, '&') >= 0 {
		// A code span in such a line loses its entities, which no word needs.
		line = []byte(html.UnescapeString(string(line)))
	}
	const marks = "\\`*[~_!|]<"
	if !bytes.ContainsAny(line, marks) {
		spaceOut(w, line)
		return
	}
	plain := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if n := bytes.IndexAny(line[i:], marks); n != 0 {
			if n < 0 {
				n = len(line) - i
			}
			plain = append(plain, line[i:i+n]...)
			if i += n; i == len(line) {
				break
			}
		}
		switch c := line[i]; c {
		case '\\':
			if i+1 < len(line) && isPunctuation(line[i+1]) {
				i++
				plain = append(plain, line[i])
			}
		case '`':
			ticks := len(line[i:]) - len(bytes.TrimLeft(line[i:], "`"))
			code := near(line[i+ticks:])
			end := bytes.Index(code, line[i:i+ticks])
			if end < 0 {
				i += ticks - 1
				continue
			}
			plain = append(plain, code[:end]...)
			i += 2*ticks + end - 1
		case '*', '[':
		case '~':
			if i+1 < len(line) && line[i+1] == '~' {
				i++
				continue
			}
			plain = append(plain, c)
		case '_':
			if i > 0 && i+1 < len(line) && line[i-1] != ' ' && line[i+1] != ' ' && !isPunctuation(line[i-1]) && !isPunctuation(line[i+1]) {
				plain = append(plain, c)
			}
		case '!':
			if i+1 >= len(line) || line[i+1] != '[' {
				plain = append(plain, c)
			}
		case '|':
			plain = append(plain, ' ')
		case ']':
			i += destination(near(line[i+1:]))
		case '<':
			if end := bytes.IndexByte(near(line[i:]), '>'); end > 0 && (bytes.HasPrefix(line[i+1:], []byte("http")) || bytes.HasPrefix(line[i+1:], []byte("mailto:"))) {
				i += end
				continue
			}
			plain = append(plain, c)
		}
	}
	spaceOut(w, plain)
}

// near is where the end of a mark is looked for: what is further away costs a line
// of many marks that never end the square of its length.
func near(text []byte) []byte { return text[:min(len(text), 4<<10)] }

// destination is the length of "(…)" at the beginning of a text, 0 where there is none.
func destination(text []byte) int {
	if len(text) == 0 || text[0] != '(' {
		return 0
	}
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
