package migrate

import (
	"regexp"
	"strings"
)

// containerLine is the beginning or the end of a block of the tools that share the
// syntax of generic directives.
var containerLine = regexp.MustCompile(`^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)?[ \t]*(.*?)[ \t]*$`)

type openContainer struct {
	indent, name, rest, raw string
	colons                  int
	body                    strings.Builder
}

// directives turns the containers of Docusaurus, VitePress and Starlight into ours.
func directives(c *conv, text string) string {
	if !strings.Contains(text, ":::") {
		return text
	}
	stack := []*openContainer{{}}
	f := newFences(c.kind.mdx)
	f.list = true
	write := func(s string) { stack[len(stack)-1].body.WriteString(s) }
	pop := func() {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p := c.container(top)
		write(top.indent + hanging(p, top.indent) + "\n")
	}
	for line := range strings.Lines(text) {
		plain := strings.TrimSuffix(line, "\n")
		m := containerLine.FindStringSubmatch(plain)
		if code := f.line(plain); code && (m == nil || f.length > 0) || m == nil || strings.HasPrefix(m[4], ":") {
			write(line)
			continue
		}
		switch {
		case m[3] == "" && m[4] != "":
			write(line)
		case m[3] == "":
			at := len(stack) - 1
			for at > 0 && stack[at].colons > len(m[2]) {
				at--
			}
			for i := at; i > 0; i-- {
				if stack[i].colons == len(m[2]) {
					at = i
					break
				}
			}
			if at == 0 {
				// The end of nothing.
				continue
			}
			for len(stack) > at {
				pop()
			}
		case len(stack) > 20:
			write(line)
		default:
			stack = append(stack, &openContainer{indent: m[1], colons: len(m[2]), name: m[3], rest: m[4], raw: plain})
		}
	}
	for len(stack) > 1 {
		pop()
	}
	return stack[0].body.String()
}

var directiveAttrs = regexp.MustCompile(`\{([^{}]*)\}\s*$`)

// container writes one.
func (c *conv) container(o *openContainer) string {
	body, title, attrs := o.body.String(), o.rest, ""
	if m := directiveAttrs.FindStringSubmatch(title); m != nil {
		attrs = m[1]
		title = strings.TrimSpace(title[:len(title)-len(m[0])])
	}
	if rest, ok := strings.CutPrefix(title, "["); ok {
		if i := strings.LastIndexByte(rest, ']'); i >= 0 {
			title = strings.TrimSpace(rest[:i])
		}
	}
	get := func(key string) string {
		if m := regexp.MustCompile(`(?:^|\s)` + key + `=(?:"([^"]*)"|'([^']*)'|(\S+))`).FindStringSubmatch(attrs); m != nil {
			return m[1] + m[2] + m[3]
		}
		return ""
	}
	title = fallback(title, fallback(get("title"), get("label")))
	name := strings.ToLower(o.name)
	switch {
	case alerts[name] != "":
		return alert(name, title, body).text
	case name == "details" || name == "collapse" || name == "spoiler":
		return container("details", fallback(title, "Details"), "", body).text
	case name == "code-group" || name == "codegroup" || name == "code-tabs":
		return container("tabs", "", "", fencesAsTabs(dedent(body))).text
	case name == "tabs" || name == "steps" || name == "cards":
		return container(name, "", "", body).text
	case name == "tab" || name == "tab-item":
		return container("tab", fallback(title, "Tab"), "", body).text
	case name == "card":
		return container(name, title, attributes("link", fallback(get("href"), get("link"))), body).text
	case name == "v-pre" || name == "raw" || name == "center" || name == "left" || name == "right" || name == "div" || name == "row" || name == "column":
		return dedent(body)
	}
	if name == "figure" {
		return container(name, title, "", body).text
	}
	p := c.lostBlock(o.raw, "the container "+o.name, "it is this site's own; what stands in it was kept", "use one of the components, or make one of templates/components/NAME.html and NAME.md", "")
	return p.text + "\n\n" + dedent(body)
}
