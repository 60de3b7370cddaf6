package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
)

// list converts a <ul> or <ol> element to a Markdown list.
func (c *Converter) list(n *Node) Piece {
	start := max(1, pixels(n.Tag.Get("start")))
	var items []string
	loose := false
	for _, child := range n.children {
		var text string
		switch {
		case child.Tag == nil && strings.TrimSpace(child.text) == "":
			continue
		case child.Tag != nil && child.Tag.Name == "li":
			text = c.Inner(child)
		default:
			text = Dedent(c.write([]*Node{child}, true, "").String())
		}
		if text == "" {
			continue
		}
		mark := "- "
		if n.Tag.Name == "ol" {
			mark = strconv.Itoa(start+len(items)) + ". "
		}
		text = tight(text)
		loose = loose || strings.Contains(text, "\n\n")
		items = append(items, mark+Hanging(text, strings.Repeat(" ", len(mark))))
	}
	between := "\n"
	if loose {
		between = "\n\n"
	}
	return Piece{strings.Join(items, between), true}
}

// tight returns the text of a list item without the empty line between a one-line text and a nested list, so that the
// enclosing list remains tight. It returns other text unchanged.
func tight(text string) string {
	first, rest, found := strings.Cut(text, "\n\n")
	if !found || strings.Contains(first, "\n") || strings.Contains(rest, "\n\n") || !strings.HasPrefix(rest, "- ") && !strings.HasPrefix(rest, "1. ") || ListItem.MatchString(first) {
		return text
	}
	return first + "\n" + rest
}

// definitions returns a <dl> element as HTML, because Markdown has no syntax for definition lists.
func (c *Converter) definitions(n *Node) Piece {
	var b strings.Builder
	var each func(list []*Node)
	each = func(list []*Node) {
		for _, child := range list {
			switch {
			case child.Tag == nil:
				if s := strings.TrimSpace(child.text); s != "" {
					b.WriteString(s + "\n")
				}
			case child.Tag.Name == "dt", child.Tag.Name == "dd":
				text := c.Inner(child)
				if strings.ContainsAny(text, "\n`*_[]<>&\\") {
					text = "\n\n" + text + "\n\n"
				}
				b.WriteString("<" + child.Tag.Name + ">" + text + "</" + child.Tag.Name + ">\n")
			case child.Tag.Name == "div":
				each(child.children)
			default:
				if s := trimBlank(c.write([]*Node{child}, true, "").String()); s != "" {
					b.WriteString("\n" + s + "\n\n")
				}
			}
		}
	}
	each(n.children)
	return Piece{"<dl>\n" + b.String() + "</dl>", true}
}

// table converts a <table> element to a pipe table. It leaves the positions that a spanning cell covers empty, and adds
// an empty header row if the table has no header. It returns the content of a table without rows.
func (c *Converter) table(n *Node) Piece {
	var rows [][]string
	var below spanning
	head := -1
	caption := ""
	var walk func(list []*Node, inHead bool)
	walk = func(list []*Node, inHead bool) {
		for _, child := range list {
			if child.Tag == nil {
				continue
			}
			switch child.Tag.Name {
			case "caption":
				caption = strings.TrimSpace(c.Inner(child))
			case "tr":
				cells, heads := c.row(child, &below)
				if head < 0 && len(rows) == 0 && (inHead || heads) {
					head = 0
				}
				if len(cells) > 0 {
					rows = append(rows, cells)
				}
			default:
				walk(child.children, inHead || child.Tag.Name == "thead")
			}
		}
	}
	walk(n.children, false)
	if len(rows) == 0 {
		return Piece{c.Inner(n), true}
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
	return Piece{b.String(), true}
}

// spanning contains, for each column, the number of rows below the current row that the most recent cell of the column
// covers.
type spanning []int

// skip returns cells with an empty cell appended for each of the next columns that a cell in an earlier row covers.
func (s spanning) skip(cells []string) []string {
	for len(cells) < len(s) && s[len(cells)] > 0 {
		s[len(cells)]--
		cells = append(cells, "")
	}
	return cells
}

// add records that the cell in a column also covers the given number of rows below the current row.
func (s *spanning) add(column, rows int) {
	for len(*s) <= column {
		*s = append(*s, 0)
	}
	(*s)[column] = min(max(rows, 0), 1000)
}

func (c *Converter) row(n *Node, below *spanning) (cells []string, heads bool) {
	heads = true
	for _, cell := range n.children {
		if cell.Tag == nil || cell.Tag.Name != "td" && cell.Tag.Name != "th" {
			if cell.Tag != nil && len(cell.children) > 0 {
				more, _ := c.row(cell, &spanning{})
				cells = append(cells, more...)
			}
			continue
		}
		heads = heads && cell.Tag.Name == "th"
		cells = below.skip(cells)
		rows := pixels(cell.Tag.Get("rowspan")) - 1
		below.add(len(cells), rows)
		cells = append(cells, pipes(c.inLine(cell)))
		for span := min(pixels(cell.Tag.Get("colspan")), 100); span > 1; span-- {
			below.add(len(cells), rows)
			cells = append(cells, "")
		}
	}
	cells = below.skip(cells)
	return cells, heads && len(cells) > 0
}

// inLine returns the content of a tag on one line, for contexts that can't contain blocks.
func (c *Converter) inLine(n *Node) string {
	was := c.oneLine
	defer func() { c.oneLine = was }()
	c.oneLine = true
	return flat(c.Inner(n))
}

// pipes returns s with all pipes escaped, because an unescaped pipe would end a table cell.
func pipes(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "|", `\|`)
}

