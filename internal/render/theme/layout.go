package theme

import (
	"bytes"
	htmltemplate "html/template"
	"io"
	"sync"
	"sync/atomic"
	texttemplate "text/template"
	"text/template/parse"

	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// A Layout is a template for pages. html/template or text/template renders the first page. If package stencil can
// compile the template, the compiled template renders later pages with the same output.
//
// A template of the default theme is parsed when its layout is first used, because a site uses few of the theme's
// layouts. The site's templates are parsed when the theme is loaded.
type Layout struct {
	// execute executes the template with html/template or text/template, which don't support stencil.Markup.
	execute func(w io.Writer, v *view.View) error
	options stencil.Options
	once    sync.Once
	compile func() (*stencil.Template, error)
	// shown implements Shown.
	shown func() Shown
	// compiled is the compiled template, or nil if the template hasn't been compiled yet or can't be compiled.
	compiled atomic.Pointer[stencil.Template]
}

// Layouts contains a site's layouts by name.
type Layouts struct {
	html, markup map[string]*Layout
	// pointer is the template of the line after the title of every Markdown twin, or nil if the theme doesn't have one.
	pointer *Layout
}

// varying contains the fields of a view whose values differ between pages. A compiled template treats all other fields
// as constants.
var varying = []string{"Page", "Site.Navigation"}

// Layouts returns the layouts for the pages of s. of is the view of s. html contains the facts for HTML pages, and
// markdown contains the facts for Markdown twins.
func (t *Theme) Layouts(s *site.Site, of *view.Site, html, markdown *site.Product) Layouts {
	options := stencil.Options{
		Functions: newFunctions(s, t), Varying: varying,
		Data: &view.View{Site: of, Product: html},
	}
	l := Layouts{html: make(map[string]*Layout), markup: make(map[string]*Layout)}
	for name, source := range t.html {
		l.html[name] = newHTMLLayout(source, options)
	}
	options.Data = &view.View{Site: of, Product: markdown}
	for name, source := range t.markup {
		l.markup[name] = newMarkdownLayout(source, options)
	}
	if source := t.text[pointerFile]; source != nil {
		l.pointer = newMarkdownLayout(func() *texttemplate.Template { return source }, options)
	}
	return l
}

func newHTMLLayout(parsed func() *htmltemplate.Template, options stencil.Options) *Layout {
	options.HTML = true
	options.Lookup = func(name string) *parse.Tree {
		if found := parsed().Lookup(name); found != nil {
			return found.Tree
		}
		return nil
	}
	return &Layout{
		options: options,
		execute: func(w io.Writer, v *view.View) error {
			return parsed().ExecuteTemplate(stencil.Bounded(w, parsed().Name()), "base", v)
		},
		compile: func() (*stencil.Template, error) { return stencil.Compile("base", options) },
		// Ignore the base template, whose output is the same on every page.
		shown: sync.OnceValue(func() (shown Shown) {
			if main := options.Lookup("main"); main != nil {
				shown = shownBy(main, options.Lookup)
			}
			return shown
		}),
	}
}

func newMarkdownLayout(parsed func() *texttemplate.Template, options stencil.Options) *Layout {
	options.Lookup = func(name string) *parse.Tree {
		if found := parsed().Lookup(name); found != nil {
			return found.Tree
		}
		return nil
	}
	return &Layout{
		options: options,
		execute: func(w io.Writer, v *view.View) error { return executeText(w, parsed(), v) },
		compile: func() (*stencil.Template, error) { return stencil.Compile(parsed().Name(), options) },
		shown:   sync.OnceValue(func() Shown { return shownBy(parsed().Tree, options.Lookup) }),
	}
}

// Set renders the page in v in the layout and appends the result to out. If Set returns an error, out is unchanged.
func (l *Layout) Set(out *bytes.Buffer, v *view.View) error {
	if t := l.compiled.Load(); t != nil && t.Execute(out, v) == nil {
		return nil
	}
	length := out.Len()
	if err := l.execute(out, view.Standard(v, l.options.HTML)); err != nil {
		out.Truncate(length)
		return err
	}
	// Compile only after the execution, because html/template adds escaping to the template's trees on the first
	// execution.
	l.once.Do(func() {
		if t, err := l.compile(); err == nil {
			l.compiled.Store(t)
		}
	})
	return nil
}

// HTML returns the HTML layout with the given name, or nil if there is none.
func (l *Layouts) HTML(name string) *Layout { return l.html[name] }

// Pointer returns the template of the line after the title of every Markdown twin, or nil if the theme doesn't have
// one.
func (l *Layouts) Pointer() *Layout { return l.pointer }

// Shown returns which data the layout's templates show in addition to the page.
func (l *Layout) Shown() Shown { return l.shown() }

// Markdown returns the layout for p's twin. If p's layout has no Markdown template, it returns the Markdown layout
// called "page".
func (l *Layouts) Markdown(p *site.Page) *Layout {
	if twin := l.markup[p.Layout]; twin != nil {
		return twin
	}
	return l.markup["page"]
}
