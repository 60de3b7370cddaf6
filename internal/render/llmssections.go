package render

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/site"
)

// sections are the parts that llms.txt and the page of the search divide a
// site's listed pages into.
type sections struct {
	list []linkSection
	// full gathers the text of each, for the first fullSections of them.
	full []*fullText
	// of finds the text that a page belongs to, by the page's path.
	of map[string]*fullText
}

// fullSections is how many sections have a file with their whole text, so that
// what is gathered for them stays bounded.
const fullSections = 24

func newSections(r *Renderer) sections {
	s := sections{list: r.linkSections(), of: make(map[string]*fullText)}
	for i := range s.list {
		section := &s.list[i]
		for _, p := range section.pages {
			section.Links = append(section.Links, r.linkTo(p))
		}
		if i >= fullSections {
			continue
		}
		full := &fullText{title: section.Title, path: r.freePath(llmsFolder + section.slug + "-full.txt"), budget: sectionBudget}
		s.full = append(s.full, full)
		for _, p := range section.pages {
			s.of[p.Path] = full
		}
	}
	return s
}

// linkSections groups the listed pages: the site's top-level pages, then a
// section for each folder, both in the order of the navigation, and the blog
// last. Lists that the build makes are in none.
func (r *Renderer) linkSections() []linkSection {
	pages := linkSection{Title: "Pages", slug: "pages"}
	if home := r.lists.pages["/"]; home != nil && !home.Unlisted {
		pages.pages = append(pages.pages, home)
	}
	var others []linkSection
	for _, p := range r.navigated(r.lists.children["/"]) {
		if p.Path == tagsPath {
			continue
		}
		pages.pages = append(pages.pages, p)
		if p.Path == blogPath {
			continue
		}
		if below := r.lists.descendants(p.Path); len(below) > 0 {
			others = append(others, linkSection{Title: linkTitle(p.Title), slug: p.Path[1:], pages: below})
		}
	}
	others = append(others, r.orphans()...)
	if len(r.lists.posts) > 0 {
		others = append(others, linkSection{Title: "Blog", slug: "blog", pages: append(slices.Clip(r.lists.posts), r.lists.descendants(blogPath)...)})
	}
	all := []linkSection{pages}
	if len(pages.pages) == 0 {
		all = nil
	}
	return distinct(append(all, others...))
}

// navigated puts the pages that the navigation leads to first, in its order.
func (r *Renderer) navigated(pages []*site.Page) []*site.Page {
	place := make(map[string]int)
	for i, item := range r.siteView.Navigation {
		place[item.Path] = i - len(r.siteView.Navigation)
	}
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b *site.Page) int { return cmp.Compare(place[a.Path], place[b.Path]) })
	return pages
}

// descendants are all pages below a path, in order.
func (l *lists) descendants(path string) []*site.Page {
	var pages []*site.Page
	for _, p := range l.children[path] {
		pages = append(append(pages, p), l.descendants(p.Path)...)
	}
	return pages
}

// orphans are sections for folders that have no page of their own.
func (r *Renderer) orphans() []linkSection {
	var found []linkSection
	seen := make(map[string]bool)
	for _, p := range r.site.Pages {
		folder := p.Path[:strings.LastIndexByte(p.Path, '/')]
		if p.Unlisted || p.List != nil || folder == "" || p.IsPost() || seen[folder] || r.listed(folder) {
			continue
		}
		seen[folder] = true
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		found = append(found, linkSection{Title: linkTitle(name), slug: folder[1:], pages: r.lists.descendants(folder)})
	}
	return found
}

// listed reports whether a page stands at a path and in the lists.
func (r *Renderer) listed(path string) bool {
	p := r.lists.pages[path]
	return p != nil && !p.Unlisted
}

// distinct gives each section a title of its own: parsers of llms.txt know a
// section by its title, and "Optional" by its meaning.
func distinct(all []linkSection) []linkSection {
	taken := map[string]bool{"Optional": true}
	for i := range all {
		if s := &all[i]; taken[s.Title] || s.Title == "" {
			s.Title = strings.TrimSpace(s.Title + " (/" + linkTitle(s.slug) + ")")
		}
		taken[all[i].Title] = true
	}
	return all
}

// freePath returns a path at which nothing else answers, like the one given,
// and keeps it.
func (r *Renderer) freePath(path string) string {
	stem, extension := splitExtension(path)
	for r.index.Has(path) || r.kept[path] {
		stem += "-"
		path = stem + extension
	}
	r.kept[path] = true
	return path
}
