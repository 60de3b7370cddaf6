package convert

import (
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// containerLine matches the start or the end of a container in the generic directive syntax.
var containerLine = lazyregexp.New(`^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)?[ \t]*(.*?)[ \t]*$`)

type openContainer struct {
	indent, name, rest, raw string
	colons                  int
	body                    strings.Builder
}

// nextItem matches the start of a list item or a heading.
var nextItem = lazyregexp.New(`^([ \t]*)(?:\d{1,9}[.)]|[-*+]|#{1,6})[ \t]`)

// leftBy reports whether line is outside the list item in which o was opened, and behind, the text after the line,
// doesn't contain the end of o. If so, other tools end both the item and the container.
func (o *openContainer) leftBy(line, behind string) bool {
	m := nextItem.FindStringSubmatch(line)
	return m != nil && len(m[1]) < len(o.indent) && !strings.Contains(behind, "\n"+o.indent+strings.Repeat(":", o.colons)+"\n")
}

// endedBy reports whether the start of a container with the given name and number of colons also ends o. This is the
// case if o is a group of code blocks with the same number of colons and the new container isn't a tab.
func (o *openContainer) endedBy(name string, colons int) bool {
	return colons == o.colons && source.HasWord("code-group codegroup code-tabs", strings.ToLower(o.name)) && !source.HasWord("tab tab-item code-group-item", strings.ToLower(name))
}

// Directives returns text with the containers of Docusaurus, VitePress, and Starlight, such as ":::tip", converted.
func Directives(c *Converter, text string) string {
	if !strings.Contains(text, ":::") {
		return text
	}
	stack := []*openContainer{{}}
	f := NewFences(c.syntax.Mdx)
	f.list = true
	write := func(s string) { stack[len(stack)-1].body.WriteString(s) }
	pop := func() {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p := c.container(top)
		write(top.indent + Hanging(p, top.indent) + "\n")
	}
	at := 0
	for line := range strings.Lines(text) {
		at += len(line)
		plain := strings.TrimSuffix(line, "\n")
		m := containerLine.FindStringSubmatch(plain)
		code := f.Line(plain)
		for top := stack[len(stack)-1]; !code && len(stack) > 1 && top.leftBy(plain, text[at-1:]); top = stack[len(stack)-1] {
			pop()
			write("\n")
		}
		if code && (m == nil || f.Length > 0) || m == nil || strings.HasPrefix(m[4], ":") {
			write(line)
			continue
		}
		switch {
		case m[3] == "" && m[4] != "":
			write(line)
		case m[3] == "":
			// The line ends the innermost container with the same number of colons. If there is none, it ends the
			// innermost container with fewer colons.
			at := len(stack) - 1
			for at > 0 && stack[at].colons != len(m[2]) {
				at--
			}
			if at == 0 {
				for at = len(stack) - 1; at > 0 && stack[at].colons > len(m[2]); {
					at--
				}
			}
			for at > 0 && len(stack) > at {
				pop()
			}
		case len(stack) > 20:
			write(line)
		default:
			if top := stack[len(stack)-1]; top.endedBy(m[3], len(m[2])) {
				pop()
				write("\n")
			}
			stack = append(stack, &openContainer{indent: m[1], colons: len(m[2]), name: m[3], rest: m[4], raw: plain})
		}
	}
	for len(stack) > 1 {
		pop()
	}
	return stack[0].body.String()
}

var directiveAttrs = lazyregexp.New(`\{([^{}]*\})\s*$`)

// containerNames are the names of containers that are also components, in addition to the alerts.
const containerNames = "details collapse spoiler code-group codegroup code-tabs tabs steps cards tab tab-item card figure file-tree preview code-group-item v-pre raw center left right div row column"

// container converts a container to the alert or the component with the same name. If there is neither, container
// returns the result of kept.
func (c *Converter) container(o *openContainer) string {
	t := &Tag{Name: "{" + strings.ToLower(o.name), Raw: o.raw}
	title := o.rest
	if m := directiveAttrs.FindStringSubmatch(title); m != nil {
		title = strings.TrimSpace(title[:len(title)-len(m[0])])
		attrs, _, _ := Arguments(m[1], 0, "}")
		t.Attrs = slices.DeleteFunc(attrs, func(a Attr) bool { return a.Name == "" })
	}
	if rest, ok := strings.CutPrefix(title, "["); ok {
		if i := strings.LastIndexByte(rest, ']'); i >= 0 {
			title = strings.TrimSpace(rest[:i])
		}
	}
	if title != "" {
		t.Attrs = append([]Attr{{Name: "title", Value: title}}, t.Attrs...)
	}
	n := &Node{Tag: t, children: []*Node{{text: o.body.String(), code: true}}}
	name := t.Name[1:]
	if Alerts[name] != "" {
		return Alert(name, titleAttr(t), o.body.String()).Text
	}
	if source.HasWord(containerNames, name) {
		return c.Site.Components[t.Name](c, n).Text
	}
	return c.kept(n, "the container "+o.name, o.body.String()).Text
}

// ComponentAt matches the line that opens a component with attributes.
var ComponentAt = lazyregexp.New(`(?m)^[ \t>]*(?:[-*+][ \t]+)?` + Sign + `?:{2,}[a-z][\w-]*(?:\[.*\])?\{[^{}\n]*\}`)
