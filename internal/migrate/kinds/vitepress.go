package kinds

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Vitepress returns the kind for VitePress sites. See https://vitepress.dev/guide/routing.
func Vitepress() *oldsite.Kind {
	return &oldsite.Kind{Name: "vitepress", Detect: oldsite.ByPath(".vitepress/config"), Read: readVitepress, Docs: true, Syntax: convert.Syntax{
		Expand: vitepressText, Lines: convert.Directives, Vue: true, Attrs: true, Anchors: markdownItID}}
}

func readVitepress(im *oldsite.Site) error {
	config := source.EmptyMap()
	for _, dir := range []string{".vitepress/config", ".vitepress"} {
		full := path.Join(im.Base, dir)
		// If there is an index file, it imports the settings of each language, so skip the language files.
		indexed := im.Src.FirstOf(scripts(path.Join(full, "index"))...) != ""
		for _, name := range im.Src.Below(full) {
			stem := source.Stem(name)
			if path.Dir(name) != full || dir == ".vitepress" && stem != "config" || indexed && stem != "config" && oldsite.IsLocale(stem) {
				continue
			}
			mergeConfig(config, source.OrMap(im.Js(name, "title", "themeConfig", "description", "locales", "srcDir")))
		}
	}
	im.ReadSettings(config, oldsite.SettingKeys{Url: "sitemap/hostname", Base: "base", Title: "title", Description: "description", Language: "lang locales/root/lang"})
	im.Language = source.Fallback(im.Language, "en")
	dir, ok := source.Inside(im.Base, source.TextAt(config, "srcDir"))
	if !ok {
		dir = im.Base
	}
	rewrites, locales := map[string]string{}, map[string]string{}
	for _, m := range source.Members(source.Get(config, "rewrites")) {
		rewrites[m.Key] = source.Text(m.Value)
	}
	for _, m := range source.Members(source.Get(config, "locales")) {
		if m.Key != "root" {
			locales[m.Key] = source.TextAt(m.Value, "lang")
		}
	}
	end := ".html"
	if source.TruthAt(config, "cleanUrls") {
		end = ""
	}
	excluded, public := source.Texts(source.Get(config, "srcExclude")), path.Join(dir, "public")
	im.Content(dir, oldsite.Rules{Linked: true, Assets: true, Skip: func(name, rel string) bool {
		if strings.Contains(rel, ".vitepress/") || strings.HasPrefix(name, public+"/") || globbed(rel, excluded) {
			return true
		}
		if source.IsPage(name) && strings.Contains(rel, "[") {
			im.Program(name, "the pages that "+path.Base(name)+" generates")
			return true
		}
		return false
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rewritten(rel, rewrites)), end, "index")
		vitepressHome(im, p)
	}})
	im.Statics(public, "/", "static")
	im.LocaleFolders(dir, locales)
	order := &oldsite.Sidebar{Site: im, Find: func(address string) *oldsite.Page { return im.AtSlug(strings.TrimSuffix(address, ".md")) }}
	for _, at := range [][]string{{"themeConfig"}, {"locales", "root", "themeConfig"}} {
		theme := source.Get(config, at...)
		if len(im.Navigation) == 0 {
			im.Menu(source.Get(theme, "nav"))
		}
		order.Read(source.Get(theme, "sidebar"))
	}
	for _, m := range source.Members(source.Get(config, "locales")) {
		// The sidebars of translations contain the labels and the order of their pages.
		if m.Key != "root" {
			(&oldsite.Sidebar{Find: order.Find}).Read(source.Get(m.Value, "themeConfig", "sidebar"))
		}
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

// rewritten returns rel after the rewrites in the settings, such as "packages/:pkg/src/(.*)": ":pkg/…".
func rewritten(rel string, rewrites map[string]string) string {
	for _, from := range source.SortedKeys(rewrites) {
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

var rewriteName = lazyregexp.New(`:(\w+)(?:\\\(\\\.\\\*\\\)|\\\*)?`)

// vitepressHome converts the front matter of a VitePress or Starlight home page into text.
func vitepressHome(im *oldsite.Site, p *oldsite.Page) {
	f := p.Front
	if source.Get(f, "hero") == nil && source.Get(f, "features") == nil {
		return
	}
	var b strings.Builder
	if s := convert.Bare(source.TextAt(f, "hero/text", "hero/title")); s != "" && s != source.TextAt(f, "title") {
		b.WriteString(s + "\n\n")
	}
	for _, a := range source.Items(source.Get(f, "hero", "actions")) {
		fmt.Fprintf(&b, "- [%s](%s)\n", source.TextAt(a, "text"), convert.Destination(source.TextAt(a, "link")))
	}
	var cards strings.Builder
	for _, one := range source.Items(source.Get(f, "features")) {
		cards.WriteString(convert.Container("card", convert.Bare(source.TextAt(one, "title")), convert.Attributes("link", source.TextAt(one, "link")), source.TextAt(one, "details")).Text + "\n")
	}
	if cards.Len() > 0 {
		b.WriteString("\n" + convert.Container("cards", "", "", cards.String()).Text + "\n")
	}
	p.Body = b.String() + "\n" + p.Body
	p.Title = source.Fallback(source.TextAt(f, "hero/name", "title"), im.Title)
}

var (
	vueInclude = lazyregexp.New(`<!--\s*@include:\s*([^\s{#]+)(?:#([\w-]+))?(?:\{([^}]*)\})?\s*-->`)
	vueSnippet = lazyregexp.New(`(?m)^([ \t]*)<<<[ \t]*(@?[^\s\[{#]+)(?:#([\w-]+))?(?:\s*\{([^}\n]*)\})?[ \t]*(?:\[([^\]\n]*)\])?[ \t]*$`)
	vueValue   = lazyregexp.New(`\{\{\s*(.*?)\s*\}\}`)
	vueWord    = lazyregexp.New(`(?:^|\s)([a-z]+)\s*$`)
	tocLine    = lazyregexp.New(`(?im)^[ \t]*(?:\[\[_?toc_?\]\]|\[toc\]|\$\{toc\}|\{:toc\}|<!-- toc -->)[ \t]*$`)
)

// vitepressText returns text with includes, code snippets, and the values of constant interpolations inserted. It also
// removes the markers of tables of contents, and rewrites anchors with custom delimiters to use braces.
func vitepressText(c *convert.Converter, text string) string {
	text = convert.ReplaceAll(vueInclude, text, func(m []string) string {
		s, _, ok := c.File(c.Candidates(strings.Replace(m[1], "@/", "/", 1)), source.Fallback(m[2], strings.ReplaceAll(m[3], ",", ":")))
		if !ok {
			return c.Missing("include", m[0])
		}
		_, s, _ = source.SplitFront(s)
		return c.Part(strings.TrimRight(s, "\n"))
	})
	text = convert.OutsideBlocks(text, true, func(s string) string {
		s = convert.ReplaceAll(vueSnippet, s, func(m []string) string {
			code, _, ok := c.File(c.Candidates(strings.Replace(m[2], "@/", "/", 1)), m[3])
			if !ok {
				return m[1] + c.Missing("snippet", m[0])
			}
			language := strings.TrimPrefix(path.Ext(m[2]), ".")
			if word := vueWord.FindStringSubmatch(m[4]); word != nil {
				language = word[1]
			}
			return m[1] + convert.Hanging(convert.CodeFence(language+" ["+source.Fallback(m[5], path.Base(m[2]))+"]", convert.Dedent(code)), m[1])
		})
		return tocLine.ReplaceAllString(s, "")
	})
	if left, right := vitepressAttrs(c.Site.Config); left != "" {
		text = convert.OutsideCode(text, true, func(s string) string {
			return regexp.MustCompile(regexp.QuoteMeta(left)+`(#[\w-]+)`+regexp.QuoteMeta(right)).ReplaceAllString(s, "{$1}")
		})
	}
	return convert.OutsideCode(text, false, func(s string) string {
		return convert.ReplaceAll(vueValue, s, func(m []string) string {
			if v, ok := c.Constant(m[1]); ok {
				return v
			}
			return c.Missing("interpolation", m[0])
		})
	})
}

// vitepressAttrs returns the delimiters of attribute lists according to the settings, or "" if the site uses the
// default delimiters.
func vitepressAttrs(config *tree.Node) (left, right string) {
	left = source.TextAt(config, "markdown/attrs/leftDelimiter", "markdown/attrs/left")
	right = source.TextAt(config, "markdown/attrs/rightDelimiter", "markdown/attrs/right")
	if right == "" || left == "{" {
		return "", ""
	}
	return left, right
}

var (
	markdownItSpecial = lazyregexp.New("[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'“”‘’<>,.?/]+")
	firstDigit        = lazyregexp.New(`^[0-9]`)
)

// markdownItID returns the anchor that VitePress derives from a heading's text.
func markdownItID(text string) string {
	s := strings.Trim(markdownItSpecial.ReplaceAllString(text, "-"), "-")
	return strings.ToLower(firstDigit.ReplaceAllString(s, "_$0"))
}
