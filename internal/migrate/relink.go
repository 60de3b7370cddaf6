package migrate

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// edit replaces a stretch of a text.
type edit struct {
	from, to int
	text     string
}

func applyEdits(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		b.WriteString(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// codeMask says of each byte of a text whether it is code.
func codeMask(text string) []bool {
	mask := make([]bool, len(text))
	at := 0
	f := newFences(false)
	run := 0
	spans := func(from, to int) {
		for i := from; i < to; {
			switch {
			case text[i] == '\\' && i+1 < to:
				i += 2
			case text[i] == '`':
				n := runOf(text[i:to], '`')
				end := spanEnd(text[i+n:to], n)
				if end < 0 {
					i += n
					continue
				}
				for j := i; j < i+n+end; j++ {
					mask[j] = true
				}
				i += n + end
			default:
				i++
			}
		}
	}
	for line := range strings.Lines(text) {
		if f.line(strings.TrimSuffix(line, "\n")) {
			spans(run, at)
			for j := at; j < at+len(line); j++ {
				mask[j] = true
			}
			run = at + len(line)
		}
		at += len(line)
	}
	spans(run, at)
	return mask
}

var (
	definition  = regexp.MustCompile(`(?m)^[ \t>]*(?:[-*+][ \t]+)?\[([^\]\n^][^\]\n]*)\]:[ \t]*\n?[ \t]*(<[^>\n]*>|\S+)`)
	attribute   = regexp.MustCompile(` (src|href|poster|link)="([^"]*)"`)
	imageTag    = regexp.MustCompile(`<img [^<>\n]*>`)
	componentAt = regexp.MustCompile(`(?m)^[ \t>]*(?:[-*+][ \t]+)?` + sign + `?:{2,}[a-z][\w-]*(?:\[.*\])?\{[^{}\n]*\}`)
)

// relink makes every link of a page lead where its target is now.
func (im *importer) relink(p *page) {
	text := p.out
	mask := codeMask(text)
	var edits []edit
	edits = im.inlineLinks(p, text, mask, edits)
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		if mask[m[4]] {
			continue
		}
		link := strings.Trim(text[m[4]:m[5]], "<>")
		target, gone := im.resolve(p, link, im.shown(text, text[m[2]:m[3]]))
		if gone != "" {
			im.dead(p, link, gone)
			end := m[5]
			if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
				end += n
			}
			edits = append(edits, edit{m[0], end, ""})
			continue
		}
		edits = append(edits, edit{m[4], m[5], target})
	}
	edits = im.bareAddresses(p, text, mask, edits)
	for _, m := range imageTag.FindAllStringIndex(text, -1) {
		if mask[m[0]] {
			continue
		}
		edits = im.imageTags(p, text, m[0], m[1], edits)
	}
	for _, m := range componentAt.FindAllStringIndex(text, -1) {
		if mask[m[0]] {
			continue
		}
		for _, a := range attribute.FindAllStringSubmatchIndex(strings.Replace(text[m[0]:m[1]], "{", " ", 1), -1) {
			link := text[m[0]+a[4] : m[0]+a[5]]
			if target, gone := im.resolve(p, link, text[m[0]+a[2]:m[0]+a[3]] == "poster"); gone == "" {
				edits = append(edits, edit{m[0] + a[4], m[0] + a[5], target})
			} else {
				im.dead(p, link, gone)
				from := m[0] + a[0]
				if text[from] == '{' {
					from++
				}
				edits = append(edits, edit{from, m[0] + a[1], ""})
			}
		}
	}
	p.out = applyEdits(text, edits)
}

var bareAddress = regexp.MustCompile(`https?://[^\s<>()\[\]"'` + "`" + `]+`)

