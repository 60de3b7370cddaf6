package convert

import (
	"bytes"
	"strings"

	"vitrine/internal/lazyregexp"
)

// Piece is the result of converting a tag: inline text or blocks.
type Piece struct {
	Text  string
	Block bool
}

// out joins pieces and separates blocks, including blocks in lists.
type out struct {
	b []byte
	// after is true if the previous piece was a block.
	after bool
	// indent is the indentation of the previous block.
	indent string
	// apart is true if a space is needed before the next inline text.
	apart bool
	// begin is the offset of the current line in b.
	begin int
	// pure is true if white space at the start of lines is insignificant.
	pure bool
}

// line returns the text written on the current line. It shortens a long line to its first 4 KiB and an ellipsis.
func (o *out) line() string {
	const most = 1 << 12
	if len(o.b)-o.begin > most {
		// Callers need only the start of a line, which may be very long.
		return string(o.b[o.begin:o.begin+most]) + "…"
	}
	return string(o.b[o.begin:])
}

// add appends s and updates begin.
func (o *out) add(s string) {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		o.begin = len(o.b) + i + 1
	}
	o.b = append(o.b, s...)
}

// oneLine reports whether the current line is a table row or a heading, which can't contain blocks.
func (o *out) oneLine() bool {
	if o.after {
		return false
	}
	line := strings.TrimLeft(o.line(), " \t>")
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " ")
}

// text writes text or an inline piece. After a block, it starts a new paragraph.
func (o *out) text(s string) {
	if s == "" {
		return
	}
	if o.apart && strings.IndexByte(" \t\n|<", s[0]) < 0 {
		o.add(" ")
	}
	o.apart = false
	if o.after {
		rest := strings.TrimLeft(s, " \t")
		if rest == "" {
			return
		}
		o.after = false
		o.add("\n\n")
		if rest[0] != '\n' {
			o.add(o.indent)
			o.add(rest)
			return
		}
		// Keep the indentation of the first nonempty line.
		for {
			line, after, found := strings.Cut(s, "\n")
			if strings.TrimSpace(line) != "" || !found {
				break
			}
			s = after
		}
		if strings.TrimSpace(s) == "" {
			o.after = true
			o.b = o.b[:len(o.b)-2]
			o.begin = bytes.LastIndexByte(o.b, '\n') + 1
			return
		}
	}
	o.add(s)
}

// cell writes flattened blocks (see flat) into the current line, for example into a table row, and separates them from
// the surrounding text.
func (o *out) cell(s string) {
	if s == "" {
		return
	}
	line := strings.TrimRight(o.line(), " \t")
	switch {
	case line == "" || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "<br>"):
	case strings.HasPrefix(strings.TrimLeft(line, " >"), "#"):
		o.text(" ")
	default:
		o.text("<br>")
	}
	o.text(s)
	o.apart = true
}

// block writes blocks on their own lines, separated by an empty line.
func (o *out) block(s string) {
	s = trimBlank(s)
	if s == "" {
		return
	}
	if o.after {
		o.after = false
		o.add("\n\n")
		o.add(o.indent)
	}
	line := o.line()
	indent := line
	switch {
	case strings.TrimSpace(line) == "":
		o.b = o.b[:len(o.b)-len(line)]
		if len(o.b) > 0 && !strings.HasSuffix(string(o.b[max(0, len(o.b)-2):]), "\n\n") {
			o.add("\n")
		}
		if o.pure {
			indent = ""
		}
		indent = o.inItem(indent)
		o.add(indent)
	case containers.FindString(line) == line:
		indent = strings.Repeat(" ", len(line))
	default:
		indent = strings.Repeat(" ", len(containers.FindString(line)))
		o.b = bytes.TrimRight(o.b, " \t")
		o.add("\n\n")
		o.add(indent)
	}
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			o.add("\n")
			if line != "" {
				o.add(indent)
			}
		}
		o.add(line)
	}
	o.after, o.indent = true, indent
}

// inItem returns indent, the indentation of a block, but reduces it if the block would otherwise be code in its list
// item. In MDX, blocks in a list item can have any indentation.
func (o *out) inItem(indent string) string {
	if Columns(indent) < 6 {
		return indent
	}
	lines := strings.Split(string(o.b[max(0, len(o.b)-1<<13):]), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		marks := containers.FindString(lines[i])
		if !ListItem.MatchString(lines[i]) || strings.Contains(marks, ">") || Columns(marks) > Columns(indent) {
			continue
		}
		if Columns(indent) >= Columns(marks)+4 {
			return strings.Repeat(" ", Columns(marks))
		}
		break
	}
	return indent
}

