// Package convert converts the text of one page from another generator's site to Markdown for Vitrine. It handles code,
// HTML, components, and shortcodes. If it can't convert something, it keeps the original in the page and adds a note.
// Syntax describes the syntax that a kind of site adds to Markdown. Package migrate converts the links, because that
// requires all pages.
package convert

import (
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// These private-use characters can't occur in the text of a source, because source.CleanText removes them.
const (
	// Mark starts a placeholder for a shortcode, which a later step converts together with the tags. The number in the
	// placeholder is an index into Converter.marks.
	Mark = "<\uE000"
	// Sign precedes each component that this package writes, to distinguish it from text that looks like a component.
	Sign = "\uE001"
)

// Converter converts the text of one page.
type Converter struct {
	Site   *Site
	syntax *Syntax
	Page   *Document
	// text is the text from which Markdown is currently reading tags.
	text string
	// marks contains the tags that Leave replaced with placeholders.
	marks []*Tag
	// noEnd contains the names of elements without an end tag in the rest of the text.
	noEnd map[string]bool
	// inPure is true if the current content comes from HTML that doesn't contain Markdown.
	inPure bool
	// oneLine is true if only inline content is allowed at the current position.
	oneLine bool
	// constants maps the names defined in an MDX page to their values: exported constants, the text of imported files,
	// and properties of a component. imports maps other imported names to their files.
	constants, imports map[string]string
	// failedTags is the number of possible tags that turned out to be text; see maxFailedTags.
	failedTags int
	// notes is the number of notes about the page so far.
	notes int
	// seen maps each line that a note has reported to the position after its most recently found occurrence. The search
	// for the next occurrence starts at that position.
	seen map[string]int
	// Depth is the nesting depth of includes and of conversions of inner text. size is the number of bytes of included
	// text.
	Depth, size int
}

// A Handler converts a tag together with its content.
type Handler func(c *Converter, n *Node) Piece

// New returns a converter for one page of a site.
func New(site *Site, s *Syntax, p *Document) *Converter {
	return &Converter{Site: site, syntax: s, Page: p, constants: map[string]string{}, imports: map[string]string{}, seen: map[string]int{}}
}

// Convert converts the text of a page to Markdown for Vitrine, except for links, because converting links requires all
// pages.
func (c *Converter) Convert(text string) string {
	if c.syntax.Document {
		text = c.document(text)
	} else {
		text = c.Markdown(c.steps(text))
	}
	text = c.headings(text)
	text = OutsideBlocks(text, true, func(s string) string {
		s = shownLink.ReplaceAllStringFunc(s, func(link string) string {
			return "](" + Destination(strings.NewReplacer("{", "%7B", "}", "%7D", "`", "").Replace(link[2:len(link)-1])) + ")"
		})
		return braceDefinition.ReplaceAllStringFunc(s, func(line string) string {
			label, address, _ := strings.Cut(line, "]:")
			return label + "]: " + Destination(strings.NewReplacer("{", "%7B", "}", "%7D", "`", "").Replace(address))
		})
	})
	text = OutsideCode(text, c.syntax.Mdx, func(s string) string {
		s = strings.NewReplacer(`\{{`, "{{", `\{%`, "{%").Replace(s)
		s = braceLink.ReplaceAllStringFunc(s, func(link string) string {
			return "](" + Destination(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(link[2:len(link)-1])) + ")"
		})
		s = otherBlock.ReplaceAllString(s, `$1\$2`)
		s = otherInline.ReplaceAllString(s, `$1\$2`)
		// All tags have been read, so the remaining double braces and "{%" are text.
		return strings.NewReplacer("{{", `\{{`, "{%", `\{%`).Replace(s)
	})
	return strings.TrimSpace(showComments(singleBlanks(codeMarks(fenceInfos(nest(c.dollars(text))))))) + "\n"
}

// steps returns the result of the conversion steps that come before tags are read.
func (c *Converter) steps(text string) string {
	if c.syntax.Expand != nil {
		text = c.syntax.Expand(c, text)
	}
	if c.syntax.Mdx {
		text = c.modules(fenceEnds(text))
	}
	if c.syntax.Lines != nil {
		text = c.syntax.Lines(c, text)
	}
	return text
}

// otherBlock and otherInline match text that looks like a component but isn't one. The components that this package
// writes don't match, because Sign precedes them.
var (
	otherBlock  = lazyregexp.New(`(?m)^([ \t>]*)(:{3,}[ \t]*$|:{3,}[ \t]*[A-Za-z]|::[A-Za-z][\w-]*[\[{])`)
	otherInline = lazyregexp.New(`([\s(>"']|^)(:[A-Za-z][\w-]{0,63}[\[{])`)
)

// shownLink matches a link address that contains a brace in a code span.
var shownLink = lazyregexp.New("\\]\\([^()\n`]*`[^`\n]*[{][^`\n]*`[^()\n]*\\)")

// braceLink matches a link address that contains an unresolved template.
var braceLink = lazyregexp.New(`\]\([^()\n]*\{\{[^()\n]*\)`)

// Part returns included text with the templates in the text expanded by Syntax.Expand. It returns "" if includes are
// nested too deeply or the page has included too much text.
func (c *Converter) Part(text string) string {
	if c.Depth >= 8 || c.size > source.MaxText {
		return ""
	}
	c.Depth++
	c.size += len(text)
	defer func() { c.Depth-- }()
	if c.syntax.Expand != nil {
		text = c.syntax.Expand(c, text)
	}
	return text
}

// Markdown returns text with its tags converted, or text unchanged if conversions are nested too deeply.
func (c *Converter) Markdown(text string) string {
	if c.Depth > 40 {
		return text
	}
	c.Depth++
	was := c.text
	defer func() { c.text, c.Depth = was, c.Depth-1 }()
	text = c.quotes(text)
	if !strings.ContainsAny(text, "<{") {
		return text
	}
	c.text = text
	return c.nodes(treeOf(c.scan(text)), false)
}

// quotes returns text with the block quotes that contain tags converted. They are converted separately from other text,
// because each line of a quote starts with a marker.
func (c *Converter) quotes(text string) string {
	if !strings.Contains(text, ">") {
		return text
	}
	var b, run strings.Builder
	flush := func() {
		s := run.String()
		run.Reset()
		if !strings.ContainsAny(s, "<{") {
			b.WriteString(s)
			return
		}
		indent := IndentOf(s)
		var inner strings.Builder
		for line := range strings.Lines(s) {
			line = strings.TrimLeft(line, " \t")[1:]
			inner.WriteString(strings.TrimPrefix(line, " "))
		}
		done := trimBlank(c.Markdown(inner.String()))
		for line := range strings.SplitSeq(done, "\n") {
			b.WriteString(strings.TrimRight(indent+"> "+line, " ") + "\n")
		}
	}
	f := NewFences(c.syntax.Mdx)
	inTag := false
	for line := range strings.Lines(text) {
		quoted := quoteLine.MatchString(line)
		code := f.Line(strings.TrimSuffix(line, "\n"))
		if quoted && !inTag && (run.Len() > 0 || !code || containerFence(line)) {
			run.WriteString(line)
			continue
		}
		flush()
		if !code {
			// A line with only ">" may end a tag that spans many lines.
			if open := strings.LastIndexByte(line, '<'); open > strings.LastIndexByte(line, '>') && open+1 < len(line) && (isNameByte(line[open+1]) || line[open+1] == '!') {
				inTag = true
			} else if strings.Contains(line, ">") {
				inTag = false
			}
		}
		b.WriteString(line)
	}
	flush()
	return b.String()
}

var quoteLine = lazyregexp.New(`^[ \t]*>(?: |\t|>|\n|$|[^/>])`)

func containerFence(line string) bool {
	_, length, _ := FenceOf(line)
	return length > 0
}

// Leave returns a placeholder for t. The tag is converted later, when tags are read.
func (c *Converter) Leave(t *Tag) string {
	c.marks = append(c.marks, t)
	return Mark + map[form]string{opening: "", Closing: "/", Alone: "."}[t.Form] + strconv.Itoa(len(c.marks)-1) + ">"
}

// readMark reads the placeholder, created by Leave, that starts at i. It returns a copy of the tag and the position
// after the placeholder, or nil if the placeholder is invalid.
func (c *Converter) readMark(text string, i int) (*Tag, int) {
	end := strings.IndexByte(text[i:], '>')
	if end < 0 {
		return nil, 0
	}
	n, err := strconv.Atoi(strings.TrimLeft(text[i+len(Mark):i+end], "/."))
	if err != nil || n < 0 || n >= len(c.marks) {
		return nil, 0
	}
	t := *c.marks[n]
	return &t, i + end + 1
}

// component reports whether the kind of site defines a component called name.
func (c *Converter) component(name string) bool {
	return c.syntax.Tags[name] != nil
}

// Note adds a note about unconverted content. raw is the original text. Only the first 999 notes of a page have line
// numbers, because finding a line requires a search through the page.
func (c *Converter) Note(raw, what, why, do string) {
	raw = c.Written(raw)
	line := 0
	if c.notes++; c.notes < 1000 {
		line = c.line(raw)
	}
	c.Site.Note(Note{File: c.Page.Source, Line: line, What: what, Why: why, Do: do, Source: excerpt(raw)})
}

// Written returns text with placeholders replaced by the original tags, and without Sign.
func (c *Converter) Written(text string) string {
	for {
		i := strings.Index(text, Mark)
		if i < 0 {
			return strings.ReplaceAll(text, Sign, "")
		}
		t, end := c.readMark(text, i)
		if t == nil {
			return strings.ReplaceAll(text, "\uE000", "")
		}
		text = text[:i] + t.Raw + text[end:]
	}
}

func (c *Converter) last() *Note { return &c.Site.Notes[len(c.Site.Notes)-1] }

// line returns the number of the line in the page's file that contains the first line of raw, or 0 if no line contains
// it. If that line occurs several times, each call returns the next occurrence, and the call after the last occurrence
// returns the first.
func (c *Converter) line(raw string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(raw), "\n")
	if first == "" {
		return 0
	}
	at := c.seen[first]
	i := strings.Index(c.Page.Text[min(at, len(c.Page.Text)):], first)
	if i < 0 {
		if i, at = strings.Index(c.Page.Text, first), 0; i < 0 {
			return 0
		}
	}
	c.seen[first] = at + i + len(first)
	return strings.Count(c.Page.Text[:at+i], "\n") + 1
}

func excerpt(s string) string {
	const most = 300
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " …"
	}
	return s
}

var (
	// GivenID matches an anchor at the end of a heading, in the syntax of Hugo, kramdown, or MDX.
	GivenID  = lazyregexp.New(`[ \t]*(?:\{:?\s*([^{}<>]*#[^{}<>]*)\}|\{/\*\s*#?([\w-]+)\s*\*/\}|\\\{#([\w.:-]+)\\\})[ \t]*#*[ \t]*$`)
	attrList = lazyregexp.New(`[ \t]*\{:?\s*(?:[.][\w-]+|[\w-]+="[^"]*"|[\w-]+=[\w-]+)(?:\s+(?:[.][\w-]+|[\w-]+="[^"]*"|[\w-]+=[\w-]+))*\s*\}[ \t]*$`)
	// IDIn matches an anchor in a list of attributes, and captures the anchor without its number sign.
	IDIn = lazyregexp.New(`#([^\s{}#"']+)`)
	// ATX matches a heading that starts with number signs. It captures the prefix of the line, the signs, and the text.
	ATX = lazyregexp.New(`^([ \t]*(?:>[ \t]?)*)(#{1,6})[ \t]+(.*)$`)
)
