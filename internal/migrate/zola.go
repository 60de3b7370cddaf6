package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// zola reads sites of Zola: https://www.getzola.org/documentation/content/overview/.
func zola() *kind {
	return &kind{name: "zola", detect: detectZola, read: readZola, expand: zolaShortcodes, attrs: false}
}

func detectZola(s *source) (string, bool) {
	if name := findConfig(s, "zola.toml"); name != "" {
		return path.Dir(name), true
	}
	for _, name := range s.names {
		if path.Base(name) != "config.toml" || strings.Count(name, "/") > 2 || !s.hasFolder(path.Join(path.Dir(name), "content")) {
			continue
		}
		if text, err := s.text(name); err == nil && zolaBase.MatchString(text) {
			return path.Dir(name), true
		}
	}
	return ".", false
}

var zolaBase = regexp.MustCompile(`(?m)^\s*base_url\s*=`)

func readZola(im *importer) error {
	config := &tree.Node{Kind: tree.Map}
	if name := im.src.firstOf(path.Join(im.base, "config.toml"), path.Join(im.base, "zola.toml")); name != "" {
		read, err := im.src.data(name)
		if err != nil {
			im.failed(name, "the settings", err)
		} else {
			config = read
		}
	}
	im.config = config
	im.siteAddress(textAt(config, "base_url"))
	im.title, im.description = textAt(config, "title"), textAt(config, "description")
	default_ := fallback(textAt(config, "default_language"), "en")
	im.language = languageTag(default_)
	titles := map[string]string{}
	if n := get(config, "languages"); n != nil {
		for _, m := range n.Members {
			if m.Key != default_ {
				titles[m.Key] = textAt(m.Value, "title")
			}
		}
	}
	dir := path.Join(im.base, "content")
	im.contentDirs = []string{dir}
	used := map[string]bool{}
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if !isPage(name) {
			im.files = append(im.files, &file{source: name, address: im.basePath + "/" + zolaFile(rel), linked: !isAsset(name)})
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		base, prefix := stem(name), ""
		for _, tag := range sortedStrings(titles) {
			if rest, ok := strings.CutSuffix(base, "."+tag); ok {
				base, prefix = rest, "/"+tag
				used[tag] = true
			}
		}
		at := path.Dir(rel)
		if at == "." {
			at = ""
		}
		at = zolaFile(at)
		slug := textAt(p.front, "slug")
		switch base {
		case "_index", "index":
			p.index = true
			if when, rest, ok := cutDate(path.Base(at)); ok && base == "index" {
				p.date, at = when, path.Join(path.Dir(at), rest)
			}
			if slug != "" && base == "index" {
				at = path.Join(path.Dir(at), slug)
			}
		default:
			if when, rest, ok := cutDate(base); ok {
				p.date, base = when, rest
			}
			at = path.Join(at, fallback(slug, sluggish(base)))
		}
		p.address = im.basePath + strings.TrimSuffix(prefix+"/"+at, "/") + "/"
		if own := textAt(p.front, "path"); own != "" && base != "_index" {
			p.address = im.basePath + "/" + strings.Trim(own, "/") + "/"
		}
		if isFalse(get(p.front, "render")) {
			p.unlisted = true
		}
		im.add(p)
	}
	im.bundles()
	for _, tag := range sortedStrings(titles) {
		if used[tag] {
			im.languages = append(im.languages, language{tag, titles[tag]})
		}
	}
	im.statics(path.Join(im.base, "static"), "/", "static")
	if n := get(config, "extra", "menu"); n != nil {
		im.zolaMenu(n)
	} else if n := get(config, "extra", "nav"); n != nil {
		im.zolaMenu(n)
	}
	return nil
}

func (im *importer) zolaMenu(n *tree.Node) {
	for _, m := range n.Items {
		if label, to := textAt(m, "name", "title", "label"), textAt(m, "url", "path", "link"); label != "" && to != "" {
			im.navigation = append(im.navigation, item{label, strings.ReplaceAll(to, "$BASE_URL", "")})
		}
	}
}

// zolaFile is the address of a folder or file: each part is made a slug.
func zolaFile(rel string) string {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if i < len(parts)-1 || path.Ext(part) == "" {
			parts[i] = strings.ReplaceAll(strings.TrimSpace(part), " ", "-")
		}
	}
	return strings.Join(parts, "/")
}

// zolaShortcodes replaces "{{ name(…) }}" and "{% name(…) %} … {% end %}".
func zolaShortcodes(c *conv, text string) string {
	list := readCalls(text, "{", readZolaCall)
	if len(list) == 0 {
		return text
	}
	mask := codeMask(text)
	return writeCalls(text, list, 0, len(text), 0, len(list), func(one call, paired bool, inner string) string {
		t := one.tag
		switch {
		case t.name == "literal":
			return t.inner
		case t.form == closing:
			return ""
		case mask[one.from]:
			// In code Zola runs them too, but what is written about them is escaped,
			// and all else is seldom meant.
			c.note(t.raw, "a shortcode in code", "it is this site's own", "write what it shows")
			if paired {
				return t.raw + inner + "{% end %}"
			}
			return t.raw
		}
		return c.marked(t, paired, inner)
	})
}

func readZolaCall(text string, i int) (*tag, int, string) {
	rest := text[i:]
	if len(rest) < 6 {
		return nil, 0, ""
	}
	end := ""
	switch rest[:2] {
	case "{{":
		end = "}}"
	case "{%":
		end = "%}"
	default:
		return nil, 0, ""
	}
	j := i + 2
	if strings.HasPrefix(rest[2:], "/*") {
		stop := strings.Index(rest, "*/"+end)
		if stop < 0 {
			return nil, 0, ""
		}
		return nil, i + stop + 4, rest[:2] + rest[4:stop] + end
	}
	for j < len(text) && (text[j] == ' ' || text[j] == '-' || text[j] == '\t') {
		j++
	}
	from := j
	for j < len(text) && (isNameByte(text[j]) || text[j] == '_') {
		j++
	}
	word := text[from:j]
	if end == "%}" && word == "end" {
		if stop := strings.Index(text[j:], end); stop >= 0 && stop < 4 {
			return &tag{form: closing, name: "{"}, j + stop + 2, ""
		}
	}
	if word == "" || j >= len(text) || text[j] != '(' {
		return nil, 0, ""
	}
	attrs, at, _ := arguments(text, j+1, ")")
	if at < 0 {
		return nil, 0, ""
	}
	stop := strings.Index(text[at:], end)
	if stop < 0 || strings.TrimSpace(strings.Trim(text[at:at+stop], "-")) != "" {
		return nil, 0, ""
	}
	t := &tag{name: "{" + word, attrs: attrs}
	if end == "}}" {
		t.form = alone
	}
	return t, at + stop + 2, ""
}
