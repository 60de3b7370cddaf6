package markdown

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// Directives name components. The syntax is the proposal of generic directives
// (talk.commonmark.org/t/generic-directives-plugins-syntax/444) as Docusaurus,
// VitePress and Starlight share it: ":::name[Label]{key=value}" to ":::" around
// blocks, "::name[Label]{…}" on a line, ":name[Label]{…}" in a text, and
// ":::name Title" for a label without brackets.

// maxComponents is how deep components go into each other.
const maxComponents = 20

// directiveParser is the block parser of containers and leaves.
type directiveParser struct{}

// Trigger implements parser.BlockParser.
func (directiveParser) Trigger() []byte { return []byte{':'} }

// Open implements parser.BlockParser.
func (directiveParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	start := pc.BlockOffset()
	if start < 0 || segment.Padding != 0 {
		return nil, parser.NoChildren
	}
	state := stateOf(pc)
	at := segment.Start + start
	colons := runOf(line[start:], ':')
	rest := line[start+colons:]
	if colons == 2 {
		return openLeaf(reader, state, at, rest)
	}
	if colons < 2 {
		return nil, parser.NoChildren
	}
	rest = bytes.TrimRight(rest, " \t\n")
	trimmed := bytes.TrimLeft(rest, " \t")
	if len(trimmed) == 0 {
		state.document.problem(at, errorSeverity, rule.Directive,
			fmt.Sprintf("no block is open that this %q could end; take it out, or write its beginning, such as %s", line[start:start+colons], strings.Repeat(":", colons)+"note"))
		return nil, parser.NoChildren
	}
	name := directiveName(trimmed)
	if name == 0 {
		return nil, parser.NoChildren
	}
	if depth := componentsAround(parent); depth >= maxComponents {
		if !state.document.tooDeep {
			state.document.tooDeep = true
			state.document.problem(at, errorSeverity, rule.TooMuch, fmt.Sprintf("components are nested more than %d deep here; flatten them", maxComponents))
		}
		return nil, parser.NoChildren
	}
	node := &component{directive: directive{name: string(trimmed[:name])}, colons: colons}
	state.html = true
	at += colons + len(rest) - len(trimmed) + name
	if err := node.readHead(trimmed[name:], at, true); err != "" {
		state.document.problem(at, errorSeverity, rule.Directive, err)
	}
	reader.AdvanceToEOL()
	return node, parser.HasChildren
}

// openLeaf opens what stands on one line.
func openLeaf(reader text.Reader, state *parseState, at int, rest []byte) (ast.Node, parser.State) {
	rest = bytes.TrimRight(rest, " \t\n")
	name := directiveName(rest)
	if name == 0 || name < len(rest) && rest[name] != '[' && rest[name] != '{' {
		return nil, parser.NoChildren
	}
	node := &component{directive: directive{name: string(rest[:name])}, colons: 2, closed: true}
	if err := node.readHead(rest[name:], at+2+name, false); err != "" {
		return nil, parser.NoChildren
	}
	if _, known := state.document.parser.component(node.name); !known && name == len(rest) {
		// "::before" in a text about CSS.
		return nil, parser.NoChildren
	}
	state.html = true
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func componentsAround(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		if _, ok := n.(*component); ok {
			depth++
		}
	}
	return depth
}

// readHead reads the label and the attributes behind a name. A title without
// brackets is for containers.
func (c *component) readHead(head []byte, at int, title bool) (fault string) {
	if len(head) > 0 && head[0] == '[' {
		end := labelEnd(head)
		if end < 0 {
			return "the label of " + c.sign() + " has no end; write ] behind it"
		}
		c.AppendChild(c, newLabel(text.NewSegment(at+1, at+end)))
		head, at = head[end+1:], at+end+1
	}
	skipped := len(head) - len(bytes.TrimLeft(head, " \t"))
	head, at = head[skipped:], at+skipped
	if len(head) == 0 {
		return ""
	}
	if head[0] != '{' && title && labelOf(c) == nil {
		end := len(head)
		// ":::details A title {open}" has its attributes at the end.
		if open := bytes.LastIndexByte(head, '{'); open > 0 {
			if list, size := readAttributes(head[open:], at+open); size == len(head)-open {
				c.attributes, end = list, open
			}
		}
		c.AppendChild(c, newLabel(text.NewSegment(at, at+len(bytes.TrimRight(head[:end], " \t")))))
		return ""
	}
	list, size := readAttributes(head, at)
	switch {
	case size == 0:
		return "the attributes of " + c.sign() + " cannot be read; write {name=value other=\"two words\" #id} on the same line"
	case len(bytes.TrimLeft(head[size:], " \t")) > 0:
		return "there is more behind the attributes of " + c.sign() + "; write its text below, or between [ and ]"
	}
	c.attributes = list
	return ""
}

// sign is how a component is written, without its label.
func (c *component) sign() string { return strings.Repeat(":", c.colons) + c.name }

