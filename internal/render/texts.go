package render

import (
	"strings"
	"time"

	"vitrine/internal/artifact"
)

// robots renders robots.txt.
func (r *Renderer) robots() (artifact.Resource, error) {
	body, err := r.text("robots.txt", textData{Sitemap: r.url(sitemapPath), Signals: r.signals()})
	if err != nil {
		return artifact.Resource{}, err
	}
	return machineFile("/robots.txt", typeText, body), nil
}

// signals is the value of Content-Signal, "" where the site gives none.
func (r *Renderer) signals() string {
	var signals []string
	for _, s := range r.site.Config.Robots.ContentSignal {
		value := "no"
		if s.Allow {
			value = "yes"
		}
		signals = append(signals, s.Name+"="+value)
	}
	return strings.Join(signals, ", ")
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
