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
	return &kind{name: "mkdocs", detect: func(s *source) (string, bool) {
		name := findConfig(s, "mkdocs.yml", "mkdocs.yaml")
		return path.Dir(name), name != ""
	}, read: readMkdocs, expand: mkdocsSnippets, lines: mkdocsLines, docs: true, attrs: true, htmlBlocks: true, markdownInHTML: true, anchors: pythonID,
		unseen: func(s string) string { return mkdocsMarks.ReplaceAllString(s, " ") }}
}

// mkdocsSite is what the settings say of the language.
type mkdocsSite struct {
	dir string
	// extensions are those that are on.
	extensions map[string]bool
	// snippets are the folders in which snippets are looked for.
	snippets []string
	macros   bool
	// abbreviations of all pages, from files that are appended.
	appended []string
}

// pythonTags are what MkDocs' settings say to Python.
var pythonTags = regexp.MustCompile(`!!python/\S+(?: ''| "")?|!ENV\s+(?:\[[^\]\n]*\]|\S+)|!relative\s+\S+|!relative`)

func readMkdocs(im *importer) error {
	config := &tree.Node{Kind: tree.Map}
	name := im.src.firstOf(path.Join(im.base, "mkdocs.yml"), path.Join(im.base, "mkdocs.yaml"))
	if raw, err := im.src.text(name); err == nil {
		read, err := looseYAML(pythonTags.ReplaceAllString(raw, `""`))
		if err != nil {
			im.failed(name, "the settings", err)
		} else if read.Kind == tree.Map {
			config = read
		}
	}
	im.config = config
	im.siteAddress(textAt(config, "site_url"))
	im.title, im.description = textAt(config, "site_name"), oneLine(textAt(config, "site_description"), maxLine)
	im.repository = textAt(config, "repo_url")
	im.language = languageTag(textAt(config, "theme/language"))
	dir, ok := inside(im.base, fallback(textAt(config, "docs_dir"), "docs"))
	if !ok {
		dir = path.Join(im.base, "docs")
	}
	site := &mkdocsSite{dir: dir, extensions: map[string]bool{}}
	im.data = site
	im.mkdocsExtensions(site)
	plugins, blog := im.mkdocsPlugins(site)
	_ = plugins
	directory := !isFalse(get(config, "use_directory_urls"))
	im.contentDirs = []string{dir}
	im.staticDirs = []string{dir}
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if dir == "." {
			rel = name
		}
		if !isPage(name) {
			im.files = append(im.files, &file{source: name, address: im.basePath + "/" + rel, linked: !isAsset(name)})
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		at := pageStem(rel)
		base := path.Base(at)
		if base == "index" || base == "README" {
			p.index, at = true, strings.TrimSuffix(path.Dir(at), ".")
		}
		switch {
		case blog != "" && strings.HasPrefix(rel, blog+"/posts/"):
			im.materialPost(p, blog, base)
		case p.index:
			p.address = im.basePath + strings.TrimSuffix("/"+at, "/") + "/"
		case directory:
			p.address = im.basePath + "/" + at + "/"
		default:
			p.address = im.basePath + "/" + at + ".html"
		}
		im.add(p)
	}
	im.mkdocsNav(dir)
	return nil
}

func (im *importer) mkdocsExtensions(site *mkdocsSite) {
	defer func() { site.snippets = append(site.snippets, im.base, site.dir) }()
	n := get(im.config, "markdown_extensions")
	if n == nil {
		return
	}
	visit := func(name string, options *tree.Node) {
		site.extensions[strings.TrimPrefix(strings.TrimPrefix(name, "markdown.extensions."), "pymdownx.")] = true
		if name == "pymdownx.snippets" {
			for _, dir := range texts(get(options, "base_path")) {
				if full, ok := inside(im.base, dir); ok {
					site.snippets = append(site.snippets, full)
				}
			}
			site.appended = texts(get(options, "auto_append"))
		}
	}
	for _, item := range n.Items {
		if item.Kind == tree.Map {
			for _, m := range item.Members {
				visit(m.Key, m.Value)
			}
			continue
		}
		visit(text(item), nil)
	}
	for _, m := range n.Members {
		visit(m.Key, m.Value)
	}
}

