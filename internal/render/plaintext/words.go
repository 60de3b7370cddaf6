package plaintext

import (
	"strings"
	"unicode"
)

// written maps lower-case words in identifiers to their usual spelling.
var written = map[string]string{
	"signup": "sign up", "signin": "sign in", "login": "log in", "logout": "log out",
	"api": "API", "faq": "FAQ", "url": "URL", "cli": "CLI",
}

// Humanize turns an identifier, such as the key of a link, into readable words: "gettingStarted", "getting-started",
// and "getting_started" become "Getting started". Words in capitals, such as "API", stay in capitals. If name contains
// spaces, Humanize returns it unchanged.
func Humanize(name string) string {
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

// wordOf returns part, one word of an identifier, in lower case or in the spelling in written. It returns a word in
// capitals unchanged, because such a word is probably an abbreviation.
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

// OneLine replaces each run of white space with a single space and removes white space at both ends.
func OneLine(s string) string {
	if IsASCII(s) && !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") && s == strings.TrimSpace(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// IsASCII reports whether s contains only ASCII characters.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
