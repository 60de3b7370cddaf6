package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"vitrine/internal/site"
)

// graph is what a site's pages say of themselves in the vocabulary of
// schema.org, as JSON-LD. The parts that are the same on every page are made
// once.
type graph struct {
	organization, software []byte
	// err keeps every page from being described.
	err error
}

// reference names another node of a graph.
type reference struct {
	ID string `json:"@id"`
}

type organizationNode struct {
	Type  string   `json:"@type"`
	ID    string   `json:"@id"`
	Name  string   `json:"name"`
	URL   site.Ref `json:"url"`
	Email string   `json:"email"`
	Logo  site.Ref `json:"logo,omitempty"`
}

type softwareNode struct {
	Type        string         `json:"@type"`
	ID          string         `json:"@id"`
	Name        string         `json:"name"`
	URL         string         `json:"url"`
	Description string         `json:"description"`
	Category    string         `json:"applicationCategory"`
	System      string         `json:"operatingSystem"`
	Features    []string       `json:"featureList,omitempty"`
	Audience    []audienceNode `json:"audience,omitempty"`
	Publisher   reference      `json:"publisher"`
	Offers      []offerNode    `json:"offers,omitempty"`
}

type audienceNode struct {
	Type     string `json:"@type"`
	Audience string `json:"audienceType"`
}

type offerNode struct {
	Type          string            `json:"@type"`
	Name          string            `json:"name"`
	Description   string            `json:"description,omitempty"`
	Price         json.Number       `json:"price"`
	PriceCurrency string            `json:"priceCurrency"`
	URL           string            `json:"url"`
	Specification specificationNode `json:"priceSpecification"`
}

// specificationNode says that a price is for a month: MON is UN/CEFACT's code.
type specificationNode struct {
	Type          string      `json:"@type"`
	Price         json.Number `json:"price"`
	PriceCurrency string      `json:"priceCurrency"`
	UnitCode      string      `json:"unitCode"`
}

const schemaContext = "https://schema.org"

func newGraph(r *Renderer) graph {
	var g graph
	g.organization, g.err = json.Marshal(r.organization())
	if g.err == nil {
		g.software, g.err = json.Marshal(r.software())
	}
	return g
}

func (r *Renderer) organizationID() reference {
	return reference{r.site.Config.BaseURL + "/#organization"}
}

func (r *Renderer) organization() organizationNode {
	node := organizationNode{
		Type: "Organization", ID: r.organizationID().ID, Name: r.site.Config.Title,
		URL: r.url("/"), Email: r.site.Product.Contact,
	}
	switch look := r.theme.look; {
	case look.Logo != nil:
		node.Logo = r.absolute(look.Logo.Path)
	case look.Favicon != nil:
		node.Logo = r.absolute(look.Favicon.Path)
	}
	return node
}

func (r *Renderer) software() softwareNode {
	product := &r.site.Product
	node := softwareNode{
		Type: "SoftwareApplication", ID: r.site.Config.BaseURL + "/#software",
		Name: product.Name, URL: product.URL, Description: product.Description,
		Category: "BusinessApplication", System: "Web",
		Features: product.Capabilities, Publisher: r.organizationID(),
	}
	for _, a := range product.Audience {
		node.Audience = append(node.Audience, audienceNode{"Audience", a})
	}
	for _, plan := range product.Pricing.Plans {
		price, currency := json.Number(plan.MonthlyPrice), product.Pricing.Currency
		node.Offers = append(node.Offers, offerNode{
			Type: "Offer", Name: plan.Name, Description: fmt.Sprintf("%d credits included", plan.IncludedCredits),
			Price: price, PriceCurrency: currency, URL: product.Pricing.URL,
			Specification: specificationNode{"UnitPriceSpecification", price, currency, "MON"},
		})
	}
	return node
}

// write writes a page's graph as a block of data. Browsers do not run it, so
// that the content security policy has nothing to allow; encoding/json writes
// "<", ">" and "&" as escapes, so that nothing in it can end the block.
func (g *graph) write(w *bytes.Buffer, r *Renderer, p *site.Page, page *pageView) error {
	if g.err != nil {
		return fmt.Errorf("describing the product for search engines: %w", g.err)
	}
	w.WriteString(`<script type="application/ld+json">{"@context":"` + schemaContext + `","@graph":[`)
	w.Write(g.organization)
	if p.Path == "/" || p.Layout == "pricing" || string(page.URL) == r.site.Product.Pricing.URL {
		w.WriteByte(',')
		w.Write(g.software)
	}
	if p.Layout == "post" {
		r.writePosting(w, p, page)
	}
	if len(page.Breadcrumbs) > 0 {
		writeBreadcrumbs(w, page, r.site.Config.Title)
	}
	w.WriteString("]}</script>\n")
	return nil
}

// writePosting writes what an article is, behind another node.
func (r *Renderer) writePosting(w *bytes.Buffer, p *site.Page, page *pageView) {
	w.WriteString(`,{"@type":"BlogPosting"`)
	o := object{w}
	o.text("@id", string(page.URL)+"#article")
	o.text("headline", page.Title)
	o.optional("description", page.Description)
	o.text("url", string(page.URL))
	o.text("mainEntityOfPage", string(page.URL))
	o.optional("datePublished", dateTime(p.Date))
	o.optional("dateModified", dateTime(r.ownModified(p, page.facts)))
	o.text("inLanguage", r.site.Config.Language)
	if len(p.Tags) > 0 {
		o.texts("keywords", p.Tags)
	}
	if page.Words > 0 {
		o.number("wordCount", page.Words)
	}
	o.optional("image", string(r.absolute(page.Image)))
	r.writeAuthor(o, p.Author)
	o.name("publisher")
	o.writeReference(r.organizationID())
	w.WriteByte('}')
}

// writeAuthor writes whom a byline names.
func (r *Renderer) writeAuthor(o object, author string) {
	o.name("author")
	kind := "Person"
	switch {
	case author == "" || author == r.site.Config.Title || author == r.site.Product.Name:
		o.writeReference(r.organizationID())
		return
	case strings.Contains(strings.ToLower(author), "team"):
		kind = "Organization"
	}
	o.WriteString(`{"@type":"` + kind + `"`)
	o.text("name", author)
	o.WriteByte('}')
}

func (o object) writeReference(to reference) {
	o.WriteString(`{"@id":`)
	o.Write(appendText(o.AvailableBuffer(), to.ID))
	o.WriteByte('}')
}

// writeBreadcrumbs writes the way from the home page, by the name home, to a
// page, itself included, behind another node.
func writeBreadcrumbs(w *bytes.Buffer, page *pageView, home string) {
	w.WriteString(`,{"@type":"BreadcrumbList","itemListElement":[`)
	for i, b := range page.Breadcrumbs {
		if i == 0 {
			// What the home page says large is no name for it.
			b.Title = home
		}
		writeBreadcrumb(w, i+1, b.Title, b.URL)
		w.WriteByte(',')
	}
	writeBreadcrumb(w, len(page.Breadcrumbs)+1, page.Title, page.URL)
	w.WriteString("]}")
}

func writeBreadcrumb(w *bytes.Buffer, position int, name string, item site.Ref) {
	w.WriteString(`{"@type":"ListItem"`)
	o := object{w}
	o.number("position", position)
	o.text("name", name)
	o.text("item", string(item))
	w.WriteByte('}')
}
