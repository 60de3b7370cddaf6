package tree

import (
	"strings"
	"unicode/utf8"

	"vitrine/internal/site"
)

// explanations maps substrings of the YAML library's messages to explanations for editors. The first match applies.
func explanations() []struct{ message, text string } {
	return []struct{ message, text string }{
		{"mapping value is not allowed", `": " is not allowed in a plain string; quote the whole string, or check the indentation`},
		{"cannot start any token", "tabs cannot be used for indentation; use spaces"},
		{"tab character", "tabs cannot be used for indentation; use spaces"},
		{"end character of double-quoted", `the text that begins here has no closing "`},
		{"end character of single-quoted", "the text that begins here has no closing '; write '' for an apostrophe inside"},
		{"map key-value is pre-defined", "this text does not belong to the value before it; put the whole value in quotes, or check the indentation"},
		{"',' or ']' must be", `the list before this has no closing "]", or a comma is missing`},
		{"sequence end token", `a list has no closing "]"`},
		{"',' or '}' must be", `the map before this has no closing "}", or a comma is missing`},
		{"could not find flow map", `the map before this has no closing "}", or a comma is missing`},
		{"reserved character", "an unquoted string cannot begin with this character; put it in quotes"},
		{"unexpected directive", "an unquoted string cannot begin with %; put it in quotes"},
		{"block sequence entries", "a list cannot start on the line of its key; start it on the next line"},
		{"unknown escape", `this escape sequence is not valid in double quotes; write \\ for a backslash, or use single quotes`},
		{"surrogate", "this escape sequence is half of a surrogate pair; write the character itself"},
		{"could not find '['", `there is no "[" for this "]"; put the text in quotes`},
		{"could not find '{'", `there is no "{" for this "}"; put the text in quotes`},
		{"multi-line content", "the block that begins here is empty; indent the lines after it"},
		{"value is not allowed in this context", "this does not fit the preceding content; check the indentation, and quote strings with special characters"},
		{"unexpected key name", "a key is missing before the colon"},
		{"non-map value is specified", `this is not "key: value"; write a colon and a space after the key, or check the indentation`},
	}
}

// explain returns an explanation for editors of an error message from the YAML library, or the first line of the
// message if there is no explanation.
func explain(message string) string {
	for _, e := range explanations() {
		if strings.Contains(message, e.message) {
			return e.text
		}
	}
	return firstLine(message)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.ToValidUTF8(line, "")
}

// extent contains the number of characters on each line of a source.
type extent []int

func measure(lines []string) extent {
	e := make(extent, len(lines))
	for i, line := range lines {
		e[i] = utf8.RuneCountInString(line)
	}
	return e
}

// clamp returns at, or the nearest position in the source if at is outside the source.
func (e extent) clamp(at site.Pos) site.Pos {
	if at.Line > len(e) {
		return site.Pos{Line: len(e), Col: e[len(e)-1] + 1}
	}
	at.Col = min(at.Col, e[at.Line-1]+1)
	return at
}

func (e extent) clampAll(faults []Fault) []Fault {
	for i := range faults {
		faults[i].Pos = e.clamp(faults[i].Pos)
	}
	return faults
}
