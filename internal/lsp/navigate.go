package lsp

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"vitrine/internal/check"
	"vitrine/internal/fix"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Kinds of code actions in LSP.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
)

// definition returns the position of the target if there is a link at the position in params, or the positions of the
// facts if there is an expression that uses facts. Otherwise, it returns nil.
func (d *document) definition(params documentParams) ([]location, error) {
	offset := d.offset(params.Position)
	p := d.project
	if expression, uses, _, _ := d.factAt(offset); expression != "" {
		var found []location
		product := p.text(productFile)
		for _, f := range p.facts() {
			if slices.Contains(uses, f.path) {
				found = append(found, location{p.uri(productFile), product.from(f.pos)})
			}
		}
		return found, nil
	}
	l, ok := d.linkAt(offset)
	if !ok {
		return nil, nil
	}
	target, err := p.live.Index().Resolve(l.from, l.destination)
	if err != nil {
		return nil, nil
	}
	return p.declared(target), nil
}

// declared returns the position of target, which is a heading, the start of a page, or the start of a file. It returns
// nil if target is a page of the theme or has no source.
func (p *project) declared(target site.Target) []location {
	if target.Page == nil {
		if source := p.sourceAt(target.Path); source != "" {
			return []location{{URI: p.uri(source)}}
		}
		return nil
	}
	if target.Page.Text != nil {
		return nil
	}
	at := location{URI: p.uri(target.Page.Source)}
	if _, outline := p.live.Page(target.Page.Source); target.Fragment != "" {
		for _, h := range outline.Headings {
			if h.ID == target.Fragment {
				at.Range = p.text(target.Page.Source).from(h.Pos)
			}
		}
	}
	return []location{at}
}

// sourceAt returns the name of the source of the page or file at path, or "" if there is none or it is a theme page.
func (p *project) sourceAt(path string) string {
	if page, _ := p.live.Index().Answers(path); page != nil && page.Text == nil {
		return page.Source
	}
	for _, f := range p.live.Site().Files {
		if f.Path == path {
			return f.Source
		}
	}
	return ""
}

// references returns all references to the page, heading, file, or fact at the position in params.
func (d *document) references(params documentParams) ([]location, error) {
	offset := d.offset(params.Position)
	p := d.project
	if p.live == nil || p.live.Index() == nil {
		return nil, nil
	}
	var found []location
	if expression, uses, _, _ := d.factAt(offset); expression != "" {
		if params.Context.IncludeDeclaration {
			found, _ = d.definition(params)
		}
		texts := make(map[string]*text)
		for name, pos := range p.uses(uses) {
			if texts[name] == nil {
				texts[name] = p.text(name)
			}
			for _, at := range pos {
				found = append(found, location{p.uri(name), texts[name].from(at)})
			}
		}
		sortLocations(found)
		return found, nil
	}
	target := site.Target{}
	if l, ok := d.linkAt(offset); ok {
		var err error
		if target, err = p.live.Index().Resolve(l.from, l.destination); err != nil {
			return nil, nil
		}
	} else if page, outline := p.live.Page(d.name); page != nil {
		target.Page, target.Path = page, page.Path
		for _, h := range outline.Headings {
			if h.Pos.Line == params.Position.Line+1 {
				target.Fragment = h.ID
			}
		}
	}
	if target.Path == "" {
		return nil, nil
	}
	if params.Context.IncludeDeclaration {
		found = p.declared(target)
	}
	var t *text
	last := ""
	for l := range p.links(target.Path) {
		if l.path != target.Path || target.Fragment != "" && l.anchor != target.Fragment {
			continue
		}
		if t == nil || l.from.Source != last {
			t, last = p.text(l.from.Source), l.from.Source
		}
		found = append(found, location{p.uri(last), t.from(l.pos)})
	}
	sortLocations(found)
	return found, nil
}

func sortLocations(l []location) {
	slices.SortStableFunc(l, func(a, b location) int {
		if a.URI != b.URI {
			return strings.Compare(a.URI, b.URI)
		}
		return a.Range.Start.Line - b.Range.Start.Line
	})
}

