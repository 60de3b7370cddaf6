package load

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// strayLanguage reports whether the folder named tag probably contains pages in another language, although the site has
// only one language. The folder must contain a page, and tag must be a language tag. Also, tag must be unlikely to mean
// anything else, or a page in the folder, except an index, must have the same relative path as a page in content/.
func (l *loader) strayLanguage(c *site.Config, tag string) bool {
	if len(c.Languages) > 0 || l.unsure || strings.EqualFold(tag, c.Language) || languageTag(tag) != "" {
		return false
	}
	language, region, _ := strings.Cut(tag, "-")
	if len(language) != 2 || len(region) != 0 && len(region) != 2 && len(region) != 4 {
		return false
	}
	here := path.Join(folder.Content, tag)
	files := l.tree.Files(folder.Content)
	if !slices.ContainsFunc(files, func(name string) bool { return within(name, here) && isPage(name) }) {
		return false
	}
	// Other names, such as "it" or "ar", may have another meaning.
	if slices.Contains([]string{"de", "fr", "es", "ja", "ko", "nl", "pl", "zh"}, language) {
		return true
	}
	all := make(map[string]bool, len(files))
	for _, name := range files {
		all[name] = true
	}
	return slices.ContainsFunc(files, func(name string) bool {
		below, ok := strings.CutPrefix(name, here+"/")
		stem, page := site.CutPage(path.Base(below))
		return ok && page && stem != "index" && all[path.Join(folder.Content, below)]
	})
}
