package render

import (
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// textFile is a public file with the site's words in it, which the same
// signals go with as with its pages.
func (r *Renderer) textFile(path, contentType string, body []byte) artifact.Resource {
	return machineFile(path, contentType, body, r.signalFields()...)
}

const securityPath = "/.well-known/security.txt"

// security renders security.txt (RFC 9116).
func (r *Renderer) security() (artifact.Resource, error) {
	body, err := r.text("security.txt", textData{
		Contact: r.site.Config.Security.Contact, Expires: r.securityExpires().UTC().Format(time.RFC3339),
		Canonical: r.url(securityPath), Language: r.site.Config.Language,
	})
	if err != nil {
		return artifact.Resource{}, err
	}
	return machineFile(securityPath, typeText, body), nil
}

// securityExpires is the editor's date, else one under a year ahead (RFC 9116
// §2.5.5) of the month's beginning, so that builds of one month agree.
func (r *Renderer) securityExpires() time.Time {
	if set := r.site.Config.Security.Expires; !set.IsZero() {
		return set
	}
	now := r.site.Now.UTC()
	return time.Date(now.Year(), now.Month()+11, 1, 0, 0, 0, 0, time.UTC)
}

// expiresSoon is how long before the editor's date the build begins to warn.
const expiresSoon = 30 * 24 * time.Hour

// securityProblems tells of a date of security.txt that is past, about to be,
// or more than a year ahead.
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
		p.Text = "security.expires: " + day + " is past, and security.txt may no longer be relied on; check the contact and write a later date"
	case left < expiresSoon:
		p.Text = "security.expires: " + day + " is less than 30 days away; check the contact and write a later date"
	case expires.After(s.Now.AddDate(1, 0, 0)):
		p.Text = "security.expires: " + day + " is more than a year away; write a date within a year, as RFC 9116 recommends"
	default:
		return nil
	}
	return []site.Problem{p}
}
