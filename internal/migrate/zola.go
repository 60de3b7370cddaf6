package migrate

import (
	"path"
	"regexp"
	"strings"
)

// zola reads sites of Zola: https://www.getzola.org/documentation/content/overview/.
func zola() *kind {
	return &kind{name: "zola", detect: detectZola, read: readZola, syntax: syntax{expand: zolaShortcodes}}
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

func readZola(im *oldSite) error {
	config := im.settingsOf("config.toml", "zola.toml")
	im.readSettings(config, settingKeys{url: "base_url", title: "title", description: "description"})
	own := fallback(textAt(config, "default_language"), "en")
	im.language = languageTag(own)
	titles := map[string]string{}
	for _, m := range members(get(config, "languages")) {
		if m.Key != own {
			titles[m.Key] = textAt(m.Value, "title")
		}
	}
	used := map[string]bool{}
	im.content(path.Join(im.base, "content"), reading{file: zolaFile, page: func(p *page, rel string) {
		base, prefix := stem(rel), ""
		for tag := range titles {
			if rest, ok := strings.CutSuffix(base, "."+tag); ok {
				base, prefix, used[tag] = rest, "/"+tag, true
			}
		}
		at, slug := strings.TrimPrefix(zolaFile(path.Dir(rel)), "."), textAt(p.front, "slug")
		switch base {
		case "_index":
			p.index = true
		case "index":
			p.index = true
			if when, rest, ok := cutDate(path.Base(at)); ok {
				p.date, at = when, path.Join(path.Dir(at), rest)
			}
			if slug != "" {
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
		p.unlisted = isFalse(get(p.front, "render"))
	}})
	im.bundles()
	for _, tag := range sortedKeys(titles) {
		if used[tag] {
			im.languages = append(im.languages, language{tag, titles[tag]})
		}
	}
	im.statics(path.Join(im.base, "static"), "/", "static")
	for _, key := range []string{"menu", "nav"} {
		if len(im.navigation) == 0 {
			im.menu(get(config, "extra", key))
		}
	}
	return nil
}

// zolaFile is the address of a folder or file: white space in folders becomes "-".
func zolaFile(rel string) string {
	dir, base := path.Split(rel)
	if path.Ext(base) == "" {
		base = strings.ReplaceAll(base, " ", "-")
	}
	return strings.ReplaceAll(dir, " ", "-") + base
}

// zolaShortcodes replaces "{{ name(…) }}" and "{% name(…) %} … {% end %}".
func zolaShortcodes(c *conv, text string) string {
	// In code Zola runs them too, but what is written about them is escaped, and all
	// else is seldom meant.
	return c.calls(text, "{", readZolaCall, func(*tag, string, bool, bool) (string, bool) { return "", false })
}

func readZolaCall(text string, i int) (*tag, int, string) {
	m := zolaCall.FindStringSubmatch(text[i:min(len(text), i+200)])
	if m == nil {
		return nil, 0, ""
	}
	end := strings.Replace(strings.Replace(m[1], "{{", "}}", 1), "{%", "%}", 1)
	if m[2] == "/*" {
		stop := strings.Index(text[i:], "*/"+end)
		if stop < 0 {
			return nil, 0, ""
		}
		return nil, i + stop + 4, m[1] + text[i+4:i+stop] + end
	}
	if m[3] != "" {
		return &tag{form: closing, name: "{"}, i + len(m[0]), ""
	}
	attrs, at, _ := arguments(text, i+len(m[0]), ")")
	if at < 0 {
		return nil, 0, ""
	}
	stop := strings.Index(text[at:min(len(text), at+20)], end)
	if stop < 0 || strings.Trim(text[at:at+stop], "- \t\n") != "" {
		return nil, 0, ""
	}
	t := &tag{name: "{" + m[4], attrs: attrs}
	if end == "}}" {
		t.form = alone
	}
	return t, at + stop + 2, ""
}

// zolaCall is the beginning of a call, a literal, or an end.
var zolaCall = regexp.MustCompile(`^(\{\{|\{%)(?:(/\*)|-?[ \t]*(end)[ \t]*-?%\}|[ \t-]*(\w+)\()`)
