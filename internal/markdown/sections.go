package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Section is a section of a page, with its text parsed. Fields that the section's kind doesn't use are nil or zero, as
// in site.Section.
type Section struct {
	Kind, Layout string
	// ID is the section's anchor, or "" if the section has no Title.
	ID                   string
	Eyebrow, Title, Text *Fragment
	Actions              []*SectionLink
	Picture              *Link
	Code                 *Fragment
	Items                []*SectionItem
}

// SectionItem is an item of a section; see site.SectionItem.
type SectionItem struct {
	Icon                       string
	Eyebrow, Title, Text, Role *Fragment
	Points                     []*Fragment
	// Target, Picture, and Action are nil if unset.
	Target, Picture *Link
	Action          *SectionLink
}

// SectionLink is a call-to-action link of a section.
type SectionLink struct {
	Label *Fragment
	Link  *Link
}

// Fragment is a parsed string of a section.
type Fragment struct{ d *Document }

// ParsePage is like Parse, but also parses the text of the page's sections. The document's Problems, Links, Headings,
// Prose, facts, and components include the sections.
func (p *Parser) ParsePage(page *site.Page, source []byte, body int) *Document {
	if len(page.Sections) == 0 {
		return p.Parse(page.Source, source, body)
	}
	r := &sectionReader{parser: p, page: page, source: source, ids: make(map[string]int)}
	for i := range page.Sections {
		r.sections = append(r.sections, r.section(i, &page.Sections[i]))
	}
	d := p.parse(page.Source, source, body, r.ids, nil)
	d.sections, d.fragments = r.sections, r.fragments
	d.sectionHeadings, d.sectionLinks, d.sectionProblems = r.headings, r.links, r.problems
	return d
}

// Sections returns the page's sections. It returns nil if the page has no sections or was parsed with Parse.
func (d *Document) Sections() []*Section { return d.sections }

// sectionReader reads the sections of a page.
type sectionReader struct {
	parser    *Parser
	page      *site.Page
	source    []byte
	ids       map[string]int
	sections  []*Section
	fragments []*Document
	headings  []Heading
	links     []*Link
	problems  []site.Problem
}

func (r *sectionReader) section(i int, s *site.Section) *Section {
	read := &Section{Kind: s.Kind, Layout: s.Layout, Eyebrow: r.inline(s.Eyebrow), Title: r.inline(s.Title), Text: r.inline(s.Text)}
	if read.Title != nil {
		text := read.Title.Plain()
		read.ID = unique(r.ids, slug(text))
		// The title of a hero section at the start of the page is the page's title.
		if i > 0 || s.Kind != site.Hero {
			r.headings = append(r.headings, Heading{Level: 2, ID: read.ID, Text: text, Pos: s.Title.Pos})
		}
	}
	for _, a := range s.Actions {
		read.Actions = append(read.Actions, r.action(a))
	}
	read.Picture = r.picture(s.Picture, "")
	read.Code = r.code(s.Code)
	for _, item := range s.Items {
		read.Items = append(read.Items, r.item(s.Kind, &item))
	}
	return read
}

func (r *sectionReader) item(kind string, i *site.SectionItem) *SectionItem {
	read := &SectionItem{Icon: r.icon(i.Icon), Eyebrow: r.inline(i.Eyebrow), Title: r.inline(i.Title), Role: r.inline(i.Role)}
	if kind == site.Questions {
		read.Text = r.answer(i.Text)
	} else {
		read.Text = r.inline(i.Text)
	}
	for _, point := range i.Points {
		read.Points = append(read.Points, r.inline(point))
	}
	name := ""
	if read.Title != nil {
		name = read.Title.Plain()
	}
	if i.Target.Target != "" {
		r.unlinked(read.Title, "the title links to path")
		read.Target = r.link(i.Target, name, false)
	}
	if i.Action.Target.Target != "" {
		read.Action = r.action(i.Action)
	}
	// The item's title is the default alternative text.
	read.Picture = r.picture(i.Picture, name)
	return read
}

