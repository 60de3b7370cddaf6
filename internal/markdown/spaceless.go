package markdown

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/rule"
)

// This file contains rules for scripts without spaces between words: a line break in such text isn't a space, and
// emphasis next to brackets may not end where authors expect.

// joins reports whether the soft line break after t is dropped instead of becoming a space, as it is between Chinese or
// Japanese characters (CSS Text 3, §4.1.3, which browsers follow in part).
func (d *Document) joins(t *ast.Text) bool {
	if t.Segment.Len() > 0 && d.body[t.Segment.Stop-1] < utf8.RuneSelf {
		return false
	}
	return inSquare(d.edge(t, true)) && inSquare(d.edge(t.NextSibling(), false))
}

// edge returns the first character of n's text or, if last is set, the last character. If last is set and n is an empty
// text node, edge uses the node before n. It returns 0 for nodes other than text, emphasis, links, and inline elements.
func (d *Document) edge(n ast.Node, last bool) rune {
	for n != nil {
		var value []byte
		switch i := n.(type) {
		case *ast.Text:
			if value = i.Segment.Value(d.body); len(value) == 0 && last {
				n = n.PreviousSibling()
				continue
			}
		case *ast.String:
			value = i.Value
		case *ast.Emphasis, *ast.Link, *east.Strikethrough, *elementSpan:
			if n = i.FirstChild(); last && n != nil {
				n = n.Parent().LastChild()
			}
			continue
		default:
			return 0
		}
		r, _ := utf8.DecodeRune(value)
		if last {
			r, _ = utf8.DecodeLastRune(value)
		}
		return r
	}
	return 0
}

// inSquare reports whether r belongs to Chinese or Japanese text, such as an ideograph, kana, or full-width
// punctuation. It excludes Korean, which has spaces between words.
func inSquare(r rune) bool {
	switch {
	case r < 0x2e80, 0x3130 <= r && r <= 0x318f, 0x3200 <= r && r <= 0x321e, 0x3260 <= r && r <= 0x327e:
		return false
	case r <= 0xa4cf, 0xf900 <= r && r <= 0xfaff, 0xfe30 <= r && r <= 0xfe6f, 0xff01 <= r && r <= 0xff9f, 0xffe0 <= r && r <= 0xffe6:
		return true
	}
	return 0x1aff0 <= r && r <= 0x1b2ff || 0x20000 <= r && r <= 0x3fffd
}

// mayBeSpaceless reports whether text may contain characters for which spaceless is true.
func mayBeSpaceless(text []byte) bool {
	for len(text) > 0 {
		if len(text) >= 8 && binary.LittleEndian.Uint64(text)&0x8080808080808080 == 0 {
			text = text[8:]
			continue
		}
		// The bytes E0 to ED, except E2, start the three-byte characters of these scripts. E2 starts punctuation, and
		// EF starts full-width forms.
		if c := text[0]; c >= 0xe0 && c <= 0xed && c != 0xe2 {
			return true
		}
		text = text[1:]
	}
	return false
}

// spaceless reports whether r is a letter of a script without spaces between words, or of Hangul.
func spaceless(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// starRun is a run of "*" in text.
type starRun struct {
	at, length int
	// opens and closes report whether the run can open and close emphasis in CommonMark. mayOpen and mayClose report
	// whether the run could do so if letters of spaceless scripts were spaces.
	opens, closes, mayOpen, mayClose bool
}

// emphasis reports the emphasis in block b that doesn't open or close because of letters next to the "*".
func (s *foreignScan) emphasis(b ast.Node) {
	var open []starRun
	type pair struct{ from, to starRun }
	var failed []pair
	alone := false
	for _, r := range s.runs(b) {
		if n := len(open); n > 0 && r.mayClose && open[n-1].length == r.length {
			if from := open[n-1]; !from.opens || !r.closes {
				failed = append(failed, pair{from, r})
			}
			open = open[:n-1]
		} else if r.mayOpen {
			open = append(open, r)
		} else {
			alone = true
		}
	}
	for _, p := range failed {
		if p.from.length > 3 {
			continue
		}
		inner := string(s.d.body[p.from.at+p.from.length : p.to.at])
		tags := [][2]string{{"<em>", "</em>"}, {"<strong>", "</strong>"}, {"<strong><em>", "</em></strong>"}}[p.from.length-1]
		stars := strings.Repeat("*", p.from.length)
		old, right := stars+inner+stars, tags[0]+inner+tags[1]
		if alone || len(open) > 0 {
			old = ""
		}
		s.d.noteForeign("emphasis", warningSeverity, rule.OpenEmphasis, p.from.at,
			fmt.Sprintf("%s is shown unchanged here, because it is between a letter and a bracket or another punctuation mark; write %s%s%s, or move the punctuation out of the emphasis", stars, tags[0], excerpt(inner), tags[1]), old, right)
	}
}

// excerpt returns at most 20 characters from the start of text, on one line.
func excerpt(text string) string {
	const most = 20
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return string(letters)
}

// runs returns the runs of "*" in a block that are neither code nor escaped.
func (s *foreignScan) runs(b ast.Node) (runs []starRun) {
	body := s.d.body
	for i := range b.Lines().Len() {
		line := b.Lines().At(i)
		for at := line.Start; at < line.Stop; at++ {
			if body[at] == '\\' {
				at++
				continue
			}
			if body[at] != '*' {
				continue
			}
			if end := s.codeAround(at); end > 0 {
				at = end - 1
				continue
			}
			length := runOf(body[at:line.Stop], '*')
			before, after := ' ', ' '
			if at > line.Start {
				before, _ = utf8.DecodeLastRune(body[line.Start:at])
			}
			if at+length < line.Stop {
				after, _ = utf8.DecodeRune(body[at+length : line.Stop])
			}
			mark := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
			apart := func(r rune) bool { return unicode.IsSpace(r) || mark(r) }
			r := starRun{at: at, length: length}
			r.opens = !unicode.IsSpace(after) && (!mark(after) || apart(before))
			r.closes = !unicode.IsSpace(before) && (!mark(before) || apart(after))
			r.mayOpen = r.opens || !unicode.IsSpace(after) && spaceless(before)
			r.mayClose = r.closes || !unicode.IsSpace(before) && spaceless(after)
			runs = append(runs, r)
			at += length - 1
		}
	}
	return runs
}
