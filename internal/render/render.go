// Package render turns a site into artifacts: each page into its HTML and its Markdown twin, the product into the JSON
// API, and all pages together into llms.txt, the sitemap, and the other public files. Identical input produces
// identical output, a page's two representations state the same facts, and no output contains any part of a draft or a
// scheduled page.
package render

import (
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/image"
	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render/theme"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// Renderer renders the pages of one site. Page is safe for concurrent use.
//
// A site in several languages has one Renderer for each language. The default language's renderer owns the renderers of
// the other languages and passes each page to the renderer of the page's language.
type Renderer struct {
	*shared
	site  *site.Site
	index *site.Index
	theme *theme.Theme
	lists *plan.Lists
	dates Dates
	// siteView is the site's view for pages outside the navigation.
	siteView view.Site
	// current contains the site's views for pages in the navigation and for the pages under such pages.
	current current
	// entryPages contains, for each navigation entry, the path of the page that the entry links to. The path is "" if
	// the entry links to something other than a page of the site.
	entryPages []string
	// products contains the facts for this language's templates.
	products products
	// trees contains the hashes of the sidebars, which are part of the hash that Depends returns.
	trees trees
	// reference is the JSON API's reference for templates.
	reference *openapi.Reference
	sections  sections
	images    socialImages
	// meta contains the parts of <head> that all pages share, and fields contains the header fields that all pages
	// share. Both are generated only once.
	meta   metadata
	fields pageFields
	// layouts contains the templates of pages.
	layouts  theme.Layouts
	searcher *searcher
	buffers  buffers
	// writers is a pool of *codec.Writer for Depends.
	writers sync.Pool

	// turn is the number of pages whose text has been collected.
	turn int
	// full collects the site's text for llms-full.txt.
	full fullText
	// articles maps the paths of the articles in the feeds to functions that return their texts.
	articles map[string]func() (record.Texts, error)
	// searchIndex collects the entries of the search index.
	searchIndex searchIndex
	// factual is the set of collected pages that show the facts.
	factual map[*site.Page]bool
	// contentKey hashes the articles in the feeds. factualKey hashes the paths of the pages that show the facts.
	contentKey, factualKey *xxhash.Digest
}

// shared is the state common to the renderers of all languages.
type shared struct {
	Options
	// lastFile reads a public file of the previous build. It is nil unless the current build differs from that build
	// only in the text of pages; see Begin.
	lastFile func(name string) ([]byte, error)

	// own is the default language's renderer.
	own *Renderer
	// languages are the renderers of the other languages, in the order of the settings.
	languages []*Renderer
	// whole is the site with the pages of all languages.
	whole *site.Site
	// names contains the names of the site's languages. It is nil if the site has only one language.
	names []string
	// kept is the set of paths that freePath has reserved for the files of sections in llms.txt.
	kept map[string]bool
	// owners maps the key of each social image to the page that publishes the image; see socialImages.
	owners map[uint64]*site.Page
}

// Options are a renderer's data sources other than the site. They must be safe for concurrent use.
type Options struct {
	// Cache stores social images between builds. It may be nil.
	Cache Cache
	// Images returns the site's images. It is nil if templates don't need the images.
	Images func() *image.Gallery
}

// Begin sets lastFile, the function that reads a public file of the previous build. lastFile must be nil unless the
// site differs from that build only in the text of pages. Begin must be called before the first page is collected.
func (r *Renderer) Begin(lastFile func(name string) ([]byte, error)) {
	r.lastFile = lastFile
	for _, one := range append(slices.Clip(r.languages), r) {
		one.searchIndex.updates = lastFile != nil
	}
}

// New returns a renderer for s, which plan.Complete must have completed. index returns the index of s. New calls index
// only after sorting the pages, so that the caller can create the index in parallel with the sorting.
func New(s *site.Site, index func() *site.Index, t *theme.Theme, dates Dates, options Options) *Renderer {
	all := &shared{Options: options, whole: s, names: languageNames(s), kept: make(map[string]bool), owners: make(map[uint64]*site.Page)}
	var lists []*plan.Lists
	for _, v := range s.Views() {
		lists = append(lists, plan.NewLists(v))
	}
	known := index()
	for i, v := range s.Views() {
		r := newRenderer(all, v, lists[i], known, t.In(v.Language), dates)
		if i > 0 {
			all.languages = append(all.languages, r)
		}
	}
	return all.own
}

func newRenderer(all *shared, s *site.Site, lists *plan.Lists, index *site.Index, t *theme.Theme, dates Dates) *Renderer {
	r := &Renderer{
		shared: all, site: s, index: index, theme: t, lists: lists, dates: dates, factual: make(map[*site.Page]bool),
		full: fullText{path: s.At(plan.LLMsFullPath), budget: fullBudget}, articles: make(map[string]func() (record.Texts, error)),
		searchIndex: newSearchIndex(&s.Config), contentKey: xxhash.New(), factualKey: xxhash.New(),
	}
	if all.own == nil {
		all.own = r
	}
	r.siteView = r.newSiteView()
	r.current = newCurrent(&r.siteView, r.entryPages, r.lists)
	r.products = newProducts(r)
	r.trees = newTrees(r.lists)
	r.reference = openapi.NewReference(all.own.site)
	r.reference.Foreign = !t.English()
	r.sections = newSections(r)
	r.images = newSocialImages(r)
	r.meta = newMetadata(r)
	r.fields = newPageFields(r)
	r.layouts = t.Layouts(s, &r.siteView, &r.products.html, &r.products.markdown)
	r.searcher = newSearcher(s)
	return r
}

// in returns the renderer for p's language, or the default language's renderer if the site doesn't have p's language.
func (r *Renderer) in(p *site.Page) *Renderer {
	if p.Language == r.site.Language {
		return r
	}
	for _, other := range append(slices.Clip(r.languages), r.own) {
		if other.site.Language == p.Language {
			return other
		}
	}
	return r.own
}

// url returns the absolute URL of a decoded path.
func (r *Renderer) url(path string) site.Ref { return r.absolute(site.RefTo(path)) }

// absolute prepends the site's base URL to a reference on the site.
func (r *Renderer) absolute(ref site.Ref) site.Ref { return ref.Absolute(r.site.Config.BaseURL) }

func (r *Renderer) word(key string, values ...any) string { return r.theme.Word(key, values...) }
