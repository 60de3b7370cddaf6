package migrate

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// list writes <ul> and <ol>.
func (c *conv) list(n *node) piece {
	start := max(1, pixels(n.tag.get("start")))
	var items []string
	loose := false
	for _, child := range n.children {
		var text string
		switch {
		case child.tag == nil && strings.TrimSpace(child.text) == "":
			continue
		case child.tag != nil && child.tag.name == "li":
			text = c.inner(child)
		default:
			text = dedent(c.write([]*node{child}, true, "").String())
		}
		if text == "" {
			continue
		}
		mark := "- "
		if n.tag.name == "ol" {
			mark = strconv.Itoa(start+len(items)) + ". "
		}
		loose = loose || strings.Contains(text, "\n\n")
		items = append(items, mark+hanging(text, strings.Repeat(" ", len(mark))))
	}
	between := "\n"
	if loose {
		between = "\n\n"
	}
	return piece{strings.Join(items, between), true}
}

// definitions writes <dl>, which Markdown has no sign for.
func (c *conv) definitions(n *node) piece {
	var b strings.Builder
	var each func(list []*node)
	each = func(list []*node) {
		for _, child := range list {
			switch {
			case child.tag == nil:
				if s := strings.TrimSpace(child.text); s != "" {
					b.WriteString(s + "\n")
				}
			case child.tag.name == "dt", child.tag.name == "dd":
				text := c.inner(child)
				if strings.ContainsAny(text, "\n`*_[]<>&\\") {
					text = "\n\n" + text + "\n\n"
				}
				b.WriteString("<" + child.tag.name + ">" + text + "</" + child.tag.name + ">\n")
			case child.tag.name == "div":
				each(child.children)
			default:
				if s := trimBlank(c.write([]*node{child}, true, "").String()); s != "" {
					b.WriteString("\n" + s + "\n\n")
				}
			}
		}
	}
	each(n.children)
	return piece{"<dl>\n" + b.String() + "</dl>", true}
}

// table writes <table> with pipes; a cell that spans others leaves those empty.
func (c *conv) table(n *node) piece {
	var rows [][]string
	head := -1
	caption := ""
	var walk func(list []*node, inHead bool)
	walk = func(list []*node, inHead bool) {
		for _, child := range list {
			if child.tag == nil {
				continue
			}
			switch child.tag.name {
			case "caption":
				caption = strings.TrimSpace(c.inner(child))
			case "tr":
				cells, heads := c.row(child)
				if head < 0 && len(rows) == 0 && (inHead || heads) {
					head = 0
				}
				if len(cells) > 0 {
					rows = append(rows, cells)
				}
			default:
				walk(child.children, inHead || child.tag.name == "thead")
			}
		}
	}
	walk(n.children, false)
	if len(rows) == 0 {
		return piece{c.inner(n), true}
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if head < 0 {
		rows = append([][]string{make([]string, width)}, rows...)
	}
	var b strings.Builder
	if caption != "" {
		b.WriteString(caption + "\n\n")
	}
	for i, row := range rows {
		for len(row) < width {
			row = append(row, "")
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
		}
	}
	return piece{b.String(), true}
}

func (c *conv) row(n *node) (cells []string, heads bool) {
	heads = true
	for _, cell := range n.children {
		if cell.tag == nil || cell.tag.name != "td" && cell.tag.name != "th" {
			if cell.tag != nil && len(cell.children) > 0 {
				more, _ := c.row(cell)
				cells = append(cells, more...)
			}
			continue
		}
		heads = heads && cell.tag.name == "th"
		cells = append(cells, pipes(c.inLine(cell)))
		for span := min(pixels(cell.tag.get("colspan")), 100); span > 1; span-- {
			cells = append(cells, "")
		}
	}
	return cells, heads && len(cells) > 0
}

// inLine writes what stands in a tag where no block can stand.
func (c *conv) inLine(n *node) string {
	was := c.oneLine
	defer func() { c.oneLine = was }()
	c.oneLine = true
	return flat(c.inner(n))
}

// pipes escapes what would end a cell, once.
func pipes(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "|", `\|`)
}

func (c *conv) details(n *node) piece {
	title, body := c.parted(n, "summary")
	return container("details", title, "", body)
}

// parted takes the child of a name out of an element and returns its text, and that of
// the rest.
func (c *conv) parted(n *node, name string) (title, body string) {
	rest := &node{tag: n.tag, end: n.end}
	for _, child := range n.children {
		if child.tag != nil && child.tag.name == name && title == "" {
			title = c.inLine(child)
			continue
		}
		rest.children = append(rest.children, child)
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(title, "# "), "<br>", " ")), c.inner(rest)
}

func (c *conv) figure(n *node) piece {
	caption, body := c.parted(n, "figcaption")
	if caption == "" {
		return piece{body, true}
	}
	return container("figure", caption, "", body)
}

