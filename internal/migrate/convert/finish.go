package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// fenceInfos returns text with the language in the info string of each fence separated from the options, and with the
// title option in Vitrine's syntax.
func fenceInfos(text string) string {
	return RewriteInfos(text, func(info string) string {
		language, rest, _ := strings.Cut(fileNameAttr.ReplaceAllString(info, `${1}title="`), " ")
		if i := strings.IndexAny(language, ",:{["); i > 0 {
			language, rest = language[:i], language[i:]+" "+rest
		}
		rest = bracketTitle.ReplaceAllString(rest, `${1}title="$2"`)
		return strings.TrimSpace(language + " " + rest)
	})
}

// RewriteInfos returns text with each nonempty info string of an opening fence replaced by the result of rewrite.
func RewriteInfos(text string, rewrite func(info string) string) string {
	var b strings.Builder
	f := NewFences(false)
	for line := range strings.Lines(text) {
		was := f.Length
		f.Line(strings.TrimSuffix(line, "\n"))
		if _, _, info := FenceOf(line); was == 0 && f.Length > 0 && info != "" {
			line = strings.Replace(line, info, rewrite(info), 1)
		}
		b.WriteString(line)
	}
	return b.String()
}

// bracketTitle matches the title of a fence in VitePress, in brackets.
var bracketTitle = lazyregexp.New(`(^|\s)\[([^\[\]"]+)\]`)

// fileNameAttr matches the attribute filename, which some tools use for a fence's title.
var fileNameAttr = lazyregexp.New(`((?:^|[\s{]))filename="`)

// fenceEnds returns text with closing fences moved to the column of their opening fence if they are indented at least
// four columns more. MDX allows any indentation of a closing fence, but Markdown allows at most three columns.
func fenceEnds(text string) string {
	var b strings.Builder
	f := NewFences(true)
	for line := range strings.Lines(text) {
		was, plain := f.Length, strings.TrimSuffix(line, "\n")
		f.Line(plain)
		if indent := IndentOf(plain); was > 0 && f.Length == 0 && Columns(indent) >= f.column+4 && indent+strings.TrimSpace(plain) == strings.TrimRight(plain, " \t") {
			line = strings.Repeat(" ", f.column) + line[len(indent):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// singleBlanks collapses consecutive empty lines outside code into one.
func singleBlanks(text string) string {
	var b strings.Builder
	f := NewFences(false)
	blank := false
	for line := range strings.Lines(text) {
		empty := !f.Line(strings.TrimSuffix(line, "\n")) && strings.TrimSpace(line) == ""
		if !empty || !blank {
			b.WriteString(line)
		}
		blank = empty
	}
	return b.String()
}

// braceDefinition matches a reference definition with braces in its address.
var braceDefinition = lazyregexp.New(`(?m)^[ \t]*\[[^\]\n]+\]:.*\{\{.*$`)

// headings returns text with the explicit anchors of headings converted and attribute lists removed. It keeps an
// explicit anchor only if the anchor differs from the heading's default anchor.
func (c *Converter) headings(text string) string {
	f := NewFences(c.syntax.Mdx)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if f.Line(line) {
			continue
		}
		m := ATX.FindStringSubmatch(line)
		if m == nil {
			if !c.syntax.Attrs || ComponentAt.MatchString(line) || directiveLine.MatchString(line) {
				continue
			}
			// Remove the attribute lists of kramdown and MkDocs.
			lines[i] = attrLine.ReplaceAllString(line, "")
			continue
		}
		rest := m[3]
		if id := GivenID.FindStringSubmatch(rest); id != nil {
			rest = strings.TrimSpace(rest[:len(rest)-len(id[0])])
			name := id[2] + id[3]
			if at := IDIn.FindStringSubmatch(id[1]); at != nil {
				name = at[1]
			}
			if name != "" && (name != source.Slug(Plain(rest)) || strings.ContainsAny(rest, "<!")) {
				rest = anchor(name) + rest
			}
		} else {
			rest = attrList.ReplaceAllString(rest, "")
			if text := badgeAt.ReplaceAllString(rest, ""); text != rest && m[2] != "#" {
				// Other generators don't include a badge in the anchor.
				rest = anchor(source.Slug(Plain(hiddenCode.ReplaceAllString(text, "")))) + rest
			}
		}
		lines[i] = m[1] + m[2] + " " + rest
	}
	return strings.Join(lines, "\n")
}

// badgeAt matches a badge written by this package.
var badgeAt = lazyregexp.New(`[ \t]*` + Sign + `:badge\[[^\[\]]*\](?:\{[^{}]*\})?`)

// attrLine matches an attribute list after inline content or a link, or on its own line.
var attrLine = lazyregexp.New(`\{:?\s*(?:[.#][\w:/-]+|[\w-]+="[^"]*"|[\w-]+='[^']*'|[\w-]+=[\w%./-]+|:?target=\w+)(?:\s+(?:[.#][\w:/-]+|[\w-]+="[^"]*"|[\w-]+='[^']*'|[\w-]+=[\w%./-]+))*\s*\}`)

var directiveLine = lazyregexp.New(`^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*)` + Sign + `(:{3,})(.*)$`)

// nest returns text without Sign, and with one more colon in each component than in the components inside it. It also
// removes end lines without a component, and closes components without an end line.
func nest(text string) string {
	type open struct{ line, height int }
	lines := strings.Split(text, "\n")
	var stack []open
	for i, line := range lines {
		m := directiveLine.FindStringSubmatch(line)
		switch last := len(stack) - 1; {
		case m == nil:
		case m[3] != "":
			stack = append(stack, open{line: i})
		case last < 0:
			lines[i] = ""
		default:
			height, from := stack[last].height, stack[last].line
			for _, at := range []int{from, i} {
				lines[at] = strings.Replace(lines[at], Sign, strings.Repeat(":", height), 1)
			}
			if stack = stack[:last]; last > 0 {
				stack[last-1].height = max(stack[last-1].height, height+1)
			}
		}
	}
	for range stack {
		lines = append(lines, "", ":::")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), Sign, "")
}

// Plain returns text without Markdown syntax. The result is similar to the text from which heading anchors are derived.
func Plain(s string) string {
	s = LinkText.ReplaceAllString(s, "$1")
	s = Bare(s)
	return strings.NewReplacer("`", "", "**", "", "__", "", "*", "", `\`, "").Replace(s)
}

// LinkText matches a Markdown link or image, and captures the text.
var LinkText = lazyregexp.New(`!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])`)

// LineOf returns the line number, counted from 1, of a byte offset in text.
func LineOf(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }
