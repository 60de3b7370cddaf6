package facts

import "strings"

// Piece is a section of text: literal characters or an expression.
type Piece struct {
	// Offset is the byte offset of the piece in the text.
	Offset int
	// Text is the literal text without escapes, or the text between the braces of an expression.
	Text       string
	Expression bool
}

// Pieces splits text into literal pieces and expressions. "\{{" is a literal "{{". A "{{" without "}}" on its line is
// also literal.
func Pieces(text string) []Piece {
	var pieces []Piece
	start, from := 0, 0
	// closing and lineEnd are the offsets of the next "}}" and the next line break. They are cached so that no part of
	// text is searched twice.
	closing, lineEnd := -1, -1
	literal := func(end int) {
		if end > start {
			pieces = append(pieces, Piece{Offset: start, Text: text[start:end]})
		}
	}
	for {
		open := strings.Index(text[from:], "{{")
		if open < 0 {
			literal(len(text))
			return pieces
		}
		open += from
		if open > start && text[open-1] == '\\' {
			literal(open - 1)
			start, from = open, open+2
			continue
		}
		closing, lineEnd = next(text, "}}", open+2, closing), next(text, "\n", open, lineEnd)
		if closing == len(text) || lineEnd < closing {
			from = open + 2
			continue
		}
		length := closing - open - 2
		literal(open)
		pieces = append(pieces, Piece{Offset: open, Text: text[open+2 : open+2+length], Expression: true})
		start = open + 2 + length + 2
		from = start
	}
}

// next returns the offset in text of the first occurrence of mark at or after from, or len(text) if there is none.
// known is the result for a smaller from, or -1.
func next(text, mark string, from, known int) int {
	if known >= from {
		return known
	}
	if at := strings.Index(text[from:], mark); at >= 0 {
		return from + at
	}
	return len(text)
}

// Fault is an invalid expression.
type Fault struct {
	// Offset is the byte offset of the expression in the text.
	Offset int
	Err    error
}

// ExpandText replaces the fact expressions in text, such as a front matter value, with their values. It leaves invalid
// expressions unchanged, and returns a fault for each of them. uses are the paths of the inserted facts.
func (f *Values) ExpandText(text string) (expanded string, uses []string, faults []Fault) {
	if !strings.Contains(text, "{{") {
		return text, nil, nil
	}
	var out strings.Builder
	for _, p := range Pieces(text) {
		if !p.Expression {
			out.WriteString(p.Text)
			continue
		}
		v, err := f.Text(p.Text)
		if err != nil {
			faults = append(faults, Fault{p.Offset, err})
			out.WriteString("{{" + p.Text + "}}")
			continue
		}
		uses = append(uses, v.Uses...)
		out.WriteString(v.Text)
	}
	return out.String(), uses, faults
}
