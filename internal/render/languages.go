package render

import (
	"bytes"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/locale"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

// languageNames returns the name of each of the site's languages: the name in the settings or, if unset, the name in
// the language itself. It returns nil if the site has only one language.
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

// languageViews returns the site's languages, each with the URL path of p in that language. If p isn't translated into
// a language, the path is the path of the language's home page. languageViews returns nil if the site has only one
// language.
func (r *Renderer) languageViews(p *site.Page) []view.Language {
	var views []view.Language
	for i, v := range r.whole.Languages {
		l := view.Language{Tag: v.Config.Language, Name: r.names[i], Path: site.RefTo(v.At("/")), Current: v.Language == p.Language}
		switch there := p.In(v.Language); {
		case there == nil:
		case plan.IsNotFound(p):
			// The 404 page has no URL, so l.Path stays the path of the home page.
			l.Translated = l.Current
		default:
			l.Path, l.Translated, l.Indexed = site.RefTo(there.Path), true, r.in(there).indexed(there)
		}
		views = append(views, l)
	}
	return views
}

// alternate is the URL of a page in one language, for search engines. tag is the language's BCP 47 tag, or "x-default".
type alternate struct {
	tag string
	url site.Ref
}

// alternates returns a page's URL in each language in which the page is indexed, including its own language. If these
// include the site's default language, alternates also returns that URL as x-default, for readers of other languages.
// It returns nil if the page is indexed in fewer than two languages or isn't indexed in its own language.
func (r *Renderer) alternates(languages []view.Language) []alternate {
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

// linkBudget is the maximum size in bytes of a page's language links in its Link field. Servers and caches reject
// responses whose header sections are too large. <head> and the sitemap contain all language links regardless of this
// limit.
const linkBudget = 2 << 10

// alternateLinks returns the links to a page in its languages, each followed by a comma and a space, for the page's
// Link field. It returns "" if the links exceed linkBudget.
func (r *Renderer) alternateLinks(languages []view.Language) string {
	var b strings.Builder
	for _, l := range r.alternates(languages) {
		b.WriteString(`<` + string(l.url) + `>; rel="alternate"; hreflang="` + l.tag + `", `)
	}
	if b.Len() > linkBudget {
		return ""
	}
	return b.String()
}

// languageFields returns the Content-Language field (RFC 9110 §8.5), or nil if the site has only one language.
func (r *Renderer) languageFields() []artifact.Field {
	if len(r.whole.Languages) == 0 {
		return nil
	}
	return []artifact.Field{field("Content-Language", r.site.Config.Language)}
}

// otherOverviews returns a link to the llms.txt of each of the site's other languages.
func (r *Renderer) otherOverviews() []view.LinkLine {
	var links []view.LinkLine
	for i, v := range r.whole.Languages {
		if v.Language != r.site.Language {
			links = append(links, view.LinkLine{Title: linkTitle(r.names[i]), URL: r.url(v.At(plan.LLMsPath)), Note: r.word("llmsLanguageAbout")})
		}
	}
	return links
}

// stemsLike reports whether an earlier language of the site publishes a stemmer script equal to script. If so, the two
// languages share the file.
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