// icon returns the name of an icon, or "" if the name is unset or invalid. It reports an invalid name.
func (r *sectionReader) icon(w site.Written) string {
	if w.Text == "" {
		return ""
	}
	if r.parser.components != nil {
		if problem := r.parser.components.IconProblem(w.Text); problem != "" {
			r.problem(w.Pos, rule.WrongValue, "icon: "+problem)
			return ""
		}
	}
	return w.Text
}

func (r *sectionReader) action(a site.SectionAction) *SectionLink {
	label := r.inline(a.Label)
	r.unlinked(label, "the label links to path or url")
	read := &SectionLink{Label: label}
	if a.Target.Target != "" {
		text := ""
		if label != nil {
			text = label.Plain()
		}
		read.Link = r.link(a.Target, text, false)
	}
	return read
}

// unlinked reports the first link in f, because f is itself the text of a link. why is the start of the message.
func (r *sectionReader) unlinked(f *Fragment, why string) {
	if f == nil || len(f.d.links) == 0 {
		return
	}
	r.problem(f.d.Links()[0].Pos, rule.WrongValue, why+", so it cannot contain another link; remove the inner link")
}

func (r *sectionReader) problem(at site.Pos, code site.Code, text string) {
	r.problems = append(r.problems, site.Problem{Path: r.page.Source, Pos: at, Severity: site.Error, Code: code, Text: text})
}

// picture returns a section's picture, or nil if it is unset. name is the default alternative text.
func (r *sectionReader) picture(f site.Figure, name string) *Link {
	if f.Src.Target == "" {
		return nil
	}
	if f.Alt == "" {
		f.Alt = name
	}
	return r.link(f.Src, f.Alt, true)
}

// link records a link or a picture of a section, and reports an unsafe address.
func (r *sectionReader) link(to site.Reference, text string, image bool) *Link {
	l := &Link{Destination: to.Target, Target: to.Target, Image: image, Alt: text, Pos: to.Pos}
	if scheme := unsafeScheme(l.Destination, image); scheme != "" {
		l.Target = "#"
		r.problem(to.Pos, rule.UnsafeLink, unsafeText(scheme, image))
	}
	r.links = append(r.links, l)
	return l
}

// inline parses text without blocks, as one line. It treats list and heading markers as text, and reports text with
// several lines that isn't one paragraph.
func (r *sectionReader) inline(w site.Written) *Fragment {
	if w.Text == "" {
		return nil
	}
	if text := strings.TrimSpace(w.Text); strings.Contains(text, "\n") {
		whole := r.parser.parse(r.page.Source, []byte(text), 0, nil, nil)
		if _, one := whole.root.FirstChild().(*ast.Paragraph); !one || whole.root.ChildCount() > 1 {
			r.problem(w.Pos, rule.WrongValue, "a section's text must be a single paragraph, without lists, headings, or other blocks; shorten it, or move it to the page's text")
		}
		whole.Release()
	}
	return r.fragment(strings.Join(strings.Fields(w.Text), " "), w, r.parser.inline)
}

// answer parses the answer to a question, which may contain several blocks. It reports headings and footnotes, which
// only the page's body may contain.
func (r *sectionReader) answer(w site.Written) *Fragment {
	if w.Text == "" {
		return nil
	}
	f := r.fragment(w.Text, w, nil)
	switch {
	case len(f.d.headings) > 0:
		r.problem(w.Pos, rule.WrongValue, "answers cannot contain headings; use a paragraph, or add a separate question")
	case len(f.d.notes) > 0:
		r.problem(w.Pos, rule.WrongValue, "answers cannot contain footnotes; include the note in the text")
	}
	return f
}

