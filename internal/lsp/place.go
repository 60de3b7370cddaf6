package lsp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/check"
	"vitrine/internal/facts"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// yamlPlace is a position in one of the YAML files under content/ or in a page's YAML front matter.
type yamlPlace struct {
	// path contains the keys from the root to the innermost map or list around the cursor, with "" for a list item.
	path []string
	// key is the key on the cursor's line, or "" if there is none.
	key string
	// in reports whether the cursor is after the colon that follows key.
	in bool
	// value is the text of the key or value at the cursor, and typed is the part of value before the cursor.
	value, typed string
	// start and end are the byte offsets of value in the document.
	start, end int
}

// keys returns all keys from the root to the value; see path.
func (y *yamlPlace) keys() []string {
	if y.key == "" {
		return y.path
	}
	return append(slices.Clone(y.path), y.key)
}

// yamlAt returns the position in YAML at a byte offset in the document. ok is false if offset is outside the document's
// YAML, for example because the front matter has another syntax.
func (d *document) yamlAt(offset int) (y *yamlPlace, ok bool) {
	at := d.position(offset).Line
	first := 0
	if d.name != productFile && d.name != configFile && d.name != questionsFile && d.name != site.AuthorsFile && !load.IsSidebar(d.name) && !load.IsOverlay(d.name) {
		begins, ends := d.frontMatter()
		if at < begins || at >= ends {
			return nil, false
		}
		first = begins
	}
	line := string(d.line(at))
	begin := d.starts[at]
	y = &yamlPlace{}
	indent, dash := indentOf(line)
	part := indent
	inFlow, depth := false, 0
	for i := indent; i < min(offset-begin, len(line)); i++ {
		switch line[i] {
		case '{', '[':
			if head := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line[part:i]), ":")); head != "" || depth > 0 {
				y.path = append(y.path, head)
			}
			if line[i] == '[' {
				y.path = append(y.path, "")
			}
			part, inFlow = i+1, true
			depth++
		case '}', ']':
			if depth--; len(y.path) > 0 {
				y.path = y.path[:len(y.path)-1]
			}
			inFlow = depth > 0
		case ',':
			if inFlow {
				part = i + 1
			}
		}
	}
	y.path = slices.DeleteFunc(y.path, func(key string) bool { return key == "" && dash < 0 && !inFlow })
	y.path = append(d.parents(at, first, indent, dash), y.path...)
	d.split(y, line, begin, part, offset-begin, inFlow)
	return y, true
}

// split sets the key and the value of y from line[part:]. begin is the byte offset of the line, and at is the cursor's
// offset in the line.
func (d *document) split(y *yamlPlace, line string, begin, part, at int, inFlow bool) {
	end := len(line)
	if inFlow {
		if i := strings.IndexAny(line[min(at, end):], ",]}"); i >= 0 {
			end = min(at, end) + i
		}
	}
	start := part
	if i := strings.Index(line[part:end]+" ", ": "); i >= 0 {
		y.key = strings.Trim(strings.TrimSpace(line[part:part+i]), `"'`)
		if part+i < at {
			y.in, start = true, part+i+1
		} else {
			end = part + i
		}
	}
	for start < end && (line[start] == ' ' || line[start] == '\t') {
		start++
	}
	end = start + len(strings.TrimRight(line[start:max(start, end)], " \t"))
	if start < end && (line[start] == '"' || line[start] == '\'') {
		quote := line[start]
		if start++; end > start && line[end-1] == quote {
			end--
		}
	}
	at = max(start, min(at, end))
	y.value, y.typed = line[start:max(start, end)], line[start:at]
	y.start, y.end = begin+start, begin+max(start, end)
}

// indentOf returns the columns of a line's key and of the last dash before the key. dash is -1 if there is no dash.
func indentOf(line string) (indent, dash int) {
	dash = -1
	for indent < len(line) && (line[indent] == ' ' || line[indent] == '-' && (indent+1 == len(line) || line[indent+1] == ' ')) {
		if line[indent] == '-' {
			dash = indent
		}
		indent++
	}
	return indent, dash
}

