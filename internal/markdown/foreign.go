package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Vitrine doesn't interpret the template syntax of other programs, so a page would show such syntax unchanged. The
// checks in this file search the source, because the syntax may be anywhere: in addresses, in HTML, or across Markdown
// constructs. Code is excluded.

// foreign is one kind of foreign syntax on a page. Only its first occurrence is reported, with the number of other
// occurrences.
type foreign struct {
	// what identifies the kind.
	what     string
	severity site.Severity
	code     site.Code
	text     string
	// at is the offset of the first occurrence. end is the offset after old. count is the number of occurrences.
	at, end, count int
	// old is the source from at to end, and new is its correction. Both cover all occurrences up to end.
	old, new string
}

// maxForeign is the maximum number of kinds of foreign syntax that are reported separately on one page.
const maxForeign = 50

// maxTogether is the maximum number of occurrences of one kind that one correction covers.
const maxTogether = 500

// noteForeign records an occurrence of foreign syntax of the kind what, which reportForeign reports with the message
// text. If old, the source of the occurrence, isn't empty, new is its correction.
func (d *Document) noteForeign(what string, severity site.Severity, code site.Code, at int, text, old, new string) {
	if len(d.foreign) >= maxForeign {
		// Count any further occurrence for the last recorded kind. There may be many kinds, because each unknown
		// component name is a kind.
		what = d.foreign[maxForeign-1].what
	}
	i := slices.IndexFunc(d.foreign, func(f foreign) bool { return f.what == what })
	if i < 0 {
		d.foreign = append(d.foreign, foreign{what, severity, code, text, at, at + len(old), 1, old, new})
		return
	}
	f := &d.foreign[i]
	if at < f.at && f.old == "" {
		f.at, f.text = at, text
	}
	if f.count++; f.count <= maxTogether && f.old != "" && old != "" && at >= f.end {
		between := string(d.body[f.end:at])
		f.old, f.new, f.end = f.old+between+old, f.new+between+new, at+len(old)
	}
}

// reportForeign converts the occurrences that noteForeign recorded to problems.
func (d *Document) reportForeign() {
	for _, f := range d.foreign {
		if f.count > 1 {
			f.text += fmt.Sprintf(" (and %d more like it on this page)", f.count-1)
		}
		d.problem(f.at, f.severity, f.code, f.text)
		d.problems[len(d.problems)-1].old, d.problems[len(d.problems)-1].new = f.old, f.new
	}
}

// findForeign searches a parsed page for foreign syntax.
func (d *Document) findForeign(state *parseState, pc parser.Context) {
	source := d.body
	has := func(mark string) bool { return bytes.Contains(source, []byte(mark)) }
	braces, notes, below := has("{") && has("}"), has("[^"), bytes.IndexByte(source, '~') >= 0
	conflicts := has("<<<<<<< ") || has(">>>>>>> ")
	stars := has("*") && mayBeSpaceless(source)
	marked := has("==")
	slips := d.slips()
	loose := mayBeLoose(source)
	if !braces && !notes && !below && !conflicts && !stars && !marked && !loose && len(slips) == 0 && !has("```") && !has("[!") {
		return
	}
	s := foreignScan{d: d, state: state, headings: braces, stars: stars, loose: loose}
	s.nodes(d.root)
	slices.SortFunc(s.code, func(a, b text.Segment) int { return a.Start - b.Start })
	for _, b := range s.texts {
		s.emphasis(b)
	}
	s.findSlips(pc, slips)
	if braces {
		s.each("{{<", shortcode, s.shortcode)
		s.each("{{%", shortcode, s.shortcode)
		s.each("{%", liquid, s.liquid)
		s.each("{#", comment, func(at []int) {
			d.noteForeign("comment", errorSeverity, rule.Shortcode, at[0], "this comment is shown as text; write <!-- … -->", "", "")
		})
		s.each("{:", attributeList, func(at []int) {
			d.noteForeign("attributes", warningSeverity, rule.Foreign, at[0], "this is a Kramdown attribute list, which is shown unchanged; remove it, or use a component such as :::note, which has its own style", "", "")
		})
	}
	if conflicts {
		s.each("<<<<<<<", conflict, s.conflict)
		s.each(">>>>>>>", conflict, s.conflict)
	}
	if notes {
		s.each("[^", noteReference, s.noteReference)
	}
	if below {
		s.each("~", subscript, s.subscript)
	}
	if marked {
		s.each("==", highlighted, s.highlighted)
	}
}

