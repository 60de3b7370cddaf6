package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// mkdocs reads sites of MkDocs, with what Material and PyMdown Extensions add:
// https://www.mkdocs.org/user-guide/writing-your-docs/.
func mkdocs() *kind {
	return &kind{name: "mkdocs", detect: byConfig("mkdocs.yml", "mkdocs.yaml"), read: readMkdocs, docs: true, syntax: syntax{
		expand: mkdocsSnippets, lines: mkdocsLines, attrs: true, htmlBlocks: true, markdownInHTML: true, anchors: pythonID,
		unseen: func(s string) string { return mkdocsMarks.ReplaceAllString(s, " ") }}}
}

// mkdocsSite is what the settings say of the language.
type mkdocsSite struct {
	// extensions are those that are on.
	extensions map[string]bool
	// snippets are the folders in which snippets are looked for.
	snippets []string
	macros   bool
	// appended are the files of abbreviations that stand below all pages.
	appended []string
	// blog is the folder of Material's blog.
	blog string
}

func readMkdocs(im *oldSite) error {
	config := im.settingsOf("mkdocs.yml", "mkdocs.yaml")
	im.readSettings(config, settingKeys{url: "site_url", title: "site_name", description: "site_description", language: "theme/language", repository: "repo_url"})
	dir, ok := inside(im.base, fallback(textAt(config, "docs_dir"), "docs"))
	if !ok {
		dir = path.Join(im.base, "docs")
	}
	site := &mkdocsSite{extensions: map[string]bool{}}
	im.data = site
	named(get(config, "markdown_extensions"), func(name string, options *tree.Node) {
		site.extensions[strings.TrimPrefix(strings.TrimPrefix(name, "markdown.extensions."), "pymdownx.")] = true
		// Zensical, the successor of Material's tool, has macros as an extension.
		site.macros = site.macros || strings.HasSuffix(name, ".macros")
		if name == "pymdownx.snippets" {
			for _, folder := range texts(get(options, "base_path")) {
				site.snippets = append(site.snippets, within(folder, im.base)...)
			}
			site.appended = texts(get(options, "auto_append"))
		}
	})
	site.snippets = append(site.snippets, im.base, dir)
	named(get(config, "plugins"), func(name string, options *tree.Node) {
		switch path.Base(name) {
		case "blog":
			site.blog = strings.Trim(fallback(textAt(options, "blog_dir"), "blog"), "/")
		case "macros":
			site.macros = true
		case "redirects":
			for _, m := range members(get(options, "redirect_maps")) {
				to, _, _ := strings.Cut(text(m.Value), "#")
				im.redirected(im.basePath+folderPath(m.Key), im.basePath+folderPath(to))
			}
		}
	})
	end := "/"
	if isFalse(get(config, "use_directory_urls")) {
		end = ".html"
	}
	im.staticDirs = []string{dir}
	im.content(dir, reading{page: func(p *page, rel string) {
		im.stand(p, pageStem(rel), end, "index", "README")
		if site.blog != "" && strings.HasPrefix(rel, site.blog+"/posts/") {
			im.materialPost(p, site.blog, stem(rel))
		}
	}})
	im.mkdocsNav(dir, get(config, "nav"))
	return nil
}

// named goes through what settings name in a list or a map, with or without options.
func named(n *tree.Node, visit func(name string, options *tree.Node)) {
	for _, item := range items(n) {
		if item.Kind != tree.Map {
			visit(text(item), nil)
		}
		named(item, visit)
	}
	for _, m := range members(n) {
		visit(m.Key, m.Value)
	}
}

// folderPath is the address of a page that stands for its folder.
func folderPath(name string) string {
	at := pageStem(name)
	if base := path.Base(at); base == "index" || base == "README" {
		at = path.Dir(at)
	}
	return strings.TrimSuffix("/"+strings.TrimPrefix(at, "."), "/") + "/"
}

// materialPost gives a post of Material's blog its address: /blog/2024/01/31/title/.
func (im *oldSite) materialPost(p *page, blog, base string) {
	when, ok := date(textAt(p.front, "date/created", "date"))
	title := textAt(p.front, "title")
	if m := firstHeading.FindStringSubmatch(p.body); title == "" && m != nil {
		title = plain(givenID.ReplaceAllString(m[1], ""))
	}
	p.index = false
	p.address = im.basePath + "/" + blog + "/"
	if ok {
		p.date = when
		p.address += when.Format("2006/01/02/")
	}
	p.address += fallback(textAt(p.front, "slug"), fallback(pythonID(title), base)) + "/"
}

var firstHeading = regexp.MustCompile(`(?m)^[ \t]*#[ \t]+(.*)$`)