// mkdocsPlugins reads what plugins change; blog is the folder of Material's blog.
func (im *importer) mkdocsPlugins(site *mkdocsSite) (names []string, blog string) {
	n := get(im.config, "plugins")
	if n == nil {
		return nil, ""
	}
	visit := func(name string, options *tree.Node) {
		names = append(names, name)
		switch path.Base(name) {
		case "blog":
			blog = strings.Trim(fallback(textAt(options, "blog_dir"), "blog"), "/")
		case "macros":
			site.macros = true
		case "redirects":
			if maps := get(options, "redirect_maps"); maps != nil {
				for _, m := range maps.Members {
					old := pageStem(m.Key)
					if path.Base(old) == "index" {
						old = path.Dir(old)
					}
					to := text(m.Value)
					hash := strings.IndexByte(to, '#')
					if hash >= 0 {
						to = to[:hash]
					}
					target := pageStem(to)
					if base := path.Base(target); base == "index" || base == "README" {
						target = path.Dir(target)
					}
					im.redirects = append(im.redirects, [2]string{im.basePath + "/" + old + "/", im.basePath + "/" + strings.TrimPrefix(target, ".")})
				}
			}
		}
	}
	for _, item := range n.Items {
		if item.Kind == tree.Map {
			for _, m := range item.Members {
				visit(m.Key, m.Value)
			}
			continue
		}
		visit(text(item), nil)
	}
	for _, m := range n.Members {
		visit(m.Key, m.Value)
	}
	return names, blog
}

// materialPost gives a post of Material's blog its address: /blog/2024/01/31/title/.
func (im *importer) materialPost(p *page, blog, base string) {
	when, ok := date(textAt(p.front, "date/created", "date"))
	title := textAt(p.front, "title")
	if title == "" {
		for line := range strings.Lines(p.body) {
			if m := atx.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[2] == "#" {
				title = plain(givenID.ReplaceAllString(m[3], ""))
				break
			}
		}
	}
	slug := fallback(textAt(p.front, "slug"), fallback(pythonID(title), base))
	p.index = false
	p.address = im.basePath + "/" + blog + "/" + slug + "/"
	if ok {
		p.date = when
		p.address = im.basePath + "/" + blog + "/" + when.Format("2006/01/02") + "/" + slug + "/"
	}
}

// mkdocsNav takes order and labels from the settings' navigation.
func (im *importer) mkdocsNav(dir string) {
	place := 0
	find := func(to string) *page {
		for _, p := range im.pages {
			if p.source == path.Join(dir, to) {
				return p
			}
		}
		return nil
	}
	var walk func(n *tree.Node, label string, depth int)
	walk = func(n *tree.Node, label string, depth int) {
		if n == nil || depth > 20 {
			return
		}
		switch n.Kind {
		case tree.Text:
			p := find(n.Text)
			if p == nil {
				if depth <= 2 && strings.Contains(n.Text, "://") && label != "" {
					im.navigation = append(im.navigation, item{label, n.Text})
				}
				return
			}
			place++
			p.front.Members = append(p.front.Members, tree.Member{Key: "order", Value: &tree.Node{Kind: tree.Number, Text: itoa(place), Number: itoa(place)}})
			if label != "" && p.front.Get("nav_title") == nil {
				p.front.Members = append(p.front.Members, tree.Member{Key: "nav_title", Value: &tree.Node{Kind: tree.Text, Text: label}})
			}
		case tree.List:
			for _, one := range n.Items {
				walk(one, "", depth+1)
			}
		case tree.Map:
			for _, m := range n.Members {
				walk(m.Value, m.Key, depth+1)
			}
		}
	}
	nav := get(im.config, "nav")
	walk(nav, "", 0)
	if nav == nil {
		return
	}
	for _, one := range nav.Items {
		if one.Kind != tree.Map || len(one.Members) == 0 {
			continue
		}
		m := one.Members[0]
		if first := firstText(m.Value, 0); first != "" && !strings.Contains(first, "://") {
			im.navigation = append(im.navigation, item{m.Key, first})
		}
	}
}

// firstText is the first text in a tree.
func firstText(n *tree.Node, depth int) string {
	if n == nil || depth > 20 {
		return ""
	}
	if n.Kind == tree.Text {
		return n.Text
	}
	for _, one := range n.Items {
		if s := firstText(one, depth+1); s != "" {
			return s
		}
	}
	for _, m := range n.Members {
		if s := firstText(m.Value, depth+1); s != "" {
			return s
		}
	}
	return ""
}

