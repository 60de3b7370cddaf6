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
)

// hugoShortcodes replaces the shortcodes of a text. Hugo does so before it reads
// Markdown, in code too.
func hugoShortcodes(c *conv, text string) string {
	return c.calls(text, "{{", readHugoCall, func(t *tag, inner string, paired, code bool) (string, bool) {
		return c.hugoCall(t, inner, paired, code)
	})
}

// hugoCallStart is the beginning of a call, its end, or a literal.
var hugoCallStart = regexp.MustCompile(`^\{\{([<%])[\s-]*(?:(/\*)|(/?)[ \t]*([\w./-]+))`)

// readHugoCall reads "{{< name … >}}" and "{{% … %}}"; with "/*" inside it is a literal.
func readHugoCall(text string, i int) (*tag, int, string) {
	m := hugoCallStart.FindStringSubmatch(text[i:min(len(text), i+200)])
	if m == nil {
		return nil, 0, ""
	}
	end, j := map[string]string{"<": ">}}", "%": "%}}"}[m[1]], i+len(m[0])
	if m[2] != "" {
		literal, rest, ok := strings.Cut(text[j:], "*/")
		stop := strings.Index(rest, end)
		if !ok || stop < 0 {
			return nil, 0, ""
		}
		return nil, j + len(literal) + stop + 5, text[i:i+3] + literal + end
	}
	t := &tag{name: "{" + strings.TrimSuffix(strings.TrimSuffix(m[4], ".html"), "/")}
	attrs, at, found := arguments(text, j, "/"+end, " /"+end, "-"+end, end)
	if at < 0 {
		return nil, 0, ""
	}
	t.attrs = attrs
	if m[3] != "" {
		t.form = closing
	} else if strings.HasPrefix(strings.TrimSpace(found), "/") {
		t.form = alone
	}
	return t, at, ""
}

// embeds are the addresses of what shortcodes show of other sites, with two arguments
// or one.
var embeds = map[string]string{
	"gist": "https://gist.github.com/%s/%s", "instagram": "https://www.instagram.com/p/%s/",
	"tweet": "https://twitter.com/%s/status/%s", "x": "https://twitter.com/%s/status/%s", "twitter": "https://twitter.com/%s/status/%s",
}

// hugoCall writes the calls whose meaning is not one of a component.
func (c *conv) hugoCall(t *tag, inner string, paired, code bool) (string, bool) {
	name := t.name[1:]
	switch lower := strings.ToLower(name); lower {
	case "ref", "relref":
		return destination(t.argument(0, "path")), true
	case "param":
		if s := c.param(t.argument(0)); s != "" {
			return s, true
		}
	case "highlight", "mermaid":
		if language := t.argument(0); paired && lower == "mermaid" {
			return c.codeOf(lower, inner), true
		} else if paired {
			return c.codeOf(language, inner), true
		}
	case "gist", "tweet", "x", "twitter", "instagram":
		args := []any{t.argument(0, "user"), t.argument(1, "id")}
		if address := embeds[lower]; args[strings.Count(address, "%s")-1] != "" {
			address = fmt.Sprintf(address, args[:strings.Count(address, "%s")]...)
			return "[" + address + "](" + address + ")", true
		}
	case "include", "readfile":
		if s, ok := c.hugoInclude(t); ok {
			return s, true
		}
	case "tab":
		// Docsy's tabs hold code, unless they say text=true.
		if paired && !code && t.get("lang") != "" && !strings.Contains(inner, "```") && t.get("text") != "true" {
			return c.marked(t, paired, c.codeOf(t.get("lang"), inner)), true
		}
	}
	site, ok := c.site.data.(*hugoSite)
	if !ok || site.own[name] == "" || c.site.components[strings.ToLower(t.name)] != nil {
		return "", false
	}
	if paired && highlights.MatchString(site.own[name]) {
		return c.codeOf(t.argument(0, "lang", "language"), inner), true
	}
	s, ok := c.template(site.own[name], t, inner, site)
	if ok && c.depth < 8 {
		s = c.part(s)
	}
	return s, ok
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
	return "\n" + codeFence(language, inner) + "\n"
}

