package migrate

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
)

// vitepress reads sites of VitePress: https://vitepress.dev/guide/routing.
func vitepress() *kind {
	return &kind{name: "vitepress", detect: func(s *source) (string, bool) {
		for _, name := range s.names {
			if i := strings.Index(name, ".vitepress/config"); i >= 0 && strings.Count(name[:i], "/") < 4 && (i == 0 || name[i-1] == '/') {
				return path.Clean(name[:i] + "."), true
			}
		}
		return ".", false
	}, read: readVitepress, expand: vitepressText, lines: directives, vue: true, docs: true, attrs: true, anchors: markdownItID}

}

func readVitepress(im *importer) error {
	config := &tree.Node{Kind: tree.Map}
	for _, dir := range []string{".vitepress/config", ".vitepress"} {
		for _, name := range im.src.below(path.Join(im.base, dir)) {
			base := stem(name)
			if path.Dir(name) != path.Join(im.base, dir) || dir == ".vitepress" && base != "config" {
				continue
			}
			if text, err := im.src.text(name); err == nil {
				mergeConfig(config, orMap(jsObject(text, "title", "themeConfig", "description", "locales", "srcDir")))
			}
		}
	}
	im.config = config
	im.title, im.description = textAt(config, "title"), textAt(config, "description")
	im.language = languageTag(fallback(textAt(config, "lang", "locales/root/lang"), "en"))
	im.siteAddress(textAt(config, "sitemap/hostname"))
	if base := strings.Trim(textAt(config, "base"), "/"); base != "" {
		im.basePath = "/" + base
	}
	dir, ok := inside(im.base, textAt(config, "srcDir"))
	if !ok {
		dir = im.base
	}
	rewrites := map[string]string{}
	if n := get(config, "rewrites"); n != nil {
		for _, m := range n.Members {
			rewrites[m.Key] = text(m.Value)
		}
	}
	clean := truthAt(config, "cleanUrls")
	im.contentDirs = []string{dir}
	excluded := texts(get(config, "srcExclude"))
	public := path.Join(dir, "public")
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if dir == "." {
			rel = name
		}
		if strings.Contains(rel, ".vitepress/") || strings.HasPrefix(name, public+"/") || globbed(rel, excluded) {
			continue
		}
		if !isPage(name) {
			if isAsset(name) {
				im.files = append(im.files, &file{source: name, address: im.basePath + "/" + rel, linked: true})
			}
			continue
		}
		if strings.Contains(rel, "[") {
			im.note(Note{File: name, What: "the pages that " + path.Base(name) + " makes", Why: "they come from a program", Do: "write them by hand"})
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		at := pageStem(rewritten(rel, rewrites))
		if strings.EqualFold(path.Base(at), "index") {
			p.index, at = true, strings.TrimSuffix(path.Dir(at), ".")
			p.address = im.basePath + strings.TrimSuffix("/"+at, "/") + "/"
		} else {
			p.address = im.basePath + "/" + at
			if !clean {
				p.address += ".html"
			}
		}
		im.vitepressHome(p)
		im.add(p)
	}
	im.statics(public, "/", "static")
	locales := map[string]string{}
	if n := get(config, "locales"); n != nil {
		for _, m := range n.Members {
			if m.Key != "root" {
				locales[m.Key] = textAt(m.Value, "lang")
			}
		}
	}
	im.localeFolders(dir, locales)
	im.vitepressMenus(config, dir)
	return nil
}

func orMap(n *tree.Node) *tree.Node {
	if n == nil || n.Kind != tree.Map {
		return &tree.Node{Kind: tree.Map}
	}
	return n
}

func globbed(rel string, patterns []string) bool {
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "**/")
		for _, s := range []string{rel, path.Base(rel)} {
			if ok, err := path.Match(p, s); err == nil && ok {
				return true
			}
		}
		if rest, ok := strings.CutSuffix(p, "/**"); ok && strings.HasPrefix(rel, rest+"/") {
			return true
		}
	}
	return false
}

