package load

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"vitrine/internal/site"
)

// absoluteURI returns a problem unless s is a URI (RFC 3986 §3) whose scheme is allowed in links. An http or https URI
// must also have a host. Like the other functions in this file that check a string, it returns "" if s is valid.
func absoluteURI(s string) string {
	u, problem := parseURI(s)
	switch {
	case problem != "":
		return problem
	case u.Scheme == "":
		return fmt.Sprintf("want an absolute URI such as https://acorn.example/pricing, found %q", s)
	case u.Scheme == "http" || u.Scheme == "https":
		return hostProblem(u, s)
	case !site.IsLinkScheme(u.Scheme):
		return fmt.Sprintf("the scheme %q is not allowed in a public link; write an address with %s", u.Scheme, site.LinkSchemes)
	case u.Opaque == "" && u.Host == "" && u.Path == "":
		return fmt.Sprintf("nothing follows %q; write the full URI", u.Scheme+":")
	}
	return ""
}

// webURL returns a problem unless s is an http or https URL with a host.
func webURL(s string) string {
	u, problem := parseURI(s)
	switch {
	case problem != "":
		return problem
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Sprintf("want an http or https URL such as https://acorn.example/pricing, found %q", s)
	}
	return hostProblem(u, s)
}

func hostProblem(u *url.URL, s string) string {
	if u.Hostname() == "" || strings.HasSuffix(u.Host, ":") {
		return fmt.Sprintf("want a host after %s://, as in https://acorn.example; found %q", u.Scheme, s)
	}
	if strings.Trim(strings.ToLower(u.Host), "abcdefghijklmnopqrstuvwxyz0123456789-._:[]") != "" {
		return fmt.Sprintf("want a host name with only ASCII letters, digits, hyphens, and dots; found %q", s)
	}
	return ""
}

// parseURI parses a URI. If the URI is invalid or too long, it returns nil and the problem. It checks each character
// itself, because url.Parse accepts characters that RFC 3986 doesn't, such as spaces and non-ASCII characters.
func parseURI(s string) (*url.URL, string) {
	if problem := tooLong(s, maxURL); problem != "" {
		return nil, problem
	}
	for _, r := range s {
		if r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r) {
			return nil, fmt.Sprintf("the character %q is not allowed in a URI; percent-encode it as %s", r, url.PathEscape(string(r)))
		}
	}
	u, err := url.Parse(s)
	if err == nil {
		_, err = url.PathUnescape(s)
	}
	if err != nil {
		return nil, fmt.Sprintf("%q is not a valid URI: %v", s, cause(err))
	}
	return u, ""
}

// cause returns an error from url.Parse without the operation and the URL, which the message already contains.
func cause(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// siteURL returns a problem unless s is a valid base URL: the scheme http or https, a host, and optionally a base path.
func siteURL(s string) string {
	u, problem := parseURI(s)
	switch {
	case problem != "":
		return problem
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Sprintf("want a scheme and a host, such as https://acorn.example; found %q", s)
	}
	if problem := hostProblem(u, s); problem != "" {
		return problem
	}
	host := strings.ToLower(u.Scheme + "://" + u.Host)
	mount := strings.TrimRight(u.EscapedPath(), "/")
	plain := host + mount
	switch {
	case len(s) != len(plain) && (u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(s, "#")):
		return fmt.Sprintf("want only a scheme, a host, and the site's path (if any), such as %s; found %q", plain, s)
	case !isMount(mount):
		return fmt.Sprintf("a site's path can contain only ASCII letters, digits, -, ., _, and ~ between its slashes, and no dot segments, as in %s/acorn; found %q", host, s)
	case strings.HasSuffix(mount, ".html") || strings.HasSuffix(mount, ".htm"):
		return fmt.Sprintf("want the address of the site, not of a page; write %s", host+strings.TrimRight(path.Dir(mount), "/"))
	case len(s) != len(plain) && mount == "":
		return fmt.Sprintf("want only a scheme and a host, found %q; write %s", s, plain)
	case len(s) != len(plain):
		return fmt.Sprintf("want no slash at the end, found %q; write %s", s, plain)
	}
	return ""
}

// isMount reports whether path is a valid base path. The base path "" is the root of the host. isMount allows only
// characters that every server and cache interprets in the same way, because the base path becomes part of server
// configurations, header fields, and files.
func isMount(path string) bool {
	if len(path) > maxSegment {
		return false
	}
	for i, segment := range strings.Split(path, "/") {
		if i > 0 && strings.Trim(segment, ".") == "" {
			return false
		}
		for _, c := range []byte(segment) {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~') {
				return false
			}
		}
	}
	return true
}

