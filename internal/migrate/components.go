package migrate

import (
	"regexp"
	"strings"
)

// alerts are the words of other tools for the five kinds of alerts.
var alerts = map[string]string{
	"note": "note", "info": "note", "information": "note", "abstract": "note", "summary": "note", "tldr": "note", "question": "note", "help": "note", "faq": "note",
	"example": "note", "quote": "note", "cite": "note", "seealso": "note", "todo": "note", "default": "note", "notice": "note", "secondary": "note", "primary": "note", "check": "tip",
	"tip": "tip", "hint": "tip", "success": "tip", "done": "tip", "ok": "tip", "recommendation": "tip",
	"important": "important",
	"warning":   "warning", "warn": "warning", "attention": "warning", "pitfall": "warning", "alert": "warning", "deprecated": "warning", "experimental": "warning",
	"caution": "caution", "danger": "caution", "error": "caution", "failure": "caution", "fail": "caution", "missing": "caution", "bug": "caution", "severe": "caution",
}

// alert writes one; a word that is no alert's is kept as its title.
func alert(kind, title, body string) piece {
	name, known := alerts[strings.ToLower(kind)]
	if !known {
		name = "note"
	}
	if title == "" && (!known || strings.ToLower(kind) != name) {
		title = strings.ToUpper(kind[:min(1, len(kind))]) + kind[min(1, len(kind)):]
		switch strings.ToLower(kind) {
		case "info", "danger", "success", "error", "default", "alert", "notice", "primary", "secondary", "warn":
			title = ""
		}
	}
	return container(name, title, "", body)
}

// componentRows are the components that many tools have by the same name and meaning,
// in lower case; those behind "|" are only shortcodes and containers, the others are
// both these and tags.
var componentRows = []struct {
	write handler
	names string
}{
	{tabs, "tabs codetabs tabgroup codegroup code-group code-tabs | tabpane"},
	{tab, "tabitem tab codetab tabpanel | tab-item"},
	{disclosure, "details collapse toggle accordion accordionitem expandable collapsible deepdive solution | expand spoiler"},
	{admonition, "admonition callout alert aside banner | hint notice block"},
	{box("steps"), "steps"}, {stepOne, "step"}, {box("cards"), "cards cardgrid cardgroup | cardpane"},
	{card, "card linkcard | link-card"},
	{badge, "badge vpbadge | label pill"},
	{since, "| new-in deprecated-in since removed-in added-in version-added"},
	{video, "youtube vimeo video youtubeiframe reactplayer liteyoutubeembed youtubeembed"},
	{imageComponent, "thumbnail themedimage themeimage zoomimage idealimage"},
	{figureComponent, "figure illustration | image img imgproc imgc"},
	{codeComponent, "codeblock code | highlight code-toggle codetoggle code-block command"},
	{linkComponent, "link button linkbutton navlink"},
	{kbd, "kbd key"},
	{silent, "icon head tocinline seo meta | toc toc-inline clear clearfix comment"},
	{wrapper, "fragment intro apitable sandpack sandpackwithhtmloutput frame columns column col row grid center codediagram diagram diagramgroup packages terminalblock clientonly" +
		" client-only browseronly recipes challenges illustrationblock consoleblock consoleblockmulti browserwindow fullwidth filetree | div span wrap codes v-pre raw left right"},
}

// componentTable finds components by their names; a shortcode's begins with "{".
func componentTable() map[string]handler {
	components := map[string]handler{"image": imageComponent, "img": imageComponent, "a": linkComponent}
	for _, row := range componentRows {
		both, shortcodes, _ := strings.Cut(row.names, "|")
		for name := range strings.FieldsSeq(both) {
			components[name], components["{"+name] = row.write, row.write
		}
		for name := range strings.FieldsSeq(shortcodes) {
			components["{"+name] = row.write
		}
	}
	for name := range alerts {
		for _, n := range []string{name, "{" + name} {
			if components[n] == nil && n != "check" && n != "todo" {
				components[n] = namedAlert
			}
		}
	}
	return components
}

// titleAttr is a title from the attributes that stand for one.
func titleAttr(t *tag) string {
	return t.get("label", "title", "summary", "header", "name", "heading", "text")
}

// box is a component of ours that holds what the other does.
func box(name string) handler {
	return func(c *conv, n *node) piece { return container(name, "", "", c.inner(n)) }
}

func tabs(c *conv, n *node) piece {
	// Code that stands in a group without tabs has one each, with the name that its
	// fence says.
	body := c.inner(n)
	if !strings.Contains(body, sign+":::tab") {
		body = fencesAsTabs(body)
	}
	return container("tabs", "", "", body)
}

func tab(c *conv, n *node) piece {
	title := fallback(titleAttr(n.tag), fallback(n.tag.get("value", "id", "lang"), n.tag.argument(0)))
	if code := n.tag.get("code"); code != "" {
		return container("tab", title, "", codeFence(n.tag.get("lang", "language"), code))
	}
	return container("tab", fallback(title, "Tab"), "", c.inner(n))
}

