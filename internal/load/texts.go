package load

import (
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// text returns a reader for a nonblank string that passes every check.
func text(dst *string, checks ...check) reader {
	return reader{
		read: func(r *report, v value) {
			if s, ok := textOf(r, v, checks...); ok {
				*dst = s
			}
		},
		draw: func() shape.Shape { return drawText(shape.Plain, checks) },
	}
}

// prose returns a reader for text that may have several lines.
func prose(dst *string) reader {
	return reader{text(dst).read, func() shape.Shape { return drawText(shape.Prose, nil) }}
}

// drawText returns the shape of a nonblank string that passes every check.
func drawText(use shape.Use, checks []check) shape.Shape {
	s := shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: `\S`, Use: use}
	for _, c := range checks {
		if s.Examples = c.examples; c.pattern != "" {
			s.Pattern = c.pattern
		}
	}
	return s
}

// line returns a reader for text that is shown on one line. The reader replaces each run of white space with one space.
func line(dst *string, checks ...check) reader {
	return written(reader{
		read: func(r *report, v value) {
			if s, ok := textOf(r, v, append(checks, atMost(maxLine))...); ok {
				*dst = strings.Join(strings.Fields(s), " ")
			}
		},
		draw: func() shape.Shape { return drawText(shape.Plain, checks) },
	})
}

// written wraps a string reader so that the reader also accepts a number, such as a year as a title, and reads the
// number's written form as a string.
func written(read reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind == tree.Number {
				v.Node = &tree.Node{Kind: tree.Text, Text: v.Text, Pos: v.Pos}
			}
			read.read(r, v)
		},
		draw: func() shape.Shape {
			s := read.draw()
			s.Kinds = append(s.Kinds[:len(s.Kinds):len(s.Kinds)], shape.Number)
			return s
		},
	}
}

// looseText returns a reader for a string that may be empty.
func looseText(dst *string) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind != tree.Text || v.Text != "" {
				text(dst).read(r, v)
			}
		},
		draw: func() shape.Shape {
			s := drawText(shape.Prose, nil)
			s.Empty = true
			return s
		},
	}
}

func textOf(r *report, v value, checks ...check) (string, bool) {
	switch {
	case v.Kind == tree.Number || v.Kind == tree.Bool:
		p := r.errorf(v.Pos, "%s: want a string, found %s; put it in quotes", v.name, v.Describe())
		p.Fix = site.EditAt(r.source, v.Pos, v.Text, `"`+v.Text+`"`)
		return "", false
	case v.Kind != tree.Text:
		r.errorf(v.Pos, "%s: want a string, found %s", v.name, v.Describe())
		return "", false
	case strings.TrimSpace(v.Text) == "":
		r.errorf(v.Pos, "%s: the string is empty; write a value", v.name)
		return "", false
	}
	for _, check := range checks {
		if problem := check.problem(v.Text); problem != "" {
			p := r.errorf(v.Pos, "%s: %s", v.name, problem)
			// Offer the suggested value as a fix only if the value passes the same check.
			if _, right, ok := strings.Cut(problem, "; write "); ok && check.problem(right) == "" {
				r.fix(p, v.Pos, v.Text, right)
			}
			return "", false
		}
	}
	return v.Text, true
}
