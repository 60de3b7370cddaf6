package markdown

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/facts"
	"vitrine/internal/markdown/highlight"
	"vitrine/internal/markdown/mathml"
	"vitrine/internal/rule"
)

// Options contains a site's settings for its Markdown.
type Options struct {
	// Highlight enables syntax highlighting: tokens of fenced code get chroma's classes, for which the stylesheet must
	// contain styles.
	Highlight bool
}

// Parser turns Markdown into Documents. It is safe for concurrent use.
type Parser struct {
	goldmark parser.Parser
	// unlinked is a faster parser for pages without bare addresses, expressions, and inline directives.
	unlinked parser.Parser
	// inline parses text into paragraphs, without other blocks.
	inline parser.Parser
	// highlight marks the tokens of code; see highlight.Highlighter. It is nil if code isn't highlighted.
	highlight func(language string, code []byte, budget *highlight.Budget) (marked string, ok bool, err error)
	facts     *facts.Values
	math      *mathml.Converter
	// components executes the templates of the site's and its theme's components. It is nil if there are no components.
	components Components
	// words are the theme's words, or nil for the default English words.
	words Words
	// readFile reads the files from which pages include code. It is nil if pages can't include code.
	readFile ReadFile
	// describe returns the titles and descriptions of the pages that cards link to. It is nil if cards aren't filled.
	describe Describe
	// fromLeft is the dir attribute for code and addresses on right-to-left pages, or "" on other pages.
	fromLeft string
	// currency contains the marks of the site's amounts; see Priced.
	currency [][]byte
	// workspaces pools the workspaces of released pages.
	workspaces *sync.Pool
}

// New returns a Parser with the given options.
func New(options Options) *Parser {
	p := &Parser{
		goldmark: newGoldmark(wholeInline()),
		unlinked: newGoldmark(unlinkedInline()),
		inline: parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(paragraphs{parser.NewParagraphParser()}, 1000)),
			parser.WithInlineParsers(wholeInline()...),
		),
		math:       &mathml.Converter{},
		workspaces: &sync.Pool{New: func() any { return &workspace{} }},
	}
	if options.Highlight {
		p.highlight = new(highlight.Highlighter).HTML
	}
	return p
}

// WithFacts returns a copy of the parser that replaces expressions such as "{{ name }}" with the values in v. Without
// facts, braces are ordinary text.
func (p *Parser) WithFacts(v *facts.Values) *Parser {
	factual := *p
	factual.facts = v
	return &factual
}

// Plain returns a copy of the parser without highlighting.
func (p *Parser) Plain() *Parser {
	plain := *p
	plain.highlight = nil
	return &plain
}

// RightToLeft returns a copy of the parser for right-to-left pages. Their HTML marks code, keys, and addresses as
// left-to-right, even for readers without a stylesheet.
func (p *Parser) RightToLeft() *Parser {
	other := *p
	other.fromLeft = ` dir="ltr"`
	return &other
}

