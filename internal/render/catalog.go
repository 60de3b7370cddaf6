package render

import (
	"bytes"
	"encoding/json"
	"fmt"

	"vitrine/internal/artifact"
)

// linkset is the JSON form of a set of links (RFC 9264 §4.2).
type linkset struct {
	Linkset []linkContext `json:"linkset"`
}

type linkContext struct {
	Anchor      string       `json:"anchor"`
	ServiceDesc []linkTarget `json:"service-desc"`
	ServiceDoc  []linkTarget `json:"service-doc"`
}

type linkTarget struct {
	Href string `json:"href"`
	Type string `json:"type"`
}

// catalog renders the list of the site's interfaces (RFC 9727): there is one.
func (r *Renderer) catalog() (artifact.Resource, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(linkset{[]linkContext{{
		Anchor:      r.url(artifact.OperationPath),
		ServiceDesc: []linkTarget{{r.url(artifact.DescriptionPath), typeJSON}},
		ServiceDoc:  []linkTarget{{r.url(r.site.Config.Documentation), "text/html"}},
	}}})
	if err != nil {
		return artifact.Resource{}, fmt.Errorf("encoding the API catalog: %w", err)
	}
	// RFC 9727 §2: HEAD on the catalog carries this link, and so does GET.
	return machineFile(artifact.CatalogPath, typeCatalog, body.Bytes(),
		field("Link", `<`+artifact.CatalogPath+`>; rel="api-catalog"`)), nil
}
