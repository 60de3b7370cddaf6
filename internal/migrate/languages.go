package migrate

import (
	"strings"

	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// findLanguages adds the languages of a site whose generator doesn't define languages. A folder is a language folder if
// its name is the language in the front matter of its pages. findLanguages does nothing if there are fewer than two
// such folders, not counting the folder of the main language.
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
