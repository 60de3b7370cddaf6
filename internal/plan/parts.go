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
	// postsPerPart is the maximum number of articles listed on one page of the blog.
	postsPerPart = 20
	// pagesPerTag is the maximum number of pages listed on one page of a tag or an author.
	pagesPerTag = 100
	// articlesPerFeed is the maximum number of articles in the feed of a tag or an author.
	articlesPerFeed = 50
	// ListsFile is the name of the theme's text file with the titles and descriptions of generated lists.
	ListsFile = "lists.txt"
	// listsSource is the Source of the pages of generated lists, so that problems with such a page name this file.
	listsSource = "templates/text/" + ListsFile
)

// ListWords is the data for the templates in `text/lists.txt`.
type ListWords struct {
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

// listPages returns the generated pages that list other pages: the later parts of the list of articles, and all parts
// of the list of each tag and each author. It skips tags and authors whose paths are in taken.
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

// A listMaker collects the generated pages of lists. words are the templates in ListsFile, or nil. err is the first
// error from a template.
type listMaker struct {
	words *texttemplate.Template
	pages []*site.Page
	err   error
}

// parts adds the pages for all parts of a list except the first. first is the page of the first part, pages are the
// listed pages in all parts, and size is the number of listed pages per part.
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

// add adds p as the page of one part of a list. number is the number of the part, from 1, pages are the listed pages in
// all parts, and size is the number of listed pages per part.
func (m *listMaker) add(p *site.Page, list *site.List, number int, pages []*site.Page, size int) {
	own := *list
	own.Number, own.Parts = number, partsOf(len(pages), size)
	own.Pages = part(pages, number, size)
	p.Source, p.Text, p.Layout, p.List = listsSource, []byte{}, "list", &own
	m.pages = append(m.pages, p)
}

// text executes the named template of ListsFile, and returns its output as a single line. It returns "" if the theme
// has no such file or an earlier template failed. If the template fails, text sets m.err.
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

// ListFeed returns the path of the feed of a tag or an author, and the feed's articles, newest first. p is the first
// page of the list of that tag or author. For all other pages, and if p lists no articles, path is "" and articles is
// nil.
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

// partsOf returns the number of parts, at least one, into which a list of the given number of pages is split. size is
// the number of listed pages per part.
func partsOf(pages, size int) int {
	return max(1, (pages+size-1)/size)
}

// part returns the pages in one part of a list. pages are the listed pages in all parts, number is the number of the
// part, from 1, and size is the number of listed pages per part.
func part(pages []*site.Page, number, size int) []*site.Page {
	return pages[min(len(pages), (number-1)*size):min(len(pages), number*size)]
}

// PartPath returns the path of one part of a list. first is the path of the first part, and number is the number of the
// part, from 1.
func PartPath(first string, number int) string {
	if number == 1 {
		return first
	}
	return strings.TrimSuffix(first, "/") + "/page/" + strconv.Itoa(number)
}