func (c *Converter) details(n *Node) Piece {
	title, body := c.parted(n, "summary")
	return Container("details", title, "", body)
}

// parted returns the text of the first nonempty child with the given name as the title, and the text of the other
// children as the body.
func (c *Converter) parted(n *Node, name string) (title, body string) {
	rest := &Node{Tag: n.Tag, end: n.end}
	for _, child := range n.children {
		if child.Tag != nil && child.Tag.Name == name && title == "" {
			title = c.inLine(child)
			continue
		}
		rest.children = append(rest.children, child)
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(title, "# "), "<br>", " ")), c.Inner(rest)
}

func (c *Converter) figure(n *Node) Piece {
	caption, body := c.parted(n, "figcaption")
	if caption == "" {
		return Piece{body, true}
	}
	return Container("figure", caption, "", body)
}

// unknown converts an unknown component or shortcode to tabs if unknownTabs recognizes it. Otherwise, it returns the
// result of kept.
func (c *Converter) unknown(n *Node) Piece {
	if p, ok := c.unknownTabs(n); ok {
		return p
	}
	what := "the component <" + n.Tag.Name + ">"
	if name, ok := strings.CutPrefix(n.Tag.Name, "{"); ok {
		what = fmt.Sprintf("the shortcode %q", name)
	}
	return c.kept(n, what, c.nodes(n.children, c.isPure(n)))
}

// silentAttr matches the names of attributes that have no meaning for readers.
var silentAttr = lazyregexp.New(`(?i)^(?:class|className|style|id|key|client:.*)$`)

// kept returns body, the converted content of a tag that can't be converted itself, and adds a note. what describes the
// tag in the note. If the tag is a container or has attributes with a meaning for readers, kept also preserves the tag
// in a comment. If the tag has no content, kept returns the result of lost.
func (c *Converter) kept(n *Node, what, body string) Piece {
	t, why := n.Tag, "it is specific to this site or its framework"
	const do = "write its output as Markdown, or create a component from templates/components/NAME.html and NAME.md"
	if len(n.children) == 0 {
		return c.lost(t, what, why, do, "")
	}
	why += "; its content was kept"
	if c.syntax.Vue {
		body = unindented(body)
	}
	lines := strings.Contains(body, "\n")
	if !slices.ContainsFunc(t.Attrs, func(a Attr) bool { return !silentAttr.MatchString(a.Name) }) && !strings.HasPrefix(what, "the container") {
		c.Note(t.Raw, what, why, do)
		if lines = lines && elements[strings.ToLower(t.Name)] != inline; lines {
			body = Dedent(body)
		}
		return Piece{body, lines}
	}
	var p Piece
	if lines {
		p = c.LostBlock(t.Raw, what, why, do, "")
	} else if p = c.lost(t, what, why, do, ""); !p.Block {
		return Piece{Text: p.Text + " " + strings.TrimSpace(body)}
	}
	return Piece{p.Text + "\n\n" + Dedent(body), true}
}

// unindented returns body without the indentation of all lines outside code blocks, because indentation is
// insignificant in a Vue component. If body contains a list, unindented removes only the common indentation.
func unindented(body string) string {
	lines := strings.Split(body, "\n")
	marker, columns := "", 0
	for i, line := range lines {
		text := strings.TrimLeft(line, " \t")
		switch m := fenceMarker.FindString(text); {
		case marker != "":
			lines[i] = CutColumns(line, columns)
			if strings.HasPrefix(m, marker) && strings.TrimSpace(text) == m {
				marker = ""
			}
			continue
		case m != "":
			marker, columns = m, Columns(IndentOf(line))
		case ListItem.MatchString(line):
			return Dedent(body)
		}
		lines[i] = text
	}
	return strings.Join(lines, "\n")
}

var fenceMarker = lazyregexp.New("^(?:`{3,}|~{3,})")

// lost adds a note about a tag that can't be converted, and returns the replacement for the tag. Usually, the
// replacement is a comment with the original text, which readers don't see. If the tag is part of a sentence (see
// sayable), the replacement is a code span.
func (c *Converter) lost(t *Tag, what, why, do, language string) Piece {
	if c.oneLine || !strings.Contains(strings.TrimSpace(t.Raw), "\n") && !c.alone(t) {
		c.Note(t.Raw, what, why, do)
		c.last().Placeholder = true
		raw := c.Written(t.Raw)
		if sayable(t, raw) {
			span := CodeSpan(raw)
			if c.oneLine {
				span = strings.ReplaceAll(span, "|", "¦")
			}
			return Piece{Text: span}
		}
		return Piece{Text: hiddenSpan(raw)}
	}
	return c.LostBlock(t.Raw, what, why, do, language)
}

// sayable reports whether a tag within a line is part of a sentence: an unknown value of a template, or a word in angle
// brackets. raw is the original text of the tag.
func sayable(t *Tag, raw string) bool {
	if strings.HasPrefix(raw, "{") {
		return !strings.HasPrefix(raw, "{%") && !strings.HasPrefix(raw, "{{<") && !strings.HasPrefix(raw, "{{%")
	}
	return len(t.Attrs) == 0 && t.Name == strings.ToLower(t.Name) && !strings.HasSuffix(raw, "/>") && elements[t.Name] == 0
}

// LostBlock returns a comment that hides raw, the original text of a block, and adds a note about the block.
func (c *Converter) LostBlock(raw, what, why, do, language string) Piece {
	c.Note(raw, what, why, do)
	c.last().Placeholder = true
	return Piece{HiddenBlock(what, Dedent(c.Written(raw))), true}
}

// alone reports whether a tag is the only content of its line.
func (c *Converter) alone(t *Tag) bool {
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
