package render

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/site"
)

// newest is how many articles the home page shows.
const newest = 3

// lists are the orders in which pages refer to each other, made once for a site.
type lists struct {
	// posts are the blog's articles, newest first.
	posts []*site.Page
	// place is the place of an article in posts, by its path.
	place map[string]int
	// children are the listed pages below each section.
	children map[string][]*site.Page
	pages    map[string]*site.Page
	// topics are the tags, by their folded spelling.
	topics map[string]*topic
}

func newLists(pages []*site.Page) *lists {
	l := &lists{
		place:    make(map[string]int, len(pages)),
		children: make(map[string][]*site.Page),
		pages:    make(map[string]*site.Page, len(pages)),
	}
	var topics sync.WaitGroup
	topics.Go(func() { l.topics = newTopics(pages) })
	defer topics.Wait()
	for _, p := range pages {
		l.pages[p.Path] = p
	}
	for _, p := range pages {
		if p.Unlisted || p.Path == "/" || p.List != nil && p.Path != p.List.Path {
			continue
		}
		if isArticle(p) {
			l.posts = append(l.posts, p)
			continue
		}
		parent := path.Dir(p.Path)
		l.children[parent] = append(l.children[parent], p)
	}
	slices.SortFunc(l.posts, newestFirst)
	for i, p := range l.posts {
		l.place[p.Path] = i
	}
	for _, children := range l.children {
		slices.SortFunc(children, inOrder)
	}
	return l
}

// isArticle reports whether a page is one of the blog's articles.
func isArticle(p *site.Page) bool {
	return p.IsPost() && !p.Unlisted && p.List == nil && p.Layout != "list"
}

// newestFirst sorts articles.
func newestFirst(a, b *site.Page) int {
	return cmp.Or(b.Date.Compare(a.Date), strings.Compare(a.Path, b.Path))
}

// inOrder sorts the pages of a section: those with an order by it, then the
// others, dated ones newest first, by title.
func inOrder(a, b *site.Page) int {
	if (a.Order == 0) != (b.Order == 0) {
		return cmp.Compare(b.Order, a.Order)
	}
	return cmp.Or(cmp.Compare(a.Order, b.Order), b.Date.Compare(a.Date),
		strings.Compare(a.Title, b.Title), strings.Compare(a.Path, b.Path))
}

// list is what a page lists a part of; nil for a page without parts.
func (l *lists) list(p *site.Page) *site.List {
	if p.List != nil || p.Path != blogPath {
		return p.List
	}
	return &site.List{Path: blogPath, Number: 1, Parts: partsOf(len(l.posts), postsPerPart), Pages: part(l.posts, 1, postsPerPart)}
}

// below returns the pages that a section's page lists.
func (l *lists) below(p *site.Page) []*site.Page {
	if p.Path == "/" {
		return nil
	}
	list := l.list(p)
	if list == nil {
		return l.children[p.Path]
	}
	if list.Number > 1 {
		return list.Pages
	}
	return append(slices.Clip(list.Pages), l.children[p.Path]...)
}

// around returns the articles before and after one in time, nil where it is
// the first or the last.
func (l *lists) around(p *site.Page) (previous, next *site.Page) {
	i, ok := l.place[p.Path]
	if !ok {
		return nil, nil
	}
	if i+1 < len(l.posts) {
		previous = l.posts[i+1]
	}
	if i > 0 {
		next = l.posts[i-1]
	}
	return previous, next
}

// above returns the pages that lead to one, from the home page down.
func (l *lists) above(p *site.Page) []*site.Page {
	var found []*site.Page
	for at := p.Path; at != "/"; {
		at = path.Dir(at)
		if parent, ok := l.pages[at]; ok {
			found = append(found, parent)
		}
	}
	slices.Reverse(found)
	return found
}
