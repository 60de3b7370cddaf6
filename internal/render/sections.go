package render

import (
	"bytes"
	"fmt"
	"html"

	"vitrine/internal/markdown"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// A sectionWriter converts the sections of a page to views, in HTML or Markdown.
type sectionWriter struct {
	r    *Renderer
	html bool
	// err is the first error in a section, or nil. landingSections returns it.
	err error
}

// landingSections returns the views of p's sections: in HTML if html is true, otherwise in Markdown. doc contains p's
// parsed text and sections.
func (r *Renderer) landingSections(p *site.Page, doc *markdown.Document, html bool) ([]view.PageSection, error) {
	w := &sectionWriter{r: r, html: html}
	var all []view.PageSection
	for i, s := range doc.Sections() {
		all = append(all, w.section(p, s, i == 0 && beginsPage(p)))
	}
	if w.err != nil {
		return nil, fmt.Errorf("rendering the sections: %w", w.err)
	}
	return all, nil
}

// beginsPage reports whether p's first section can contain the page's heading. p must have a section. In articles and
// documentation, the heading is above the sections, except on a documentation page that begins with a hero, which is a
// landing page without a sidebar.
func beginsPage(p *site.Page) bool {
	return p.Layout != "post" && (p.Layout != "docs" || p.Sections[0].Kind == site.Hero)
}

func (w *sectionWriter) section(p *site.Page, s *markdown.Section, first bool) view.PageSection {
	v := view.PageSection{
		Kind: s.Kind, ID: s.ID, First: first, Layout: s.Layout,
		Eyebrow: w.inline(s.Eyebrow), Title: w.heading(s.Title), Text: w.inline(s.Text),
		Picture: w.picture(s.Picture, first), Code: w.block(s.Code),
	}
	switch s.Kind {
	case site.Hero:
		if v.Title == nil && first {
			v.Title = w.plain(p.Title)
		}
		if v.Layout == "" {
			v.Layout = "wide"
			if s.Code != nil {
				v.Layout = "split"
			}
		}
	case site.Plans:
		v.Pricing = &w.r.site.Product.Pricing
	case site.Features:
		v.Columns = site.Columns(len(s.Items))
	}
	for i, a := range s.Actions {
		v.Actions = append(v.Actions, w.action(a, i > 0))
	}
	for i, item := range s.Items {
		v.Items = append(v.Items, w.item(s.Kind, item, i%2 == 1))
	}
	return v
}

func (w *sectionWriter) item(kind string, i *markdown.SectionItem, flip bool) view.SectionItem {
	v := view.SectionItem{
		Eyebrow: w.inline(i.Eyebrow), Role: w.inline(i.Role),
		Picture: w.picture(i.Picture, false), Flip: flip,
	}
	if i.Icon != "" && w.html {
		v.Icon = stencil.Markup(w.r.theme.Drawing(i.Icon))
	}
	switch kind {
	case site.Questions:
		v.Title, v.Text = w.heading(i.Title), w.block(i.Text)
	case site.Rows, site.Features:
		v.Title, v.Text = w.heading(i.Title), w.inline(i.Text)
	default:
		v.Title, v.Text = w.inline(i.Title), w.inline(i.Text)
	}
	if i.Title != nil {
		v.Name = i.Title.Plain()
		v.Letters = initials(v.Name)
	}
	for _, point := range i.Points {
		v.Points = append(v.Points, w.inline(point))
	}
	if i.Target != nil {
		v.Path = i.Target.Ref()
	}
	if i.Action != nil {
		a := w.action(i.Action, false)
		v.Action = &a
	}
	return v
}

func (w *sectionWriter) action(a *markdown.SectionLink, quiet bool) view.SectionAction {
	v := view.SectionAction{Label: w.inline(a.Label), Quiet: quiet}
	if a.Link != nil {
		v.Path = a.Link.Ref()
	}
	return v
}

func (w *sectionWriter) picture(l *markdown.Link, eager bool) *view.ShownPicture {
	if l == nil {
		return nil
	}
	v := view.NewPicture(l.Ref(), l.Alt, "")
	if w.html {
		sizes := "(min-width: 48em) 38rem, 100vw"
		if eager {
			sizes = "(min-width: 82em) 76rem, 100vw"
		}
		view.Draw(v, l.Shown(), sizes, eager)
	}
	return v
}

// inline renders f without an enclosing paragraph. It returns nil if f is nil.
func (w *sectionWriter) inline(f *markdown.Fragment) any {
	if f == nil {
		return nil
	}
	if w.html {
		return w.write(f.Inline)
	}
	return w.write(func(out *bytes.Buffer) error { return f.Markdown(out, w.r.site.Config.BaseURL) })
}

// heading renders f as the text of a heading.
func (w *sectionWriter) heading(f *markdown.Fragment) any {
	if f == nil || w.html {
		return w.inline(f)
	}
	return w.write(func(out *bytes.Buffer) error { return f.Heading(out, w.r.site.Config.BaseURL) })
}

// block renders f as blocks, such as paragraphs, in HTML. In Markdown, block is the same as inline.
func (w *sectionWriter) block(f *markdown.Fragment) any {
	if f == nil || !w.html {
		return w.inline(f)
	}
	return w.write(f.HTML)
}

// plain escapes plain text for HTML or Markdown.
func (w *sectionWriter) plain(text string) any {
	if w.html {
		return stencil.Markup(html.EscapeString(text))
	}
	return stencil.Markup(plaintext.Markdown(text))
}

func (w *sectionWriter) write(write func(*bytes.Buffer) error) any {
	var out bytes.Buffer
	if err := write(&out); err != nil && w.err == nil {
		w.err = err
	}
	return stencil.Markup(out.Bytes())
}

// sectionQuestions returns the questions and answers in a page's sections.
func sectionQuestions(doc *markdown.Document) []answered {
	var asked []answered
	for _, s := range doc.Sections() {
		if s.Kind != site.Questions {
			continue
		}
		for _, item := range s.Items {
			if item.Title != nil && item.Text != nil {
				asked = append(asked, answered{item.Title.Plain(), item.Text.Plain()})
			}
		}
	}
	return asked
}

// initials returns the first letters of the first and last words of a name.
func initials(name string) string {
	var letters []rune
	begins := true
	for _, r := range name {
		if begins && r != ' ' {
			letters = append(letters, r)
		}
		begins = r == ' '
	}
	if len(letters) > 2 {
		letters = []rune{letters[0], letters[len(letters)-1]}
	}
	return string(letters)
}
