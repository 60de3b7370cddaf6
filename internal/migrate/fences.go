package migrate

import (
	"regexp"
	"strings"
)

// fences follows the lines of a Markdown text and knows which of them are code, so that
// nothing in code is touched.
type fences struct {
	// mark and length are of the fence that is open; length is 0 outside.
	mark   byte
	length int
	// column is where it stands.
	column int
	// plain says that there is no code by indentation, as in MDX; html that a line
	// with a tag is none.
	plain, html bool

	blank, list, indented bool
}

// containers are what may stand before a block on its line.
var containers = regexp.MustCompile(`^[ \t]*(?:(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)[ \t]*)*`)

// listItem is a line that begins an item.
var listItem = regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)`)

// newFences begins at the top of a text.
func newFences(plain bool) *fences { return &fences{plain: plain, blank: true} }

// line takes the next line and reports whether it is code, or a fence around it.
func (f *fences) line(line string) bool {
	if f.length > 0 {
		trimmed := strings.Trim(line, " \t>")
		if n := runOf(trimmed, f.mark); n >= f.length && n == len(trimmed) && columns(line[:strings.IndexByte(line, f.mark)]) < f.column+4 {
			f.length = 0
		}
		return true
	}
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		f.blank = true
		return f.indented && !f.plain
	}
	if mark, length, _ := fenceOf(line); length > 0 && !f.codeIndent(line) {
		f.mark, f.length, f.column = mark, length, columns(containers.FindString(line))
		f.blank, f.indented = false, false
		return true
	}
	switch indented := f.codeIndent(line); {
	case indented:
		f.indented = true
	default:
		f.indented = false
		if listItem.MatchString(line) {
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

// fenceOf returns the fence that a line begins with, and what stands behind it.
func fenceOf(line string) (mark byte, length int, info string) {
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

// indentOf is the white space that a line begins with.
func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// outsideCode calls change for the stretches of a text that are not code, blocks and
// spans; what it returns takes their place. A stretch may have several lines.
func outsideCode(text string, plain bool, change func(string) string) string {
	var out, run strings.Builder
	flush := func() {
		outsideSpans(&out, run.String(), change)
		run.Reset()
	}
	f := newFences(plain)
	for line := range strings.Lines(text) {
		if f.line(strings.TrimSuffix(line, "\n")) {
			flush()
			out.WriteString(line)
			continue
		}
		run.WriteString(line)
	}
	flush()
	return out.String()
}

// outsideBlocks is outsideCode that takes spans as text.
func outsideBlocks(text string, change func(string) string) string {
	var out, run strings.Builder
	f := newFences(true)
	for line := range strings.Lines(text) {
		if f.line(strings.TrimSuffix(line, "\n")) {
			out.WriteString(change(run.String()))
			run.Reset()
			out.WriteString(line)
			continue
		}
		run.WriteString(line)
	}
	out.WriteString(change(run.String()))
	return out.String()
}

// replaceAll puts what change makes of the groups of each match in its place.
func replaceAll(re *regexp.Regexp, text string, change func(m []string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string { return change(re.FindStringSubmatch(s)) })
}

// outsideSpans is outsideCode for a text without blocks of code.
func outsideSpans(out *strings.Builder, text string, change func(string) string) {
	from := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '\\':
			i += 2
			continue
		case '`':
			n := runOf(text[i:], '`')
			end := spanEnd(text[i+n:], n)
			if end < 0 {
				i += n
				continue
			}
			out.WriteString(change(text[from:i]))
			from = i + n + end
			out.WriteString(text[i:from])
			i = from
			continue
		}
		i++
	}
	if from < len(text) {
		out.WriteString(change(text[from:]))
	}
}

// spanEnd is where a code span ends, behind its marks: the next run of exactly n
// backticks in the same paragraph; -1 where there is none.
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

// blankFollows reports whether a text begins with an empty line.
func blankFollows(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line) == ""
}

// codeFence writes code in a fence that is long enough for it.
func codeFence(info, code string) string {
	length := 3
	for i := 0; i < len(code); {
		n := runOf(code[i:], '`')
		length = max(length, n+1)
		i += max(n, 1)
	}
	if length == 4 && !strings.Contains(code, "```") {
		length = 3
	}
	mark := strings.Repeat("`", length)
	return mark + info + "\n" + strings.Trim(strings.TrimRight(code, " \t\n"), "\n") + "\n" + mark
}

// codeSpan writes code in a line.
func codeSpan(code string) string {
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