// inlineParsers returns the inline parsers of the dialect with their priorities. The arguments are the parsers that
// differ between wholeInline and unlinkedInline. addresses parses bare addresses.
func inlineParsers(addresses, code, links, emphasis parser.InlineParser) []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(code, 100),
		util.Prioritized(noteRefParser{}, 101),
		util.Prioritized(mathParser{}, 110),
		util.Prioritized(factParser{}, 150),
		util.Prioritized(links, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(rawHTML{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(emphasis, 500),
		util.Prioritized(delimiters{strikethrough{}}, 501),
		util.Prioritized(hardBreaks{}, 600),
		util.Prioritized(addresses, 999),
	}
}

// wholeInline returns the inline parsers for any page.
func wholeInline() []util.PrioritizedValue {
	return append(inlineParsers(addresses{}, parser.NewCodeSpanParser(), links{parser.NewLinkParser()}, delimiters{parser.NewEmphasisParser()}),
		util.Prioritized(inlineDirectives{}, 190))
}

// unlinkedInline returns the inline parsers for a page without bare addresses, expressions, and inline directives. For
// such a page, these parsers build the same tree as the parsers from wholeInline, but faster.
func unlinkedInline() []util.PrioritizedValue {
	plain := &plainText{}
	parsers := inlineParsers(afterMarkup{},
		quickCode{parser.NewCodeSpanParser()}, quickLinks{links{parser.NewLinkParser()}, plain}, quickEmphasis{delimiters{parser.NewEmphasisParser()}, plain})
	plain.stopAt(parsers)
	return append(parsers, util.Prioritized(plain, 1000))
}

// newGoldmark assembles the dialect: CommonMark, goldmark's implementation of GitHub's extensions, and the package's
// own parsers, each in its own file.
func newGoldmark(inline []util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(nested{lists{parser.NewListParser()}}, 300),
			util.Prioritized(blankLines{parser.NewListItemParser(), itemIndent}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(mathBlockParser{}, 750),
			util.Prioritized(nested{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(directiveParser{}, 850),
			util.Prioritized(htmlBlocks{parser.NewHTMLBlockParser()}, 900),
			util.Prioritized(newNoteParser(), 999),
			util.Prioritized(paragraphs{parser.NewParagraphParser()}, 1000),
		),
		parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(
			util.Prioritized(alertTransformer{}, 50),
			util.Prioritized(references{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
		),
	)
}

// stateKey is the key of the parseState in goldmark's parser context.
var stateKey = parser.NewContextKey()

// parseState is the state that this package's parsers share while parsing a page.
type parseState struct {
	document *Document
	// notes contains the footnotes, keyed by label.
	notes map[string]*note
	// notesList contains the footnotes in the order of their definitions.
	notesList []*note
	// holder is the noteStore with the footnote definitions, or nil if there are none.
	holder ast.Node
	// delimiters is the number of delimiter runs in counted. failedLinks is the number of "]" in counted that don't end
	// a link.
	delimiters, failedLinks int
	// counted is the block to which delimiters and failedLinks apply.
	counted ast.Node
	// facts is the parse state for expressions, or nil for a page without expressions.
	facts *factState
	// html reports whether the page contains HTML or directives.
	html bool
	// directives contains the open inline directives, keyed by the offset at which their label ends.
	directives map[int]*directiveMark
	// labels is the number of bytes searched for the ends of labels; see maxLabels.
	labels int
	// noMathEnd is the offset up to which endsMath found no line that ends a math block.
	noMathEnd int
	// looseEnds are the lines of colons that don't end a component.
	looseEnds []looseEnd
	// unclosed contains the offsets of components without an end.
	unclosed []int
}

func stateOf(pc parser.Context) *parseState {
	return pc.Get(stateKey).(*parseState)
}

// Parse parses one page. source is the complete file, so that positions are relative to the file. body is the byte
// offset of its Markdown, after the front matter. path is the file's name in problem reports. Parse doesn't modify
// source. The Document refers to source, so the caller must not modify source until it releases the Document. Parse
// never fails: it records errors as the Document's Problems.
func (p *Parser) Parse(path string, source []byte, body int) *Document {
	return p.parse(path, source, body, nil, nil)
}

// parse is like Parse. ids contains the IDs already in use. by is the goldmark parser to use, or nil to choose one
// based on the page's content.
func (p *Parser) parse(path string, source []byte, body int, ids map[string]int, by parser.Parser) *Document {
	body = min(max(body, 0), len(source))
	d := &Document{parser: p, path: path, source: source, work: p.workspaces.Get().(*workspace)}
	d.read(source, body)
	state := &parseState{document: d, facts: newFactState(p.facts, d.body)}
	pc := parser.NewContext()
	pc.Set(stateKey, state)
	goldmark := by
	if goldmark == nil {
		goldmark = p.goldmark
	}
	if by == nil && state.facts == nil && !mayHaveBareLinks(d.body) && !mayHaveInlineDirectives(d.body) {
		goldmark = p.unlinked
	}
	d.root = goldmark.Parse(text.NewReader(d.body), parser.WithContext(pc)).(*ast.Document)
	state.reportLooseEnds()
	d.findForeign(state, pc)
	(&normalizer{d: d, state: state, ids: ids}).run()
	d.reportStrays()
	d.reportForeign()
	return d
}

// read cleans the source, finds the body in it, and reports invalid UTF-8 in the body.
func (d *Document) read(source []byte, body int) {
	d.lines.text, d.offset = source, body
	invalid := -1
	if !isClean(source) {
		head := clean(source[:body])
		d.lines.text, d.offset = append(head, clean(source[body:])...), len(head)
		invalid = firstInvalid(source)
	}
	if d.offset == 0 && bytes.HasPrefix(d.lines.text, []byte(byteOrderMark)) {
		d.offset = len(byteOrderMark)
	}
	// Limit the capacity, because goldmark appends to slices of the source.
	d.body = d.lines.text[d.offset:len(d.lines.text):len(d.lines.text)]
	// The front matter reader reports invalid text before the body.
	if invalid >= body {
		d.problem(len(clean(source[:invalid]))-d.offset, errorSeverity, rule.Unreadable, "this is not UTF-8; save the file as UTF-8")
	}
}
