// Package markdown wraps goldmark. It turns the Markdown of one page into a Document, and a Document into HTML and into
// normalized Markdown, the page's twin.
//
// The package guarantees:
//
//   - The dialect is CommonMark with GitHub's tables, strikethrough, task lists, autolinks, footnotes, and alerts, and
//     with directives, which name components.
//   - Semantic HTML in a document is converted, and comments are dropped. All other HTML, and link destinations that
//     run code, are omitted from both outputs and reported as problems with their positions in the file.
//   - The HTML needs no inline style and no script, and is valid inside a flow container such as <main>.
//   - The twin has the page's meaning: it parses to the same HTML and the same twin. Therefore, both outputs are
//     written from a normal form: nested emphasis of the same kind is merged, headings are on one line, and a link's
//     text has no links.
//   - No input makes the package panic. Time and memory grow linearly with the size of the input: nesting, delimiters,
//     table cells, and expanded references have limits, and an exceeded limit is reported as a problem with its
//     position.
//   - The outputs depend only on the input.
//
// A Parser is safe for concurrent use. A Document is not.
package markdown

import (
	"cmp"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/site"
)

const (
	errorSeverity   = site.Error
	warningSeverity = site.Warning
)

// Document is the parsed Markdown of one page. Its methods are not safe for concurrent use.
type Document struct {
	parser *Parser
	// path is the name of the file in problem reports.
	path string
	// source is the unchanged file.
	source []byte
	// lines is the complete file, cleaned by clean, with an index of its lines.
	lines lineIndex
	// body is the Markdown part of lines. It starts at offset.
	body   []byte
	offset int

	root     *ast.Document
	work     *workspace
	problems []located
	foreign  []foreign
	strays   []strayMark
	// lostRows contains the table rows that lost cells, possibly because a "|" in a code span was read as a cell
	// separator.
	lostRows []text.Segment
	tooDeep  bool
	headings []*heading
	links    []*Link
	linkOf   map[ast.Node]*Link
	located  bool
	notes    []*note
	state    *parseState
	// facts are the distinct paths of the facts that the page uses.
	facts []string
	// factUses contains every use of a fact on the page.
	factUses []factAt
	// meant contains the numbers of the lines that contain {{ meant }}; see Meant.
	meant []int
	// components are the names of the components that the page uses.
	components map[string]bool
	// included maps blocks to their code if the code comes from a file.
	included map[ast.Node][]byte
	// looseTitle is the text of a first heading that lacks the space after its "#", or "" if there is none.
	looseTitle string
	// dropped reports whether the leading H1 is omitted from the outputs.
	dropped bool
	// plainText is a buffer for the method plain.
	plainText []byte

	// place converts an offset into the body to a position in the file. It is nil if the body isn't the text of a
	// section.
	place func(offset int) site.Pos
	// sections are the page's sections; see ParsePage.
	sections []*Section
	// fragments are the parsed strings of the sections.
	fragments []*Document
	// sectionHeadings, sectionLinks, and sectionProblems are the headings, links, and problems of the sections.
	sectionHeadings []Heading
	sectionLinks    []*Link
	sectionProblems []site.Problem
}

// located is a problem whose line and column haven't been computed yet.
type located struct {
	offset   int
	severity site.Severity
	code     site.Code
	text     string
	// new is the correction of old, the text at the position. Both are "" if there is no unambiguous correction.
	old, new string
}

// problem records a problem at the given offset into the body.
func (d *Document) problem(offset int, severity site.Severity, code site.Code, text string) {
	d.problems = append(d.problems, located{offset: offset, severity: severity, code: code, text: text})
}

// position converts an offset into the body to a position in the file.
func (d *Document) position(offset int) site.Pos {
	if d.place != nil {
		return d.place(offset)
	}
	line, col := d.lines.position(d.offset + offset)
	return site.Pos{Line: line, Col: col}
}

// Problems returns the page's problems in file order: for example, raw HTML, destinations with schemes that run code,
// missing destinations, unused footnotes, and exceeded limits. Their number is limited; see site.CapProblems.
func (d *Document) Problems() []site.Problem {
	problems := slices.Clone(d.sectionProblems)
	for _, f := range d.fragments {
		problems = append(problems, f.Problems()...)
	}
	if len(problems)+len(d.problems) == 0 {
		return nil
	}
	first := len(problems)
	problems = append(problems, make([]site.Problem, len(d.problems))...)
	for i, p := range d.problems {
		i += first
		problems[i] = site.Problem{Path: d.path, Pos: d.position(p.offset), Severity: p.severity, Code: p.code, Text: p.text}
		if p.old != "" {
			problems[i].Fix = site.EditAt(d.source, problems[i].Pos, p.old, p.new)
		}
	}
	return site.CapProblems(site.SortProblems(problems))
}

// Source returns the unchanged file from which the document was parsed. The caller must not modify it.
func (d *Document) Source() []byte { return d.source }

// FrontMatter returns the part of the file before the Markdown. The caller must not modify it.
func (d *Document) FrontMatter() []byte {
	return d.lines.text[:d.offset]
}

// Title returns the plain text of the first H1. If there is no H1, Title returns the text of a line such as "#Title" at
// the start of the page, which lacks the space after the "#". Otherwise, it returns "". The result is the same before
// and after DropTitle.
func (d *Document) Title() string {
	for _, h := range d.headings {
		if h.Level == 1 {
			return h.Text
		}
	}
	return d.looseTitle
}

// DropTitle omits a leading H1 from both outputs, from Headings, and from the anchors, for pages whose layout prints
// the title. It does nothing if the page doesn't begin with an H1.
func (d *Document) DropTitle() {
	h, ok := d.root.FirstChild().(*ast.Heading)
	if !ok || h.Level != 1 || d.dropped {
		return
	}
	d.dropped = true
	d.root.RemoveChild(d.root, h)
	for _, heading := range d.headings {
		if heading.node == h {
			heading.dropped = true
		}
	}
	if len(d.state.notesList) > 0 {
		d.number(d.state)
	}
}

// Headings returns the page's headings, except a dropped title. The headings of the page's sections come first.
func (d *Document) Headings() []Heading {
	headings := append(make([]Heading, 0, len(d.sectionHeadings)+len(d.headings)), d.sectionHeadings...)
	for _, h := range d.headings {
		if !h.dropped {
			h.Pos = d.position(h.node.Pos())
			headings = append(headings, h.Heading)
		}
	}
	return headings
}

// Links returns the page's links, images, and autolinks in file order. Each call returns the same pointers, so a caller
// can set a Link's Target before it calls WriteHTML or WriteMarkdown.
func (d *Document) Links() []*Link {
	if !d.located {
		d.located = true
		slices.SortStableFunc(d.links, func(a, b *Link) int { return cmp.Compare(a.offset, b.offset) })
		for _, l := range d.links {
			l.Pos = d.position(l.offset)
		}
		d.links = append(d.sectionLinks[:len(d.sectionLinks):len(d.sectionLinks)], d.links...)
	}
	return d.links
}
