package convert

import (
	"strconv"
	"strings"

	"vitrine/internal/migrate/source"
)

// Alerts maps the names of alerts in other tools to Vitrine's five kinds of alerts.
var Alerts = map[string]string{
	"note": "note", "info": "note", "information": "note", "abstract": "note", "summary": "note", "tldr": "note", "question": "note", "help": "note", "faq": "note",
	"example": "note", "quote": "note", "cite": "note", "seealso": "note", "todo": "note", "default": "note", "notice": "note", "secondary": "note", "primary": "note", "check": "tip",
	"tip": "tip", "hint": "tip", "success": "tip", "done": "tip", "ok": "tip", "recommendation": "tip",
	"important": "important",
	"warning":   "warning", "warn": "warning", "attention": "warning", "pitfall": "warning", "alert": "warning", "deprecated": "warning", "experimental": "warning",
	"caution": "caution", "danger": "caution", "error": "caution", "failure": "caution", "fail": "caution", "missing": "caution", "bug": "caution", "severe": "caution",
}

// Alert returns an alert component. An unknown kind becomes a note. If title is empty and kind isn't one of Vitrine's
// kinds, kind becomes the title, except for common names such as info.
func Alert(kind, title, body string) Piece {
	name, known := Alerts[strings.ToLower(kind)]
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
	return Container(name, title, "", body)
}

// componentRows lists components that have the same name and meaning in many tools. The names are in lower case. The
// names after "|" are names of shortcodes and containers only. The names before "|" are also names of tags.
var componentRows = []struct {
	write Handler
	names string
}{
	{Tabs, "tabs codetabs tabgroup codegroup code-group code-tabs | tabpane"},
	{tab, "tabitem tab tabs.tab codetab tabpanel codegroupitem | tab-item code-group-item"},
	{disclosure, "details collapse toggle accordion accordionitem expandable collapsible deepdive solution | expand spoiler"},
	{admonition, "admonition callout alert aside banner | hint notice block"},
	{steps, "steps"}, {stepOne, "step"}, {box("cards"), "cards cardgrid cardgroup | cardpane"},
	{card, "card linkcard cards.card | link-card"},
	{badge, "badge vpbadge | label pill"},
	{since, "| new-in deprecated-in since removed-in added-in version-added"},
	{video, "youtube vimeo video youtubeiframe reactplayer liteyoutubeembed youtubeembed"},
	{imageComponent, "thumbnail themedimage themeimage zoomimage idealimage"},
	{figureComponent, "figure illustration | image img imgproc imgc"},
	{codeComponent, "codeblock code | highlight code-toggle codetoggle code-block command"},
	{linkComponent, "link button linkbutton navlink"},
	{kbd, "kbd key"},
	{silent, "icon head tocinline seo meta | toc toc-inline clear clearfix comment"},
	{filetree, "filetree tree files | file-tree"}, {treeEntry, "filetree.folder filetree.file tree.folder tree.file"}, {columns, "columns"},
	{wrapper, "fragment intro apitable sandpack sandpackwithhtmloutput frame column col row grid center codediagram diagram diagramgroup packages terminalblock clientonly" +
		" client-only browseronly recipes challenges illustrationblock consoleblock consoleblockmulti browserwindow fullwidth | div span wrap preview codes v-pre raw left right"},
}

// ComponentTable returns the handlers of components by name. A shortcode's name starts with "{".
func ComponentTable() map[string]Handler {
	components := map[string]Handler{"image": imageComponent, "img": imageComponent, "a": linkComponent}
	for _, row := range componentRows {
		both, shortcodes, _ := strings.Cut(row.names, "|")
		for name := range strings.FieldsSeq(both) {
			components[name], components["{"+name] = row.write, row.write
		}
		for name := range strings.FieldsSeq(shortcodes) {
			components["{"+name] = row.write
		}
	}
	for name := range Alerts {
		for _, n := range []string{name, "{" + name} {
			if components[n] == nil && n != "check" && n != "todo" {
				components[n] = namedAlert
			}
		}
	}
	return components
}

// titleAttr returns the title from the first attribute that may contain one, or "" if there is none.
func titleAttr(t *Tag) string {
	return t.Get("label", "title", "summary", "header", "name", "heading", "text")
}

