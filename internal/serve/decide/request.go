package decide

import (
	"net/netip"
	"strings"
	"time"

	"vitrine/internal/artifact"
)

// Request contains all parts of an HTTP request that affect a response, and the parts recorded in the request log.
type Request struct {
	Method string
	// Path is the path of the request target as sent, including percent-encoding.
	Path string
	// Query is the part of the request target after the "?".
	Query string
	// HasQuery reports whether the request target has a "?".
	HasQuery bool
	// Header fields, or "" if absent. The values of a repeated field are joined with ", ".
	Accept               string
	AcceptEncoding       string
	IfMatch, IfNoneMatch string
	// HasIfMatch reports whether there is an If-Match field. It distinguishes a missing field from an empty list, which
	// matches no representation.
	HasIfMatch                 bool
	Origin                     string
	AccessControlRequestMethod string
	// UserAgent is for the request log and for sites that negotiate by User-Agent.
	UserAgent string

	// Remote is the client's address for the request log, or the zero AddrPort if the address isn't an IP address with
	// a port.
	Remote netip.AddrPort
	// Protocol is the protocol version for the request log, as in a request line, such as "HTTP/1.1".
	Protocol string
	// Referer is the Referer field for the request log, or "" if absent.
	Referer string
	// Fields that proxies and clients add, or "" if absent. No response depends on them.
	ForwardedFor, Forwarded string
	RequestID, TraceParent  string
	// Began is the time when the server began to respond.
	Began time.Time
	// Malformed is the start of a request line that couldn't be parsed, as received, or "".
	Malformed string

	// decoded is the buffer for the decoded form of a percent-encoded path. Reset keeps it, so an
	// engine that reuses one Request for many requests doesn't allocate it again.
	decoded []byte
}

// Reset clears r but keeps its buffer for the next request.
func (r *Request) Reset() {
	*r = Request{decoded: r.decoded}
}

// Found is the result of looking up a path: the resource, if there is one.
type Found struct {
	route artifact.Route
	ok    bool
	// path is the request's decoded path relative to the site's base path, or "" if the path is invalid or outside the
	// site.
	path string
}

// Find looks up the resource at the path of a request. The result is valid until r is reused.
func (s *Site) Find(r *Request) Found {
	if len(r.decoded) < len(r.Path) && strings.IndexByte(r.Path, '%') >= 0 {
		r.decoded = make([]byte, len(r.Path))
	}
	path, ok := decodePath(r.Path, r.decoded)
	if ok {
		path, ok = s.build.Manifest.Below(path)
	}
	if !ok {
		return Found{}
	}
	route, ok := s.build.Manifest.Lookup(path)
	return Found{route: route, ok: ok, path: path}
}

// Counted reports whether a request for the resource counts toward the allowance, regardless of its
// outcome (wire contract §1).
func (f Found) Counted() bool {
	return f.ok && f.route.Kind() == artifact.KindOperation
}

// Class returns the kind of the found resource, or ClassNone if there is none.
func (f Found) Class() Class {
	if !f.ok {
		if f.path == artifact.BuildPath {
			return ClassFile
		}
		return ClassNone
	}
	switch f.route.Kind() {
	case artifact.KindFile:
		return ClassFile
	case artifact.KindPage:
		return ClassPage
	case artifact.KindOperation:
		return ClassOperation
	case artifact.KindRedirect:
		return ClassRedirect
	}
	return ClassNone
}

// Answer is the response to a request, without the fields that are added when the response is sent: Date and the fields
// with the allowance's counters.
type Answer struct {
	Status int
	Header Header
	// Body is nil if the response has no body: for HEAD, 204, 304, and 308.
	Body []byte
	// Shelf is the Shelf that may contain Body, or nil. The caller must keep the Shelf alive while it uses Body.
	Shelf *Shelf
	// Location is the target of a redirect, or "" for other responses.
	Location string
	// Grant contains the allowance's counters, which are sent if Grant.Counted is true.
	Grant Grant
	// Reason is the reason for this response in a word or two, such as "not-modified", for the log and the metrics.
	Reason string
	// Class is the kind of the requested resource, for the log and the metrics.
	Class Class
	// Markdown reports whether a page was found and its Markdown was preferred to its HTML.
	Markdown bool
	// Err is the error that prevented the regular response, or nil.
	Err error
}

// Class is the kind of the resource at a request's path. The number of classes is small and fixed,
// so requests can be counted by class.
type Class uint8

const (
	// ClassNone is a path without a resource.
	ClassNone Class = iota
	// ClassFile is a single representation with its own URL.
	ClassFile
	// ClassPage is a page with negotiated representations.
	ClassPage
	// ClassOperation is the JSON API.
	ClassOperation
	// ClassRedirect is a path that redirects, such as an old URL of a page.
	ClassRedirect
)

// Classes returns all classes, each at its own index.
func Classes() []Class {
	return []Class{ClassNone, ClassFile, ClassPage, ClassOperation, ClassRedirect}
}

// String returns the class as a label: one word in lower case.
func (c Class) String() string {
	return [...]string{ClassNone: "none", ClassFile: "file", ClassPage: "page", ClassOperation: "operation", ClassRedirect: "redirect"}[c]
}
