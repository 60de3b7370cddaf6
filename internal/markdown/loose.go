package markdown

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/rule"
)

// A loose block is an intended list or table that Markdown reads as a paragraph, so its lines run together.

var (
	bulletSign   = lazyregexp.New(`^[•·▪‣◦●]`)
	joinedHyphen = lazyregexp.New(`^-\pL`)
	joinedNumber = lazyregexp.New(`^(\d{1,3})[.)]\pL`)
	spacedNumber = lazyregexp.New(`^(\d{1,3})[.)] \S`)
	tocMark      = lazyregexp.New(`^\[\[?_?(?i:toc)_?\]?\]$`)
	blockAlert   = lazyregexp.New(`^(?:!!!|\?\?\?\+?) ([a-z]+)\b`)
)

// paragraph reports a paragraph whose lines look like a list or a table. It also reports table of contents markers and
// alerts in the syntax of other Markdown dialects.
func (s *foreignScan) paragraph(p *ast.Paragraph) {
	lines := p.Lines()
	if lines.Len() == 0 {
		return
	}
	first := trimmedLine(s.d.body, lines.At(0))
	opening := lines.At(0)
	at := opening.Start + leadingSpace(opening.Value(s.d.body))
	switch {
	case lines.Len() == 1 && tocMark.Match(first) && !holdsLink(p):
		s.d.noteForeign("contents", errorSeverity, rule.Shortcode, at, "this table of contents marker is shown as text; remove it, because the page lists its headings automatically", "", "")
		return
	case blockAlert.Match(first):
		s.d.noteForeign("block alert", warningSeverity, rule.UnknownAlert, at, "this is an alert in another Markdown dialect, and is shown as text; write :::note on this line, and ::: on its own line after the text", "", "")
		return
	}
	s.looseTable(lines)
	s.looseList(lines)
}

// trimmedLine returns a line without leading and trailing white space.
func trimmedLine(source []byte, line text.Segment) []byte { return bytes.TrimSpace(line.Value(source)) }

// looseTable reports the first two consecutive lines that start and end with a pipe, unless a delimiter row precedes
// them.
func (s *foreignScan) looseTable(lines *text.Segments) {
	rows := 0
	for i := range lines.Len() {
		line := trimmedLine(s.d.body, lines.At(i))
		if delimited(line) > 0 {
			return // the transformer tables checks such paragraphs
		}
		if len(line) < 5 || line[0] != '|' || line[len(line)-1] != '|' || cellsIn(line) < 2 {
			rows = 0
			continue
		}
		if rows++; rows == 2 {
			at := lines.At(i - 1)
			s.d.noteForeign("loose table", warningSeverity, rule.LooseBlock, at.Start+leadingSpace(at.Value(s.d.body)), fmt.Sprintf(
				"this table is shown as text; below its first row, add a delimiter row for its %d columns, such as |---|---|", cellsIn(trimmedLine(s.d.body, at))), "", "")
			return
		}
	}
}

// looseList reports the first two consecutive lines that start like items of a list, unless the author set a line break
// between them.
func (s *foreignScan) looseList(lines *text.Segments) {
	kind, number := "", 0
	for i := range lines.Len() {
		line := trimmedLine(s.d.body, lines.At(i))
		was, before := kind, number
		if kind, number = looseItem(line); kind == "" || kind != was || number != 0 && number != before+1 {
			continue
		}
		at := lines.At(i - 1)
		if value := at.Value(s.d.body); bytes.HasSuffix(bytes.TrimRight(value, "\n"), []byte("  ")) || bytes.HasSuffix(bytes.TrimSpace(value), []byte("\\")) || bytes.HasSuffix(bytes.TrimSpace(value), []byte("<br>")) {
			return // the author set line breaks
		}
		advice := map[string]string{
			"sign":          `start each item with "- "`,
			"hyphen":        `add a space after each hyphen`,
			"number":        "add a space after each number's period",
			"spaced number": "add a blank line before it",
		}[kind]
		s.d.noteForeign("loose list", warningSeverity, rule.LooseBlock, at.Start+leadingSpace(at.Value(s.d.body)), "this list is shown as one paragraph; "+advice, "", "")
		return
	}
}

// looseItem returns the kind of a line's item marker, and the item's number, or 0 if it has none. kind is "" for a line
// without a marker.
func looseItem(line []byte) (kind string, number int) {
	switch {
	case bulletSign.Match(line):
		return "sign", 0
	case joinedHyphen.Match(line):
		return "hyphen", 0
	}
	kind, m := "number", joinedNumber.FindSubmatch(line)
	if m == nil {
		kind, m = "spaced number", spacedNumber.FindSubmatch(line)
	}
	if m == nil {
		return "", 0
	}
	number, _ = strconv.Atoi(string(m[1])) // at most three digits
	return kind, number
}

func leadingSpace(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// mayBeLoose reports whether source may contain lines that the method paragraph reports. It is faster than paragraph
// because it checks only how lines start, but it may return true for a page without such lines.
func mayBeLoose(source []byte) bool {
	for line := range bytes.Lines(source) {
		line = bytes.TrimLeft(line, " \t>")
		if len(line) < 2 {
			continue
		}
		switch c := line[0]; {
		case c == '|', c == '-' && line[1] != '-' && line[1] != ' ', c == '!' && line[1] == '!', c == '?' && line[1] == '?', c == '[' && bytes.ContainsRune([]byte("Tt_["), rune(line[1])):
			return true
		case c >= '0' && c <= '9':
			if rest := bytes.TrimLeft(line, "0123456789"); len(rest) > 0 && (rest[0] == '.' || rest[0] == ')') {
				return true
			}
		case c >= 0x80 && bulletSign.Match(line):
			return true
		}
	}
	return false
}
