package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Starlight returns the kind for Starlight sites. See https://starlight.astro.build/guides/pages/.
func Starlight() *oldsite.Kind {
	return &oldsite.Kind{Name: "starlight", Detect: oldsite.ByPath("src/content/docs/"), Read: readStarlight, Docs: true, Whole: true, Syntax: convert.Syntax{Lines: convert.Directives, Mdx: true}}
}

// Astro returns the kind for Astro sites without Starlight, which have content collections and pages.
func Astro() *oldsite.Kind {
	return &oldsite.Kind{Name: "astro", Detect: oldsite.ByConfig(scripts("astro.config")...), Read: readAstro, Syntax: convert.Syntax{Lines: convert.Directives, Mdx: true}}
}

func astroSettings(im *oldsite.Site) {
	config := im.JsConfig(scripts("astro.config"), "site", "integrations", "title")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "site", Base: "base", Title: "title"})
	for _, m := range source.Members(source.Get(config, "redirects")) {
		if to := source.Fallback(source.Text(m.Value), source.TextAt(m.Value, "destination")); to != "" && !strings.Contains(m.Key, "[") {
			im.Redirected(m.Key, to)
		}
	}
	im.Statics(path.Join(im.Base, "public"), "/", "static")
	im.Assets("src/assets", "/assets")
}

func readStarlight(im *oldsite.Site) error {
	astroSettings(im)
	star, computed := source.EmptyMap(), ""
	for _, name := range scripts("astro.config") {
		if text, err := im.Src.Text(path.Join(im.Base, name)); err == nil {
			if _, options, ok := strings.Cut(text, "starlight("); ok {
				star = source.OrMap(im.JsText(options+"\n"+text, im.Base, "title", "sidebar", "social"))
				if starlightSidebar.MatchString(options) {
					computed = path.Join(im.Base, name)
				}
			}
		}
	}
	im.Settings = append(im.Settings, oldsite.Settings{Name: im.Settings[0].Name, Node: star})
	im.Title, im.Description = source.TextAt(star, "title", "title/en"), source.TextAt(star, "description")
	locales := map[string]string{}
	for _, m := range source.Members(source.Get(star, "locales")) {
		locales[m.Key] = source.TextAt(m.Value, "lang")
	}
	im.Language = oldsite.LanguageTag(source.Fallback(locales["root"], source.Fallback(source.TextAt(star, "defaultLocale"), "en")))
	if delete(locales, "root"); im.Language == "root" {
		im.Language = "en"
	}
	dir := path.Join(im.Base, "src/content/docs")
	collection(im, dir, "")
	im.LocaleFolders(dir, locales)
	(&oldsite.Sidebar{Site: im, Find: im.AtSlug, Dirs: func(at string) []*oldsite.Page { return im.Folder(path.Join(dir, at)) }}).Read(source.Get(star, "sidebar"))
	if computed != "" && len(im.Tree) == 0 {
		im.Note(convert.Note{File: computed, What: "the setting `sidebar` in " + path.Base(computed), Why: "it is computed by a program, so pages are sorted by file name",
			Do: "set order: in the pages, or define the groups in _sidebar.yaml"})
	}
	return nil
}

// starlightSidebar matches the sidebar setting in Starlight's options.
var starlightSidebar = lazyregexp.New(`(?m)^\s*sidebar\s*[:,]`)

// collection reads a content folder in which each file's path determines its page's address, unless the page sets a
// slug.
func collection(im *oldsite.Site, dir, route string) {
	im.Content(dir, oldsite.Rules{Route: route, Assets: true, Skip: func(name, rel string) bool {
		return source.IsPage(name) && strings.HasPrefix(path.Base(rel), "_")
	}, Page: func(p *oldsite.Page, rel string) {
		parts := strings.Split(pageStem(rel), "/")
		for i, part := range parts {
			parts[i] = source.Slug(strings.ReplaceAll(part, ".", ""))
		}
		im.SetAddress(p, path.Join(route, path.Join(parts...)), "/", "index")
		if own := source.TextAt(p.Front, "slug"); own != "" {
			p.Address = im.BasePath + strings.TrimSuffix("/"+path.Join(route, strings.Trim(own, "/")), "/") + "/"
		}
		vitepressHome(im, p)
	}})
}
