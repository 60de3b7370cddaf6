package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// Directives name components. The syntax is the part of the generic directives proposal
// (talk.commonmark.org/t/generic-directives-plugins-syntax/444) that Docusaurus, VitePress, and Starlight share. A
// container consists of the blocks between the lines ":::name[Label]{key=value}" and ":::". A leaf is a line such as
// "::name[Label]{…}". An inline directive is text such as ":name[Label]{…}". A container's label may also lack
// brackets, as in ":::name Title".

// maxComponents is the maximum nesting depth of components.
const maxComponents = 20

// directiveParser is the block parser for container and leaf directives.
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
		state.looseEnds = append(state.looseEnds, looseEnd{at, colons})
		return nil, parser.NoChildren
	}
	name := directiveName(trimmed)
	if name == 0 {
		return nil, parser.NoChildren
	}
	if depth := componentsAround(parent); depth >= maxComponents {
		if !state.document.tooDeep {
			state.document.tooDeep = true
			state.document.problem(at, errorSeverity, rule.TooMuch, fmt.Sprintf("components are nested more than %d levels deep here; flatten them", maxComponents))
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

// looseEnd is a line of colons that doesn't end a component. at is its offset in the body.
type looseEnd struct{ at, colons int }

// reportLooseEnds reports the lines of colons that don't end a component. For each component without an end, it skips
// the next such line. That component was already reported, and the line was probably meant to end it, for example after
// a list that contains the component.
func (s *parseState) reportLooseEnds() {
	slices.Sort(s.unclosed)
	open := s.unclosed
	for _, e := range s.looseEnds {
		if len(open) > 0 && open[0] < e.at {
			open = open[1:]
			continue
		}
		sign := strings.Repeat(":", e.colons)
		s.document.problem(e.at, errorSeverity, rule.Directive,
			fmt.Sprintf("this %q does not close a block; remove it, or start a block before it, such as %snote", sign, sign))
	}
}

// openLeaf parses a leaf directive, such as "::name[Label]", which is on a line of its own. at is the offset of the
// line's first colon, and rest is the text after the two colons. The node is nil if the line isn't a directive.
func openLeaf(reader text.Reader, state *parseState, at int, rest []byte) (ast.Node, parser.State) {
	rest = bytes.TrimRight(rest, " \t\n")
	name := directiveName(rest)
	if name == 0 || name < len(rest) && rest[name] != '[' && rest[name] != '{' {
		return nil, parser.NoChildren
	}
	node := &component{directive: directive{name: string(rest[:name])}, colons: 2, closed: true}
	if err := node.readHead(rest[name:], at+2+name, false); err != "" {
		if _, known := state.document.parser.component(node.name); known {
			state.document.problem(at, errorSeverity, rule.Directive, err)
		}
		return nil, parser.NoChildren
	}
	if _, known := state.document.parser.component(node.name); !known && name == len(rest) {
		// The line is text, such as "::before" on a page about CSS.
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

// sign returns the component's colons and name, such as ":::note".
func (c *component) sign() string { return strings.Repeat(":", c.colons) + c.name }

// Continue implements parser.BlockParser. Goldmark calls the outer block first, so each container must determine
// whether a line of colons belongs to an inner container.
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

// endedBy returns the container that a line of colons ends: c or a container inside it. That is the innermost container
// with the same number of colons or, if there is none, the innermost container with fewer colons. It returns nil if the
// line is code or no such container is open.
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
		state := stateOf(pc)
		state.unclosed = append(state.unclosed, c.Pos())
		state.document.problem(c.Pos(), errorSeverity, rule.Directive,
			fmt.Sprintf("%s is not closed; write %s on its own line after its content", c.sign(), strings.Repeat(":", c.colons)))
	}
}

// CanInterruptParagraph implements parser.BlockParser.
func (directiveParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (directiveParser) CanAcceptIndentedLine() bool { return false }

// inlineDirectives is the inline parser for ":name[…]{…}". The text between the brackets is parsed like other text, so
// the parser only inserts marks at the start and the end of the directive.
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

// maxLabels is the maximum number of bytes that are searched for the ends of inline labels, in addition to the length
// of the page. Without the limit, nested labels would take quadratic time.
const maxLabels = 1 << 20

// label returns the result of labelEnd, or -1 if earlier calls exceeded maxLabels. It reports the first call that
// exceeds the limit.
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
		s.document.problem(at, errorSeverity, rule.TooMuch, "the page has too many inline directives; split the page")
	}
	return end
}

// endDirective returns the mark for the end of the directive whose label ends at the start of segment, or nil if no
// label ends there.
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

// beginsDirective reports whether an inline directive may start if before is the preceding character. For example,
// "10:30[" and "a::b[" don't contain a directive.
func beginsDirective(before rune) bool {
	return before != ':' && (util.IsPunctRune(before) || util.IsSpaceRune(before))
}

// runOf returns the length of the run of c at the start of text.
func runOf(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// mayHaveInlineDirectives reports whether body contains the start of an inline directive, such as ":name[" or ":name{".
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
