package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"vitrine/internal/plan"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// graph contains the JSON-LD nodes that the pages of a site share, in the vocabulary of schema.org. Each node is
// encoded once.
type graph struct {
	organization, product, website []byte
	// err is the error from encoding the nodes, or nil. If err isn't nil, write returns it for every page.
	err error
}

// reference refers to another node of the graph by its ID.
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

// productNode describes the product. Type is the product's type in product.yaml. It determines whether the organization
// is the product's brand, provider, or publisher.
type productNode struct {
	Type        string         `json:"@type"`
	ID          string         `json:"@id"`
	Name        string         `json:"name"`
	URL         string         `json:"url"`
	Description string         `json:"description"`
	Category    string         `json:"applicationCategory,omitempty"`
	System      string         `json:"operatingSystem,omitempty"`
	Features    []string       `json:"featureList,omitempty"`
	Audience    []audienceNode `json:"audience,omitempty"`
	Brand       *reference     `json:"brand,omitempty"`
	Provider    *reference     `json:"provider,omitempty"`
	Publisher   *reference     `json:"publisher,omitempty"`
	Offers      []offerNode    `json:"offers,omitempty"`
}

type audienceNode struct {
	Type     string `json:"@type"`
	Audience string `json:"audienceType"`
}

type offerNode struct {
	Type          string      `json:"@type"`
	Name          string      `json:"name"`
	Description   string      `json:"description,omitempty"`
	Price         json.Number `json:"price"`
	PriceCurrency string      `json:"priceCurrency"`
	URL           string      `json:"url"`
	// Specification is a specificationNode, or a list of two if the plan also has a yearly price.
	Specification any `json:"priceSpecification"`
}

// specificationNode is a price for a period. UnitCode is the period as a UN/CEFACT code: MON for a month, ANN for a
// year.
type specificationNode struct {
	Type          string      `json:"@type"`
	Price         json.Number `json:"price"`
	PriceCurrency string      `json:"priceCurrency"`
	UnitCode      string      `json:"unitCode"`
}

// websiteNode describes the site. Only the home page's JSON-LD contains this node. Action is the site's search, or nil
// if the site has no search.
type websiteNode struct {
	Type      string            `json:"@type"`
	ID        string            `json:"@id"`
	Name      string            `json:"name"`
	URL       site.Ref          `json:"url"`
	Language  string            `json:"inLanguage"`
	Publisher reference         `json:"publisher"`
	Action    *searchActionNode `json:"potentialAction,omitempty"`
}

// searchActionNode describes the site's search. Target contains a URL template with a placeholder for the query, and
// Input declares this placeholder.
type searchActionNode struct {
	Type   string         `json:"@type"`
	Target entryPointNode `json:"target"`
	Input  string         `json:"query-input"`
}

type entryPointNode struct {
	Type     string `json:"@type"`
	Template string `json:"urlTemplate"`
}

const schemaContext = "https://schema.org"