// box returns a handler that wraps the content in the named Vitrine component.
func box(name string) Handler {
	return func(c *Converter, n *Node) Piece { return Container(name, "", "", c.Inner(n)) }
}

func disclosure(c *Converter, n *Node) Piece {
	title, body := c.parted(n, "summary")
	if title == "" {
		title = source.Fallback(titleAttr(n.Tag), n.Tag.Argument(0))
	}
	if title == "" {
		// Use the heading at the start of the body as the title or, if there is no heading, the component's name.
		first, rest, _ := strings.Cut(body, "\n")
		if m := ATX.FindStringSubmatch(first); m != nil {
			title, body = GivenID.ReplaceAllString(m[3], ""), rest
		} else {
			title = sentence(strings.TrimPrefix(n.Tag.Name, "{"))
		}
	}
	return Container("details", title, "", body)
}

// sentence turns a component's name into words: "DeepDive" becomes "Deep dive".
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

func admonition(c *Converter, n *Node) Piece {
	t := n.Tag
	kind, title := t.Get("type", "kind", "variant", "color", "context", "class", "theme", "level"), titleAttr(t)
	if kind == "" {
		if kind = t.Argument(0); Alerts[strings.ToLower(kind)] == "" && title == "" {
			title, kind = kind, "note"
		}
	}
	if title == "" && len(t.Attrs) > 0 && t.Attrs[0].Name == "" {
		title = t.Argument(1)
	}
	body := c.Inner(n)
	if body == "" {
		body = t.Get("content", "description")
	}
	return Alert(source.Fallback(kind, "note"), title, body)
}

// namedAlert converts a component to an alert whose kind is the component's name. It treats a start tag without content
// as an unknown component.
func namedAlert(c *Converter, n *Node) Piece {
	if len(n.children) == 0 && n.Tag.Form != Alone {
		return c.unknown(n)
	}
	title := source.Fallback(n.Tag.Get("title", "label", "heading"), n.Tag.Argument(0))
	body := c.Inner(n)
	if body == "" {
		body, title = title, ""
	}
	return Alert(strings.TrimPrefix(n.Tag.Name, "{"), title, body)
}

// steps converts a group of steps to Vitrine's steps component if every step is a component or a list item. It returns
// only the content of other groups, such as steps with headings, because Vitrine's steps are a list.
func steps(c *Converter, n *Node) Piece {
	var items []string
	others := false
	for _, child := range n.children {
		switch {
		case child.Tag == nil && strings.TrimSpace(child.text) == "":
		case child.Tag != nil && strings.EqualFold(strings.TrimPrefix(child.Tag.Name, "{"), "step"):
			text := trimBlank(c.Inner(child))
			if title := titleAttr(child.Tag); title != "" {
				text = "**" + title + "**\n\n" + text
			}
			mark := strconv.Itoa(len(items)+1) + ". "
			items = append(items, mark+Hanging(trimBlank(text), strings.Repeat(" ", len(mark))))
		default:
			others = true
		}
	}
	if len(items) > 0 && !others {
		return Container("steps", "", "", strings.Join(items, "\n\n"))
	}
	body := c.Inner(n)
	if first := strings.TrimSpace(body); ListItem.MatchString(first) && onlyList(first) {
		return Container("steps", "", "", body)
	}
	return Piece{body, true}
}

// onlyList reports whether text contains only list items, their indented content, and code.
func onlyList(text string) bool {
	f := NewFences(true)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if f.Line(line) || strings.TrimSpace(line) == "" || ListItem.MatchString(line) {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			return false
		}
	}
	return true
}

func stepOne(c *Converter, n *Node) Piece {
	title, body := titleAttr(n.Tag), c.Inner(n)
	if title != "" {
		body = "### " + title + "\n\n" + body
	}
	return Piece{body, true}
}

func card(c *Converter, n *Node) Piece {
	t := n.Tag
	body := c.Inner(n)
	if s := t.Get("description", "subtitle"); s != "" {
		body = strings.TrimSpace(s + "\n\n" + body)
	}
	if s := t.Get("image", "img"); s != "" {
		body = "![](" + Destination(s) + ")\n\n" + body
	}
	return Container("card", titleAttr(t), Attributes("link", t.Get("href", "link", "to", "url")), body)
}