// bareAddresses looks at the addresses of the old site itself that stand in the text.
func (im *importer) bareAddresses(p *page, text string, mask []bool, edits []edit) []edit {
	if im.url == "" {
		return edits
	}
	for _, m := range bareAddress.FindAllStringIndex(text, -1) {
		from, to := m[0], m[0]+len(strings.TrimRight(text[m[0]:m[1]], ".,;:!?*_~"))
		link := text[from:to]
		if mask[from] || !strings.HasPrefix(strings.ToLower(link), strings.ToLower(im.url)) && !im.ownLink(link) || from > 1 && (text[from-1] == '(' && text[from-2] == ']' || text[from-1] == '"') {
			continue
		}
		if from > 1 && strings.HasPrefix(strings.TrimLeft(reverse(text[max(0, from-4):from]), " <"), ":]") {
			continue
		}
		if from > 0 && text[from-1] == '<' && to < len(text) && text[to] == '>' {
			from, to = from-1, to+1
		}
		target, gone := im.resolve(p, link, false)
		if gone != "" {
			im.dead(p, link, gone)
			edits = append(edits, edit{from, to, codeSpan(link)})
			continue
		}
		if to == len(text) || text[to] != ']' {
			edits = append(edits, edit{from, to, "[" + link + "](" + target + ")"})
		}
	}
	return edits
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// ownLink reports whether an address is one of the old site.
func (im *importer) ownLink(link string) bool {
	_, rest, _ := strings.Cut(link, "://")
	host, _, _ := strings.Cut(rest, "/")
	return im.ownHost(host)
}

// shown reports whether a reference is used for a picture.
func (im *importer) shown(text, label string) bool {
	return strings.Contains(text, "!["+label+"]") || strings.Contains(text, "]["+label+"]") && strings.Contains(text, "![")
}

func (im *importer) dead(p *page, link, why string) {
	im.note(Note{File: p.source, Line: lineWith(p.text, link), What: "a link to " + link, Why: why, Do: "its text and its address were kept as text; link to where it is meant to lead", Source: link, Placeholder: true})
}

func (im *importer) imageTags(p *page, text string, from, to int, edits []edit) []edit {
	if a := attribute.FindStringSubmatchIndex(text[from:to]); a != nil {
		link := html.UnescapeString(text[from+a[4] : from+a[5]])
		target, gone := im.resolve(p, link, true)
		if gone == "" {
			return append(edits, edit{from + a[4], from + a[5], html.EscapeString(target)})
		}
		im.dead(p, link, gone)
		alt := ""
		if _, rest, ok := strings.Cut(text[from:to], ` alt="`); ok {
			alt, _, _ = strings.Cut(rest, `"`)
		}
		return append(edits, edit{from, to, strings.TrimSpace(alt + " (" + codeSpan(link) + ")")})
	}
	return edits
}

// inlineLinks finds "](…)".
func (im *importer) inlineLinks(p *page, text string, mask []bool, edits []edit) []edit {
	for i := 0; ; {
		n := strings.Index(text[i:], "](")
		if n < 0 {
			return edits
		}
		i += n
		at := i
		i += 2
		if mask[at] || at > 0 && text[at-1] == '\\' {
			continue
		}
		from, to, end := destinationAt(text, at+2)
		if end < 0 {
			continue
		}
		open := openBracket(text, mask, at)
		if open < 0 {
			continue
		}
		image := open > 0 && text[open-1] == '!' && (open < 2 || text[open-2] != '\\')
		link := strings.Trim(text[from:to], "<>")
		target, gone := im.resolve(p, unescapeMarkdown(link), image)
		if gone == "" {
			edits = append(edits, edit{from, to, target})
			continue
		}
		im.dead(p, link, gone)
		if image {
			open--
			edits = append(edits, edit{open, open + 2, ""})
		} else {
			edits = append(edits, edit{open, open + 1, ""})
		}
		shown := ""
		if link != "" {
			shown = " (" + strings.ReplaceAll(codeSpan(link), "|", "%7C") + ")"
		}
		edits = append(edits, edit{at, end, shown})
	}
}

var backslashed = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)

func unescapeMarkdown(s string) string { return backslashed.ReplaceAllString(s, "$1") }

// destinationAt reads an address and a title behind "](", and returns the place of the
// address and where the link ends; end is -1 where that is no link.
func destinationAt(text string, i int) (from, to, end int) {
	skip := func() {
		for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
			i++
		}
	}
	skip()
	from = i
	if i < len(text) && text[i] == '<' {
		n := strings.IndexAny(text[i:], ">\n")
		if n < 0 || text[i+n] == '\n' {
			return 0, 0, -1
		}
		i += n + 1
	} else {
		depth := 0
	scan:
		for ; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '(':
				depth++
			case ')':
				if depth--; depth < 0 {
					break scan
				}
			case ' ', '\n', '\t':
				break scan
			}
		}
	}
	to = min(i, len(text))
	i = to
	skip()
	if i < len(text) && strings.IndexByte(`"'(`, text[i]) >= 0 {
		q := text[i]
		if q == '(' {
			q = ')'
		}
		for i++; i < len(text) && text[i] != q; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		i++
		skip()
	}
	if i >= len(text) || text[i] != ')' {
		return 0, 0, -1
	}
	return from, to, i + 1
}

// openBracket finds the "[" that the "]" at a place closes.
func openBracket(text string, mask []bool, at int) int {
	depth := 0
	for i := at - 1; i >= 0 && at-i < 5000; i-- {
		if mask[i] || i > 0 && text[i-1] == '\\' {
			continue
		}
		switch text[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth < 0 {
				return i
			}
		case '\n':
			if i > 0 && text[i-1] == '\n' {
				return -1
			}
		}
	}
	return -1
}
