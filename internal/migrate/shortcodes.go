package migrate

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"vitrine/internal/load/tree"
)

// hugoShortcodes replaces the shortcodes of a text. Hugo does so before it reads
// Markdown, in code too.
func hugoShortcodes(c *conv, text string) string {
	list := readCalls(text, "{{", readHugoCall)
	if len(list) == 0 {
		return text
	}
	mask := codeMask(text)
	return writeCalls(text, list, 0, len(text), 0, len(list), func(one call, paired bool, inner string) string {
		return c.shortcode(one.tag, paired, inner, mask[one.from])
	})
}

// readHugoCall reads "{{< name … >}}" and "{{% … %}}"; with "/*" inside it is a literal.
func readHugoCall(text string, i int) (*tag, int, string) {
	rest := text[i:]
	if len(rest) < 5 || rest[2] != '<' && rest[2] != '%' {
		return nil, 0, ""
	}
	end := "%}}"
	if rest[2] == '<' {
		end = ">}}"
	}
	j := i + 3
	for j < len(text) && (text[j] == ' ' || text[j] == '\t' || text[j] == '\n' || text[j] == '-') {
		j++
	}
	if strings.HasPrefix(text[j:], "/*") {
		n := strings.Index(text[j+2:], "*/") + 2
		if n < 2 {
			return nil, 0, ""
		}
		stop := strings.Index(text[j+n:], end)
		if stop < 0 {
			return nil, 0, ""
		}
		return nil, j + n + stop + 3, rest[:3] + text[j+2:j+n] + end
	}
	t := &tag{}
	if j < len(text) && text[j] == '/' {
		t.form = closing
		for j++; j < len(text) && (text[j] == ' ' || text[j] == '\t'); j++ {
		}
	}
	from := j
	for j < len(text) && (isNameByte(text[j]) || strings.IndexByte("-_./", text[j]) >= 0) {
		j++
	}
	if j == from {
		return nil, 0, ""
	}
	t.name = "{" + strings.TrimSuffix(strings.TrimSuffix(text[from:j], ".html"), "/")
	attrs, at, found := arguments(text, j, "/"+end, " /"+end, "-"+end, end)
	if at < 0 {
		return nil, 0, ""
	}
	t.attrs = attrs
	if strings.HasPrefix(strings.TrimSpace(found), "/") {
		t.form = alone
	}
	return t, at, ""
}

// shortcode writes one call.
func (c *conv) shortcode(t *tag, paired bool, inner string, code bool) string {
	name := strings.TrimPrefix(t.name, "{")
	if name == "literal" || t.name == "literal" {
		return t.inner
	}
	if t.form == closing {
		return ""
	}
	switch strings.ToLower(name) {
	case "ref", "relref":
		return destination(t.argument(0, "path"))
	case "param":
		if s, ok := c.param(t.argument(0)); ok {
			return s
		}
	case "highlight":
		if paired {
			return "\n" + c.codeOf(t.argument(0), inner) + "\n"
		}
	case "gist":
		if user, id := t.argument(0), t.argument(1); id != "" {
			address := "https://gist.github.com/" + user + "/" + id
			return "[" + address + "](" + address + ")"
		}
	case "tweet", "x", "twitter":
		if user, id := t.argument(0, "user"), t.argument(1, "id"); user != "" && id != "" {
			address := "https://twitter.com/" + user + "/status/" + id
			return "[" + address + "](" + address + ")"
		}
	case "instagram":
		if id := t.argument(0); id != "" {
			return "[instagram.com/p/" + id + "](https://www.instagram.com/p/" + id + "/)"
		}
	case "mermaid":
		if paired {
			return "\n" + c.codeOf("mermaid", inner) + "\n"
		}
	case "readfile", "include", "include-file", "readfilee":
		if s, ok := c.hugoInclude(t); ok {
			return s
		}
	case "tab":
		// Docsy's tabs hold code, unless they say text=true.
		if paired && t.get("lang") != "" && !strings.Contains(inner, "```") && t.get("text") != "true" {
			inner = "\n" + c.codeOf(t.get("lang"), inner) + "\n"
		}
	case "tabpane":
		if paired && t.get("text") != "true" && t.get("lang") != "" {
			break
		}
	}
	if site, ok := c.im.data.(*hugoSite); ok && c.im.components[strings.ToLower(t.name)] == nil {
		if own := site.own[name]; own != "" {
			if paired && highlights.MatchString(own) {
				return "\n" + c.codeOf(t.argument(0, "lang", "language"), inner) + "\n"
			}
			if s, ok := c.template(own, t, inner, site); ok {
				if c.depth < 8 {
					s = c.part(s)
				}
				return s
			}
		}
	}
	if code {
		if !paired {
			c.note(t.raw, fmt.Sprintf("the shortcode %q in code", name), "it is this site's own", "write what it shows")
			return t.raw
		}
		return t.raw + inner + "{{< /" + name + " >}}"
	}
	return c.marked(t, paired, inner)
}

