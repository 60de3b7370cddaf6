package load

import (
	"math"
	"strconv"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// check describes a requirement on a string.
type check struct {
	// problem returns a message that explains how s violates the requirement, or "" if s is valid.
	problem func(s string) string
	// pattern matches every string without a problem, or is "" if there is no pattern.
	pattern  string
	examples []string
}

// optional wraps a reader so that the reader ignores null and the empty string.
func optional(read reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind != tree.Null && (v.Kind != tree.Text || v.Text != "") {
				read.read(r, v)
			}
		},
		draw: func() shape.Shape { return read.draw().Optional() },
	}
}

// unlessNull wraps a reader so that the reader ignores null, which represents a key without a value.
func unlessNull(read reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind != tree.Null {
				read.read(r, v)
			}
		},
		draw: func() shape.Shape { return read.draw().OrNull() },
	}
}

// noting wraps a reader so that the reader also stores the value's position in *at.
func noting(at *site.Pos, read reader) reader {
	return reader{
		read: func(r *report, v value) {
			*at = v.Pos
			read.read(r, v)
		},
		draw: read.draw,
	}
}

// list returns a reader for a list. item reads each item.
func list(item reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind != tree.List {
				r.errorf(v.Pos, "%s: want a list such as [a, b], found %s", v.name, v.Describe())
				return
			}
			for i := range v.Items {
				item.read(r, element(v, i))
			}
		},
		draw: func() shape.Shape {
			drawn := item.draw()
			return shape.Shape{Kinds: []shape.Kind{shape.List}, Item: &drawn}
		},
	}
}

// each returns a reader that appends the items of a list to *dst. item returns the reader for one item.
func each[T any](dst *[]T, item func(*T) reader) reader {
	return list(reader{
		read: func(r *report, v value) {
			var one T
			item(&one).read(r, v)
			*dst = append(*dst, one)
		},
		draw: func() shape.Shape { return item(new(T)).draw() },
	})
}

// texts returns a reader for a list of nonblank strings.
func texts(dst *[]string) reader {
	return present(dst, func(s *string) reader { return text(s) })
}

// lines returns a reader for a list of strings, each of which is shown on one line.
func lines(dst *[]string) reader {
	return present(dst, func(s *string) reader { return line(s) })
}

// present returns a reader for a list of strings. The reader omits invalid and empty strings.
func present(dst *[]string, item func(*string) reader) reader {
	return list(reader{
		read: func(r *report, v value) {
			var s string
			if item(&s).read(r, v); s != "" {
				*dst = append(*dst, s)
			}
		},
		draw: func() shape.Shape { return item(new(string)).draw() },
	})
}

// truth returns a reader for a Boolean.
func truth(dst *bool) reader {
	read := func(r *report, v value) {
		if v.Kind == tree.Bool {
			*dst = v.Text == "true"
			return
		}
		if v.Kind == tree.Text {
			if meant, ok := spokenTruth(v.Text); ok {
				r.fixPlain(r.errorf(v.Pos, "%s: want true or false, found %s; write %t", v.name, v.Describe(), meant), v.Pos, v.Text, strconv.FormatBool(meant))
				return
			}
		}
		r.errorf(v.Pos, "%s: want true or false, found %s", v.name, v.Describe())
	}
	return reader{read, func() shape.Shape { return shape.Shape{Kinds: []shape.Kind{shape.Truth}} }}
}

// spokenTruth returns the Boolean for yes, y, on, no, n, and off, which YAML 1.2 reads as strings but YAML 1.1 and
// people read as Booleans. It also accepts true and false.
func spokenTruth(s string) (truth, ok bool) {
	switch strings.ToLower(s) {
	case "yes", "y", "on", "true":
		return true, true
	case "no", "n", "off", "false":
		return false, true
	default:
		return false, false
	}
}

