// Package plan determines a site's pages and their paths before they are rendered: hand-written pages, the theme's
// pages, the parts of long lists, and a page for each tag and author. It also determines the order of pages in lists
// and in the documentation. It reads no files and executes no layouts.
package plan

import (
	"fmt"
	"slices"
	"strings"
	texttemplate "text/template"

	"vitrine/internal/site"
)

// A Theme contains the theme's pages and strings from which package plan generates pages.
type Theme struct {
	// Pages are the theme's pages. A site gets a theme page only if the site has no page or alias at the same path.
	Pages []Source
	// Words are the templates in ListsFile, or nil if the theme has no such file.
	Words *texttemplate.Template
	// Layouts are the sorted names of the layouts that pages may select, or nil if they are unknown.
	Layouts []string
	// Languages maps the tag of each language except the default language to the theme in that language.
	Languages map[string]Theme
}

// A Source is a theme page whose front matter hasn't been read.
type Source struct {
	// File is the page's file in the theme, and Path is its URL path.
	File, Path string
	Text       []byte
	// ShowsFacts reports whether the text contains facts of the product.
	ShowsFacts bool
}

// A Parse function reads the front matter of a theme page. name is the page's Source, and path is its path in the
// default language. If the page can't be used, the function returns a nil page and the problems with it.
type Parse func(name, path string, text []byte) (*site.Page, []site.Problem)

// Complete returns s with the theme's pages, such as the home page, the list of articles, the description of the JSON
// API, and the 404 page. It omits a theme page if the site has a page or an alias at the same path. It also adds
// generated lists: the later parts of the list of articles, a page for each tag and author, and an index page for each
// folder that needs one. Complete returns an error if a template in ListsFile fails.
//
// moved maps former names of a source to its current name, or to "" if the current name is unknown. moved may be nil.
func Complete(s *site.Site, theme Theme, parse Parse, moved func(sources ...string) string) (*site.Site, []site.Problem, error) {
	taken := make(map[string]bool)
	for _, p := range s.Pages {
		taken[p.Path] = true
		for _, a := range p.Aliases {
			taken[a.Path] = true
		}
	}
	problems := append(securityProblems(s), updateProblems(s)...)
	if len(s.Languages) == 0 {
		whole, more, err := complete(s, theme, parse, taken)
		if err != nil {
			return nil, nil, err
		}
		return whole, append(append(problems, more...), translations(whole, moved)...), nil
	}
	whole := *s
	whole.Languages = nil
	var added []*site.Page
	there := make(map[*site.Page]bool, len(s.Pages))
	for _, p := range s.Pages {
		there[p] = true
	}
	for _, v := range s.Languages {
		written, own := *v, theme
		if v.Language != "" {
			own = theme.Languages[v.Language]
			written.Config.Navigation = translatedPaths(s, v.Language)
		}
		written.Pages = pagesIn(s.Pages, v.Language)
		view, more, err := complete(&written, own, parse, taken)
		if err != nil {
			return nil, nil, err
		}
		problems = append(problems, more...)
		for _, p := range view.Pages {
			if !there[p] {
				added = append(added, p)
			}
		}
		whole.Languages = append(whole.Languages, view)
	}
	whole.Pages = merge(s.Pages, added)
	problems = append(problems, translations(&whole, moved)...)
	for _, v := range whole.Languages[1:] {
		localizeLinks(&whole, v)
	}
	return &whole, problems, nil
}

// pagesIn returns the pages whose Language is language.
func pagesIn(pages []*site.Page, language string) (in []*site.Page) {
	for _, p := range pages {
		if p.Language == language {
			in = append(in, p)
		}
	}
	return in
}

