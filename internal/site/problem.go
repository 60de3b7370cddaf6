package site

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity determines whether a problem stops a build.
type Severity uint8

const (
	// Warning means that the author should look at the problem, but the site can be published.
	Warning Severity = iota
	// Error means that the content can't be published.
	Error
)

// String returns the word that diagnostics print: "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Pos is a position in a source file. Line and Col start at 1, and Col counts characters (Unicode
// code points). Both are 0 if a problem concerns the whole file.
type Pos struct {
	Line, Col int
}

// Code is the code of the rule that a problem violates, such as "V014". Codes are stable: settings
// use them, and each has a page that explains it.
type Code string

// Problem is a diagnostic for the site's author, with its position.
type Problem struct {
	// Path is the source file, relative to the site's root, with forward slashes.
	Path string
	Pos
	Severity Severity
	// Code is the rule's code, or "" if the rule hasn't been determined yet.
	Code Code
	// Text describes the problem and its solution, on one line, without an initial capital or a
	// final period.
	Text string
	// Fix is the correction if only one is possible, or the zero Edit.
	Fix Edit
}

// Edit is the replacement of a part of a problem's file.
type Edit struct {
	// Start is the byte offset of Old in the file. If Old isn't there, the file has changed and must not be edited.
	Start    int
	Old, New string
}

// EditAt returns an edit that replaces old at the position at in source. It returns the zero Edit if old isn't there,
// for example because it is written with escapes, or if old and replacement are equal.
func EditAt(source []byte, at Pos, old, replacement string) Edit {
	start, ok := Offset(source, at)
	if !ok || old == replacement || !bytes.HasPrefix(source[start:], []byte(old)) {
		return Edit{}
	}
	return Edit{start, old, replacement}
}

// EditValue is like EditAt, but replaces a key or a value with or without quotation marks.
func EditValue(source []byte, at Pos, old, replacement string) Edit {
	for _, quote := range [...]string{"", `"`, "'"} {
		if e := EditAt(source, at, quote+old+quote, quote+replacement+quote); e != (Edit{}) {
			return e
		}
	}
	return Edit{}
}

// Offset returns the byte offset of the position at in source. ok is false if source doesn't contain the position.
func Offset(source []byte, at Pos) (offset int, ok bool) {
	if at.Line < 1 || at.Col < 1 {
		return 0, false
	}
	for line := 1; line < at.Line; line++ {
		end := bytes.IndexAny(source[offset:], "\r\n")
		if end < 0 {
			return 0, false
		}
		offset += end + 1
		if source[offset-1] == '\r' && offset < len(source) && source[offset] == '\n' {
			offset++
		}
	}
	if at.Line == 1 && bytes.HasPrefix(source, []byte(byteOrderMark)) {
		offset = len(byteOrderMark)
	}
	for range at.Col - 1 {
		r, size := utf8.DecodeRune(source[offset:])
		if size == 0 || r == '\n' || r == '\r' {
			return 0, false
		}
		offset += size
	}
	return offset, true
}

const byteOrderMark = "\uFEFF"

// String returns the problem in the form "path:line:col: error: text [V014]". It omits a missing position or code.
func (p Problem) String() string {
	place, code := p.Path, ""
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Col)
	}
	if p.Code != "" {
		code = fmt.Sprintf(" [%s]", p.Code)
	}
	return fmt.Sprintf("%s: %s: %s%s", place, p.Severity, p.Text, code)
}

// SortProblems sorts problems by file, line, column, severity (errors first), and text, and removes duplicates.
func SortProblems(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			strings.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col),
			cmp.Compare(b.Severity, a.Severity),
			strings.Compare(a.Text, b.Text),
		)
	})
	return slices.Compact(problems)
}

// mostAlike is the maximum number of problems reported for one rule in one file.
const mostAlike = 100

// CapProblems limits the problems of each rule in each file to mostAlike. If there are more, the last problem in the
// result is a message with the number of problems that it replaces. The problems must be sorted.
func CapProblems(problems []Problem) []Problem {
	if len(problems) <= mostAlike {
		return problems
	}
	type kind struct {
		path string
		code Code
	}
	count := make(map[kind]int)
	for _, p := range problems {
		count[kind{p.Path, p.Code}]++
	}
	seen, closing := make(map[kind]int), make(map[kind]int)
	kept := problems[:0]
	for _, p := range problems {
		k := kind{p.Path, p.Code}
		seen[k]++
		switch n := count[k]; {
		case n > mostAlike && seen[k] == mostAlike:
			closing[k] = len(kept)
			p.Text, p.Fix = fmt.Sprintf("this rule found %d more problems in this file; fix the first ones, then check again", n-mostAlike+1), Edit{}
		case seen[k] > mostAlike:
			last := &kept[closing[k]]
			last.Severity = max(last.Severity, p.Severity)
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// HasErrors reports whether any of the problems stops a build.
func HasErrors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
}

// Level is the severity, or off, that a site or a page sets for a rule.
type Level uint8

// The levels. LevelDefault means that the site or page sets none.
const (
	LevelDefault Level = iota
	LevelOff
	LevelWarning
	LevelError
)

// ParseLevel returns the level with the given name in settings. ok is false unless word is "off", "warning", or
// "error".
func ParseLevel(word string) (level Level, ok bool) {
	switch word {
	case "off":
		return LevelOff, true
	case "warning":
		return LevelWarning, true
	case "error":
		return LevelError, true
	}
	return LevelDefault, false
}
