package contract

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Mount is a place on a host that a site stands below. Exchanges, and whoever else asks, know paths of the site alone
// ("/pricing"); Mount makes what is sent of them ("/acorn/pricing"), and takes answers back. The zero Mount is the root.
type Mount struct {
	// Path is "/acorn", or "".
	Path   string
	origin string
}

// MountOf is the place that a site's URL names.
func MountOf(u *url.URL) Mount {
	return Mount{strings.TrimRight(u.EscapedPath(), "/"), u.Scheme + "://" + u.Host}
}

// Target is the target of a request for a path of the site.
func (m Mount) Target(target string) string {
	if strings.HasPrefix(target, "/") {
		return m.Path + target
	}
	return target
}

// requestTarget is a line with a target that has a path, with what stands before the path.
var requestTarget = regexp.MustCompile(`\A(?:\r\n)?[A-Za-z]+ (?:https?://[^/ ]*)?/`)

// raw is a request as bytes.
func (m Mount) raw(request string) string {
	if i := requestTarget.FindStringIndex(request); i != nil {
		return request[:i[1]-1] + m.Path + request[i[1]-1:]
	}
	return request
}

// Local is the path of the site that an address means, in an answer of the site. What leads elsewhere on the same host
// becomes the URL that it is, so that nobody takes it for a path of the site.
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

var linkTarget = regexp.MustCompile(`<(/[^>]*)>`)

// Answered takes the fields of an answer back that have addresses.
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
