package markdown

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/rule"
)

func (s *foreignScan) noteReference(at []int) {
	label := string(s.d.body[at[2]:at[3]])
	rest := s.d.body[at[1]:]
	if s.state.notes[label] != nil || len(rest) > 0 && rest[0] == '(' {
		return
	}
	s.d.noteForeign("note", warningSeverity, rule.Footnote, at[0],
		fmt.Sprintf("footnote [^%s] is not defined, so it is shown unchanged; write \"[^%s]: …\" on its own line, or \\[ for a literal bracket", label, label), "", "")
}

func (s *foreignScan) subscript(at []int) {
	below := string(s.d.body[at[2]:at[3]])
	before, _ := utf8.DecodeLastRune(s.d.body[:at[0]])
	if !unicode.IsLetter(before) && before != ')' || at[1] < len(s.d.body) && s.d.body[at[1]] == '~' {
		return
	}
	s.d.noteForeign("subscript", warningSeverity, rule.Foreign, at[0],
		fmt.Sprintf("~%s~ is struck through here; write <sub>%s</sub> for a subscript, or ~~%s~~ for strikethrough", below, below, below), "", "")
}

func (s *foreignScan) highlighted(at []int) {
	before, _ := utf8.DecodeLastRune(s.d.body[:at[0]])
	after, _ := utf8.DecodeRune(s.d.body[at[1]:])
	isWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '=' || r == ']' || r == ')'
	}
	if at[0] > 0 && isWord(before) || isWord(after) {
		return // a comparison
	}
	text := s.d.body[at[2]:at[3]]
	s.d.noteForeign("highlight", warningSeverity, rule.Foreign, at[0], fmt.Sprintf("==%s== is shown unchanged; write <mark>%s</mark>", oneLine(text), oneLine(text)), string(s.d.body[at[0]:at[1]]), "<mark>"+string(text)+"</mark>")
}
