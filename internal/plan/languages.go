package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// translations sets the Translations of all pages that are translations of each other, and returns the mistakes in
// translationOf. Two pages in different languages are translations of each other if their paths within their languages
// are equal, or if the front matter of one page names the other as its original. The pages of tags and the later parts
// of lists have no translations, because their entries differ between languages. Each mistake is reported once, on the
// page that contains it. moved has the same meaning as for Complete.
func translations(s *site.Site, moved func(sources ...string) string) (problems []site.Problem) {
	wrong := func(p *site.Page, format string, args ...any) {
		problems = append(problems, site.Problem{Path: p.Source, Pos: p.TranslationOf.Pos, Severity: site.Error, Code: rule.Translation, Text: "translationOf: " + fmt.Sprintf(format, args...)})
	}
	said := slices.DeleteFunc(slices.Clone(s.Pages), func(p *site.Page) bool { return p.TranslationOf.Target == "" })
	if len(s.Languages) == 0 {
		for _, p := range said {
			wrong(p, "the site has only one language; add a language under languages: in site.yaml, or remove translationOf")
		}
		return problems
	}
	pages := make(map[string]*site.Page, len(s.Pages))
	for _, p := range s.Pages {
		pages[p.Path] = p
	}
	waiting := make(map[string]bool, len(s.Withheld))
	for _, p := range s.Withheld {
		waiting[string(site.RefTo(p.Path))] = true
	}
	// of maps translations to their originals. claimed maps each original to its translations, keyed by language.
	of := make(map[*site.Page]*site.Page)
	claimed := make(map[*site.Page]map[string]*site.Page)
	for _, p := range said {
		original, problem := original(p, pages)
		if pages[p.Translates()] == nil && !waiting[p.TranslationOf.Target] {
			if now := renamed(p.Translates(), s.Pages, moved); now != "" {
				problem = fmt.Sprintf("there is no page %s; did you mean %q?", p.TranslationOf.Target, now)
			}
		}
		if original == nil && waiting[p.TranslationOf.Target] {
			// The original is a draft or isn't due yet, so naming it isn't a mistake.
			continue
		}
		if problem == "" {
			other := claimed[original][p.Language]
			if byPath := pages[site.At(p.Language, original.Local())]; other == nil && byPath != nil && byPath != p && byPath.Text == nil && byPath.TranslationOf.Target == "" {
				other = byPath
			}
			if other != nil {
				problem = fmt.Sprintf("%s is already the translation of %s; a page can have only one translation per language", other.Source, original.Path)
			}
		}
		if problem != "" {
			wrong(p, "%s", problem)
			continue
		}
		of[p] = original
		if claimed[original] == nil {
			claimed[original] = make(map[string]*site.Page)
		}
		claimed[original][p.Language] = p
	}
	groups := make(map[string][]*site.Page)
	for _, p := range s.Pages {
		if p.List != nil && (p.List.Tag != "" || p.List.Number > 1) {
			continue
		}
		key := p.Local()
		if own := pages[key]; of[p] == nil && own != nil && of[own] != nil {
			// The page at the same path in the default language is itself a translation, so use that page's original.
			key = of[own].Local()
		} else if of[p] != nil {
			key = of[p].Local()
		}
		groups[key] = append(groups[key], p)
	}
	place := make(map[string]int)
	for i, v := range s.Languages {
		place[v.Language] = i
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		slices.SortFunc(group, func(a, b *site.Page) int {
			return cmp.Or(place[a.Language]-place[b.Language], cmp.Compare(len(a.Text), len(b.Text)))
		})
		// A hand-written page replaces the theme's page in the same language. It comes first in the group, because its
		// Text is nil.
		group = slices.CompactFunc(group, func(a, b *site.Page) bool { return a.Language == b.Language })
		if len(group) < 2 {
			continue
		}
		for _, p := range group {
			p.Translations = group
		}
	}
	return problems
}

// isTranslated reports whether one of the pages names the page at path as its original in its front matter.
func isTranslated(pages []*site.Page, path string) bool {
	return slices.ContainsFunc(pages, func(p *site.Page) bool { return p.Translates() == path })
}