// parents returns the keys of the maps and lists that contain the line with number at, with "" for a list item. It
// ignores lines before first.
func (d *document) parents(at, first, indent, dash int) []string {
	var path []string
	if dash >= 0 {
		path, indent = append(path, ""), dash
	}
	item := dash >= 0
	for n := at - 1; n >= first && (indent > 0 || item); n-- {
		line := string(d.line(n))
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		start, mark := indentOf(line)
		key, _, _ := strings.Cut(strings.TrimSpace(line[start:]), ":")
		switch {
		case mark >= 0 && start == indent && !item:
			// This line starts the list item that contains the line with number at.
			path, indent, item = append(path, ""), mark, true
		case mark < 0 && (start < indent || item && start == indent):
			path, indent, item = append(path, key), start, false
		case mark >= 0 && start < indent:
			path, indent, item = append(path, key, ""), mark, true
		}
	}
	slices.Reverse(path)
	return path
}

// frontMatter returns the line numbers of YAML front matter, from 0: first is the line after the opening delimiter, and
// last is the closing delimiter. Without YAML front matter, both are 0.
func (d *document) frontMatter() (first, last int) {
	opening := strings.TrimSpace(strings.TrimPrefix(string(d.line(0)), "\uFEFF"))
	closing := map[string]string{"---": "---", "---yaml": "---", "<!-- ---": "--- -->"}[opening]
	for n := 1; closing != "" && n < len(d.starts); n++ {
		if strings.TrimSpace(string(d.line(n))) == closing {
			return 1, n
		}
	}
	return 0, 0
}

// shapeOf returns the shape of the value at path, or nil if the document's schema doesn't describe it.
func (d *document) shapeOf(path []string) *shape.Shape {
	s := load.PageShape()
	switch {
	case d.name == productFile || load.IsOverlay(d.name):
		s = load.ProductShape()
	case d.name == configFile:
		s = load.ConfigShape()
	case d.name == questionsFile:
		s = load.QuestionsShape()
	case d.name == site.AuthorsFile:
		s = load.AuthorsShape()
	case load.IsSidebar(d.name):
		s = load.SidebarShape()
	}
	at := &s
	for _, key := range path {
		switch field := at.Get(key); {
		case key == "":
			at = at.Item
		case field != nil:
			at = &field.Shape
		default:
			at = at.Others
		}
		if at == nil {
			return nil
		}
	}
	return at
}

// linkPlace is a link in a document.
type linkPlace struct {
	from        *site.Page
	destination string
	// The link starts at begin, and its destination extends from start to end.
	begin, start, end int
}

// linkAt returns the link at a byte offset. ok is false if there is no link at the offset.
func (d *document) linkAt(offset int) (l linkPlace, ok bool) {
	live := d.project.live
	if live == nil || live.Index() == nil {
		return l, false
	}
	l.from = &site.Page{Path: "/", Source: d.name}
	page, outline := live.Page(d.name)
	if page != nil {
		l.from = page
	}
	if y, ok := d.yamlAt(offset); ok {
		isLink := slices.Contains([]string{"path", "image", "cover", "src", "picture", "notice", "documentation", "translationOf"}, y.key) || y.key == "in" && d.name == questionsFile
		l.destination, l.begin, l.start, l.end = y.value, y.start, y.start, y.end
		return l, isLink && y.in && y.value != ""
	}
	for _, link := range outline.Links {
		l.begin = d.at(link.Pos)
		if offset < l.begin {
			break
		}
		l.start, ok = check.DestinationAt(d.source, link.Pos, link.Destination)
		if l.end = l.start + len(link.Destination); ok && offset <= l.end {
			l.destination = link.Destination
			return l, true
		}
	}
	return l, false
}