// hugoInclude reads a file that a shortcode puts into the page.
func (c *conv) hugoInclude(t *tag) (string, bool) {
	name := t.argument(0, "file", "path")
	list := c.candidates(name)
	for dir := path.Dir(c.page.source); dir != "."; dir = path.Dir(dir) {
		list = append(list, within(name, path.Join(dir, "_includes"))...)
	}
	s, full, ok := c.file(list, "")
	if !ok || name == "" {
		return "", false
	}
	if language := t.get("lang", "language", "code"); language != "" && language != "false" {
		return c.codeOf(strings.TrimPrefix(language, "true"), s), true
	}
	if isPage(full) {
		_, s, _ = splitFront(s)
	}
	return c.part(s), true
}

// param finds a parameter of the page, else of the site.
func (c *conv) param(key string) string {
	keys := strings.ReplaceAll(key, ".", "/")
	s := textAt(c.page.front, keys, "params/"+keys)
	for _, given := range c.page.given {
		s = fallback(s, textAt(given, keys))
	}
	return fallback(s, textAt(c.site.config, "params/"+keys, "languages/"+c.site.language+"/params/"+keys))
}

// shortcodeData is what a template of a shortcode can ask for.
type shortcodeData struct {
	tag           *tag
	Inner         string
	Params        map[string]any
	Page, Site    map[string]any
	InnerDeindent string
}

// Get returns an argument by its name or its place.
func (d shortcodeData) Get(key any) string {
	if n, ok := key.(int); ok {
		return d.tag.argument(n)
	}
	return d.tag.get(fmt.Sprint(key))
}

// IsNamedParams reports whether arguments have names.
func (d shortcodeData) IsNamedParams() bool { return len(d.tag.attrs) > 0 && d.tag.attrs[0].name != "" }

var scratch = regexp.MustCompile(`\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}`)

// templateFuncs are the functions of Hugo that say the same for every site; those that
// change only how a value is marked leave it as it is.
func templateFuncs(site func() map[string]any) template.FuncMap {
	funcs := template.FuncMap{
		"site": site, "lower": strings.ToLower, "upper": strings.ToUpper, "title": titleCase, "humanize": titleCase,
		"urlize": sluggish, "anchorize": slug, "replace": strings.ReplaceAll,
		"trim": func(s any, cut string) string { return strings.Trim(fmt.Sprint(s), cut) },
		"default": func(d any, v ...any) any {
			if len(v) > 0 && v[len(v)-1] != nil && fmt.Sprint(v[len(v)-1]) != "" {
				return v[len(v)-1]
			}
			return d
		},
		"isset": func(m map[string]any, key any) bool { _, ok := m[fmt.Sprint(key)]; return ok },
	}
	for name := range strings.FieldsSeq("markdownify safeHTML safeURL safeHTMLAttr safeCSS htmlEscape plainify htmlUnescape string emojify relURL absURL") {
		funcs[name] = func(s any) string { return fmt.Sprint(s) }
	}
	for _, name := range []string{"ref", "relref"} {
		funcs[name] = func(_, s any) string { return fmt.Sprint(s) }
	}
	return funcs
}

// template runs the template of a shortcode where it only puts its arguments into a
// text. One that loops, or asks for what is not known here, is not run.
func (c *conv) template(text string, t *tag, inner string, site *hugoSite) (out string, ok bool) {
	about := map[string]any{"Title": c.site.title}
	if params, ok := site.params.(map[string]any); ok {
		about["Params"] = params
	}
	funcs := templateFuncs(func() map[string]any { return about })
	parsed, err := template.New("shortcode").Funcs(funcs).Option("missingkey=error").Parse(scratch.ReplaceAllString(text, ""))
	if err != nil || len(parsed.Templates()) != 1 || loops(parsed.Root) {
		return "", false
	}
	data := shortcodeData{tag: t, Inner: inner, InnerDeindent: dedent(inner), Params: map[string]any{}, Page: map[string]any{}, Site: about}
	for i, a := range t.attrs {
		data.Params[a.name] = a.value
		if a.name == "" {
			data.Params[strconv.Itoa(i)] = a.value
		}
	}
	if front, ok := plainOf(c.page.front).(map[string]any); ok {
		data.Page["Params"], data.Page["Title"], data.Page["Site"] = front, front["title"], about
	}
	w := &limited{most: 256 << 10}
	if err := parsed.Execute(w, data); err != nil || strings.Contains(w.String(), "<no value>") || strings.Contains(w.String(), "<script") {
		return "", false
	}
	return strings.TrimSpace(w.String()), true
}

// loops reports whether a template may run long.
func loops(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.ListNode:
		for i := 0; n != nil && i < len(n.Nodes); i++ {
			if loops(n.Nodes[i]) {
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
