package kinds

import (
	"cmp"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

var (
	pyAdmonition = lazyregexp.New(`^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([\w-]+)?(?:[ \t]+[\w-]+)*[ \t]*(?:"(.*)")?[ \t]*$`)
	pyTab        = lazyregexp.New(`^([ \t]*)===([!+]{0,2})[ \t]+(?:"([^"]*)"|'([^']*)')[ \t]*$`)
	pyBlock      = lazyregexp.New(`^([ \t]*)(/{3,})[ \t]*([\w-]+)[ \t]*(?:\|[ \t]*(.*?))?[ \t]*$`)
	pyBlockEnd   = lazyregexp.New(`^([ \t]*)(/{3,})[ \t]*$`)
	pyReference  = lazyregexp.New(`^([ \t]*):::[ \t]+([A-Za-z_][\w.]*)[ \t]*$`)
	abbreviation = lazyregexp.New(`(?m)^\*\[([^\]\n]+)\]:[ \t]*(.*)$`)
)

// mkdocsLines converts the additions of Python-Markdown and PyMdown: admonitions, tabs, blocks, definition lists, and
// inline syntax. It first appends the files that the settings add to every page.
func mkdocsLines(c *convert.Converter, text string) string {
	site, _ := c.Site.Data.(*MkdocsSite)
	if site == nil {
		site = &MkdocsSite{Extensions: map[string]bool{"def_list": true}}
	}
	for _, name := range site.appended {
		if s, _, ok := c.File(convert.Within(name, site.snippets...), ""); ok {
			text = strings.TrimRight(text, "\n") + "\n\n" + s + "\n"
		}
	}
	text = pyText(c, strings.Split(tocLine.ReplaceAllString(text, ""), "\n"), 0)
	if site.Extensions["def_list"] {
		text = convert.DefinitionLists(text)
	}
	return pyInline(text, site.Extensions)
}

// pyText joins lines and converts their blocks. The content of a block is indented by four spaces or enclosed in lines
// of slashes.
func pyText(c *convert.Converter, lines []string, depth int) string {
	var out []string
	f := convert.NewFences(true)
	endless := map[string]bool{}
	for i := 0; i < len(lines); {
		line := lines[i]
		if f.Line(line) || depth > 30 {
			out = append(out, line)
			i++
			continue
		}
		s, next := "", i+1
		if m := pyReference.FindStringSubmatch(line); m != nil {
			var body []string
			body, next = pyBody(lines, next, len(m[1])+1)
			raw := strings.Join(append([]string{strings.TrimSpace(line)}, body...), "\n")
			s = c.LostBlock(raw, "the reference of "+m[2], "a plugin generates it from the program's source", "link to the published reference", "").Text
		} else if m := pyAdmonition.FindStringSubmatch(line); m != nil {
			var body []string
			body, next = pyBody(lines, next, len(m[1])+4)
			s = pyAlert(m, pyText(c, body, depth+1))
		} else if pyTab.MatchString(line) {
			s, next = pyTabs(c, lines, i, func(i int) (string, int) {
				m := pyTab.FindStringSubmatch(lines[i])
				if m == nil || m[1] != convert.IndentOf(line) || i > next && m[2] == "!" {
					return "", i
				}
				body, next := pyBody(lines, i+1, len(m[1])+4)
				return convert.Container("tab", m[3]+m[4], "", pyText(c, body, depth+1)).Text, next
			})
		} else if m := pyBlock.FindStringSubmatch(line); m != nil && !endless[m[2]] {
			block := func(i int) (string, int) {
				again := pyBlock.FindStringSubmatch(lines[i])
				end := -1
				if again != nil && again[1] == m[1] && again[3] == m[3] {
					end = pyBlockClose(lines, i+1, again[2])
				}
				if end < 0 {
					return "", i
				}
				return pyBlockText(c, again, lines[i+1:end], depth), end + 1
			}
			if m[3] == "tab" {
				s, next = pyTabs(c, lines, i, block)
			} else {
				s, next = block(i)
			}
			endless[m[2]] = next == i
		}
		if s == "" {
			out = append(out, line)
		} else {
			// The block keeps the indentation of its first line, and empty lines surround it.
			indent := convert.IndentOf(line)
			out = append(append(append(out, ""), strings.Split(indent+convert.Hanging(s, indent), "\n")...), "")
		}
		i = max(next, i+1)
	}
	return strings.Join(out, "\n")
}

// pyTabs returns the consecutive tabs that start at line i as a component, and the index of the line after the last
// tab. one returns the tab that starts at line i and the index of the line after the tab, or i if the line doesn't
// start a tab.
func pyTabs(c *convert.Converter, lines []string, i int, one func(i int) (string, int)) (string, int) {
	var b strings.Builder
	next := i
	for i < len(lines) {
		s, behind := one(i)
		if behind == i {
			break
		}
		b.WriteString(s + "\n")
		next = behind
		for i = behind; i < len(lines) && strings.TrimSpace(lines[i]) == ""; i++ {
		}
	}
	if b.Len() == 0 {
		return "", next
	}
	return convert.Container("tabs", "", "", b.String()).Text, next
}

// pyBody returns the consecutive lines, starting at index from, that are indented by at least indent columns, including
// empty lines between them. next is the index of the line after the returned lines.
func pyBody(lines []string, from, indent int) (body []string, next int) {
	next = from
	for i := from; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		if convert.Columns(convert.IndentOf(lines[i])) < indent {
			break
		}
		next = i + 1
	}
	for _, line := range lines[from:next] {
		body = append(body, convert.CutColumns(line, indent))
	}
	return body, next
}

