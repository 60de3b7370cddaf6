package plan

import (
	"cmp"
	"slices"

	"vitrine/internal/site"
)

// A Series is a named sequence of articles.
type Series struct {
	// Name is the name of the series, spelled as in its oldest article.
	Name string
	// Parts are the articles, oldest first.
	Parts []*site.Page
}

// Series returns the series that contains p, or nil if p isn't in a series or is the only article in its series.
func (l *Lists) Series(p *site.Page) *Series {
	if p.Series == "" {
		return nil
	}
	s := l.series[foldTag(p.Series)]
	if s == nil || len(s.Parts) < 2 || !slices.Contains(s.Parts, p) {
		return nil
	}
	return s
}

// newSeries groups posts, which are sorted newest first, into series. Names that differ only in case or white space
// identify the same series. The result is keyed by name as returned by foldTag.
func newSeries(posts []*site.Page) map[string]*Series {
	all := make(map[string]*Series)
	for _, p := range slices.Backward(posts) {
		name := foldTag(p.Series)
		if name == "" {
			continue
		}
		if all[name] == nil {
			all[name] = &Series{Name: oneLine(p.Series)}
		}
		all[name].Parts = append(all[name].Parts, p)
	}
	return all
}

const (
	// related is the maximum number of related articles.
	related = 3
	// relatedPerTag is the maximum number of pages per tag that Related considers. It considers the newest pages.
	relatedPerTag = 50
)

// Related returns up to three articles that share the most tags with p, except articles in the same series. Articles
// that share the same number of tags are sorted newest first. Related returns nil if p isn't an article.
func (l *Lists) Related(p *site.Page) []*site.Page {
	if _, ok := l.Place[p.Path]; !ok || len(p.Tags) == 0 {
		return nil
	}
	type match struct {
		page   *site.Page
		shared int
	}
	var found []match
	series := foldTag(p.Series)
	for i, tag := range p.Tags {
		t := l.Tag(tag)
		if t == nil || slices.ContainsFunc(p.Tags[:i], func(before string) bool { return l.Tag(before) == t }) {
			continue
		}
		for _, other := range t.pages[:min(len(t.pages), relatedPerTag)] {
			if other == p || !isArticle(other) || series != "" && foldTag(other.Series) == series {
				continue
			}
			if n := slices.IndexFunc(found, func(m match) bool { return m.page == other }); n >= 0 {
				found[n].shared++
			} else {
				found = append(found, match{other, 1})
			}
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), newestFirst(a.page, b.page))
	})
	var pages []*site.Page
	for _, m := range found[:min(len(found), related)] {
		pages = append(pages, m.page)
	}
	return pages
}