// renamed returns the current path of the page that was formerly at path, or "" if the current path is unknown. The
// current page may have path as an alias, or moved may find the new name of its file.
func renamed(path string, pages []*site.Page, moved func(sources ...string) string) string {
	for _, p := range pages {
		if slices.ContainsFunc(p.Aliases, func(a site.Alias) bool { return a.Path == path }) {
			return p.Path
		}
	}
	if moved == nil {
		return ""
	}
	now := moved("content"+path+".md", "content"+path+"/index.md")
	if i := slices.IndexFunc(pages, func(p *site.Page) bool { return p.Source == now }); i >= 0 && now != "" {
		return pages[i].Path
	}
	return ""
}

// original returns the page that p names as its original. If p names a wrong page, original returns nil and a
// description of the problem. Otherwise, problem is "".
func original(p *site.Page, pages map[string]*site.Page) (of *site.Page, problem string) {
	target := p.TranslationOf.Target
	path := p.Translates()
	of = pages[path]
	switch {
	case of == nil:
		if near := suggest.Nearest(path, slices.Sorted(maps.Keys(pages))); near != "" {
			return nil, fmt.Sprintf("there is no page %s; did you mean %q?", target, near)
		}
		return nil, fmt.Sprintf("there is no page %s; write the path of the page that this one translates, such as /pricing", target)
	case of == p:
		return nil, fmt.Sprintf("%s is this page itself; write the path of the page that it translates", target)
	case of.Language == p.Language:
		return nil, fmt.Sprintf("%s is in the same language; write the path of a page in another language", target)
	case of.TranslationOf.Target != "":
		return nil, fmt.Sprintf("%s itself translates %s; write that path", target, of.TranslationOf.Target)
	case of.Language != "" && pages[of.Local()] != nil && pages[of.Local()].Text == nil:
		return nil, fmt.Sprintf("%s is itself the translation of %s; write that path", target, of.Local())
	}
	return of, ""
}

// translatedPaths returns the navigation that the settings define for language. If they define none, it returns the
// navigation of the default language, with each path replaced by the corresponding path in language.
func translatedPaths(s *site.Site, language string) []site.NavigationItem {
	for _, said := range s.Config.Languages {
		if said.Tag == language && said.Navigation != nil {
			return said.Navigation
		}
	}
	var items []site.NavigationItem
	for _, item := range s.Config.Navigation {
		if strings.HasPrefix(item.Path, "/") {
			item.Path = site.At(language, item.Path)
		}
		// The label is in the default language until localizeLinks replaces it.
		item.Language = s.Config.Language
		items = append(items, item)
	}
	return items
}

// localizeLinks makes the navigation and the footer of view, a language of s, point to pages in that language. It
// labels each link with the page's label in the sidebar or, if there is none, with the page's title. If a page has no
// translation, the navigation omits the link to the page, but the footer keeps it, because the law may require the
// link. A navigation or footer that the settings define for the language stays unchanged.
func localizeLinks(s, view *site.Site) {
	var said site.Language
	for _, l := range s.Config.Languages {
		if l.Tag == view.Language {
			said = l
		}
	}
	pages := make(map[string]*site.Page)
	for _, p := range s.Pages {
		if p.Language == "" && len(p.Translations) > 0 {
			pages[string(site.RefTo(p.Path))] = p
		}
	}
	leads := func(items []site.NavigationItem, keep bool) (led []site.NavigationItem) {
		for _, item := range items {
			// Drop the anchor and the query, because a translation has its own anchors.
			path, _, _ := strings.Cut(item.Path, "#")
			path, _, _ = strings.Cut(path, "?")
			if len(path) > 1 {
				path = strings.TrimSuffix(path, "/")
			}
			p := pages[path]
			if p == nil {
				// An author may write a path without percent-encoding.
				p = pages[string(site.RefTo(path))]
			}
			var there *site.Page
			if p != nil {
				there = p.In(view.Language)
			}
			switch {
			case there != nil:
				item.Path = string(site.RefTo(there.Path))
				if item.Label = there.Title; there.Sidebar != "" {
					item.Label = there.Sidebar
				}
				led = append(led, item)
			case keep || !strings.HasPrefix(item.Path, "/"):
				item.Language = view.OwnLanguage
				led = append(led, item)
			}
		}
		return led
	}
	if view.Config.Navigation = said.Navigation; said.Navigation == nil {
		view.Config.Navigation = leads(s.Config.Navigation, false)
	}
	if view.Config.Footer = said.Footer; said.Footer == nil {
		view.Config.Footer = leads(s.Config.Footer, true)
	}
}