func pyAlert(m []string, body string) string {
	kind, title := source.Fallback(m[3], "note"), m[4]
	switch {
	case m[2] != "!!!":
		return convert.Container("details", source.Fallback(title, source.TitleCase(kind)), "", body).Text
	case strings.HasSuffix(strings.TrimSpace(m[0]), `""`):
		// An empty title ("") means that the alert has no title.
		kind = source.Fallback(convert.Alerts[kind], "note")
	}
	return convert.Alert(kind, title, body).Text
}

// pyBlockClose returns the index of the first line, at or after from, that closes a block opened with the given
// slashes. It returns -1 if there is none.
func pyBlockClose(lines []string, from int, slashes string) int {
	f := convert.NewFences(true)
	for i := from; i < len(lines); i++ {
		if m := pyBlockEnd.FindStringSubmatch(lines[i]); !f.Line(lines[i]) && m != nil && m[2] == slashes {
			return i
		}
	}
	return -1
}

func pyBlockText(c *convert.Converter, m, lines []string, depth int) string {
	kind, title := m[3], m[4]
	// Options are indented and follow the first line.
	for len(lines) > 0 && (strings.HasPrefix(lines[0], m[1]+"    ") && strings.Contains(lines[0], ":") || strings.TrimSpace(lines[0]) == "") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), "type:"); ok && kind != "details" {
			kind = strings.TrimSpace(value)
		}
		lines = lines[1:]
	}
	var cut []string
	for _, line := range lines {
		cut = append(cut, convert.CutColumns(line, len(m[1])))
	}
	body := pyText(c, cut, depth+1)
	switch {
	case kind == "tab" || kind == "details":
		return convert.Container(kind, source.Fallback(title, source.TitleCase(kind)), "", body).Text
	case kind == "html" || kind == "define" || strings.HasSuffix(kind, "caption"):
		return convert.Dedent(body)
	}
	return convert.Alert(kind, title, body).Text
}

