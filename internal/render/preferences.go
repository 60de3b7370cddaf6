package render

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Prefer adds the site's usage preferences and a link to the site's license to the header fields of resources before
// publication. No other function adds them. Prefer skips error responses because they aren't the site's content.
func (r *Renderer) Prefer(resources []artifact.Resource) {
	license := r.licenseLink()
	var own []artifact.Field
	if usage := r.usage(); usage != "" {
		own = append(own, field("Content-Usage", usage))
	}
	if own == nil && license == "" {
		return
	}
	for i := range resources {
		if resources[i].Kind == artifact.KindFallback {
			continue
		}
		for j := range resources[i].Variants {
			v := &resources[i].Variants[j]
			v.Fields = withLink(withFields(v.Fields, own...), license) // withFields copies the fields, because pages share them
		}
	}
}

// usage returns the value of Content-Usage, or "" if the site sets no preferences. It is a structured-field dictionary
// whose values are the tokens y and n (draft-ietf-aipref-vocab-07 §6, draft-ietf-aipref-attach-05 §3). The drafts are
// still changing, so the format is defined only here.
func (r *Renderer) usage() string {
	return signalList(r.site.Config.Robots.ContentUsage, "y", "n")
}

// license returns the URL of the site's license, or "" if the settings contain no license.
func (r *Renderer) license() site.Ref {
	if own := r.site.Config.License; strings.HasPrefix(own, "/") {
		return r.url(own)
	}
	return site.Ref(r.site.Config.License)
}

// licenseLink returns the link to the site's license for the Link field (RSL 1.0, rslstandard.org), or "" if the
// settings contain no license.
func (r *Renderer) licenseLink() string {
	if r.license() == "" {
		return ""
	}
	return `<` + string(r.license()) + `>; rel="license"; type="` + media.RSL + `"`
}

// withLink returns fields with link appended to the Link field, or with a new Link field if there is none. A response
// must have all its links in one field. If link is "", withLink returns fields unchanged.
func withLink(fields []artifact.Field, link string) []artifact.Field {
	if link == "" {
		return fields
	}
	for i := range fields {
		if fields[i].Name == "Link" {
			fields[i].Value += ", " + link
			return fields
		}
	}
	return append(fields, field("Link", link))
}
