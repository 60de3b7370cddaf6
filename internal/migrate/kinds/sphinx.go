package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Sphinx returns the kind for Sphinx and Jupyter Book sites, whose Markdown is MyST. See
// https://myst-parser.readthedocs.io/.
func Sphinx() *oldsite.Kind {
	return &oldsite.Kind{Name: "sphinx", Detect: detectSphinx, Read: readSphinx, Docs: true, Whole: true, Syntax: convert.Syntax{Math: true, Lines: mystLines, Attrs: true, Unseen: mystUnseen}}
}

func detectSphinx(s *source.Folder) (string, bool) {
	best := ""
	for _, name := range s.Names {
		switch path.Base(name) {
		case "conf.py", "myst.yml", "_toc.yml":
		default:
			continue
		}
		dir := path.Dir(name)
		for _, page := range s.Below(dir) {
			if source.IsPage(page) && strings.Count(name, "/") < 4 && (best == "" || strings.Count(dir, "/") < strings.Count(best, "/")) && path.Base(page) != "README.md" {
				best = dir
				break
			}
		}
	}
	return source.Fallback(best, "."), best != ""
}

// SphinxSite contains the labels to which pages can refer.
type SphinxSite struct {
	// labels maps labels to their addresses, including the anchors. titles maps labels to the headings that the labels
	// precede.
	labels, titles map[string]string
}

var (
	confProject  = lazyregexp.New(`(?m)^project\s*=\s*["']([^"'\n]+)["']`)
	confLanguage = lazyregexp.New(`(?m)^language\s*=\s*["']([a-zA-Z_-]+)["']`)
	mystTarget   = lazyregexp.New(`(?m)^\(([^()\n]+)\)=[ \t]*\n(?:[ \t]*\n)*(#{1,6}[ \t]+(.*))?`)
	mystToctree  = lazyregexp.New("(?ms)^[ \t]*(?:`{3,}|:{3,})\\{(?:toctree|tableofcontents)\\}[^\n]*\n(.*?)^[ \t]*(?:`{3,}|:{3,})[ \t]*$")
	tocTitled    = lazyregexp.New(`^(.*?)\s*<([^<>]+)>$`)
)

func readSphinx(im *oldsite.Site) error {
	conf, err := im.Src.Text(path.Join(im.Base, "conf.py"))
	if err == nil {
		if m := confProject.FindStringSubmatch(conf); m != nil {
			im.Title = m[1]
		}
		if m := confLanguage.FindStringSubmatch(conf); m != nil {
			im.Language = oldsite.LanguageTag(m[1])
		}
	} else {
		config := im.SettingsOf("_config.yml", "myst.yml")
		im.ReadSettings(config, oldsite.SettingKeys{Title: "title project/title", Description: "project/description", Repository: "repository/url project/github"})
	}
	site := &SphinxSite{labels: map[string]string{}, titles: map[string]string{}}
	im.Data = site
	im.StaticDirs = []string{im.Base}
	im.Content(im.Base, oldsite.Rules{Linked: true, Skip: func(name, rel string) bool {
		if path.Ext(name) == ".rst" {
			im.Note(convert.Note{File: name, What: "the page " + rel, Why: "it is reStructuredText", Do: "convert it to Markdown, for example with rst2myst, and import again"})
			return true
		}
		return strings.HasPrefix(rel, "_build/") || source.IsPage(name) && (strings.HasPrefix(rel, "_templates/") || tooling(rel))
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), ".html", "index")
		for _, m := range mystTarget.FindAllStringSubmatch(p.Body, -1) {
			name := strings.ToLower(strings.TrimSpace(m[1]))
			site.labels[name], site.titles[name] = p.Address+"#"+source.Slug(name), convert.Plain(m[3])
		}
	}})
	bar := &oldsite.Sidebar{Site: im}
	im.Tree = sphinxTree(im, bar, path.Join(im.Base, "index"), map[string]bool{}, 0)
	for _, name := range []string{"_toc.yml", "myst.yml"} {
		if toc, err := im.Src.Data(path.Join(im.Base, name)); err == nil && len(im.Tree) == 0 {
			bar.Find = func(at string) *oldsite.Page { return sphinxPage(im, path.Join(im.Base, at)) }
			if at := source.TextAt(toc, "root"); at != "" {
				if p := bar.Find(at); p != nil && im.AtSlug("/") == nil {
					p.Address, p.Index = im.BasePath+"/", true
				}
			}
			for _, key := range []string{"parts", "chapters", "project/toc"} {
				bar.Read(source.Get(toc, strings.Split(key, "/")...))
			}
		}
	}
	return nil
}

// sphinxPage returns the page with the given file name, or nil if there is none. The name may omit the extension or the
// index file.
func sphinxPage(im *oldsite.Site, name string) *oldsite.Page {
	for _, p := range im.Pages {
		if p.Source == name || pageStem(p.Source) == name || pageStem(p.Source) == path.Join(name, "index") {
			return p
		}
	}
	return nil
}

// sphinxTree returns the sidebar entries in the toctrees of a page and, recursively, of the pages that the toctrees
// list.
func sphinxTree(im *oldsite.Site, bar *oldsite.Sidebar, name string, seen map[string]bool, depth int) (out []*oldsite.Entry) {
	p := sphinxPage(im, name)
	if p == nil || seen[p.Source] || depth > 10 {
		return nil
	}
	seen[p.Source] = true
	dir := path.Dir(p.Source)
	for _, m := range mystToctree.FindAllStringSubmatch(p.Body, -1) {
		caption := ""
		var items []*oldsite.Entry
		for line := range strings.Lines(m[1]) {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, ":caption:"); ok {
				caption = strings.TrimSpace(rest)
				continue
			} else if rest, ok := strings.CutPrefix(line, "caption:"); ok {
				caption = strings.TrimSpace(rest)
				continue
			}
			if line == "" || strings.HasPrefix(line, ":") || strings.HasPrefix(line, "#") || line == "self" || line == "---" {
				continue
			}
			label := ""
			if t := tocTitled.FindStringSubmatch(line); t != nil {
				label, line = t[1], t[2]
			}
			at := path.Join(dir, line)
			if strings.HasPrefix(line, "/") {
				at = path.Join(im.Base, line)
			}
			bar.Find = func(string) *oldsite.Page { return sphinxPage(im, at) }
			if strings.Contains(line, "://") {
				at, label = line, source.Fallback(label, line)
			}
			e := bar.Put(at, label)
			if e == nil {
				continue
			}
			if e.Page == nil {
				items = append(items, e)
				continue
			}
			if more := sphinxTree(im, bar, e.Page.Source, seen, depth+1); len(more) > 0 {
				title := source.Fallback(label, sphinxTitle(e.Page))
				items = append(items, &oldsite.Entry{Label: title, Items: append([]*oldsite.Entry{e}, more...), Headed: true})
				continue
			}
			items = append(items, e)
		}
		if caption != "" && len(items) > 0 {
			items = []*oldsite.Entry{{Label: strings.Trim(caption, `"'`), Items: items}}
		}
		out = append(out, items...)
	}
	return out
}

// sphinxTitle returns the first heading of a page, or the result of oldsite.TitleOf if there is none.
func sphinxTitle(p *oldsite.Page) string {
	if m := firstHeading.FindStringSubmatch(p.Body); m != nil {
		return convert.Plain(m[1])
	}
	return oldsite.TitleOf(p)
}
