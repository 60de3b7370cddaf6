package render

import (
	"fmt"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Content types of what the build makes (RFC 7763 requires the charset of
// text/markdown).
const (
	typeHTML     = "text/html; charset=utf-8"
	typeMarkdown = "text/markdown; charset=utf-8"
	typeText     = "text/plain; charset=utf-8"
	typeJSON     = "application/json"
	typeXML      = "application/xml"
	typeRSL      = "application/rsl+xml"
	typeCatalog  = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// permissionsPolicy switches off what a page of facts has no use for.
const permissionsPolicy = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"

func field(name, value string) artifact.Field {
	return artifact.Field{Name: name, Value: value}
}

// Who may embed an answer: documents are for this site alone, what programs read is
// for all (wire contract §7).
var (
	sameOrigin  = field("Cross-Origin-Resource-Policy", "same-origin")
	crossOrigin = field("Cross-Origin-Resource-Policy", "cross-origin")
)

var noSniff = field("X-Content-Type-Options", "nosniff")

// publicFields are those of a page or a text: browsers ask again, a CDN keeps it.
func publicFields(contentType, vary string) []artifact.Field {
	policy := crossOrigin
	if strings.HasPrefix(contentType, "text/html") {
		policy = sameOrigin
	}
	return append([]artifact.Field{
		field("Content-Type", contentType),
		field("Cache-Control", artifact.PageCacheControl),
		field("CDN-Cache-Control", artifact.CDNCacheControl),
		field("Vary", vary),
		noSniff,
		policy,
	}, documentFields(contentType)...)
}

// documentFields are the fields of a file that is no page and that a browser opens as a document: XML in any vocabulary,
// SVG among them, and PDF. The policy allows no script and no request to another host. Styles may be inline, as those of
// drawings are, and browsers show a PDF in an object of its own.
func documentFields(contentType string) []artifact.Field {
	essence, _, _ := strings.Cut(contentType, ";")
	policy := "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'"
	switch {
	case strings.HasSuffix(essence, "/xml"), strings.HasSuffix(essence, "+xml"):
	case essence == "application/pdf":
		policy += "; object-src 'self'"
	default:
		return nil
	}
	return []artifact.Field{field("Content-Security-Policy", policy)}
}

const (
	varyPage   = "Accept, Accept-Encoding"
	varyCoding = "Accept-Encoding"
	// varyAgent is what the choice between a page's types depends on where the site has chosen that who asks counts.
	varyAgent = varyPage + ", User-Agent"
)

// pageFields are the header fields of pages that are the same on all of them.
type pageFields struct {
	html, twin []artifact.Field
	// file are those of the Markdown at its own address, whoever asks there.
	file []artifact.Field
	// links is what the Link field of a page ends with (RFC 8288). There is one
	// field with all links: not every host sends a second.
	links string
}

func newPageFields(r *Renderer) pageFields {
	signals := append(r.signalFields(), r.languageFields()...)
	vary := varyPage
	if r.site.Config.AgentsGetMarkdown {
		vary = varyAgent
	}
	return pageFields{
		html:  append(r.protected(publicFields(typeHTML, vary)), signals...),
		twin:  append(publicFields(typeMarkdown, vary), signals...),
		file:  append(publicFields(typeMarkdown, varyPage), signals...),
		links: r.siteLinks(),
	}
}

// siteLinks lead from every page to what describes the interface (RFC 8631),
// to the list of interfaces (RFC 9727) and to the feeds.
func (r *Renderer) siteLinks() string {
	links := []string{
		`<` + artifact.DescriptionPath + `>; rel="service-desc"; type="application/json"`,
		`<` + artifact.CatalogPath + `>; rel="api-catalog"; type="application/linkset+json"`,
	}
	for _, f := range r.feeds() {
		links = append(links, fmt.Sprintf(`<%s>; rel="alternate"; type="%s"`, f.path, mediaEssence(f.mediaType)))
	}
	return strings.Join(links, ", ")
}

// htmlFields are those of a page's HTML: the Markdown twin is the first link.
func (r *Renderer) htmlFields(p *site.Page, page *pageView) []artifact.Field {
	return withFields(r.fields.html, indexing(p.Unlisted, field("Link", `<`+string(site.RefTo(p.MarkdownPath()))+`>; rel="alternate"; type="text/markdown", <`+
		string(r.url(p.Path))+`>; rel="canonical", `+describedBy(page)+`, `+r.alternateLinks(page.Languages)+r.fields.links))...)
}

// twinFields are those of a page's Markdown in the place of its HTML.
func (r *Renderer) twinFields(p *site.Page, page *pageView, tokens artifact.Field) []artifact.Field {
	return withFields(r.fields.twin, indexing(p.Unlisted, tokens, field("Link", describedBy(page)+`, `+r.alternateLinks(page.Languages)+r.fields.links))...)
}

// describedBy leads from a page to the llms.txt that covers it (llmstxt.org, version 2).
func describedBy(page *pageView) string {
	return `<` + string(page.LLMs) + `>; rel="describedby"; type="text/plain"`
}

// fileFields are those of the Markdown at its own URL, which names the page
// as the one that search engines keep.
func (r *Renderer) fileFields(p *site.Page, page *pageView, tokens artifact.Field) []artifact.Field {
	canonical := field("Link", `<`+string(r.url(p.Path))+`>; rel="canonical", `+describedBy(page))
	return withFields(r.fields.file, indexing(p.Unlisted || r.site.Config.Robots.NoindexMarkdown, tokens, canonical)...)
}

// indexing adds to fields what asks search engines to leave a page out, where they are to.
func indexing(not bool, own ...artifact.Field) []artifact.Field {
	if not {
		own = append(own, field("X-Robots-Tag", "noindex"))
	}
	return own
}

// withFields copies fields, so that those that pages share are not written to.
func withFields(shared []artifact.Field, own ...artifact.Field) []artifact.Field {
	return append(append(make([]artifact.Field, 0, len(shared)+len(own)+1), shared...), own...)
}