// factAt returns the expression at a byte offset in a page or, in product.yaml, the path of the fact defined at the
// offset. start and end are the byte offsets of the expression or the fact in the document. uses are the paths of the
// facts that the expression uses. expression is "" if there is no valid expression or fact at the offset.
func (d *document) factAt(offset int) (expression string, uses []string, start, end int) {
	if d.name == productFile {
		line := d.position(offset).Line
		for _, f := range d.project.facts() {
			if f.pos.Line == line+1 && d.at(f.pos) <= offset || start == 0 && f.pos.Line == line+1 {
				expression, start = f.path, d.at(f.pos)
			}
		}
		if expression == "" {
			return "", nil, 0, 0
		}
		return expression, []string{expression}, start, d.starts[line] + len(d.line(line))
	}
	line := d.position(offset).Line
	begin := d.starts[line]
	for _, piece := range facts.Pieces(string(d.line(line))) {
		start, end = begin+piece.Offset, begin+piece.Offset+len(piece.Text)+4
		if piece.Expression && start <= offset && offset <= end && d.project.live != nil && d.project.live.Facts(d.name) != nil {
			value, err := d.project.live.Facts(d.name).Expand(piece.Text)
			if err != nil {
				return "", nil, 0, 0
			}
			return strings.TrimSpace(piece.Text), value.Uses, start, end
		}
	}
	return "", nil, 0, 0
}

// factLine is a fact with its position in product.yaml.
type factLine struct {
	path string
	pos  site.Pos
}

// facts returns the facts of the current product.yaml, in the order of the file.
func (p *project) facts() []factLine {
	root, _ := tree.YAML(p.text(productFile).source, 1)
	var all []factLine
	var walk func(n *tree.Node, path string)
	walk = func(n *tree.Node, path string) {
		for _, m := range n.Members {
			below := facts.Join(path, m.Key)
			all = append(all, factLine{below, m.Pos})
			walk(m.Value, below)
		}
		for i, item := range n.Items {
			name := strconv.Itoa(i)
			if m := item.Get("name"); m != nil && m.Value.Kind == tree.Text {
				name = m.Value.Text
			}
			below := facts.Join(path, name)
			all = append(all, factLine{below, item.Pos})
			walk(item, below)
		}
	}
	if root != nil {
		walk(root, "")
	}
	return all
}

// headingAt returns the index in headings of the heading on the given line, or -1 if there is none.
func headingAt(headings []headingPlace, line int) int {
	return slices.IndexFunc(headings, func(h headingPlace) bool { return h.line == line })
}

// headingPlace is a heading in a document. start and end are the byte offsets of the heading's text.
type headingPlace struct {
	id               string
	line, start, end int
}

// headings returns the headings in a page's text, including the title. t is the page's current text.
func (p *project) headings(name string, t *text) []headingPlace {
	page, _ := p.live.Page(name)
	if page == nil {
		return nil
	}
	doc := p.live.Parser(name).ParsePage(page, t.source, page.Body)
	defer doc.Release()
	var all []headingPlace
	front := bytes.Count(t.source[:min(page.Body, len(t.source))], []byte("\n"))
	for _, h := range doc.Headings() {
		line := h.Pos.Line - 1
		if line < front {
			continue // the title of a section is a value in front matter
		}
		source := t.line(line)
		start := t.at(h.Pos) - t.starts[line]
		end := len(bytes.TrimRight(source, " \t"))
		if rest := bytes.TrimLeft(source[min(start, len(source)):], "#"); len(rest) < len(source)-start {
			start = len(source) - len(bytes.TrimLeft(rest, " \t"))
			if closed := bytes.TrimRight(source[:end], "#"); len(closed) < end && bytes.HasSuffix(closed, []byte(" ")) {
				end = len(bytes.TrimRight(closed, " \t"))
			}
		}
		all = append(all, headingPlace{h.ID, line, t.starts[line] + start, t.starts[line] + max(start, end)})
	}
	return all
}
