// Package plaintext converts plain text, such as titles and facts, to Markdown or to a single line, and identifiers to
// readable words.
package plaintext

import "strings"

// Markdown escapes a line of plain text so that a Markdown renderer shows it unchanged. Line breaks become spaces, and
// a URL becomes an autolink.
func Markdown(text string) string {
	if isPlain(text) {
		return text
	}
	return escape(text, autolink)
}

// Unlinked is like Markdown, but writes URLs as code spans, so that Markdown renderers don't turn them into links.
func Unlinked(text string) string { return escape(text, codeSpan) }

func autolink(link string) string { return "<" + URL(link) + ">" }

// codeSpan returns text as a code span. The delimiters have more backticks than any run of backticks in text
// (CommonMark §6.1).
func codeSpan(text string) string {
	fence, blank := "`", ""
	for strings.Contains(text, fence) {
		fence, blank = fence+"`", " "
	}
	return fence + blank + text + blank + fence
}

// escape escapes a line of plain text. address returns the Markdown for each URL in the line.
func escape(text string, address func(string) string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i, word := range strings.Fields(text) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
			link := strings.TrimRight(word, ".,;:!?)\"'")
			b.WriteString(address(link))
			word = word[len(link):]
			escapeWord(&b, word, false)
			continue
		}
		escapeWord(&b, word, i == 0)
	}
	return b.String()
}

// Cell escapes text for a cell of a Markdown table. write is Markdown or Unlinked. Cell doesn't escape a list or
// heading marker at the start of the text, because a cell contains only inline content.
func Cell(text string, write func(string) string) string {
	const before = "x "
	text = strings.TrimPrefix(write(before+text), strings.TrimSpace(before))
	return strings.ReplaceAll(strings.TrimPrefix(text, " "), "|", `\|`)
}

// isPlain reports whether text obviously needs no escaping: it consists only of ASCII words, common punctuation, and
// single spaces. The first word must start with a letter, and the other words with a letter or a digit.
func isPlain(text string) bool {
	space := true
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && i > 0:
			space = false
		case space:
			return false
		case c == ' ':
			space = true
		case c == ',', c == '.', c == '\'', c == '?', c == '-':
		default:
			return false
		}
	}
	return !space
}

// escapeWord writes a word with a backslash before each character that is Markdown syntax. first reports whether the
// word is at the start of the line, where more characters are syntax.
func escapeWord(b *strings.Builder, word string, first bool) {
	for i, r := range word {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '~':
			b.WriteByte('\\')
		case '&':
			if entityFollows(word[i+1:]) {
				b.WriteByte('\\')
			}
		case '#', '+', '-', '>':
			if first && i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			// A number starts a list only if the word ends with the period or parenthesis. For example, 980.000 is an
			// amount, not a list number.
			if first && i > 0 && i == len(word)-1 && strings.Trim(word[:i], "0123456789") == "" {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
}

// entityFollows reports whether an ampersand followed by rest starts a character reference, such as "&amp;".
func entityFollows(rest string) bool {
	end := strings.IndexByte(rest, ';')
	return end > 0 && strings.Trim(rest[:end], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// URL escapes a URL for use between the parentheses or angle brackets of a Markdown link.
func URL(link string) string {
	if !strings.ContainsAny(link, "()<> ") {
		return link
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20").Replace(link)
}
