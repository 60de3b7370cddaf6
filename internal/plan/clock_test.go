package plan

import (
	"reflect"
	"testing"
	"time"

	"vitrine/internal/site"
)

// An expiry of security.txt in the past is an error. An expiry that is near or more than a year away is a warning. Both
// are reported at the position of the setting in site.yaml.
func TestSecurityProblems(t *testing.T) {
	now := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	at := site.Pos{Line: 7, Col: 3}
	for name, c := range map[string]struct {
		contact string
		expires time.Time
		want    []site.Severity
	}{
		"no date":        {"mailto:a@b.example", time.Time{}, nil},
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

// If site.yaml sets no expiry, all builds of a month have the same one in security.txt, less than a year away.
func TestSecurityExpires(t *testing.T) {
	for day := 1; day <= 31; day++ {
		moment := time.Date(2026, 12, day, 23, 59, 0, 0, time.UTC)
		got := SecurityExpires(&site.Site{Now: moment})
		if want := time.Date(2027, 11, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) || got.Sub(moment) > 365*24*time.Hour {
			t.Errorf("on day %d: %s", day, got)
		}
	}
}

// A date of the last change that is in the future is a warning, except on an unpublished page. Tomorrow is allowed
// because of time zones. HoldsUntil returns the time at which the warning disappears.
func TestUpdateProblems(t *testing.T) {
	now := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	later := now.AddDate(0, 0, 3)
	for name, c := range map[string]struct {
		page site.Page
		want bool
	}{
		"none":      {site.Page{}, false},
		"past":      {site.Page{Updated: now.AddDate(0, 0, -1)}, false},
		"tomorrow":  {site.Page{Updated: now.Add(aDay)}, false},
		"later":     {site.Page{Updated: later}, true},
		"scheduled": {site.Page{Updated: later, Date: later, Scheduled: true}, false},
		"draft":     {site.Page{Updated: later, Draft: true}, false},
		"the theme": {site.Page{Updated: later, Text: []byte("x")}, false},
	} {
		c.page.Source, c.page.UpdatedPos = "content/a.md", site.Pos{Line: 3, Col: 10}
		s := &site.Site{Now: now, Pages: []*site.Page{&c.page}}
		problems := updateProblems(s)
		if len(problems) > 0 != c.want {
			t.Errorf("%s: %v", name, problems)
		}
		if c.want && (problems[0].Pos != c.page.UpdatedPos || !HoldsUntil(s).Equal(later.Add(-aDay))) {
			t.Errorf("%s: at %v, HoldsUntil %v", name, problems[0].Pos, HoldsUntil(s))
		}
	}
}

// A build holds until the first date at which a page becomes due, or a problem appears or disappears.
func TestHoldsUntil(t *testing.T) {
	now := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	later := now.AddDate(0, 0, 3)
	for name, c := range map[string]struct {
		site site.Site
		want time.Time
	}{
		"nothing":             {site.Site{}, now.AddDate(100, 0, 0)},
		"a scheduled page":    {site.Site{Withheld: []*site.Page{{Date: later}}}, later},
		"the facts":           {site.Site{Product: site.Product{Updated: later}}, later.Add(-aDay)},
		"the end of v1":       {site.Site{Config: site.Config{Retirement: &site.Retirement{Sunset: later}}}, later},
		"no end of v1":        {site.Site{Config: site.Config{Retirement: &site.Retirement{}}}, now.AddDate(100, 0, 0)},
		"the earlier of both": {site.Site{Product: site.Product{Updated: later}, Pages: []*site.Page{{Date: later}}}, later.Add(-aDay)},
	} {
		c.site.Now = now
		if got := HoldsUntil(&c.site); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
