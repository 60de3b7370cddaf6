package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"vitrine/internal/artifact"
	"vitrine/internal/openapi"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// operation renders the responses of the JSON API at its path and its aliases (wire contract §1).
func (r *Renderer) operation() ([]artifact.Resource, error) {
	facts := r.site.Product.JSON
	discovery, err := artifact.DiscoveryBody(facts, r.site.Config.BaseURL)
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{
		r.operationAt(artifact.OperationPath, facts),
		r.operationAt(artifact.AliasPath, facts),
		r.operationAt(artifact.DiscoveryPath, discovery),
	}, nil
}

func (r *Renderer) operationAt(path string, body []byte) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{{
		File: path[1:] + ".json", Fields: r.operationFields(path), Body: body,
	}}}
}

// operationFields returns the fields of the JSON API's response at path. Only the response at the versioned path
// announces the version's retirement, because the aliases will switch to the next version.
func (r *Renderer) operationFields(path string) []artifact.Field {
	retirement := r.site.Config.Retirement
	if path != artifact.OperationPath {
		retirement = nil
	}
	fields := []artifact.Field{
		field("Content-Type", media.JSON),
		field("Cache-Control", artifact.OperationCacheControl),
		field("Vary", varyCoding),
		field("Link", r.operationLinks(retirement)),
		noSniff,
		crossOrigin,
	}
	fields = append(fields, r.corsFields()...)
	return append(fields, retirementFields(retirement)...)
}

// corsFields returns the fields that let scripts of any origin read a response, including Repr-Digest if the site sends
// that field.
func (r *Renderer) corsFields() []artifact.Field {
	if r.site.Config.ReprDigest {
		return artifact.CORSFields(artifact.FieldReprDigest)
	}
	return artifact.CORSFields()
}

// operationLinks returns the value of the Link field, including the announcement of the version's retirement if there
// is one (RFC 9745 §3, RFC 8594 §6).
func (r *Renderer) operationLinks(retirement *site.Retirement) string {
	links := artifact.OperationLinks(string(site.RefTo(r.site.Config.Documentation)))
	if retirement == nil {
		return links
	}
	links += `, <` + retirement.Notice + `>; rel="deprecation"; type="text/html"`
	if !retirement.Sunset.IsZero() {
		links += `, <` + retirement.Notice + `>; rel="sunset"; type="text/html"`
	}
	return links
}

// retirementFields returns the fields that announce the retirement of the API version (specification §9), or nil if the
// site announces no retirement.
func retirementFields(retirement *site.Retirement) []artifact.Field {
	if retirement == nil {
		return nil
	}
	// The value is a structured-field Date: seconds since 1970 (RFC 9745 §2.1).
	fields := []artifact.Field{field(artifact.FieldDeprecation, "@"+strconv.FormatInt(retirement.Deprecation.Unix(), 10))}
	if !retirement.Sunset.IsZero() {
		// The value is an HTTP-date (RFC 8594 §3).
		fields = append(fields, field(artifact.FieldSunset, retirement.Sunset.UTC().Format(http.TimeFormat)))
	}
	return fields
}

// problems renders the bodies of the JSON API's error responses (RFC 9457).
func (r *Renderer) problems() []artifact.Resource {
	var resources []artifact.Resource
	for _, p := range artifact.ProblemTypes() {
		fields := []artifact.Field{
			field("Content-Type", artifact.ProblemMediaType),
			field("Cache-Control", artifact.ErrorCacheControl),
			noSniff,
			crossOrigin,
		}
		fields = append(fields, r.corsFields()...)
		if p.Status == http.StatusMethodNotAllowed {
			fields = append(fields, field("Allow", artifact.Allow))
		}
		resources = append(resources, artifact.Resource{
			Path: artifact.ProblemPrefix + p.Slug, Kind: artifact.KindFallback,
			Variants: []artifact.Variant{{Fields: fields, Body: p.Body(r.site.Config.BaseURL)}},
		})
	}
	return resources
}

// description renders the OpenAPI document.
func (r *Renderer) description() (artifact.Resource, error) {
	body, err := openapi.Document(r.site)
	if err != nil {
		return artifact.Resource{}, fmt.Errorf("generating the OpenAPI document: %w", err)
	}
	return machineFile(artifact.DescriptionPath, media.JSON, body), nil
}

// machineFile returns a public file that scripts of any origin may read. more contains additional header fields.
func machineFile(path, contentType string, body []byte, more ...artifact.Field) artifact.Resource {
	fields := append(publicFields(contentType, varyCoding), field("Access-Control-Allow-Origin", "*"))
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: path[1:], Fields: append(fields, more...), Body: body,
	}}}
}

// linkset is the root object of a link set in JSON (RFC 9264 §4.2).
type linkset struct {
	Linkset []linkContext `json:"linkset"`
}

type linkContext struct {
	Anchor      site.Ref     `json:"anchor"`
	ServiceDesc []linkTarget `json:"service-desc"`
	ServiceDoc  []linkTarget `json:"service-doc"`
}

type linkTarget struct {
	Href site.Ref `json:"href"`
	Type string   `json:"type"`
}

// catalog renders the API catalog (RFC 9727), whose only entry is the JSON API.
func (r *Renderer) catalog() (artifact.Resource, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(linkset{[]linkContext{{
		Anchor:      r.url(artifact.OperationPath),
		ServiceDesc: []linkTarget{{r.url(artifact.DescriptionPath), media.JSON}},
		ServiceDoc:  []linkTarget{{r.url(r.site.Config.Documentation), "text/html"}},
	}}})
	if err != nil {
		return artifact.Resource{}, fmt.Errorf("encoding the API catalog: %w", err)
	}
	// Responses to HEAD requests must have this link (RFC 9727 §2). Responses to GET requests have the same fields.
	return machineFile(artifact.CatalogPath, media.Catalog, body.Bytes(),
		field("Link", `<`+artifact.CatalogPath+`>; rel="api-catalog"`)), nil
}
