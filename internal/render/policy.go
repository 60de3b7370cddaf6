package render

import (
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// permissionsPolicy is the value of Permissions-Policy. It disables browser features that pages don't need, such as the
// camera.
const permissionsPolicy = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"

// contentSecurityPolicy returns the Content-Security-Policy of all pages. It allows a page to load files from its own
// site. From other hosts, a page may load only scripts, and only from the origins of the scripts in the settings.
// Scripts may send data only to the site and to these origins.
func contentSecurityPolicy(scripts []site.Script) string {
	var others strings.Builder
	var known []string
	for _, s := range scripts {
		u, err := url.Parse(s.Src)
		if err != nil {
			continue
		}
		origin := strings.ToLower(u.Scheme + "://" + u.Host)
		if !slices.Contains(known, origin) {
			known = append(known, origin)
			others.WriteString(" " + origin)
		}
	}
	return "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
		"script-src 'self'" + others.String() + "; connect-src 'self'" + others.String() +
		"; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// protected appends the security fields of an HTML page to fields.
func (r *Renderer) protected(fields []artifact.Field) []artifact.Field {
	return append(fields,
		field("Content-Security-Policy", contentSecurityPolicy(r.site.Config.Scripts)),
		field("Referrer-Policy", "strict-origin-when-cross-origin"),
		field("Permissions-Policy", permissionsPolicy),
	)
}
