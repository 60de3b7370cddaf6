package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

func (s *foreignScan) noteReference(at []int) {
	label := string(s.d.body[at[2]:at[3]])
	rest := s.d.body[at[1]:]
	if s.state.notes[label] != nil || len(rest) > 0 && rest[0] == '(' {
		return
	}
	s.d.noteForeign("note", warningSeverity, rule.Footnote, at[0],
		fmt.Sprintf("footnote [^%s] is not defined, and this is shown unchanged; write \"[^%s]: …\" on its own line, or \\[ for a literal bracket", label, label), "", "")
}

func (s *foreignScan) subscript(at []int) {
	below := string(s.d.body[at[2]:at[3]])
	before, _ := utf8.DecodeLastRune(s.d.body[:at[0]])
	if !unicode.IsLetter(before) && before != ')' || at[1] < len(s.d.body) && s.d.body[at[1]] == '~' {
		return
	}
	s.d.noteForeign("subscript", warningSeverity, rule.Foreign, at[0],
		fmt.Sprintf("~%s~ is struck through here; write <sub>%s</sub> for a text below the line, or ~~%s~~ for one that is struck through", below, below, below), "", "")
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

// notAnImage reports a video that is used as an image.
func (n *normalizer) notAnImage(node *ast.Image, l *Link) {
	path, _, _ := strings.Cut(strings.ToLower(l.Destination), "?")
	if !slices.ContainsFunc([]string{".mp4", ".webm", ".mov", ".m4v", ".ogv"}, func(end string) bool { return strings.HasSuffix(path, end) }) {
		return
	}
	old := "![" + l.Alt + "](" + l.Destination + ")"
	right := "::video[" + l.Alt + "]{src=" + l.Destination + "}"
	parent := node.Parent()
	_, paragraph := parent.(*ast.Paragraph)
	if !paragraph || parent.ChildCount() != 1 || l.Alt == "" || strings.ContainsAny(l.Alt, `[]\`) || strings.ContainsAny(l.Destination, "()\\\"'{}<> =") ||
		!bytes.HasPrefix(n.d.body[max(node.Pos(), 0):], []byte(old)) {
		old, right = "", ""
	}
	n.d.noteForeign("video", errorSeverity, rule.NotAnImage, l.offset, fmt.Sprintf("%q is a video, which an image cannot show; write ::video[description]{src=%s} on its own line", l.Destination, l.Destination), old, right)
}
