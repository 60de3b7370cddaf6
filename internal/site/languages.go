package site

import (
	"net/url"
	"strings"
)

// Language contains the settings in site.yaml for a language other than the site's default. The language's view in
// Site.Languages contains the complete settings, including inherited ones.
type Language struct {
	// Tag is the language's BCP 47 tag, and Pos is the position of the tag in site.yaml. The language's pages are in a
	// folder with the tag as its name.
	Tag string
	Pos Pos
	// Name is the language's name in the language switch, or "" for the name in the language itself.
	Name                            string
	Title, Description              string
	Navigation, Footer              []NavigationItem
	WhenToUse, WhenNotToUse, Cannot []string
	Notice                          *Notice
	Action                          *Action
	Words                           []Word
}

// Views returns the views of the site in its languages, the default language first. If the site has only one language,
// Views returns only s.
func (s *Site) Views() []*Site {
	if len(s.Languages) == 0 {
		return []*Site{s}
	}
	return s.Languages
}

// View returns the view of the site in p's language, or s itself if the site has only one language.
func (s *Site) View(p *Page) *Site {
	for _, v := range s.Languages {
		if v.Language == p.Language {
			return v
		}
	}
	return s
}

// At returns the path in the view's language that corresponds to path in the default language. In Japanese, for
// example, "/llms.txt" becomes "/ja/llms.txt".
func (s *Site) At(path string) string { return At(s.Language, path) }

// At returns path in the folder of language: "/ja/pricing" for "ja" and "/pricing". If language is "", the site's
// default language, it returns path unchanged.
func At(language, path string) string {
	switch {
	case language == "":
		return path
	case path == "/":
		return "/" + language
	}
	return "/" + language + path
}

// Local returns the page's path within its language: "/pricing" for "/ja/pricing", "/" for "/ja".
func (p *Page) Local() string {
	if p.Language == "" {
		return p.Path
	}
	return local(p.Language, p.Path)
}

func local(language, path string) string {
	below, ok := strings.CutPrefix(path, "/"+language)
	switch {
	case !ok:
		return path
	case below == "":
		return "/"
	}
	return below
}

// Translates returns the path in p's translationOf, unescaped and without a trailing slash. It returns "" if
// translationOf is unset.
func (p *Page) Translates() string {
	path, err := url.PathUnescape(p.TranslationOf.Target)
	if err != nil {
		path = p.TranslationOf.Target
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// In returns p itself if p is in the given language. Otherwise, it returns p's translation into this language. It
// returns nil if there is no translation.
func (p *Page) In(language string) *Page {
	if p.Language == language {
		return p
	}
	for _, t := range p.Translations {
		if t.Language == language {
			return t
		}
	}
	return nil
}

// LanguageOf returns the tag of the language whose folder contains source, a file name relative to the site's root. It
// returns "" if source is in the site's default language.
func LanguageOf(c *Config, source string) string {
	if c == nil || len(c.Languages) == 0 {
		return ""
	}
	below, ok := strings.CutPrefix(source, "content/")
	if !ok {
		return ""
	}
	first, _, folder := strings.Cut(below, "/")
	if !folder {
		first, _ = CutPage(first)
	}
	for i := range c.Languages {
		if c.Languages[i].Tag == first {
			return first
		}
	}
	return ""
}
