package render

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

const (
	llmsPath     = "/llms.txt"
	llmsFullPath = "/llms-full.txt"
	// llmsBudget is the size of llms.txt, in characters, above which its
	// sections move to files of their own.
	llmsBudget = 50_000
	// llmsFullBudget is the size of llms-full.txt, in bytes, above which pages
	// are left out of it and named at its end.
	llmsFullBudget = 4 << 20
)

// textData is what the plain-text files of a theme are executed with.
type textData struct {
	Site     *siteView
	Product  *site.Product
	Sections []linkSection
	Optional []linkLine
	LLMsFull bool

	// For robots.txt.
	Sitemap string
	Signals string
	Agents  []string

	// For security.txt.
	Contact, Expires, Canonical, Language string
}

// linkSection is an H2 section of llms.txt: nothing but links.
type linkSection struct {
	Title string
	Links []linkLine
}

// linkLine is one link of llms.txt: "- [Title](URL): Note".
type linkLine struct {
	Title, URL, Note string
}

// text executes a plain-text file of the theme. Its lines end with LF, and it
// ends with one.
func (r *Renderer) text(name string, data textData) ([]byte, error) {
	t, ok := r.theme.text[name]
	if !ok {
		return nil, fmt.Errorf("the theme has no text/%s", name)
	}
	data.Site, data.Product = &r.siteView, &r.site.Product
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("making %s: %w", name, err)
	}
	return append(bytes.TrimRight(out.Bytes(), "\n"), '\n'), nil
}

// llms renders llms.txt, and its sections as files of their own where it would
// be too long.
func (r *Renderer) llms() ([]artifact.Resource, error) {
	data := textData{Sections: r.sections(), LLMsFull: true}
	body, err := r.text("llms.txt", data)
	if err != nil {
		return nil, err
	}
	var resources []artifact.Resource
	if utf8.RuneCount(body) >= llmsBudget {
		if data.Sections, resources, err = r.splitSections(data.Sections); err != nil {
			return nil, err
		}
		if body, err = r.text("llms.txt", data); err != nil {
			return nil, err
		}
	}
	return append(resources, machineFile(llmsPath, typeText, body)), nil
}

// sections groups the listed pages: the site's own pages, then a section for
// each folder, with the blog last.
func (r *Renderer) sections() []linkSection {
	pages := linkSection{Title: "Pages"}
	if home := r.lists.pages["/"]; home != nil && !home.Unlisted {
		pages.Links = append(pages.Links, r.linkTo(home))
	}
	var others []linkSection
	for _, p := range r.lists.children["/"] {
		pages.Links = append(pages.Links, r.linkTo(p))
		if p.Path == "/blog" {
			continue
		}
		if below := r.descendants(p.Path); len(below) > 0 {
			others = append(others, linkSection{Title: linkTitle(p.Title), Links: below})
		}
	}
	others = append(others, r.orphans()...)
	if len(r.lists.posts) > 0 {
		blog := linkSection{Title: "Blog"}
		for _, p := range r.lists.posts {
			blog.Links = append(blog.Links, r.linkTo(p))
		}
		others = append(others, blog)
	}
	return append([]linkSection{pages}, others...)
}

// descendants are the links to all pages below a path, in order.
func (r *Renderer) descendants(path string) []linkLine {
	var links []linkLine
	for _, p := range r.lists.children[path] {
		links = append(links, r.linkTo(p))
		links = append(links, r.descendants(p.Path)...)
	}
	return links
}

// orphans are sections for folders that have no page of their own.
func (r *Renderer) orphans() []linkSection {
	var sections []linkSection
	for _, p := range r.site.Pages {
		folder := p.Path[:strings.LastIndexByte(p.Path, '/')]
		if p.Unlisted || folder == "" || p.IsPost() || r.listed(folder) || r.lists.children[folder][0] != p {
			continue
		}
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		sections = append(sections, linkSection{Title: linkTitle(name), Links: r.descendants(folder)})
	}
	return sections
}

// listed reports whether a page stands at a path and in the lists.
func (r *Renderer) listed(path string) bool {
	p := r.lists.pages[path]
	return p != nil && !p.Unlisted
}

// linkTo is the line that leads to a page's Markdown.
func (r *Renderer) linkTo(p *site.Page) linkLine {
	return linkLine{
		Title: linkTitle(p.Title),
		URL:   markdownURL(r.url(p.MarkdownPath())),
		Note:  oneLine(p.Description),
	}
}

// linkTitle makes a title safe between brackets: the reference parser knows no
// escapes there.
func linkTitle(title string) string {
	return strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(title))
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// splitSections moves each section to a file of its own and returns the one
// section that links them.
func (r *Renderer) splitSections(sections []linkSection) ([]linkSection, []artifact.Resource, error) {
	index := linkSection{Title: "Sections"}
	var resources []artifact.Resource
	for i, s := range sections {
		path := fmt.Sprintf("/llms-%d.txt", i+1)
		var body strings.Builder
		fmt.Fprintf(&body, "# %s: %s\n\n> %s\n\nThis is one section of %s.\n\n## %s\n\n", linkTitle(r.site.Config.Title), s.Title,
			oneLine(r.site.Product.Description), r.url(llmsPath), s.Title)
		for _, l := range s.Links {
			fmt.Fprintf(&body, "- [%s](%s)", l.Title, l.URL)
			if l.Note != "" {
				fmt.Fprintf(&body, ": %s", l.Note)
			}
			body.WriteByte('\n')
		}
		resources = append(resources, machineFile(path, typeText, []byte(body.String())))
		index.Links = append(index.Links, linkLine{Title: s.Title, URL: r.url(path), Note: fmt.Sprintf("%d pages", len(s.Links))})
	}
	return []linkSection{index}, resources, nil
}

// fullText gathers llms-full.txt from the pages as they are rendered.
type fullText struct {
	body    bytes.Buffer
	omitted []*site.Page
}

// Gather adds a rendered page to the text of the whole site. It is called for
// every page in turn.
func (r *Renderer) Gather(page *Rendered) {
	p := page.Page
	if p.Unlisted {
		return
	}
	if r.full.body.Len()+len(page.Markdown) > llmsFullBudget {
		r.full.omitted = append(r.full.omitted, p)
		return
	}
	fmt.Fprintf(&r.full.body, "Source: %s\n\n%s\n", r.url(p.Path), page.Markdown)
}

// llmsFull renders the text of the whole site.
func (r *Renderer) llmsFull() artifact.Resource {
	var body bytes.Buffer
	fmt.Fprintf(&body, "Every public page of %s as Markdown. An overview is at %s\n\n", oneLine(r.site.Config.Title), r.url(llmsPath))
	body.Write(r.full.body.Bytes())
	if len(r.full.omitted) > 0 {
		body.WriteString("These pages are left out here for their size and can be read at their own addresses:\n\n")
		for _, p := range r.full.omitted {
			fmt.Fprintf(&body, "- %s\n", r.url(p.MarkdownPath()))
		}
	}
	return machineFile(llmsFullPath, typeText, append(bytes.TrimRight(body.Bytes(), "\n"), '\n'))
}
