package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

var (
	hexoCall  = lazyregexp.New(`^\{%-?[ \t]*(end)?([a-z]\w*)[ \t]*((?:"[^"\n]*"|'[^'\n]*'|[^%\n]|%[^}\n])*?)[ \t]*-?%\}`)
	hexoWord  = lazyregexp.New(`"[^"]*"|'[^']*'|\S+`)
	hexoTabs  = lazyregexp.New(`\{%-?[ \t]*(?:sub)*tabs[ \t]`)
	hexoNamed = lazyregexp.New(`(<!--[ \t]*tab[ \t].*?)\{%[ \t]*label[ \t]+[a-z]*[ \t]*@[ \t]*(.*?)[ \t]*%\}`)
	hexoTab   = lazyregexp.New(`(?m)^[ \t]*<!--[ \t]*tab(?:[ \t]+(.*?))?(?:@[^\n]*?)?[ \t]*-->[ \t]*$`)
	hexoNotes = lazyregexp.New(`^(?:no-icon|simple|modern|flat|disabled|icon-[\w-]+)$`)
)

// hexoVerbatim maps the names of blocks whose content Hexo shows verbatim to patterns for their end tags.
var hexoVerbatim = map[string]*lazyregexp.Regexp{
	"raw": lazyregexp.New(`\{%-?\s*endraw\s*-?%\}`), "codeblock": lazyregexp.New(`\{%-?\s*endcodeblock\s*-?%\}`), "code": lazyregexp.New(`\{%-?\s*endcode\s*-?%\}`),
	"mermaid": lazyregexp.New(`\{%-?\s*endmermaid\s*-?%\}`),
}

// hexoTags returns text with the tags replaced. Like Hexo, it doesn't read tags in fenced code blocks.
func hexoTags(c *convert.Converter, text string) string {
	if !strings.Contains(text, "{%") {
		return text
	}
	if hexoTabs.MatchString(text) {
		text = hexoNamed.ReplaceAllString(text, "$1$2")
		text = hexoTab.ReplaceAllString(text, `{% tab "$1" %}`)
		text = strings.ReplaceAll(text, "<!-- endtab -->", "{% endtab %}")
	}
	fence := convert.NewFences(false)
	in := make([]bool, 0, strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		in = append(in, fence.Line(line))
	}
	line, seen := 0, 0 // Calls reads the text in order, so count each line only once
	return c.Calls(text, "{%", func(text string, i int) (*convert.Tag, int, string) {
		line, seen = line+strings.Count(text[seen:i], "\n"), i
		if in[line] {
			return nil, 0, ""
		}
		return readHexoCall(text, i)
	}, func(t *convert.Tag, _ string, paired, _ bool) (string, bool) { return writeHexoCall(c, t, paired) })
}

// readHexoCall reads the tag at i. It returns the tag and the position after the tag, or nil and 0 if there is no tag.
// For a verbatim block, it returns the converted text of the block instead of a tag.
func readHexoCall(text string, i int) (*convert.Tag, int, string) {
	m := hexoCall.FindStringSubmatch(text[i:min(len(text), i+4000)])
	if m == nil {
		return nil, 0, ""
	}
	at := i + len(m[0])
	if end := hexoVerbatim[m[2]]; end != nil && m[1] == "" {
		to := end.FindStringIndex(text[at:])
		if to == nil {
			return nil, 0, ""
		}
		inner := text[at : at+to[0]]
		switch m[2] {
		case "raw":
		case "mermaid":
			inner = "\n" + convert.CodeFence("mermaid", m[3]+"\n"+strings.Trim(inner, "\n")) + "\n"
		default:
			inner = hexoCode(m[3], inner)
		}
		return nil, at + to[1], inner
	}
	t := &convert.Tag{Name: "{" + m[2]}
	if m[1] != "" {
		t.Form = convert.Closing
	}
	for _, word := range hexoWord.FindAllString(m[3], -1) {
		t.Attrs = append(t.Attrs, convert.Attr{Value: unquoted(word)})
	}
	return t, at, ""
}

