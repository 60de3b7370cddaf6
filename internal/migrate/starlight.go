package migrate

import (
	"path"
	"strings"
)

// starlight reads sites of Starlight: https://starlight.astro.build/guides/pages/.
func starlight() *kind {
	return &kind{name: "starlight", detect: byPath("src/content/docs/"), read: readStarlight, docs: true, syntax: syntax{lines: directives, mdx: true}}
}

// astro reads other sites of Astro: collections of content, and pages.
func astro() *kind {
	return &kind{name: "astro", detect: byConfig(scripts("astro.config")...), read: readAstro, syntax: syntax{lines: directives, mdx: true}}
}

func (im *oldSite) astroSettings() {
	config := im.jsConfig(scripts("astro.config"), "site", "integrations", "title")
	im.readSettings(config, settingKeys{url: "site", base: "base", title: "title"})
	for _, m := range members(get(config, "redirects")) {
		if to := fallback(text(m.Value), textAt(m.Value, "destination")); to != "" && !strings.Contains(m.Key, "[") {
			im.redirected(m.Key, to)
		}
	}
	im.statics(path.Join(im.base, "public"), "/", "static")
	im.assets("src/assets", "/assets")
}

func readStarlight(im *oldSite) error {
	im.astroSettings()
	star := emptyMap()
	for _, name := range scripts("astro.config") {
		if text, err := im.src.text(path.Join(im.base, name)); err == nil {
			if _, options, ok := strings.Cut(text, "starlight("); ok {
				star = orMap(jsObject(options, "title", "sidebar", "social"))
			}
		}
	}
	im.title, im.description = textAt(star, "title", "title/en"), textAt(star, "description")
	locales := map[string]string{}
	for _, m := range members(get(star, "locales")) {
		locales[m.Key] = textAt(m.Value, "lang")
	}
	im.language = languageTag(fallback(locales["root"], fallback(textAt(star, "defaultLocale"), "en")))
	if delete(locales, "root"); im.language == "root" {
		im.language = "en"
	}
	dir := path.Join(im.base, "src/content/docs")
	im.collection(dir, "")
	im.localeFolders(dir, locales)
	(&sidebar{find: im.atSlug}).walk(get(star, "sidebar"), 0)
	return nil
}

// collection reads a folder of content whose files' paths are the addresses.
func (im *oldSite) collection(dir, route string) {
	im.content(dir, reading{route: route, assets: true, skip: func(name, rel string) bool {
		return isPage(name) && strings.HasPrefix(path.Base(rel), "_")
	}, page: func(p *page, rel string) {
		parts := strings.Split(pageStem(rel), "/")
		for i, part := range parts {
			parts[i] = slug(strings.ReplaceAll(part, ".", ""))
		}
		im.stand(p, path.Join(route, path.Join(parts...)), "/", "index")
		if own := textAt(p.front, "slug"); own != "" {
			p.address = im.basePath + strings.TrimSuffix("/"+path.Join(route, strings.Trim(own, "/")), "/") + "/"
		}
		im.vitepressHome(p)
	}})
}

func readAstro(im *oldSite) error {
	im.astroSettings()
	content := path.Join(im.base, "src/content")
	seen := map[string]bool{}
	for _, name := range im.src.below(content) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(name, content+"/"), "/"); ok && !seen[first] {
			seen[first] = true
			im.collection(path.Join(content, first), first)
		}
	}
	im.docusaurusPages(path.Join(im.base, "src/pages"), "")
	return nil
}
