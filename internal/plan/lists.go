package plan

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/site"
)

// Lists contains the site's pages in one language, grouped into the blog, sections, tags, authors, series, and
// documentation, and sorted.
type Lists struct {
	// Posts are the blog's articles, newest first.
	Posts []*site.Page
	// Place maps an article's path to its index in Posts.
	Place map[string]int
	// Children maps a section's path to the listed pages directly under it, in display order.
	Children map[string][]*site.Page
	// Pages maps the path of each page to the page.
	Pages map[string]*site.Page
	// Helpers are the theme's pages about the JSON API and the tool. They aren't part of the site's sections,
	// regardless of their paths.
	Helpers []*site.Page
	// tags contains the tags, keyed by spelling as returned by foldTag.
	tags map[string]*Tag
	// authors contains all authors in authors.yaml, keyed by their keys in that file.
	authors map[string]*Author
	// writers lists the authors who have written pages, in the order of authors.yaml.
	writers []*Author
	// series contains the series, keyed by name as returned by foldTag.
	series map[string]*Series
	// nodes maps the paths of documentation pages to their nodes.
	nodes    map[string]*Node
	sections []*Section
	sidebars sidebars
	versions versions
	// home, blog, tagged, and people are the paths of the language's home page, blog, tags, and authors.
	home, blog, tagged, people string
	// foreign reports whether the language isn't the site's default language.
	foreign bool
}

// NewLists returns the lists of s, which must be a site in one language.
func NewLists(s *site.Site) *Lists {
	pages := s.Pages
	l := &Lists{
		home: s.At("/"), blog: s.At(BlogPath), tagged: s.At(TagsPath), people: s.At(AuthorsPath), foreign: s.Language != "", versions: versionsOf(s),
		Place:    make(map[string]int, len(pages)),
		Children: make(map[string][]*site.Page),
		Pages:    make(map[string]*site.Page, len(pages)),
	}
	newest := slices.Clone(pages)
	sortNewest(newest)
	var tagged sync.WaitGroup
	tagged.Go(func() { l.tags = newTags(l.versions.current(newest), l.tagged) })
	defer tagged.Wait()
	l.authors, l.writers = newAuthors(s.Authors, l.versions.current(newest), l.people)
	for _, p := range pages {
		l.Pages[p.Path] = p
	}
	for _, p := range newest {
		if p.Path != l.home && isArticle(p) {
			l.Place[p.Path] = len(l.Posts)
			l.Posts = append(l.Posts, p)
		}
	}
	for _, p := range pages {
		if p.Unlisted || p.Path == l.home || p.List != nil && p.Path != p.List.Path || isArticle(p) {
			continue
		}
		if IsHelper(p) {
			l.Helpers = append(l.Helpers, p)
			continue
		}
		parent := path.Dir(p.Path)
		if l.versions.split(parent, p) {
			continue
		}
		l.Children[parent] = append(l.Children[parent], p)
	}
	l.series = newSeries(l.Posts)
	for _, children := range l.Children {
		slices.SortFunc(children, inOrder)
	}
	l.newSections(pages, s.Sidebars)
	return l
}

// IsHelper reports whether p is one of the theme's helper pages, such as the page about the command-line tool. The
// theme's lists of articles, tags, and authors aren't helper pages.
func IsHelper(p *site.Page) bool {
	return p.Text != nil && strings.HasPrefix(p.Source, "templates/pages/") && !isOverview(p.Local())
}

// isOverview reports whether path is the path of the theme's page that lists all articles, all tags, or all authors.
func isOverview(path string) bool { return path == BlogPath || path == TagsPath || path == AuthorsPath }

// isArticle reports whether p is one of the blog's articles.
func isArticle(p *site.Page) bool {
	return p.IsPost() && !p.Unlisted && p.List == nil && p.Layout != "list"
}

// sortNewest sorts pages with newestFirst. It first copies the dates into one slice, so that most comparisons don't
// have to read the pages.
func sortNewest(pages []*site.Page) {
	type dated struct {
		seconds int64
		page    *site.Page
	}
	all := make([]dated, len(pages))
	for i, p := range pages {
		all[i] = dated{p.Date.Unix(), p}
	}
	slices.SortFunc(all, func(a, b dated) int {
		if a.seconds != b.seconds {
			return cmp.Compare(b.seconds, a.seconds)
		}
		return newestFirst(a.page, b.page)
	})
	for i := range all {
		pages[i] = all[i].page
	}
}

// newestFirst compares two pages for sorting: the newer page comes first, and pages with the same date are sorted by
// path.
func newestFirst(a, b *site.Page) int {
	// Compare paths only if necessary, because few dates are equal.
	if order := b.Date.Compare(a.Date); order != 0 {
		return order
	}
	return strings.Compare(a.Path, b.Path)
}

// inOrder compares two pages of a section for sorting. Pages with an Order come first, sorted by Order. Then come dated
// pages, newest first, and finally all other pages, sorted by title.
func inOrder(a, b *site.Page) int {
	if a.Order == 0 && b.Order != 0 {
		return 1
	}
	if a.Order != 0 && b.Order == 0 {
		return -1
	}
	if order := cmp.Or(cmp.Compare(a.Order, b.Order), b.Date.Compare(a.Date)); order != 0 {
		return order
	}
	return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Path, b.Path))
}

// List returns the part of a list that p shows, or nil if p shows no list. For the blog's main page, it returns the
// first part of the list of articles.
func (l *Lists) List(p *site.Page) *site.List {
	if p.List != nil || p.Path != l.blog {
		return p.List
	}
	return &site.List{Path: l.blog, Number: 1, Parts: partsOf(len(l.Posts), postsPerPart), Pages: part(l.Posts, 1, postsPerPart)}
}

// Below returns the pages that p lists: first the pages in the part of a list that p shows, and then the pages directly
// under p. A page with a later part of a list lists only the pages in that part. Below returns nil for the home page.
func (l *Lists) Below(p *site.Page) []*site.Page {
	if p.Path == l.home {
		return nil
	}
	list := l.List(p)
	if list == nil {
		return l.Children[p.Path]
	}
	if list.Number > 1 {
		return list.Pages
	}
	return append(slices.Clip(list.Pages), l.Children[p.Path]...)
}

// Around returns the articles published before and after p. previous is nil for the oldest article, and next is nil for
// the newest. Both are nil if p isn't an article.
func (l *Lists) Around(p *site.Page) (previous, next *site.Page) {
	i, ok := l.Place[p.Path]
	if !ok {
		return nil, nil
	}
	if i+1 < len(l.Posts) {
		previous = l.Posts[i+1]
	}
	if i > 0 {
		next = l.Posts[i-1]
	}
	return previous, next
}

// Above returns the pages on the path from the home page to p, starting with the home page and without p. It omits
// pages of documentation versions that don't contain p.
func (l *Lists) Above(p *site.Page) []*site.Page {
	var found []*site.Page
	for at := p.Path; at != l.home && at != "/"; {
		at = path.Dir(at)
		if parent, ok := l.Pages[at]; ok && !l.versions.split(at, p) {
			found = append(found, parent)
		}
	}
	slices.Reverse(found)
	return found
}

// Descendants returns all listed pages at any depth under path. Each page is followed by its own descendants.
func (l *Lists) Descendants(path string) []*site.Page {
	var pages []*site.Page
	for _, p := range l.Children[path] {
		pages = append(append(pages, p), l.Descendants(p.Path)...)
	}
	return pages
}
