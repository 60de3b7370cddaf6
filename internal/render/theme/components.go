package theme

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	texttemplate "text/template"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// components contains the templates of directives in Markdown. A directive has two templates: NAME.html for the page
// and NAME.md for the twin. The default theme has no NAME.md files, so the twin contains its directives unchanged.
type components struct {
	// html contains the templates for HTML pages, by file name. markup maps the names of components to the templates
	// for Markdown twins.
	html   *htmltemplate.Template
	markup map[string]*texttemplate.Template
	// own is the set of names of components that the site adds. It doesn't contain the default theme's components that
	// the site replaces.
	own map[string]bool
	// icons maps the names of icons, which sections use, to SVG elements.
	icons map[string]htmltemplate.HTML
}

// componentName is a regular expression that matches the names of directives.
const componentName = `^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`

// loadComponents reads the templates of components. It reports unusable files, and the site's components that have only
// one of the two templates. A component of the default theme needs only one.
func (t *Theme) loadComponents(functions map[string]any, defaults fs.FS) ([]site.Problem, error) {
	c := &components{html: htmltemplate.New("").Funcs(functions), markup: make(map[string]*texttemplate.Template), own: make(map[string]bool), icons: t.icons}
	t.components = c
	names, err := fs.Glob(t.files, componentsDir+"/*")
	if err != nil {
		return nil, err
	}
	valid := regexp.MustCompile(componentName)
	var problems []site.Problem
	problem := func(file, text string) {
		problems = append(problems, site.Problem{Path: "templates/" + file, Severity: site.Error, Text: text})
	}
	for _, file := range names {
		name, extension := splitExtension(path.Base(file))
		if extension != ".html" && extension != ".md" {
			problem(file, "a component consists of NAME.html and NAME.md; remove this file, or rename it")
			continue
		}
		if !valid.MatchString(name) {
			problem(file, fmt.Sprintf("%q is not a valid component name; use letters, digits, -, and _, starting with a letter", name))
			continue
		}
		source, err := fs.ReadFile(t.files, file)
		if err != nil {
			return nil, err
		}
		if extension == ".html" {
			_, err = c.html.New(file).Parse(string(source))
		} else {
			c.markup[name], err = parseText(file, string(source), functions)
		}
		if err != nil {
			problems = append(problems, templateProblem(file, err))
		}
		if _, err := fs.Stat(defaults, componentsDir+"/"+name+".html"); err == nil {
			continue
		}
		c.own[name] = true
		other := componentsDir + "/" + name + map[string]string{".html": ".md", ".md": ".html"}[extension]
		if !slices.Contains(names, other) {
			form := map[string]string{".html": "Markdown", ".md": "HTML"}[extension]
			problem(file, fmt.Sprintf("the component %q has no %s template; write templates/%s", name, form, other))
		}
	}
	for _, t := range c.html.Templates() {
		stencil.AddTurns(t.Tree)
	}
	return problems, nil
}

// Components returns the components for pages in the language with the given tag, which is "" for the site's default
// language.
func (t *Theme) Components(language string) markdown.Components { return t.In(language).components }

// Names implements markdown.Components.
func (c *components) Names() []string {
	names := make([]string, 0, len(c.own))
	for name := range c.own {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Own implements markdown.Components.
func (c *components) Own(name string) bool { return c.own[name] }

// HasMarkdown implements markdown.Components.
func (c *components) HasMarkdown(name string) bool { return c.markup[name] != nil }

// componentView is a component in Markdown, for its template in `components/`.
type componentView struct {
	*markdown.Component
	Label      htmltemplate.HTML // the text in brackets
	Content    htmltemplate.HTML // the blocks inside the component
	Attributes map[string]any    // the attributes in braces, by name; an attribute without a value has its name as the value
	Children   []componentView   // the components directly inside this component
}

func newComponentView(c *markdown.Component) componentView {
	v := componentView{Component: c, Label: htmltemplate.HTML(c.Label), Content: htmltemplate.HTML(c.Content), Attributes: make(map[string]any, len(c.Attributes))}
	for name, value := range c.Attributes {
		if address, ok := value.(site.Ref); ok {
			value = htmltemplate.URL(address)
		}
		v.Attributes[name] = value
	}
	for _, child := range c.Children {
		v.Children = append(v.Children, newComponentView(child))
	}
	return v
}

// HTML implements markdown.Components.
func (c *components) HTML(w *bytes.Buffer, data *markdown.Component) error {
	file := componentsDir + "/" + data.Name + ".html"
	return c.html.ExecuteTemplate(stencil.Bounded(w, file), file, newComponentView(data))
}

// Markdown implements markdown.Components.
func (c *components) Markdown(w *bytes.Buffer, data *markdown.Component) error {
	return executeText(w, c.markup[data.Name], data)
}
