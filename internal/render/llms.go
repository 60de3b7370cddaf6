package render

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

const (
	// llmsFolder is the folder of the files that cover one section of llms.txt: the links of a moved section, or the
	// full text of a section's pages.
	llmsFolder = "/llms/"
	// llmsBudget is the exclusive maximum size in characters of llms.txt and of each file for a moved section.
	llmsBudget = 50_000
	// largeSection is the maximum number of a folder's pages that the site's llms.txt lists. A folder with more pages
	// has its own llms.txt, which covers the pages under the folder (llmstxt.org, version 2).
	largeSection = 100
	// listedTags is the maximum number of tags, or of authors, that llms.txt lists individually.
	listedTags = 40
)

// linkSection is a section of llms.txt with the pages that it links to.
type linkSection struct {
	view.LinkSection
	// slug is the section's name in the paths of the section's files.
	slug  string
	pages []*site.Page
	// folder is the path of the folder with the pages, or "" for top-level pages. overview is the path of the section's
	// llms.txt, or "" if there is none.
	folder, overview string
	// about is a sentence about the section for the beginning of the section's llms.txt, or "".
	about string
}

// llms renders llms.txt. If the file is too long, llms moves its sections to separate files, the longest first, until
// the file fits or no other section can move.
func (r *Renderer) llms() ([]artifact.Resource, error) {
	// Create the links only here, because a build that reuses the previous build's llms.txt doesn't need them.
	r.linkPages(r.sections.list)
	r.linkPages(r.sections.versions)
	split := newSplitter(r)
	data := view.TextFile{Optional: r.optional(), LLMsFull: true}
	for {
		data.Sections = split.lists()
		// Allow for the maximum number of bytes per character. The exact number of characters is checked below.
		short := shortText{left: utf8.UTFMax * llmsBudget}
		err := r.writeText(&short, "llms.txt", data)
		if err != nil && !errors.Is(err, errLong) {
			return nil, err
		}
		if body := endedOnce(short.text.Bytes()); err == nil && utf8.RuneCount(body) < llmsBudget {
			return append(split.all(), r.textFile(r.site.At(plan.LLMsPath), media.Text, body)), nil
		}
		if !split.next() {
			body, err := r.text("llms.txt", data)
			return append(split.all(), r.textFile(r.site.At(plan.LLMsPath), media.Text, body)), err
		}
	}
}

// linkPages sets the links of each section to links to the section's pages.
func (r *Renderer) linkPages(all []linkSection) {
	for i := range all {
		section := &all[i]
		section.Links = nil
		for _, p := range section.pages {
			section.Links = append(section.Links, r.linkTo(p))
		}
	}
}