// rewritten follows the settings' rewrites: "packages/:pkg/src/(.*)": ":pkg/…".
func rewritten(rel string, rewrites map[string]string) string {
	for _, from := range sortedStrings(rewrites) {
		to := rewrites[from]
		if from == rel {
			return to
		}
		if !strings.Contains(from, ":") {
			continue
		}
		pattern := "^" + rewriteName.ReplaceAllStringFunc(regexp.QuoteMeta(from), func(m string) string {
			name := rewriteName.FindStringSubmatch(m)[1]
			if strings.HasSuffix(m, `\(\.\*\)`) || strings.HasSuffix(m, `\*`) {
				return "(?P<" + name + ">.*)"
			}
			return "(?P<" + name + ">[^/]+)"
		}) + "$"
		re, err := regexp.Compile(pattern)
		if err != nil {
			continue
		}
		if m := re.FindStringSubmatch(rel); m != nil {
			for i, name := range re.SubexpNames() {
				if name != "" {
					to = strings.ReplaceAll(strings.ReplaceAll(to, ":"+name+"*", m[i]), ":"+name, m[i])
				}
			}
			return to
		}
	}
	return rel
}

var rewriteName = regexp.MustCompile(`:(\w+)(?:\\\(\\\.\\\*\\\)|\\\*)?`)

func sortedStrings(m map[string]string) []string {
	values := map[string]any{}
	for k := range m {
		values[k] = nil
	}
	return sortedKeys(values)
}

// vitepressHome writes what a home page of VitePress or Starlight says in its front
// matter as text.
func (im *importer) vitepressHome(p *page) {
	f := p.front
	if get(f, "hero") == nil && get(f, "features") == nil {
		return
	}
	var b strings.Builder
	if s := bare(textAt(f, "hero/text", "hero/title")); s != "" && s != textAt(f, "title") {
		b.WriteString(s + "\n\n")
	}
	if n := get(f, "hero", "actions"); n != nil {
		for _, a := range n.Items {
			fmt.Fprintf(&b, "- [%s](%s)\n", textAt(a, "text"), destination(textAt(a, "link")))
		}
		b.WriteString("\n")
	}
	if n := get(f, "features"); n != nil && len(n.Items) > 0 {
		b.WriteString(sign + ":::cards\n")
		for _, one := range n.Items {
			b.WriteString(container("card", bare(textAt(one, "title")), attributes("link", textAt(one, "link")), textAt(one, "details")).text + "\n")
		}
		b.WriteString(sign + ":::\n\n")
	}
	p.body = b.String() + p.body
	p.title = fallback(textAt(f, "hero/name", "title"), im.title)
}

func (im *importer) vitepressMenus(config *tree.Node, dir string) {
	find := func(address string) *page { return im.atSlug(cleanAddress(strings.TrimSuffix(address, ".md"))) }
	order := &sidebarOrder{im: im, find: find}
	for _, at := range [][]string{{"themeConfig"}, {"locales", "root", "themeConfig"}} {
		theme := get(config, at...)
		if n := get(theme, "nav"); n != nil && len(im.navigation) == 0 {
			for _, one := range n.Items {
				if label, to := textAt(one, "text"), textAt(one, "link"); label != "" && to != "" {
					im.navigation = append(im.navigation, item{label, to})
				}
			}
		}
		order.walk(get(theme, "sidebar"), 0)
	}
}

var (
	vueInclude = regexp.MustCompile(`<!--\s*@include:\s*([^\s{#]+)(#[\w-]+)?(?:\{([^}]*)\})?\s*-->`)
	vueSnippet = regexp.MustCompile(`(?m)^([ \t]*)<<<[ \t]*(@?[^\s\[{#]+)(#[\w-]+)?(?:\s*\{([^}\n]*)\})?[ \t]*(?:\[([^\]\n]*)\])?[ \t]*$`)
	vueValue   = regexp.MustCompile(`\{\{\s*(.*?)\s*\}\}`)
	tocLine    = regexp.MustCompile(`(?im)^[ \t]*(?:\[\[_?toc_?\]\]|\[toc\]|\$\{toc\}|\{:toc\}|<!-- toc -->)[ \t]*$`)
)

