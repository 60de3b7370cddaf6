package apidoc

import (
	"strings"

	"vitrine/internal/lazyregexp"
)

// oneLine replaces each run of white space with one space, and trims both ends.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain returns s on one line with all Markdown syntax escaped.
func plain(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "<", "\\<", "$", "\\$", "{{", "\\{{", "|", "\\|", "#", "\\#", ":", "\\:", "&", "\\&").Replace(oneLine(s))
}

// code returns s as a code span on one line.
func code(s string) string {
	s = oneLine(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

var (
	htmlTag     = lazyregexp.New(`(?s)<!--.*?-->|</?[A-Za-z][^<>]*>`)
	headingSign = lazyregexp.New(`(?m)^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$`)
	underline   = lazyregexp.New(`(?m)^ {0,3}(=+|-+)[ \t]*$`)
	nearLink    = lazyregexp.New(`!?\[([^\[\]]*)\]\(\s*(?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\s*\)`)
	farLink     = lazyregexp.New(`\]\(\s*<?(?:https?://|mailto:)`)
	openLink    = lazyregexp.New(`\[([^\[\]]*)\]\(\s*[/#.][^()]*$`)
	refLink     = lazyregexp.New(`\[([^\[\]]*)\]\[[^\[\]]*\]`)
	directive   = lazyregexp.New(`(?m)^( *)(:{2,})`)
	inlineColon = lazyregexp.New(`:([A-Za-z][\w-]*)([\[{])`)
)

// prose converts Markdown from an OpenAPI description to Markdown for a page. It removes HTML and links that don't work
// on the site, makes headings bold, and escapes Vitrine's Markdown extensions. Code is unchanged, except that only the
// language remains after an opening fence.
func prose(s string) string {
	var out []string
	var text []string
	flush := func() {
		if len(text) > 0 {
			out = append(out, safe(strings.Join(text, "\n")))
			text = nil
		}
	}
	fence := ""
	for _, line := range strings.Split(strings.ReplaceAll(strings.TrimSpace(s), "\r", ""), "\n") {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if out = append(out, line); strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			flush()
			// Keep only the language, because the other words are for other tools.
			info := strings.TrimLeft(trimmed, trimmed[:1])
			language, _, _ := strings.Cut(info, " ")
			fence = trimmed[:len(trimmed)-len(info)]
			out = append(out, line[:len(line)-len(trimmed)]+fence+strings.TrimSpace(language))
		default:
			text = append(text, line)
		}
	}
	flush()
	if fence != "" {
		out = append(out, fence)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// safe converts Markdown without code blocks in the same way as prose.
func safe(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		p := htmlTag.ReplaceAllString(parts[i], "")
		p = strings.ReplaceAll(p, "<", "\\<")
		p = strings.ReplaceAll(p, "{{", "\\{{")
		p = strings.ReplaceAll(p, "$", "\\$")
		p = inlineColon.ReplaceAllString(p, "\\:$1$2")
		parts[i] = p
	}
	s = strings.Join(parts, "`")
	s = headingSign.ReplaceAllString(s, "**$1**")
	s = underline.ReplaceAllString(s, "")
	s = directive.ReplaceAllString(s, "$1\\$2")
	s = refLink.ReplaceAllString(s, "$1")
	s = nearLink.ReplaceAllStringFunc(s, func(link string) string {
		if farLink.MatchString(link) && !strings.HasPrefix(link, "!") {
			return link
		}
		return nearLink.FindStringSubmatch(link)[1]
	})
	// Remove an unclosed link, because it would end at a later parenthesis.
	return openLink.ReplaceAllString(s, "$1")
}

// indented returns s with by inserted at the start of each line except the first.
func indented(s, by string) string { return strings.ReplaceAll(s, "\n", "\n"+by) }

// firstSentence returns the first sentence of a description on one line, without markup. It truncates a sentence of
// more than 150 bytes and adds an ellipsis.
func firstSentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n\n")
	s = oneLine(strings.NewReplacer("`", "", "**", "", "#", "").Replace(nearLink.ReplaceAllString(htmlTag.ReplaceAllString(s, ""), "$1")))
	if at := strings.Index(s, ". "); at > 0 {
		s = s[:at+1]
	}
	if len(s) > 150 {
		cut := strings.LastIndexByte(s[:150], ' ')
		s = s[:max(cut, 1)] + "…"
	}
	return s
}
