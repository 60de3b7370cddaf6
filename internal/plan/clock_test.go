package plan

import (
	"reflect"
	"testing"
	"time"

	"vitrine/internal/site"
)

// A date of security.txt that is past fails the build; one that is near, or
// more than a year away, is warned of, where site.yaml says it.
func TestSecurityProblems(t *testing.T) {
	now := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	at := site.Pos{Line: 7, Col: 3}
	for name, c := range map[string]struct {
		contact string
		expires time.Time
		want    []site.Severity
	}{
		"none given":     {"mailto:a@b.example", time.Time{}, nil},
		"no contact":     {"", now.AddDate(-1, 0, 0), nil},
		"half a year":    {"mailto:a@b.example", now.AddDate(0, 6, 0), nil},
		"thirty days":    {"mailto:a@b.example", now.Add(expiresSoon), nil},
		"near":           {"mailto:a@b.example", now.Add(expiresSoon - time.Second), []site.Severity{site.Warning}},
		"this moment":    {"mailto:a@b.example", now, []site.Severity{site.Error}},
		"past":           {"mailto:a@b.example", now.AddDate(0, 0, -1), []site.Severity{site.Error}},
		"a year":         {"mailto:a@b.example", now.AddDate(1, 0, 0), nil},
		"more than that": {"mailto:a@b.example", now.AddDate(1, 0, 1), []site.Severity{site.Warning}},
	} {
		s := &site.Site{Now: now, Config: site.Config{Security: site.Security{Contact: c.contact, Expires: c.expires, ExpiresPos: at}}}
		var got []site.Severity
		for _, p := range securityProblems(s) {
			got = append(got, p.Severity)
			if p.Path != "content/site.yaml" || p.Pos != at || p.Text == "" {
				t.Errorf("%s: %v", name, p)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where no date is given, builds of one month agree on one under a year ahead.
func TestSecurityExpires(t *testing.T) {
	for day := 1; day <= 31; day++ {
		moment := time.Date(2026, 12, day, 23, 59, 0, 0, time.UTC)
		got := SecurityExpires(&site.Site{Now: moment})
		if want := time.Date(2027, 11, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) || got.Sub(moment) > 365*24*time.Hour {
			t.Errorf("on day %d: %s", day, got)
		}
	}
}
