package theme

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/locale"
	"vitrine/internal/rule"
	"vitrine/internal/site"
	"vitrine/internal/words"
)

// loadWords reads the theme's words. The sources, in order, are the default theme's English file, the site's English
// file, the default theme's files for the language's fallbacks (see locale.Family) and for the language, the site's
// files for these languages, and the words in the settings. Later sources override earlier ones.
func (t *Theme) loadWords(s *site.Site, defaults, overrides fs.FS) ([]site.Problem, error) {
	tags := locale.Family(s.Config.Language)
	slices.Reverse(tags)
	t.english = slices.Contains(tags, "en")
	tags = slices.DeleteFunc(tags, func(tag string) bool { return tag == "en" })
	from := words.Sources{Own: s.Config.Words, Language: s.Config.Language}
	read := func(templates fs.FS, tags ...string) error {
		for _, tag := range tags {
			name := wordsDir + "/" + tag + ".yaml"
			text, err := fs.ReadFile(templates, name)
			if err == nil {
				from.Files = append(from.Files, words.File{Name: "templates/" + name, Language: tag, Text: text})
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	}
	if err := read(defaults, "en"); err != nil {
		return nil, err
	}
	if overrides != nil {
		if err := read(overrides, "en"); err != nil {
			return nil, err
		}
		var err error
		if from.Asked, err = askedWords(overrides); err != nil {
			return nil, err
		}
	}
	foreign := len(from.Files)
	if err := read(defaults, tags...); err != nil {
		return nil, err
	}
	if overrides != nil {
		if err := read(overrides, tags...); err != nil {
			return nil, err
		}
	}
	var problems []site.Problem
	t.words, problems = words.New(from)
	if !t.english {
		t.missing = t.words.Missing(foreign)
	}
	if len(t.missing) > 0 && len(problems) == 0 {
		problems = append(problems, missingWords(s, t.missing, t.words.Len()))
	}
	return problems, nil
}

// Word returns the theme's string for key. values alternates the names of placeholders and their values. Word ignores
// errors because the theme contains every key that the program uses, with the same placeholders.
func (t *Theme) Word(key string, values ...any) string {
	text, _ := t.words.Text(key, values...)
	return text
}

// OwnWord reports whether the settings of the site override the string for key.
func (t *Theme) OwnWord(key string) bool { return t.words.Own(key) }

// Locale returns the locale of the theme's words.
func (t *Theme) Locale() *locale.Locale { return t.locale }

// English reports whether the language of the pages is English. Some generated pages contain more text in English than
// in other languages.
func (t *Theme) English() bool { return t.english }

// asked matches a call of word or wordForms in a template and captures the key in the call.
var asked = lazyregexp.New(`\b(?:word|wordForms)\s+"([^"]*)"`)

// askedWords returns the keys of the words that the site's templates use.
func askedWords(templates fs.FS) (map[string]bool, error) {
	keys := make(map[string]bool)
	err := fs.WalkDir(templates, ".", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || !slices.Contains([]string{".html", ".md", ".txt"}, path.Ext(name)) {
			return err
		}
		text, err := fs.ReadFile(templates, name)
		for _, m := range asked.FindAllSubmatch(text, -1) {
			keys[string(m[1])] = true
		}
		return err
	})
	return keys, err
}

// missingWords returns the warning about the keys in missing, whose words aren't translated into the language of s. all
// is the total number of keys.
func missingWords(s *site.Site, missing []string, all int) site.Problem {
	which, language := "all of them", locale.New(s.Config.Language).EnglishName()
	if len(missing) < all {
		const shown = 20
		which = strings.Join(missing[:min(shown, len(missing))], ", ")
		if more := len(missing) - shown; more > 0 {
			which += fmt.Sprintf(" and %d more", more)
		}
	}
	them := fmt.Sprintf("%d theme words are missing in %s and stay in English", len(missing), language)
	if len(missing) == 1 {
		them = fmt.Sprintf("1 theme word is missing in %s and stays in English", language)
	}
	key, pos := "language", s.Config.LanguagePos
	for _, l := range s.Config.Languages {
		if s.Language != "" && l.Tag == s.Language {
			key, pos = "languages."+l.Tag, l.Pos
		}
	}
	return site.Problem{Path: configFile, Pos: pos, Severity: site.Warning, Code: rule.MissingWords,
		Text: fmt.Sprintf("%s: %s (%s); add missing words to templates/words/%s.yaml, with the keys in words/en.yaml, which `vitrine theme export words/en.yaml` writes",
			key, them, which, s.Config.Language)}
}