// Continue implements parser.BlockParser. Goldmark asks the outer block first,
// so each container has to know whether a line of colons is for one inside.
func (directiveParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	c := node.(*component)
	if c.colons == 2 {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	indent, start := util.IndentWidth(line, reader.LineOffset())
	if start >= len(line) || line[start] != ':' || segment.Padding != 0 {
		return parser.Continue | parser.HasChildren
	}
	colons := runOf(line[start:], ':')
	if colons < 3 || len(bytes.TrimLeft(line[start+colons:], " \t\n")) > 0 || endedBy(c, colons, indent, pc) != c {
		return parser.Continue | parser.HasChildren
	}
	c.closed = true
	reader.AdvanceToEOL()
	return parser.Close
}

// endedBy is the container, from c inwards, that a line of colons ends: the
// innermost of as many colons, else the innermost of fewer; nil where the line is
// code.
func endedBy(c *component, colons, indent int, pc parser.Context) *component {
	var exact, fewer *component
	inside, needed := false, 0
	for _, open := range pc.OpenedBlocks() {
		if open.Node == ast.Node(c) {
			inside = true
		}
		if !inside {
			continue
		}
		switch b := open.Node.(type) {
		case *component:
			if indent-needed > 3 {
				break
			}
			if b.colons == colons {
				exact = b
			} else if b.colons > 2 && b.colons < colons {
				fewer = b
			}
			continue
		case *ast.ListItem:
			if needed += b.Offset; indent >= needed {
				continue
			}
		case *ast.List, *ast.Paragraph, *ast.TextBlock:
			continue
		case *ast.FencedCodeBlock:
			return nil
		case *ast.HTMLBlock:
			if b.HTMLBlockType < ast.HTMLBlockType6 {
				return nil
			}
		}
		break
	}
	if exact != nil {
		return exact
	}
	return fewer
}

// Close implements parser.BlockParser.
func (directiveParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	if c := node.(*component); !c.closed {
		c.closed = true
		stateOf(pc).document.problem(c.Pos(), errorSeverity, rule.Directive,
			fmt.Sprintf("%s has no end; write %s on a line of its own below what it holds", c.sign(), strings.Repeat(":", c.colons)))
	}
}

// CanInterruptParagraph implements parser.BlockParser.
func (directiveParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (directiveParser) CanAcceptIndentedLine() bool { return false }

// inlineDirectives is the inline parser of ":name[…]{…}". What is between the
// brackets is read as the rest of the text is; so it only marks the two places.
type inlineDirectives struct{}

// Trigger implements parser.InlineParser.
func (inlineDirectives) Trigger() []byte { return []byte{':', ']'} }

// Parse implements parser.InlineParser.
func (inlineDirectives) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	state := stateOf(pc)
	line, segment := block.PeekLine()
	if segment.Padding != 0 {
		return nil
	}
	if line[0] == ']' {
		return state.endDirective(line, segment, block)
	}
	name := directiveName(line[1:]) + 1
	if name == 1 || name == len(line) || line[name] != '[' && line[name] != '{' || !beginsDirective(block.PrecendingCharacter()) {
		return nil
	}
	mark := &directiveMark{directive: directive{name: string(line[1:name])}}
	mark.SetPos(segment.Start)
	if line[name] == '{' {
		list, size := readAttributes(line[name:], segment.Start+name)
		if size == 0 {
			return nil
		}
		mark.attributes = list
		mark.written = text.NewSegment(segment.Start, segment.Start+name+size)
		mark.opening = mark
		block.Advance(name + size)
	} else {
		end := state.label(line[name:], segment.Start)
		if end < 0 {
			return nil
		}
		mark.written = text.NewSegment(segment.Start, segment.Start+name+1)
		if state.directives == nil {
			state.directives = make(map[int]*directiveMark)
		}
		state.directives[segment.Start+name+end] = mark
		block.Advance(name + 1)
	}
	state.html = true
	return mark
}

// maxLabels is how many bytes are looked at for the ends of labels in texts, on
// top of the length of the page: labels may stand in labels.
const maxLabels = 1 << 20

// label is labelEnd, as long as the page has not too many labels.
func (s *parseState) label(line []byte, at int) int {
	if s.labels > maxLabels+len(s.document.body) {
		return -1
	}
	end := labelEnd(line)
	if end < 0 {
		s.labels += len(line)
	} else {
		s.labels += end
	}
	if s.labels > maxLabels+len(s.document.body) {
		s.document.problem(at, errorSeverity, rule.TooMuch, "the page has too many directives that begin in a line; split it")
	}
	return end
}

// endDirective is the end of the directive whose label ends here, nil where
// none does.
func (s *parseState) endDirective(line []byte, segment text.Segment, block text.Reader) ast.Node {
	opening := s.directives[segment.Start]
	if opening == nil {
		return nil
	}
	size := 1
	if list, read := readAttributes(line[1:], segment.Start+1); read > 0 {
		opening.attributes, size = list, 1+read
	}
	mark := &directiveMark{opening: opening, written: text.NewSegment(segment.Start, segment.Start+size)}
	mark.SetPos(segment.Start)
	block.Advance(size)
	return mark
}

// beginsDirective reports whether a directive in a text may begin after a
// character: "10:30[" and "a::b[" are none.
func beginsDirective(before rune) bool {
	return before != ':' && (util.IsPunctRune(before) || util.IsSpaceRune(before))
}

// directiveName is the length of the name at the beginning of a text: letters,
// digits, "-" and "_", a letter first.
func directiveName(text []byte) int {
	n := 0
	for n < len(text) && (util.IsAlphaNumeric(text[n]) || n > 0 && (text[n] == '-' || text[n] == '_')) {
		n++
	}
	if n == 0 || util.IsNumeric(text[0]) || n > 64 {
		return 0
	}
	return n
}

// labelEnd is where the bracket is that ends the label at the beginning of a
// line, -1 where it is not there. Brackets in pairs, in code and in tags are
// part of it.
func labelEnd(line []byte) int {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\n':
			return -1
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		case '`':
			fence := runOf(line[i:], '`')
			if end := codeEnd(line[i+fence:], fence); end >= 0 {
				i += fence + end
			}
			i += fence - 1
		case '<':
			if i+1 < len(line) && (util.IsAlphaNumeric(line[i+1]) || line[i+1] == '/') {
				if end := bytes.IndexAny(line[i+1:], "<>"); end >= 0 && line[i+1+end] == '>' {
					i += 1 + end
				}
			}
		}
	}
	return -1
}