// highlights is in a template that shows what stands in a shortcode as code.
var highlights = regexp.MustCompile(`(?s)\.Inner.*\bhighlight\b|\bhighlight\b.*\.Inner|(?i:transform\.Highlight).*\.Inner`)

// codeOf is a block of code. A shortcode in it that could not be resolved is shown as it
// was written.
func (c *conv) codeOf(language, inner string) string {
	if strings.Contains(inner, mark) {
		inner = c.written(inner)
		c.note(inner, "a shortcode in code", "its value is not known", "write what it shows")
	}
	return codeFence(language, inner)
}

// param finds a parameter of the page, else of the site.
func (c *conv) param(key string) (string, bool) {
	keys := strings.ReplaceAll(key, ".", "/")
	if s := textAt(c.page.front, keys, "params/"+keys); s != "" {
		return s, true
	}
	for _, given := range c.page.given {
		if s := textAt(given, keys); s != "" {
			return s, true
		}
	}
	s := textAt(c.im.config, "params/"+keys, "languages/"+c.im.language+"/params/"+keys)
	return s, s != ""
}

// hugoInclude reads a file that a shortcode puts into the page.
func (c *conv) hugoInclude(t *tag) (string, bool) {
	name := t.argument(0, "file", "path")
	if name == "" {
		return "", false
	}
	list := c.candidates(name)
	for dir := path.Dir(c.page.source); dir != "."; dir = path.Dir(dir) {
		if full, ok := inside(path.Join(dir, "_includes"), name); ok {
			list = append(list, full)
		}
	}
	for _, full := range list {
		text, err := c.im.src.text(full)
		if err != nil {
			continue
		}
		c.im.includes[full] = true
		if lang := t.get("lang", "language", "code"); lang != "" && lang != "false" {
			return "\n" + codeFence(strings.TrimPrefix(lang, "true"), text) + "\n", true
		}
		if isPage(full) {
			_, text, _, _ = splitFront(text)
		}
		return c.part(text), true
	}
	return "", false
}

// shortcodeData is what a template of a shortcode can ask for.
type shortcodeData struct {
	tag    *tag
	Inner  string
	Params map[string]any
	Page   map[string]any
	Site   map[string]any
}

// Get returns an argument by its name or its place.
func (d shortcodeData) Get(key any) string {
	if n, ok := key.(int); ok {
		for _, a := range d.tag.attrs {
			if a.name == "" {
				if n == 0 {
					return a.value
				}
				n--
			}
		}
		return ""
	}
	return d.tag.get(fmt.Sprint(key))
}

// IsNamedParams reports whether arguments have names.
func (d shortcodeData) IsNamedParams() bool { return len(d.tag.attrs) > 0 && d.tag.attrs[0].name != "" }

// InnerDeindent is Inner without its indentation.
func (d shortcodeData) InnerDeindent() string { return dedent(d.Inner) }

var scratch = regexp.MustCompile(`\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}`)

// template runs the template of a shortcode where it only puts its arguments into a
// text. One that loops, or asks for what is not known here, is not run.
func (c *conv) template(text string, t *tag, inner string, site *hugoSite) (out string, ok bool) {
	same := func(s any) string { return fmt.Sprint(s) }
	funcs := template.FuncMap{"markdownify": same, "safeHTML": same, "safeURL": same, "safeHTMLAttr": same, "safeCSS": same, "htmlEscape": same, "plainify": same, "htmlUnescape": same, "string": same, "emojify": same,
		"trim": func(s any, cut string) string { return strings.Trim(fmt.Sprint(s), cut) }, "lower": strings.ToLower, "upper": strings.ToUpper, "title": titleCase, "humanize": titleCase,
		"urlize": sluggish, "anchorize": slug, "relURL": same, "absURL": same, "relref": func(_ any, s any) string { return fmt.Sprint(s) }, "ref": func(_ any, s any) string { return fmt.Sprint(s) },
		"default": func(d any, v ...any) any {
			if len(v) > 0 && v[len(v)-1] != nil && fmt.Sprint(v[len(v)-1]) != "" {
				return v[len(v)-1]
			}
			return d
		},
		"site":    func() map[string]any { return siteData(c.im.title, site.params) },
		"replace": func(s, old, new string) string { return strings.ReplaceAll(s, old, new) },
		"isset":   func(m map[string]any, key any) bool { _, ok := m[fmt.Sprint(key)]; return ok }}
	text = scratch.ReplaceAllString(text, "")
	parsed, err := template.New("shortcode").Funcs(funcs).Option("missingkey=error").Parse(text)
	if err != nil || len(parsed.Templates()) != 1 || loops(parsed.Root) {
		return "", false
	}
	data := shortcodeData{tag: t, Inner: inner, Params: map[string]any{}, Page: map[string]any{}, Site: map[string]any{}}
	for i, a := range t.attrs {
		data.Params[a.name] = a.value
		if a.name == "" {
			data.Params[strconv.Itoa(i)] = a.value
		}
	}
	data.Site = siteData(c.im.title, site.params)
	if front, ok := plainOf(c.page.front).(map[string]any); ok {
		data.Page["Params"], data.Page["Title"], data.Page["Site"] = front, front["title"], data.Site
	}
	w := &limited{most: 256 << 10}
	if err := parsed.Execute(w, data); err != nil || strings.Contains(w.String(), "<no value>") || strings.Contains(w.String(), "<script") {
		return "", false
	}
	return strings.TrimSpace(w.String()), true
}

