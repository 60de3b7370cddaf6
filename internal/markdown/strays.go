package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/rule"
)

// A stray mark starts or ends emphasis or code whose other half is missing, so it is shown literally.

// strayMark is a stray mark on a page.
type strayMark struct {
	at   int
	mark string
	// opens reports whether the mark precedes a word. If false, the mark follows a word.
	opens bool
}

// strays records the stray marks in t, a text node that goldmark didn't read as emphasis or code.
func (n *normalizer) strays(t *ast.Text) {
	if t.IsRaw() || n.inImage {
		return
	}
	for at := t.Segment.Start; at < t.Segment.Stop; {
		i := bytes.IndexAny(n.d.body[at:t.Segment.Stop], "*`")
		if i < 0 {
			return
		}
		at += i
		run := runOf(n.d.body[at:t.Segment.Stop], n.d.body[at])
		if mark := n.d.body[at : at+run]; (string(mark) == "**" || string(mark) == "`") && len(n.d.strays) < maxForeign {
			if opens, ok := n.d.strayAt(at, run); ok {
				n.d.strays = append(n.d.strays, strayMark{at, string(mark), opens})
			}
		}
		at += run
	}
}

// strayAt reports whether the run of marks at position at is next to a word, as if it started or ended emphasis or
// code. opens reports whether the run precedes the word.
func (d *Document) strayAt(at, length int) (opens, ok bool) {
	before, _ := utf8.DecodeLastRune(d.body[:at])
	after, _ := utf8.DecodeRune(d.body[at+length:])
	mark := rune(d.body[at])
	switch {
	case at == 0:
		before = '\n'
	case before == '\\' || before == mark:
		return false, false
	}
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	apart := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(“„‘|—–>", r) }
	switch {
	case at+length == len(d.body):
		after = '\n'
	case after == mark:
		return false, false
	}
	if spaceless(before) || spaceless(after) || inSquare(before) || inSquare(after) {
		return false, false // foreignScan.emphasis reports such a mark
	}
	if apart(before) && isWord(after) {
		// Prose about Python contains **kwargs.
		return true, !bytes.HasPrefix(d.body[at+length:], []byte("kw"))
	}
	ends := unicode.IsSpace(after) || strings.ContainsRune(".,;:!?)\"”“'’|—–", after)
	return false, ends && (isWord(before) || strings.ContainsRune(".!?)%€$", before))
}

// reportStrays reports the stray marks of a page, except marks that aren't mistakes or that another problem explains.
func (d *Document) reportStrays() {
	d.strays = withoutNotes(d.strays, d.body)
	for _, f := range d.foreign {
		if f.what == "emphasis" {
			return // the other half of a reported mark
		}
	}
	for _, s := range d.strays {
		if slices.ContainsFunc(d.lostRows, func(row text.Segment) bool { return row.Start <= s.at && s.at < row.Stop }) {
			continue // the pipe in the row split the code
		}
		code, what, escaped := rule.OpenEmphasis, "strong text", `\*\*`
		if s.mark == "`" {
			code, what, escaped = rule.OpenCode, "code", "\\`"
		}
		missing := "after it"
		if !s.opens {
			missing = "before it"
		}
		d.noteForeign("stray "+s.mark, warningSeverity, code, s.at,
			fmt.Sprintf("%s is unmatched in this paragraph and is shown unchanged; add another %s %s to mark %s, or write %s for the literal character", s.mark, s.mark, missing, what, escaped), "", "")
	}
}

// withoutNotes returns strays without the marks that aren't mistakes: a "**" that refers to a note, as in "49**" and,
// later, "** without tax", and a backtick that is an opening quote, as in `this'.
func withoutNotes(strays []strayMark, body []byte) (kept []strayMark) {
	firstClose := -1
	for i, s := range strays {
		if s.mark == "**" && !s.opens && firstClose < 0 {
			firstClose = i
		}
	}
	for i, s := range strays {
		switch {
		case s.mark == "`" && s.opens:
			line, _, _ := bytes.Cut(body[s.at:], []byte("\n"))
			if bytes.IndexByte(line, '\'') > 0 || bytes.Contains(line, []byte("’")) {
				continue
			}
		case s.mark == "**" && firstClose >= 0 && (bytes.Contains(body, []byte("\n** ")) || bytes.Contains(body, []byte("\n\\*\\*"))):
			continue
		case s.mark == "**" && s.opens && firstClose >= 0 && firstClose < i && lineBegins(body, s.at):
			continue
		case s.mark == "**" && !s.opens && followedByNote(strays[i:], body):
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// followedByNote reports whether one of strays is a "**" at the start of a line, as at the start of a note.
func followedByNote(strays []strayMark, body []byte) bool {
	for _, s := range strays {
		if s.mark == "**" && s.opens && lineBegins(body, s.at) {
			return true
		}
	}
	return false
}
