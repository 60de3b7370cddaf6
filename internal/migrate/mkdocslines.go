package migrate

import (
	"html"
	"regexp"
	"slices"
	"sort"
	"strings"
)

var (
	pyAdmonition = regexp.MustCompile(`^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*(?:"(.*)")?[ \t]*$`)
	pyTab        = regexp.MustCompile(`^([ \t]*)===[!+]{0,2}[ \t]+(?:"([^"]*)"|'([^']*)')[ \t]*$`)
	pyBlock      = regexp.MustCompile(`^([ \t]*)(/{3,})[ \t]*([\w-]+)[ \t]*(?:\|[ \t]*(.*?))?[ \t]*$`)
	pyBlockEnd   = regexp.MustCompile(`^([ \t]*)(/{3,})[ \t]*$`)
	pyReference  = regexp.MustCompile(`^([ \t]*):::[ \t]+([A-Za-z_][\w.]*)[ \t]*$`)
	abbreviation = regexp.MustCompile(`(?m)^\*\[([^\]\n]+)\]:[ \t]*(.*)$`)
)

// mkdocsLines turns admonitions, tabs and blocks of Python-Markdown and PyMdown.
func mkdocsLines(c *conv, text string) string {
	if site, _ := c.im.data.(*mkdocsSite); site != nil {
		for _, name := range site.appended {
			for _, dir := range site.snippets {
				if full, ok := inside(dir, name); ok {
					if s, err := c.im.src.text(full); err == nil {
						text = strings.TrimRight(text, "\n") + "\n\n" + s
						break
					}
				}
			}
		}
	}
	text = tocLine.ReplaceAllString(text, "")
	lines := c.pyLines(strings.Split(text, "\n"), 0)
	text = strings.Join(lines, "\n")
	if site, _ := c.im.data.(*mkdocsSite); site == nil || site.extensions["def_list"] {
		text = definitionLists(text)
	}
	return c.pyInline(text)
}

// pyLines turns the blocks of some lines; what belongs to a block is indented by four.
func (c *conv) pyLines(lines []string, depth int) []string {
	var out []string
	f := newFences(true)
	endless := map[string]bool{}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if f.line(line) || depth > 30 {
			out = append(out, line)
			continue
		}
		switch {
		case pyReference.MatchString(line):
			m := pyReference.FindStringSubmatch(line)
			body, next := pyBody(lines, i+1, len(m[1])+1)
			raw := strings.Join(append([]string{strings.TrimSpace(line)}, body...), "\n")
			out = append(out, pyHang(m[1], c.lostBlock(raw, "the reference of "+m[2], "a plugin makes it from the program's source", "link to where the reference is published", "").text)...)
			i = next - 1
		case pyAdmonition.MatchString(line):
			m := pyAdmonition.FindStringSubmatch(line)
			body, next := pyBody(lines, i+1, len(m[1])+4)
			out = append(out, pyHang(m[1], pyAlert(m, strings.Join(c.pyLines(body, depth+1), "\n")))...)
			i = next - 1
		case pyTab.MatchString(line):
			var b strings.Builder
			indent := indentOf(line)
			for i < len(lines) {
				m := pyTab.FindStringSubmatch(lines[i])
				if m == nil || m[1] != indent || b.Len() > 0 && strings.Contains(lines[i], "===!") {
					break
				}
				body, next := pyBody(lines, i+1, len(indent)+4)
				b.WriteString(container("tab", m[2]+m[3], "", strings.Join(c.pyLines(body, depth+1), "\n")).text + "\n")
				i = next
				for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
					next++
				}
				if next < len(lines) && pyTab.MatchString(lines[next]) && indentOf(lines[next]) == indent {
					i = next
				}
			}
			i--
			out = append(out, pyHang(indent, container("tabs", "", "", b.String()).text)...)
		case pyBlock.MatchString(line):
			m := pyBlock.FindStringSubmatch(line)
			end := -1
			if !endless[m[2]] {
				end = pyBlockClose(lines, i+1, m[2])
			}
			if end < 0 {
				endless[m[2]] = true
				out = append(out, line)
				continue
			}
			if m[3] == "tab" {
				var b strings.Builder
				for {
					b.WriteString(c.pyBlockText(m, lines[i+1:end], depth) + "\n")
					next := end + 1
					for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
						next++
					}
					i = end
					if next >= len(lines) {
						break
					}
					again := pyBlock.FindStringSubmatch(lines[next])
					if again == nil || again[3] != "tab" || again[1] != m[1] {
						break
					}
					stop := pyBlockClose(lines, next+1, again[2])
					if stop < 0 {
						break
					}
					m, i, end = again, next, stop
				}
				out = append(out, pyHang(m[1], container("tabs", "", "", b.String()).text)...)
				continue
			}
			out = append(out, pyHang(m[1], c.pyBlockText(m, lines[i+1:end], depth))...)
			i = end
		default:
			out = append(out, line)
		}
	}
	return out
}

