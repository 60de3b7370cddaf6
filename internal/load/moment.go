package load

import (
	"fmt"
	"strings"
	"time"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// momentPattern matches dates and times in the formats that parseTime accepts.
const momentPattern = `^(19|[2-9][0-9])[0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` +
	`([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}( [A-Z0-9+-]+)?))?)?$`

// moment returns a reader for a date or a time. The reader interprets a value without a zone in *zone, which must be
// set before the reader is used.
func moment(dst *time.Time, zone **time.Location) reader {
	read := func(r *report, v value) {
		if v.Kind == tree.Text {
			if t, ok := parseTime(v.Text, *zone); ok {
				*dst = t
				return
			}
		}
		p := r.errorf(v.Pos, "%s: want a date such as 2026-03-14 or a time such as 2026-03-14T09:30:00Z, found %s", v.name, v.Describe())
		p.Code = rule.WrongDate
		if meant, t, ok := meantTime(v.Text, *zone); ok && v.Kind == tree.Text {
			p.Text += "; write " + meant
			if r.fix(p, v.Pos, v.Text, meant); p.Fix != (site.Edit{}) {
				*dst = t
			}
		}
	}
	return reader{read, func() shape.Shape {
		return shape.Shape{
			Kinds: []shape.Kind{shape.Text}, Pattern: momentPattern, Use: shape.Moment,
			Examples: []string{"2026-03-14", "2026-03-14T09:30:00Z"},
		}
	}}
}

// parseTime parses a date or a time in a format that editors write or common programs print. It returns false for other
// formats, and for years before 1900, which are typos.
func parseTime(s string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{
		time.DateOnly, time.RFC3339, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05",
		"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00",
		"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 MST", "2006-01-02 15:04 -0700", "2006-01-02 15:04 -07:00",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700",
	} {
		t, err := time.ParseInLocation(layout, s, zone)
		if err != nil {
			continue
		}
		if strings.HasSuffix(layout, " MST") && !strings.Contains(layout, "-0700") && !strings.HasSuffix(s, " UTC") && !strings.HasSuffix(s, " GMT") {
			// Other abbreviations have different meanings in different countries.
			return time.Time{}, false
		}
		return withoutName(t), t.Year() >= 1900
	}
	return time.Time{}, false
}

// withoutName returns t with the same offset but without the abbreviation of its zone, because the meaning of an
// abbreviation depends on the machine.
func withoutName(t time.Time) time.Time {
	name, offset := t.Zone()
	if t.Location().String() != name {
		return t
	}
	if offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", offset))
}

// meantTime parses unambiguous dates and times in formats rejected by parseTime. written is the date or time in a
// format accepted by parseTime. ok is false if s is ambiguous or in an unknown format.
func meantTime(s string, zone *time.Location) (written string, t time.Time, ok bool) {
	days := []string{
		"2006/1/2", "2006.1.2", "2006-1-2", "2.1.2006", "2 January 2006", "2 Jan 2006", "2. January 2006", "January 2, 2006", "Jan 2, 2006",
		"January 2 2006", "Jan 2 2006", "2-Jan-2006", "20060102",
	}
	for _, layout := range days {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil && t.Year() >= 1900 {
			return t.Format(time.DateOnly), t, true
		}
	}
	times := []string{time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 -0700", "2006/1/2 15:04:05", "2006/1/2 15:04", "2.1.2006 15:04", "2006-1-2 15:04:05", "2006-1-2 15:04"}
	for _, layout := range times {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil && t.Year() >= 1900 {
			return t.Format(time.RFC3339), withoutName(t), true
		}
	}
	// 14/3/2026 is unambiguous, but 4/3/2026 isn't.
	var first, second, year int
	if n, err := fmt.Sscanf(s, "%d/%d/%d", &first, &second, &year); n != 3 || err != nil || year < 1900 {
		return "", time.Time{}, false
	}
	if first <= 12 && second > 12 {
		first, second = second, first
	}
	if t = time.Date(year, time.Month(second), first, 0, 0, 0, 0, zone); second > 12 || first <= 12 && first != second || t.Day() != first {
		return "", time.Time{}, false
	}
	return t.Format(time.DateOnly), t, true
}
