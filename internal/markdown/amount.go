package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// An amount such as "1 299 KWD" stays on one line: the HTML contains no-break spaces between its digit groups, and
// between the number and the currency. The Markdown twin keeps the author's spaces.

// noBreak is a no-break space in UTF-8.
const noBreak = "\u00a0"

// Priced returns a copy of the parser for a site whose amounts use the given marks, which are the currency's code and
// symbols.
func (p *Parser) Priced(marks []string) *Parser {
	other := *p
	other.currency = nil
	for _, mark := range marks {
		if mark != "" {
			other.currency = append(other.currency, []byte(mark))
		}
	}
	return &other
}

// unbroken replaces the spaces in the amounts in text with no-break spaces. If text contains no amounts, unbroken
// returns text itself.
func (p *Parser) unbroken(text []byte) []byte {
	for _, mark := range p.currency {
		for from := 0; ; {
			at := bytes.Index(text[from:], mark)
			if at < 0 {
				break
			}
			start := from + at
			from = start + len(mark)
			if !wholeMark(text, mark, start) {
				continue
			}
			// Replace from the end, so that earlier positions stay valid.
			spaces := append(numberBefore(text, start), numberAfter(text, from)...)
			for i := len(spaces) - 1; i >= 0; i-- {
				text = replaceSpace(text, spaces[i])
				if spaces[i] < from {
					from += len(noBreak) - 1
				}
			}
		}
	}
	return text
}

// splitsAmount reports whether the line break after t is between a number and its currency mark.
func (d *Document) splitsAmount(t *ast.Text) bool {
	if len(d.parser.currency) == 0 {
		return false
	}
	next, ok := t.NextSibling().(*ast.Text)
	if !ok {
		return false
	}
	before, after := t.Segment.Value(d.body), next.Segment.Value(d.body)
	for _, mark := range d.parser.currency {
		if bytes.HasPrefix(after, mark) && digitBefore(before, len(before)) && wholeMark(after, mark, 0) ||
			bytes.HasSuffix(before, mark) && digitAt(after, 0) && wholeMark(before, mark, len(before)-len(mark)) {
			return true
		}
	}
	return false
}

// replaceSpace returns a copy of text in which a no-break space replaces the space at text[at].
func replaceSpace(text []byte, at int) []byte {
	out := make([]byte, 0, len(text)+len(noBreak))
	return append(append(append(out, text[:at]...), noBreak...), text[at+1:]...)
}

// wholeMark reports whether the currency mark at text[at] is a complete word, and not part of a longer word, as "kr" is
// in "kroner". If the mark begins or ends with a letter, no other letter or "_" may be next to that letter. Letters of
// scripts without spaces between words are an exception, because a word can begin or end next to them.
func wholeMark(text, mark []byte, at int) bool {
	first, _ := utf8.DecodeRune(mark)
	last, _ := utf8.DecodeLastRune(mark)
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at+len(mark):])
	joined := func(own, other rune) bool {
		return unicode.IsLetter(own) && (unicode.IsLetter(other) || other == '_') && !spaceless(other)
	}
	return !joined(first, before) && !joined(last, after)
}

// numberBefore returns the offsets of the spaces, in ascending order, in an amount such as "1 299 KWD", whose currency
// mark follows the number. mark is the offset of the mark. The result is nil if no number precedes the mark.
func numberBefore(text []byte, mark int) (spaces []int) {
	at := mark
	if at > 0 && text[at-1] == ' ' {
		at--
		spaces = append(spaces, at)
	}
	if !digitBefore(text, at) {
		return nil
	}
	// Read groups of three digits, and a first group of one to three digits.
	for {
		group := runBefore(text, at)
		start := at - group.size
		if group.digits != 3 || start == 0 || text[start-1] != ' ' || !digitBefore(text, start-1) {
			return spaces
		}
		if next := runBefore(text, start-1); next.decimals || next.digits > 3 {
			return spaces
		}
		at = start - 1
		spaces = append([]int{at}, spaces...)
	}
}

// numberAfter returns the offsets of the spaces, in ascending order, in an amount such as "KWD 1 299", whose currency
// mark precedes the number. at is the offset after the mark. The result is nil if no number follows the mark.
func numberAfter(text []byte, at int) (spaces []int) {
	if at < len(text) && text[at] == ' ' {
		spaces = append(spaces, at)
		at++
	}
	if !digitAt(text, at) {
		return nil
	}
	group := runAfter(text, at)
	for group.digits <= 3 && !group.decimals {
		at += group.size
		if at >= len(text) || text[at] != ' ' || !digitAt(text, at+1) {
			break
		}
		if group = runAfter(text, at+1); group.digits != 3 {
			break
		}
		spaces = append(spaces, at)
		at++
	}
	return spaces
}

// digitRun is a part of an amount without spaces: digits and the separators between them.
type digitRun struct {
	// size is the length in bytes. digits is the number of digits before the first separator. If there is no separator,
	// digits is the number of all digits.
	size, digits int
	// decimals reports whether the run contains a separator.
	decimals bool
}

func digitBefore(text []byte, at int) bool {
	r, _ := utf8.DecodeLastRune(text[:at])
	return unicode.IsDigit(r)
}

func digitAt(text []byte, at int) bool {
	r, _ := utf8.DecodeRune(text[min(at, len(text)):])
	return unicode.IsDigit(r)
}

// separator reports whether r may be between digits in a digitRun. It returns false for the ordinary space, which
// separates digit runs.
func separator(r rune) bool {
	return r == '.' || r == ',' || r == '’' || r == '\'' || r == '٫' || r == '٬' || r == '\u00a0' || r == '\u202f'
}

// runBefore returns the digit run that ends at text[end].
func runBefore(text []byte, end int) (n digitRun) {
	start := end
	for start > 0 {
		r, size := utf8.DecodeLastRune(text[:start])
		if !unicode.IsDigit(r) && (!separator(r) || !digitBefore(text, start-size)) {
			break
		}
		start -= size
	}
	return runAfter(text[:end], start)
}

// runAfter returns the digit run that starts at text[start].
func runAfter(text []byte, start int) (n digitRun) {
	for start+n.size < len(text) {
		r, size := utf8.DecodeRune(text[start+n.size:])
		switch {
		case unicode.IsDigit(r):
			if !n.decimals {
				n.digits++
			}
		case separator(r) && digitAt(text, start+n.size+size):
			n.decimals = true
		default:
			return n
		}
		n.size += size
	}
	return n
}