// pyHang indents a block as its first line was, and sets it apart.
func pyHang(indent, s string) []string {
	return append(append([]string{""}, strings.Split(indent+hanging(s, indent), "\n")...), "")
}

// pyBody are the lines that are indented by so many columns, and the empty ones between.
func pyBody(lines []string, from, indent int) (body []string, next int) {
	next = from
	for i := from; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		if columns(indentOf(lines[i])) < indent {
			break
		}
		next = i + 1
	}
	for _, line := range lines[from:next] {
		body = append(body, cutColumns(line, indent))
	}
	return body, next
}

func pyAlert(m []string, body string) string {
	words := strings.Fields(m[3])
	kind := "note"
	if len(words) > 0 {
		kind = words[0]
	}
	title, quiet := m[4], strings.HasSuffix(strings.TrimSpace(m[0]), `""`)
	if m[2] != "!!!" {
		return container("details", fallback(title, titleCase(kind)), "", body).text
	}
	p := alert(kind, title, body)
	if quiet {
		p = alert(fallback(alerts[kind], "note"), "", body)
	}
	return p.text
}

// pyBlockClose finds the end of a block of so many slashes.
func pyBlockClose(lines []string, from int, slashes string) int {
	f := newFences(true)
	for i := from; i < len(lines); i++ {
		if f.line(lines[i]) {
			continue
		}
		if m := pyBlockEnd.FindStringSubmatch(lines[i]); m != nil && m[2] == slashes {
			return i
		}
	}
	return -1
}

func (c *conv) pyBlockText(m, lines []string, depth int) string {
	kind, title := m[3], m[4]
	// Options stand indented below the first line.
	for len(lines) > 0 && (strings.HasPrefix(lines[0], m[1]+"    ") && strings.Contains(lines[0], ":") || strings.TrimSpace(lines[0]) == "") {
		if key, value, ok := strings.Cut(strings.TrimSpace(lines[0]), ":"); ok && key == "type" {
			kind = map[bool]string{true: kind, false: strings.TrimSpace(value)}[kind == "details"]
		} else if !ok && strings.TrimSpace(lines[0]) != "" {
			break
		}
		lines = lines[1:]
	}
	var cut []string
	for _, line := range lines {
		cut = append(cut, cutColumns(line, len(m[1])))
	}
	body := strings.Join(c.pyLines(cut, depth+1), "\n")
	switch {
	case kind == "tab":
		return container("tab", fallback(title, "Tab"), "", body).text
	case kind == "details":
		return container("details", fallback(title, "Details"), "", body).text
	case kind == "admonition", alerts[strings.ToLower(kind)] != "":
		return alert(kind, title, body).text
	case kind == "caption" || kind == "html" || kind == "define" || strings.HasSuffix(kind, "-caption"):
		return dedent(body)
	}
	return alert(kind, title, body).text
}

