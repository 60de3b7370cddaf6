package theme

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// pageData is the data for the theme's pages in `pages/` and `worded/`. Vitrine executes these templates before it
// reads their front matter.
type pageData struct {
	Site      *view.Site     // the settings; fields that depend on pages are empty, because there are no pages yet
	Product   *site.Product  // the facts in `product.yaml`
	CLI       *toolView      // the command-line tool
	Allowance site.Allowance // the number of requests to the JSON API that each server instance accepts
	Problem   *problemData   // in a file in `pages/problems/`: the type of problem
	Problems  []*problemData // all types of problems
}

// problemData is a type of problem that the JSON API reports (RFC 9457).
type problemData struct {
	Slug       string   // the last segment of `.Type`
	Type       string   // the URL that identifies the type, the same in every language
	Title      string   // the problem's title
	Detail     string   // a description of the problem
	Resolution string   // the way to solve the problem
	Path       site.Ref // the path of the page about the problem, in the language of the current page
	Status     int      // the HTTP status
	Example    string   // the body of an example response
}

// Plan returns the theme's contribution to the plan of s: pages, layouts, and the words of generated lists. The
// problems are mistakes in the theme's pages and in lists.txt.
func (t *Theme) Plan(s *site.Site) (plan.Theme, []site.Problem, error) {
	pages, problems, err := t.pages(s, s.Config.Documentation)
	if err != nil {
		return plan.Theme{}, nil, fmt.Errorf("generating the theme's pages: %w", err)
	}
	made := plan.Theme{Pages: pages, Languages: make(map[string]plan.Theme), Words: t.text[plan.ListsFile], Layouts: slices.Sorted(maps.Keys(t.html))}
	for _, name := range plan.ListTemplates() {
		if name == "author-description" && len(s.Authors) == 0 {
			continue // a site without authors doesn't need this template
		}
		if made.Words != nil && made.Words.Tree != nil && made.Words.Lookup(name) == nil {
			problems = append(problems, site.Problem{Path: "templates/" + textDir + "/" + plan.ListsFile, Severity: site.Error,
				Text: fmt.Sprintf("the template %q is missing; write {{define %q}}…{{end}}", name, name)})
			made.Words = nil
		}
	}
	for _, v := range s.Views() {
		if v.Language == "" {
			continue
		}
		other := t.In(v.Language)
		// Ignore the problems of these pages, which have already been reported for the default language.
		pages, _, err := other.pages(v, s.Config.Documentation)
		if err != nil {
			return plan.Theme{}, nil, fmt.Errorf("generating the theme's pages in %s: %w", v.Language, err)
		}
		own := plan.Theme{Pages: pages, Layouts: made.Layouts}
		if made.Words != nil {
			own.Words = other.text[plan.ListsFile]
		}
		made.Languages[v.Language] = own
	}
	return made, problems, nil
}

// pages executes the templates of the theme's pages in the language of s, and returns the sources of the pages.
// documentation is the path of the page about the JSON API in the default language.
func (t *Theme) pages(s *site.Site, documentation string) (sources []plan.Source, problems []site.Problem, err error) {
	err = fs.WalkDir(t.files, pagesDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" || isOff(&s.Config, strings.TrimPrefix(name, pagesDir+"/")) {
			return err
		}
		src := plan.Source{File: name, Path: pagePath(documentation, strings.TrimPrefix(name, pagesDir))}
		text, err := t.pageText(s, name)
		if err != nil {
			return err
		}
		if p, ok := t.parse(name, text, func(text []byte) error { return t.execute(s, &src, string(text)) }); !ok {
			problems = append(problems, p)
		}
		sources = append(sources, src)
		return nil
	})
	return sources, problems, err
}

// isOff reports whether the settings disable the theme's page in the file called name, such as "search.md".
func isOff(c *site.Config, name string) bool {
	switch name {
	case "search.md":
		return c.NoSearch
	case "changes.md":
		return c.Machines.NoChanges
	case "cli.md":
		return c.Machines.NoCLI
	}
	return false
}

// pageText returns the template of the theme's page called name. A page that is mostly text has two templates: a longer
// one for English, and one for other languages that gets its text from the theme's words. If the site replaces the
// template of such a page, pageText uses the site's template only in the site's default language.
func (t *Theme) pageText(s *site.Site, name string) ([]byte, error) {
	worded := wordedForm(name)
	if worded == "" {
		return fs.ReadFile(t.files, name)
	}
	own := t.files[0]
	if own != nil && s.Language == "" {
		if _, err := fs.Stat(own, name); err == nil {
			return fs.ReadFile(own, name)
		}
	}
	if t.english {
		return fs.ReadFile(t.files[1], name)
	}
	return fs.ReadFile(t.files, worded)
}

// wordedForm returns the name of the template that replaces the theme's page called name in languages other than
// English, or "" for a page with the same template in every language.
func wordedForm(name string) string {
	page := strings.TrimPrefix(name, pagesDir)
	switch slug, problem := strings.CutPrefix(strings.TrimSuffix(page, ".md"), artifact.ProblemsPath); {
	case page == "/cli.md", page == "/docs/api.md", slug == "index":
		return wordedDir + page
	case problem:
		if _, known := artifact.ProblemBySlug(slug); known {
			return wordedDir + artifact.ProblemsPath + "problem.md"
		}
	}
	return ""
}

// pagePath returns the URL path of the theme's page in the file called name, without the folder of the language. name
// is relative to the folder of pages, and documentation is the path of the page about the JSON API.
func pagePath(documentation, name string) string {
	p := strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/index")
	switch p {
	case "":
		return "/"
	case "/docs/api":
		return documentation
	}
	return p
}

func (t *Theme) execute(s *site.Site, src *plan.Source, text string) error {
	parsed, err := parseText(src.File, text, boundedFunctions(newFunctions(s, t)))
	if err != nil {
		return err
	}
	src.ShowsFacts = shownBy(parsed.Tree, nil).Facts
	data := pageData{Site: view.NewSite(s, t.look), Product: &s.Product, CLI: newToolView(s), Allowance: site.AllowanceOf(&s.Config, artifact.DefaultLimit, artifact.DefaultWindow)}
	for _, p := range artifact.ProblemTypes() {
		problem := &problemData{
			Slug: p.Slug, Type: s.Config.BaseURL + p.Path(), Title: p.Title, Detail: p.Detail, Resolution: p.Resolution,
			Path: site.RefTo(s.At(p.Path())), Status: p.Status, Example: strings.TrimSpace(string(p.Body(s.Config.BaseURL))),
		}
		if data.Problems = append(data.Problems, problem); src.Path == p.Path() {
			data.Problem = problem
		}
	}
	var out bytes.Buffer
	if err := executeText(&out, parsed, data); err != nil {
		return err
	}
	src.Text = out.Bytes()
	return nil
}
