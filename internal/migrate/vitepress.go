package migrate

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// vitepress reads sites of VitePress: https://vitepress.dev/guide/routing.
func vitepress() *kind {
	return &kind{name: "vitepress", detect: byPath(".vitepress/config"), read: readVitepress, docs: true, syntax: syntax{
		expand: vitepressText, lines: directives, vue: true, attrs: true, anchors: markdownItID}}
}

func readVitepress(im *oldSite) error {
	config := emptyMap()
	for _, dir := range []string{".vitepress/config", ".vitepress"} {
		full := path.Join(im.base, dir)
		for _, name := range im.src.below(full) {
			if path.Dir(name) != full || dir == ".vitepress" && stem(name) != "config" {
				continue
			}
			if text, err := im.src.text(name); err == nil {
				mergeConfig(config, orMap(jsObject(text, "title", "themeConfig", "description", "locales", "srcDir")))
			}
		}
	}
	im.readSettings(config, settingKeys{url: "sitemap/hostname", base: "base", title: "title", description: "description", language: "lang locales/root/lang"})
	im.language = fallback(im.language, "en")
	dir, ok := inside(im.base, textAt(config, "srcDir"))
	if !ok {
		dir = im.base
	}
	rewrites, locales := map[string]string{}, map[string]string{}
	for _, m := range members(get(config, "rewrites")) {
		rewrites[m.Key] = text(m.Value)
	}
	for _, m := range members(get(config, "locales")) {
		if m.Key != "root" {
			locales[m.Key] = textAt(m.Value, "lang")
		}
	}
	end := ".html"
	if truthAt(config, "cleanUrls") {
		end = ""
	}
	excluded, public := texts(get(config, "srcExclude")), path.Join(dir, "public")
	im.content(dir, reading{linked: true, assets: true, skip: func(name, rel string) bool {
		if strings.Contains(rel, ".vitepress/") || strings.HasPrefix(name, public+"/") || globbed(rel, excluded) {
			return true
		}
		if isPage(name) && strings.Contains(rel, "[") {
			im.program(name, "the pages that "+path.Base(name)+" makes")
			return true
		}
		return false
	}, page: func(p *page, rel string) {
		im.stand(p, pageStem(rewritten(rel, rewrites)), end, "index")
		im.vitepressHome(p)
	}})
	im.statics(public, "/", "static")
	im.localeFolders(dir, locales)
	order := &sidebar{find: func(address string) *page { return im.atSlug(strings.TrimSuffix(address, ".md")) }}
	for _, at := range [][]string{{"themeConfig"}, {"locales", "root", "themeConfig"}} {
		theme := get(config, at...)
		if len(im.navigation) == 0 {
			im.menu(get(theme, "nav"))
		}
		order.walk(get(theme, "sidebar"), 0)
	}
	return nil
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
	for _, from := range sortedKeys(rewrites) {
		re, err := regexp.Compile("^" + rewriteName.ReplaceAllStringFunc(regexp.QuoteMeta(from), func(m string) string {
			name, any := rewriteName.FindStringSubmatch(m)[1], "[^/]+"
			if strings.HasSuffix(m, `\*`) || strings.HasSuffix(m, `\)`) {
				any = ".*"
			}
			return "(?P<" + name + ">" + any + ")"
		}) + "$")
		if err != nil {
			continue
		}
		if m := re.FindStringSubmatch(rel); m != nil {
			to := rewrites[from]
			for i, name := range re.SubexpNames()[1:] {
				to = strings.NewReplacer(":"+name+"*", m[i+1], ":"+name, m[i+1]).Replace(to)
			}
			return to
		}
	}
	return rel
}

var rewriteName = regexp.MustCompile(`:(\w+)(?:\\\(\\\.\\\*\\\)|\\\*)?`)

// vitepressHome writes what a home page of VitePress or Starlight says in its front
// matter as text.
func (im *oldSite) vitepressHome(p *page) {
	f := p.front
	if get(f, "hero") == nil && get(f, "features") == nil {
		return
	}
	var b strings.Builder
	if s := bare(textAt(f, "hero/text", "hero/title")); s != "" && s != textAt(f, "title") {
		b.WriteString(s + "\n\n")
	}
	for _, a := range items(get(f, "hero", "actions")) {
		fmt.Fprintf(&b, "- [%s](%s)\n", textAt(a, "text"), destination(textAt(a, "link")))
	}
	var cards strings.Builder
	for _, one := range items(get(f, "features")) {
		cards.WriteString(container("card", bare(textAt(one, "title")), attributes("link", textAt(one, "link")), textAt(one, "details")).text + "\n")
	}
	if cards.Len() > 0 {
		b.WriteString("\n" + container("cards", "", "", cards.String()).text + "\n")
	}
	p.body = b.String() + "\n" + p.body
	p.title = fallback(textAt(f, "hero/name", "title"), im.title)
}

var (
	vueInclude = regexp.MustCompile(`<!--\s*@include:\s*([^\s{#]+)(?:#([\w-]+))?(?:\{([^}]*)\})?\s*-->`)
	vueSnippet = regexp.MustCompile(`(?m)^([ \t]*)<<<[ \t]*(@?[^\s\[{#]+)(?:#([\w-]+))?(?:\s*\{([^}\n]*)\})?[ \t]*(?:\[([^\]\n]*)\])?[ \t]*$`)
	vueValue   = regexp.MustCompile(`\{\{\s*(.*?)\s*\}\}`)
	vueWord    = regexp.MustCompile(`(?:^|\s)([a-z]+)\s*$`)
	tocLine    = regexp.MustCompile(`(?im)^[ \t]*(?:\[\[_?toc_?\]\]|\[toc\]|\$\{toc\}|\{:toc\}|<!-- toc -->)[ \t]*$`)
)

// vitepressText puts includes and snippets into a text, and the values that are known.
func vitepressText(c *conv, text string) string {
	text = replaceAll(vueInclude, text, func(m []string) string {
		s, _, ok := c.file(c.candidates(strings.Replace(m[1], "@/", "/", 1)), fallback(m[2], strings.ReplaceAll(m[3], ",", ":")))
		if !ok {
			return c.missing("include", m[0])
		}
		_, s, _ = splitFront(s)
		return c.part(strings.TrimRight(s, "\n"))
	})
	text = outsideBlocks(text, true, func(s string) string {
		s = replaceAll(vueSnippet, s, func(m []string) string {
			code, _, ok := c.file(c.candidates(strings.Replace(m[2], "@/", "/", 1)), m[3])
			if !ok {
				return m[1] + c.missing("snippet", m[0])
			}
			language := strings.TrimPrefix(path.Ext(m[2]), ".")
			if word := vueWord.FindStringSubmatch(m[4]); word != nil {
				language = word[1]
			}
			return m[1] + hanging(codeFence(language+" ["+fallback(m[5], path.Base(m[2]))+"]", dedent(code)), m[1])
		})
		return tocLine.ReplaceAllString(s, "")
	})
	return outsideCode(text, false, func(s string) string {
		return replaceAll(vueValue, s, func(m []string) string {
			if v, ok := c.constant(m[1]); ok {
				return v
			}
			return c.missing("interpolation", m[0])
		})
	})
}

var (
	markdownItSpecial = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'“”‘’<>,.?/]+")
	firstDigit        = regexp.MustCompile(`^[0-9]`)
)

// markdownItID makes an anchor as VitePress does.
func markdownItID(text string) string {
	s := strings.Trim(markdownItSpecial.ReplaceAllString(text, "-"), "-")
	return strings.ToLower(firstDigit.ReplaceAllString(s, "_$0"))
}
