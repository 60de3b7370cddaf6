package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/facts"
	"vitrine/internal/record"
	"vitrine/internal/rule"
)

// factUse is an expression in the text of a page: "{{ name }}".
type factUse struct {
	offset     int
	expression string
	value      facts.Value
	err        error
}

// factState is the parse state for the expressions of a page. It is nil for a page without "{{".
type factState struct {
	values *facts.Values
	// uses contains the expressions in the text, keyed by node.
	uses map[*ast.String]*factUse
	// masked is the body with the spaces and tabs inside braces replaced, so that goldmark accepts an expression in a
	// destination. All other bytes and all offsets are unchanged.
	masked []byte
	// reported is the set of expressions in reference definitions that were already reported.
	reported map[string]bool
	// unclosed is the end of the most recent line in which the parser found no "}}". It keeps the parser from searching
	// the line again.
	unclosed int
	// expanded is the total size in bytes of the expressions' values.
	expanded int
}

// maxFacts is the maximum total size in bytes of the values of a page's expressions. A short expression can have a long
// value.
const maxFacts = 1 << 20

// take adds the size of value to s.expanded. ok is false if s.expanded then exceeds maxFacts. The first call that
// exceeds the limit reports a problem at offset.
func (s *factState) take(d *Document, offset int, value facts.Value) (ok bool) {
	before := s.expanded
	s.expanded += value.Size()
	if before <= maxFacts && s.expanded > maxFacts {
		d.problem(offset, errorSeverity, rule.TooMuch, "the page's facts expand to more than 1 MiB of text; remove some of them")
	}
	return s.expanded <= maxFacts
}

// mask is the character that replaces spaces and tabs in the masked body. A cleaned source never contains it.
const mask = '\x1f'

// newFactState returns the state for a page, or nil if body contains no "{{" or values is nil.
func newFactState(values *facts.Values, body []byte) *factState {
	if values == nil || !bytes.Contains(body, []byte("{{")) {
		return nil
	}
	return &factState{values: values, uses: make(map[*ast.String]*factUse), reported: make(map[string]bool), masked: masked(body)}
}

// masked returns a copy of the body in which the spaces and tabs inside braces are masked.
func masked(body []byte) []byte {
	out := bytes.Clone(body)
	closing := -1
	for at := 0; ; {
		open := bytes.Index(out[at:], []byte("{{"))
		if open < 0 {
			return out
		}
		if at += open + 2; closing < at {
			end := bytes.Index(out[at:], []byte("}}"))
			if end < 0 {
				return out
			}
			closing = at + end
		}
		if end := bytes.IndexByte(out[at:closing], '\n'); end >= 0 {
			// No later "{{" in the line has a "}}" either.
			at += end
			continue
		}
		for i, c := range out[at:closing] {
			if c == ' ' || c == '\t' {
				out[at+i] = mask
			}
		}
		at = closing + 2
	}
}

// closingBraces returns the offset of the first "}}" in rest, or -1 if the first line of rest contains none.
func closingBraces(rest []byte) int {
	end := bytes.Index(rest, []byte("}}"))
	if end >= 0 && bytes.IndexByte(rest[:end], '\n') >= 0 {
		return -1
	}
	return end
}

// factParser is the inline parser for expressions. Constructs with precedence, such as code spans, escapes, and raw
// HTML, can't contain expressions.
type factParser struct{}

// Trigger implements parser.InlineParser.
func (factParser) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (factParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	state := stateOf(pc)
	if state.facts == nil {
		return nil
	}
	line, segment := block.PeekLine()
	if len(line) < 2 || line[1] != '{' {
		return nil
	}
	end := -1
	if segment.Start >= state.facts.unclosed {
		if end = closingBraces(line[2:]); end < 0 {
			state.facts.unclosed = segment.Stop
		}
	}
	if end < 0 && len(line) > 2 && (line[2] == '<' || line[2] == '%') {
		return nil
	}
	if end < 0 {
		state.document.problem(segment.Start, warningSeverity, rule.FactOpen, "{{ is not closed on its line and is shown unchanged; add }}, or write \\{{ for literal braces")
		return nil
	}
	use := &factUse{offset: segment.Start, expression: string(line[2 : 2+end])}
	node := ast.NewString(nil)
	node.SetRaw(true)
	node.SetPos(segment.Start)
	use.value, use.err = state.facts.values.Expand(use.expression)
	if !state.facts.take(state.document, use.offset, use.value) {
		use.value = facts.Value{Text: "…"}
	}
	switch {
	case use.err == nil && use.value.Form == facts.Inline:
		node.Value = clean([]byte(use.value.Text))
		markLanguage(node, state.facts.values, use.value.Text)
	case use.err != nil || use.value.Form != facts.Meant:
		// An expression without an inline value is shown unchanged, unless factBlock replaces its paragraph.
		node.Value = clean([]byte("{{" + use.expression + "}}"))
	}
	state.document.useFacts(use.value.Uses, use.offset)
	state.facts.uses[node] = use
	block.Advance(end + 4)
	return node
}

