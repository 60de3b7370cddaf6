package migrate

import (
	"html"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
)

// edit replaces a range of bytes in a string with text.
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

var (
	definition = lazyregexp.New(`(?m)^[ \t>]*(?:[-*+][ \t]+)?\[([^\]\n^][^\]\n]*)\]:[ \t]*\n?[ \t]*(<[^>\n]*>|\S+)`)
	attribute  = lazyregexp.New(`[ {](src|href|poster|link)="([^"]*)"`)
	autolink   = lazyregexp.New(`<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*)>`)
	imageTag   = lazyregexp.New(`<img [^<>\n]*>`)
)

// relink replaces the address of every link on p with the new address of its target. It replaces broken links with
// their text, and adds notes about the broken links.
func (im *importer) relink(p *oldsite.Page) {
	text, mask := p.Out, convert.MaskComments(p.Out, convert.CodeMask(p.Out))
	edits := im.bareAddresses(p, text, mask, im.inlineLinks(p, text, mask, nil))
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		rest, _, _ := strings.Cut(text[m[5]:], "\n")
		// Text such as "[a]: Easily add it" isn't a definition: only a title may follow the address.
		if after := strings.TrimSpace(rest); mask[m[4]] || after != "" && !strings.ContainsAny(after[:1], `"'(`) {
			continue
		}
		label, link := text[m[2]:m[3]], strings.Trim(text[m[4]:m[5]], "<>")
		image := strings.Contains(text, "!["+label+"]") || strings.Contains(text, "]["+label+"]") && strings.Contains(text, "![")
		if target, alive := im.liveTarget(p, link, image); alive {
			edits = append(edits, edit{m[4], m[5], target})
		} else {
			edits = append(edits, edit{m[0], m[5] + len(rest), ""})
		}
	}
	for _, m := range autolink.FindAllStringSubmatchIndex(text, -1) {
		link := text[m[2]:m[3]]
		switch strings.ToLower(scheme.FindString(link)) {
		case "https:", "http:", "mailto:", "tel:":
			continue
		}
		if !mask[m[0]] {
			im.liveTarget(p, link, false)
			edits = append(edits, edit{m[0], m[1], convert.CodeSpan(link)})
		}
	}
	for _, m := range imageTag.FindAllStringIndex(text, -1) {
		tag := text[m[0]:m[1]]
		a := attribute.FindStringSubmatchIndex(tag)
		if mask[m[0]] || a == nil {
			continue
		}
		link := html.UnescapeString(tag[a[4]:a[5]])
		if target, alive := im.liveTarget(p, link, true); alive {
			edits = append(edits, edit{m[0] + a[4], m[0] + a[5], html.EscapeString(target)})
		} else {
			_, alt, _ := strings.Cut(tag, ` alt="`)
			alt, _, _ = strings.Cut(alt, `"`)
			edits = append(edits, edit{m[0], m[1], strings.TrimSpace(alt + " (" + convert.CodeSpan(link) + ")")})
		}
	}
	for _, m := range convert.ComponentAt.FindAllStringIndex(text, -1) {
		if !mask[m[0]] {
			edits = append(edits, im.relinkComponent(p, text, m[0], m[1])...)
		}
	}
	p.Out = applyEdits(text, edits)
}

// videoAt matches a video component. It captures the list and quote markers before the component, and the label.
var videoAt = lazyregexp.New(`^([ \t>]*(?:[-*+][ \t]+)?)::video\[([^\[\]]*)\]`)

