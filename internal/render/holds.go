package render

import (
	"time"

	"vitrine/internal/site"
)

// HoldsUntil is a moment before which nothing that the site is rendered to
// changes by the clock alone: no page becomes due, and security.txt and what is
// told of it stay as they are.
func HoldsUntil(s *site.Site) time.Time {
	now := s.Now.UTC()
	until := now.AddDate(100, 0, 0)
	before := func(t time.Time) {
		if t.After(now) && t.Before(until) {
			until = t
		}
	}
	for _, pages := range [][]*site.Page{s.Pages, s.Withheld} {
		for _, p := range pages {
			before(p.Date)
		}
	}
	if s.Config.Security.Contact == "" {
		return until
	}
	before(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC))
	if expires := s.Config.Security.Expires; !expires.IsZero() {
		before(expires)
		before(expires.Add(-expiresSoon))
		// Calendars do not agree on what a year before a date is: the days around
		// it do not hold.
		aYear := expires.AddDate(-1, 0, 0)
		const days = 3 * 24 * time.Hour
		before(aYear.Add(-days))
		if now.After(aYear.Add(-days)) && now.Before(aYear.Add(days)) {
			return now
		}
	}
	return until
}
