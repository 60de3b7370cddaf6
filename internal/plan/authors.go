package plan

import (
	"fmt"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// An Author is a person in authors.yaml, with the listed pages that this person has written.
type Author struct {
	*site.Author
	// Path is the path of the author's page, or "" if no listed page names the author.
	Path string
	// pages are the author's listed pages, newest first.
	pages []*site.Page
}

// Author returns the author with the given key, or nil if authors.yaml doesn't contain the key.
func (l *Lists) Author(key string) *Author { return l.authors[key] }

// newAuthors groups pages, which are sorted newest first, by their authors. It skips unlisted pages and lists. people
// are the authors in authors.yaml, and path is the parent path of the author pages. In the results, authors maps the
// keys of all people to their Authors, and wrote lists the Authors with pages, in the order of people.
func newAuthors(people []*site.Author, pages []*site.Page, path string) (authors map[string]*Author, wrote []*Author) {
	if len(people) == 0 {
		return nil, nil
	}
	authors = make(map[string]*Author, len(people))
	for _, a := range people {
		authors[a.Key] = &Author{Author: a}
	}
	for _, p := range pages {
		if p.Unlisted || p.List != nil {
			continue
		}
		for _, written := range p.Authors {
			a := authors[written.Target]
			if a == nil {
				continue
			}
			if n := len(a.pages); n == 0 || a.pages[n-1] != p {
				a.pages = append(a.pages, p)
			}
		}
	}
	for _, person := range people {
		if a := authors[person.Key]; len(a.pages) > 0 {
			a.Path = path + "/" + person.Key
			wrote = append(wrote, a)
		}
	}
	return authors, wrote
}

// authorPages adds the author pages, with all parts of their lists, for each author who has written pages. It skips
// authors whose paths are in taken.
func (m *listMaker) authorPages(l *Lists, taken map[string]bool) {
	for _, a := range l.writers {
		if taken[a.Path] {
			continue
		}
		words := ListWords{Title: a.Name, Author: a.Name, Count: len(a.pages)}
		about := a.Bio
		if about == "" || l.foreign {
			// Biographies are in the site's default language, so other languages use the theme's description.
			about = m.text("author-description", words)
		}
		first := &site.Page{Path: a.Path, Title: a.Name, Description: about}
		list := &site.List{Path: a.Path, Author: a.Key}
		m.add(first, list, 1, a.pages, pagesPerTag)
		m.parts(first, list, a.pages, pagesPerTag)
	}
}

// authorProblems reports hand-written pages that have the path of an author page as their path or as an alias.
func authorProblems(l *Lists, written []*site.Page) (problems []site.Problem) {
	if len(l.writers) == 0 {
		return nil
	}
	byPath := make(map[string]*Author, len(l.writers))
	for _, a := range l.writers {
		byPath[a.Path] = a
	}
	add := func(p *site.Page, at site.Pos, path string) {
		if a := byPath[path]; a != nil && p.Text == nil {
			problems = append(problems, site.Problem{Path: p.Source, Pos: at, Severity: site.Warning, Code: rule.Author,
				Text: fmt.Sprintf("%s is the address of the author page for %q in authors.yaml, which this page replaces; rename this page, or change the author's key", path, a.Key)})
		}
	}
	for _, p := range written {
		add(p, site.Pos{Line: 1, Col: 1}, p.Path)
		for _, alias := range p.Aliases {
			add(p, alias.Pos, alias.Path)
		}
	}
	return problems
}