// siteData is what a template can ask of the site.
func siteData(title string, params *tree.Node) map[string]any {
	data := map[string]any{"Title": title}
	if plain, ok := plainOf(params).(map[string]any); ok {
		data["Params"] = plain
	}
	return data
}

func plainOf(n *tree.Node) any {
	if n == nil {
		return nil
	}
	return n.Plain()
}

// loops reports whether a template may run long.
func loops(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return false
		}
		for _, child := range n.Nodes {
			if loops(child) {
				return true
			}
		}
	case *parse.RangeNode, *parse.TemplateNode:
		return true
	case *parse.IfNode:
		return loops(n.List) || loops(n.ElseList)
	case *parse.WithNode:
		return loops(n.List) || loops(n.ElseList)
	}
	return false
}

// limited takes a bounded number of bytes.
type limited struct {
	strings.Builder
	most int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.most {
		return 0, io.ErrShortWrite
	}
	return l.Builder.Write(p)
}

// hugoLines turns what Hugo's Markdown has beyond ours on lines: attributes of blocks.
func hugoLines(text string) string {
	f := newFences(false)
	var b strings.Builder
	for line := range strings.Lines(text) {
		plain := strings.TrimSuffix(line, "\n")
		if !f.line(plain) && blockAttrs.MatchString(plain) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

var blockAttrs = regexp.MustCompile(`^[ \t]*\{:?\s*(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+)(?:\s+(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+))*\s*\}\s*$`)

// definitionLists turns a term with lines of ": …" below it, as Hugo, kramdown and
// MkDocs read them.
func definitionLists(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	f := newFences(false)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if f.line(line) || strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), ":") || strings.Contains("-*+>#|", line[:1]) {
			out = append(out, line)
			continue
		}
		next := i + 1
		if next < len(lines) && strings.TrimSpace(lines[next]) == "" {
			next++
		}
		if next >= len(lines) || !definitionLine.MatchString(lines[next]) || line[0] == ' ' {
			out = append(out, line)
			continue
		}
		out = append(out, "<dl markdown>", "<dt markdown>"+strings.TrimSpace(line)+"</dt>")
		for next < len(lines) && definitionLine.MatchString(lines[next]) {
			m := definitionLine.FindStringSubmatch(lines[next])
			body := []string{m[1]}
			next++
			for next < len(lines) {
				if strings.TrimSpace(lines[next]) == "" {
					if next+1 < len(lines) && (strings.HasPrefix(lines[next+1], "    ") || strings.HasPrefix(lines[next+1], "  ") && !definitionLine.MatchString(lines[next+1])) {
						body = append(body, "")
						next++
						continue
					}
					break
				}
				if definitionLine.MatchString(lines[next]) && !strings.HasPrefix(lines[next], "    ") {
					break
				}
				body = append(body, cutColumns(lines[next], 4))
				next++
			}
			text := trimBlank(strings.Join(body, "\n"))
			if strings.Contains(text, "\n\n") || strings.Contains(text, "```") {
				out = append(out, "<dd markdown>", "", text, "", "</dd>")
			} else {
				out = append(out, "<dd markdown>"+strings.Join(strings.Fields(text), " ")+"</dd>")
			}
			for next < len(lines) && strings.TrimSpace(lines[next]) == "" && next+1 < len(lines) && definitionLine.MatchString(lines[next+1]) {
				next++
			}
		}
		out = append(out, "</dl>", "")
		i = next - 1
	}
	return strings.Join(out, "\n")
}

var definitionLine = regexp.MustCompile(`^ {0,3}:[ \t]+(\S.*)$`)

// pageStem is a page's file without its extension.
func pageStem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
