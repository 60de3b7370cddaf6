package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Zola returns the kind for Zola sites. See https://www.getzola.org/documentation/content/overview/.
func Zola() *oldsite.Kind {
	return &oldsite.Kind{Name: "zola", Detect: detectZola, Read: readZola, Syntax: convert.Syntax{Expand: zolaShortcodes}}
}

func detectZola(s *source.Folder) (string, bool) {
	if name := oldsite.FindConfig(s, "zola.toml"); name != "" {
		return path.Dir(name), true
	}
	for _, name := range s.Names {
		if path.Base(name) != "config.toml" || strings.Count(name, "/") > 2 || !s.HasFolder(path.Join(path.Dir(name), "content")) {
			continue
		}
		if text, err := s.Text(name); err == nil && zolaBase.MatchString(text) {
			return path.Dir(name), true
		}
	}
	return ".", false
}

var zolaBase = lazyregexp.New(`(?m)^\s*base_url\s*=`)

func readZola(im *oldsite.Site) error {
	config := im.SettingsOf("config.toml", "zola.toml")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "base_url", Title: "title", Description: "description"})
	own := source.Fallback(source.TextAt(config, "default_language"), "en")
	im.Language = oldsite.LanguageTag(own)
	titles := map[string]string{}
	for _, m := range source.Members(source.Get(config, "languages")) {
		if m.Key != own {
			titles[m.Key] = source.TextAt(m.Value, "title")
		}
	}
	used := map[string]bool{}
	im.Content(path.Join(im.Base, "content"), oldsite.Rules{File: zolaFile, Page: func(p *oldsite.Page, rel string) {
		base, prefix := source.Stem(rel), ""
		for tag := range titles {
			if rest, ok := strings.CutSuffix(base, "."+tag); ok {
				base, prefix, used[tag] = rest, "/"+tag, true
			}
		}
		at, slug := strings.TrimPrefix(zolaFile(path.Dir(rel)), "."), source.TextAt(p.Front, "slug")
		switch base {
		case "_index":
			p.Index = true
		case "index":
			p.Index = true
			if when, rest, ok := source.CutDate(path.Base(at)); ok {
				p.Date, at = when, path.Join(path.Dir(at), rest)
			}
			if slug != "" {
				at = path.Join(path.Dir(at), slug)
			}
		default:
			if when, rest, ok := source.CutDate(base); ok {
				p.Date, base = when, rest
			}
			at = path.Join(at, source.Fallback(slug, source.Sluggish(base)))
		}
		p.Address = im.BasePath + strings.TrimSuffix(prefix+"/"+at, "/") + "/"
		if own := source.TextAt(p.Front, "path"); own != "" && base != "_index" {
			p.Address = im.BasePath + "/" + strings.Trim(own, "/") + "/"
		}
		p.Unlisted = source.IsFalse(source.Get(p.Front, "render"))
	}})
	bundles(im)
	for _, tag := range source.SortedKeys(titles) {
		if used[tag] {
			im.Languages = append(im.Languages, oldsite.Language{Tag: tag, Title: titles[tag]})
		}
	}
	im.Statics(path.Join(im.Base, "static"), "/", "static")
	for _, key := range []string{"menu", "nav"} {
		if len(im.Navigation) == 0 {
			im.Menu(source.Get(config, "extra", key))
		}
	}
	return nil
}

// zolaFile returns the URL path that Zola gives the folder or file rel. Spaces in folder names become "-".
func zolaFile(rel string) string {
	dir, base := path.Split(rel)
	if path.Ext(base) == "" {
		base = strings.ReplaceAll(base, " ", "-")
	}
	return strings.ReplaceAll(dir, " ", "-") + base
}

// zolaShortcodes returns text with placeholders for shortcodes: "{{ name(…) }}" and "{% name(…) %} … {% end %}".
func zolaShortcodes(c *convert.Converter, text string) string {
	// Zola also runs shortcodes in code. However, documentation about shortcodes escapes them, and authors rarely
	// intend unescaped shortcodes in code.
	return c.Calls(text, "{", readZolaCall, func(*convert.Tag, string, bool, bool) (string, bool) { return "", false })
}

func readZolaCall(text string, i int) (*convert.Tag, int, string) {
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
		return &convert.Tag{Form: convert.Closing, Name: "{"}, i + len(m[0]), ""
	}
	attrs, at, _ := convert.Arguments(text, i+len(m[0]), ")")
	if at < 0 {
		return nil, 0, ""
	}
	stop := strings.Index(text[at:min(len(text), at+20)], end)
	if stop < 0 || strings.Trim(text[at:at+stop], "- \t\n") != "" {
		return nil, 0, ""
	}
	t := &convert.Tag{Name: "{" + m[4], Attrs: attrs}
	if end == "}}" {
		t.Form = convert.Alone
	}
	return t, at + stop + 2, ""
}

// zolaCall matches the start of a call, the start of an escaped call, or the end of a call.
var zolaCall = lazyregexp.New(`^(\{\{|\{%)(?:(/\*)|-?[ \t]*(end)[ \t]*-?%\}|[ \t-]*(\w+)\()`)
