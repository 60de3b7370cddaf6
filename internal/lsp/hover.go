package lsp

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// hover returns a description of the text at the position in params: the target of a link, the value of a fact, or the
// purpose of a key or a component. The description also explains the rules that are violated at the position. The
// result is nil if there is nothing to describe.
func (d *document) hover(params documentParams) (*hover, error) {
	h, err := d.describe(params)
	if err != nil {
		return nil, err
	}
	return d.withRules(h, params.Position)
}

// withRules adds explanations of the rules that are violated at the given position to h, which may be nil.
func (d *document) withRules(h *hover, at position) (*hover, error) {
	d.refresh()
	var seen []string
	for _, problem := range d.project.diagnostics(d.name, d.project.problems[d.name]) {
		r, ok := rule.Find(site.Code(problem.Code))
		if !ok || slices.Contains(seen, problem.Code) || before(at, problem.Range.Start) || before(problem.Range.End, at) {
			continue
		}
		seen = append(seen, problem.Code)
		text, err := r.Explain()
		if err != nil {
			return nil, err
		}
		if h == nil {
			h = &hover{markup{Kind: "markdown"}, problem.Range}
		} else {
			h.Contents.Value += "\n\n---\n\n"
		}
		h.Contents.Value += strings.TrimSpace(text)
	}
	return h, nil
}

// refresh computes and publishes the site's problems if they are out of date.
func (d *document) refresh() {
	d.project.changed = d.project.changed || d.project.problems == nil
	d.project.publish()
}

// describe returns a description of the text at the position in params, or nil if there is nothing to describe.
func (d *document) describe(params documentParams) (*hover, error) {
	offset := d.offset(params.Position)
	if expression, uses, start, end := d.factAt(offset); expression != "" && d.name != productFile {
		value, _ := d.project.live.Facts(d.name).Expand(expression)
		said := value.Text
		for _, item := range value.Items {
			said += "- " + item + "\n"
		}
		for _, row := range value.Rows {
			said += "- " + strings.Join(row, " · ") + "\n"
		}
		for _, f := range d.project.facts() {
			if slices.Contains(uses, f.path) {
				said += fmt.Sprintf("\n\n`%s`, %s:%d", f.path, productFile, f.pos.Line)
			}
		}
		return d.say(start, end, said)
	}
	if l, ok := d.linkAt(offset); ok {
		target, err := d.project.live.Index().Resolve(l.from, l.destination)
		switch {
		case err != nil:
			return d.say(l.begin, l.end, err.Error())
		case target.Page != nil:
			about := "**" + target.Page.Title + "**"
			if target.Page.Description != "" {
				about += "\n\n" + target.Page.Description
			}
			if _, outline := d.project.live.Page(target.Page.Source); target.Fragment != "" {
				for _, h := range outline.Headings {
					if h.ID == target.Fragment {
						about += "\n\n" + strings.Repeat("#", h.Level) + " " + h.Text
					}
				}
			}
			return d.say(l.begin, l.end, fmt.Sprintf("%s\n\n`%s`, %s", about, target.URL, target.Page.Source))
		}
		return d.say(l.begin, l.end, "`"+string(target.URL)+"`")
	}
	if y, ok := d.yamlAt(offset); ok {
		keys := y.keys()
		for len(keys) > 0 && keys[len(keys)-1] == "" {
			keys = keys[:len(keys)-1]
		}
		if len(keys) == 0 {
			return nil, nil
		}
		if s := d.shapeOf(keys[:len(keys)-1]); s != nil {
			if f := s.Get(keys[len(keys)-1]); f != nil {
				return d.say(y.start, y.end, fmt.Sprintf("**%s** (%s)\n\n%s%s", f.Name, kindOf(&f.Shape), f.About, examples(&f.Shape)))
			}
		}
		return nil, nil
	}
	return d.hoverComponent(offset)
}

func examples(s *shape.Shape) string {
	if len(s.Examples) == 0 {
		return ""
	}
	return "\n\nFor example: `" + strings.Join(s.Examples, "`, `") + "`"
}

func (d *document) hoverComponent(offset int) (*hover, error) {
	if d.project.live == nil || d.project.live.Index() == nil {
		return nil, nil
	}
	start, end := offset, offset
	isName := func(c byte) bool {
		return c == '-' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	for start > 0 && isName(d.source[start-1]) {
		start--
	}
	for end < len(d.source) && isName(d.source[end]) {
		end++
	}
	if start == 0 || d.source[start-1] != ':' {
		return nil, nil
	}
	for _, c := range d.project.live.Parser(d.name).Components() {
		if c.Name == string(d.source[start:end]) {
			return d.say(start, end, c.About+"\n\n```markdown\n"+c.Example()+"\n```")
		}
	}
	return nil, nil
}

func (d *document) say(start, end int, said string) (*hover, error) {
	return &hover{markup{"markdown", said}, d.span(start, end)}, nil
}
