package load

import (
	"math"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/load/tree"
)

// check returns what is wrong with a text, or "".
type check func(s string) string

// optional reads a value only where something is written.
func optional(read reader) reader {
	return func(r *report, v value) {
		if v.Kind != tree.Null && (v.Kind != tree.Text || v.Text != "") {
			read(r, v)
		}
	}
}

// text reads a text that is not empty and passes every check.
func text(dst *string, checks ...check) reader {
	return func(r *report, v value) {
		if s, ok := textOf(r, v, checks...); ok {
			*dst = s
		}
	}
}

// line reads a text that is shown on one line; line breaks become spaces.
func line(dst *string, checks ...check) reader {
	return func(r *report, v value) {
		if s, ok := textOf(r, v, checks...); ok {
			*dst = strings.Join(strings.Fields(s), " ")
		}
	}
}

// looseText reads a text that may be empty.
func looseText(dst *string) reader {
	return func(r *report, v value) {
		if v.Kind != tree.Text || v.Text != "" {
			text(dst)(r, v)
		}
	}
}

func textOf(r *report, v value, checks ...check) (string, bool) {
	switch {
	case v.Kind == tree.Number || v.Kind == tree.Bool:
		r.errorf(v.Pos, "%s: want a text, found %s; put it in quotes", v.name, v.Describe())
		return "", false
	case v.Kind != tree.Text:
		r.errorf(v.Pos, "%s: want a text, found %s", v.name, v.Describe())
		return "", false
	case strings.TrimSpace(v.Text) == "":
		r.errorf(v.Pos, "%s: the text is empty; write one", v.name)
		return "", false
	}
	for _, check := range checks {
		if problem := check(v.Text); problem != "" {
			r.errorf(v.Pos, "%s: %s", v.name, problem)
			return "", false
		}
	}
	return v.Text, true
}

// list reads a list, item by item.
func list(item reader) reader {
	return func(r *report, v value) {
		if v.Kind != tree.List {
			r.errorf(v.Pos, "%s: want a list such as [a, b], found %s", v.name, v.Describe())
			return
		}
		for i := range v.Items {
			item(r, element(v, i))
		}
	}
}

// texts reads a list of texts, each not empty.
func texts(dst *[]string) reader {
	return list(func(r *report, v value) {
		if s, ok := textOf(r, v); ok {
			*dst = append(*dst, s)
		}
	})
}

// lines reads a list of texts that are each shown on one line.
func lines(dst *[]string) reader {
	return list(func(r *report, v value) {
		var s string
		if line(&s)(r, v); s != "" {
			*dst = append(*dst, s)
		}
	})
}

// truth reads true or false.
func truth(dst *bool) reader {
	return func(r *report, v value) {
		if v.Kind == tree.Bool {
			*dst = v.Text == "true"
			return
		}
		if v.Kind == tree.Text {
			if meant, ok := spokenTruth(v.Text); ok {
				r.errorf(v.Pos, "%s: want true or false, found %s; write %t", v.name, v.Describe(), meant)
				return
			}
		}
		r.errorf(v.Pos, "%s: want true or false, found %s", v.name, v.Describe())
	}
}

// spokenTruth returns what YAML 1.1 and people mean by yes, no, on and off,
// which YAML 1.2 reads as texts.
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

// price reads a finite number that is not negative, in its written form.
func price(dst *string) reader {
	return func(r *report, v value) {
		if form, ok := number(r, v, "a number such as 49 or 49.50"); ok {
			*dst = form
		}
	}
}

// count reads a whole number that is not negative. Beyond 2^53 other readers
// of JSON lose digits (RFC 8259 §6), so there it ends.
func count(dst *int64) reader {
	return func(r *report, v value) {
		form, ok := number(r, v, "a whole number such as 100")
		if !ok {
			return
		}
		n, err := strconv.ParseInt(form, 10, 64)
		switch {
		case strings.ContainsAny(form, ".eE"):
			r.errorf(v.Pos, "%s: want a whole number such as 100, found %s", v.name, v.Describe())
		case err != nil || n > 1<<53-1:
			r.errorf(v.Pos, "%s: %s is too large; the largest is 9007199254740991", v.name, v.Describe())
		default:
			*dst = n
		}
	}
}

// number returns the JSON form of a finite number that is not negative.
func number(r *report, v value, want string) (form string, ok bool) {
	switch {
	case v.Kind == tree.Text && v.Quoted && isNumber(v.Text):
		r.errorf(v.Pos, "%s: want %s, found %s; take the quotes away", v.name, want, v.Describe())
	case v.Kind != tree.Number:
		r.errorf(v.Pos, "%s: want %s, found %s", v.name, want, v.Describe())
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

// order reads a page's place in lists.
func order(dst *int) reader {
	return func(r *report, v value) {
		n, err := strconv.ParseInt(v.Number, 10, 32)
		switch {
		case v.Kind != tree.Number || err != nil:
			r.errorf(v.Pos, "%s: want a whole number such as 1, found %s", v.name, v.Describe())
		case n == 0:
			r.warnf(v.Pos, "%s: 0 is the same as no order; count from 1", v.name)
		default:
			*dst = int(n)
		}
	}
}

// moment reads a date or a time; those without a zone are in zone.
func moment(dst *time.Time, zone *time.Location) reader {
	return func(r *report, v value) {
		if v.Kind == tree.Text {
			if t, ok := parseTime(v.Text, zone); ok {
				*dst = t
				return
			}
		}
		r.errorf(v.Pos, "%s: want a date such as 2026-03-14, or a time such as 2026-03-14T09:30:00Z, found %s", v.name, v.Describe())
	}
}

// parseTime reads the forms of a date that an editor may write. A year before
// 1900 is a slip of the pen.
func parseTime(s string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t, t.Year() >= 1900
		}
	}
	return time.Time{}, false
}