// relinkComponent replaces the addresses in the attributes of the component at text[from:to] with the new addresses of
// their targets. It removes an attribute with a broken link. It replaces a video whose file is missing with the video's
// label and address.
func (im *importer) relinkComponent(p *oldsite.Page, text string, from, to int) (edits []edit) {
	video := videoAt.FindStringSubmatch(text[from:to])
	for _, a := range attribute.FindAllStringSubmatchIndex(text[from:to], -1) {
		for i := range a {
			a[i] += from
		}
		key, link := text[a[2]:a[3]], text[a[4]:a[5]]
		target, alive := im.liveTarget(p, link, key == "poster")
		switch {
		case alive:
			edits = append(edits, edit{a[4], a[5], target})
		case key == "src" && video != nil:
			return []edit{{from + len(video[1]), to, strings.TrimSpace(video[2] + " (" + convert.CodeSpan(link) + ")")}}
		default:
			edits = append(edits, edit{a[2], a[1], ""})
		}
	}
	return edits
}

// liveTarget is like resolve, but adds a note if the link is broken. alive reports whether the link works.
func (im *importer) liveTarget(p *oldsite.Page, link string, image bool) (target string, alive bool) {
	target, gone := im.resolve(p, link, image)
	if gone != "" {
		im.Note(convert.Note{File: p.Source, Line: lineWith(p.Text, link), What: "a link to " + link, Why: gone, Do: "its text and address were kept as plain text; correct the link", Source: link, Placeholder: true})
	}
	return target, gone == ""
}

var (
	bareAddress = lazyregexp.New(`https?://[^\s<>()\[\]"'` + "`" + `]+`)
	// linkBefore matches the text before an address if the address is already part of a link.
	linkBefore = lazyregexp.New(`(?:\]\(|"|\]:\s*<?)$`)
)

// bareAddresses appends edits for addresses of the old site in text that aren't part of a link. The edits turn working
// addresses into links, and broken ones into code. mask reports which bytes of text to skip.
func (im *importer) bareAddresses(p *oldsite.Page, text string, mask []bool, edits []edit) []edit {
	if im.Url == "" {
		return edits
	}
	for _, m := range bareAddress.FindAllStringIndex(text, -1) {
		from, to := m[0], m[0]+len(strings.TrimRight(text[m[0]:m[1]], ".,;:!?*_~"))
		link := text[from:to]
		if mask[from] || !im.ownLink(link) || linkBefore.MatchString(text[max(0, from-8):from]) {
			continue
		}
		if from > 0 && text[from-1] == '<' && to < len(text) && text[to] == '>' {
			from, to = from-1, to+1
		}
		if target, alive := im.liveTarget(p, link, false); !alive {
			edits = append(edits, edit{from, to, convert.CodeSpan(link)})
		} else if to == len(text) || text[to] != ']' {
			edits = append(edits, edit{from, to, "[" + link + "](" + target + ")"})
		}
	}
	return edits
}

// ownLink reports whether link points to the old site's host.
func (im *importer) ownLink(link string) bool {
	_, rest, _ := strings.Cut(link, "://")
	host, _, _ := strings.Cut(rest, "/")
	return im.ownHost(host)
}

// inlineLinks appends edits for inline links and images, "[…](…)". The edits replace the address of a working link, and
// turn a broken link into its text and address. mask reports which bytes of text to skip.
func (im *importer) inlineLinks(p *oldsite.Page, text string, mask []bool, edits []edit) []edit {
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
		target, alive := im.liveTarget(p, unescapeMarkdown(link), image)
		if alive {
			edits = append(edits, edit{from, to, target})
			continue
		}
		if image {
			open--
			edits = append(edits, edit{open, open + 2, ""})
		} else {
			edits = append(edits, edit{open, open + 1, ""})
		}
		shown := ""
		if link != "" {
			shown = " (" + strings.ReplaceAll(convert.CodeSpan(link), "|", "%7C") + ")"
		}
		edits = append(edits, edit{at, end, shown})
	}
}

var backslashed = lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{-~])`)

func unescapeMarkdown(s string) string { return backslashed.ReplaceAllString(s, "$1") }

// destinationAt reads the address and the optional title of an inline link. i is the position after "](". It returns
// the range of the address and the end of the link. end is -1 if the text isn't a link.
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

// openBracket returns the position of the "[" that matches the "]" at text[at], or -1 if there is none within 5,000
// bytes in the same paragraph.
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
