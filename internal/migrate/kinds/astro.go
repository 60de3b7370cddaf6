package kinds

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// readAstro reads the collections of a site: the folders of src/content, and the folders named in the content settings.
func readAstro(im *oldsite.Site) error {
	astroSettings(im)
	dirs := map[string]string{}
	content := path.Join(im.Base, "src/content")
	for _, name := range im.Src.Below(content) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(name, content+"/"), "/"); ok {
			dirs[path.Join(content, first)] = first
		}
	}
	for dir, name := range astroLoaders(im) {
		dirs[dir] = name
	}
	for _, dir := range source.SortedKeys(dirs) {
		inner := func(other string) bool { return dir != other && strings.HasPrefix(dir, other+"/") }
		if !slices.ContainsFunc(source.SortedKeys(dirs), inner) {
			collection(im, dir, astroRoute(im, dirs[dir]))
		}
	}
	docusaurusPages(im, path.Join(im.Base, "src/pages"), "")
	return nil
}

var (
	astroCollection = lazyregexp.New(`(?:const|let|var)\s+(\w+)\s*=\s*defineCollection\(|(\w+)\s*:\s*defineCollection\(`)
	astroBase       = lazyregexp.New("\\bbase\\s*:\\s*(?:[\"'`]([^\"'`\n]+)[\"'`]|(\\w+))")
	astroConstant   = lazyregexp.New(`(?m)^(?:export\s+)?const\s+(\w+)\s*=\s*["']([^"'\n]+)["']`)
	astroExported   = lazyregexp.New(`(?s)export\s+const\s+collections\s*=\s*\{(.*?)\}`)
	astroRenamed    = lazyregexp.New(`['"]?([\w-]+)['"]?\s*:\s*(\w+)`)
)

// astroLoaders maps the folders that the content settings load to the names of their collections.
func astroLoaders(im *oldsite.Site) map[string]string {
	dirs := map[string]string{}
	for _, name := range append(scripts("src/content.config"), scripts("src/content/config")...) {
		text, err := im.Src.Text(path.Join(im.Base, name))
		if err != nil {
			continue
		}
		constants, names := map[string]string{}, map[string]string{}
		for _, m := range astroConstant.FindAllStringSubmatch(text, -1) {
			constants[m[1]] = m[2]
		}
		if m := astroExported.FindStringSubmatch(text); m != nil {
			for _, one := range astroRenamed.FindAllStringSubmatch(m[1], -1) {
				names[one[2]] = one[1]
			}
		}
		starts := astroCollection.FindAllStringSubmatchIndex(text, -1)
		for i, m := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			base := astroBase.FindStringSubmatch(text[m[1]:end])
			if base == nil {
				continue
			}
			dir := source.Fallback(base[1], constants[base[2]])
			for key, value := range constants {
				dir = strings.ReplaceAll(dir, "${"+key+"}", value)
			}
			variable := astroCollection.FindStringSubmatch(text[m[0]:m[1]])
			if at, ok := source.Inside(im.Base, dir); ok && dir != "" && im.Src.HasFolder(at) {
				called := variable[1] + variable[2]
				dirs[at] = source.Fallback(names[called], called)
			}
		}
	}
	return dirs
}

// astroRoute returns the path of a collection: the folder of the dynamic page that shows the collection's entries, or
// the collection's name if there is no such page.
func astroRoute(im *oldsite.Site, name string) string {
	pages := path.Join(im.Base, "src/pages")
	for _, file := range im.Src.Below(pages) {
		rel := strings.TrimPrefix(file, pages+"/")
		dir, _, parameter := strings.Cut(rel, "[")
		if !parameter || path.Ext(rel) != ".astro" || strings.Contains(strings.TrimPrefix(rel, dir), "/") || dir != "" && !strings.HasSuffix(dir, "/") {
			continue
		}
		text, err := im.Src.Text(file)
		if err == nil && (strings.Contains(text, "getCollection('"+name+"'") || strings.Contains(text, `getCollection("`+name+`"`)) {
			return strings.TrimSuffix(dir, "/")
		}
	}
	return name
}