// codeEnd is where a run of exactly n backticks begins, -1 where there is none.
func codeEnd(line []byte, n int) int {
	for i := 0; i < len(line); i++ {
		if line[i] == '`' {
			length := runOf(line[i:], '`')
			if length == n {
				return i
			}
			i += length - 1
		}
	}
	return -1
}

// runOf is how many bytes c a text begins with.
func runOf(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// maxAttributes is how many attributes a directive or a tag may have.
const maxAttributes = 50

// readAttributes reads "{name=value flag #id .class}" at the beginning of a
// line; size is 0 where it is not that.
func readAttributes(line []byte, at int) (list []attribute, size int) {
	if len(line) == 0 || line[0] != '{' {
		return nil, 0
	}
	i := 1
	for {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == ',') {
			i++
		}
		if i >= len(line) || line[i] == '\n' || len(list) > maxAttributes {
			return nil, 0
		}
		if line[i] == '}' {
			return list, i + 1
		}
		a := attribute{at: at + i}
		if line[i] == '#' || line[i] == '.' {
			a.name = map[byte]string{'#': "id", '.': "class"}[line[i]]
			end := i + 1
			for end < len(line) && !strings.ContainsRune(" \t\n}#.=\"'{", rune(line[end])) {
				end++
			}
			if end == i+1 {
				return nil, 0
			}
			a.value = html.UnescapeString(string(line[i+1 : end]))
			list, i = addAttribute(list, a), end
			continue
		}
		end := i
		for end < len(line) && (util.IsAlphaNumeric(line[end]) || end > i && strings.IndexByte("-_:.", line[end]) >= 0) {
			end++
		}
		if end == i {
			return nil, 0
		}
		a.name, i = string(line[i:end]), end
		if i < len(line) && line[i] == '=' {
			var value []byte
			if value, i = attributeValue(line, i+1); i < 0 {
				return nil, 0
			}
			a.value = html.UnescapeString(string(value))
		}
		if i >= len(line) || strings.IndexByte(" \t,}", line[i]) < 0 {
			return nil, 0
		}
		list = addAttribute(list, a)
	}
}

// attributeValue is a value with or without quotes, and where it ends; -1 where
// it has no end.
func attributeValue(line []byte, i int) (value []byte, end int) {
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		end := bytes.IndexByte(line[i+1:], line[i])
		if end < 0 {
			return nil, -1
		}
		return line[i+1 : i+1+end], i + end + 2
	}
	start := i
	for i < len(line) && strings.IndexByte(" \t\n}\"'<>`", line[i]) < 0 {
		i++
	}
	if i == start {
		return nil, -1
	}
	return line[start:i], i
}

// addAttribute adds an attribute; classes are one, and of others the last counts.
func addAttribute(list []attribute, a attribute) []attribute {
	for i := range list {
		if list[i].name == a.name {
			if a.name == "class" {
				a.value = list[i].value + " " + a.value
			}
			list[i].value = a.value
			return list
		}
	}
	return append(list, a)
}

// mayHaveInlineDirectives reports whether a text has what looks like ":name[" or
// ":name{".
func mayHaveInlineDirectives(body []byte) bool {
	for {
		i := bytes.IndexByte(body, ':')
		if i < 0 {
			return false
		}
		body = body[i+1:]
		if n := directiveName(body); n > 0 && n < len(body) && (body[n] == '[' || body[n] == '{') {
			return true
		}
	}
}
