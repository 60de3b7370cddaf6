package site

import (
	"slices"
	"strings"
)

// LinkSchemes lists the schemes that links on a site may have, for messages. All other schemes are rejected. A list of
// rejected schemes would be incomplete, because there are application-specific schemes and old schemes such as
// livescript.
const LinkSchemes = "https:, http:, mailto:, or tel:"

// IsLinkScheme reports whether a site's links may use scheme.
func IsLinkScheme(scheme string) bool {
	return IsWebScheme(scheme) || slices.Contains([]string{"mailto", "tel"}, scheme)
}

// IsWebScheme reports whether scheme is http or https.
func IsWebScheme(scheme string) bool { return scheme == "https" || scheme == "http" }

// Scheme returns the scheme of a link, in lower case, and the rest of the link. If the link has no scheme, scheme is
// "". Like browsers, Scheme ignores white space and control characters before and within a scheme.
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
			// The text before the colon isn't a scheme, but the start of a relative path.
			return "", link
		}
	}
	return string(name), link[end+1:]
}
