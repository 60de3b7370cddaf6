package render

import (
	"slices"
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/theme"
	"vitrine/internal/site"
)

// products contains the product's facts for the templates in one language.
type products struct {
	// html contains the facts for HTML pages. Links to pages of the site point to the translations of these pages, if
	// they exist.
	html site.Product
	// markdown contains the facts for Markdown twins. The URLs of links are unchanged from product.yaml.
	markdown site.Product
}

// newProducts returns the product in the renderer's language. The title of a link derives from the link's key, which is
// usually English. Therefore, in other languages, a link to a page of the site has the title of that page instead.
func newProducts(r *Renderer) products {
	all := products{markdown: r.site.Product}
	all.markdown.Links = slices.Clone(all.markdown.Links)
	for i := range all.markdown.Links {
		link := &all.markdown.Links[i]
		link.Title = plaintext.Humanize(link.Key)
		if page := r.pageInLanguage(link.URL); page != nil && !r.theme.English() {
			link.Title = page.Title
		}
	}
	all.html = all.markdown
	p := &all.html
	p.Links, p.Pricing.Plans, p.Pricing.OnRequest = slices.Clone(p.Links), slices.Clone(p.Pricing.Plans), slices.Clone(p.Pricing.OnRequest)
	if p.GettingStarted != nil {
		started := *p.GettingStarted
		p.GettingStarted = &started
	}
	for _, address := range addressesOf(p) {
		*address = r.addressInLanguage(*address)
	}
	return all
}

// addressesOf returns pointers to the URLs in p that templates show as links.
func addressesOf(p *site.Product) []*string {
	all := []*string{&p.Pricing.URL}
	for i := range p.Links {
		all = append(all, &p.Links[i].URL)
	}
	for i := range p.Pricing.Plans {
		all = append(all, &p.Pricing.Plans[i].Link)
	}
	for i := range p.Pricing.OnRequest {
		all = append(all, &p.Pricing.OnRequest[i].Link)
	}
	if p.GettingStarted != nil {
		all = append(all, &p.GettingStarted.Demo)
	}
	return all
}

// pageInLanguage returns the translation of the page at address into the renderer's language. It returns nil if there
// is no such page or translation.
func (r *Renderer) pageInLanguage(address string) *site.Page {
	path := theme.Local(address, r.site.Config.BaseURL)
	if !strings.HasPrefix(path, "/") {
		return nil
	}
	target, err := r.index.Resolve(&site.Page{Path: r.site.At("/")}, path)
	if err != nil || target.Page == nil {
		return nil
	}
	return target.Page.In(r.site.Language)
}

// addressInLanguage returns the absolute URL of the translation of the page at address into the renderer's language. It
// omits the fragment, because translated headings have other anchors. If address points to another site or to an
// untranslated page, addressInLanguage returns address unchanged.
func (r *Renderer) addressInLanguage(address string) string {
	page := r.pageInLanguage(address)
	if page == nil || page == r.own.pageInLanguage(address) {
		return address
	}
	return string(r.url(page.Path))
}

// writeProduct adds the facts that depend on other pages, such as translated links, to the data that Depends hashes.
func writeProduct(w *codec.Writer, p *site.Product) {
	for _, address := range addressesOf(p) {
		w.Text(*address)
	}
	for _, link := range p.Links {
		w.Text(link.Title)
	}
}
