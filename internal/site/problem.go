package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a problem stops a build.
type Severity uint8

const (
	// Warning is worth an editor's look, but the site can be published with it.
	Warning Severity = iota
	// Error means that what the editor wrote cannot be published as it stands.
	Error
)

// String returns the word that diagnostics print: "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Pos is a place in a source file. Line and Col count from 1, Col in
// characters (Unicode code points); both are 0 where a problem concerns the
// file as a whole.
type Pos struct {
	Line, Col int
}

// Problem is something that an editor should know of, and where it is.
type Problem struct {
	// Path is the source file, relative to the site's root, with forward slashes.
	Path string
	Pos
	Severity Severity
	// Text says what is wrong and what to do, on one line, with no capital
	// at the start and no full stop at the end.
	Text string
}

// String returns the problem as "path:line:col: error: text", leaving out the
// position where there is none.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", p.Path, p.Severity, p.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s", p.Path, p.Line, p.Col, p.Severity, p.Text)
}

// SortProblems puts problems in the order in which they are shown: by file,
// then line, then column, then text, each once.
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

// HasErrors reports whether one of the problems stops a build.
func HasErrors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
}
