package render

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

// layout is one of the theme's templates for pages: executed by the standard package the first
// time, and compiled for later pages if possible. Both give the same output.
type layout struct {
	name string
	// execute is the standard package's, which doesn't know stencil.Markup.
	execute func(w io.Writer, v *view.View) error
	options stencil.Options
	once    sync.Once
	// shown are the parts that its templates show in addition to the page.
	shown shown
	// compiled is nil until the layout is compiled, or if it can't be.
	compiled atomic.Pointer[stencil.Template]
}

// layouts are a site's layouts by name.
type layouts struct {
	html, markup map[string]*layout
	// pointer is the line after the title of every Markdown twin, or nil if the theme doesn't have one.
	pointer *layout
}

// varying are the parts of a view that differ from page to page.
var varying = []string{"Page", "Site.Navigation"}

func newLayouts(r *Renderer) layouts {
	options := stencil.Options{
		Functions: newFunctions(r.site, r.theme), Varying: varying,
		Data: &view.View{Site: &r.siteView, Product: &r.products.html},
	}
	l := layouts{html: make(map[string]*layout), markup: make(map[string]*layout)}
	for name, t := range r.theme.html {
		l.html[name] = newHTMLLayout(t, options)
	}
	options.Data = &view.View{Site: &r.siteView, Product: &r.products.markdown}
	for name, t := range r.theme.markup {
		l.markup[name] = newMarkdownLayout(t, options)
	}
	if t := r.theme.text[pointerFile]; t != nil {
		l.pointer = newMarkdownLayout(t, options)
	}
	return l
}

func newHTMLLayout(t *htmltemplate.Template, options stencil.Options) *layout {
	options.HTML = true
	options.Lookup = func(name string) *parse.Tree {
		if found := t.Lookup(name); found != nil {
			return found.Tree
		}
		return nil
	}
	for _, one := range t.Templates() {
		stencil.AddTurns(one.Tree)
	}
	execute := func(w io.Writer, v *view.View) error {
		return t.ExecuteTemplate(stencil.Bounded(w, t.Name()), "base", v)
	}
	// Ignore the parts in the skeleton: they are on every page.
	l := &layout{name: "base", execute: execute, options: options}
	if main := options.Lookup("main"); main != nil {
		l.shown = shownBy(main, options.Lookup)
	}
	return l
}

func newMarkdownLayout(t *texttemplate.Template, options stencil.Options) *layout {
	options.Lookup = func(name string) *parse.Tree {
		if found := t.Lookup(name); found != nil {
			return found.Tree
		}
		return nil
	}
	for _, one := range t.Templates() {
		stencil.AddTurns(one.Tree)
	}
	execute := func(w io.Writer, v *view.View) error { return t.Execute(stencil.Bounded(w, t.Name()), v) }
	return &layout{name: t.Name(), execute: execute, options: options, shown: shownBy(t.Tree, options.Lookup)}
}

// set renders a page in the layout and appends it to out.
func (l *layout) set(out *bytes.Buffer, v *view.View) error {
	if t := l.compiled.Load(); t != nil && t.Execute(out, v) == nil {
		return nil
	}
	length := out.Len()
	if err := l.execute(out, view.Standard(v, l.options.HTML)); err != nil {
		out.Truncate(length)
		return err
	}
	// html/template has escaped its trees by now, which compiling relies on.
	l.once.Do(func() {
		if t, err := stencil.Compile(l.name, l.options); err == nil {
			l.compiled.Store(t)
		}
	})
	return nil
}

// markdown returns the twin of a layout, or the twin of plain pages if a site's layout doesn't have
// one.
func (l *layouts) markdown(p *site.Page) *layout {
	if twin := l.markup[p.Layout]; twin != nil {
		return twin
	}
	return l.markup["page"]
}
