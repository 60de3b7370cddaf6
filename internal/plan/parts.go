package plan

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	texttemplate "text/template"

	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

const (
	// postsPerPart is the number of articles listed on each page of the blog.
	postsPerPart = 20
	// pagesPerTag is the number of pages listed on each page of a tag.
	pagesPerTag = 100
	// articlesPerFeed is the number of articles in the feed of a tag or an author.
	articlesPerFeed = 50
	// ListsFile is the theme's text file with the titles and descriptions of generated lists.
	ListsFile = "lists.txt"
	// listsSource is the Source of the pages of generated lists. Problems with such a page name this file.
	listsSource = "templates/text/" + ListsFile
)

// ListWords is the data for the templates in `text/lists.txt`.
type ListWords struct {
	// Title is the title of the list's first part, and Tag its tag.
	Title string // the title of the list's first page, for `part-title` and `part-description`
	Tag   string // the tag, if the list is for a tag
	// Author is the author's name, for `author-description`.
	Author string
	// Folder is the name of the listed folder, for `folder-title` and `folder-description`.
	Folder string
	Count  int // the number of listed pages
	Number int // the number of this page in the list, from 2, for `part-title` and `part-description`
	Parts  int // the number of pages that the list spans, for `part-title` and `part-description`
}

// ListTemplates returns the names of the templates that ListsFile defines.
func ListTemplates() []string {
	return []string{"tag-title", "tag-description", "author-description", "part-title", "part-description", "folder-title", "folder-description"}
}

// listPages returns the generated pages that list other pages: the later parts of the blog, and all parts of the list
// of each tag and author. If taken contains the path of a tag page or an author page, listPages generates no list
// there.
func listPages(words *texttemplate.Template, l *Lists, taken map[string]bool) ([]*site.Page, error) {
	m := listMaker{words: words}
	if blog := l.Pages[l.blog]; blog != nil {
		m.parts(blog, &site.List{Path: l.blog}, l.Posts, postsPerPart)
	}
	for _, t := range sortedTags(l.tags) {
		if taken[t.Path] {
			continue
		}
		words := ListWords{Tag: t.Name, Count: len(t.pages)}
		first := &site.Page{Path: t.Path, Title: m.text("tag-title", words), Description: m.text("tag-description", words)}
		list := &site.List{Path: t.Path, Tag: t.Name}
		m.add(first, list, 1, t.pages, pagesPerTag)
		m.parts(first, list, t.pages, pagesPerTag)
	}
	m.authorPages(l, taken)
	return m.pages, m.err
}

// listMaker creates the pages of lists.
type listMaker struct {
	words *texttemplate.Template
	pages []*site.Page
	err   error
}

// parts adds the pages for the parts of a list after its first part.
func (m *listMaker) parts(first *site.Page, list *site.List, pages []*site.Page, size int) {
	count := partsOf(len(pages), size)
	for n := 2; n <= count; n++ {
		words := ListWords{Title: first.Title, Tag: list.Tag, Count: len(pages), Number: n, Parts: count}
		m.add(&site.Page{
			Path: PartPath(list.Path, n), Title: m.text("part-title", words), Description: m.text("part-description", words),
			Unlisted: first.Unlisted,
		}, list, n, pages, size)
	}
}

func (m *listMaker) add(p *site.Page, list *site.List, number int, pages []*site.Page, size int) {
	own := *list
	own.Number, own.Parts = number, partsOf(len(pages), size)
	own.Pages = part(pages, number, size)
	p.Source, p.Text, p.Layout, p.List = listsSource, []byte{}, "list", &own
	m.pages = append(m.pages, p)
}

// text executes one of the templates of ListsFile.
func (m *listMaker) text(name string, words ListWords) string {
	if m.words == nil || m.err != nil {
		return ""
	}
	var out bytes.Buffer
	if m.err = m.words.ExecuteTemplate(stencil.Bounded(&out, m.words.Name()), name, words); m.err != nil {
		m.err = fmt.Errorf("executing a template in text/lists.txt: %w", m.err)
	}
	return oneLine(out.String())
}

// ListFeed returns the path of the feed for the page of a tag or an author, and the newest articles of that tag or
// author. The path is "" for other pages and if no listed page is an article.
func ListFeed(p *site.Page) (path string, articles []*site.Page) {
	if p.List == nil || p.List.Number != 1 || p.List.Tag == "" && p.List.Author == "" {
		return "", nil
	}
	for _, listed := range p.List.Pages {
		if isArticle(listed) && len(articles) < articlesPerFeed {
			articles = append(articles, listed)
		}
	}
	if len(articles) == 0 {
		return "", nil
	}
	return p.Path + AtomPath, articles
}

// partsOf returns the number of parts of a list, at least one.
func partsOf(pages, size int) int {
	return max(1, (pages+size-1)/size)
}

// part returns the pages in the part with the given number, which starts at 1.
func part(pages []*site.Page, number, size int) []*site.Page {
	return pages[min(len(pages), (number-1)*size):min(len(pages), number*size)]
}

// PartPath returns the path of the part with the given number, from 1, of a list whose first part is at first.
func PartPath(first string, number int) string {
	if number == 1 {
		return first
	}
	return strings.TrimSuffix(first, "/") + "/page/" + strconv.Itoa(number)
}
