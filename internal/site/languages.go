package site

import (
	"net/url"
	"strings"
)

// Language is what site.yaml says of a language beside the site's own. What it leaves out is the site's own: see
// Site.Languages for what comes of it.
type Language struct {
	// Tag is the BCP 47 tag, written at Pos. The language's pages stand below a folder of that name.
	Tag string
	Pos Pos
	// Name is what the language is called in the switch, "" for its name in itself.
	Name                            string
	Title, Description              string
	Navigation, Footer              []NavigationItem
	WhenToUse, WhenNotToUse, Cannot []string
	Notice                          *Notice
	Action                          *Action
	Words                           []Word
}

// Views are the site in each of its languages, its own first; the site itself where it has only that one.
func (s *Site) Views() []*Site {
	if len(s.Languages) == 0 {
		return []*Site{s}
	}
	return s.Languages
}

// View is the site in the language of a page.
func (s *Site) View(p *Page) *Site {
	for _, v := range s.Languages {
		if v.Language == p.Language {
			return v
		}
	}
	return s
}

// At is where the view's own page or file is that the site's own language has at a path: "/llms.txt" is "/ja/llms.txt"
// in Japanese.
func (s *Site) At(path string) string { return At(s.Language, path) }

// At is the path in a language, whose tag is "" for the site's own.
func At(language, path string) string {
	switch {
	case language == "":
		return path
	case path == "/":
		return "/" + language
	}
	return "/" + language + path
}

// Local is the page's path within its language: "/pricing" for "/ja/pricing", "/" for "/ja".
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

// Translates is the path of the page that this one says it translates, without escapes; "" where it says nothing.
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

// In is the page in a language, nil where it is not there.
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

// LanguageOf is the tag of the language whose folder a source stands in, by its name below the site's root; "" for the
// site's own.
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
