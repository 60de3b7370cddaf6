package source

import (
	"strings"
	"time"

	"vitrine/internal/lazyregexp"
)

var dateForms = []string{time.RFC3339Nano, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04 -0700", "2006-01-02 15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02", "2006-1-2", "2006/01/02", "2006/01/02 15:04:05",
	"January 2, 2006", "January 2, 2006 3:04 PM", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "Mon, 02 Jan 2006 15:04:05 -0700", "01/02/2006", "Jan 2 2006", "2006-01"}

// Date parses a date in any of several common formats, and reports whether s is in one of these formats. A date without
// a time zone is in UTC.
func Date(s string) (time.Time, bool) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil && t.Year() > 1 {
			return t, true
		}
	}
	return time.Time{}, false
}

// dated matches a file name that begins with a date.
var dated = lazyregexp.New(`^(\d{4})-(\d{1,2})-(\d{1,2})[-_](.+)$`)

// CutDate returns the date at the start of name and the rest of name, and reports whether name starts with a date.
func CutDate(name string) (time.Time, string, bool) {
	m := dated.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}, name, false
	}
	t, ok := Date(m[1] + "-" + m[2] + "-" + m[3])
	if !ok {
		return time.Time{}, name, false
	}
	return t, m[4], true
}

// Day returns t as a date, with the time unless the time is midnight. It returns "" if t is zero.
func Day(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}