// mkdocsNav takes order and labels from the settings' navigation.
func (im *oldSite) mkdocsNav(dir string, nav *tree.Node) {
	bySource := map[string]*page{}
	for _, p := range im.pages {
		bySource[p.source] = p
	}
	place := 0
	var walk func(n *tree.Node, label string, depth int)
	walk = func(n *tree.Node, label string, depth int) {
		if n == nil || depth > 20 {
			return
		}
		if p := bySource[path.Join(dir, n.Text)]; n.Kind == tree.Text && p != nil {
			place++
			p.giveOrder(place)
			p.giveLabel(label)
		} else if n.Kind == tree.Text && depth <= 2 && strings.Contains(n.Text, "://") {
			im.entry(label, n.Text)
		}
		for _, one := range n.Items {
			walk(one, "", depth+1)
		}
		for _, m := range n.Members {
			walk(m.Value, m.Key, depth+1)
		}
	}
	walk(nav, "", 0)
	for _, one := range items(nav) {
		if len(one.Members) > 0 {
			if first := firstText(one.Members[0].Value, 0); !strings.Contains(first, "://") {
				im.entry(one.Members[0].Key, first)
			}
		}
	}
}

// firstText is the first text in a tree.
func firstText(n *tree.Node, depth int) string {
	if n == nil || depth > 20 {
		return ""
	}
	s := text(n)
	for _, one := range n.Items {
		s = fallback(s, firstText(one, depth+1))
	}
	for _, m := range n.Members {
		s = fallback(s, firstText(m.Value, depth+1))
	}
	return s
}

var (
	snippetLine  = regexp.MustCompile(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]+"([^"\n]+)"[ \t]*$`)
	snippetBlock = regexp.MustCompile(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]*\n((?:[ \t]*\S.*\n)*?)[ \t]*-{1,}8<-{1,}[ \t]*$`)
	codeInclude  = regexp.MustCompile(`(?m)^([ \t]*)\{\*[ \t]+(\S+)[ \t]*([^\n]*?)\*\}[ \t]*$`)
	codeLines    = regexp.MustCompile(`\bln\[([^\]]*)\]`)
	macro        = regexp.MustCompile(`\{\{[^{}\n]*\}\}|\{%[^\n]*?%\}`)
	mkdocsMarks  = regexp.MustCompile(`(?m)^\*\[[^\]\n]+\]:.*$|^[ \t]*-{1,}8<-{1,}.*$|^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]+|^[ \t]*/{3,}[ \t]*[\w -]*|^[ \t]*\{\*.*\*\}|^[ \t]+(?:type|open|attrs): .*$|\{[ \t]*[.#:][^{}\n]*\}|\{[ \t]*[\w-]+=[^{}\n]*\}|:(?:material|fontawesome|octicons|simple)-[\w-]+:`)
)

// mkdocsSnippets puts files into a text, in code too.
func mkdocsSnippets(c *conv, text string) string {
	site, _ := c.site.data.(*mkdocsSite)
	if site == nil {
		return text
	}
	find := func(name string) (string, bool) {
		file, spec, _ := strings.Cut(name, ":")
		s, _, ok := c.file(within(file, append(site.snippets, path.Dir(c.page.source))...), spec)
		return strings.TrimRight(s, "\n"), ok
	}
	put := func(indent, name, raw string) string {
		s, ok := find(name)
		if !ok {
			return indent + c.missing("snippet", raw)
		}
		if strings.Contains(s, "8<") {
			c.depth++
			s = mkdocsSnippets(c, s)
			c.depth--
		}
		return indent + hanging(s, indent)
	}
	text = replaceAll(snippetBlock, text, func(m []string) string {
		var parts []string
		for name := range strings.FieldsSeq(m[2]) {
			if !strings.HasPrefix(name, ";") {
				parts = append(parts, put(m[1], strings.Trim(name, `"`), m[0]))
			}
		}
		return strings.Join(parts, "\n")
	})
	text = replaceAll(snippetLine, text, func(m []string) string { return put(m[1], m[2], m[0]) })
	text = replaceAll(codeInclude, text, func(m []string) string {
		s, ok := find(m[2])
		if !ok {
			return m[1] + c.missing("include", m[0])
		}
		if lines := codeLines.FindStringSubmatch(m[3]); lines != nil {
			var parts []string
			for spec := range strings.SplitSeq(lines[1], ",") {
				parts = append(parts, linesOf(s, strings.TrimSpace(spec)))
			}
			s = strings.Join(parts, "\n")
		}
		return m[1] + hanging(codeFence(strings.TrimPrefix(path.Ext(m[2]), "."), dedent(s)), m[1])
	})
	if !site.macros {
		return text
	}
	return outsideCode(text, false, func(s string) string {
		return replaceAll(macro, s, func(m []string) string { return c.missing("macro", m[0]) })
	})
}

var (
	pythonStrip = regexp.MustCompile(`[^\p{L}\p{N}_\s-]`)
	pythonSpace = regexp.MustCompile(`[-\s]+`)
)

// pythonID makes an anchor as Python-Markdown does.
func pythonID(text string) string {
	s := strings.ToLower(pythonStrip.ReplaceAllString(text, ""))
	return strings.Trim(pythonSpace.ReplaceAllString(strings.TrimSpace(s), "-"), "-")
}