// uses returns the positions at which pages use the facts at paths, parts of these facts, or facts that contain them.
// The result is keyed by the name of the page's source file.
func (p *project) uses(paths []string) map[string][]site.Pos {
	found := make(map[string][]site.Pos)
	p.live.Each(func(page *site.Page, o *record.Outline) {
		for _, use := range o.Facts {
			for _, path := range paths {
				if at := found[page.Source]; within(use.Path, path) && (len(at) == 0 || at[len(at)-1] != use.Pos) {
					found[page.Source] = append(at, use.Pos)
				}
			}
		}
	})
	return found
}

// within reports whether the fact paths a and b are equal, or one of the two facts contains the other.
func within(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// foundLink is a link in a page's text or front matter, in site.yaml, or in questions.yaml.
type foundLink struct {
	from        *site.Page
	destination string
	pos         site.Pos
	// path and anchor are the link's target; see record.Link.
	path, anchor string
}

// linksOf returns the links in a page's text, and the image, cover, and translationOf links in its front matter.
func (p *project) linksOf(page *site.Page, o *record.Outline) iter.Seq[foundLink] {
	return func(yield func(foundLink) bool) {
		for _, r := range []site.Reference{page.Image, page.Cover.Src, page.TranslationOf} {
			if l, ok := p.setting(page, r); ok && !yield(l) {
				return
			}
		}
		for _, link := range o.Links {
			if !yield(foundLink{page, link.Destination, link.Pos, link.Path, link.Anchor}) {
				return
			}
		}
	}
}

// setting resolves a link in front matter, site.yaml, or questions.yaml. ok is false if the link is empty or its target
// doesn't exist.
func (p *project) setting(from *site.Page, r site.Reference) (l foundLink, ok bool) {
	if r.Target == "" {
		return l, false
	}
	target, err := p.live.Index().Resolve(from, r.Target)
	return foundLink{from, r.Target, r.Pos, target.Path, target.Fragment}, err == nil
}

// links returns all links written by editors: in pages, front matter, site.yaml, and questions.yaml. If paths isn't
// empty, links may omit the links on pages that aren't at any of the paths and don't link to any of them.
func (p *project) links(paths ...string) iter.Seq[foundLink] {
	return func(yield func(foundLink) bool) {
		more := true
		p.live.Each(func(page *site.Page, o *record.Outline) {
			for l := range p.linksOf(page, o) {
				if more = more && yield(l); !more {
					return
				}
			}
		}, paths...)
		for _, link := range check.SettingLinks(&p.live.Site().Config) {
			if l, ok := p.setting(&site.Page{Path: "/", Source: configFile}, link); ok {
				more = more && yield(l)
			}
		}
		for _, link := range check.QuestionLinks(p.live.Site()) {
			if l, ok := p.setting(&site.Page{Path: "/", Source: questionsFile}, link); ok {
				more = more && yield(l)
			}
		}
	}
}

// codeActions returns an action for each fix in the range in params, and one action for all fixes in the file.
func (d *document) codeActions(params documentParams) ([]codeAction, error) {
	actions := []codeAction{}
	wanted := func(kind string) bool {
		only := params.Context.Only
		return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool { return o == kind || strings.HasPrefix(kind, o+".") })
	}
	d.refresh()
	problems := d.project.problems[d.name]
	shown := d.project.diagnostics(d.name, problems)
	for i, problem := range problems {
		r := shown[i].Range
		if problem.Fix == (site.Edit{}) || !wanted(quickFix) || before(r.End, params.Range.Start) || before(params.Range.End, r.Start) {
			continue
		}
		if edit, ok := d.edit([]site.Edit{problem.Fix}); ok {
			title := fmt.Sprintf("Write %q", problem.Fix.New)
			if problem.Fix.New == "" {
				title = fmt.Sprintf("Remove %q", problem.Fix.Old)
			}
			actions = append(actions, codeAction{title, quickFix, shown[i : i+1], true, edit})
		}
	}
	if all := fix.Edits(problems)[d.name]; len(all) > 0 && wanted(fixAll) {
		if edit, ok := d.edit(all); ok {
			actions = append(actions, codeAction{Title: "Fix all problems that have only one solution", Kind: fixAll, Edit: edit})
		}
	}
	return actions, nil
}

func before(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// edit converts edits of the document to an edit for the client. ok is false if edits don't match the current text.
func (d *document) edit(edits []site.Edit) (edit *workspaceEdit, ok bool) {
	c := &changes{project: d.project, edits: map[string][]site.Edit{d.name: edits}}
	edit, err := c.write()
	return edit, err == nil
}
