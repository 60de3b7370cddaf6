package render

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

const (
	// llmsFolder holds the sections of llms.txt that are files of their own.
	llmsFolder = "/llms/"
	// llmsBudget is the size in characters that llms.txt, and each file that a
	// section of it moves to, stays under.
	llmsBudget = 50_000
)

// linkSection is an H2 section of llms.txt: nothing but links.
type linkSection struct {
	Title string
	Links []linkLine
	// slug names the section's files.
	slug  string
	pages []*site.Page
}

// linkLine is one link of llms.txt: "- [Title](URL): Note".
type linkLine struct {
	Title string
	URL   site.Ref
	Note  string
}

// String is the line as it is written, without its end.
func (l linkLine) String() string {
	if l.Note == "" {
		return "- [" + l.Title + "](" + string(l.URL) + ")"
	}
	return "- [" + l.Title + "](" + string(l.URL) + "): " + l.Note
}

// llms renders llms.txt. Where it would be too long, its longest sections move
// to files of their own until it is not.
func (r *Renderer) llms() ([]artifact.Resource, error) {
	data := textData{Sections: r.sections.list, Optional: r.optional(), LLMsFull: true}
	split := newSplitter(r)
	for {
		// No character takes more bytes.
		short := shortText{left: utf8.UTFMax * llmsBudget}
		err := r.writeText(&short, "llms.txt", data)
		if err != nil && !errors.Is(err, errLong) {
			return nil, err
		}
		if body := endedOnce(short.text.Bytes()); err == nil && utf8.RuneCount(body) < llmsBudget {
			return append(split.files, r.textFile(plan.LLMsPath, typeText, body)), nil
		}
		if !split.next(&data) {
			body, err := r.text("llms.txt", data)
			return append(split.files, r.textFile(plan.LLMsPath, typeText, body)), err
		}
	}
}

// shortText takes a text in while there are bytes left for it, not counting the ends
// of its lines: of a text that is too long the rest need not be made.
type shortText struct {
	text bytes.Buffer
	left int
}

var errLong = errors.New("the text is too long")

// Write implements io.Writer.
func (t *shortText) Write(text []byte) (int, error) {
	t.left -= len(text) - bytes.Count(text, []byte("\n"))
	if t.left < 0 {
		return 0, errLong
	}
	return t.text.Write(text)
}

// optional are the links that a reader who is short of space leaves out.
func (r *Renderer) optional() []linkLine {
	var links []linkLine
	if tags := r.lists.Pages[plan.TagsPath]; tags != nil && !tags.Unlisted {
		links = append(links, r.linkTo(tags))
	}
	for _, f := range r.feeds() {
		links = append(links, linkLine{Title: linkTitle(f.title), URL: r.url(f.path), Note: "the newest articles in full"})
	}
	for _, full := range r.sections.full {
		links = append(links, linkLine{
			Title: "Full text: " + full.title, URL: r.url(full.path), Note: "the text of this section in one file",
		})
	}
	return links
}

// linkTo is the line that leads to a page's Markdown.
func (r *Renderer) linkTo(p *site.Page) linkLine {
	return linkLine{
		Title: linkTitle(p.Title),
		URL:   r.url(p.MarkdownPath()),
		Note:  markdownText(oneLine(p.Description)),
	}
}

// linkTitle makes a title safe between brackets: the reference parser knows no
// escapes there.
func linkTitle(title string) string {
	if !strings.ContainsAny(title, "[]") {
		return oneLine(title)
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(title))
}

// sections are the parts that llms.txt and the page of the search divide a
// site's listed pages into.
type sections struct {
	list []linkSection
	// full collects the text of each, for the first fullSections of them.
	full []*fullText
	// of finds the text that a page belongs to, by the page's path.
	of map[string]*fullText
}

