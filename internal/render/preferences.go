package render

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Prefer puts on resources that are about to be published what the site says of the use of all its texts. It is the one place
// where that is done. Errors say nothing: they are no text of the site's.
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
			v.Fields = withLink(withFields(v.Fields, own...), license) // pages share them
		}
	}
}

// usage is the value of Content-Usage, "" where the site says nothing: a dictionary of structured fields whose values are the
// tokens y and n (draft-ietf-aipref-vocab-07 §6, draft-ietf-aipref-attach-05 §3). The drafts still move, so that nothing else
// writes it.
func (r *Renderer) usage() string {
	return signalList(r.site.Config.Robots.ContentUsage, "y", "n")
}

// license is the URL of the licence, "" where there is none.
func (r *Renderer) license() site.Ref {
	if own := r.site.Config.License; strings.HasPrefix(own, "/") {
		return r.url(own)
	}
	return site.Ref(r.site.Config.License)
}

// licenseLink leads from a representation to its licence (RSL 1.0, rslstandard.org), "" where there is none.
func (r *Renderer) licenseLink() string {
	if r.license() == "" {
		return ""
	}
	return `<` + string(r.license()) + `>; rel="license"; type="` + typeRSL + `"`
}

// withLink puts a link behind those that fields of one's own have: there is one field with all links.
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
