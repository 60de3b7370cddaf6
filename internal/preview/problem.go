package preview

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// Problem is a problem in the form shown by pages.
type Problem struct {
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code,omitempty"`
	Text     string `json:"text"`
	// Title is the title of the rule that Code identifies.
	Title string `json:"title,omitempty"`
	// Own reports whether the file is in the site's folder, so that an editor can open it.
	Own bool `json:"own,omitempty"`
	// Here reports whether the problem is in the source of the current page.
	Here bool `json:"here,omitempty"`
	// Excerpt contains the problem's line and the surrounding lines.
	Excerpt []Line `json:"excerpt,omitempty"`
}

// Line is a source line in an excerpt, split at the problem's position.
type Line struct {
	Number int `json:"number"`
	// Before is the text before the problem's position, or the entire line if the problem is on another line.
	Before string `json:"before"`
	// At is the character at the problem's position, or a space if the position is at the end of the line.
	At string `json:"at,omitempty"`
	// After is the text after At.
	After string `json:"after,omitempty"`
}

const (
	// around is the number of lines to show before and after a problem.
	around = 2
	// width is the maximum number of characters to show of a line.
	width = 200
	// maxSource is the maximum size in bytes of a file from which pages show excerpts.
	maxSource = 4 << 20
)

// described converts problems to the form that pages show. It reads excerpts for at most the first 500 problems; see
// most. title returns the title of a rule; it may be nil.
func described(root *os.Root, problems []site.Problem, title func(site.Code) string) []Problem {
	sources := make(map[string]source)
	out := make([]Problem, 0, len(problems))
	for i, p := range problems {
		described := Problem{
			Path: p.Path, Line: p.Line, Column: p.Col, Severity: p.Severity.String(),
			Code: string(p.Code), Text: p.Text,
		}
		if title != nil && p.Code != "" {
			described.Title = title(p.Code)
		}
		if i < most {
			src, read := sources[p.Path]
			if !read {
				src = sourceOf(root, p.Path)
				sources[p.Path] = src
			}
			described.Own = src.there
			described.Excerpt = excerpt(src.lines, p.Pos)
		}
		out = append(out, described)
	}
	return out
}

// source contains the lines of a file with problems.
type source struct {
	// there reports whether the file is in the site's folder. The files of the built-in theme aren't.
	there bool
	lines []string
}

func sourceOf(root *os.Root, name string) source {
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return source{}
	}
	text, err := folder.ReadFile(root, name)
	if err != nil || len(text) > maxSource {
		return source{there: true}
	}
	lines := strings.Split(strings.ToValidUTF8(string(text), string(utf8.RuneError)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	return source{there: true, lines: lines}
}

// excerpt returns the lines around the position at, or nil if lines doesn't contain that position.
func excerpt(lines []string, at site.Pos) []Line {
	if at.Line < 1 || at.Line > len(lines) {
		return nil
	}
	var out []Line
	for n := max(1, at.Line-around); n <= min(len(lines), at.Line+around); n++ {
		if n == at.Line {
			out = append(out, pointed(n, lines[n-1], at.Col))
			continue
		}
		out = append(out, Line{Number: n, Before: cut(lines[n-1])})
	}
	// The line break at the end of a file doesn't start another line.
	if last := len(out) - 1; last > 0 && out[last].Number > at.Line && out[last].Before == "" {
		out = out[:last]
	}
	return out
}

// pointed splits a line at a column, which counts characters from 1, and truncates a long line at both ends. If the
// column is beyond the end of the line, pointed splits the line at its end.
func pointed(number int, line string, column int) Line {
	runes := []rune(line)
	at := min(max(column-1, 0), len(runes))
	start := 0
	if at > width/2 && len(runes) > width {
		start = at - width/2
	}
	l := Line{Number: number, Before: string(runes[start:at]), At: " "}
	if start > 0 {
		l.Before = "…" + l.Before
	}
	if at < len(runes) {
		l.At, l.After = string(runes[at]), cut(string(runes[at+1:]))
	}
	return l
}

// cut truncates a line to width characters and marks the cut with an ellipsis.
func cut(line string) string {
	if runes := []rune(line); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	return line
}
