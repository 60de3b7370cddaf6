package migrate

import (
	"strings"

	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// findLanguages finds language folders if the generator doesn't support languages: at least two folders that are named
// after the language in the front matter of their pages.
func (im *importer) findLanguages() {
	if len(im.Languages) > 0 {
		return
	}
	pages := map[string]int{}
	for _, p := range im.Pages {
		first, _, _ := strings.Cut(strings.TrimPrefix(im.newPath(p.Address), "/"), "/")
		if own := source.TextAt(p.Front, "lang", "locale", "language"); own != "" && oldsite.IsLocale(first) && strings.EqualFold(strings.ReplaceAll(own, "_", "-"), first) && !strings.EqualFold(first, im.Language) {
			pages[first]++
		}
	}
	if len(pages) < 2 {
		return
	}
	for _, tag := range source.SortedKeys(pages) {
		im.Languages = append(im.Languages, oldsite.Language{Tag: tag})
	}
}