// pySigns lists the inline syntax of PyMdown Extensions, with the replacement for each syntax and the extension that
// enables it.
var pySigns = []struct {
	on, with string
	sign     *lazyregexp.Regexp
}{
	{"critic", "<ins>$1</ins>", lazyregexp.New(`\{\+\+(.*?)\+\+\}`)},
	{"critic", "<del>$1</del>", lazyregexp.New(`\{--(.*?)--\}`)},
	{"critic", "<mark>$1</mark>", lazyregexp.New(`\{==(.*?)==\}`)},
	{"critic", "($1)", lazyregexp.New(`\{>>\s*(.*?)\s*<<\}`)},
	{"mark", "<mark>$1</mark>", lazyregexp.New(`==([^\s=](?:[^=\n]*[^\s=])?)==`)},
	{"caret", "<ins>$1</ins>", lazyregexp.New(`\^\^([^\s^](?:[^^\n]*[^\s^])?)\^\^`)},
	{"caret", "<sup>$1</sup>", lazyregexp.New(`\^([^\s^]+)\^`)},
	{"tilde", "$1<sub>$2</sub>$3", lazyregexp.New(`([^~]|^)~([^\s~]+)~([^~]|$)`)},
}

var (
	pyKeys  = lazyregexp.New(`\+\+([\w"' -]+(?:\+[\w"' -]+)*)\+\+`)
	pyAttrs = lazyregexp.New(`\{:?[ \t]*(?:[.#][^{}\n]*|[\w-]+="[^{}\n]*|[\w-]+=[\w%./-]+[^{}\n]*|data-[\w-]+|markdown(?:="[^"]*")?)\}`)
)

// pyInline returns text with the inline syntax of the enabled extensions converted. on contains the names of these
// extensions. pyInline also marks up abbreviations and removes attribute lists.
func pyInline(text string, on map[string]bool) string {
	long := map[string]string{}
	text = convert.OutsideBlocks(text, true, func(s string) string {
		return convert.ReplaceAll(abbreviation, s, func(m []string) string {
			long[m[1]] = strings.TrimSpace(m[2])
			return ""
		})
	})
	text = convert.OutsideCode(text, true, func(s string) string {
		if on["keys"] {
			s = convert.ReplaceAll(pyKeys, s, func(m []string) string {
				keys := strings.Split(m[1], "+")
				for i, k := range keys {
					keys[i] = "<kbd>" + html.EscapeString(source.TitleCase(strings.Trim(k, `"'`))) + "</kbd>"
				}
				return strings.Join(keys, "+")
			})
		}
		for _, one := range pySigns {
			if on[one.on] {
				s = one.sign.ReplaceAllString(s, one.with)
			}
		}
		return s
	})
	// Code spans and links can have attribute lists too.
	text = convert.OutsideBlocks(text, true, func(s string) string {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			if !convert.ATX.MatchString(line) && strings.Contains(line, "{") {
				lines[i] = pyAttrs.ReplaceAllString(line, "")
			}
		}
		return strings.Join(lines, "\n")
	})
	return abbreviate(text, long)
}

// abbreviate returns text with the first occurrence of each abbreviation wrapped in <abbr>. long maps abbreviations to
// their long forms. Longer abbreviations take precedence, and only the 500 longest abbreviations are supported.
func abbreviate(text string, long map[string]string) string {
	if len(long) == 0 {
		return text
	}
	words := source.SortedKeys(long)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	words = words[:min(len(words), 500)]
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	re := lazyregexp.New(`(^|[\s("'])(` + strings.Join(words, "|") + `)($|[\s,.;:!?)"'])`)
	return convert.OutsideCode(text, true, func(s string) string {
		var out strings.Builder
		for line := range strings.Lines(s) {
			plain := !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.ContainsAny(line, "<[]") && !strings.Contains(line, convert.Sign)
			for m := re.FindStringSubmatchIndex(line); plain && m != nil; m = re.FindStringSubmatchIndex(line) {
				word := line[m[4]:m[5]]
				out.WriteString(line[:m[4]])
				if title, first := long[word]; first {
					delete(long, word)
					word = `<abbr title="` + html.EscapeString(title) + `">` + word + "</abbr>"
				}
				out.WriteString(word)
				line = line[m[5]:]
			}
			out.WriteString(line)
		}
		return out.String()
	})
}

// pageStem returns the path of a file without its extension.
func pageStem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