// fencesAsTabs makes each fence of a text a tab. Its title is in brackets, as VitePress
// has it, or in title="…".
func fencesAsTabs(body string) string {
	var b, tab strings.Builder
	f := newFences(true)
	title, in := "", false
	for line := range strings.Lines(body + "\n") {
		code := f.line(strings.TrimSuffix(line, "\n"))
		switch {
		case code && !in:
			in = true
			_, _, info := fenceOf(line)
			rest := ""
			title, rest = fenceTitle(info)
			tab.Reset()
			tab.WriteString(strings.Replace(line, info, rest, 1))
		case code && f.length == 0:
			tab.WriteString(line)
			in = false
			b.WriteString(container("tab", fallback(title, "Code"), "", tab.String()).text + "\n\n")
		case code:
			tab.WriteString(line)
		default:
			b.WriteString(line)
		}
	}
	if in {
		b.WriteString(tab.String())
	}
	return trimBlank(b.String())
}

// fenceName is a title behind a fence: in brackets, or as an attribute.
var fenceName = regexp.MustCompile(`\[([^\]]+)\]|(?:title|filename|label|name|tab)=(?:"([^"]*)"|'([^']*)'|(\S+))`)

// fenceTitle takes a title out of what stands behind a fence, and leaves the language.
func fenceTitle(info string) (title, language string) {
	language, _, _ = strings.Cut(info, " ")
	if i := strings.IndexAny(language, "{:["); i > 0 {
		language = language[:i]
	}
	if m := fenceName.FindStringSubmatch(info[len(language):]); m != nil {
		return m[1] + m[2] + m[3] + m[4], language
	}
	return language, language
}

func disclosure(c *conv, n *node) piece {
	title, body := c.parted(n, "summary")
	if title == "" {
		title = fallback(titleAttr(n.tag), n.tag.argument(0))
	}
	if title == "" {
		// The heading that it begins with, else its own name.
		first, rest, _ := strings.Cut(body, "\n")
		if m := atx.FindStringSubmatch(first); m != nil {
			title, body = givenID.ReplaceAllString(m[3], ""), rest
		} else {
			title = sentence(strings.TrimPrefix(n.tag.name, "{"))
		}
	}
	return container("details", title, "", body)
}

