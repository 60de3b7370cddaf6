package site

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity is the severity of a problem. It determines whether the problem stops a build.
type Severity uint8

const (
	// Warning means that the author should check the problem, but the site can be published.
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

// Pos is a position in a source file. Line and Col start at 1, and Col counts characters (Unicode code points). Both
// are 0 if a problem applies to the whole file.
type Pos struct {
	Line, Col int
}

// Code identifies the rule that a problem violates, such as "V014". The code of a rule never changes, because the
// settings of sites contain it. The documentation has a page about each code.
type Code string

// Problem is an error or a warning for the site's author, with its position.
type Problem struct {
	// Path is the source file, relative to the site's root, with forward slashes.
	Path string
	Pos
	Severity Severity
	// Code is the rule's code, or "" if the rule hasn't been determined yet.
	Code Code
	// Text describes the problem and its solution, on one line, without an initial capital or a final period.
	Text string
	// Fix is the edit that solves the problem if there is only one solution, or the zero Edit.
	Fix Edit
}

// An Edit replaces a part of the file that contains a problem.
type Edit struct {
	// Start is the byte offset of Old in the file. If the file doesn't contain Old at this offset, the file has changed
	// since the check, and the edit must not be applied.
	Start    int
	Old, New string
}

// EditAt returns an edit that replaces old at the position at in source. It returns the zero Edit if source doesn't
// contain old at this position, for example because the text is written with escapes. It also returns the zero Edit if
// old and replacement are equal.
func EditAt(source []byte, at Pos, old, replacement string) Edit {
	start, ok := Offset(source, at)
	if !ok || old == replacement || !bytes.HasPrefix(source[start:], []byte(old)) {
		return Edit{}
	}
	return Edit{start, old, replacement}
}

// EditValue is like EditAt, but old is a key or a value that may be in quotation marks. The edit keeps the quotation
// marks.
func EditValue(source []byte, at Pos, old, replacement string) Edit {
	for _, quote := range [...]string{"", `"`, "'"} {
		if e := EditAt(source, at, quote+old+quote, quote+replacement+quote); e != (Edit{}) {
			return e
		}
	}
	return Edit{}
}

// Offset returns the byte offset of the position at in source. ok is false if at is zero, beyond the end of source, or
// beyond the end of its line.
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

// String returns the problem in the form "path:line:col: error: text [V014]". It omits the position or the code if the
// problem has none.
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

// SortProblems sorts problems in place by file, line, column, severity (errors first), and text. It returns the sorted
// problems without duplicates.
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

// mostAlike is the maximum number of problems that CapProblems returns for one rule in one file.
const mostAlike = 100

// CapProblems limits the problems of each rule in each file to mostAlike. If a rule found more problems in a file, the
// last problem returned for the rule and the file contains the number of omitted problems instead. problems must be
// sorted, and CapProblems reuses the slice for its result.
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

// Level is the severity that a site or a page sets for a rule. It can also turn the rule off.
type Level uint8

// The levels of a rule. LevelDefault means that the site or page sets no level.
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
