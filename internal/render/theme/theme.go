// Package theme reads a site's theme: layouts, components, text files, pages, words, icons, and assets. A file of the
// site replaces the default theme's file of the same name. Package render fills the templates with data from package
// view.
package theme

import (
	"fmt"
	htmltemplate "html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	texttemplate "text/template"

	"vitrine/internal/brand"
	"vitrine/internal/image/card"
	"vitrine/internal/locale"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
	"vitrine/internal/words"
)

// Theme is a site's theme in one language: its layouts, components, assets, text files, pages, and words.
type Theme struct {
	files layered
	// html maps the names of layouts to functions that return their HTML templates, and markup maps the names to
	// functions that return their Markdown templates. For a layout of the default theme, the function parses the
	// layout's file on the first call. The site's layouts are parsed when the theme is loaded.
	html   map[string]func() *htmltemplate.Template
	markup map[string]func() *texttemplate.Template
	text   map[string]*texttemplate.Template
	assets []asset
	// locale formats numbers, prices, and dates in the language of the pages.
	locale *locale.Locale
	// words contains the theme's words in the language of the pages.
	words *words.Words
	// missing contains the keys whose words exist only in English, if the site is in another language.
	missing []string
	// english reports whether the language of the pages is English.
	english bool
	// look is the view of brand for templates.
	look *view.Look
	// brand contains the logo, the icon, the fonts, and the colors in the settings.
	brand *brand.Look
	// icons maps the names of icons to SVG elements.
	icons map[string]htmltemplate.HTML
	// components contains the templates of directives.
	components *components
	// social draws the social images. It is nil if the settings disable them.
	social *card.Maker
	// languages maps the tags of the site's other languages to the theme in these languages. Each of these themes has
	// its own words and functions.
	languages map[string]*Theme
	// broken is the set of names of layouts with problems, which pages can't use.
	broken map[string]bool
	// all reports whether all layouts are unusable, because a file that they share has a problem.
	all bool
}

// Sets reports whether pages can use the layout. It returns false if the layout doesn't exist, or if a problem has been
// reported in the layout or in a file shared by all layouts.
func (t *Theme) Sets(layout string) bool {
	return !t.all && !t.broken[layout] && t.html[layout] != nil
}

// Distrust marks all layouts as unusable, for example because a file that they share could not be read.
func (t *Theme) Distrust() { t.all = true }

// The folders of a theme.
const (
	layoutsDir  = "layouts"
	partialsDir = "partials"
	assetsDir   = "assets"
	textDir     = "text"
	pagesDir    = "pages"
	wordedDir   = "worded"
	wordsDir    = "words"
	fontsDir    = "fonts" // for social images

	componentsDir = "components"
)

// Load reads the theme of s. Each file in overrides replaces the file with the same name in defaults. overrides is nil
// if the site has no templates. root is the site's folder, which contains the files that the theme settings name. Load
// returns problems for mistakes in the site's templates and files, and an error if a file can't be read.
func Load(s *site.Site, root, defaults, overrides fs.FS) (*Theme, []site.Problem, error) {
	t := &Theme{files: layered{overrides, defaults}}
	if err := t.loadAssets(s.Config.Images); err != nil {
		return nil, nil, fmt.Errorf("reading the theme's assets: %w", err)
	}
	if err := t.loadIcons(); err != nil {
		return nil, nil, fmt.Errorf("reading the theme's icons: %w", err)
	}
	problems, err := t.loadLook(s, root)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the logo, icon, and fonts: %w", err)
	}
	more, err := t.loadTemplates(s, defaults, overrides)
	if err != nil {
		return nil, nil, err
	}
	problems = append(problems, more...)
	more, err = t.loadLanguages(s, defaults, overrides)
	return t, append(problems, more...), err
}