// lowerHost returns s with the scheme and host, but not the path, in lower case. s must be valid according to siteURL.
func lowerHost(s string) string {
	scheme, rest, _ := strings.Cut(s, "://")
	host := rest
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		host = rest[:slash]
	}
	return strings.ToLower(scheme+"://"+host) + rest[len(host):]
}

// email returns a problem unless s is an ASCII email address without a display name (RFC 5322 §3.4.1).
func email(s string) string {
	address, err := mail.ParseAddress(s)
	switch {
	case err != nil || strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) >= 0:
		return fmt.Sprintf("want an e-mail address such as hello@acorn.example, found %q", s)
	case address.Address != s:
		return fmt.Sprintf("want only the e-mail address, found %q; write %s", s, address.Address)
	}
	return ""
}

// securityContact returns a problem unless s is a contact URI (RFC 9116 §2.5.3).
func securityContact(s string) string {
	if email(s) == "" {
		return fmt.Sprintf("want a URI, found the bare e-mail address %q; write mailto:%s", s, s)
	}
	if scheme, _ := site.Scheme(s); scheme == "http" {
		return fmt.Sprintf("want an https: address, found %q; RFC 9116 requires https: for web addresses", s)
	}
	return absoluteURI(s)
}

// Maximum lengths. maxTitle, maxTag, and maxLine are in characters; maxURL, maxPath, and maxSegment are in bytes.
// Longer values are mistakes or attacks. In addition, file systems limit names to 255 bytes, and nginx limits a
// parameter in its configuration to about 4,096 bytes.
const (
	maxTitle   = 300
	maxTag     = 100
	maxLine    = 2000
	maxURL     = 2000
	maxPath    = 1000
	maxSegment = 200
)

// tooLong returns a problem if s has more than most bytes.
func tooLong(s string, most int) string {
	if len(s) > most {
		return fmt.Sprintf("the string is %d bytes long, and the maximum is %d; shorten it", len(s), most)
	}
	return ""
}

// atMost returns a check that a string has no more than most characters.
func atMost(most int) check {
	return check{problem: func(s string) string {
		if n := utf8.RuneCountInString(s); n > most {
			return fmt.Sprintf("the string has %d characters, and the maximum is %d; shorten it", n, most)
		}
		return ""
	}}
}

// imageTarget returns a problem unless s is a path or a web URL on a single line and has at most maxURL bytes.
func imageTarget(s string) string {
	if problem := oneWord(s); problem != "" {
		return problem
	}
	if scheme, _ := site.Scheme(s); scheme != "" && !site.IsWebScheme(scheme) {
		return fmt.Sprintf("the scheme %q is not allowed for an image; use a path, or an address with https: or http:", scheme)
	}
	return tooLong(s, maxURL)
}

// currencyCode returns a problem unless s is an ISO 4217 code in upper case.
func currencyCode(s string) string {
	// The table in golang.org/x/text doesn't contain these newer codes.
	newer := map[string]bool{"SLE": true, "VED": true, "XCG": true, "ZWG": true}
	upper := strings.ToUpper(s)
	if _, err := currency.ParseISO(upper); err != nil && !newer[upper] {
		return fmt.Sprintf("want an ISO 4217 code such as EUR or USD, found %q", s)
	}
	if s != upper {
		return fmt.Sprintf("want an ISO 4217 code in capitals, found %q; write %s", s, upper)
	}
	return ""
}

// languageTag returns a problem unless s is a BCP 47 tag.
func languageTag(s string) string {
	tag, err := language.Parse(s)
	switch {
	case err != nil:
		return fmt.Sprintf("want a BCP 47 language tag such as en or pt-BR, found %q", s)
	case strings.Contains(s, "_"):
		return fmt.Sprintf("want a BCP 47 language tag, found %q; write %s", s, tag)
	}
	return ""
}

// plainName reports whether s is not empty and contains only a-z, 0-9, and "-".
func plainName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// enumerate joins names for a sentence: "a and b", or "a, b, and c".
func enumerate(names []string) string { return series(names, "and") }

// series joins words with a conjunction: "a or b", or "a, b, or c".
func series(words []string, conjunction string) string {
	switch last := len(words) - 1; {
	case last < 1:
		return strings.Join(words, "")
	case last == 1:
		return words[0] + " " + conjunction + " " + words[1]
	default:
		return strings.Join(words[:last], ", ") + ", " + conjunction + " " + words[last]
	}
}
