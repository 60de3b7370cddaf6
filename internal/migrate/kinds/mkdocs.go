package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Mkdocs returns the kind for MkDocs sites, with the additions of Material and PyMdown Extensions. See
// https://www.mkdocs.org/user-guide/writing-your-docs/.
func Mkdocs() *oldsite.Kind {
	return &oldsite.Kind{Name: "mkdocs", Detect: oldsite.ByConfig("mkdocs.yml", "mkdocs.yaml"), Read: readMkdocs, Docs: true, Whole: true, Syntax: convert.Syntax{
		Expand: mkdocsSnippets, Lines: mkdocsLines, Attrs: true, HtmlBlocks: true, MarkdownInHTML: true, Anchors: pythonID,
		Unseen: func(s string) string { return mkdocsMarks.ReplaceAllString(s, " ") }}}
}

// MkdocsSite contains the settings that affect the page syntax.
type MkdocsSite struct {
	// Extensions contains the names of the enabled Markdown extensions, without the prefixes "markdown.extensions." and
	// "pymdownx.".
	Extensions map[string]bool
	// snippets are the folders to search for snippets.
	snippets []string
	// macros is true if the site uses macros in pages.
	macros bool
	// appended are the abbreviation files that are appended to all pages.
	appended []string
	// blog is the folder of Material's blog, or "" if there is none.
	blog string
}

func readMkdocs(im *oldsite.Site) error {
	config := im.SettingsOf("mkdocs.yml", "mkdocs.yaml")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "site_url", Title: "site_name", Description: "site_description", Language: "theme/language", Repository: "repo_url"})
	dir, ok := source.Inside(im.Base, source.Fallback(source.TextAt(config, "docs_dir"), "docs"))
	if !ok {
		dir = path.Join(im.Base, "docs")
	}
	site := &MkdocsSite{Extensions: map[string]bool{}}
	im.Data = site
	named(source.Get(config, "markdown_extensions"), func(name string, options *tree.Node) {
		site.Extensions[strings.TrimPrefix(strings.TrimPrefix(name, "markdown.extensions."), "pymdownx.")] = true
		// In Zensical, the successor of Material for MkDocs, macros are an extension.
		site.macros = site.macros || strings.HasSuffix(name, ".macros")
		if name == "pymdownx.snippets" {
			for _, folder := range source.Texts(source.Get(options, "base_path")) {
				site.snippets = append(site.snippets, convert.Within(folder, im.Base)...)
			}
			site.appended = source.Texts(source.Get(options, "auto_append"))
		}
	})
	site.snippets = append(site.snippets, im.Base, dir)
	named(source.Get(config, "plugins"), func(name string, options *tree.Node) {
		switch path.Base(name) {
		case "blog":
			site.blog = strings.Trim(source.Fallback(source.TextAt(options, "blog_dir"), "blog"), "/")
		case "macros":
			site.macros = true
		case "redirects":
			for _, m := range source.Members(source.Get(options, "redirect_maps")) {
				to, _, _ := strings.Cut(source.Text(m.Value), "#")
				im.Redirected(im.BasePath+folderPath(m.Key), im.BasePath+folderPath(to))
			}
		}
	})
	end := "/"
	if source.IsFalse(source.Get(config, "use_directory_urls")) {
		end = ".html"
	}
	im.StaticDirs = []string{dir}
	im.Content(dir, oldsite.Rules{Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), end, "index", "README")
		if site.blog != "" && strings.HasPrefix(rel, site.blog+"/posts/") {
			materialPost(im, p, site.blog, source.Stem(rel))
		}
	}})
	mkdocsNav(im, dir, source.Get(config, "nav"))
	return nil
}

// named calls visit for each name in a list or map of settings. options is nil if the name has no options.
func named(n *tree.Node, visit func(name string, options *tree.Node)) {
	for _, item := range source.Items(n) {
		if item.Kind != tree.Map {
			visit(source.Text(item), nil)
		}
		named(item, visit)
	}
	for _, m := range source.Members(n) {
		visit(m.Key, m.Value)
	}
}

// folderPath returns a page's address with a trailing slash. An index page has its folder's address.
func folderPath(name string) string {
	at := pageStem(name)
	if base := path.Base(at); base == "index" || base == "README" {
		at = path.Dir(at)
	}
	return strings.TrimSuffix("/"+strings.TrimPrefix(at, "."), "/") + "/"
}

// materialPost sets the date and the address of a post in Material's blog. An address has the form
// /blog/2024/01/31/title/.
func materialPost(im *oldsite.Site, p *oldsite.Page, blog, base string) {
	when, ok := source.Date(source.TextAt(p.Front, "date/created", "date"))
	title := source.TextAt(p.Front, "title")
	if m := firstHeading.FindStringSubmatch(p.Body); title == "" && m != nil {
		title = convert.Plain(convert.GivenID.ReplaceAllString(m[1], ""))
	}
	p.Index = false
	p.Address = im.BasePath + "/" + blog + "/"
	if ok {
		p.Date = when
		p.Address += when.Format("2006/01/02/")
	}
	p.Address += source.Fallback(source.TextAt(p.Front, "slug"), source.Fallback(pythonID(title), base)) + "/"
}

var firstHeading = lazyregexp.New(`(?m)^[ \t]*#[ \t]+(.*)$`)