// vitepressText puts includes and snippets into a text, and the values that are known.
func vitepressText(c *conv, text string) string {
	text = vueInclude.ReplaceAllStringFunc(text, func(m string) string {
		part := vueInclude.FindStringSubmatch(m)
		s, ok := c.snippet(part[1], strings.TrimPrefix(part[2], "#"), part[3])
		if !ok {
			return c.leave(&tag{form: alone, name: "{include", raw: m})
		}
		_, s, _, _ = splitFront(s)
		return c.part(strings.TrimRight(s, "\n"))
	})
	text = outsideBlocks(text, func(s string) string {
		s = vueSnippet.ReplaceAllStringFunc(s, func(m string) string {
			part := vueSnippet.FindStringSubmatch(m)
			code, ok := c.snippet(part[2], strings.TrimPrefix(part[3], "#"), "")
			if !ok {
				return part[1] + c.leave(&tag{form: alone, name: "{snippet", raw: strings.TrimSpace(m)})
			}
			language := strings.TrimPrefix(path.Ext(part[2]), ".")
			if words := strings.Fields(part[4]); len(words) > 0 && regexp.MustCompile(`^[a-z]+$`).MatchString(words[len(words)-1]) {
				language = words[len(words)-1]
			}
			title := part[5]
			if title == "" {
				title = path.Base(part[2])
			}
			return part[1] + hanging(codeFence(language+" ["+title+"]", dedent(code)), part[1])
		})
		return tocLine.ReplaceAllString(s, "")
	})
	return outsideCode(text, false, func(s string) string {
		return vueValue.ReplaceAllStringFunc(s, func(m string) string {
			code := vueValue.FindStringSubmatch(m)[1]
			if v, ok := c.constant(code); ok {
				return v
			}
			return c.leave(&tag{form: alone, name: "{interpolation", raw: m})
		})
	})
}

// outsideBlocks is outsideCode that leaves spans as they are.
func outsideBlocks(text string, change func(string) string) string {
	var out, run strings.Builder
	f := newFences(true)
	for line := range strings.Lines(text) {
		if f.line(strings.TrimSuffix(line, "\n")) {
			out.WriteString(change(run.String()))
			run.Reset()
			out.WriteString(line)
			continue
		}
		run.WriteString(line)
	}
	out.WriteString(change(run.String()))
	return out.String()
}

// snippet reads a file or a part of one: a region by its name, or lines "3,7".
func (c *conv) snippet(name, region, lines string) (string, bool) {
	for _, full := range c.candidates(strings.Replace(name, "@/", "/", 1)) {
		text, err := c.im.src.text(full)
		if err != nil {
			continue
		}
		c.im.includes[full] = true
		if region != "" {
			var ok bool
			if text, ok = regionOf(text, region); !ok {
				return "", false
			}
		}
		if lines != "" {
			text = linesOf(text, strings.ReplaceAll(lines, ",", ":"))
		}
		return text, true
	}
	return "", false
}

// regionOf is the part of a file between the marks of a region, as editors and mdBook
// write them; without such marks a heading's section.
func regionOf(text, name string) (string, bool) {
	var out []string
	in, found := false, false
	open := regexp.MustCompile(`(?:#?region|ANCHOR:|--8<--\s*\[start:)\s*\b?` + regexp.QuoteMeta(name) + `\b`)
	end := regexp.MustCompile(`(?:#?endregion|ANCHOR_END:|--8<--\s*\[end:)\s*(?:` + regexp.QuoteMeta(name) + `\b|-->|\*/|$)`)
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case in && end.MatchString(line):
			in = false
		case open.MatchString(line) && !strings.Contains(line, "end"+"region"):
			in, found = true, true
		case in && !anchorMark.MatchString(line):
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n"), found
}

// anchorMark is a line that only marks a region.
var anchorMark = regexp.MustCompile(`\b(?:ANCHOR|ANCHOR_END):\s*[\w-]+|--8<--\s*\[(?:start|end):`)

// linesOf are the lines of a range "from:to" that counts from 1.
func linesOf(text, spec string) string {
	lines := strings.Split(text, "\n")
	from, to, isRange := strings.Cut(spec, ":")
	first, last := 1, len(lines)
	if n, err := strconv.Atoi(strings.TrimSpace(from)); err == nil && n > 0 {
		first = n
	}
	if n, err := strconv.Atoi(strings.TrimSpace(to)); err == nil && n > 0 {
		last = n
	} else if !isRange {
		last = first
	}
	first, last = min(first, len(lines)+1), min(last, len(lines))
	if first > last {
		return ""
	}
	return strings.Join(lines[first-1:last], "\n")
}

var (
	markdownItSpecial = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'“”‘’<>,.?/]+")
	dashes            = regexp.MustCompile(`-{2,}`)
)

// markdownItID makes an anchor as VitePress does.
func markdownItID(text string) string {
	s := markdownItSpecial.ReplaceAllString(text, "-")
	s = strings.Trim(dashes.ReplaceAllString(s, "-"), "-")
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		s = "_" + s
	}
	return strings.ToLower(s)
}
