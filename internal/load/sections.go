package load

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const (
	// maxSections is the maximum number of sections on a page.
	maxSections = 100
	// maxItems is the maximum number of items in a section.
	maxItems = 200
)

// sectionKinds returns the section kinds in the order in which they are documented.
func sectionKinds() []string {
	return []string{site.Hero, site.Logos, site.Rows, site.Stats, site.Features, site.Quotes, site.Plans, site.Questions, site.CallToAct}
}

// sections returns a reader for the list of a page's sections.
func sections(dst *[]site.Section) reader {
	return few(maxSections, "sections; move the rest to another page", each(dst, section))
}

// section returns a reader for a section of a page. The section's kind determines which other keys the section may
// have.
func section(s *site.Section) reader {
	read := func(r *report, v value) {
		s.Pos = v.Pos
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map with kind and the keys of that kind, found %s", v.name, v.Describe())
			return
		}
		kind, known := sectionKind(r, v)
		if !known {
			return
		}
		s.Kind = kind
		closed(sectionFields(s, kind)...).read(r, v)
		if s.Picture.Src.Target != "" && s.Code.Text != "" {
			r.errorf(s.Code.Pos, "%s: a hero cannot have both a picture and code; remove one of the two", v.name)
		}
	}
	return reader{read, func() shape.Shape { return drawSections(sectionFields) }}
}

// sectionKind returns the kind of the section v. If the kind is missing, unknown, or not a string, sectionKind reports
// a problem and returns false.
func sectionKind(r *report, v value) (kind string, known bool) {
	m := v.Get("kind")
	if m == nil {
		r.errorf(v.Pos, "%s.kind is missing; write one of %s", v.name, enumerate(sectionKinds())).Code = rule.MissingKey
		return "", false
	}
	kind, ok := textOf(r, value{m.Value, v.name + ".kind", m.Pos})
	if !ok || slices.Contains(sectionKinds(), kind) {
		return kind, ok
	}
	near := suggest.Nearest(kind, sectionKinds())
	if near == "" {
		r.errorf(m.Value.Pos, "%s.kind: unknown section %q; the kinds are %s", v.name, kind, enumerate(sectionKinds()))
		return "", false
	}
	p := r.errorf(m.Value.Pos, "%s.kind: unknown section %q; did you mean %q?", v.name, kind, near)
	r.fix(p, m.Value.Pos, kind, near)
	return "", false
}

// sectionFields returns the fields of a section of the given kind.
func sectionFields(s *site.Section, kind string) []field {
	named := field{"kind", "one of " + enumerate(sectionKinds()), "The kind of the section, which determines its other keys.", text(&s.Kind, oneOf(sectionKinds()...))}
	heading := field{"title", "", "In other sections: the heading, in inline Markdown.", prosaic(&s.Title)}
	lead := field{"text", "", "A sentence or two under the heading, in inline Markdown.", prosaic(&s.Text)}
	items := func(need string, item func(*site.SectionItem) reader) field {
		return field{"items", need, "The items of the section, in the order in which the page shows them.", filled(few(maxItems, "items; split the section", each(&s.Items, item)))}
	}
	switch kind {
	case site.Hero:
		return []field{
			named, {"eyebrow", "", "In a hero: a short line above the title.", prosaic(&s.Eyebrow)},
			{"title", "", "In a hero: the large heading. Default: the page's title.", prosaic(&s.Title)}, lead,
			actionsField(&s.Actions, ""),
			{"picture", "", "In a hero: the picture, as {src, alt}. You can set either picture or code, but not both.", figure(&s.Picture, pictureOfPage, true)},
			{"code", "", "In a hero: code to show instead of a picture: either plain lines, or a fenced block with its language.", prosaic(&s.Code)},
			{"layout", "", "In a hero: where the picture or code appears, under the text (wide) or next to it (split). Default: wide for a picture, split for code.", text(&s.Layout, oneOf("wide", "split"))},
		}
	case site.Logos:
		return []field{named, heading, items("a list of {name, picture, url}", logoItem)}
	case site.Rows:
		return []field{named, items("a list of {eyebrow, title, text, points, action, picture}", rowItem)}
	case site.Stats:
		return []field{named, items("a list of {value, label}", statItem)}
	case site.Features:
		return []field{named, heading, lead, items("a list of {icon, title, text, path}", featureItem)}
	case site.Quotes:
		return []field{named, items("a list of {text, name, role, picture}", quoteItem)}
	case site.Plans:
		return []field{named, heading, lead}
	case site.Questions:
		return []field{named, heading, items("a list of {question, answer}", questionItem)}
	default:
		return []field{
			named, {"title", "the heading, such as \"Order the first one\"", "In other sections: the heading, in inline Markdown.", prosaic(&s.Title)}, lead,
			actionsField(&s.Actions, "a list of one or two links, as {label, path} or {label, url}"),
		}
	}
}

func logoItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"name", "the company's name", "In logos: the company's name. The page shows it if there is no picture.", prosaic(&i.Title)},
		field{"picture", "", "In logos: the company's logo, as {src, alt} or a path relative to the page.", figure(&i.Picture, pictureOfPage, false)},
		field{"url", "", "In logos: the page or site that the logo links to.", target(&i.Target, "https://oak.example")},
	))
}

func rowItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"eyebrow", "", "In rows: a short line above the title.", prosaic(&i.Eyebrow)},
		field{"title", "the row's heading", "In rows: the heading, in inline Markdown.", prosaic(&i.Title)},
		field{"text", "", "In rows: a few sentences, in inline Markdown.", prosaic(&i.Text)},
		field{"points", "", "In rows: a list of short points under the text.", filled(each(&i.Points, prosaic))},
		field{"action", "", "In rows: a link under the text, as {label, path} or {label, url}.", sectionAction(&i.Action)},
		field{"picture", "", "In rows: a picture, as {src, alt}. Rows show their pictures alternately on the right and on the left.", figure(&i.Picture, pictureOfPage, true)},
	))
}

func statItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"value", "the number with its unit, such as 28 years", "In stats: a number with its unit.", prosaic(&i.Title)},
		field{"label", "the number's label, such as \"in business\"", "In stats: the label for the number.", prosaic(&i.Text)},
	))
}

func featureItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"icon", "", "In features: the name of an icon, such as rocket.", prosaic(&i.Icon)},
		field{"title", "the feature's name", "In features: the feature's name.", prosaic(&i.Title)},
		field{"text", "", "In features: a sentence about the feature, in inline Markdown.", prosaic(&i.Text)},
		field{"path", "", "In features: the page about the feature, as a path on the site or a file relative to the page.", target(&i.Target, "/pricing")},
	))
}

func quoteItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"text", "the quotation", "In quotes: the quotation, without quotation marks.", prosaic(&i.Text)},
		field{"name", "the speaker's name", "In quotes: the speaker's name.", prosaic(&i.Title)},
		field{"role", "", "In quotes: the speaker's role.", prosaic(&i.Role)},
		field{"picture", "", "In quotes: the speaker's portrait, as {src, alt} or a path relative to the page.", figure(&i.Picture, pictureOfPage, false)},
	))
}

func questionItem(i *site.SectionItem) reader {
	return noting(&i.Pos, closed(
		field{"question", "a reader's question", "In questions: the question, in a reader's words.", prosaic(&i.Title)},
		field{"answer", "the answer, in Markdown", "In questions: the answer, in Markdown.", prosaic(&i.Text)},
	))
}

// prosaic returns a reader for a Markdown string. The reader also accepts a number and stores its written form.
func prosaic(dst *site.Written) reader {
	return written(reader{
		read: func(r *report, v value) {
			if s, ok := textOf(r, v); ok {
				*dst = site.Written{Text: s, Pos: v.Pos}
			}
		},
		draw: func() shape.Shape { return drawText(shape.Prose, nil) },
	})
}

// target returns a reader for a link's target, which is a path or a URL. Editing tools show example. The target is
// resolved after all pages are loaded.
func target(dst *site.Reference, example string) reader {
	one := check{oneWord, `\S`, []string{example}}
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, one); ok {
			*dst = site.Reference{Target: strings.TrimSpace(s), Pos: v.Pos}
		}
	}
	return reader{read, func() shape.Shape { return drawText(shape.Plain, []check{one}) }}
}

// actionsField returns the field for a list of at most two actions.
func actionsField(dst *[]site.SectionAction, need string) field {
	return field{"actions", need, "In a hero or an action: one or two links, as {label, path} or {label, url}, the most important first.",
		filled(few(2, "actions; keep the most important", each(dst, sectionAction)))}
}

// sectionAction returns a reader for a link with its label.
func sectionAction(a *site.SectionAction) reader {
	var url site.Reference
	fields := closed(
		field{"label", "the link text", "The link text.", prosaic(&a.Label)},
		field{"path", "", "The link's target on this site: a path, or a file relative to the page. Set either path or url.", target(&a.Target, "/pricing")},
		field{"url", "", "The link's target on another site: an absolute URI. Set either path or url.", reader{
			read: func(r *report, v value) {
				if s, ok := textOf(r, v, isAbsoluteURI("https://oak.example")); ok {
					url = site.Reference{Target: s, Pos: v.Pos}
				}
			},
			// The URL may contain a fact expression, so the shape has no pattern.
			draw: func() shape.Shape { return drawText(shape.Plain, nil) },
		}},
	)
	read := func(r *report, v value) {
		fields.read(r, v)
		if v.Kind != tree.Map {
			return
		}
		path, address := v.Get("path"), v.Get("url")
		switch {
		case path != nil && address != nil:
			r.errorf(address.Pos, "%s: an action cannot have both path and url; remove one of the two", v.name)
		case path == nil && address == nil:
			r.errorf(v.key, "%s has no target; add a path such as /pricing, or a url", v.name).Code = rule.MissingKey
		case address != nil:
			a.Target = url
		}
	}
	return reader{read, fields.draw}
}