func badge(c *Converter, n *Node) Piece {
	text := source.Fallback(n.Tag.Get("text", "label"), strings.TrimSpace(c.nodes(n.children, false)))
	if text = source.Fallback(text, n.Tag.Argument(0)); text == "" {
		return Piece{}
	}
	return Piece{Text: " " + Sign + ":badge" + Label(text)}
}

// since converts a tag that names the version in which a feature was added, deprecated, or removed. The version becomes
// the title of a note or, if the tag has no content, a badge.
func since(c *Converter, n *Node) Piece {
	text := sentence(n.Tag.Name[1:]) + " " + n.Tag.Argument(0, "version")
	if len(n.children) > 0 {
		return Alert("note", text, c.Inner(n))
	}
	return Piece{Text: " " + Sign + ":badge" + Label(text)}
}

func linkComponent(c *Converter, n *Node) Piece {
	t := *n.Tag
	if t.Get("href", "to") == "" {
		if s := t.Argument(0, "link", "url", "relref"); s != "" {
			t.Attrs = append(t.Attrs, Attr{Name: "href", Value: s})
		}
	}
	if len(n.children) == 0 {
		if text := t.Get("text", "label", "title", "name"); text != "" {
			n = &Node{Tag: n.Tag, end: n.end, children: []*Node{{text: text}}}
		}
	}
	return c.anchorElement(&Node{Tag: &t, children: n.children, end: n.end})
}

func kbd(c *Converter, n *Node) Piece {
	text := source.Fallback(strings.TrimSpace(c.nodes(n.children, false)), n.Tag.Argument(0))
	if text == "" {
		return Piece{}
	}
	return Piece{Text: "<kbd>" + text + "</kbd>"}
}

// silent returns nothing for a component without content, and the result of wrapper for other components.
func silent(c *Converter, n *Node) Piece {
	if len(n.children) > 0 {
		return wrapper(c, n)
	}
	return Piece{}
}

// filetree converts a component that contains a list to a file tree. It returns other content unchanged.
func filetree(c *Converter, n *Node) Piece {
	body := strings.TrimSpace(c.Inner(n))
	if !strings.HasPrefix(body, "- ") && !strings.HasPrefix(body, "* ") {
		return Piece{Text: Dedent(body), Block: true}
	}
	if n.Tag.own && len(n.children) > 0 && !strings.Contains(body, "```") {
		body = strings.ReplaceAll(body, "\n\n", "\n")
	}
	p := Container("filetree", "", "", body)
	if title := titleAttr(n.Tag); title != "" {
		p.Text = title + "\n\n" + p.Text
	}
	return p
}

// treeEntry converts a component for a folder or a file in a file tree to a list item.
func treeEntry(c *Converter, n *Node) Piece {
	name := titleAttr(n.Tag)
	if len(n.children) > 0 || strings.HasSuffix(strings.ToLower(n.Tag.Name), "folder") {
		name = strings.TrimSuffix(name, "/") + "/"
	}
	text := "- " + name
	if inner := strings.ReplaceAll(strings.TrimSpace(c.Inner(n)), "\n\n", "\n"); inner != "" {
		text += "\n    " + Hanging(inner, "    ")
	}
	return Piece{text, true}
}

// columns returns a columns component if the tag contains only columns. Otherwise, it returns the result of wrapper.
func columns(c *Converter, n *Node) Piece {
	var parts []string
	for _, child := range n.children {
		switch {
		case child.Tag != nil && strings.EqualFold(child.Tag.Name, "column"):
			parts = append(parts, Container("column", "", "", c.Inner(child)).Text)
		case child.Tag != nil || strings.TrimSpace(child.text) != "":
			return wrapper(c, n)
		}
	}
	if len(parts) == 0 {
		return wrapper(c, n)
	}
	return Container("columns", "", "", strings.Join(parts, "\n"))
}

// wrapper returns the content of a component that only affects the layout. If the content has several lines, the
// component's title precedes the content in bold.
func wrapper(c *Converter, n *Node) Piece {
	body := c.nodes(n.children, c.isPure(n))
	if s := titleAttr(n.Tag); s != "" && strings.Contains(body, "\n") {
		body = "**" + s + "**\n\n" + Dedent(body)
	}
	if strings.Contains(body, "\n") {
		return Piece{Dedent(body), true}
	}
	return Piece{Text: body}
}
