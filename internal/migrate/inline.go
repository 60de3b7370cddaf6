package migrate

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// around sets emphasis, without the white space at its ends.
func (c *conv) around(n *node, sign string) piece {
	text := c.nodes(n.children, c.isPure(n))
	core := strings.TrimSpace(text)
	if core == "" || n.end == 0 || strings.Contains(core, "\n\n") {
		return piece{text, n.end != 0 && core != ""}
	}
	return piece{text: strings.Replace(text, core, sign+core+sign, 1)}
}

// asHTML leaves an element as HTML, without what its tag said else.
func (c *conv) asHTML(n *node, open, end string) piece {
	text := c.nodes(n.children, c.isPure(n))
	core := strings.TrimSpace(text)
	if n.end == 0 || strings.Contains(core, "\n\n") {
		return piece{text, n.end != 0}
	}
	return piece{text: open + core + end}
}

// bare is a text without its tags, entities resolved.
func bare(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			break
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 || open+1 < len(s) && !isNameByte(s[open+1]) && s[open+1] != '/' && s[open+1] != '!' {
			b.WriteString(s[:open+1])
			s = s[open+1:]
			continue
		}
		b.WriteString(s[:open])
		if strings.HasPrefix(s[open:], "<br") {
			b.WriteByte('\n')
		}
		s = s[open+end+1:]
	}
	b.WriteString(s)
	return html.UnescapeString(b.String())
}

func (c *conv) codeElement(n *node) piece {
	if n.tag.form != alone {
		return piece{text: c.nodes(n.children, false)}
	}
	text := n.tag.inner
	if c.syntax.mdx {
		text = c.literals(text)
	}
	if strings.Contains(text, "](") || strings.Contains(text, "<a ") {
		return piece{text: c.markdown(text)}
	}
	text = bare(text)
	if inner := strings.Trim(text, "`"); strings.HasPrefix(text, "`") && strings.HasSuffix(text, "`") && strings.TrimSpace(inner) != "" {
		text = inner
	}
	return piece{text: codeSpan(text)}
}

// literals resolves the constants of MDX in a text.
func (c *conv) literals(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		end := balanced(text, 0)
		s, ok := "", false
		if end > 0 {
			s, ok = c.constant(text[1 : end-1])
		}
		if !ok {
			s, end = "{", 1
		} else {
			s = html.EscapeString(s)
		}
		b.WriteString(s)
		text = text[end:]
	}
	return b.String() + text
}

func (c *conv) preformatted(n *node) piece {
	text := n.tag.inner
	if n.tag.form != alone {
		return piece{c.inner(n), true}
	}
	if c.syntax.mdx {
		text = c.literals(text)
	}
	language := languageOf(n.tag.get("class", "className", "lang", "data-lang"))
	if strings.HasPrefix(strings.TrimSpace(text), "<code") && language == "" {
		if t, _ := c.readTag(strings.TrimSpace(text), 0); t != nil {
			language = languageOf(t.get("class", "className", "data-lang"))
		}
	}
	return piece{codeFence(language, bare(text)), true}
}

// languageOf finds a language in a class, such as "language-go".
func languageOf(class string) string {
	for word := range strings.FieldsSeq(class) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
			if rest, ok := strings.CutPrefix(word, prefix); ok {
				return rest
			}
		}
	}
	return ""
}

func (c *conv) anchorElement(n *node) piece {
	t := n.tag
	text := c.nodes(n.children, c.isPure(n))
	id := t.get("id", "name")
	if id != "" {
		id = anchor(id)
	}
	href := t.get("href", "to")
	core := strings.TrimSpace(text)
	switch {
	case href == "" && t.has("href") && t.get("href") == "" && core != "":
		c.note(t.raw, "the address of a link", "it is an expression, or empty", "write the address")
		return piece{text: id + text}
	case href == "" || core == "":
		return piece{text: id + text}
	case strings.Contains(core, "\n\n"), strings.HasPrefix(core, sign), strings.HasPrefix(core, "#"), strings.HasPrefix(core, "```"):
		// A link around blocks: its address stands below them.
		return piece{id + text + "\n\n[" + href + "](" + destination(href) + ")", true}
	}
	words := strings.Join(strings.Fields(core), " ")
	if strings.Contains(words, "](") && !strings.HasPrefix(words, "![") {
		return piece{text: id + text}
	}
	lead, tail, _ := strings.Cut(text, core)
	space := func(s string) string { return strings.Repeat(" ", min(1, len(s))) }
	return piece{text: space(lead) + id + "[" + words + "](" + destination(href) + titlePart(t.get("title")) + ")" + space(tail)}
}

// titlePart is the title of a link, behind its address.
func titlePart(title string) string {
	if title == "" {
		return ""
	}
	return ` "` + strings.ReplaceAll(title, `"`, "'") + `"`
}

// destination writes an address so that Markdown reads it as one.
func destination(s string) string {
	s = strings.TrimSpace(strings.NewReplacer("\n", "", "\t", "", "\r", "").Replace(s))
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C").Replace(s)
}

// image writes a picture: as HTML only where its size was given.
func (c *conv) image(t *tag) piece {
	src := t.get("src", "data-src", "file")
	alt := strings.Join(strings.Fields(t.get("alt", "title", "caption")), " ")
	if src == "" {
		return c.unknown(&node{tag: t, end: 1})
	}
	width, height := pixels(t.get("width")), pixels(t.get("height"))
	if (width > 0 || height > 0) && !c.oneLine {
		return piece{text: `<img src="` + html.EscapeString(destination(src)) + `" alt="` + html.EscapeString(alt) + `"` + number(" width", width) + number(" height", height) + ">"}
	}
	title := t.get("title")
	if title == alt {
		title = ""
	}
	return piece{text: "![" + strings.NewReplacer("[", "(", "]", ")").Replace(alt) + "](" + destination(src) + titlePart(title) + ")"}
}

// pixels reads a size; 0 for one in other units.
func pixels(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
	if err != nil || n < 1 || n > 10_000 {
		return 0
	}
	return n
}

func number(name string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(`%s="%d"`, name, n)
}

func (c *conv) heading(n *node) piece {
	was := c.oneLine
	c.oneLine = true
	text := strings.Join(strings.Fields(c.nodes(n.children, c.isPure(n))), " ")
	c.oneLine = was
	id := ""
	if s := n.tag.get("id"); s != "" {
		id = " {#" + s + "}"
	}
	if text == "" {
		return piece{}
	}
	return piece{strings.Repeat("#", int(n.tag.name[1]-'0')) + " " + text + id, true}
}

func quote(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

func (c *conv) input(t *tag) piece {
	switch strings.ToLower(t.get("type")) {
	case "checkbox":
		if t.has("checked") {
			return piece{text: "[x]"}
		}
		return piece{text: "[ ]"}
	case "hidden":
		return piece{}
	}
	c.note(t.raw, "the control <input>", "forms do not work without scripts and servers", "link to a page that has the form")
	return piece{text: t.get("value", "placeholder")}
}

// unseen drops what says nothing to a reader, and reports what the look loses.
func (c *conv) unseen(n *node) piece {
	switch n.tag.name {
	case "style", "link":
		c.note(n.tag.raw, "the style of <"+n.tag.name+">", "pages have no styles of their own", "put what is needed into the theme's stylesheet, see docs/guides/theme.md")
	}
	return piece{}
}

// opaque is what cannot stand in a document: it is shown as it was written.
func (c *conv) opaque(n *node) piece {
	return c.lost(n.tag, "<"+n.tag.name+">", "it runs or draws in the browser", "put a picture or a link in its place; scripts of the whole site belong in site.yaml", "html")
}
