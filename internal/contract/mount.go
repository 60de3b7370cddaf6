package contract

import (
	"net/http"
	"net/url"
	"strings"

	"vitrine/internal/lazyregexp"
)

// Mount is the base path of a site on its host. Exchanges and other callers use paths relative to the base path
// ("/pricing"). Mount converts them to request paths ("/acorn/pricing"), and converts responses back. The zero Mount is
// the root.
type Mount struct {
	// Path is the base path, such as "/acorn", or "" for the root.
	Path   string
	origin string
}

// MountOf returns the Mount of the site at u.
func MountOf(u *url.URL) Mount {
	return Mount{strings.TrimRight(u.EscapedPath(), "/"), u.Scheme + "://" + u.Host}
}

// Target returns the request target for a path of the site. It returns other targets, such as "*", unchanged.
func (m Mount) Target(target string) string {
	if strings.HasPrefix(target, "/") {
		return m.Path + target
	}
	return target
}

// requestTarget matches a request line up to the slash at the start of the target's path.
var requestTarget = lazyregexp.New(`\A(?:\r\n)?[A-Za-z]+ (?:https?://[^/ ]*)?/`)

// raw adds the base path to the target of a raw request.
func (m Mount) raw(request string) string {
	if i := requestTarget.FindStringIndex(request); i != nil {
		return request[:i[1]-1] + m.Path + request[i[1]-1:]
	}
	return request
}

// Local converts address, a URL or a URL path from a response, to a path relative to the base path. It converts a path
// outside the base path to a full URL, so that the path isn't mistaken for a path of the site. Local returns any
// address that isn't a path unchanged.
func (m Mount) Local(address string) string {
	if m.Path == "" || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
		return address
	}
	below, ok := strings.CutPrefix(address, m.Path)
	if ok && strings.HasPrefix(below, "/") {
		return below
	}
	return m.origin + address
}

var linkTarget = lazyregexp.New(`<(/[^>]*)>`)

// Answered applies Local to the URLs in the Location and Link fields of a response.
func (m Mount) Answered(h http.Header) {
	if m.Path == "" {
		return
	}
	for i, location := range h["Location"] {
		h["Location"][i] = m.Local(location)
	}
	for i, links := range h["Link"] {
		h["Link"][i] = linkTarget.ReplaceAllStringFunc(links, func(target string) string {
			return "<" + m.Local(strings.Trim(target, "<>")) + ">"
		})
	}
}