func newGraph(r *Renderer) graph {
	var g graph
	g.organization, g.err = json.Marshal(r.organization())
	if g.err == nil {
		g.product, g.err = json.Marshal(r.product())
	}
	if g.err == nil {
		g.website, g.err = json.Marshal(r.website())
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
	switch look := r.theme.Look(); {
	case look.Logo != nil:
		node.Logo = r.absolute(look.Logo.Path)
	case look.Favicon != nil:
		node.Logo = r.absolute(look.Favicon.Path)
	}
	return node
}

func (r *Renderer) product() productNode {
	product, by := &r.site.Product, r.organizationID()
	node := productNode{
		Type: cmp.Or(product.SchemaType, "Product"), ID: r.site.Config.BaseURL + "/#product",
		Name: product.Name, URL: product.URL, Description: product.Description,
	}
	switch node.Type {
	case "Product":
		node.Brand = &by
	case "Service":
		node.Provider = &by
	default: // kinds of software
		node.Publisher, node.Features = &by, product.Capabilities
		node.Category, node.System = product.ApplicationCategory, product.OperatingSystem
	}
	for _, a := range product.Audience {
		node.Audience = append(node.Audience, audienceNode{"Audience", a})
	}
	for _, plan := range product.Pricing.Plans {
		price, currency := json.Number(plan.MonthlyPrice), product.Pricing.Currency
		month := specificationNode{"UnitPriceSpecification", price, currency, "MON"}
		offer := offerNode{
			Type: "Offer", Name: plan.Name, Description: r.offered(&plan),
			Price: price, PriceCurrency: currency, URL: product.Pricing.URL, Specification: month,
		}
		if scheme, _ := site.Scheme(plan.Link); site.IsWebScheme(scheme) {
			offer.URL = plan.Link
		}
		if plan.YearlyPrice != "" {
			offer.Specification = []specificationNode{month, {"UnitPriceSpecification", json.Number(plan.YearlyPrice), currency, "ANN"}}
		}
		node.Offers = append(node.Offers, offer)
	}
	return node
}

func (r *Renderer) website() websiteNode {
	home := r.url(r.site.At("/"))
	node := websiteNode{
		Type: "WebSite", ID: string(home) + "#website", Name: r.site.Config.Title, URL: home,
		Language: r.site.Config.Language, Publisher: r.organizationID(),
	}
	if r.siteView.HasSearch {
		target := entryPointNode{"EntryPoint", string(r.url(r.site.At(plan.SearchPath))) + "?q={query}"}
		node.Action = &searchActionNode{"SearchAction", target, "required name=query"}
	}
	return node
}

// offered returns a short description of a plan: the plan's note and the number of included credits.
func (r *Renderer) offered(plan *site.Plan) string {
	said := []string{}
	if plan.Note != "" {
		said = append(said, plaintext.OneLine(plan.Note))
	}
	if plan.IncludedCredits > 0 {
		said = append(said, r.word("creditsIncluded", "count", plan.IncludedCredits))
	}
	return strings.Join(said, " · ")
}

// describesProduct reports whether p's JSON-LD includes the product and its prices.
func (r *Renderer) describesProduct(p *site.Page) bool {
	return p.Local() == "/" || p.Layout == "pricing" || string(r.url(p.Path)) == r.site.Product.Pricing.URL
}

// write writes a page's graph as a data block. Browsers don't run data blocks, so the content security policy needn't
// allow them. The JSON escapes "<", ">", and "&", so no content can end the block.
func (g *graph) write(w *bytes.Buffer, r *Renderer, done *Rendered, asked []answered) error {
	p, page := done.Page, done.view.Page
	if g.err != nil {
		return fmt.Errorf("generating product metadata for search engines: %w", g.err)
	}
	w.WriteString(`<script type="application/ld+json">{"@context":"` + schemaContext + `","@graph":[`)
	w.Write(g.organization)
	if p.Local() == "/" {
		w.WriteByte(',')
		w.Write(g.website)
	}
	if r.describesProduct(p) {
		w.WriteByte(',')
		w.Write(g.product)
	}
	if len(page.Languages) > 0 {
		r.writeWebPage(w, page)
	}
	if p.Layout == "post" {
		r.writePosting(w, done)
	}
	if page.Profile != nil {
		r.writeProfile(w, page)
	}
	if len(asked) > 0 {
		writeQuestions(w, page, asked)
	}
	if len(page.Breadcrumbs) > 0 {
		writeBreadcrumbs(w, page, r.site.Config.Title)
	}
	w.WriteString("]}</script>\n")
	return nil
}

// writeWebPage writes a comma and the node that contains the page's language.
func (r *Renderer) writeWebPage(w *bytes.Buffer, page *view.Page) {
	w.WriteString(`,{"@type":"WebPage"`)
	o := object{w}
	o.text("@id", string(page.Canonical))
	o.text("url", string(page.Canonical))
	o.text("name", page.Title)
	o.text("inLanguage", r.site.Config.Language)
	w.WriteByte('}')
}

// writePosting writes a comma and the node of an article.
func (r *Renderer) writePosting(w *bytes.Buffer, done *Rendered) {
	p, page := done.Page, done.view.Page
	w.WriteString(`,{"@type":"BlogPosting"`)
	o := object{w}
	o.text("@id", string(page.Canonical)+"#article")
	o.text("headline", page.Title)
	o.optional("description", page.Description)
	o.text("url", string(page.Canonical))
	o.text("mainEntityOfPage", string(page.Canonical))
	o.optional("datePublished", dateTime(p.Date))
	o.optional("dateModified", dateTime(r.ownModified(p, done.share.ShowsFacts)))
	o.text("inLanguage", r.site.Config.Language)
	if len(p.Tags) > 0 {
		o.texts("keywords", p.Tags)
	}
	if page.Words > 0 {
		o.number("wordCount", page.Words)
	}
	o.optional("image", string(r.absolute(page.Image)))
	r.writeAuthors(o, page.Authors)
	o.name("publisher")
	o.writeReference(r.organizationID())
	w.WriteByte('}')
}

// writeAuthors writes the member author: an object for one author, a list for several authors, or a reference to the
// organization if there are no authors.
func (r *Renderer) writeAuthors(o object, authors []view.Author) {
	o.name("author")
	switch len(authors) {
	case 0:
		o.writeReference(r.organizationID())
		return
	case 1:
		r.writeAuthor(o, authors[0])
		return
	}
	o.WriteByte('[')
	for i, a := range authors {
		if i > 0 {
			o.WriteByte(',')
		}
		r.writeAuthor(o, a)
	}
	o.WriteByte(']')
}

func (r *Renderer) writeAuthor(o object, a view.Author) {
	kind := "Person"
	switch {
	case a.Name == r.site.Config.Title || a.Name == r.site.Product.Name:
		o.writeReference(r.organizationID())
		return
	case strings.Contains(strings.ToLower(a.Name), "team"):
		kind = "Organization"
	}
	r.writePerson(o, kind, a)
}

// writePerson writes an author. If the author has a page on this site, the member url is the URL of that page, and
// sameAs is the URL of the author's own website. Otherwise, url is the URL of the website, and there is no sameAs.
func (r *Renderer) writePerson(o object, kind string, a view.Author) {
	o.WriteString(`{"@type":"` + kind + `"`)
	o.text("name", a.Name)
	o.optional("url", string(r.authorURL(a)))
	if a.Path != "" {
		o.optional("sameAs", string(a.URL))
	}
	if a.Picture != nil {
		o.text("image", string(r.absolute(a.Picture.URL)))
	}
	o.WriteByte('}')
}

// writeProfile writes a comma and the node of an author's page.
func (r *Renderer) writeProfile(w *bytes.Buffer, page *view.Page) {
	w.WriteString(`,{"@type":"ProfilePage"`)
	o := object{w}
	o.text("url", string(page.Canonical))
	o.text("name", page.Title)
	o.name("mainEntity")
	r.writePerson(o, "Person", *page.Profile)
	w.WriteByte('}')
}

func (o object) writeReference(to reference) {
	o.WriteString(`{"@id":`)
	o.Write(appendText(o.AvailableBuffer(), to.ID))
	o.WriteByte('}')
}

// writeBreadcrumbs writes a comma and the breadcrumbs from the home page to page, including page itself. home is the
// name of the home page.
func writeBreadcrumbs(w *bytes.Buffer, page *view.Page, home string) {
	w.WriteString(`,{"@type":"BreadcrumbList","itemListElement":[`)
	for i, b := range page.Breadcrumbs {
		if i == 0 {
			// Use the site's title because the home page's own title is rarely suitable as a name.
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
