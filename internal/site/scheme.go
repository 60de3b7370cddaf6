package site

import (
	"slices"
	"strings"
)

// LinkSchemes names the schemes that a link of a site may have, for messages. All
// others are refused: a list of the bad ones would miss some (livescript:, an
// application's own), and nothing on a site needs them.
const LinkSchemes = "https:, http:, mailto: or tel:"

// IsLinkScheme reports whether a link of a site may have a scheme.
func IsLinkScheme(scheme string) bool {
	return IsWebScheme(scheme) || slices.Contains([]string{"mailto", "tel"}, scheme)
}

// IsWebScheme reports whether a scheme is that of a page or a file of the web.
func IsWebScheme(scheme string) bool { return scheme == "https" || scheme == "http" }

// Scheme is the scheme of a link in lower case, "" where it has none, and what
// follows it. Browsers drop white space and control characters in and before a
// scheme and do not mind its case, so this does as well.
func Scheme(link string) (scheme, rest string) {
	for _, usual := range [...]string{"https", "http", "mailto"} {
		if len(link) > len(usual) && link[len(usual)] == ':' && link[:len(usual)] == usual {
			return usual, link[len(usual)+1:]
		}
	}
	end := strings.IndexAny(link, ":/?#")
	if end < 0 || link[end] != ':' {
		return "", link
	}
	var name []byte
	for _, c := range []byte(link[:end]) {
		switch {
		case c <= ' ' || c >= 0x7f:
		case c >= 'A' && c <= 'Z':
			name = append(name, c+'a'-'A')
		case c >= 'a' && c <= 'z', len(name) > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
			name = append(name, c)
		default:
			// Before this colon stands the beginning of a relative path.
			return "", link
		}
	}
	return string(name), link[end+1:]
}