// Patterns of foreign syntax. Most of them start with the characters that the method each searches for.
var (
	shortcode     = lazyregexp.New(`^\{\{[<%]-?\s*(/?\s*[\w./-]*)[^\n]*?(?:\n[^\n]+?){0,20}?[>%]\}\}`)
	liquid        = lazyregexp.New(`^\{%-?\s*(\w+)(?:[^%\n]|%[^}])*(?:\n(?:[^%\n]|%[^}])+){0,20}%\}`)
	attributeList = lazyregexp.New(`^\{:\s*(?:[#.][\w-]|[\w-]+="|toc\b)[^}\n]*\}`)
	conflict      = lazyregexp.New(`^(?:<{7}|>{7}) \S`)
	noteReference = lazyregexp.New(`^\[\^([^\]\[\s^]{1,99})\]`)
	subscript     = lazyregexp.New(`^~([\pL\pN+-]{1,8})~`)
	highlighted   = lazyregexp.New(`^==([^\s=](?:[^=\n]{0,200}[^\s=])?)==`)
	comment       = lazyregexp.New(`^\{# [^\n]*? #\}`)
	headingList   = lazyregexp.New(`[ \t]*\{:?[ \t]*((?:[#.][\w.:-]+|[\w-]+=(?:"[^"]*"|[\w-]+))(?:[ \t]+(?:[#.][\w.:-]+|[\w-]+=(?:"[^"]*"|[\w-]+)))*)[ \t]*\}[ \t]*#*[ \t]*\n?$`)
	alertLine     = lazyregexp.New(`^[ \t]*\[!([A-Za-z]+)\]([+-]?)(?:[ \t]|\n|$)`)
)

type foreignScan struct {
	d     *Document
	state *parseState
	// headings enables the check of headings for attribute lists.
	headings bool
	// loose enables the check of paragraphs for lists and tables.
	loose bool
	// stars enables the check of emphasis in scripts without spaces between words; see the method emphasis.
	stars bool
	// texts are the blocks that may contain emphasis.
	texts []ast.Node
	// code contains the segments of the body that are code or comments.
	code []text.Segment
	// opened is the start of the content of an open <code> or <kbd>, or 0 if neither is open.
	opened int
}

// maxMark is the maximum length in bytes of foreign syntax after its opening characters.
const maxMark = 2000

// each calls visit for each match of form that starts with mark and isn't escaped or in code. at contains the offsets
// of the match and its groups in the body.
func (s *foreignScan) each(mark string, form *lazyregexp.Regexp, visit func(at []int)) {
	source := s.d.body
	for from := 0; from < len(source); {
		next := bytes.Index(source[from:], []byte(mark))
		if next < 0 {
			return
		}
		from += next
		start := from
		if end := s.codeAround(start); end > 0 {
			from = end
			continue
		}
		from += len(mark)
		if start > 0 && source[start-1] == '\\' {
			continue
		}
		if at := form.FindSubmatchIndex(source[start:min(start+maxMark, len(source))]); at != nil {
			for i := range at {
				at[i] += start
			}
			from = at[1]
			visit(at)
		}
	}
}

// codeAround returns the end of the code that contains position at, or 0 if at isn't in code.
func (s *foreignScan) codeAround(at int) int {
	i, _ := slices.BinarySearchFunc(s.code, at, func(c text.Segment, at int) int { return c.Stop - at - 1 })
	if i < len(s.code) && s.code[i].Start <= at && at < s.code[i].Stop {
		return s.code[i].Stop
	}
	return 0
}

