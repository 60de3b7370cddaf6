// Package render turns a site into artifacts: a page into its HTML and its
// Markdown twin, the product into the JSON operation, and the whole into
// llms.txt, the sitemap and the other public files. It promises that equal
// input gives equal bytes, that a page's two representations state the same
// facts, and that nothing of a draft or of a scheduled page is in any of them.
package render

import (
	"html"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/image"
	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// Renderer renders the pages of one site. Page is safe for concurrent use.
type Renderer struct {
	// Cache keeps social images between builds; nil for none. It is set before
	// the first page is rendered.
	Cache Cache
	// Images are those of the site; nil where templates need not know of them.
	// It is set before the first page is rendered.
	Images *image.Gallery

	site  *site.Site
	index *site.Index
	theme *Theme
	lists *plan.Lists
	dates Dates
	// siteView is the site as pages see it that the navigation is not about,
	// current as the others do.
	siteView siteView
	current  current
	// trees are the hashes of the sidebars.
	trees trees
	// anchorLabel is what the link in a heading is called, as HTML.
	anchorLabel string
	// reference describes the JSON operation.
	reference *openapi.Reference
	sections  sections
	// kept are the paths of the files of sections.
	kept   map[string]bool
	images socialImages
	// What is the same on every page is made once.
	meta   metadata
	fields pageFields
	// layouts are what pages are set in.
	layouts  layouts
	searcher *searcher
	buffers  buffers
	// writers are *codec.Writer to use again, for what depends writes.
	writers sync.Pool

	// What Collect takes in: how many texts, the text of the site, the articles
	// of the feeds by their paths, and the records of the search.
	turn     int
	full     fullText
	contents map[string]string
	records  []string
	// factual has the pages that show the facts.
	factual map[*site.Page]bool
	// What the feeds and the search's index are made of, as hashes, and which pages show the facts.
	contentKey, recordKey, factualKey *xxhash.Digest
}

// New returns a renderer for a site that plan.Complete has completed. index
// returns the index of that site; it is asked once the pages are put in their
// orders, so that it can be made meanwhile.
func New(s *site.Site, index func() *site.Index, theme *Theme, dates Dates) *Renderer {
	r := &Renderer{
		site: s, theme: theme, lists: plan.NewLists(s.Pages), dates: dates, factual: make(map[*site.Page]bool),
		full: fullText{path: plan.LLMsFullPath, budget: fullBudget}, contents: make(map[string]string), kept: make(map[string]bool),
		contentKey: xxhash.New(), recordKey: xxhash.New(), factualKey: xxhash.New(),
	}
	r.index = index()
	r.siteView = r.newSiteView()
	r.current = newCurrent(&r.siteView, r.lists)
	r.trees = newTrees(r.lists)
	r.anchorLabel = anchorLabel(theme)
	r.reference = openapi.NewReference(s)
	r.sections = newSections(r)
	r.images = newSocialImages(r)
	r.meta = newMetadata(r)
	r.fields = newPageFields(r)
	r.layouts = newLayouts(r)
	r.searcher = newSearcher(s)
	return r
}

// url is the absolute URL of a decoded path.
func (r *Renderer) url(path string) site.Ref { return r.absolute(site.RefTo(path)) }

// absolute is a reference with the site's base.
func (r *Renderer) absolute(ref site.Ref) site.Ref { return ref.Absolute(r.site.Config.BaseURL) }

// anchorLabel is empty where the theme has no words for it, which a template of the theme reports.
func anchorLabel(theme *Theme) string {
	text, _ := theme.words.Text("anchor")
	return html.EscapeString(text)
}
