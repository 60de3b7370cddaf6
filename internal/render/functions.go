package render

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"vitrine/internal/facts"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// newFunctions returns the functions that HTML and Markdown templates can call.
func newFunctions(s *site.Site, t *Theme) map[string]any {
	values := facts.Translated(s.Config.Language, &s.Product, s.OwnLanguage, s.Original)
	ownDescription := showsOwnDescription(s)
	return map[string]any{
		// {{asset "style.css"}} is the published address of an asset.
		"asset": func(name string) (string, error) { return assetPath(t.assets, name) },
		// {{icon "plus"}} is a drawing of `icons/`, for HTML.
		"icon": t.icon,
		// {{abs "/pricing"}} is an address with the site's base.
		"abs": func(ref any) string { return string(refOf(ref).Absolute(s.Config.BaseURL)) },
		// {{local "https://acorn.example/pricing"}} is an absolute address without its host if that is
		// the site's: for links on the site.
		"local": func(address string) string { return local(address, s.Config.BaseURL) },
		// {{price "49.50"}} is a price in the site's currency, as its language writes it.
		"price": facts.Price(t.locale, s.Config.Language, s.Product.Pricing.Currency),
		// {{number 1200}} is a whole number, as the language writes it.
		"number": t.locale.Number,
		// {{fact "pricing.plans.Tree.monthlyPrice"}} is a value of product.yaml, as pages name it between double
		// braces.
		"fact": values.Fact,
		// {{translated .Product.Description}} is a string for HTML. If the string is in the site's default language on a page
		// in another, it is marked with its language and direction.
		"translated": func(text string) htmltemplate.HTML {
			language := values.LanguageOf(text)
			if language == "" && ownDescription && text == s.Config.Description {
				language = s.OwnLanguage
			}
			return inLanguage(text, language)
		},
		// {{isoDate .Product.Modified}} is a date for machines.
		"isoDate": func(t time.Time) string { return t.Format(time.DateOnly) },
		// {{longDate .Product.Modified}} is a date for people.
		"longDate": t.locale.Date,
		// {{humanize "gettingStarted"}} is a name of a program as people write it.
		"humanize": humanize,
		// {{direction "ar"}} is the way in which a language is written, `ltr` or `rtl`.
		"direction": site.Direction,
		// {{word "pageOfParts" "number" 2 "count" 9}} is the theme's words for a key, with values for its places.
		"word": t.words.Text,
		// {{ownWord "unlimitedReps"}} is whether site.yaml says the words for a key itself.
		"ownWord": t.words.Own,
		// {{wordForms "minutes"}} is the words for a key as JSON with a string for each plural form, for
		// a script that counts.
		"wordForms": t.words.Forms,
		// {{mdtext "2*3 [a]"}} is a plain text as Markdown, or a number or a flag of the front matter.
		"mdtext": func(value any) (string, error) { return plain(value, markdownText, pastMarkdown) },
		// {{mdcell "a or b"}} is the same for the cell of a table, where "|" is escaped too.
		"mdcell": func(value any) (string, error) {
			return plain(value,
				func(text string) string { return cellText(text, markdownText) },
				func(text string) string { return cellText(text, pastMarkdown) })
		},
		// {{mdurl "/a (b)"}} is an address for Markdown's parentheses.
		"mdurl": func(ref any) string { return markdownURL(string(refOf(ref))) },
	}
}

// inLanguage returns text as HTML, marked with its language unless that is "".
func inLanguage(text, language string) htmltemplate.HTML {
	escaped := htmltemplate.HTMLEscapeString(text)
	if language != "" {
		escaped = `<span lang="` + htmltemplate.HTMLEscapeString(language) + `" dir="` + site.Direction(language) + `">` + escaped + `</span>`
	}
	return htmltemplate.HTML(escaped)
}

// showsOwnDescription reports whether a view in another language shows the untranslated description of site.yaml.
func showsOwnDescription(s *site.Site) bool {
	if s.Original == nil || s.Product.Description != s.Original.Description {
		return false
	}
	return slices.ContainsFunc(s.Config.Languages, func(l site.Language) bool { return l.Tag == s.Language && l.Description == "" })
}