var (
	snippetLine  = regexp.MustCompile(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]+"([^"\n]+)"[ \t]*$`)
	snippetBlock = regexp.MustCompile(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]*\n((?:[ \t]*\S.*\n)*?)[ \t]*-{1,}8<-{1,}[ \t]*$`)
	codeInclude  = regexp.MustCompile(`(?m)^([ \t]*)\{\*[ \t]+(\S+)[ \t]*([^\n]*?)\*\}[ \t]*$`)
	macro        = regexp.MustCompile(`\{\{[^{}\n]*\}\}|\{%[^\n]*?%\}`)
	mkdocsMarks  = regexp.MustCompile(`(?m)^\*\[[^\]\n]+\]:.*$|^[ \t]*-{1,}8<-{1,}.*$|^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]+|^[ \t]*/{3,}[ \t]*[\w -]*|^[ \t]*\{\*.*\*\}|^[ \t]+(?:type|open|attrs): .*$|\{[ \t]*[.#:][^{}\n]*\}|\{[ \t]*[\w-]+=[^{}\n]*\}|:(?:material|fontawesome|octicons|simple)-[\w-]+:`)
)

// mkdocsSnippets puts files into a text, in code too.
func mkdocsSnippets(c *conv, text string) string {
	site, _ := c.im.data.(*mkdocsSite)
	if site == nil {
		return text
	}
	find := func(name string) (string, bool) {
		name, spec := cutSpec(name)
		for _, dir := range append(site.snippets, path.Dir(c.page.source)) {
			full, ok := inside(dir, name)
			if !ok {
				continue
			}
			s, err := c.im.src.text(full)
			if err != nil {
				continue
			}
			c.im.includes[full] = true
			switch {
			case spec == "":
			case spec[0] >= '0' && spec[0] <= '9' || spec[0] == ':':
				s = linesOf(s, spec)
			default:
				region, found := regionOf(s, spec)
				if !found {
					continue
				}
				s = region
			}
			return strings.TrimRight(s, "\n"), true
		}
		return "", false
	}
	put := func(indent, name, raw string) string {
		s, ok := find(name)
		if !ok || c.size > maxText || c.depth > 8 {
			return indent + c.leave(&tag{form: alone, name: "{snippet", raw: strings.TrimSpace(raw)})
		}
		c.size += len(s)
		if strings.Contains(s, "8<") {
			c.depth++
			s = mkdocsSnippets(c, s)
			c.depth--
		}
		return indent + hanging(s, indent)
	}
	text = snippetBlock.ReplaceAllStringFunc(text, func(raw string) string {
		m := snippetBlock.FindStringSubmatch(raw)
		var parts []string
		for name := range strings.FieldsSeq(m[2]) {
			if !strings.HasPrefix(name, ";") {
				parts = append(parts, put(m[1], strings.Trim(name, `"`), raw))
			}
		}
		return strings.Join(parts, "\n")
	})
	text = snippetLine.ReplaceAllStringFunc(text, func(raw string) string {
		m := snippetLine.FindStringSubmatch(raw)
		return put(m[1], m[2], raw)
	})
	text = codeInclude.ReplaceAllStringFunc(text, func(raw string) string {
		m := codeInclude.FindStringSubmatch(raw)
		s, ok := find(m[2])
		if !ok {
			return m[1] + c.leave(&tag{form: alone, name: "{include", raw: strings.TrimSpace(raw)})
		}
		if lines := codeLines.FindStringSubmatch(m[3]); lines != nil {
			var parts []string
			for spec := range strings.SplitSeq(lines[1], ",") {
				parts = append(parts, linesOf(s, strings.TrimSpace(spec)))
			}
			s = strings.Join(parts, "\n")
		}
		c.size += len(s)
		return m[1] + hanging(codeFence(strings.TrimPrefix(path.Ext(m[2]), "."), dedent(s)), m[1])
	})
	if site.macros {
		text = outsideCode(text, false, func(s string) string {
			return macro.ReplaceAllStringFunc(s, func(m string) string { return c.leave(&tag{form: alone, name: "{macro", raw: m}) })
		})
	}
	return text
}

var codeLines = regexp.MustCompile(`\bln\[([^\]]*)\]`)

// cutSpec takes a range of lines or a section off the name of a snippet.
func cutSpec(name string) (file, spec string) {
	file, spec, _ = strings.Cut(name, ":")
	if strings.HasPrefix(spec, "//") {
		return name, ""
	}
	return file, spec
}

var pythonStrip = regexp.MustCompile(`[^\p{L}\p{N}_\s-]`)

// pythonID makes an anchor as Python-Markdown does.
func pythonID(text string) string {
	s := strings.ToLower(strings.TrimSpace(pythonStrip.ReplaceAllString(text, "")))
	return strings.Trim(regexp.MustCompile(`[-\s]+`).ReplaceAllString(s, "-"), "-")
}