var (
	pyKeys   = regexp.MustCompile(`\+\+([\w"' -]+(?:\+[\w"' -]+)*)\+\+`)
	pyMark   = regexp.MustCompile(`==([^\s=](?:[^=\n]*[^\s=])?)==`)
	pyInsert = regexp.MustCompile(`\^\^([^\s^](?:[^^\n]*[^\s^])?)\^\^`)
	pySup    = regexp.MustCompile(`\^([^\s^]+)\^`)
	pySub    = regexp.MustCompile(`([^~]|^)~([^\s~]+)~([^~]|$)`)
	critic   = regexp.MustCompile(`\{(\+\+|--|==|>>)(.*?)(?:\+\+|--|==|<<)\}`)
	pyAttrs  = regexp.MustCompile(`\{:?[ \t]*(?:[.#][^{}\n]*|[\w-]+="[^{}\n]*|[\w-]+=[\w%./-]+[^{}\n]*|data-[\w-]+|markdown(?:="[^"]*")?)\}`)
)

// pyInline turns what PyMdown Extensions have in a line, as far as it is on.
func (c *conv) pyInline(text string) string {
	on := map[string]bool{}
	if site, _ := c.im.data.(*mkdocsSite); site != nil {
		on = site.extensions
	}
	long := map[string]string{}
	if on["abbr"] || strings.Contains(text, "\n*[") {
		for _, m := range abbreviation.FindAllStringSubmatch(text, -1) {
			long[m[1]] = strings.TrimSpace(m[2])
		}
		text = abbreviation.ReplaceAllString(text, "")
	}
	text = outsideCode(text, true, func(s string) string {
		if on["critic"] {
			s = critic.ReplaceAllStringFunc(s, func(m string) string {
				part := critic.FindStringSubmatch(m)
				switch part[1] {
				case "++":
					return "<ins>" + part[2] + "</ins>"
				case "--":
					return "<del>" + part[2] + "</del>"
				case "==":
					return "<mark>" + part[2] + "</mark>"
				}
				return "(" + strings.TrimSpace(part[2]) + ")"
			})
		}
		if on["keys"] {
			s = pyKeys.ReplaceAllStringFunc(s, func(m string) string {
				keys := strings.Split(m[2:len(m)-2], "+")
				for i, k := range keys {
					keys[i] = "<kbd>" + html.EscapeString(titleCase(strings.Trim(k, `"'`))) + "</kbd>"
				}
				return strings.Join(keys, "+")
			})
		}
		if on["mark"] {
			s = pyMark.ReplaceAllString(s, "<mark>$1</mark>")
		}
		if on["caret"] {
			s = pyInsert.ReplaceAllString(s, "<ins>$1</ins>")
			s = pySup.ReplaceAllString(s, "<sup>$1</sup>")
		}
		if on["tilde"] {
			s = pySub.ReplaceAllString(s, "$1<sub>$2</sub>$3")
		}
		return s
	})
	// Lists of attributes stand behind code spans and links too.
	text = outsideBlocks(text, func(s string) string {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			if !atx.MatchString(line) && strings.Contains(line, "{") {
				lines[i] = pyAttrs.ReplaceAllString(line, "")
			}
		}
		return strings.Join(lines, "\n")
	})
	return abbreviate(text, long)
}

// abbreviate explains each short word where it stands first.
func abbreviate(text string, long map[string]string) string {
	words := make([]string, 0, len(long))
	for word := range long {
		words = append(words, word)
	}
	sort.Slice(words, func(i, j int) bool {
		if len(words[i]) != len(words[j]) {
			return len(words[i]) > len(words[j])
		}
		return words[i] < words[j]
	})
	if len(words) > 500 {
		words = slices.Clip(words[:500])
	}
	for _, word := range words {
		re, err := regexp.Compile(`(^|[\s("'])` + regexp.QuoteMeta(word) + `($|[\s,.;:!?)"'])`)
		if err != nil {
			continue
		}
		done := false
		text = outsideCode(text, true, func(s string) string {
			if done {
				return s
			}
			lines := strings.SplitAfter(s, "\n")
			for i, line := range lines {
				if done || strings.HasPrefix(strings.TrimSpace(line), "#") || strings.ContainsAny(line, "<[]") || strings.Contains(line, sign) {
					continue
				}
				if m := re.FindStringSubmatchIndex(line); m != nil {
					lines[i] = line[:m[3]] + `<abbr title="` + html.EscapeString(long[word]) + `">` + word + "</abbr>" + line[m[4]:]
					done = true
				}
			}
			return strings.Join(lines, "")
		})
	}
	return text
}