// code parses a code sample: one fenced block, or lines without a fence. It reports a sample that isn't exactly one
// block.
func (r *sectionReader) code(w site.Written) *Fragment {
	if w.Text == "" {
		return nil
	}
	text := strings.TrimRight(w.Text, "\n")
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		text = fence + "\n" + text + "\n" + fence
	}
	f := r.fragment(text+"\n", w, nil)
	if _, one := f.d.root.FirstChild().(*ast.FencedCodeBlock); !one || f.d.root.ChildCount() != 1 {
		r.problem(w.Pos, rule.WrongValue, "code: want one fenced block; close the fence after its last line, and move the rest to the page's text")
	}
	return f
}

func (r *sectionReader) fragment(text string, w site.Written, by parser.Parser) *Fragment {
	d := r.parser.parse(r.page.Source, []byte(text), 0, nil, by)
	d.place = func(offset int) site.Pos { return placeIn(r.source, w.Pos, text, offset) }
	d.source = r.source
	r.fragments = append(r.fragments, d)
	r.links = append(r.links, d.Links()...)
	return &Fragment{d}
}

// placeIn returns the source position of a byte of text, given the position where text starts. If text has folded lines
// or escapes, it may return the start of text instead.
func placeIn(source []byte, at site.Pos, text string, offset int) site.Pos {
	start, ok := site.Offset(source, at)
	if !ok {
		return at
	}
	offset = min(max(offset, 0), len(text))
	begin := strings.LastIndexByte(text[:offset], '\n') + 1
	line := text[begin:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	found := bytes.Index(source[start:], []byte(line))
	if found < 0 {
		begin, line = offset, line[offset-begin:]
		line = line[:min(len(line), 16)]
		if found = bytes.Index(source[start:], []byte(line)); found < 0 || line == "" {
			return at
		}
	}
	to := start + found + offset - begin
	before := source[:to]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return site.Pos{Line: bytes.Count(before, []byte("\n")) + 1, Col: utf8.RuneCount(before[lineStart:]) + 1}
}

// Plain returns the text without markup, on one line.
func (f *Fragment) Plain() string { return strings.Join(f.words(f.d.root), " ") }

// words returns the words of the blocks in parent, including code.
func (f *Fragment) words(parent ast.Node) (words []string) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch b := c.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *label:
			words = append(words, strings.Fields(f.d.plain(b))...)
		case *ast.FencedCodeBlock, *ast.CodeBlock, *pre:
			words = append(words, strings.Fields(string(f.d.appendLines(nil, b)))...)
		default:
			words = append(words, f.words(b)...)
		}
	}
	return words
}

// Inline appends the text to w as HTML, without the <p> around it. It returns the same errors as WriteHTML.
func (f *Fragment) Inline(w *bytes.Buffer) error {
	h := &htmlWriter{d: f.d, w: w, oneLine: true}
	for c := f.d.root.FirstChild(); c != nil; c = c.NextSibling() {
		h.inlines(c)
	}
	return h.err
}

// HTML appends the text to w as HTML, as WriteHTML does.
func (f *Fragment) HTML(w *bytes.Buffer) error { return f.d.WriteHTML(w) }

// Markdown appends the text to w as WriteMarkdown does, but without line breaks at the end.
func (f *Fragment) Markdown(w *bytes.Buffer, base string) error {
	err := f.d.WriteMarkdown(w, base)
	w.Truncate(len(bytes.TrimRight(w.Bytes(), "\n")))
	return err
}

// Heading appends the text to w as the content of a Markdown heading, without the "#" marks. base is the same as for
// WriteMarkdown.
func (f *Fragment) Heading(w *bytes.Buffer, base string) error {
	t := &f.d.work.twin
	t.begin(f.d, w, base)
	for c := f.d.root.FirstChild(); c != nil; c = c.NextSibling() {
		text := t.inline(c, inHeading)
		if rest, ends := bytes.CutSuffix(text, []byte("#")); ends {
			w.Write(rest)
			text = []byte(`\#`)
		}
		w.Write(text)
	}
	return t.err
}