// price returns a reader for a number from 0 to maxCount. The reader stores the number's JSON form.
func price(dst *string) reader {
	return reader{
		read: func(r *report, v value) {
			form, ok := number(r, v, "a number such as 49 or 49.50")
			if !ok {
				return
			}
			if f, err := strconv.ParseFloat(form, 64); err != nil || f > maxCount {
				r.errorf(v.Pos, "%s: %s is too large for a price; the largest is 9007199254740991", v.name, v.Describe())
				return
			}
			*dst = form
		},
		draw: func() shape.Shape { return shape.Shape{Kinds: []shape.Kind{shape.Number}, Min: new(int64)} },
	}
}

// maxCount is the maximum of a price or a count. Some JSON parsers lose digits of larger numbers (RFC 8259 §6).
const maxCount = 1<<53 - 1

// count returns a reader for a whole number from 0 to maxCount.
func count(dst *int64) reader {
	read := func(r *report, v value) {
		form, ok := number(r, v, "a whole number such as 100")
		if !ok {
			return
		}
		n, err := strconv.ParseInt(form, 10, 64)
		switch {
		case strings.ContainsAny(form, ".eE"):
			r.errorf(v.Pos, "%s: want a whole number such as 100, found %s", v.name, v.Describe())
		case err != nil || n > maxCount:
			r.errorf(v.Pos, "%s: %s is too large; the largest is 9007199254740991", v.name, v.Describe())
		default:
			*dst = n
		}
	}
	return reader{read, func() shape.Shape { return drawWhole(0, maxCount) }}
}

func drawWhole(least, most int64) shape.Shape {
	return shape.Shape{Kinds: []shape.Kind{shape.Whole}, Min: &least, Max: &most}
}

// number returns the JSON form of a finite, nonnegative number. For other values, it reports a problem and returns
// false. want describes the expected number for the message.
func number(r *report, v value, want string) (form string, ok bool) {
	switch {
	case v.Kind == tree.Text && v.Quoted && isNumber(v.Text):
		p := r.errorf(v.Pos, "%s: want %s, found %s; remove the quotes", v.name, want, v.Describe())
		r.fixPlain(p, v.Pos, v.Text, v.Text)
	case v.Kind != tree.Number:
		p := r.errorf(v.Pos, "%s: want %s, found %s", v.name, want, v.Describe())
		if meant, ok := spokenNumber(v.Text); ok && v.Kind == tree.Text {
			p.Text += "; write " + meant
			r.fixPlain(p, v.Pos, v.Text, meant)
		}
	case v.Number == "":
		r.errorf(v.Pos, "%s: want %s, found %s, which is not finite", v.name, want, v.Describe())
	case strings.HasPrefix(v.Number, "-"):
		r.errorf(v.Pos, "%s: want %s, found %s; it cannot be negative", v.name, want, v.Describe())
	default:
		return v.Number, true
	}
	return "", false
}

func isNumber(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// order returns a reader for a page's position in lists, which is a whole number. The reader warns about 0, which means
// that the page has no position.
func order(dst *int) reader {
	read := func(r *report, v value) {
		n, err := strconv.ParseInt(v.Number, 10, 32)
		switch {
		case v.Kind != tree.Number || err != nil:
			r.errorf(v.Pos, "%s: want a whole number such as 1, found %s", v.name, v.Describe())
		case n == 0:
			r.warnf(v.Pos, "%s: 0 is the same as no order; start at 1", v.name)
		default:
			*dst = int(n)
		}
	}
	return reader{read, func() shape.Shape { return drawWhole(math.MinInt32, math.MaxInt32) }}
}

// Limits on settings that can make the build much larger than its sources: the theme's pages are built in every
// language, and every tag has its own page.
const (
	// maxLanguages is the maximum number of languages in addition to the site's default.
	maxLanguages = 64
	// maxTags is the maximum number of tags on a page.
	maxTags = 100
	// maxSiteTags is the maximum number of different tags on all pages.
	maxSiteTags = 10_000
)

// few wraps a list reader so that the reader rejects a list with more than most items. what is the end of the message:
// the name of the items and a solution, such as "tags; keep the most important".
func few(most int, what string, items reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind == tree.List && len(v.Items) > most {
				r.errorf(v.Items[most].Pos, "%s: found %d, want at most %d %s", v.name, len(v.Items), most, what).Code = rule.TooMuch
				return
			}
			items.read(r, v)
		},
		draw: items.draw,
	}
}
