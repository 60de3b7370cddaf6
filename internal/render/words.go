package render

import (
	"strings"
	"unicode"
)

// written are words that people write otherwise than programs do.
var written = map[string]string{
	"signup": "sign up", "signin": "sign in", "login": "log in", "logout": "log out",
	"api": "API", "faq": "FAQ", "url": "URL", "cli": "CLI",
}

// words shows a name of a program, such as the key of a link, as people write
// it: "gettingStarted", "getting-started" and "getting_started" are "Getting
// started". A name that is several words already, or all capitals, stays.
func words(name string) string {
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

// wordOf is a word in lower case, unless it is an abbreviation.
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