// String returns the text written so far.
func (o *out) String() string { return string(o.b) }

// trimBlank removes empty lines at the start and white space at the end of s.
func trimBlank(s string) string {
	return strings.TrimRight(blankStart.ReplaceAllString(s, ""), " \t\n")
}

var blankStart = lazyregexp.New(`^(?:[ \t]*\n)+`)

// Dedent returns s without the common indentation of all lines, without empty lines at both ends, and without trailing
// white space except for hard line breaks.
func Dedent(s string) string {
	s = trimBlank(s)
	least := -1
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
		// Two spaces at the end of a line are a hard line break.
		if strings.HasSuffix(line, "  ") && lines[i] != "" {
			lines[i] += "  "
		}
		if lines[i] == "" {
			continue
		}
		if n := Columns(IndentOf(line)); least < 0 || n < least {
			least = n
		}
	}
	if least <= 0 {
		return strings.Join(lines, "\n")
	}
	for i, line := range lines {
		lines[i] = CutColumns(line, least)
	}
	return strings.Join(lines, "\n")
}

// Columns returns the width of white space in columns.
func Columns(space string) int {
	n := 0
	for _, c := range space {
		if n++; c == '\t' {
			n += (4 - n%4) % 4
		}
	}
	return n
}

// CutColumns returns line without up to n columns of white space at its start. If these columns include only part of a
// tab, spaces replace the rest of the tab.
func CutColumns(line string, n int) string {
	space := IndentOf(line)
	for i := range len(space) + 1 {
		if at := Columns(space[:i]); at >= n {
			return strings.Repeat(" ", at-n) + line[i:]
		}
	}
	return line[len(space):]
}

// Hanging returns s with every nonempty line except the first indented by indent.
func Hanging(s, indent string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		if i > 0 && lines[i] != "" {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// flat returns blocks joined into one line, with <br> between their lines.
func flat(s string) string {
	var parts []string
	inCode := false
	for line := range strings.SplitSeq(s, "\n") {
		// Keep Sign before a badge, so that the badge isn't escaped as text.
		trimmed := strings.TrimSpace(strings.ReplaceAll(line, Sign+"::", "::"))
		switch _, length, _ := FenceOf(line); {
		case trimmed == "":
			continue
		case length > 0:
			inCode = !inCode
			continue
		case inCode:
			trimmed = CodeSpan(trimmed)
		case strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "):
			trimmed = "• " + trimmed[2:]
		case strings.HasPrefix(trimmed, "#"):
			trimmed = strings.TrimSpace(strings.TrimLeft(trimmed, "#"))
		case strings.HasPrefix(trimmed, ":::"):
			// Keep only a component's title.
			_, title, found := strings.Cut(trimmed, "[")
			if !found {
				continue
			}
			trimmed = "**" + title[:max(0, strings.LastIndexByte(title, ']'))] + "**"
		}
		parts = append(parts, trimmed)
	}
	return strings.Join(parts, "<br>")
}

// Label returns s as a component's label, on one line in brackets, or "" if s is blank. Unbalanced brackets inside
// become parentheses.
func Label(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return ""
	}
	depth, bad := 0, false
	for _, r := range s {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
			bad = bad || depth < 0
		}
	}
	if bad || depth != 0 {
		s = strings.NewReplacer("[", "(", "]", ")").Replace(s)
	}
	return "[" + s + "]"
}

// Attributes returns the attributes of a component in braces, or "" if it has no attributes. pairs alternates between
// names and values. Attributes omits pairs with an empty value.
func Attributes(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		value := strings.Join(strings.Fields(pairs[i+1]), " ")
		if value == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(pairs[i] + `="` + strings.ReplaceAll(value, `"`, "'") + `"`)
	}
	if b.Len() == 0 {
		return ""
	}
	return "{" + b.String() + "}"
}

// Container returns a component that contains blocks. nest sets the component's number of colons later.
func Container(name, title, attrs, body string) Piece {
	body = trimBlank(Dedent(body))
	f := NewFences(true)
	for line := range strings.Lines(body) {
		f.Line(strings.TrimSuffix(line, "\n"))
	}
	if f.Length > 0 {
		// Close an unclosed code block, because the code block would otherwise contain the end of the component.
		body += "\n" + strings.Repeat(" ", f.column) + strings.Repeat(string(f.mark), f.Length)
	}
	if body != "" {
		body += "\n"
	}
	return Piece{Sign + ":::" + name + Label(title) + attrs + "\n" + body + Sign + ":::", true}
}

// leaf returns a component without content on its own line.
func leaf(name, title, attrs string) Piece {
	return Piece{Sign + "::" + name + Label(title) + attrs, true}
}