// nodes searches the tree for code, and for syntax that is foreign only because of its position.
func (s *foreignScan) nodes(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if s.stars && c.Type() == ast.TypeBlock {
			switch c.(type) {
			case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *east.TableCell, *label:
				s.texts = append(s.texts, c)
			}
		}
		switch b := c.(type) {
		case *ast.FencedCodeBlock:
			s.lines(b)
			s.fence(b)
		case *ast.CodeBlock:
			s.lines(b)
		case *ast.HTMLBlock:
			if b.HTMLBlockType <= ast.HTMLBlockType5 {
				s.lines(b)
			}
			if b.HTMLBlockType == ast.HTMLBlockType2 && !b.HasClosure() && b.Lines().Len() > 0 {
				s.openBlock(b.Lines().At(0).Start)
			}
		case *ast.CodeSpan:
			for t := b.FirstChild(); t != nil; t = t.NextSibling() {
				if t, ok := t.(*ast.Text); ok {
					s.code = append(s.code, t.Segment)
				}
			}
		case *ast.RawHTML:
			s.tag(b)
		case *ast.Paragraph:
			if s.loose {
				s.paragraph(b)
			}
			s.nodes(b)
		case *ast.Heading:
			s.heading(b)
			s.nodes(b)
		case *ast.Blockquote:
			s.quote(b)
			s.nodes(b)
		default:
			s.nodes(b)
		}
	}
}

func (s *foreignScan) lines(b ast.Node) {
	if n := b.Lines().Len(); n > 0 {
		s.code = append(s.code, text.NewSegment(b.Lines().At(0).Start, b.Lines().At(n-1).Stop))
	}
}

// tag records comments and the text in <code> and <kbd> as code.
func (s *foreignScan) tag(raw *ast.RawHTML) {
	first := raw.Segments.At(0)
	last := raw.Segments.At(raw.Segments.Len() - 1)
	switch value := bytes.ToLower(first.Value(s.d.body)); {
	case bytes.HasPrefix(value, []byte("<!--")):
		s.code = append(s.code, text.NewSegment(first.Start, last.Stop))
	case bytes.HasPrefix(value, []byte("<code")), bytes.HasPrefix(value, []byte("<kbd")):
		s.opened = last.Stop
	case s.opened > 0 && (bytes.HasPrefix(value, []byte("</code")) || bytes.HasPrefix(value, []byte("</kbd"))):
		s.code = append(s.code, text.NewSegment(s.opened, first.Start))
		s.opened = 0
	}
}

// fence reports a code block without a closing fence.
func (s *foreignScan) fence(b *ast.FencedCodeBlock) {
	source, start := s.d.body, b.Pos()
	if start < 0 || start >= len(source) || source[start] != '`' && source[start] != '~' {
		return
	}
	fence := runOf(source[start:], source[start])
	end := start
	if n := b.Lines().Len(); n > 0 {
		end = b.Lines().At(n-1).Stop - 1
	}
	if next := bytes.IndexByte(source[end:], '\n'); next >= 0 {
		line, _, _ := bytes.Cut(source[end+next+1:], []byte{'\n'})
		line = bytes.TrimLeft(line, " \t>")
		if run := runOf(line, source[start]); run >= fence && len(bytes.TrimSpace(line[run:])) == 0 {
			return
		}
	}
	sign := string(source[start : start+fence])
	s.d.noteForeign("fence", warningSeverity, rule.OpenCode, start, "this code block is not closed, so everything after it is code; write "+sign+" on its own line after it", "", "")
}

// heading reports an attribute list at the end of a heading.
func (s *foreignScan) heading(h *ast.Heading) {
	n := h.Lines().Len()
	if !s.headings || n == 0 {
		return
	}
	segment := h.Lines().At(n - 1)
	line := segment.Value(s.d.body)
	at := headingList.FindSubmatchIndex(line)
	if at == nil {
		return
	}
	open := at[0] + bytes.IndexByte(line[at[0]:], '{')
	if open > 0 && line[open-1] == '\\' {
		return
	}
	s.code = append(s.code, text.NewSegment(segment.Start+open, segment.Stop))
	written, closing := string(line[at[2]:at[3]]), open+bytes.IndexByte(line[open:], '}')+1
	old := string(line[open:closing])
	advice, right := "remove them", ""
	if name, ok := strings.CutPrefix(written, "#"); ok && !strings.ContainsAny(name, " \t.:=") {
		right = `<a id="` + name + `"></a>`
		advice = "for links that point to #" + name + ", write " + right + " instead"
	} else {
		old = ""
	}
	s.d.noteForeign("heading", warningSeverity, rule.Foreign, segment.Start+open, "headings cannot have attributes, so the braces are shown unchanged; "+advice, old, right)
}

