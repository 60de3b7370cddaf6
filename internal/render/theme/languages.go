package theme

import (
	"fmt"
	"io/fs"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// In returns the theme in the language with the given tag. It returns t itself for the default language and for
// languages that the site doesn't have.
func (t *Theme) In(language string) *Theme {
	if other := t.languages[language]; other != nil {
		return other
	}
	return t
}

// loadLanguages creates the theme in the site's other languages. It returns only problems in the words of these
// languages. Problems in the templates and assets, which all languages share, have already been reported.
func (t *Theme) loadLanguages(s *site.Site, defaults, overrides fs.FS) (problems []site.Problem, err error) {
	if len(s.Languages) == 0 {
		return nil, nil
	}
	t.languages = make(map[string]*Theme)
	for _, v := range s.Languages[1:] {
		other := &Theme{files: t.files, assets: t.assets, icons: t.icons, look: t.look, brand: t.brand}
		found, err := other.loadTemplates(v, defaults, overrides)
		if err != nil {
			return nil, fmt.Errorf("reading the theme in %s: %w", v.Language, err)
		}
		for _, p := range found {
			// Omit problems in other files, which all languages share.
			if strings.HasPrefix(p.Path, "templates/"+wordsDir+"/") || p.Path == configFile {
				problems = append(problems, p)
			}
		}
		t.languages[v.Language] = other
	}
	return problems, nil
}

// configFile is the file with the site's settings, which can override words of the theme.
const configFile = "content/site.yaml"

// MissingWords returns the keys of the theme's words that aren't translated into v's language, and the total number of
// words. It returns no keys for English, the theme's language.
func (t *Theme) MissingWords(v *site.Site) (keys []string, all int) {
	in := t.In(v.Language)
	return in.missing, in.words.Len()
}

// Words returns a function that looks up the theme's words in a language.
func (t *Theme) Words(language string) markdown.Words { return t.In(language).Word }
