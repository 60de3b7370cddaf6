package migrate

import (
	"html"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	moduleLine    = regexp.MustCompile(`^(?:import\s*(?:['"{*]|(?:type\s+)?[\w$]+\s*(?:,|from\b)|type\s*\{)|export\s+(?:const|let|var|function|default|class|async|\*|\{|type|interface)\b?)`)
	importDefault = regexp.MustCompile(`^import\s+(?:\*\s+as\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\})?\s*from\s*['"]([^'"]+)['"]`)
	exportConst   = regexp.MustCompile(`(?s)^export\s+(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(.*?);?\s*$`)
	name          = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	called        = regexp.MustCompile(`^(?:require|useBaseUrl|withBase|url|String|asset)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?$`)
	quotedPath    = regexp.MustCompile(`['"]([^'"\s]+\.(?:png|jpe?g|svg|gif|webp|avif))['"]`)
	frontName     = regexp.MustCompile(`^(?:props\.)?(?:frontMatter|frontmatter|\$frontmatter|meta)\.([\w.]+)$`)
)

// modules takes the imports and exports of MDX off a text, and remembers what they say.
func (c *conv) modules(text string) string {
	var b, statement strings.Builder
	f := newFences(true)
	in, blank := false, true
	finish := func() {
		c.module(strings.TrimSpace(statement.String()))
		statement.Reset()
		in = false
	}
	for line := range strings.Lines(text) {
		plain := strings.TrimSuffix(line, "\n")
		empty, begins := strings.TrimSpace(plain) == "", moduleLine.MatchString(plain)
		if in && (empty || begins) && complete(statement.String()) {
			finish()
		}
		// A line in a paragraph is none, whatever word it begins with.
		if !in && (f.line(plain) || !blank || !begins) {
			blank = empty
			b.WriteString(line)
			continue
		}
		in = true
		statement.WriteString(line)
		if ended(statement.String()) {
			finish()
		}
	}
	if in {
		finish()
	}
	return b.String()
}

// complete reports whether the brackets of a statement are in pairs.
func complete(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		case '"', '\'', '`':
			if end := stringEnd(s, i); end > 0 {
				i = end - 1
			} else if s[i] == '`' {
				return false
			}
		}
	}
	return depth <= 0
}

// ended reports whether a statement is surely at its end.
func ended(s string) bool {
	s = strings.TrimSpace(s)
	if !complete(s) {
		return false
	}
	return strings.HasSuffix(s, ";") || strings.HasPrefix(s, "import") && (strings.HasSuffix(s, "'") || strings.HasSuffix(s, `"`))
}

// module remembers what a statement says.
func (c *conv) module(s string) {
	if m := importDefault.FindStringSubmatch(s); m != nil {
		from := m[2][strings.LastIndexByte(m[2], '!')+1:]
		if rest, ok := strings.CutSuffix(from, "?raw"); ok || from != m[2] {
			c.constants[m[1]], _, _ = c.file(c.candidates(rest), "")
			return
		}
		c.imports[m[1]] = from
		return
	}
	if m := exportConst.FindStringSubmatch(s); m != nil {
		if value, ok := c.constant(m[2]); ok {
			c.constants[m[1]] = value
			return
		}
	}
	if strings.HasPrefix(s, "export") {
		c.note(s, "a script of the page (export)", "pages have no scripts", "write what it showed as Markdown")
	}
}

// constant returns the text of an expression that always has the same.
func (c *conv) constant(code string) (string, bool) {
	code = strings.TrimSpace(code)
	for strings.HasPrefix(code, "(") && strings.HasSuffix(code, ")") && balanced(code, 0) == len(code) {
		code = strings.TrimSpace(code[1 : len(code)-1])
	}
	if code == "" {
		return "", true
	}
	switch code[0] {
	case '"', '\'', '`':
		if stringEnd(code, 0) != len(code) {
			return "", false
		}
		return c.stringValue(code)
	}
	if _, err := strconv.ParseFloat(code, 64); err == nil {
		return code, true
	}
	if m := called.FindStringSubmatch(code); m != nil {
		return m[1], true
	}
	if m := frontName.FindStringSubmatch(code); m != nil {
		if s := textAt(c.page.front, strings.ReplaceAll(m[1], ".", "/")); s != "" {
			return s, true
		}
	}
	if rest, ok := cutSuffixes(code, ".src", ".default", ".trim()"); ok {
		code = rest
	}
	if name.MatchString(code) {
		if s, ok := c.constants[code]; ok {
			return s, true
		}
		if s, ok := c.imports[code]; ok && path.Ext(s) != "" && !isPage(s) {
			return s, true
		}
	}
	return "", false
}

// stringValue reads a string of JavaScript.
func (c *conv) stringValue(code string) (string, bool) {
	var b strings.Builder
	body := code[1 : len(code)-1]
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && i+1 < len(body):
			i++
			char, _, rest, err := strconv.UnquoteChar(body[i-1:], code[0])
			switch {
			case body[i] == '\n':
			case err == nil:
				b.WriteRune(char)
				i = len(body) - len(rest) - 1
			default:
				b.WriteByte(body[i])
			}
		case code[0] == '`' && strings.HasPrefix(body[i:], "${"):
			end := balanced(body, i+1)
			// Without a page no name has a value.
			if end < 0 || c.page == nil {
				return "", false
			}
			s, ok := c.constant(body[i+2 : end-1])
			if !ok {
				return "", false
			}
			b.WriteString(s)
			i = end - 1
		default:
			b.WriteByte(body[i])
		}
	}
	return b.String(), true
}

// expression writes "{…}" in a text of MDX.
func (c *conv) expression(n *node) piece {
	code := strings.TrimSpace(n.tag.inner)
	if isComment(code) || code == "" {
		return piece{}
	}
	if s, ok := c.constant(code); ok {
		return piece{text: html.EscapeString(s)}
	}
	if code == "children" || code == "props.children" {
		return piece{}
	}
	return c.lost(n.tag, "an expression", "pages have no scripts, and its value is not constant", "write what it showed", "")
}

// included is a component that is another file of Markdown; ok is false for others.
func (c *conv) included(n *node) (p piece, ok bool) {
	from, known := c.imports[n.tag.name]
	if !known || !isPage(from) && path.Ext(from) != "" {
		return piece{}, false
	}
	text, full, ok := c.file(slices.DeleteFunc(c.candidates(from), func(name string) bool { return !isPage(name) }), "")
	if !ok {
		return piece{}, false
	}
	inner := &conv{site: c.site, syntax: c.syntax, page: &document{source: full, text: text}, constants: map[string]string{}, imports: map[string]string{}, seen: map[string]int{}, depth: c.depth + 1, size: c.size}
	for _, a := range n.tag.attrs {
		if !a.code {
			inner.constants["props."+a.name], inner.constants[a.name] = a.value, a.value
		}
	}
	inner.page.front, text, _ = splitFront(text)
	text = inner.markdown(inner.steps(text))
	c.size = inner.size
	return piece{text, strings.Contains(strings.TrimSpace(text), "\n") || c.alone(n.tag)}, true
}