var (
	youtubeAddress = regexp.MustCompile(`(?:youtube(?:-nocookie)?\.com/(?:embed/|watch\?(?:.*&)?v=|shorts/|v/)|youtu\.be/)([A-Za-z0-9_-]{6,20})`)
	vimeoAddress   = regexp.MustCompile(`vimeo\.com/(?:video/)?(\d{5,12})`)
)

// media writes films, sounds and frames.
func (c *conv) media(n *node) piece {
	t := n.tag
	src, title := t.get("src", "data", "data-src"), t.get("title", "aria-label")
	for _, child := range n.children {
		if child.tag != nil && child.tag.name == "source" {
			src = fallback(src, child.tag.get("src"))
		}
	}
	if src == "" {
		return c.lost(t, "<"+t.name+">", "it has no address that can be read", "write ::video or a link", "html")
	}
	p, ok := film(src, title)
	switch {
	case ok:
	case t.name == "video":
		p = leaf("video", fallback(title, stem(src)), attributes("src", src, "poster", t.get("poster"), "width", t.get("width"), "height", t.get("height")))
	case t.name == "audio":
		p = piece{"[" + fallback(title, "Audio") + "](" + destination(src) + ")", true}
	default:
		c.note(t.raw, "the frame <"+t.name+">", "pages show nothing of other sites; it became a link", "look whether the link is enough")
		p = piece{"[" + fallback(title, host(src)) + "](" + destination(src) + ")", true}
	}
	if s := strings.TrimSpace(c.nodes(n.children, true)); s != "" {
		p.text += "\n\n" + s
	}
	return p
}

// film is the component of a film at YouTube or Vimeo.
func film(address, title string) (piece, bool) {
	if m := youtubeAddress.FindStringSubmatch(address); m != nil {
		return youtube(m[1], title), true
	}
	if m := vimeoAddress.FindStringSubmatch(address); m != nil {
		return vimeo(m[1], title), true
	}
	return piece{}, false
}

func youtube(id, title string) piece {
	return leaf("youtube", fallback(title, "Video on YouTube"), attributes("id", id))
}

func vimeo(id, title string) piece {
	return leaf("vimeo", fallback(title, "Video on Vimeo"), attributes("id", id))
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// unknown is a component or a shortcode that nothing here knows: what it holds is
// carried over, itself it is shown as it was written.
func (c *conv) unknown(n *node) piece {
	what := "the component <" + n.tag.name + ">"
	if name, ok := strings.CutPrefix(n.tag.name, "{"); ok {
		what = fmt.Sprintf("the shortcode %q", name)
	}
	return c.kept(n, what, c.nodes(n.children, c.isPure(n)))
}

// silentAttr are the attributes that say nothing to a reader.
var silentAttr = regexp.MustCompile(`(?i)^(?:class|className|style|id|key|client:.*)$`)

// kept shows a tag as it was written, where it says something, and what it holds.
func (c *conv) kept(n *node, what, body string) piece {
	t, why := n.tag, "it is this site's own, or its framework's"
	const do = "write what it shows as Markdown, or make a component of templates/components/NAME.html and NAME.md"
	if len(n.children) == 0 {
		return c.lost(t, what, why, do, "")
	}
	why += "; what stands in it was kept"
	lines := strings.Contains(body, "\n")
	if !slices.ContainsFunc(t.attrs, func(a attr) bool { return !silentAttr.MatchString(a.name) }) && !strings.HasPrefix(what, "the container") {
		c.note(t.raw, what, why, do)
		return piece{body, lines && elements[strings.ToLower(t.name)] != inline}
	}
	var p piece
	if lines {
		p = c.lostBlock(t.raw, what, why, do, "")
	} else if p = c.lost(t, what, why, do, ""); !p.block {
		return piece{text: p.text + " " + strings.TrimSpace(body)}
	}
	return piece{p.text + "\n\n" + dedent(body), true}
}

// lost reports what was not carried over and returns what stands in its place: the
// original, as code, for all to see.
func (c *conv) lost(t *tag, what, why, do, language string) piece {
	if c.oneLine || !strings.Contains(strings.TrimSpace(t.raw), "\n") && !c.alone(t) {
		c.note(t.raw, what, why, do)
		c.last().Placeholder = true
		span := codeSpan(c.written(t.raw))
		if c.oneLine {
			span = strings.ReplaceAll(span, "|", "¦")
		}
		return piece{text: span}
	}
	return c.lostBlock(t.raw, what, why, do, language)
}

func (c *conv) lostBlock(raw, what, why, do, language string) piece {
	c.note(raw, what, why, do)
	c.last().Placeholder = true
	return container("warning", "Not carried over: "+strings.ReplaceAll(what, "<", `\<`), "", codeFence(language, dedent(c.written(raw))))
}

// alone reports whether a tag has its line for itself.
func (c *conv) alone(t *tag) bool {
	if t.at+t.size > len(c.text) {
		return true
	}
	before, after := c.text[:t.at], c.text[t.at+t.size:]
	if n := strings.LastIndexByte(before, '\n'); n >= 0 {
		before = before[n+1:]
	}
	after, _, _ = strings.Cut(after, "\n")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(after) == ""
}