// unquoted returns s without surrounding quotes.
func unquoted(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// hexoCode returns a code block for a codeblock tag. The arguments of the tag are a title, an address, the link text,
// and options such as lang:js. The title and a link to the address precede the code block.
func hexoCode(arguments, code string) string {
	language, above := "", []string{}
	for _, word := range hexoWord.FindAllString(arguments, -1) {
		word = unquoted(word)
		name, value, option := strings.Cut(word, ":")
		switch {
		case option && name == "lang":
			language = value
		case option && (strings.HasPrefix(value, "//") || word == ""):
			above = append(above, "<"+word+">")
		case !option:
			above = append(above, word)
		}
	}
	fence := "\n" + convert.CodeFence(language, code) + "\n"
	if len(above) > 0 {
		return "\n" + strings.Join(above, " ") + "\n" + fence
	}
	return fence
}

// writeHexoCall returns the Markdown for a tag that has no content. It returns false for other tags. paired reports
// whether the tag has an end tag.
func writeHexoCall(c *convert.Converter, t *convert.Tag, paired bool) (string, bool) {
	words := make([]string, 0, len(t.Attrs))
	for _, a := range t.Attrs {
		words = append(words, a.Value)
	}
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	rest := func(from int) string { return strings.Join(words[min(from, len(words)):], " ") }
	link := func(label, to string) (string, bool) {
		return "[" + source.Fallback(label, to) + "](" + convert.Destination(to) + ")", to != ""
	}
	own := path.Base(pageStem(c.Page.Source)) + "/"
	switch t.Name[1:] {
	case "asset_path":
		return convert.Destination(own + word(0)), word(0) != ""
	case "asset_link":
		return link(source.Fallback(strings.TrimSpace(rest(1)), word(0)), own+word(0))
	case "asset_img", "img":
		return hexoImage(words, own, t.Name == "{asset_img")
	case "post_path", "post_link":
		return hexoPostLink(c, t.Name == "{post_path", word(0), rest(1))
	case "url_for", "full_url_for":
		return convert.Destination(word(0)), word(0) != ""
	case "link":
		if !paired && strings.Contains(rest(1), "/") {
			return hexoLink(words)
		}
	case "label":
		_, label, classed := strings.Cut(rest(0), "@")
		return strings.TrimSpace(label), classed && !paired
	case "btn", "button":
		return hexoButton(rest(0))
	case "caniuse":
		return link("caniuse.com/"+word(0), "https://caniuse.com/"+word(0))
	case "iframe", "pdf":
		return link("", word(0))
	case "gist":
		return link("gist.github.com/"+word(0), "https://gist.github.com/"+word(0))
	case "jsfiddle":
		return link("jsfiddle.net/"+word(0), "https://jsfiddle.net/"+word(0)+"/")
	case "include_code":
		return hexoInclude(c, words)
	}
	return "", false
}

// hexoImage returns an image in Markdown. The words of the tag are classes, the file, sizes, a title, and the alt text.
// If asset is true, the file is in the folder own of the post. hexoImage returns false if no word is a file.
func hexoImage(words []string, own string, asset bool) (string, bool) {
	for i, word := range words {
		if path.Ext(word) == "" || strings.Contains(word, " ") && !asset {
			continue
		}
		var texts []string
		for _, more := range words[i+1:] {
			if strings.Trim(more, "0123456789%px") != "" {
				texts = append(texts, strings.Trim(more, `"'`))
			}
		}
		if asset {
			word = own + word
		}
		return "![" + strings.NewReplacer("[", "", "]", "").Replace(strings.Join(texts, " ")) + "](" + convert.Destination(word) + ")", true
	}
	return "", false
}

// hexoButton converts a button to a link. The arguments of the button are an address, a text, an icon, and a title,
// separated by commas. hexoButton returns only the text, which may be empty, if the button has no address.
func hexoButton(arguments string) (string, bool) {
	to, rest, _ := strings.Cut(arguments, ",")
	label, _, _ := strings.Cut(rest, ",")
	to, label = strings.TrimSpace(to), strings.TrimSpace(label)
	if to == "" || to == "#" {
		return label, true
	}
	return "[" + source.Fallback(label, to) + "](" + convert.Destination(to) + ")", true
}

func hexoInner(c *convert.Converter, n *convert.Node) convert.Piece {
	return convert.Piece{Text: c.Inner(n), Block: true}
}

// hexoLink returns a link. The address is the first word, except words[0], that contains a slash. The words before the
// address are the link's text. hexoLink ignores the words after the address, and returns false if there is no address.
func hexoLink(words []string) (string, bool) {
	for i, word := range words {
		if i > 0 && strings.Contains(word, "/") {
			return "[" + strings.Join(words[:i], " ") + "](" + convert.Destination(word) + ")", true
		}
	}
	return "", false
}

// hexoPostLink returns a link to a post, or only the post's address if bare is true. If label is empty, the link's text
// is the post's title. hexoPostLink returns false if the post is unknown.
func hexoPostLink(c *convert.Converter, bare bool, name, label string) (string, bool) {
	site, ok := c.Site.Data.(*hexoSite)
	name, anchor, _ := strings.Cut(name, "#")
	if !ok || site.posts[name] == nil {
		return "", false
	}
	p := site.posts[name]
	to := convert.Destination("/" + p.Source)
	if anchor != "" {
		to += "#" + anchor
	}
	if bare {
		return to, true
	}
	label, _ = source.CutSuffixes(label, " true", " false")
	return "[" + source.Fallback(label, source.Fallback(source.TextAt(p.Front, "title"), name)) + "](" + to + ")", true
}

// hexoInclude returns a file as a code block, or only the lines selected by from: and to:. It returns false if the file
// can't be read.
func hexoInclude(c *convert.Converter, words []string) (string, bool) {
	site, ok := c.Site.Data.(*hexoSite)
	if !ok || len(words) == 0 {
		return "", false
	}
	name, language, from, to := words[len(words)-1], "", "", ""
	for _, word := range words[:len(words)-1] {
		switch key, value, _ := strings.Cut(word, ":"); key {
		case "lang":
			language = value
		case "from":
			from = value
		case "to":
			to = value
		}
	}
	spec := ""
	if from != "" || to != "" {
		spec = from + ":" + to
	}
	text, full, ok := c.File(convert.Within(name, site.code), spec)
	if !ok {
		return "", false
	}
	return "\n" + convert.CodeFence(source.Fallback(language, strings.TrimPrefix(path.Ext(full), ".")), text) + "\n", true
}

func hexoNote(c *convert.Converter, n *convert.Node) convert.Piece {
	kind, title := "note", []string{}
	for i, a := range n.Tag.Attrs {
		switch {
		case i == 0 && (convert.Alerts[strings.ToLower(a.Value)] != ""):
			kind = a.Value
		case !hexoNotes.MatchString(a.Value):
			title = append(title, a.Value)
		}
	}
	return convert.Alert(kind, strings.Join(title, " "), c.Inner(n))
}

// hexoQuote converts a tag to a block quote, with the author and the source below the text. It omits the author and the
// source of a pull quote.
func hexoQuote(c *convert.Converter, n *convert.Node) convert.Piece {
	var by []string
	for _, a := range n.Tag.Attrs {
		by = append(by, a.Value)
	}
	text := strings.TrimSpace(c.Inner(n))
	if len(by) > 0 && n.Tag.Name != "{pullquote" {
		text += "\n\n— " + strings.Join(by, " ")
	}
	return convert.Piece{Text: "> " + strings.ReplaceAll(text, "\n", "\n> "), Block: true}
}

// captionedFences returns text with the caption after the language of each fence converted to the option title. A Hexo
// caption consists of a title, an address, and a link text.
func captionedFences(text string) string {
	return convert.RewriteInfos(text, func(info string) string {
		language, caption, _ := strings.Cut(info, " ")
		caption = strings.TrimSpace(caption)
		if caption == "" || strings.ContainsAny(caption, "\"={[") {
			return info
		}
		return language + ` title="` + caption + `"`
	})
}