// Overviews returns every file named llms.txt and the files of moved sections, in all languages. Overviews doesn't
// publish these files or reserve their paths.
func (r *Renderer) Overviews() ([]artifact.Resource, error) {
	kept := maps.Clone(r.kept)
	defer func() { r.kept = kept }()
	var all []artifact.Resource
	for _, in := range append([]*Renderer{r}, r.languages...) {
		files, err := in.llms()
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// Operation returns the JSON API and its aliases.
func (r *Renderer) Operation() ([]artifact.Resource, error) { return r.operation() }

// shortText collects text up to a limit in bytes, not counting line ends. When the limit is exceeded, Write returns
// errLong, which stops the template that generates the text.
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

// optional returns the links for the section "Optional" of llms.txt: tags, authors, other languages, old versions, and
// full text.
func (r *Renderer) optional() []view.LinkLine {
	var links []view.LinkLine
	for _, path := range []string{plan.TagsPath, plan.AuthorsPath} {
		overview := r.lists.Pages[r.site.At(path)]
		if overview == nil || overview.Unlisted {
			continue
		}
		links = append(links, r.linkTo(overview))
		// If there are too many tags or authors, link only to the overview page, which lists them.
		if each := r.lists.Below(overview); len(each) <= listedTags {
			for _, one := range each {
				links = append(links, r.linkTo(one))
			}
		}
	}
	links = append(links, r.otherOverviews()...)
	links = append(links, r.versionOverviews()...)
	for _, full := range r.sections.full {
		links = append(links, view.LinkLine{
			Title: r.word("llmsFull") + ": " + full.title, URL: r.url(full.path), Note: r.word("llmsSectionAbout"),
		})
	}
	return links
}

// linkTo returns a line for llms.txt that links to p's Markdown.
func (r *Renderer) linkTo(p *site.Page) view.LinkLine {
	return view.LinkLine{
		Title: linkTitle(p.Title),
		URL:   r.url(p.MarkdownPath()),
		Note:  plaintext.Markdown(plaintext.OneLine(p.Description)),
	}
}

// linkTitle formats title as link text for llms.txt. It replaces square brackets with parentheses because the reference
// parser of llms.txt doesn't support escapes.
func linkTitle(title string) string {
	if !strings.ContainsAny(title, "[]") {
		return plaintext.OneLine(title)
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(plaintext.OneLine(title))
}

// sections contains the groups of listed pages in llms.txt and on the search page.
type sections struct {
	list []linkSection
	// versions contains a section for each version of the documentation. Each of these sections has its own llms.txt.
	versions []linkSection
	// full contains, for each of the first fullSections sections, the collected text of the section's pages.
	full []*fullText
	// of maps the path of a page to the full text of the section that contains the page.
	of map[string]*fullText
	// overviews maps the folder of each large section and of each old version to the path of the folder's llms.txt.
	overviews map[string]string
}

// fullSections is the maximum number of sections with a full-text file. It limits the memory for collected text.
const fullSections = 24

func newSections(r *Renderer) sections {
	s := sections{list: r.linkSections(), of: make(map[string]*fullText), overviews: make(map[string]string)}
	s.versions = r.versionSections()
	for _, version := range s.old(&r.site.Config) {
		s.overviews[version.folder] = version.overview
	}
	for i := range s.list {
		section := &s.list[i]
		if section.folder != "" && len(section.pages) > largeSection {
			if i := s.version(section.folder); i >= 0 {
				section.overview = s.versions[i].overview
			} else {
				section.overview = r.freePath(section.folder + plan.LLMsPath)
			}
			s.overviews[section.folder] = section.overview
		}
		if i >= fullSections {
			continue
		}
		full := &fullText{title: section.Title, path: r.freePath(r.site.At(llmsFolder) + section.slug + "-full.md"), budget: sectionBudget}
		s.full = append(s.full, full)
		for _, p := range section.pages {
			s.of[p.Path] = full
		}
	}
	return s
}

// linkSections groups the listed pages into sections: one for the site's top-level pages, one for each folder, and, at
// the end, one for the blog. The top-level pages and the folders are in the order of the navigation. linkSections omits
// generated lists and old versions of the documentation.
func (r *Renderer) linkSections() []linkSection {
	pages := linkSection{LinkSection: view.LinkSection{Title: r.word("llmsPages")}, slug: "pages"}
	if home := r.lists.Pages[r.site.At("/")]; home != nil && !home.Unlisted {
		pages.pages = append(pages.pages, home)
	}
	var others []linkSection
	for _, p := range r.navigated(r.lists.Current(r.lists.Children[r.site.At("/")])) {
		if p.Local() == plan.TagsPath || p.Local() == plan.AuthorsPath {
			continue
		}
		pages.pages = append(pages.pages, p)
		if p.Local() == plan.BlogPath {
			continue
		}
		if below := r.lists.Current(r.lists.Descendants(p.Path)); len(below) > 0 {
			others = append(others, linkSection{LinkSection: view.LinkSection{Title: linkTitle(p.Title)}, slug: p.Local()[1:], pages: below, folder: p.Path})
		}
	}
	pages.pages = append(pages.pages, r.lists.Helpers...)
	others = append(others, r.orphans()...)
	if len(r.lists.Posts) > 0 {
		blog := r.site.At(plan.BlogPath)
		others = append(others, linkSection{LinkSection: view.LinkSection{Title: r.word("llmsBlog")}, slug: "blog", pages: append(slices.Clip(r.lists.Posts), r.lists.Descendants(blog)...), folder: blog})
	}
	all := []linkSection{pages}
	if len(pages.pages) == 0 {
		all = nil
	}
	return distinct(append(all, others...))
}

// navigated returns pages in a new order: first the pages in the navigation, in the navigation's order, and then the
// other pages in their original order.
func (r *Renderer) navigated(pages []*site.Page) []*site.Page {
	place := make(map[string]int)
	for i, page := range r.entryPages {
		place[page] = i - len(r.entryPages)
	}
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b *site.Page) int { return cmp.Compare(place[a.Path], place[b.Path]) })
	return pages
}

// orphans returns a section for each folder without a listed index page. No other section contains the pages of such a
// folder.
func (r *Renderer) orphans() []linkSection {
	var found []linkSection
	seen := make(map[string]bool)
	for _, p := range r.lists.Current(r.site.Pages) {
		folder := p.Path[:strings.LastIndexByte(p.Path, '/')]
		local := p.Local()[:strings.LastIndexByte(p.Local(), '/')]
		if p.Unlisted || p.List != nil || local == "" || p.IsPost() || seen[folder] || r.listed(folder) {
			continue
		}
		seen[folder] = true
		below := r.lists.Current(r.lists.Descendants(folder))
		if len(below) == 0 {
			continue
		}
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		found = append(found, linkSection{LinkSection: view.LinkSection{Title: linkTitle(name)}, slug: local[1:], pages: below, folder: folder})
	}
	return found
}

// listed reports whether there is a listed page at path.
func (r *Renderer) listed(path string) bool {
	p := r.lists.Pages[path]
	return p != nil && !p.Unlisted
}

// distinct makes the titles of sections unique and different from "Optional". Parsers of llms.txt identify sections by
// their titles and treat a section called "Optional" differently.
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

// freePath reserves and returns the path wanted. If wanted is already in use, it inserts hyphens before the extension
// until the path is unused.
func (r *Renderer) freePath(wanted string) string {
	extension := path.Ext(wanted)
	stem := strings.TrimSuffix(wanted, extension)
	for r.index.Has(wanted) || r.kept[wanted] {
		stem += "-"
		wanted = stem + extension
	}
	r.kept[wanted] = true
	return wanted
}

// overview returns the path of the llms.txt that covers p: the llms.txt of the nearest folder that has one, or the
// site's llms.txt if no folder has one.
func (r *Renderer) overview(p *site.Page) string {
	for folder := p.Path; len(r.sections.overviews) > 0 && folder != ""; folder = folder[:strings.LastIndexByte(folder, '/')] {
		if path := r.sections.overviews[folder]; path != "" {
			return path
		}
	}
	return r.site.At(plan.LLMsPath)
}
