package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
)

// Unconverted content becomes a comment that readers don't see. Until all tags are read, the content is in a code fence
// or a code span, because no step changes code. hiddenSign distinguishes such code from other code.
const hiddenSign = "\uE002"

// HiddenBlock returns a comment on its own lines that hides raw. what describes the hidden content.
func HiddenBlock(what, raw string) string {
	return CodeFence(hiddenSign+" "+strings.ReplaceAll(what, "`", "'"), raw)
}

// hiddenSpan returns an inline comment that hides raw.
func hiddenSpan(raw string) string {
	return CodeSpan(hiddenSign + strings.NewReplacer("|", "¦", "`", "'").Replace(strings.Join(strings.Fields(raw), " ")))
}

// lostComment is the start of every comment that hides content.
const lostComment = "<!-- Not carried over: "

var hiddenCode = lazyregexp.New("`" + hiddenSign + "([^`\n]*)`")

// showComments returns text with the code blocks and code spans of hidden content replaced by comments.
func showComments(text string) string {
	if !strings.Contains(text, hiddenSign) {
		return text
	}
	var b strings.Builder
	f := NewFences(false)
	in := false
	for line := range strings.Lines(text) {
		was := f.Length
		f.Line(strings.TrimSuffix(line, "\n"))
		_, _, info := FenceOf(line)
		what, hidden := strings.CutPrefix(info, hiddenSign+" ")
		switch head := containers.FindString(line); {
		case was == 0 && f.Length > 0 && hidden:
			in = true
			b.WriteString(head + lostComment + inComment(what) + "\n")
		case in && f.Length == 0:
			in = false
			b.WriteString(head + "-->\n")
		case in:
			b.WriteString(inComment(strings.TrimRight(line, "\n")) + "\n")
		case was > 0 || f.Length > 0:
			b.WriteString(line)
		default:
			b.WriteString(hiddenCode.ReplaceAllStringFunc(textFirst(line, len(head)), func(s string) string {
				return lostComment + inComment(hiddenCode.FindStringSubmatch(s)[1]) + " -->"
			}))
		}
	}
	return strings.ReplaceAll(b.String(), hiddenSign, "")
}

// leadingHidden matches a line that begins with hidden spans. It captures the spans and the text after them.
var leadingHidden = lazyregexp.New("^ {0,3}((?:`" + hiddenSign + "[^`\n]*`[ \t]*)+)(\\S.*)")

// beginsBlock matches text that Markdown reads as a heading, a list, or another block if it begins a line.
var beginsBlock = lazyregexp.New("^(?:#{1,6}[ \t]|[-*+][ \t]|\\d+[.)][ \t]|[>|<:=]|```|~~~|[-*_]{2,} *$)")

// textFirst returns line with the hidden spans at the start of its text moved to the end. markers is the length in
// bytes of the markers before the text. If a line begins with a comment, Markdown reads the complete line as HTML, so
// text after the comment would not be converted.
func textFirst(line string, markers int) string {
	m := leadingHidden.FindStringSubmatch(line[markers:])
	if m == nil || beginsBlock.MatchString(m[2]) {
		return line
	}
	return line[:markers] + strings.TrimRight(m[2], " ") + " " + strings.TrimSpace(m[1]) + "\n"
}

// inComment returns s escaped so that it doesn't end the surrounding comment.
func inComment(s string) string {
	return strings.NewReplacer("-->", "--&gt;", "--!>", "--!&gt;", "\t", "    ").Replace(s)
}

var comment = lazyregexp.New("(?s)" + lostComment + ".*?-->")

// MaskComments sets mask to true for each byte of text in a comment that hides content, and returns mask.
func MaskComments(text string, mask []bool) []bool {
	for _, m := range comment.FindAllStringIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			mask[i] = true
		}
	}
	return mask
}
