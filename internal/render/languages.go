package render

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/locale"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

// in is the theme in a language.
func (t *Theme) in(language string) *Theme {
	if other := t.languages[language]; other != nil {
		return other
	}
	return t
}

// loadLanguages makes the theme in the site's other languages. Templates and assets are the same ones, of which all
// that is wrong has been found.
func (t *Theme) loadLanguages(s *site.Site, defaults, overrides fs.FS) (problems []site.Problem, err error) {
	if len(s.Languages) == 0 {
		return nil, nil
	}
	t.languages = make(map[string]*Theme)
	for _, v := range s.Languages[1:] {
		other := &Theme{files: t.files, assets: t.assets, look: t.look, brand: t.brand}
		found, err := other.loadTemplates(v, defaults, overrides)
		if err != nil {
			return nil, fmt.Errorf("reading the theme in %s: %w", v.Language, err)
		}
		for _, p := range found {
			// Its words are a language's own.
			if strings.HasPrefix(p.Path, "templates/"+wordsDir+"/") || p.Path == configFile {
				problems = append(problems, p)
			}
		}
		t.languages[v.Language] = other
	}
	return problems, nil
}

// configFile is where a site says words of the theme otherwise.
const configFile = "content/site.yaml"

// MissingWords are the words of the theme that nobody says in a language, by their keys, and how many words there are; none
// are missing in English, which the theme is written in.
func (t *Theme) MissingWords(v *site.Site) (keys []string, all int) {
	in := t.in(v.Language)
	return in.missing, in.words.Len()
}

// languageView is one of the site's languages, seen from a page.
type languageView struct {
	Tag  string // the language, as a BCP 47 tag
	Name string // what it is called in itself, such as 日本語
	// Path is the page in the language, or the language's home page where `.Translated` is not so.
	Path       site.Ref
	Current    bool // the page itself is in the language
	Translated bool // the page is there in the language
	Indexed    bool // search engines may know the page in the language
}

// Words are the theme's words in a language.
func (t *Theme) Words(language string) markdown.Words { return t.in(language).Word }

// languageNames are what the site's languages are called in themselves, none where there is one.
func languageNames(s *site.Site) []string {
	var names []string
	for i, v := range s.Languages {
		name := ""
		if i > 0 {
			name = s.Config.Languages[i-1].Name
		}
		if name == "" {
			name = locale.New(v.Config.Language).Name()
		}
		names = append(names, name)
	}
	return names
}

// languageViews are the site's languages as a page leads to them, none where there is one.
func (r *Renderer) languageViews(p *site.Page) []languageView {
	var views []languageView
	for i, v := range r.whole.Languages {
		l := languageView{Tag: v.Config.Language, Name: r.names[i], Path: site.RefTo(v.At("/")), Current: v.Language == p.Language}
		switch there := p.In(v.Language); {
		case there == nil:
		case plan.IsNotFound(p):
			// It stands at no address.
			l.Translated = l.Current
		default:
			l.Path, l.Translated, l.Indexed = site.RefTo(there.Path), true, !there.Unlisted
		}
		views = append(views, l)
	}
	return views
}

// alternate is a page in a language, as search engines are told of it.
type alternate struct {
	tag string
	url site.Ref
}

// alternates are the page in all languages, itself included, and the one for readers of any other language: that in the
// site's own. None where it is there in one language.
func (r *Renderer) alternates(languages []languageView) []alternate {
	var all []alternate
	current, fallback := false, site.Ref("")
	for i, l := range languages {
		if !l.Translated || !l.Indexed {
			continue
		}
		url := r.absolute(l.Path)
		all = append(all, alternate{l.Tag, url})
		if current = current || l.Current; i == 0 {
			fallback = url
		}
	}
	if len(all) < 2 || !current {
		return nil
	}
	if fallback != "" {
		all = append(all, alternate{"x-default", fallback})
	}
	return all
}

// linkBudget is how many bytes the languages of a page may take in its Link field. Servers and caches refuse answers
// whose heads are too large; HTML and the sitemap name the languages of such a page all the same.
const linkBudget = 2 << 10

// alternateLinks are the page's languages as its Link field has them, before other links; "" where they are too many.
func (r *Renderer) alternateLinks(languages []languageView) string {
	var b strings.Builder
	for _, l := range r.alternates(languages) {
		b.WriteString(`<` + string(l.url) + `>; rel="alternate"; hreflang="` + l.tag + `", `)
	}
	if b.Len() > linkBudget {
		return ""
	}
	return b.String()
}

// languageFields say which language a page is in, where the site has several (RFC 9110 §8.5).
func (r *Renderer) languageFields() []artifact.Field {
	if len(r.whole.Languages) == 0 {
		return nil
	}
	return []artifact.Field{field("Content-Language", r.site.Config.Language)}
}

// otherOverviews are the llms.txt of the site's other languages.
func (r *Renderer) otherOverviews() []linkLine {
	var links []linkLine
	for i, v := range r.whole.Languages {
		if v.Language != r.site.Language {
			links = append(links, linkLine{Title: linkTitle(r.names[i]), URL: r.url(v.At(plan.LLMsPath)), Note: r.word("llmsLanguageAbout")})
		}
	}
	return links
}

// stemsLike reports whether a language before this one has the same stemmer, and publishes it.
func (r *Renderer) stemsLike(script []byte) bool {
	for _, other := range append([]*Renderer{r.own}, r.languages...) {
		if other == r {
			break
		}
		if other.siteView.HasSearch && bytes.Equal(search.Stemmer(other.site.Config.Language), script) {
			return true
		}
	}
	return false
}
