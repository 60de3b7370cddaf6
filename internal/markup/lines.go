package markup

import (
	"bytes"
	"iter"
	"sort"
	"strings"
)

// LineKind is the kind of a line of Markdown.
type LineKind uint8

// Kinds of lines.
const (
	Blank   LineKind = iota // an empty line, or an alert marker
	Prose                   // part of a paragraph, a table, or a list
	Heading                 // a heading that begins with #
	Fence                   // the first or the last line of a code block
	Code                    // a line in a code block
)

// Line is a line of Markdown.
type Line struct {
	Kind LineKind
	// Text is the line without its line feed and without the markers of quotes, lists, tasks, and headings.
	Text []byte
	// At is the offset of Text in the twin.
	At int
	// Item reports whether the line begins a list item.
	Item bool
}

// Lines returns the lines of a page's Markdown twin, in order. In a twin, all code blocks have fences. Headings begin
// with #, except for headings with a hard line break: they are underlined, and their lines are Prose.
func Lines(twin []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var fence []byte
		quotes := 0 // the number of quotes around the code block
		for at := 0; at < len(twin); {
			end := at + len(twin[at:])
			if i := bytes.IndexByte(twin[at:], '\n'); i >= 0 {
				end = at + i
			}
			var line Line
			switch {
			case fence != nil:
				line = codeLine(twin[:end], at, quotes)
				if run := fenceOf(line.Text); len(run) >= len(fence) && run[0] == fence[0] && len(bytes.TrimRight(line.Text, " \t\r")) == len(run) {
					line.Kind, fence = Fence, nil
				}
			default:
				var around int
				line, around = textLine(twin[:end], at)
				if line.Kind == Fence {
					fence, quotes = fenceOf(line.Text), around
				}
			}
			if !yield(line) {
				return
			}
			at = end + 1
		}
	}
}

// codeLine returns the line at offset at, which must be in a code block, without the line's indentation and the markers
// of the quotes around the block. quotes is the number of these quotes.
func codeLine(text []byte, at, quotes int) Line {
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == ' ' || c == '\t':
			continue
		case c == '>' && quotes > 0:
			quotes--
			continue
		}
		break
	}
	return Line{Kind: Code, Text: text[at:], At: at}
}

// textLine returns the line at offset at, which must not be in a code block, and the number of quotes that contain the
// line. A line with an alert marker is Blank.
func textLine(text []byte, at int) (line Line, quotes int) {
	for {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		rest := text[at:]
		switch sign := itemSign(rest); {
		case bytes.HasPrefix(rest, []byte("> [!")):
			return Line{At: len(text), Text: text[len(text):]}, quotes
		case len(rest) > 0 && rest[0] == '>':
			at++
			quotes++
		case sign > 0:
			at += sign
			line.Item = true
		default:
			line.Kind, line.Text, line.At = kindOf(rest), rest, at
			if line.Kind == Heading {
				line.Text = bytes.TrimLeft(rest, "#")
				line.At += len(rest) - len(line.Text)
			}
			return line, quotes
		}
	}
}

// itemSign returns the length of the list marker at the start of a line, including a task's checkbox, as in "- [x] ".
// It returns 0 if there is no list marker.
func itemSign(line []byte) int {
	digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
	sign := line[digits:]
	bullet := digits == 0
	signs := "."
	if bullet {
		signs = "-*+"
	}
	if len(sign) < 2 || sign[1] != ' ' || strings.IndexByte(signs, sign[0]) < 0 {
		return 0
	}
	if box := sign[2:]; bullet && len(box) > 3 && box[0] == '[' && box[2] == ']' && box[3] == ' ' {
		return len("- [x] ")
	}
	return digits + 2
}

func kindOf(line []byte) LineKind {
	if len(bytes.TrimRight(line, " \t\r")) == 0 {
		return Blank
	}
	if run := fenceOf(line); run != nil && (run[0] == '~' || bytes.IndexByte(line[len(run):], '`') < 0) {
		return Fence
	}
	if text := bytes.TrimLeft(line, "#"); len(text) > 0 && text[0] == ' ' && len(text) < len(line) && len(line)-len(text) <= 6 {
		return Heading
	}
	return Prose
}

// fenceOf returns the run of at least three backticks or tildes at the start of a line, or nil if there is none.
func fenceOf(line []byte) []byte {
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return nil
	}
	if run := line[:len(line)-len(bytes.TrimLeft(line, string(line[:1])))]; len(run) >= 3 {
		return run
	}
	return nil
}

// InCode returns a function that reports whether an offset in a twin is in a code block or a code span. The first call
// parses the twin. The function is not safe for concurrent use.
func InCode(twin []byte) func(at int) bool {
	var spans [][2]int
	read := false
	return func(at int) bool {
		if !read {
			spans, read = codeOf(twin), true
		}
		i := sort.Search(len(spans), func(i int) bool { return spans[i][1] > at })
		return i < len(spans) && spans[i][0] <= at
	}
}

// codeOf returns the offsets of the code in a twin, in order.
func codeOf(twin []byte) (spans [][2]int) {
	begin, end := 0, 0 // the offsets of the open paragraph; end is 0 if there is none
	flush := func() {
		spans = codeSpans(spans, twin, begin, end)
		begin, end = 0, 0
	}
	for line := range Lines(twin) {
		if line.Kind != Prose || line.Item {
			flush()
		}
		stop := line.At + len(line.Text)
		switch line.Kind {
		case Code:
			spans = append(spans, [2]int{line.At, stop})
		case Heading:
			spans = codeSpans(spans, twin, line.At, stop)
		case Prose:
			if end == 0 {
				begin = line.At
			}
			end = stop
		}
	}
	flush()
	return spans
}

// codeSpans appends the offsets of the code spans in the paragraph twin[begin:end]. A code span is the text between two
// runs of the same number of backticks.
func codeSpans(spans [][2]int, twin []byte, begin, end int) [][2]int {
	for at := begin; at < end; at++ {
		switch twin[at] {
		case '\\':
			at++
		case '`':
			ticks := ticksAt(twin[at:end])
			if close := closing(twin[:end], at+ticks, ticks); close > 0 {
				spans = append(spans, [2]int{at + ticks, close})
				at = close
			}
			at += ticks - 1
		}
	}
	return spans
}

// closing returns the offset of the next run of exactly ticks backticks in text[at:], or 0 if there is none.
func closing(text []byte, at, ticks int) int {
	for at < len(text) {
		i := bytes.IndexByte(text[at:], '`')
		if i < 0 {
			break
		}
		at += i
		n := ticksAt(text[at:])
		if n == ticks {
			return at
		}
		at += n
	}
	return 0
}

func ticksAt(text []byte) int { return len(text) - len(bytes.TrimLeft(text, "`")) }
