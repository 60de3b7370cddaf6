package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
)

// fences tracks which lines of Markdown are code, so that code remains unchanged.
type fences struct {
	// mark is the character of the open fence.
	mark byte
	// Length is the length of the open fence, or 0 if no fence is open.
	Length int
	// column is the column of the open fence.
	column int
	// plain is true if indented text isn't code, as in MDX. html is true if an indented line that starts with a tag
	// isn't code.
	plain, html bool

	// blank is true if the previous line was empty. list is true if the next line may belong to a list. indented is
	// true if the previous nonempty line was indented code.
	blank, list, indented bool
}

// containers matches the list and quote markers at the start of a line.
var containers = lazyregexp.New(`^[ \t]*(?:(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)[ \t]*)*`)

// Containers returns the list and quote markers at the start of line.
func Containers(line string) string { return containers.FindString(line) }

// ListItem matches a line that starts a list item.
var ListItem = lazyregexp.New(`^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)`)

// NewFences returns the state at the start of a page. If plain is true, indented text isn't code.
func NewFences(plain bool) *fences { return &fences{plain: plain, blank: true} }

// Line reads the next line and reports whether it is code or a fence.
func (f *fences) Line(line string) bool {
	if f.Length > 0 {
		trimmed := strings.Trim(line, " \t>")
		if n := runOf(trimmed, f.mark); n >= f.Length && n == len(trimmed) && (f.plain || Columns(line[:strings.IndexByte(line, f.mark)]) < f.column+4) {
			f.Length = 0
		}
		return true
	}
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		f.blank = true
		return f.indented && !f.plain
	}
	if mark, length, _ := FenceOf(line); length > 0 && !f.codeIndent(line) {
		f.mark, f.Length, f.column = mark, length, Columns(containers.FindString(line))
		f.blank, f.indented = false, false
		return true
	}
	switch indented := f.codeIndent(line); {
	case indented:
		f.indented = true
	default:
		f.indented = false
		if ListItem.MatchString(line) {
			f.list = true
		} else if line[0] != ' ' && line[0] != '\t' && f.blank {
			f.list = false
		}
	}
	f.blank = false
	return f.indented
}

// codeIndent reports whether a line is code because it is indented.
func (f *fences) codeIndent(line string) bool {
	deep := strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimLeft(line, " "), "\t")
	if f.html && strings.HasPrefix(strings.TrimLeft(line, " \t"), "<") {
		return false
	}
	return !f.plain && !f.list && deep && (f.blank || f.indented)
}

// FenceOf returns the character and the length of the fence at the start of a line, and its info string. The length is
// 0 if the line doesn't start with a fence.
func FenceOf(line string) (mark byte, length int, info string) {
	rest := line[len(containers.FindString(line)):]
	if rest == "" || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, ""
	}
	n := runOf(rest, rest[0])
	info = strings.TrimSpace(rest[n:])
	if n < 3 || rest[0] == '`' && strings.Contains(info, "`") {
		return 0, 0, ""
	}
	return rest[0], n, info
}

func runOf(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// IndentOf returns the white space at the start of a line.
func IndentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// stretches calls do for each line of a code block in text, with code set to true, and for each section of text between
// code blocks. See NewFences for plain.
func stretches(text string, plain bool, do func(s string, code bool)) {
	f := NewFences(plain)
	from, at := 0, 0
	for line := range strings.Lines(text) {
		code := f.Line(strings.TrimSuffix(line, "\n"))
		if code && from < at {
			do(text[from:at], false)
		}
		at += len(line)
		if code {
			do(line, true)
			from = at
		}
	}
	if from < at {
		do(text[from:], false)
	}
}

// spans calls do with the start and the end of each code span in text. text must not contain code blocks.
func spans(text string, do func(from, to int)) {
	for i := 0; i < len(text); {
		switch text[i] {
		case '\\':
			i += 2
		case '`':
			n := runOf(text[i:], '`')
			if end := spanEnd(text[i+n:], n); end >= 0 {
				do(i, i+n+end)
				i += end
			}
			i += n
		default:
			i++
		}
	}
}

// OutsideCode returns text with change applied to the parts outside code blocks and code spans. A part may span several
// lines. See NewFences for plain.
func OutsideCode(text string, plain bool, change func(string) string) string {
	var out strings.Builder
	stretches(text, plain, func(s string, code bool) {
		from := 0
		if code {
			from = len(s)
			out.WriteString(s)
		} else {
			spans(s, func(begin, end int) {
				out.WriteString(change(s[from:begin]) + s[begin:end])
				from = end
			})
		}
		if from < len(s) {
			out.WriteString(change(s[from:]))
		}
	})
	return out.String()
}

// OutsideBlocks is like OutsideCode, but treats code spans as text.
func OutsideBlocks(text string, plain bool, change func(string) string) string {
	var out strings.Builder
	stretches(text, plain, func(s string, code bool) {
		if !code {
			s = change(s)
		}
		out.WriteString(s)
	})
	return out.String()
}

// CodeMask returns a slice that reports for each byte of text whether it is code.
func CodeMask(text string) []bool {
	mask := make([]bool, 0, len(text))
	stretches(text, false, func(s string, code bool) {
		at := len(mask)
		mask = mask[:at+len(s)]
		for i := range len(s) {
			mask[at+i] = code
		}
		if !code {
			spans(s, func(from, to int) {
				for i := from; i < to; i++ {
					mask[at+i] = true
				}
			})
		}
	})
	return mask
}

// ReplaceAll returns text with each match of re replaced by the result of change for the match and its groups.
func ReplaceAll(re *lazyregexp.Regexp, text string, change func(m []string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string { return change(re.FindStringSubmatch(s)) })
}

// spanEnd returns the position after the end of a code span, which is the next run of exactly n backticks in the same
// paragraph. It returns -1 if the span has no end.
func spanEnd(text string, n int) int {
	for i := 0; i < len(text); {
		switch {
		case text[i] == '`':
			length := runOf(text[i:], '`')
			if i += length; length == n {
				return i
			}
		case text[i] == '\n' && blankFollows(text[i+1:]):
			return -1
		default:
			i++
		}
	}
	return -1
}

// blankFollows reports whether text begins with an empty line.
func blankFollows(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line) == ""
}

// CodeFence returns code as a fenced code block. The fence is longer than any run of backticks in the code.
func CodeFence(info, code string) string {
	length := 3
	for i := 0; i < len(code); {
		n := runOf(code[i:], '`')
		length = max(length, n+1)
		i += max(n, 1)
	}
	mark := strings.Repeat("`", length)
	return mark + info + "\n" + strings.Trim(strings.TrimRight(code, " \t\n"), "\n") + "\n" + mark
}

// CodeSpan returns code as a code span on one line, or "" if there is no code.
func CodeSpan(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if code == "" {
		return ""
	}
	length := 1
	for strings.Contains(code, strings.Repeat("`", length)) {
		length++
	}
	mark, pad := strings.Repeat("`", length), ""
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		pad = " "
	}
	return mark + pad + code + pad + mark
}