// mkdocsNav reads the order and the labels of pages from the navigation in the settings. It also adds the top-level
// entries to the site's navigation.
func mkdocsNav(im *oldsite.Site, dir string, nav *tree.Node) {
	bySource := map[string]*oldsite.Page{}
	for _, p := range im.Pages {
		bySource[p.Source] = p
	}
	bar := &oldsite.Sidebar{Site: im, Find: func(name string) *oldsite.Page { return bySource[path.Join(dir, name)] }}
	bar.Named(nav)
	for _, one := range source.Items(nav) {
		for _, m := range one.Members {
			if strings.Contains(source.Text(m.Value), "://") {
				im.Entry(m.Key, source.Text(m.Value))
			}
		}
	}
	for _, one := range source.Items(nav) {
		if len(one.Members) > 0 {
			if first := firstText(one.Members[0].Value, 0); !strings.Contains(first, "://") {
				im.Entry(one.Members[0].Key, first)
			}
		}
	}
}

// firstText returns the first nonempty string in a tree, or "" if there is none.
func firstText(n *tree.Node, depth int) string {
	if n == nil || depth > 20 {
		return ""
	}
	s := source.Text(n)
	for _, one := range n.Items {
		s = source.Fallback(s, firstText(one, depth+1))
	}
	for _, m := range n.Members {
		s = source.Fallback(s, firstText(m.Value, depth+1))
	}
	return s
}

var (
	snippetLine  = lazyregexp.New(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]+"([^"\n]+)"[ \t]*$`)
	snippetBlock = lazyregexp.New(`(?m)^([ \t]*)-{1,}8<-{1,}[ \t]*\n((?:[ \t]*\S.*\n)*?)[ \t]*-{1,}8<-{1,}[ \t]*$`)
	codeInclude  = lazyregexp.New(`(?m)^([ \t]*)\{\*[ \t]+(\S+)[ \t]*([^\n]*?)\*\}[ \t]*$`)
	codeLines    = lazyregexp.New(`\bln\[([^\]]*)\]`)
	macroLink    = lazyregexp.New(`!?\[([^\[\]]*)\]\([^()\n]*\{\{[^(){}\n]*\}\}[^()\n]*\)`)
	macro        = lazyregexp.New(`(?m)^[ \t]*<[A-Za-z][^\n]*\{\{[^{}\n]*\}\}[^\n]*>[ \t]*$|<[A-Za-z][^<>\n]*\{\{[^{}\n]*\}\}[^<>\n]*>|\{\{[^{}\n]*\}\}|\{%[^\n]*?%\}`)
	mkdocsMarks  = lazyregexp.New(`(?m)^\*\[[^\]\n]+\]:.*$|^[ \t]*-{1,}8<-{1,}.*$|^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]+|^[ \t]*/{3,}[ \t]*[\w -]*|^[ \t]*\{\*.*\*\}|^[ \t]+(?:type|open|attrs): .*$|\{[ \t]*[.#:][^{}\n]*\}|\{[ \t]*[\w-]+=[^{}\n]*\}|:(?:material|fontawesome|octicons|simple)-[\w-]+:`)
)

// mkdocsSnippets returns text with snippets inserted, even in code. If the site uses macros, mkdocsSnippets also
// replaces macros outside code with placeholders.
func mkdocsSnippets(c *convert.Converter, text string) string {
	site, _ := c.Site.Data.(*MkdocsSite)
	if site == nil {
		return text
	}
	find := func(name string) (string, bool) {
		file, spec, _ := strings.Cut(name, ":")
		s, _, ok := c.File(convert.Within(file, append(site.snippets, path.Dir(c.Page.Source))...), spec)
		return strings.TrimRight(s, "\n"), ok
	}
	put := func(indent, name, raw string) string {
		s, ok := find(name)
		if !ok {
			return indent + c.Missing("snippet", raw)
		}
		if strings.Contains(s, "8<") {
			c.Depth++
			s = mkdocsSnippets(c, s)
			c.Depth--
		}
		return indent + convert.Hanging(s, indent)
	}
	text = convert.ReplaceAll(snippetBlock, text, func(m []string) string {
		var parts []string
		for name := range strings.FieldsSeq(m[2]) {
			if !strings.HasPrefix(name, ";") {
				parts = append(parts, put(m[1], strings.Trim(name, `"`), m[0]))
			}
		}
		return strings.Join(parts, "\n")
	})
	text = convert.ReplaceAll(snippetLine, text, func(m []string) string { return put(m[1], m[2], m[0]) })
	text = convert.ReplaceAll(codeInclude, text, func(m []string) string {
		s, ok := find(m[2])
		if !ok {
			return m[1] + c.Missing("include", m[0])
		}
		if lines := codeLines.FindStringSubmatch(m[3]); lines != nil {
			var parts []string
			for spec := range strings.SplitSeq(lines[1], ",") {
				parts = append(parts, convert.LinesOf(s, strings.TrimSpace(spec)))
			}
			s = strings.Join(parts, "\n")
		}
		return m[1] + convert.Hanging(convert.CodeFence(strings.TrimPrefix(path.Ext(m[2]), "."), convert.Dedent(s)), m[1])
	})
	if !site.macros {
		return text
	}
	return convert.OutsideCode(text, false, func(s string) string {
		s = convert.ReplaceAll(macroLink, s, func(m []string) string { return m[1] })
		return convert.ReplaceAll(macro, s, func(m []string) string { return c.Missing("macro", m[0]) })
	})
}

var (
	pythonStrip = lazyregexp.New(`[^\p{L}\p{N}_\s-]`)
	pythonSpace = lazyregexp.New(`[-\s]+`)
)

// pythonID returns the anchor that Python-Markdown derives from a heading's text.
func pythonID(text string) string {
	s := strings.ToLower(pythonStrip.ReplaceAllString(text, ""))
	return strings.Trim(pythonSpace.ReplaceAllString(strings.TrimSpace(s), "-"), "-")
}
