package convert

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// around returns the content of n as emphasis, with sign before and after the content. It moves leading and trailing
// white space outside the emphasis. It returns the content without emphasis if the content is empty or contains several
// blocks, or if n has no end tag.
func (c *Converter) around(n *Node, sign string) Piece {
	text := c.nodes(n.children, c.isPure(n))
	core := strings.TrimSpace(text)
	if core == "" || n.end == 0 || strings.Contains(core, "\n\n") {
		return Piece{text, n.end != 0 && core != ""}
	}
	return Piece{Text: strings.Replace(text, core, sign+core+sign, 1)}
}

// asHTML returns the converted content of an element between the given HTML tags. It omits the tags if the content has
// several blocks or the element has no end tag.
func (c *Converter) asHTML(n *Node, open, end string) Piece {
	text := c.nodes(n.children, c.isPure(n))
	core := strings.TrimSpace(text)
	if n.end == 0 || strings.Contains(core, "\n\n") {
		return Piece{text, n.end != 0}
	}
	return Piece{Text: open + core + end}
}

// Bare returns text without its tags and comments, and with entities resolved.
func Bare(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			break
		}
		end := tagEnd(s[open:])
		if end < 0 {
			b.WriteString(s[:open+1])
			s = s[open+1:]
			continue
		}
		b.WriteString(s[:open])
		if strings.HasPrefix(s[open:], "<br") {
			b.WriteByte('\n')
		}
		s = s[open+end:]
	}
	b.WriteString(s)
	return html.UnescapeString(b.String())
}

// tagEnd returns the length of the tag or comment at the start of s, or -1 if there is none.
func tagEnd(s string) int {
	end := ">"
	switch {
	case strings.HasPrefix(s, "<!--"):
		end = "-->"
	case len(s) > 1 && !isNameByte(s[1]) && s[1] != '/' && s[1] != '!':
		return -1
	}
	i := strings.Index(s, end)
	if i < 0 {
		return -1
	}
	return i + len(end)
}

func (c *Converter) codeElement(n *Node) Piece {
	if n.Tag.Form != Alone {
		return Piece{Text: c.nodes(n.children, false)}
	}
	text := n.Tag.inner
	if c.syntax.Mdx {
		text = c.literals(text)
	}
	if !c.syntax.Document && (strings.Contains(text, "](") || strings.Contains(text, "<a ")) {
		return Piece{Text: c.Markdown(text)}
	}
	text = Bare(text)
	if inner := strings.Trim(text, "`"); strings.HasPrefix(text, "`") && strings.HasSuffix(text, "`") && strings.TrimSpace(inner) != "" {
		text = inner
	}
	return Piece{Text: CodeSpan(text)}
}