// loadTemplates reads the theme's words and the templates that use them. The assets must have been loaded.
func (t *Theme) loadTemplates(s *site.Site, defaults, overrides fs.FS) (problems []site.Problem, err error) {
	t.locale = locale.New(s.Config.Language)
	more, err := t.loadWords(s, defaults, overrides)
	if err != nil {
		return nil, fmt.Errorf("reading the theme's words: %w", err)
	}
	problems = append(problems, more...)
	helpers := boundedFunctions(newFunctions(s, t))
	more, err = t.loadLayouts(helpers)
	if err != nil {
		return nil, fmt.Errorf("reading the theme's layouts: %w", err)
	}
	problems = append(problems, more...)
	more, err = t.loadText(helpers)
	if err != nil {
		return nil, fmt.Errorf("reading the theme's text files: %w", err)
	}
	problems = append(problems, more...)
	if more, err = t.loadComponents(helpers, defaults); err != nil {
		return nil, fmt.Errorf("reading the theme's components: %w", err)
	}
	problems = append(problems, more...)
	problems = append(problems, t.checkPointer(s)...)
	if more, err = t.loadSocial(s); err != nil {
		return nil, fmt.Errorf("reading the fonts for social images: %w", err)
	}
	return append(problems, more...), nil
}

// pointerFile is the template of the line after the title of every Markdown twin. The line contains the page's URL, the
// date of the page's last change, and the URL of llms.txt.
const pointerFile = "pointer.txt"

// checkPointer executes the template of the pointer line once, so that a problem in the template isn't reported for
// every page. If the execution fails, checkPointer deletes the template, so that all twins omit the line.
func (t *Theme) checkPointer(s *site.Site) []site.Problem {
	source := t.text[pointerFile]
	if source == nil {
		return nil
	}
	err := executeText(io.Discard, source, &view.View{Site: view.NewSite(s, t.look), Product: &s.Product, Page: &view.Page{}})
	if err == nil {
		return nil
	}
	delete(t.text, pointerFile)
	return []site.Problem{templateProblem(textDir+"/"+pointerFile, err)}
}

func (t *Theme) loadLayouts(functions map[string]any) ([]site.Problem, error) {
	t.html = make(map[string]func() *htmltemplate.Template)
	t.markup = make(map[string]func() *texttemplate.Template)
	t.broken = make(map[string]bool)
	shared, problems, err := t.sharedHTML(functions)
	if err != nil {
		return nil, err
	}
	twins, more, err := t.sharedMarkdown(functions)
	if err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	names, err := fs.Glob(t.files, layoutsDir+"/*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		source, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, err
		}
		p, ok := t.loadLayout(name, source, shared, twins)
		if !ok {
			layout, _ := splitExtension(path.Base(name))
			t.broken[layout] = true
			problems = append(problems, p)
		}
	}
	return problems, nil
}

// loadLayout adds the layout in the file called name to the theme. The layout consists of the templates in the file and
// of copies of the templates that all layouts of the same format, HTML or Markdown, share. If the file has a problem,
// loadLayout returns the problem and false.
func (t *Theme) loadLayout(name string, source []byte, shared *htmltemplate.Template, twins *texttemplate.Template) (site.Problem, bool) {
	layout, extension := splitExtension(path.Base(name))
	switch {
	case extension == ".html" && layout != "base":
		return addLayout(t, t.html, name, source, func(source []byte) (*htmltemplate.Template, error) {
			return parseHTMLLayout(shared, name, string(source))
		})
	case extension == ".md":
		return addLayout(t, t.markup, name, source, func(source []byte) (*texttemplate.Template, error) {
			return parseMarkdownLayout(twins, name, string(source))
		})
	}
	return site.Problem{}, true
}

// parseHTMLLayout parses a layout into a copy of the shared templates.
func parseHTMLLayout(shared *htmltemplate.Template, name, source string) (*htmltemplate.Template, error) {
	clone, err := shared.Clone()
	if err != nil {
		return nil, err
	}
	t, err := clone.New(name).Parse(source)
	if err != nil {
		return nil, err
	}
	for _, one := range t.Templates() {
		stencil.AddTurns(one.Tree)
	}
	return t, nil
}

// parseMarkdownLayout parses a layout into a copy of the shared templates. It also copies the trees of the shared
// templates, because AddTurns changes the trees and text/template's Clone doesn't copy them.
func parseMarkdownLayout(shared *texttemplate.Template, name, source string) (*texttemplate.Template, error) {
	clone, err := shared.Clone()
	if err != nil {
		return nil, err
	}
	for _, one := range clone.Templates() {
		one.Tree = one.Tree.Copy()
	}
	t, err := clone.New(name).Parse(source)
	if err != nil {
		return nil, err
	}
	for _, one := range t.Templates() {
		stencil.AddTurns(one.Tree)
	}
	return t, nil
}

