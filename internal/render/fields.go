package render

import (
	"fmt"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/render/media"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

func field(name, value string) artifact.Field {
	return artifact.Field{Name: name, Value: value}
}

// The values of Cross-Origin-Resource-Policy (wire contract §5). HTML pages are sameOrigin: only this site may embed
// them. All other files are crossOrigin, so that any site can load them.
var (
	sameOrigin  = field("Cross-Origin-Resource-Policy", "same-origin")
	crossOrigin = field("Cross-Origin-Resource-Policy", "cross-origin")
)

var noSniff = field("X-Content-Type-Options", "nosniff")

// publicFields returns the header fields of a page or a public file with the given values of Content-Type and Vary. A
// CDN may cache the response, but browsers must revalidate it.
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

// documentFields returns a Content-Security-Policy for a file that isn't a page but that browsers open as a document: a
// PDF, or XML in any vocabulary, such as SVG. It returns nil for other types. The policy allows no scripts and no
// requests to other hosts. It allows inline styles, which SVG images use. For a PDF, it also allows objects, because
// browsers show a PDF in an object element.
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
	// varyAgent is the value of Vary on a site that sends Markdown to known AI agents, identified by User-Agent.
	varyAgent = varyPage + ", User-Agent"
)

// pageFields contains the header fields that all pages share.
type pageFields struct {
	// html and twin contain the fields of the two representations at a page's URL: the HTML and the Markdown twin.
	html, twin []artifact.Field
	// file contains the fields of a page's Markdown at the Markdown's own URL, whose response doesn't depend on
	// User-Agent.
	file []artifact.Field
	// links contains the links at the end of every page's Link field (RFC 8288). All links must be in one field because
	// some hosts don't send a second Link field.
	links string
}

func newPageFields(r *Renderer) pageFields {
	signals := append(r.signalFields(), r.languageFields()...)
	vary := varyPage
	if r.site.Config.AgentsGetMarkdown {
		vary = varyAgent
	}
	return pageFields{
		html:  append(r.protected(publicFields(media.HTML, vary)), signals...),
		twin:  append(publicFields(media.Markdown, vary), signals...),
		file:  append(publicFields(media.Markdown, varyPage), signals...),
		links: r.siteLinks(),
	}
}

// siteLinks returns the links in the Link field of every page: to the OpenAPI document (RFC 8631), to the API catalog
// (RFC 9727), and to the feeds.
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

// htmlFields returns the fields of a page's HTML. The first link of the Link field points to the Markdown twin.
func (r *Renderer) htmlFields(p *site.Page, page *view.Page) []artifact.Field {
	return withFields(r.fields.html, indexing(r.hidden(p), field("Link", `<`+string(site.RefTo(p.MarkdownPath()))+`>; rel="alternate"; type="text/markdown", <`+
		string(page.Canonical)+`>; rel="canonical", `+describedBy(page)+`, `+r.alternateLinks(page.Languages)+r.fields.links))...)
}

// twinFields returns the fields of a page's Markdown at the page's own URL. tokens is the field with the Markdown's
// number of tokens.
func (r *Renderer) twinFields(p *site.Page, page *view.Page, tokens artifact.Field) []artifact.Field {
	return withFields(r.fields.twin, indexing(r.hidden(p), tokens, field("Link", describedBy(page)+`, `+r.alternateLinks(page.Languages)+r.fields.links))...)
}

// describedBy returns the link for page's Link field to the llms.txt that covers page (llmstxt.org, version 2).
func describedBy(page *view.Page) string {
	return `<` + string(page.LLMs) + `>; rel="describedby"; type="text/plain"`
}

// fileFields returns the fields of a page's Markdown at the Markdown's own URL. The Link field contains the page's
// canonical URL for search engines. tokens is the field with the Markdown's number of tokens.
func (r *Renderer) fileFields(p *site.Page, page *view.Page, tokens artifact.Field) []artifact.Field {
	canonical := field("Link", `<`+string(page.Canonical)+`>; rel="canonical", `+describedBy(page))
	return withFields(r.fields.file, indexing(r.hidden(p) || r.site.Config.Robots.NoindexMarkdown, tokens, canonical)...)
}

// indexing returns the fields in own. If not is true, it adds a field that asks search engines not to index the
// response.
func indexing(not bool, own ...artifact.Field) []artifact.Field {
	if not {
		own = append(own, field("X-Robots-Tag", "noindex"))
	}
	return own
}

// withFields returns a new slice with the fields of shared, followed by own. The slice has room for the Link field that
// withLink may append.
func withFields(shared []artifact.Field, own ...artifact.Field) []artifact.Field {
	return append(append(make([]artifact.Field, 0, len(shared)+len(own)+1), shared...), own...)
}
