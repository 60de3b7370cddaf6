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
	err                    error
}

// reference names another node of a graph.
type reference struct {
	ID string `json:"@id"`
}

type organizationNode struct {
	Type  string `json:"@type"`
	ID    string `json:"@id"`
	Name  string `json:"name"`
	URL   string `json:"url"`
	Email string `json:"email"`
	Logo  string `json:"logo,omitempty"`
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

type postingNode struct {
	Type        string    `json:"@type"`
	ID          string    `json:"@id"`
	Headline    string    `json:"headline"`
	Description string    `json:"description,omitempty"`
	URL         string    `json:"url"`
	Page        string    `json:"mainEntityOfPage"`
	Published   string    `json:"datePublished,omitempty"`
	Modified    string    `json:"dateModified,omitempty"`
	Language    string    `json:"inLanguage"`
	Keywords    []string  `json:"keywords,omitempty"`
	Words       int       `json:"wordCount,omitempty"`
	Image       string    `json:"image,omitempty"`
	Author      any       `json:"author"`
	Publisher   reference `json:"publisher"`
}

// authorNode is whom a byline names.
type authorNode struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type breadcrumbsNode struct {
	Type  string           `json:"@type"`
	Items []breadcrumbNode `json:"itemListElement"`
}

type breadcrumbNode struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item"`
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
	if icon, err := assetPath(r.theme.assets, "favicon.svg"); err == nil {
		node.Logo = r.url(icon)
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
	if p.Path == "/" || p.Layout == "pricing" || page.URL == r.site.Product.Pricing.URL {
		w.WriteByte(',')
		w.Write(g.software)
	}
	if p.Layout == "post" {
		if err := appendNode(w, r.posting(p, page)); err != nil {
			return err
		}
	}
	if len(page.Breadcrumbs) > 0 {
		if err := appendNode(w, breadcrumbs(page, r.site.Config.Title)); err != nil {
			return err
		}
	}
	w.WriteString("]}</script>\n")
	return nil
}

func appendNode(w *bytes.Buffer, node any) error {
	encoded, err := json.Marshal(node)
	if err != nil {
		return fmt.Errorf("describing the page for search engines: %w", err)
	}
	w.WriteByte(',')
	w.Write(encoded)
	return nil
}

func (r *Renderer) posting(p *site.Page, page *pageView) postingNode {
	node := postingNode{
		Type: "BlogPosting", ID: page.URL + "#article", Headline: page.Title, Description: page.Description,
		URL: page.URL, Page: page.URL, Published: dateTime(p.Date), Modified: dateTime(r.modified(p)),
		Language: r.site.Config.Language, Keywords: p.Tags, Words: page.Words,
		Image: absolute(r.site.Config.BaseURL, page.Image), Publisher: r.organizationID(),
	}
	switch {
	case p.Author == "" || p.Author == r.site.Config.Title || p.Author == r.site.Product.Name:
		node.Author = r.organizationID()
	case strings.Contains(strings.ToLower(p.Author), "team"):
		node.Author = authorNode{"Organization", p.Author}
	default:
		node.Author = authorNode{"Person", p.Author}
	}
	return node
}

// breadcrumbs is the way from the home page, by the name home, to a page,
// itself included.
func breadcrumbs(page *pageView, home string) breadcrumbsNode {
	node := breadcrumbsNode{Type: "BreadcrumbList"}
	for i, b := range page.Breadcrumbs {
		if i == 0 {
			// What the home page says large is no name for it.
			b.Title = home
		}
		node.Items = append(node.Items, breadcrumbNode{"ListItem", len(node.Items) + 1, b.Title, b.URL})
	}
	node.Items = append(node.Items, breadcrumbNode{"ListItem", len(node.Items) + 1, page.Title, page.URL})
	return node
}
