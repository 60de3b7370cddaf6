package plan

import (
	"time"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// expiresSoon is the time before the expiry of security.txt at which the build starts to warn. The warning applies only
// to an expiry that the author has set.
const expiresSoon = 30 * 24 * time.Hour

// HoldsUntil returns a time until which the site's output doesn't depend on the clock: no page becomes due,
// security.txt stays the same, and the problems with the expiry of security.txt, with the API's sunset, and with
// modification dates in the future stay the same. The time is at most 100 years after s.Now.
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
			before(p.Updated.Add(-aDay))
		}
	}
	before(s.Product.Updated.Add(-aDay))
	if end := s.Config.Retirement; end != nil {
		before(end.Sunset)
	}
	if s.Config.Security.Contact == "" {
		return until
	}
	before(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC))
	if expires := s.Config.Security.Expires; !expires.IsZero() {
		before(expires)
		before(expires.Add(-expiresSoon))
		// The warning about a distant expiry ends a year before the expiry. Leap years make the exact end of the
		// warning uncertain, so HoldsUntil guarantees nothing within three days of it.
		aYear := expires.AddDate(-1, 0, 0)
		const days = 3 * 24 * time.Hour
		before(aYear.Add(-days))
		if now.After(aYear.Add(-days)) && now.Before(aYear.Add(days)) {
			return now
		}
	}
	return until
}

// productFile is the name of the file with the product's facts in the site's folder.
const productFile = "content/product.yaml"

// aDay is the tolerance for modification dates in the future. It is needed because the author's day may start before
// the day in the site's time zone.
const aDay = 24 * time.Hour

// updateProblems reports modification dates that are more than a day in the future. It skips the theme's pages. It also
// skips drafts and scheduled pages, whose modification dates may be in the future.
func updateProblems(s *site.Site) []site.Problem {
	var problems []site.Problem
	if updated := s.Product.Updated; updated.After(s.Now.Add(aDay)) {
		problems = append(problems, site.Problem{Path: productFile, Pos: s.Product.UpdatedPos, Severity: site.Error, Code: rule.FutureUpdate,
			Text: "updated: " + updated.Format(time.DateOnly) + " is in the future, and programs would read it as the date of the facts; write the date when the facts last changed, or remove updated if git has the history of the facts"})
	}
	for _, p := range s.Pages {
		if p.Text == nil && !p.Scheduled && !p.Draft && p.Updated.After(s.Now.Add(aDay)) {
			problems = append(problems, site.Problem{Path: p.Source, Pos: p.UpdatedPos, Severity: site.Warning, Code: rule.FutureUpdate,
				Text: "updated: " + p.Updated.Format(time.DateOnly) + " is in the future, but is published as the date of the last change; write the date of the last change, or set date to publish the page on that day"})
		}
	}
	return problems
}

// SecurityExpires returns the expiry of security.txt. If the author hasn't set the expiry, it is the first day of the
// month eleven months after the current month. That day is less than a year away (RFC 9116 §2.5.5), and all builds in a
// month use the same day.
func SecurityExpires(s *site.Site) time.Time {
	if set := s.Config.Security.Expires; !set.IsZero() {
		return set
	}
	now := s.Now.UTC()
	return time.Date(now.Year(), now.Month()+11, 1, 0, 0, 0, 0, time.UTC)
}

// securityProblems reports an expiry of security.txt that is in the past, less than 30 days away, or more than a year
// away.
func securityProblems(s *site.Site) []site.Problem {
	expires := s.Config.Security.Expires
	if s.Config.Security.Contact == "" || expires.IsZero() {
		return nil
	}
	p := site.Problem{Path: "content/site.yaml", Pos: s.Config.Security.ExpiresPos, Severity: site.Warning}
	day := expires.Format(time.DateOnly)
	switch left := expires.Sub(s.Now); {
	case left <= 0:
		p.Severity = site.Error
		p.Text = "security.expires: " + day + " is in the past, so readers may ignore security.txt; check the contact and write a later date"
	case left < expiresSoon:
		p.Text = "security.expires: " + day + " is less than 30 days away; check the contact and write a later date"
	case expires.After(s.Now.AddDate(1, 0, 0)):
		p.Text = "security.expires: " + day + " is more than a year away; write a date within a year, as RFC 9116 recommends"
	default:
		return nil
	}
	return []site.Problem{p}
}