// quote reports alerts of unknown kinds and collapsible alerts.
func (s *foreignScan) quote(q *ast.Blockquote) {
	p, ok := q.FirstChild().(*ast.Paragraph)
	if !ok || p.Lines().Len() == 0 {
		return
	}
	segment := p.Lines().At(0)
	line := segment.Value(s.d.body)
	at := alertLine.FindSubmatchIndex(line)
	if at == nil {
		return
	}
	if _, is := alertOf(q); is {
		return
	}
	name := string(line[at[2]:at[3]])
	kinds := []string{"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"}
	message, old, right := fmt.Sprintf("unknown alert [!%s]", name), "", ""
	if near := suggest.Nearest(name, kinds); near != "" && at[4] == at[5] {
		message += fmt.Sprintf("; did you mean [!%s]?", near)
		old, right = "[!"+name+"]", "[!"+near+"]"
	} else if at[4] < at[5] {
		message = "an alert cannot be collapsed; wrap the text in :::details[Title] … :::"
	} else {
		message += ", which is shown unchanged; the kinds are [!" + strings.Join(kinds, "], [!") + "]"
	}
	s.d.noteForeign("alert", warningSeverity, rule.UnknownAlert, segment.Start+bytes.IndexByte(line, '['), message, old, right)
}

func (s *foreignScan) conflict(at []int) {
	if at[0] == 0 || s.d.body[at[0]-1] == '\n' {
		s.d.noteForeign("conflict", errorSeverity, rule.Conflict, at[0], "this is a merge conflict marker; keep one of the two versions, and remove the lines with <<<<<<<, =======, and >>>>>>>", "", "")
	}
}

func (s *foreignScan) shortcode(at []int) {
	name := strings.TrimLeft(string(s.d.body[at[2]:at[3]]), "/ ")
	s.d.noteForeign("shortcode", errorSeverity, rule.Shortcode, at[0], fmt.Sprintf("this is a Hugo shortcode, which Vitrine does not support; %s", instead(name)), "", "")
}

func (s *foreignScan) liquid(at []int) {
	if at[0] > 0 && s.d.body[at[0]-1] == '{' {
		// The braces belong to a shortcode.
		return
	}
	s.d.noteForeign("liquid", errorSeverity, rule.Shortcode, at[0], fmt.Sprintf("this is a Liquid tag, which Vitrine does not support; %s", instead(string(s.d.body[at[2]:at[3]]))), "", "")
}

// instead returns the end of the message about the shortcode or tag called name: what to write instead.
func instead(name string) string {
	name = strings.ToLower(name)
	switch name {
	case "figure", "img", "image":
		return "write ![Description](file.png), or :::figure around an image with a caption"
	case "youtube", "vimeo":
		return "write ::" + name + "[Title]{#ID}"
	case "ref", "relref", "link", "post_url":
		return "write the path to the page's file, such as ../guide.md"
	case "highlight", "code", "raw", "verbatim":
		return "put the code between ``` lines"
	case "notice", "alert", "callout", "admonition", "hint", "note", "tip", "warning", "info", "danger":
		return "wrap the text in :::note … :::"
	case "details", "expand", "collapse", "spoiler":
		return "wrap the text in :::details[Title] … :::"
	case "tabs", "tab", "tabpane":
		return "write ::::tabs with a :::tab[Name] for each tab"
	case "include", "readfile":
		return "write the text itself"
	case "param", "var", "assign", "capture":
		return "write the value itself, or a fact such as {{ name }}"
	}
	return "write the text itself, or a component: the guide lists them by name, and vitrine import converts the known ones"
}

// isShortcode reports whether expression is a Hugo shortcode, which is reported separately.
func isShortcode(expression string) bool {
	return strings.HasPrefix(expression, "<") || strings.HasPrefix(expression, "%")
}
