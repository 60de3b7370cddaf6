package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// This file parses the part of a directive after its name: the label and the attributes.

// readHead parses head, the text after the component's name, as a label and attributes. at is the offset of head in the
// body. title reports whether a title without brackets is allowed, as it is for containers. readHead returns a
// description of the syntax error, or "" if there is none.
func (c *component) readHead(head []byte, at int, title bool) (fault string) {
	if len(head) > 0 && head[0] == '[' {
		end := labelEnd(head)
		if end < 0 {
			return "the label of " + c.sign() + " is not closed; write ] after it"
		}
		c.AppendChild(c, newLabel(text.NewSegment(at+1, at+end)))
		head, at = head[end+1:], at+end+1
	}
	skipped := len(head) - len(bytes.TrimLeft(head, " \t"))
	head, at = head[skipped:], at+skipped
	if len(head) == 0 {
		return ""
	}
	if head[0] != '{' && title && labelOf(c) == nil {
		end := len(head)
		// ":::details A title {open}" has its attributes at the end.
		if open := bytes.LastIndexByte(head, '{'); open > 0 {
			if list, size := readAttributes(head[open:], at+open); size == len(head)-open {
				c.attributes, end = list, open
			}
		}
		c.AppendChild(c, newLabel(text.NewSegment(at, at+len(bytes.TrimRight(head[:end], " \t")))))
		return ""
	}
	list, size := readAttributes(head, at)
	switch {
	case size == 0:
		return "the attributes of " + c.sign() + " cannot be read; write {name=value other=\"two words\" #id} on the same line"
	case len(bytes.TrimLeft(head[size:], " \t")) > 0:
		return "unexpected text after the attributes of " + c.sign() + "; put it on the next line, or between [ and ]"
	}
	c.attributes = list
	return ""
}

// directiveName returns the length of the name at the start of text: letters, digits, "-", and "_", starting with a
// letter. It returns 0 if there is no name or if the name is longer than 64 bytes.
func directiveName(text []byte) int {
	n := 0
	for n < len(text) && (util.IsAlphaNumeric(text[n]) || n > 0 && (text[n] == '-' || text[n] == '_')) {
		n++
	}
	if n == 0 || util.IsNumeric(text[0]) || n > 64 {
		return 0
	}
	return n
}

// labelEnd returns the offset of the bracket that closes the label at the start of line, or -1 if there is none. Pairs
// of brackets, and brackets in code and in tags, are part of the label.
func labelEnd(line []byte) int {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\n':
			return -1
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		case '`':
			fence := runOf(line[i:], '`')
			if end := codeEnd(line[i+fence:], fence); end >= 0 {
				i += fence + end
			}
			i += fence - 1
		case '<':
			if i+1 < len(line) && (util.IsAlphaNumeric(line[i+1]) || line[i+1] == '/') {
				if end := bytes.IndexAny(line[i+1:], "<>"); end >= 0 && line[i+1+end] == '>' {
					i += 1 + end
				}
			}
		}
	}
	return -1
}

// codeEnd returns the offset of the first run of exactly n backticks in line, or -1 if there is none.
func codeEnd(line []byte, n int) int {
	for i := 0; i < len(line); i++ {
		if line[i] == '`' {
			length := runOf(line[i:], '`')
			if length == n {
				return i
			}
			i += length - 1
		}
	}
	return -1
}

// maxAttributes is the maximum number of attributes of a directive or a tag.
const maxAttributes = 50

// readAttributes parses "{name=value flag #id .class}" at the start of a line. at is the offset of line in the body.
// size is the length of the attributes with their braces, or 0 if the text isn't a valid list or contains more than
// maxAttributes attributes.
func readAttributes(line []byte, at int) (list []attribute, size int) {
	if len(line) == 0 || line[0] != '{' {
		return nil, 0
	}
	i := 1
	for {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == ',') {
			i++
		}
		if i >= len(line) || line[i] == '\n' || len(list) > maxAttributes {
			return nil, 0
		}
		if line[i] == '}' {
			return list, i + 1
		}
		a := attribute{at: at + i}
		if line[i] == '#' || line[i] == '.' {
			a.name = map[byte]string{'#': "id", '.': "class"}[line[i]]
			end := i + 1
			for end < len(line) && !strings.ContainsRune(" \t\n}#.=\"'{", rune(line[end])) {
				end++
			}
			if end == i+1 {
				return nil, 0
			}
			a.value = html.UnescapeString(string(line[i+1 : end]))
			list, i = addAttribute(list, a), end
			continue
		}
		end := i
		for end < len(line) && (util.IsAlphaNumeric(line[end]) || end > i && strings.IndexByte("-_:.", line[end]) >= 0) {
			end++
		}
		if end == i {
			return nil, 0
		}
		a.name, i = string(line[i:end]), end
		if i < len(line) && line[i] == '=' {
			var value []byte
			if value, i = attributeValue(line, i+1); i < 0 {
				return nil, 0
			}
			a.value = html.UnescapeString(string(value))
		}
		if i >= len(line) || strings.IndexByte(" \t,}", line[i]) < 0 {
			return nil, 0
		}
		list = addAttribute(list, a)
	}
}

// attributeValue returns the value at line[i], without its quotes, and the offset after it. end is -1 if a quote isn't
// closed or an unquoted value is empty.
func attributeValue(line []byte, i int) (value []byte, end int) {
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		end := bytes.IndexByte(line[i+1:], line[i])
		if end < 0 {
			return nil, -1
		}
		return line[i+1 : i+1+end], i + end + 2
	}
	start := i
	for i < len(line) && strings.IndexByte(" \t\n}\"'<>`", line[i]) < 0 {
		i++
	}
	if i == start {
		return nil, -1
	}
	return line[start:i], i
}

// addAttribute adds a to list and returns the result. If list already contains an attribute with that name, a's value
// replaces the previous value. The values of class are joined with a space instead.
func addAttribute(list []attribute, a attribute) []attribute {
	for i := range list {
		if list[i].name == a.name {
			if a.name == "class" {
				a.value = list[i].value + " " + a.value
			}
			list[i].value = a.value
			return list
		}
	}
	return append(list, a)
}
