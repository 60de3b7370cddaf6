package convert

import (
	"html"
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

var (
	moduleLine    = lazyregexp.New(`^(?:import\s*(?:['"{*]|(?:type\s+)?[\w$]+\s*(?:,|from\b)|type\s*\{)|export\s+(?:const|let|var|function|default|class|async|\*|\{|type|interface)\b?)`)
	importDefault = lazyregexp.New(`^import\s+(?:\*\s+as\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\})?\s*from\s*['"]([^'"]+)['"]`)
	exportConst   = lazyregexp.New(`(?s)^export\s+(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(.*?);?\s*$`)
	name          = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)
	called        = lazyregexp.New(`^(?:require|useBaseUrl|withBase|url|String|asset)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?$`)
	quotedPath    = lazyregexp.New(`['"]([^'"\s]+\.(?:png|jpe?g|svg|gif|webp|avif))['"]`)
	frontName     = lazyregexp.New(`^(?:props\.)?(?:frontMatter|frontmatter|\$frontmatter|meta)\.([\w.]+)$`)
)

// modules returns text without the MDX imports and exports, and records their constants and imported files.
func (c *Converter) modules(text string) string {
	var b, statement strings.Builder
	f := NewFences(true)
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
		// A line inside a paragraph isn't a statement, even if it starts with import or export.
		if !in && (f.Line(plain) || !blank || !begins) {
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

// complete reports whether the brackets of a statement are balanced.
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

// ended reports whether a statement is certainly complete: it ends with a semicolon, or it is an import that ends with
// a string.
func ended(s string) bool {
	s = strings.TrimSpace(s)
	if !complete(s) {
		return false
	}
	return strings.HasSuffix(s, ";") || strings.HasPrefix(s, "import") && (strings.HasSuffix(s, "'") || strings.HasSuffix(s, `"`))
}

// module records the values of an import or export statement. It adds a note about an export that isn't a constant.
func (c *Converter) module(s string) {
	if m := importDefault.FindStringSubmatch(s); m != nil {
		from := m[2][strings.LastIndexByte(m[2], '!')+1:]
		if rest, ok := strings.CutSuffix(from, "?raw"); ok || from != m[2] {
			c.constants[m[1]], _, _ = c.File(c.Candidates(rest), "")
			return
		}
		c.imports[m[1]] = from
		return
	}
	if m := exportConst.FindStringSubmatch(s); m != nil {
		if value, ok := c.Constant(m[2]); ok {
			c.constants[m[1]] = value
			return
		}
	}
	if strings.HasPrefix(s, "export") {
		c.Note(s, "a page script (export)", "pages cannot run scripts", "write its output as Markdown")
	}
}

// Constant returns the value of an expression as text, and reports whether the expression is constant. An empty
// expression is constant.
func (c *Converter) Constant(code string) (string, bool) {
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
		if s := source.TextAt(c.Page.Front, strings.ReplaceAll(m[1], ".", "/")); s != "" {
			return s, true
		}
	}
	if rest, ok := source.CutSuffixes(code, ".src", ".default", ".trim()"); ok {
		code = rest
	}
	if name.MatchString(code) {
		if s, ok := c.constants[code]; ok {
			return s, true
		}
		if s, ok := c.imports[code]; ok && path.Ext(s) != "" && !source.IsPage(s) {
			return s, true
		}
	}
	return "", false
}

// stringValue returns the value of a JavaScript string. It returns false if a template in the string isn't constant.
func (c *Converter) stringValue(code string) (string, bool) {
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
			// In a configuration, which has no page, the names in a template have no values.
			if end < 0 || c.Page == nil {
				return "", false
			}
			s, ok := c.Constant(body[i+2 : end-1])
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

// expression returns the value of a constant MDX expression ("{…}"), and nothing for a comment or for the children of a
// component. For other expressions, it returns the result of lost.
func (c *Converter) expression(n *Node) Piece {
	code := strings.TrimSpace(n.Tag.inner)
	if isComment(code) || code == "" {
		return Piece{}
	}
	if s, ok := c.Constant(code); ok {
		return Piece{Text: html.EscapeString(s)}
	}
	if code == "children" || code == "props.children" {
		return Piece{}
	}
	return c.lost(n.Tag, "an expression", "pages cannot run scripts, and the value of the expression is not constant", "write its output", "")
}

// included returns the converted content of the Markdown file from which the page imports a component. ok is false for
// other components, and if the file can't be read.
func (c *Converter) included(n *Node) (p Piece, ok bool) {
	from, known := c.imports[n.Tag.Name]
	if !known || !source.IsPage(from) && path.Ext(from) != "" {
		return Piece{}, false
	}
	text, full, ok := c.File(slices.DeleteFunc(c.Candidates(from), func(name string) bool { return !source.IsPage(name) }), "")
	if !ok {
		return Piece{}, false
	}
	inner := &Converter{Site: c.Site, syntax: c.syntax, Page: &Document{Source: full, Text: text}, constants: map[string]string{}, imports: map[string]string{}, seen: map[string]int{}, Depth: c.Depth + 1, size: c.size}
	for _, a := range n.Tag.Attrs {
		if !a.code {
			inner.constants["props."+a.Name], inner.constants[a.Name] = a.Value, a.Value
		}
	}
	inner.Page.Front, text, _ = source.SplitFront(text)
	text = inner.Markdown(inner.steps(text))
	c.size = inner.size
	return Piece{text, strings.Contains(strings.TrimSpace(text), "\n") || c.alone(n.Tag)}, true
}