// complete is Complete for a site in one language. taken is the set of the paths and aliases of all hand-written pages,
// in every language. complete adds the paths of the theme's pages and of generated index pages to taken.
func complete(s *site.Site, theme Theme, parse Parse, taken map[string]bool) (*site.Site, []site.Problem, error) {
	own := findAny(s)
	whole := *s
	whole.Pages = slices.Clone(s.Pages)
	var problems []site.Problem
	for _, src := range theme.Pages {
		at := s.At(src.Path)
		if taken[at] || !own.want(src.Path) || !isFixed(src.Path) && isTranslated(s.Pages, src.Path) {
			continue
		}
		p, found := parse("templates/"+src.File, src.Path, src.Text)
		problems = append(problems, found...)
		if p != nil {
			p.Path, p.Language, p.ShowsFacts = at, s.Language, src.ShowsFacts
			if label := navigationLabel(s, at); isOverview(src.Path) && label != "" {
				p.Title = label
			}
			whole.Pages = append(whole.Pages, p)
		}
	}
	for _, p := range whole.Pages {
		taken[p.Path] = true
	}
	folders, err := folderPages(s, theme, s.Pages, taken)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range folders {
		taken[p.Path] = true
	}
	whole.Pages = append(whole.Pages, folders...)
	lists := NewLists(&whole)
	problems = append(problems, lists.sidebars.problems...)
	problems = append(problems, authorProblems(lists, s.Pages)...)
	generated, err := listPages(theme.Words, lists, taken)
	if err != nil {
		return nil, nil, err
	}
	redirectDocumentation(s, whole.Pages[len(s.Pages):], generated, taken)
	whole.Pages = merge(s.Pages, append(whole.Pages[len(s.Pages):], generated...))
	for _, p := range whole.Pages {
		p.Language = s.Language
		if IsNotFound(p) {
			p.Layout, p.Unlisted = "404", true
		}
		// Lists omit the search page and the pages of problem types, even if these pages are hand-written, because
		// readers find them through links in other places.
		p.Unlisted = p.Unlisted || IsSearch(p) || isProblem(p)
		if len(theme.Layouts) > 0 && !slices.Contains(theme.Layouts, p.Layout) {
			problems = append(problems, site.Problem{Path: p.Source, Pos: p.LayoutPos, Severity: site.Error,
				Text: fmt.Sprintf("unknown layout %q; the layouts are %s", p.Layout, strings.Join(theme.Layouts, ", "))})
		}
	}
	return &whole, problems, nil
}

// redirectDocumentation adds the former path of the JSON API's description as an alias to the theme's page with that
// description, unless another page or alias has the former path.
func redirectDocumentation(s *site.Site, added, generated []*site.Page, taken map[string]bool) {
	former := s.At(FormerDocumentation)
	if taken[former] || slices.ContainsFunc(generated, func(p *site.Page) bool { return p.Path == former }) {
		return
	}
	for _, p := range added {
		if p.Path == s.Config.Documentation {
			p.Aliases = append(p.Aliases, site.Alias{Path: former})
			taken[former] = true
		}
	}
}

// merge returns all pages of sorted and more, sorted by path. sorted must be sorted by path, and merge sorts more.
func merge(sorted, more []*site.Page) []*site.Page {
	byPath := func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(more, byPath)
	all := make([]*site.Page, 0, len(sorted)+len(more))
	for _, p := range more {
		n, _ := slices.BinarySearchFunc(sorted, p, byPath)
		all = append(append(all, sorted[:n]...), p)
		sorted = sorted[n:]
	}
	return append(all, sorted...)
}

// anyOf reports whether a site has any articles, whether it has any tags, and whether any authors have written pages.
type anyOf struct {
	article, tag, author bool
}

func findAny(s *site.Site) (a anyOf) {
	_, writers := newAuthors(s.Authors, s.Pages, "")
	a.author = len(writers) > 0
	for _, p := range s.Pages {
		a.article = a.article || isArticle(p)
		a.tag = a.tag || !p.Unlisted && p.List == nil && slices.ContainsFunc(p.Tags, func(tag string) bool { return foldTag(tag) != "" })
		if a.article && a.tag {
			break
		}
	}
	return a
}

// want reports whether the site needs the theme's page at path. The theme's lists of articles, tags, and authors are
// needed only if the site has articles, tags, or authors, respectively.
func (a anyOf) want(path string) bool {
	switch path {
	case BlogPath:
		return a.article
	case TagsPath:
		return a.tag
	case AuthorsPath:
		return a.author
	}
	return true
}

// Navigation returns the navigation that the site's settings define. If the settings define none, it returns the
// top-level pages in their display order, without the theme's lists of tags and authors.
func Navigation(s *site.Site, l *Lists) []site.NavigationItem {
	if len(s.Config.Navigation) > 0 {
		return s.Config.Navigation
	}
	var items []site.NavigationItem
	for _, p := range l.Children[l.home] {
		if (p.Path == l.tagged || p.Path == l.people) && p.Text != nil {
			continue
		}
		items = append(items, site.NavigationItem{Label: p.Title, Path: p.Path})
	}
	return items
}

// navigationLabel returns the label of the page at path in the navigation that the site's settings define. It returns
// "" if there is no such entry or the label is in another language.
func navigationLabel(s *site.Site, path string) string {
	for _, item := range s.Config.Navigation {
		if item.Path == path && item.Language == "" {
			return item.Label
		}
	}
	return ""
}

// oneLine replaces each run of white space with a single space and trims both ends.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