// pictureOfPage is the description of the path of a picture on a page.
const pictureOfPage = "The path of the picture, relative to the page or to the site's root."

// figure returns a reader for a picture as {src, alt}. src describes the key src. If needsAlt is set, the alt text is
// required. Otherwise, the value may also be only the path, because pages show a name or a title with the picture.
func figure(f *site.Figure, src string, needsAlt bool) reader {
	need := ""
	if needsAlt {
		need = "a description of the picture, for people who cannot see it"
	}
	fields := closed(
		field{"src", "the path of the picture, such as hero.jpg", src, reference(&f.Src)},
		field{"alt", need, "A description of the picture, for people who cannot see it.", line(&f.Alt)},
	)
	read := func(r *report, v value) {
		if v.Kind != tree.Text {
			fields.read(r, v)
			return
		}
		if needsAlt {
			r.errorf(v.Pos, "%s: the picture has no alternative text; write {src: %s, alt: what it shows}", v.name, v.Text).Code = rule.NoAlt
			return
		}
		reference(&f.Src).read(r, v)
	}
	return reader{read, func() shape.Shape {
		s := fields.draw()
		if !needsAlt {
			file := reference(&f.Src).draw()
			s.Kinds = append(file.Kinds, s.Kinds...)
			s.Use, s.Pattern, s.Examples = file.Use, file.Pattern, file.Examples
		}
		return s
	}}
}

// filled wraps a list reader so that the reader rejects an empty list.
func filled(items reader) reader {
	return reader{
		read: func(r *report, v value) {
			if v.Kind == tree.List && len(v.Items) == 0 {
				r.errorf(v.Pos, "%s: the list is empty; add an item, or remove the key", v.name)
				return
			}
			items.read(r, v)
		},
		draw: items.draw,
	}
}

// SectionKinds returns the kinds of sections in the order of the documentation.
func SectionKinds() []string { return sectionKinds() }

// SectionShape returns the shape of a section of the given kind.
func SectionShape(kind string) shape.Shape {
	return drawObject(others{}, sectionFields(new(site.Section), kind))
}

// drawSections returns one shape for sections of all kinds. The shape contains the fields of every kind.
func drawSections(fields func(*site.Section, string) []field) shape.Shape {
	var all shape.Shape
	for i, kind := range sectionKinds() {
		one := drawObject(others{}, fields(new(site.Section), kind))
		if i == 0 {
			all = one
			continue
		}
		all = either(all, one)
	}
	return all
}

// either returns a shape that allows the values of a and the values of b. A key in both shapes has both descriptions.
func either(a, b shape.Shape) shape.Shape {
	for _, kind := range b.Kinds {
		if !a.Has(kind) {
			a.Kinds = append(a.Kinds[:len(a.Kinds):len(a.Kinds)], kind)
		}
	}
	a.Empty = a.Empty || b.Empty
	if a.Pattern != b.Pattern {
		a.Pattern = ""
	}
	switch {
	case a.Item == nil:
		a.Item = b.Item
	case b.Item != nil:
		item := either(*a.Item, *b.Item)
		a.Item = &item
	}
	var merged []shape.Field
	for _, f := range a.Fields {
		if other := b.Get(f.Name); other != nil {
			if !strings.Contains(f.About, other.About) {
				f.About += " " + other.About
			}
			f.Shape, f.Required = either(f.Shape, other.Shape), f.Required && other.Required
		} else {
			f.Required = f.Required && len(b.Fields) == 0
		}
		merged = append(merged, f)
	}
	for _, f := range b.Fields {
		if a.Get(f.Name) == nil {
			f.Required = f.Required && len(a.Fields) == 0
			merged = append(merged, f)
		}
	}
	a.Fields = merged
	return a
}

// expandTargets expands facts in the links and pictures of sections. Package markdown expands those in other strings.
func (x *factExpander) expandTargets(n *tree.Node) {
	for _, item := range n.Items {
		x.expandTargets(item)
	}
	for _, m := range n.Members {
		if m.Value.Kind == tree.Text && slices.Contains([]string{"path", "url", "src", "alt", "picture"}, m.Key) {
			x.node(m.Value)
			continue
		}
		x.expandTargets(m.Value)
	}
}

// heroTitle returns the title of the hero at the start of the page as a Markdown heading, or nil if there is no such
// hero.
func heroTitle(p *site.Page) []byte {
	if len(p.Sections) == 0 || p.Sections[0].Kind != site.Hero || p.Sections[0].Title.Text == "" {
		return nil
	}
	return fmt.Appendf(nil, "# %s\n", strings.Join(strings.Fields(p.Sections[0].Title.Text), " "))
}