// literals returns text with the constant MDX expressions replaced by their values, escaped for HTML.
func (c *Converter) literals(text string) string {
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
			s, ok = c.Constant(text[1 : end-1])
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

func (c *Converter) preformatted(n *Node) Piece {
	text := n.Tag.inner
	if n.Tag.Form != Alone {
		return Piece{c.Inner(n), true}
	}
	if c.syntax.Mdx {
		text = c.literals(text)
	}
	language := languageOf(n.Tag.Get("class", "className", "lang", "data-lang"))
	if strings.HasPrefix(strings.TrimSpace(text), "<code") && language == "" {
		if t, _ := c.readTag(strings.TrimSpace(text), 0); t != nil {
			language = languageOf(t.Get("class", "className", "data-lang"))
		}
	}
	if title := n.Tag.Get("data-title"); title != "" {
		language = strings.TrimSpace(language+` title="`) + strings.ReplaceAll(title, `"`, "'") + `"`
	}
	return Piece{CodeFence(language, Bare(text)), true}
}

// languageOf returns the language in a class attribute, such as "go" for "language-go", or "" if there is none.
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

func (c *Converter) anchorElement(n *Node) Piece {
	t := n.Tag
	text := c.nodes(n.children, c.isPure(n))
	id := t.Get("id", "name")
	if id != "" {
		id = anchor(id)
	}
	href := t.Get("href", "to")
	core := strings.TrimSpace(text)
	switch {
	case href == "" && t.has("href") && t.Get("href") == "" && core != "":
		c.Note(t.Raw, "the address of a link", "it is an expression, or empty", "add the address")
		return Piece{Text: id + text}
	case href == "" || core == "":
		return Piece{Text: id + text}
	case strings.Contains(core, "\n\n"), strings.HasPrefix(core, Sign), strings.HasPrefix(core, "#"), strings.HasPrefix(core, "```"):
		// A link around blocks becomes a link after the blocks.
		return Piece{id + text + "\n\n[" + href + "](" + Destination(href) + ")", true}
	}
	words := strings.Join(strings.Fields(core), " ")
	if strings.Contains(words, "](") && !strings.HasPrefix(words, "![") {
		return Piece{Text: id + text}
	}
	lead, tail, _ := strings.Cut(text, core)
	space := func(s string) string { return strings.Repeat(" ", min(1, len(s))) }
	return Piece{Text: space(lead) + id + "[" + words + "](" + Destination(href) + titlePart(t.Get("title")) + ")" + space(tail)}
}

// titlePart returns title with quotes and a leading space, for use after a link's address. It returns "" if title is
// "".
func titlePart(title string) string {
	if title == "" {
		return ""
	}
	return ` "` + strings.ReplaceAll(title, `"`, "'") + `"`
}

// Destination returns an address escaped for use as a Markdown link destination.
func Destination(s string) string {
	s = strings.TrimSpace(strings.NewReplacer("\n", "", "\t", "", "\r", "").Replace(s))
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C").Replace(s)
}

// image converts an image to Markdown. If the tag specifies a size and the position allows blocks, image returns an
// <img> element instead. It treats an image without an address as an unknown component.
func (c *Converter) image(t *Tag) Piece {
	src := t.Get("src", "data-src", "file")
	alt := strings.Join(strings.Fields(t.Get("alt", "title", "caption")), " ")
	if src == "" {
		return c.unknown(&Node{Tag: t, end: 1})
	}
	width, height := pixels(t.Get("width")), pixels(t.Get("height"))
	if (width > 0 || height > 0) && !c.oneLine {
		return Piece{Text: `<img src="` + html.EscapeString(Destination(src)) + `" alt="` + html.EscapeString(alt) + `"` + number(" width", width) + number(" height", height) + ">"}
	}
	title := t.Get("title")
	if title == alt {
		title = ""
	}
	return Piece{Text: "![" + strings.NewReplacer("[", "(", "]", ")").Replace(alt) + "](" + Destination(src) + titlePart(title) + ")"}
}

// pixels parses a size in pixels. It returns 0 for other units and for sizes outside 1 to 10,000.
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

func (c *Converter) heading(n *Node) Piece {
	was := c.oneLine
	c.oneLine = true
	text := strings.Join(strings.Fields(c.nodes(n.children, c.isPure(n))), " ")
	c.oneLine = was
	id := ""
	if s := n.Tag.Get("id"); s != "" {
		id = " {#" + s + "}"
	}
	if text == "" {
		return Piece{}
	}
	return Piece{strings.Repeat("#", int(n.Tag.Name[1]-'0')) + " " + text + id, true}
}

func quote(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

func (c *Converter) input(t *Tag) Piece {
	switch strings.ToLower(t.Get("type")) {
	case "checkbox":
		if t.has("checked") {
			return Piece{Text: "[x]"}
		}
		return Piece{Text: "[ ]"}
	case "hidden":
		return Piece{}
	}
	c.Note(t.Raw, "the control <input>", "forms do not work without scripts or servers", "link to a page with the form")
	return Piece{Text: t.Get("value", "placeholder")}
}

// gauge converts a progress bar or a meter to its text or, if there is none, to its value and maximum, such as 5/34.
func (c *Converter) gauge(n *Node) Piece {
	if inner := strings.TrimSpace(c.Inner(n)); inner != "" {
		return Piece{Text: inner}
	}
	value, most := n.Tag.Get("value"), n.Tag.Get("max")
	if value == "" || most == "" {
		return Piece{Text: value}
	}
	return Piece{Text: value + "/" + most}
}

// unseen returns nothing for content that readers don't see. It adds a note about lost styles.
func (c *Converter) unseen(n *Node) Piece {
	switch n.Tag.Name {
	case "style", "link":
		c.Note(n.Tag.Raw, "the style of <"+n.Tag.Name+">", "pages cannot have their own styles", "add the styles that you need to the theme's stylesheet; see docs/guides/theme.md")
	}
	return Piece{}
}

// opaque replaces an element that a page can't contain; see lost.
func (c *Converter) opaque(n *Node) Piece {
	return c.lost(n.Tag, "<"+n.Tag.Name+">", "it runs in the browser", "replace it with a picture or a link; site-wide scripts belong in site.yaml", "html")
}
