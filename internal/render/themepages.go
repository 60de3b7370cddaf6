package render

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	texttemplate "text/template"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

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

// Plan is what the theme brings to the plan of a site. Problems are those of the
// pages that the site's own theme brings.
func (t *Theme) Plan(s *site.Site) (plan.Theme, []site.Problem, error) {
	pages, problems, err := t.pages(s)
	if err != nil {
		return plan.Theme{}, nil, fmt.Errorf("making the theme's pages: %w", err)
	}
	made := plan.Theme{Pages: pages, Words: t.text[plan.ListsFile], Layouts: slices.Sorted(maps.Keys(t.html))}
	for _, name := range plan.ListTemplates() {
		if made.Words != nil && made.Words.Tree != nil && made.Words.Lookup(name) == nil {
			problems = append(problems, site.Problem{Path: "templates/" + textDir + "/" + plan.ListsFile, Severity: site.Error,
				Text: fmt.Sprintf("the template %q is missing; write {{define %q}}…{{end}}", name, name)})
			made.Words = nil
		}
	}
	return made, problems, nil
}

// pages executes the theme's pages, which are templates themselves.
func (t *Theme) pages(s *site.Site) (sources []plan.Source, problems []site.Problem, err error) {
	err = fs.WalkDir(t.files, pagesDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(t.files, name)
		if err != nil {
			return err
		}
		src := plan.Source{File: name, Path: pagePath(s, strings.TrimPrefix(name, pagesDir))}
		if p, ok := t.parse(name, text, func(text []byte) error { return t.execute(s, &src, string(text)) }); !ok {
			problems = append(problems, p)
		}
		sources = append(sources, src)
		return nil
	})
	return sources, problems, err
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

func (t *Theme) execute(s *site.Site, src *plan.Source, text string) error {
	parsed, err := texttemplate.New(src.File).Funcs(newFunctions(s, t)).Parse(text)
	if err != nil {
		return err
	}
	src.ShowsFacts = shownBy(parsed.Tree, nil).facts
	data := pageData{Site: t.bare(s), Product: &s.Product, CLI: newCLIView(s)}
	if slug, ok := strings.CutPrefix(src.Path, artifact.ProblemsPath); ok {
		if p, ok := artifact.ProblemBySlug(slug); ok {
			data.Problem = &problemData{
				Type: s.Config.BaseURL + p.Path(), Title: p.Title, Detail: p.Detail, Resolution: p.Resolution,
				Status: p.Status, Example: strings.TrimSpace(string(p.Body(s.Config.BaseURL))),
			}
		}
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, data); err != nil {
		return err
	}
	src.Text = out.Bytes()
	return nil
}
