package theme

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	"reflect"
	"slices"
	"strings"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// newFunctions returns the functions that HTML and Markdown templates can call.
func newFunctions(s *site.Site, t *Theme) map[string]any {
	values := facts.Translated(s.Config.Language, &s.Product, s.OwnLanguage, s.Original)
	ownDescription := showsOwnDescription(s)
	return map[string]any{
		// {{asset "style.css"}} is the path at which Vitrine publishes a file in `assets/`.
		"asset": t.Asset,
		// {{icon "plus"}} is an icon from `icons/`, for HTML templates.
		"icon": t.icon,
		// {{abs "/pricing"}} is the absolute URL of a path on the site.
		"abs": func(ref any) string { return string(refOf(ref).Absolute(s.Config.BaseURL)) },
		// {{local "https://acorn.example/pricing"}} is the path of an absolute URL on the site, for links. Other URLs
		// stay unchanged.
		"local": func(address string) string { return Local(address, s.Config.BaseURL) },
		// {{price "49.50"}} is a price in the site's currency, in the format of the page's language.
		"price": facts.Price(t.locale, s.Config.Language, s.Product.Pricing.Currency),
		// {{number 1200}} is a whole number in the format of the page's language.
		"number": t.locale.Number,
		// {{fact "pricing.plans.Tree.monthlyPrice"}} is a fact, by its path in `product.yaml`. In the text of a page,
		// write the same path between double braces.
		"fact": values.Fact,
		// {{translated .Product.Description}} is a string for HTML. On a page in another language, a string in the
		// site's default language gets attributes for its language and writing direction.
		"translated": func(text string) htmltemplate.HTML {
			language := values.LanguageOf(text)
			if language == "" && ownDescription && text == s.Config.Description {
				language = s.OwnLanguage
			}
			return inLanguage(text, language)
		},
		// {{isoDate .Product.Updated}} is a date for programs.
		"isoDate": func(t time.Time) string { return t.Format(time.DateOnly) },
		// {{longDate .Product.Updated}} is a date for people, in the format of the page's language.
		"longDate": t.locale.Date,
		// {{humanize "gettingStarted"}} is an identifier as words for readers.
		"humanize": plaintext.Humanize,
		// {{direction "ar"}} is a language's writing direction, `ltr` or `rtl`.
		"direction": site.Direction,
		// {{word "pageOfParts" "number" 2 "count" 9}} is the theme's string for a key, with values for its
		// placeholders.
		"word": t.words.Text,
		// {{ownWord "unlimitedReps"}} is whether `site.yaml` itself sets the string for a key.
		"ownWord": t.words.Own,
		// {{wordForms "minutes"}} is the string for a key, with all plural forms, as JSON for scripts that show counts.
		"wordForms": t.words.Forms,
		// {{mdtext "2*3 [a]"}} is plain text, escaped for Markdown. The function also accepts a number or a Boolean
		// from the front matter.
		"mdtext": func(value any) (string, error) { return plain(value, plaintext.Markdown, plaintext.Unlinked) },
		// {{mdcell "a or b"}} is plain text, escaped for a cell of a Markdown table, including vertical bars.
		"mdcell": func(value any) (string, error) {
			return plain(value,
				func(text string) string { return plaintext.Cell(text, plaintext.Markdown) },
				func(text string) string { return plaintext.Cell(text, plaintext.Unlinked) })
		},
		// {{mdurl "/a (b)"}} is a path or URL, escaped for the parentheses of a Markdown link.
		"mdurl": func(ref any) string { return plaintext.URL(string(refOf(ref))) },
	}
}

// inLanguage returns text as HTML. If language isn't "", it puts the text into an element with attributes for the
// language and the writing direction.
func inLanguage(text, language string) htmltemplate.HTML {
	escaped := htmltemplate.HTMLEscapeString(text)
	if language != "" {
		escaped = `<span lang="` + htmltemplate.HTMLEscapeString(language) + `" dir="` + site.Direction(language) + `">` + escaped + `</span>`
	}
	return htmltemplate.HTML(escaped)
}

// showsOwnDescription reports whether s is a view in a language without its own description. Such a view shows the
// description in the site's default language.
func showsOwnDescription(s *site.Site) bool {
	if s.Original == nil || s.Product.Description != s.Original.Description {
		return false
	}
	return slices.ContainsFunc(s.Config.Languages, func(l site.Language) bool { return l.Tag == s.Language && l.Description == "" })
}

// Local converts an absolute URL on the site to a path without the base path, so that the link works on any host, for
// example in a preview. base is the site's base URL, whose path render.Mount adds again. Local returns other URLs and
// paths unchanged.
func Local(address, base string) string {
	rest, own := strings.CutPrefix(address, base)
	switch {
	case !own:
		return address
	case strings.HasPrefix(rest, "/"):
		return rest
	case rest == "" || strings.ContainsAny(rest[:1], "?#"):
		return "/" + rest
	}
	return address
}

// refOf converts a value in a template to a URL reference. If the value is a string with a path, such as one of the
// page's params, refOf escapes the path. It doesn't escape a string with "%", "?", or "#", because no path on a site
// contains these characters: the string is a reference that is already escaped.
func refOf(value any) site.Ref {
	switch value := value.(type) {
	case site.Ref:
		return value
	case string:
		if strings.HasPrefix(value, "/") && !strings.ContainsAny(value, "%?#") {
			return site.RefTo(value)
		}
		return site.Ref(value)
	}
	return site.Ref(fmt.Sprint(value))
}

// plain converts value to Markdown. It calls past for a value from the history of the facts, and write for other
// strings and for scalars in front matter, such as numbers. It returns an error for a missing value, a list, or a map.
func plain(value any, write, past func(string) string) (string, error) {
	switch value := value.(type) {
	case string:
		return write(value), nil
	case view.PastText:
		return past(string(value)), nil
	case nil:
		return "", errors.New("the value is missing; wrap it in {{with …}} if it is optional")
	}
	switch kind := reflect.TypeOf(value).Kind(); kind {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		if _, ok := value.(fmt.Stringer); !ok {
			return "", fmt.Errorf("the value is a %s, not a string; use {{range …}}, or select one of its values", kind)
		}
	}
	return write(fmt.Sprint(value)), nil
}
