package migrate

import (
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

// componentTable are those that many tools have by the same name and meaning, in lower
// case; a shortcode's name begins with "{".
func componentTable() map[string]handler {
	components := map[string]handler{
		"tabs": tabs, "codetabs": tabs, "codegroup": tabs, "code-group": tabs, "tabgroup": tabs, "{tabs": tabs, "{tabpane": tabs, "{codetabs": tabs, "{tabgroup": tabs,
		"tabitem": tab, "tab": tab, "tabpanel": tab, "codetab": tab, "{tab": tab, "{tabitem": tab, "{codetab": tab,
		"details": disclosure, "accordion": disclosure, "accordionitem": disclosure, "expandable": disclosure, "collapse": disclosure, "collapsible": disclosure,
		"deepdive": disclosure, "solution": disclosure, "toggle": disclosure, "{details": disclosure, "{expand": disclosure, "{collapse": disclosure, "{toggle": disclosure, "{spoiler": disclosure, "{accordion": disclosure,
		"admonition": admonition, "callout": admonition, "aside": admonition, "alert": admonition, "banner": admonition,
		"{admonition": admonition, "{callout": admonition, "{alert": admonition, "{hint": admonition, "{notice": admonition, "{aside": admonition, "{block": admonition,
		"steps": steps, "{steps": steps, "{step": stepOne, "step": stepOne,
		"cards": cards, "cardgrid": cards, "cardgroup": cards, "{cards": cards, "{cardpane": cards,
		"card": card, "linkcard": card, "linkbutton": linkComponent, "{card": card, "{link-card": card, "{linkcard": card,
		"badge": badge, "vpbadge": badge, "{badge": badge, "{label": badge, "{pill": badge,
		"youtube": video, "vimeo": video, "video": video, "youtubeiframe": video, "reactplayer": video, "liteyoutubeembed": video, "{youtube": video, "{vimeo": video, "{video": video, "youtubeembed": video,
		"image": imageComponent, "img": imageComponent, "thumbnail": imageComponent, "themedimage": imageComponent, "themeimage": imageComponent, "zoomimage": imageComponent, "idealimage": imageComponent,
		"figure": figureComponent, "{figure": figureComponent, "{image": figureComponent, "{img": figureComponent, "{imgproc": figureComponent, "illustration": figureComponent, "{imgc": figureComponent,
		"codeblock": codeComponent, "code": codeComponent, "{code": codeComponent, "{highlight": codeComponent,
		"link": linkComponent, "a": linkComponent, "navlink": linkComponent, "{button": linkComponent, "button": linkComponent, "{link": linkComponent,
		"kbd": kbd, "{kbd": kbd, "key": kbd,
		"{code-toggle": codeComponent, "{codetoggle": codeComponent, "{code-block": codeComponent, "{codeblock": codeComponent, "{command": codeComponent,
		"{new-in": since, "{deprecated-in": since, "{since": since, "{removed-in": since, "{added-in": since, "{version-added": since,
		"icon": silent, "head": silent, "tocinline": silent, "{toc": silent, "{icon": silent, "{toc-inline": silent, "{clear": silent, "{clearfix": silent, "seo": silent, "meta": silent, "{comment": silent,
	}
	for _, name := range strings.Fields("fragment intro apitable sandpack sandpackwithhtmloutput frame columns column col row grid center codediagram diagram diagramgroup packages terminalblock clientonly" +
		" client-only browseronly recipes challenges illustrationblock consoleblock consoleblockmulti browserwindow fullwidth filetree {row {column {columns {col {grid {div {span {wrap {center {codes {filetree") {
		components[name] = wrapper
	}
	for name := range alerts {
		for _, n := range []string{name, "{" + name} {
			if components[n] == nil {
				components[n] = namedAlert
			}
		}
	}
	delete(components, "check")
	delete(components, "todo")
	return components
}

// words reads a title from the attributes that stand for one.
func titleAttr(t *tag) string {
	return t.get("label", "title", "summary", "header", "name", "heading", "text")
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

// fenceTitle takes a title out of what stands behind a fence, and leaves the language.
func fenceTitle(info string) (title, language string) {
	language, rest, _ := strings.Cut(info, " ")
	if i := strings.IndexAny(language, "{:["); i > 0 {
		language, rest = language[:i], language[i:]+" "+rest
	}
	if _, after, ok := strings.Cut(rest, "["); ok {
		if name, _, ok := strings.Cut(after, "]"); ok {
			return name, language
		}
	}
	for _, key := range []string{"title=", "filename=", "label=", "name=", "tab="} {
		if _, after, ok := strings.Cut(rest, key); ok && after != "" {
			if q := after[0]; q == '"' || q == '\'' {
				name, _, _ := strings.Cut(after[1:], string(q))
				return name, language
			}
			return strings.Fields(after)[0], language
		}
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
	kind := n.tag.get("type", "kind", "variant", "color", "context", "class", "theme", "level")
	title := titleAttr(n.tag)
	if kind == "" {
		if kind = n.tag.argument(0); alerts[strings.ToLower(kind)] == "" && title == "" {
			title, kind = kind, "note"
		}
	}
	if s := n.tag.argument(1); title == "" && s != "" && n.tag.get("title") == "" && n.tag.attrs[0].name == "" {
		title = s
	}
	body := c.inner(n)
	if s := n.tag.get("content", "description"); body == "" {
		body = s
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

func steps(c *conv, n *node) piece { return container("steps", "", "", c.inner(n)) }

func stepOne(c *conv, n *node) piece {
	title, body := titleAttr(n.tag), c.inner(n)
	if title != "" {
		body = "### " + title + "\n\n" + body
	}
	return piece{body, true}
}

func cards(c *conv, n *node) piece { return container("cards", "", "", c.inner(n)) }

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
	if len(n.children) > 0 {
		return alert("note", sentence(strings.TrimPrefix(n.tag.name, "{"))+" "+n.tag.argument(0, "version"), c.inner(n))
	}
	return piece{text: " " + sign + ":badge" + label(sentence(strings.TrimPrefix(n.tag.name, "{"))+" "+n.tag.argument(0, "version"))}
}

func video(c *conv, n *node) piece {
	t := n.tag
	name := strings.TrimPrefix(strings.ToLower(t.name), "{")
	src := t.argument(0, "src", "url", "href", "file")
	id := t.get("id", "videoId", "videoid", "youtubeId")
	title := t.get("title", "caption", "alt")
	if m := youtubeAddress.FindStringSubmatch(src); m != nil {
		id, name = m[1], "youtube"
	} else if m := vimeoAddress.FindStringSubmatch(src); m != nil {
		id, name = m[1], "vimeo"
	}
	switch {
	case strings.Contains(name, "youtube") && fallback(id, src) != "":
		return youtube(fallback(id, src), title)
	case name == "vimeo" && fallback(id, src) != "":
		return leaf("vimeo", fallback(title, "Video on Vimeo"), attributes("id", fallback(id, src)))
	case src != "":
		return leaf("video", fallback(title, stem(src)), attributes("src", src, "poster", t.get("poster")))
	}
	return c.unknown(n)
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