// fullSections is how many sections have a file with their whole text, so that
// what is collected for them stays bounded.
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
	if home := r.lists.Pages["/"]; home != nil && !home.Unlisted {
		pages.pages = append(pages.pages, home)
	}
	var others []linkSection
	for _, p := range r.navigated(r.lists.Children["/"]) {
		if p.Path == plan.TagsPath {
			continue
		}
		pages.pages = append(pages.pages, p)
		if p.Path == plan.BlogPath {
			continue
		}
		if below := r.lists.Descendants(p.Path); len(below) > 0 {
			others = append(others, linkSection{Title: linkTitle(p.Title), slug: p.Path[1:], pages: below})
		}
	}
	pages.pages = append(pages.pages, r.lists.Helpers...)
	others = append(others, r.orphans()...)
	if len(r.lists.Posts) > 0 {
		others = append(others, linkSection{Title: "Blog", slug: "blog", pages: append(slices.Clip(r.lists.Posts), r.lists.Descendants(plan.BlogPath)...)})
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
		place[item.page] = i - len(r.siteView.Navigation)
	}
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b *site.Page) int { return cmp.Compare(place[a.Path], place[b.Path]) })
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
		below := r.lists.Descendants(folder)
		if len(below) == 0 {
			continue
		}
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		found = append(found, linkSection{Title: linkTitle(name), slug: folder[1:], pages: below})
	}
	return found
}

// listed reports whether a page stands at a path and in the lists.
func (r *Renderer) listed(path string) bool {
	p := r.lists.Pages[path]
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

// splitter moves sections of llms.txt to files of their own, the longest first.
type splitter struct {
	r     *Renderer
	files []artifact.Resource
	// moved are the sections, by their titles, that are files already.
	moved map[string]bool
	// merged says that all sections have become one, the last resort.
	merged bool
}

func newSplitter(r *Renderer) *splitter {
	return &splitter{r: r, moved: make(map[string]bool)}
}

// next moves one more section, and reports whether there was one to move.
func (s *splitter) next(data *textData) bool {
	longest, length := -1, 0
	for i := range data.Sections {
		if n := data.Sections[i].length(); n > length && !s.moved[data.Sections[i].Title] {
			longest, length = i, n
		}
	}
	// A section of a line or two gains nothing by it.
	if longest < 0 || len(data.Sections[longest].Links) < 3 {
		return s.merge(data)
	}
	data.Sections = slices.Clone(data.Sections)
	section := &data.Sections[longest]
	section.Links = s.move(*section)
	s.moved[section.Title] = true
	return true
}

// merge makes one section of all, for sites with so many that their titles
// alone are too long.
func (s *splitter) merge(data *textData) bool {
	if s.merged || len(s.r.sections.list) < 2 {
		return false
	}
	whole := linkSection{Title: "Pages", slug: "all"}
	for _, section := range s.r.sections.list {
		whole.Links = append(whole.Links, section.Links...)
	}
	s.merged, s.files = true, nil
	whole.Links = s.move(whole)
	s.moved[whole.Title] = true
	data.Sections = []linkSection{whole}
	data.Optional = nil
	return true
}

// length is about how many characters a section takes.
func (s *linkSection) length() int {
	n := 0
	for _, l := range s.Links {
		n += utf8.RuneCountInString(l.String()) + 1
	}
	return n
}

// move writes a section to as many files as it needs, and returns the links
// that lead to them. The files are Markdown, as all that the lists lead to.
func (s *splitter) move(section linkSection) []linkLine {
	parts := section.parts(llmsBudget - 2000 - 2*utf8.RuneCountInString(s.r.site.Product.Description))
	var links []linkLine
	for i, lines := range parts {
		path, title := llmsFolder+section.slug+".md", section.Title
		if i > 0 {
			path = fmt.Sprintf("%s%s/%d.md", llmsFolder, section.slug, i+1)
		}
		if len(parts) > 1 {
			title = fmt.Sprintf("%s, part %d of %d", section.Title, i+1, len(parts))
		}
		path = s.r.freePath(path)
		var body strings.Builder
		fmt.Fprintf(&body, "# %s: %s\n\n> %s\n\nThis is a section of %s.\n\n## %s\n\n",
			markdownText(s.r.site.Config.Title), markdownText(title), markdownText(s.r.site.Product.Description), s.r.url(plan.LLMsPath), section.Title)
		for _, l := range lines {
			body.WriteString(l.String())
			body.WriteByte('\n')
		}
		s.files = append(s.files, s.r.textFile(path, typeMarkdown, []byte(body.String())))
		links = append(links, linkLine{Title: title, URL: s.r.url(path), Note: fmt.Sprintf("%d pages", len(lines))})
	}
	return links
}

// parts divides the links of a section so that each part has at most a budget
// of characters, and at least a line.
func (s *linkSection) parts(budget int) [][]linkLine {
	var parts [][]linkLine
	left := 0
	for _, l := range s.Links {
		n := utf8.RuneCountInString(l.String()) + 1
		if len(parts) == 0 || n > left {
			parts, left = append(parts, nil), budget
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], l)
		left -= n
	}
	return parts
}