// sentence makes words of a component's name: "DeepDive" gives "Deep dive".
func sentence(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '-' || r == '_':
			r = ' '
		case i > 0 && r >= 'A' && r <= 'Z':
			b.WriteByte(' ')
			r += 'a' - 'A'
		case i == 0 && r >= 'a' && r <= 'z':
			r -= 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func admonition(c *conv, n *node) piece {
	t := n.tag
	kind, title := t.get("type", "kind", "variant", "color", "context", "class", "theme", "level"), titleAttr(t)
	if kind == "" {
		if kind = t.argument(0); alerts[strings.ToLower(kind)] == "" && title == "" {
			title, kind = kind, "note"
		}
	}
	if title == "" && len(t.attrs) > 0 && t.attrs[0].name == "" {
		title = t.argument(1)
	}
	body := c.inner(n)
	if body == "" {
		body = t.get("content", "description")
	}
	return alert(fallback(kind, "note"), title, body)
}

// namedAlert is an alert whose kind is its name.
func namedAlert(c *conv, n *node) piece {
	if len(n.children) == 0 && n.tag.form != alone {
		return c.unknown(n)
	}
	title := fallback(n.tag.get("title", "label", "heading"), n.tag.argument(0))
	body := c.inner(n)
	if body == "" {
		body, title = title, ""
	}
	return alert(strings.TrimPrefix(n.tag.name, "{"), title, body)
}

func stepOne(c *conv, n *node) piece {
	title, body := titleAttr(n.tag), c.inner(n)
	if title != "" {
		body = "### " + title + "\n\n" + body
	}
	return piece{body, true}
}

func card(c *conv, n *node) piece {
	t := n.tag
	body := c.inner(n)
	if s := t.get("description", "subtitle"); s != "" {
		body = strings.TrimSpace(s + "\n\n" + body)
	}
	if s := t.get("image", "img"); s != "" {
		body = "![](" + destination(s) + ")\n\n" + body
	}
	return container("card", titleAttr(t), attributes("link", t.get("href", "link", "to", "url")), body)
}

func badge(c *conv, n *node) piece {
	text := fallback(n.tag.get("text", "label"), strings.TrimSpace(c.nodes(n.children, false)))
	if text = fallback(text, n.tag.argument(0)); text == "" {
		return piece{}
	}
	return piece{text: " " + sign + ":badge" + label(text)}
}

// since is a mark that says from which version on something is so.
func since(c *conv, n *node) piece {
	text := sentence(n.tag.name[1:]) + " " + n.tag.argument(0, "version")
	if len(n.children) > 0 {
		return alert("note", text, c.inner(n))
	}
	return piece{text: " " + sign + ":badge" + label(text)}
}

func video(c *conv, n *node) piece {
	t := n.tag
	name := strings.TrimPrefix(strings.ToLower(t.name), "{")
	src := t.argument(0, "src", "url", "href", "file")
	id, title := fallback(t.get("id", "videoId", "youtubeId"), src), t.get("title", "caption", "alt")
	if p, ok := film(src, title); ok {
		return p
	}
	switch {
	case id == "":
		return c.unknown(n)
	case strings.Contains(name, "youtube"):
		return youtube(id, title)
	case name == "vimeo":
		return vimeo(id, title)
	case src == "":
		return c.unknown(n)
	}
	return leaf("video", fallback(title, stem(src)), attributes("src", src, "poster", t.get("poster")))
}

func imageComponent(c *conv, n *node) piece {
	t := *n.tag
	if t.get("src") == "" {
		for _, a := range t.attrs {
			// sources={{light: …, dark: …}} of Docusaurus.
			if m := quotedPath.FindStringSubmatch(a.value); a.code && m != nil {
				t.attrs = append(t.attrs, attr{name: "src", value: m[1]})
				break
			}
		}
	}
	return c.image(&t)
}

func figureComponent(c *conv, n *node) piece {
	t := n.tag
	src := t.argument(0, "src", "link", "file")
	caption := t.get("caption", "title")
	body := c.inner(n)
	if src == "" {
		if body == "" {
			return c.unknown(n)
		}
	} else {
		picture := c.image(&tag{raw: t.raw, attrs: append([]attr{{name: "src", value: src}}, t.attrs...)}).text
		if link := t.get("link", "href"); link != "" && t.get("src") != "" {
			picture = "[" + picture + "](" + destination(link) + ")"
		}
		body = strings.TrimSpace(picture + "\n\n" + body)
	}
	if attribution := t.get("attr"); attribution != "" {
		if link := t.get("attrlink"); link != "" {
			attribution = "[" + attribution + "](" + destination(link) + ")"
		}
		caption = strings.TrimSpace(caption + " " + attribution)
	}
	if c.oneLine {
		return piece{text: strings.TrimSpace(flat(body) + " " + caption)}
	}
	if caption == "" {
		return piece{body, true}
	}
	return container("figure", caption, "", body)
}

func codeComponent(c *conv, n *node) piece {
	t := n.tag
	code := t.get("code", "children")
	if code == "" {
		if code = dedent(bareExpressions(c, n)); code == "" {
			return c.unknown(n)
		}
	}
	title := t.get("title", "filename", "file")
	p := piece{codeFence(fallback(t.get("language", "lang", "className"), languageOf(t.get("class"))), code), true}
	if title != "" {
		p.text = "`" + title + "`\n\n" + p.text
	}
	return p
}

// bareExpressions is what a component holds as code: text and constants.
func bareExpressions(c *conv, n *node) string {
	var b strings.Builder
	for _, child := range n.children {
		switch {
		case child.tag == nil:
			b.WriteString(child.text)
		case child.tag.form == expression:
			s, _ := c.constant(child.tag.inner)
			b.WriteString(s)
		default:
			b.WriteString(child.tag.raw)
		}
	}
	return b.String()
}

func linkComponent(c *conv, n *node) piece {
	t := *n.tag
	if t.get("href", "to") == "" {
		if s := t.argument(0, "link", "url", "relref"); s != "" {
			t.attrs = append(t.attrs, attr{name: "href", value: s})
		}
	}
	if len(n.children) == 0 {
		if text := t.get("text", "label", "title", "name"); text != "" {
			n = &node{tag: n.tag, end: n.end, children: []*node{{text: text}}}
		}
	}
	return c.anchorElement(&node{tag: &t, children: n.children, end: n.end})
}

func kbd(c *conv, n *node) piece {
	text := fallback(strings.TrimSpace(c.nodes(n.children, false)), n.tag.argument(0))
	if text == "" {
		return piece{}
	}
	return piece{text: "<kbd>" + text + "</kbd>"}
}

// silent drops what shows nothing that a reader reads.
func silent(c *conv, n *node) piece {
	if len(n.children) > 0 {
		return wrapper(c, n)
	}
	return piece{}
}

// wrapper keeps what stands in a component that is only about the look.
func wrapper(c *conv, n *node) piece {
	body := c.nodes(n.children, c.isPure(n))
	if s := titleAttr(n.tag); s != "" && strings.Contains(body, "\n") {
		body = "**" + s + "**\n\n" + dedent(body)
	}
	if strings.Contains(body, "\n") {
		return piece{dedent(body), true}
	}
	return piece{text: body}
}
