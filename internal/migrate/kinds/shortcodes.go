package kinds

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

// hugoShortcodes returns text with the shortcodes replaced. Like Hugo, it also replaces shortcodes in code.
func hugoShortcodes(c *convert.Converter, text string) string {
	return c.Calls(text, "{{", readHugoCall, func(t *convert.Tag, inner string, paired, code bool) (string, bool) {
		return hugoCall(c, t, inner, paired, code)
	})
}

// hugoCallStart matches the start of a call, of the end of a call, or of an escaped call.
var hugoCallStart = lazyregexp.New(`^\{\{([<%])[\s-]*(?:(/\*)|(/?)[ \t]*([\w./-]+))`)

// readHugoCall reads the call at i, in the form "{{< name … >}}" or "{{% … %}}". It returns the tag and the position
// after the call, or nil and 0 if there is no call. For an escaped call, which starts with "/*", it returns the text to
// show instead of a tag.
func readHugoCall(text string, i int) (*convert.Tag, int, string) {
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
	t := &convert.Tag{Name: "{" + strings.TrimSuffix(strings.TrimSuffix(m[4], ".html"), "/")}
	attrs, at, found := convert.Arguments(text, j, "/"+end, " /"+end, "-"+end, end)
	if at < 0 {
		return nil, 0, ""
	}
	t.Attrs = attrs
	if m[3] != "" {
		t.Form = convert.Closing
	} else if strings.HasPrefix(strings.TrimSpace(found), "/") {
		t.Form = convert.Alone
	}
	return t, at, ""
}

// embeds maps shortcodes to the address patterns of content on other sites. A shortcode's one or two arguments replace
// the format verbs.
var embeds = map[string]string{
	"gist": "https://gist.github.com/%s/%s", "instagram": "https://www.instagram.com/p/%s/",
	"tweet": "https://twitter.com/%s/status/%s", "x": "https://twitter.com/%s/status/%s", "twitter": "https://twitter.com/%s/status/%s",
}

// hugoCall returns the text for a call to a shortcode that doesn't correspond to a component: a shortcode of Hugo, or a
// shortcode whose template runTemplate can run. hugoCall returns false for other calls.
func hugoCall(c *convert.Converter, t *convert.Tag, inner string, paired, code bool) (string, bool) {
	name := t.Name[1:]
	switch lower := strings.ToLower(name); lower {
	case "ref", "relref":
		return convert.Destination(t.Argument(0, "path")), true
	case "param":
		if s := param(c, t.Argument(0)); s != "" {
			return s, true
		}
	case "highlight", "mermaid":
		if language := t.Argument(0); paired && lower == "mermaid" {
			return codeOf(c, lower, inner), true
		} else if paired {
			return codeOf(c, language, inner), true
		}
	case "gist", "tweet", "x", "twitter", "instagram":
		args := []any{t.Argument(0, "user"), t.Argument(1, "id")}
		if address := embeds[lower]; args[strings.Count(address, "%s")-1] != "" {
			address = fmt.Sprintf(address, args[:strings.Count(address, "%s")]...)
			return "[" + address + "](" + address + ")", true
		}
	case "include", "readfile":
		if s, ok := hugoInclude(c, t); ok {
			return s, true
		}
	case "tab":
		// Docsy's tabs contain code, unless they have text=true.
		if paired && !code && t.Get("lang") != "" && !strings.Contains(inner, "```") && t.Get("text") != "true" {
			return c.Marked(t, paired, codeOf(c, t.Get("lang"), inner)), true
		}
	}
	site, ok := c.Site.Data.(*HugoSite)
	if !ok || site.Own[name] == "" || c.Site.Components[strings.ToLower(t.Name)] != nil {
		return "", false
	}
	if paired && highlights.MatchString(site.Own[name]) {
		return codeOf(c, t.Argument(0, "lang", "language"), inner), true
	}
	s, ok := runTemplate(c, site.Own[name], t, inner, site)
	if ok && c.Depth < 8 {
		s = c.Part(s)
	}
	return s, ok
}

// highlights matches a template that shows a shortcode's content as code.
var highlights = lazyregexp.New(`(?s)\.Inner.*\bhighlight\b|\bhighlight\b.*\.Inner|(?i:transform\.Highlight).*\.Inner`)

// codeOf returns inner as a code block. If inner contains an unresolved shortcode, codeOf keeps the shortcode verbatim
// and adds a note.
func codeOf(c *convert.Converter, language, inner string) string {
	if strings.Contains(inner, convert.Mark) {
		inner = c.Written(inner)
		c.Note(inner, "a shortcode in code", "its value is unknown", "write its output")
	}
	return "\n" + convert.CodeFence(language, inner) + "\n"
}