// local returns an absolute address of the site as a path on the site, so that it works wherever the site is served, as
// in a preview. Mount adds the base path again. Other addresses stay unchanged.
func local(address, base string) string {
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

// assetPath finds the published path of an asset by the name of its source.
func assetPath(assets []asset, name string) (string, error) {
	stem, extension := splitExtension(name)
	for _, a := range assets {
		if strings.HasPrefix(a.path, "/assets/"+stem+".") && strings.HasSuffix(a.path, extension) {
			return a.path, nil
		}
	}
	return "", fmt.Errorf("there is no %s among the theme's assets", name)
}

// refOf returns a template's value as an address: a reference, or a string such as one of the page's
// params, in which characters that a URL can't contain are escaped. No path on a site contains "%", so
// existing escapes stay.
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

// plain writes a string, or a single value without quotes in front matter, such as a number. Missing values, lists, and
// maps are mistakes of the template. past writes a value from the history of the facts.
func plain(value any, write, past func(string) string) (string, error) {
	switch value := value.(type) {
	case string:
		return write(value), nil
	case view.PastText:
		return past(string(value)), nil
	case nil:
		return "", errors.New("the value is missing; write {{with …}} around it if it is optional")
	}
	switch kind := reflect.TypeOf(value).Kind(); kind {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		if _, ok := value.(fmt.Stringer); !ok {
			return "", fmt.Errorf("the value is a %s, not a string; use {{range …}} or a key", kind)
		}
	}
	return write(fmt.Sprint(value)), nil
}

// markdownText escapes a line of plain text, so that it reads the same as
// Markdown. Line breaks become spaces, and a URL becomes an autolink.
func markdownText(text string) string {
	if isPlainText(text) {
		return text
	}
	return escapeText(text, autolink)
}

// pastMarkdown is like markdownText, with addresses as code, so that no Markdown reader turns them into links.
func pastMarkdown(text string) string { return escapeText(text, codeSpan) }

func autolink(link string) string { return "<" + markdownURL(link) + ">" }

// codeSpan returns text in the fewest backticks that can enclose it (CommonMark §6.1).
func codeSpan(text string) string {
	fence, blank := "`", ""
	for strings.Contains(text, fence) {
		fence, blank = fence+"`", " "
	}
	return fence + blank + text + blank + fence
}

// escapeText escapes a line of plain text; address writes each URL in it.
func escapeText(text string, address func(string) string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i, word := range strings.Fields(text) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
			link := strings.TrimRight(word, ".,;:!?)\"'")
			b.WriteString(address(link))
			word = word[len(link):]
			escapeWord(&b, word, false)
			continue
		}
		escapeWord(&b, word, i == 0)
	}
	return b.String()
}

// cellText escapes text for a table cell, which can't start a list or heading.
func cellText(text string, write func(string) string) string {
	const before = "x "
	text = strings.TrimPrefix(write(before+text), strings.TrimSpace(before))
	return strings.ReplaceAll(strings.TrimPrefix(text, " "), "|", `\|`)
}

// isPlainText reports whether text is on one line and contains no Markdown syntax: words that start
// with a letter, or, except for the first, with a digit, separated by single spaces.
func isPlainText(text string) bool {
	space := true
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && i > 0:
			space = false
		case space:
			return false
		case c == ' ':
			space = true
		case c == ',', c == '.', c == '\'', c == '?', c == '-':
		default:
			return false
		}
	}
	return !space
}

// escapeWord writes a word with a backslash in front of Markdown syntax. first reports that the
// word starts the line, where more characters are syntax.
func escapeWord(b *strings.Builder, word string, first bool) {
	for i, r := range word {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '~':
			b.WriteByte('\\')
		case '&':
			if entityFollows(word[i+1:]) {
				b.WriteByte('\\')
			}
		case '#', '+', '-', '>':
			if first && i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			// A list's number ends its word: 980.000 is an amount.
			if first && i > 0 && i == len(word)-1 && strings.Trim(word[:i], "0123456789") == "" {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
}

// entityFollows reports whether an ampersand followed by rest is a character reference.
func entityFollows(rest string) bool {
	end := strings.IndexByte(rest, ';')
	return end > 0 && strings.Trim(rest[:end], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// markdownURL escapes a URL for use between parentheses or angle brackets.
func markdownURL(link string) string {
	if !strings.ContainsAny(link, "()<> ") {
		return link
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20").Replace(link)
}

// written maps words of programs to their usual spelling.
var written = map[string]string{
	"signup": "sign up", "signin": "sign in", "login": "log in", "logout": "log out",
	"api": "API", "faq": "FAQ", "url": "URL", "cli": "CLI",
}

// humanize turns a program's name, such as the key of a link, into readable words: "gettingStarted", "getting-started"
// and "getting_started" are "Getting started". A name of several words, or in capitals, stays unchanged.
func humanize(name string) string {
	if strings.ContainsRune(name, ' ') {
		return name
	}
	var parts []string
	var part []rune
	end := func() {
		if len(part) > 0 {
			parts = append(parts, wordOf(string(part)))
		}
		part = nil
	}
	letters := []rune(name)
	for i, r := range letters {
		switch {
		case r == '-' || r == '_' || r == '.':
			end()
			continue
		case i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])):
			end()
		}
		part = append(part, r)
	}
	end()
	return capital(strings.Join(parts, " "))
}

// wordOf returns a word in lower case, unless it is an abbreviation.
func wordOf(part string) string {
	if len([]rune(part)) > 1 && strings.ToUpper(part) == part {
		return part
	}
	part = strings.ToLower(part)
	if w, ok := written[part]; ok {
		return w
	}
	return part
}

func capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}
