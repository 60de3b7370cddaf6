package facts

import (
	"strings"
	"unicode"

	"vitrine/internal/site"
)

// LanguageOf returns the site's default language if text, the text of a fact, isn't translated in product.TAG.yaml. It
// returns "" if text is in the page's language.
func (f *Values) LanguageOf(text string) string {
	if f.foreign[oneLine(text)] {
		return f.own
	}
	return ""
}

// foreignTexts returns the strings that are the same in both trees of facts, each joined into one line. It omits the
// product's name, URLs, email addresses, and codes, which aren't in a particular language.
func foreignTexts(of, original *site.Fact) map[string]bool {
	texts := make(map[string]bool)
	var walk func(f, o *site.Fact, path string)
	walk = func(f, o *site.Fact, path string) {
		if f == nil || o == nil || f.Kind != o.Kind {
			return
		}
		if text := oneLine(f.Text); f.Kind == site.TextFact && f.Text == o.Text && path != "name" && isProse(text) {
			texts[text] = true
		}
		for i, item := range f.Items {
			if i >= len(o.Items) {
				break
			}
			below := path + "."
			if f.Kind == site.MapFact {
				below = Join(path, f.Keys[i])
			}
			walk(item, o.Items[i], below)
		}
	}
	walk(of, original, "")
	return texts
}

// isProse reports whether text is in a natural language. Such text contains a letter and isn't a URL, an email address,
// or a code in capital letters.
func isProse(text string) bool {
	if !strings.ContainsFunc(text, unicode.IsLetter) || strings.ToUpper(text) == text && strings.ToLower(text) != text {
		return false
	}
	scheme, _ := site.Scheme(text)
	return strings.Contains(text, " ") || scheme == "" && !strings.Contains(text, "@")
}