// hugoInclude returns the file that a shortcode includes in the page. It returns false if the file can't be read.
func hugoInclude(c *convert.Converter, t *convert.Tag) (string, bool) {
	name := t.Argument(0, "file", "path")
	list := c.Candidates(name)
	for dir := path.Dir(c.Page.Source); dir != "."; dir = path.Dir(dir) {
		list = append(list, convert.Within(name, path.Join(dir, "_includes"))...)
	}
	s, full, ok := c.File(list, "")
	if !ok || name == "" {
		return "", false
	}
	if language := t.Get("lang", "language", "code"); language != "" && language != "false" {
		return codeOf(c, strings.TrimPrefix(language, "true"), s), true
	}
	if source.IsPage(full) {
		_, s, _ = source.SplitFront(s)
	}
	return c.Part(s), true
}

// param returns a parameter from the page's front matter, the page's inherited values, or the site's settings, in that
// order. It returns "" if there is no such parameter.
func param(c *convert.Converter, key string) string {
	keys := strings.ReplaceAll(key, ".", "/")
	s := source.TextAt(c.Page.Front, keys, "params/"+keys)
	for _, given := range c.Page.Given {
		s = source.Fallback(s, source.TextAt(given, keys))
	}
	return source.Fallback(s, source.TextAt(c.Site.Config, "params/"+keys, "languages/"+c.Site.Language+"/params/"+keys))
}

// shortcodeData contains the values available to a shortcode's template.
type shortcodeData struct {
	tag           *convert.Tag
	Inner         string
	Params        map[string]any
	Page, Site    map[string]any
	InnerDeindent string
}

// Get returns an argument by name or position, or "" if there is none.
func (d shortcodeData) Get(key any) string {
	if n, ok := key.(int); ok {
		return d.tag.Argument(n)
	}
	return d.tag.Get(fmt.Sprint(key))
}

// IsNamedParams reports whether the arguments are named.
func (d shortcodeData) IsNamedParams() bool { return len(d.tag.Attrs) > 0 && d.tag.Attrs[0].Name != "" }

var scratch = lazyregexp.New(`\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}`)

// templateFuncs returns the Hugo functions whose results don't depend on the site. Functions that only escape or format
// a value, or resolve a link, return the value unchanged.
func templateFuncs(site func() map[string]any) template.FuncMap {
	funcs := template.FuncMap{
		"site": site, "lower": strings.ToLower, "upper": strings.ToUpper, "title": source.TitleCase, "humanize": source.TitleCase,
		"urlize": source.Sluggish, "anchorize": source.Slug, "replace": strings.ReplaceAll,
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

// runTemplate returns the output of a shortcode's template if the template only inserts arguments into text. ok is
// false if the template loops, needs unknown values, or outputs a script or more than 256 KiB.
func runTemplate(c *convert.Converter, text string, t *convert.Tag, inner string, site *HugoSite) (out string, ok bool) {
	about := map[string]any{"Title": c.Site.Title}
	if params, ok := site.params.(map[string]any); ok {
		about["Params"] = params
	}
	funcs := templateFuncs(func() map[string]any { return about })
	translate := func(key string, _ ...any) (string, error) { return site.phrase(c.Page.Source, key) }
	funcs["i18n"], funcs["T"] = translate, translate
	parsed, err := template.New("shortcode").Funcs(funcs).Option("missingkey=error").Parse(scratch.ReplaceAllString(text, ""))
	if err != nil || len(parsed.Templates()) != 1 || loops(parsed.Root) {
		return "", false
	}
	data := shortcodeData{tag: t, Inner: inner, InnerDeindent: convert.Dedent(inner), Params: map[string]any{}, Page: map[string]any{}, Site: about}
	for i, a := range t.Attrs {
		data.Params[a.Name] = a.Value
		if a.Name == "" {
			data.Params[strconv.Itoa(i)] = a.Value
		}
	}
	if front, ok := source.PlainOf(c.Page.Front).(map[string]any); ok {
		data.Page["Params"], data.Page["Title"], data.Page["Site"] = front, front["title"], about
	}
	w := &limited{most: 256 << 10}
	if err := parsed.Execute(w, data); err != nil || strings.Contains(w.String(), "<no value>") || strings.Contains(w.String(), "<script") {
		return "", false
	}
	return strings.TrimSpace(w.String()), true
}

// loops reports whether a template contains loops or calls to other templates, which may take a long time.
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

// limited is a string builder that accepts up to most bytes.
type limited struct {
	strings.Builder
	most int
}

// Write returns io.ErrShortWrite if the total length would exceed the limit.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.most {
		return 0, io.ErrShortWrite
	}
	return l.Builder.Write(p)
}
