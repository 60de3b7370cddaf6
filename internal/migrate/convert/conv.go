// Package convert turns the text of one page of another generator into Markdown as
// Vitrine reads it. It knows code, HTML, components and shortcodes; what it cannot carry
// over stays in the page as it was written, with a note. Syntax has what a kind of site
// adds. Links are left to package migrate, because they need all pages.
package convert

import (
	"regexp"
	"strconv"
	"strings"
	"vitrine/internal/migrate/source"
)

// Mark begins what an earlier step left for a later one: a shortcode, as a tag whose
// number is its place in conv.marks. sign stands before the lines of components that we
// wrote. Neither character can be in a source, see cleanText.
const (
	Mark = "<\uE000"
	Sign = "\uE001"
)

// Converter turns the text of one page.
type Converter struct {
	Site   *Site
	syntax *Syntax
	Page   *Document
	// text is what is being read.
	text string
	// marks are the shortcodes of the page.
	marks []*Tag
	// noEnd has the names of elements whose end the text does not have further on.
	noEnd map[string]bool
	// inPure says that what is being written stood in HTML in which no Markdown is read.
	inPure bool
	// oneLine says that no block can stand here.
	oneLine bool
	// constants are the values that an MDX page exports, imports the files that
	// its names stand for.
	constants, imports map[string]string
	// failedTags counts what begins like a tag and is none.
	failedTags int
	// notes counts what was reported of the page.
	notes int
	// seen counts how often a text was reported, to find its next place.
	seen map[string]int
	// Depth is how deep includes stand in one another, size what they brought.
	Depth, size int
}

// Handler writes a tag of a kind of site.
type Handler func(c *Converter, n *Node) Piece

// New returns a converter for one page of a site.
func New(site *Site, s *Syntax, p *Document) *Converter {
	return &Converter{Site: site, syntax: s, Page: p, constants: map[string]string{}, imports: map[string]string{}, seen: map[string]int{}}
}

// page turns the whole text of a page into Markdown as Vitrine reads it, but for its
// links, which need all pages.
func (c *Converter) Convert(text string) string {
	text = c.headings(c.Markdown(c.steps(text)))
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
		// What is left of these is text: tags that the kind knows were read.
		return strings.NewReplacer("{{", `\{{`, "{%", `\{%`).Replace(s)
	})
	return strings.TrimSpace(showComments(singleBlanks(fenceTitles(nest(text))))) + "\n"
}

// steps does what comes before tags are read.
func (c *Converter) steps(text string) string {
	if c.syntax.Expand != nil {
		text = c.syntax.Expand(c, text)
	}
	if c.syntax.Mdx {
		text = c.modules(text)
	}
	if c.syntax.Lines != nil {
		text = c.syntax.Lines(c, text)
	}
	return text
}

// otherBlock and otherInline look like components, and are none of ours: those have a
// sign before them.
var (
	otherBlock  = regexp.MustCompile(`(?m)^([ \t>]*)(:{3,}[ \t]*$|:{3,}[ \t]*[A-Za-z]|::[A-Za-z][\w-]*[\[{])`)
	otherInline = regexp.MustCompile(`([\s(>"']|^)(:[A-Za-z][\w-]{0,63}[\[{])`)
)

// shownLink is an address in which something stands as it was written.
var shownLink = regexp.MustCompile("\\]\\([^()\n`]*`[^`\n]*[{][^`\n]*`[^()\n]*\\)")

// braceLink is an address with a template in it that nobody could resolve.
var braceLink = regexp.MustCompile(`\]\([^()\n]*\{\{[^()\n]*\)`)

// Part turns a piece of text that is put into a page: an include.
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

// Markdown reads a text for tags and writes it without them.
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

// quotes turns the quotes that have tags in them by themselves, because of the signs at
// the beginning of their lines.
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
			// ">" on a line of its own may be the end of a tag of many lines.
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

var quoteLine = regexp.MustCompile(`^[ \t]*>(?: |\t|>|\n|$|[^/>])`)

func containerFence(line string) bool {
	_, length, _ := FenceOf(line)
	return length > 0
}

// Leave puts a tag into the text for the next step.
func (c *Converter) Leave(t *Tag) string {
	c.marks = append(c.marks, t)
	return Mark + map[form]string{opening: "", Closing: "/", Alone: "."}[t.Form] + strconv.Itoa(len(c.marks)-1) + ">"
}

// readMark reads what leave left.
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

// component reports whether a name is one of the site's own components.
func (c *Converter) component(name string) bool {
	return c.syntax.Tags[name] != nil
}

// Note reports something that was not carried over; the report finds its line.
func (c *Converter) Note(raw, what, why, do string) {
	raw = c.Written(raw)
	line := 0
	if c.notes++; c.notes < 1000 {
		line = c.line(raw)
	}
	c.Site.Note(Note{File: c.Page.Source, Line: line, What: what, Why: why, Do: do, Source: excerpt(raw)})
}

// Written gives marks in a text their own form again.
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

// line finds the line of the file that holds a text; each time the same is asked for,
// the next one.
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
	// GivenID is an anchor at the end of a heading, in the forms of Hugo and kramdown,
	// and of MDX.
	GivenID  = regexp.MustCompile(`[ \t]*(?:\{:?\s*([^{}<>]*#[^{}<>]*)\}|\{/\*\s*#?([\w-]+)\s*\*/\}|\\\{#([\w.:-]+)\\\})[ \t]*#*[ \t]*$`)
	attrList = regexp.MustCompile(`[ \t]*\{:?\s*(?:[.][\w-]+|[\w-]+="[^"]*"|[\w-]+=[\w-]+)(?:\s+(?:[.][\w-]+|[\w-]+="[^"]*"|[\w-]+=[\w-]+))*\s*\}[ \t]*$`)
	// IDIn finds the anchor in a list of attributes.
	IDIn = regexp.MustCompile(`#([^\s{}#"']+)`)
	// ATX matches a heading that begins with number signs: its start, signs and text.
	ATX = regexp.MustCompile(`^([ \t]*(?:>[ \t]?)*)(#{1,6})[ \t]+(.*)$`)
)
