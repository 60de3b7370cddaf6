package render

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	texttemplate "text/template"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// source is a page of the theme, before its front matter is read.
type source struct {
	// name is the file below pages, path the URL path that it is for.
	name, path string
	text       []byte
}

// pageData is what a page of the theme is executed with.
type pageData struct {
	Site    *siteView
	Product *site.Product
	CLI     *cliView
	// Problem is nil but on a page that documents one.
	Problem *problemData
}

// problemData is a type of problem as its page shows it.
type problemData struct {
	Type, Title, Detail, Resolution string
	Status                          int
	// Example is an answer's body.
	Example string
}

// Parse reads the front matter of a page that is not a file.
type Parse func(name, path string, text []byte) (*site.Page, []site.Problem)

// Complete returns the site with the theme's own pages added where the site
// has none of the same path (a home page, the blog's list, the description of
// the JSON operation, a page for each type of problem, the page of a 404, the
// search), and with the lists that the build makes: the blog's further parts
// and a page for each tag.
func Complete(s *site.Site, theme *Theme, parse Parse) (*site.Site, []site.Problem, error) {
	sources, err := theme.pages(s)
	if err != nil {
		return nil, nil, fmt.Errorf("making the theme's pages: %w", err)
	}
	taken := make(map[string]bool)
	for _, p := range s.Pages {
		taken[p.Path] = true
		for _, a := range p.Aliases {
			taken[a.Path] = true
		}
	}
	own := findAny(s.Pages)
	whole := *s
	whole.Pages = slices.Clone(s.Pages)
	problems := securityProblems(s)
	for _, src := range sources {
		if taken[src.path] || !own.want(src.path) {
			continue
		}
		p, found := parse("templates/"+src.name, src.path, src.text)
		problems = append(problems, found...)
		if p != nil {
			whole.Pages = append(whole.Pages, p)
		}
	}
	generated, err := listPages(theme, newLists(whole.Pages), taken)
	if err != nil {
		return nil, nil, err
	}
	whole.Pages = merge(s.Pages, append(whole.Pages[len(s.Pages):], generated...))
	problems = append(problems, theme.strayTitles(whole.Pages)...)
	for _, p := range whole.Pages {
		if p.Path == notFoundPath {
			p.Layout, p.Unlisted = "404", true
		}
		if !theme.HasLayout(p.Layout) {
			problems = append(problems, site.Problem{Path: p.Source, Pos: p.LayoutPos, Severity: site.Error,
				Text: fmt.Sprintf("there is no layout %q; the layouts are %s", p.Layout, strings.Join(theme.layouts(), ", "))})
		}
	}
	return &whole, problems, nil
}

// merge puts pages in the order of their paths, of which all but a few are in it.
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

// want reports whether a site without a page at a path needs the theme's: a
// list of articles or of tags only where there are any.
func (a anyOf) want(path string) bool {
	switch path {
	case blogPath:
		return a.article
	case tagsPath:
		return a.tag
	}
	return true
}

// anyOf says whether there are any articles and any tags.
type anyOf struct {
	article, tag bool
}

func findAny(pages []*site.Page) (a anyOf) {
	for _, p := range pages {
		a.article = a.article || isArticle(p)
		a.tag = a.tag || !p.Unlisted && p.List == nil && slices.ContainsFunc(p.Tags, func(tag string) bool { return foldTag(tag) != "" })
		if a.article && a.tag {
			break
		}
	}
	return a
}

// pages executes the theme's pages, which are templates themselves.
func (t *Theme) pages(s *site.Site) ([]source, error) {
	var sources []source
	err := fs.WalkDir(t.files, pagesDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(t.files, name)
		if err != nil {
			return err
		}
		src := source{name: name, path: pagePath(s, strings.TrimPrefix(name, pagesDir))}
		if src.text, err = t.execute(s, src, string(text)); err != nil {
			return err
		}
		sources = append(sources, src)
		return nil
	})
	return sources, err
}

// pagePath is the URL path of a file below pages. The description of the JSON
// operation stands where the site says.
func pagePath(s *site.Site, name string) string {
	p := strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/index")
	switch p {
	case "":
		return "/"
	case "/docs/api":
		return s.Config.Documentation
	}
	return p
}

func (t *Theme) execute(s *site.Site, src source, text string) ([]byte, error) {
	parsed, err := texttemplate.New(src.name).Funcs(newFunctions(s, t.assets)).Parse(text)
	if err != nil {
		return nil, err
	}
	data := pageData{Site: &siteView{Config: &s.Config}, Product: &s.Product, CLI: newCLIView(s)}
	if slug, ok := strings.CutPrefix(src.path, artifact.ProblemsPath); ok {
		if p, ok := artifact.ProblemBySlug(slug); ok {
			data.Problem = &problemData{
				Type: s.Config.BaseURL + p.Path(), Title: p.Title, Detail: p.Detail, Resolution: p.Resolution,
				Status: p.Status, Example: strings.TrimSpace(string(p.Body(s.Config.BaseURL))),
			}
		}
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