// FactPlace is a position at which a page uses a fact.
type FactPlace = record.FactUse

// FactPlaces returns the positions at which the page uses facts, in file order. A fact in the destination of a link has
// the position of the link's start.
func (d *Document) FactPlaces() []FactPlace {
	places := make([]FactPlace, 0, len(d.factUses))
	for _, f := range d.fragments {
		places = append(places, f.FactPlaces()...)
	}
	slices.SortStableFunc(d.factUses, func(a, b factAt) int { return cmp.Compare(a.offset, b.offset) })
	for _, use := range d.factUses {
		places = append(places, FactPlace{Path: use.path, Pos: d.position(use.offset)})
	}
	return places
}

// factAt is a use of a fact at an offset into the body.
type factAt struct {
	path   string
	offset int
}

// useFacts records that the page uses the facts with the given paths at the given offset.
func (d *Document) useFacts(paths []string, offset int) {
	for _, path := range paths {
		d.factUses = append(d.factUses, factAt{path, max(offset, 0)})
		if !slices.Contains(d.facts, path) {
			d.facts = append(d.facts, path)
		}
	}
}

// Facts returns the sorted paths of the facts that the page uses. If one of them changes, the page's text changes.
func (d *Document) Facts() []string {
	all := slices.Clone(d.facts)
	for _, f := range d.fragments {
		all = append(all, f.facts...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Meant reports whether the given line of the file contains {{ meant }}, which marks the facts on that line as correct
// although they differ from product.yaml.
func (d *Document) Meant(line int) bool {
	return slices.Contains(d.meant, line) || slices.ContainsFunc(d.fragments, func(f *Document) bool { return f.Meant(line) })
}

// fact normalizes an inline expression. It turns web and e-mail addresses into links, and removes {{ meant }}. It
// reports an unknown fact, and a list or a table that isn't the only content of its paragraph. It returns the next node
// to normalize.
func (n *normalizer) fact(parent ast.Node, node *ast.String, use *factUse) (next ast.Node) {
	next = node.NextSibling()
	switch {
	case use.err != nil && isShortcode(use.expression):
	case use.err != nil:
		n.d.problem(use.offset, errorSeverity, rule.FactUnknown, use.err.Error())
	case use.value.Form == facts.Meant:
		n.d.meant = append(n.d.meant, n.d.position(use.offset).Line)
		return n.takeOut(parent, node)
	case use.value.Form != facts.Inline:
		_, err := n.state.facts.values.Text(use.expression)
		n.d.problem(use.offset, errorSeverity, rule.FactPlace, err.Error())
	case !n.inLink && !n.inImage:
		n.factLink(parent, node, use)
	}
	return next
}

// takeOut removes a node that has no output. It also removes spaces and line breaks that would otherwise be duplicated
// or left at the start or end of the block. It returns the next node to normalize.
func (n *normalizer) takeOut(parent, node ast.Node) (next ast.Node) {
	before, _ := node.PreviousSibling().(*ast.Text)
	next = node.NextSibling()
	after, _ := next.(*ast.Text)
	starts := node.PreviousSibling() == nil || before != nil && (before.SoftLineBreak() || before.HardLineBreak())
	parent.RemoveChild(parent, node)
	switch {
	case starts && next == nil && before != nil:
		before.SetSoftLineBreak(false)
		before.SetHardLineBreak(false)
	case starts && after != nil:
		after.Segment = after.Segment.TrimLeftSpace(n.d.body)
		if after.Segment.IsEmpty() {
			next = after.NextSibling()
			if next == nil && before != nil {
				before.SetSoftLineBreak(false)
				before.SetHardLineBreak(false)
			}
			parent.RemoveChild(parent, after)
		}
	case before != nil && (next == nil || after != nil && (after.Segment.IsEmpty() || startsWithSpace(after.Segment.Value(n.d.body)))):
		if before.Segment = before.Segment.TrimRightSpace(n.d.body); before.Segment.IsEmpty() {
			parent.RemoveChild(parent, before)
		}
	}
	return next
}

func startsWithSpace(text []byte) bool {
	return len(text) > 0 && (text[0] == ' ' || text[0] == '\t')
}

// factLink turns the value of an expression into a link if the value is a web address, or the e-mail address of the
// fact "contact". Bare addresses in the page's text become links in the same way.
func (n *normalizer) factLink(parent ast.Node, node *ast.String, use *factUse) {
	address := string(node.Value)
	destination := address
	switch {
	case strings.ContainsAny(address, " \t"):
		return
	case strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://"):
	case len(use.value.Uses) == 1 && use.value.Uses[0] == "contact" && strings.Contains(address, "@"):
		destination = "mailto:" + address
	default:
		return
	}
	link := ast.NewLink()
	link.SetPos(use.offset)
	parent.ReplaceChild(parent, node, link)
	link.AppendChild(link, node)
	n.addLink(link, &Link{Destination: destination, Alt: address, offset: use.offset})
}

// factBlock returns a list or a table for a paragraph that contains only an expression with such a value, or nil for
// other paragraphs.
func (n *normalizer) factBlock(paragraph ast.Node) ast.Node {
	if n.state.facts == nil {
		return nil
	}
	node, ok := paragraph.FirstChild().(*ast.String)
	if !ok || node.NextSibling() != nil && !blankText(n.d, node.NextSibling()) {
		return nil
	}
	use := n.state.facts.uses[node]
	if use == nil || use.err != nil {
		return nil
	}
	switch use.value.Form {
	case facts.List:
		return n.factList(use.value.Items)
	case facts.Table:
		return n.factTable(use.value.Rows)
	}
	return nil
}

// blankText reports whether n is an empty text node at the end of its block.
func blankText(d *Document, n ast.Node) bool {
	t, ok := n.(*ast.Text)
	return ok && t.NextSibling() == nil && !t.HardLineBreak() && len(t.Segment.Value(d.body)) == 0
}

// factList builds a tight list with the given items.
func (n *normalizer) factList(items []string) ast.Node {
	list := ast.NewList('-')
	list.IsTight = true
	for _, item := range items {
		li := ast.NewListItem(2)
		block := ast.NewTextBlock()
		block.AppendChild(block, n.factText(item))
		li.AppendChild(li, block)
		list.AppendChild(list, li)
	}
	return list
}

// factTable builds a table with the given rows. The first row contains keys of the theme's strings. In the other rows,
// the first cell is text, and the other cells are numbers.
func (n *normalizer) factTable(rows [][]string) ast.Node {
	table := east.NewTable()
	for column := range rows[0] {
		alignment := east.AlignNone
		if column > 0 {
			alignment = east.AlignRight
		}
		table.Alignments = append(table.Alignments, alignment)
	}
	for i, cells := range rows {
		row := east.NewTableRow(table.Alignments)
		for _, text := range cells {
			if i == 0 {
				text = n.d.parser.word(text)
			}
			cell := east.NewTableCell()
			cell.AppendChild(cell, n.factText(text))
			row.AppendChild(row, cell)
		}
		if i == 0 {
			table.AppendChild(table, east.NewTableHeader(row))
			continue
		}
		table.AppendChild(table, row)
	}
	return table
}

func (n *normalizer) factText(text string) *ast.String {
	node := ast.NewString(clean([]byte(text)))
	node.SetRaw(true)
	markLanguage(node, n.state.facts.values, text)
	return node
}

// languageAttribute is the attribute with the language tag of text that isn't in the page's language.
const languageAttribute = "lang"

// markLanguage sets the language attribute of node if text is a fact that product.TAG.yaml doesn't translate.
func markLanguage(node *ast.String, values *facts.Values, text string) {
	if language := values.LanguageOf(text); language != "" {
		node.SetAttributeString(languageAttribute, language)
	}
}