// addLayout adds the layout in the file called name to layouts. If the file belongs to the site, addLayout parses it
// immediately to report problems; see parse. The default theme's files have no problems, so addLayout defers parsing
// such a file until the layout is first used.
func addLayout[T any](t *Theme, layouts map[string]func() *T, name string, source []byte, parse func(source []byte) (*T, error)) (site.Problem, bool) {
	layout, _ := splitExtension(path.Base(name))
	if !t.files.replaces(name) {
		layouts[layout] = sync.OnceValue(func() *T {
			parsed, err := parse(source)
			if err != nil {
				panic(err) // can't happen: a test parses all layouts
			}
			return parsed
		})
		return site.Problem{}, true
	}
	return t.parse(name, source, func(source []byte) error {
		parsed, err := parse(source)
		layouts[layout] = func() *T { return parsed }
		return err
	})
}

// parse calls its argument parse with source, the content of the theme's file called name. ok is true if the file is
// valid. Otherwise, p is the problem. To find problems in other files, parse then calls its argument with the default
// theme's file of that name or, if there is none, with an empty template.
func (t *Theme) parse(name string, source []byte, parse func(source []byte) error) (p site.Problem, ok bool) {
	if err := parse(source); err != nil {
		p = templateProblem(name, err)
	} else if p, ok = t.undefined(name, source); ok {
		return p, true
	}
	if own, err := fs.ReadFile(t.files[1], name); err != nil || parse(own) != nil {
		// Parse an empty template, so that pages can name the layout. The problem prevents the rendering of pages.
		_ = parse(nil)
	}
	return p, false
}

// sharedHTML parses the base template and the partials. Each HTML layout is parsed into a copy of these templates.
func (t *Theme) sharedHTML(functions map[string]any) (*htmltemplate.Template, []site.Problem, error) {
	shared := htmltemplate.New("").Funcs(functions)
	problems, err := t.share(".html", []string{layoutsDir + "/base.html"}, func(name, text string) error {
		_, err := shared.New(name).Parse(text)
		return err
	})
	return shared, problems, err
}

// sharedMarkdown parses the partials of the Markdown layouts; see sharedHTML.
func (t *Theme) sharedMarkdown(functions map[string]any) (*texttemplate.Template, []site.Problem, error) {
	shared := texttemplate.New("").Funcs(functions)
	problems, err := t.share(".md", nil, func(name, text string) error {
		_, err := shared.New(name).Parse(text)
		return err
	})
	return shared, problems, err
}

// share calls parse for the templates that all layouts share: the partials with the given extension, the partials of
// sections, and the files in more. A problem in one of these templates affects all pages.
func (t *Theme) share(extension string, more []string, parse func(name, text string) error) (problems []site.Problem, err error) {
	names, err := fs.Glob(t.files, partialsDir+"/*"+extension)
	if err != nil {
		return nil, err
	}
	sections, err := fs.Glob(t.files, partialsDir+"/sections/*"+extension)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(names, sections, more) {
		source, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, err
		}
		p, ok := t.parse(name, source, func(source []byte) error { return parse(name, string(source)) })
		if !ok {
			t.all = true
			problems = append(problems, p)
		}
	}
	return problems, nil
}

func (t *Theme) loadText(functions map[string]any) ([]site.Problem, error) {
	t.text = make(map[string]*texttemplate.Template)
	names, err := fs.Glob(t.files, textDir+"/*")
	if err != nil {
		return nil, err
	}
	var problems []site.Problem
	for _, name := range names {
		source, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, err
		}
		p, ok := t.parse(name, source, func(source []byte) (err error) {
			t.text[path.Base(name)], err = parseText(name, string(source), functions)
			return err
		})
		if !ok {
			problems = append(problems, p)
		}
	}
	return problems, nil
}

// WriteText executes the file called name in `text/` with data, and writes the output to out. It returns an error if
// the theme doesn't contain the file.
func (t *Theme) WriteText(out io.Writer, name string, data view.TextFile) error {
	source, ok := t.text[name]
	if !ok {
		return fmt.Errorf("the theme has no text/%s", name)
	}
	if err := executeText(out, source, data); err != nil {
		return fmt.Errorf("generating %s: %w", name, err)
	}
	return nil
}

func splitExtension(name string) (stem, extension string) {
	extension = path.Ext(name)
	return strings.TrimSuffix(name, extension), extension
}
