package serve

import (
	"net/netip"
	"strings"

	"vitrine/internal/artifact"
)

// Request is all of an HTTP request that an answer can depend on, and what the
// request log adds to it.
type Request struct {
	Method string
	// Path is the path of the request target as it was sent, percent-encoding
	// included.
	Path string
	// Query is what follows the "?"; HasQuery says whether there is one.
	Query    string
	HasQuery bool
	// Header fields, "" where absent; members of a repeated field are joined by ", ".
	Accept               string
	AcceptEncoding       string
	IfMatch, IfNoneMatch string
	// HasIfMatch says whether there is an If-Match at all: an empty list matches nothing.
	HasIfMatch                 bool
	Origin                     string
	AccessControlRequestMethod string
	// UserAgent is for the request log, and for a site that has chosen that who asks counts.
	UserAgent string

	// For the request log alone: where the request came from (the zero AddrPort
	// where that is not an address), the version of its protocol as a request
	// line has it, and a field, "" where absent.
	Remote   netip.AddrPort
	Protocol string
	Referer  string
	// Malformed is the beginning of a request line that could not be read, as it was sent, else "".
	Malformed string

	// decoded is where a percent-encoded path is decoded; an engine that uses
	// one Request for many requests keeps its memory.
	decoded []byte
}

// mostMalformed is how many bytes of a malformed request line are kept for the request log.
const mostMalformed = 256

// Reset makes r an empty request that keeps its memory for the next one.
func (r *Request) Reset() {
	*r = Request{decoded: r.decoded}
}

// Found is where a request's path leads: the resource there, if any.
type Found struct {
	route artifact.Route
	ok    bool
	// path is the request's path below where the site stands, decoded; "" where it
	// cannot be the path of any resource.
	path string
}

// Find looks the path of a request up. What it returns is valid until the
// Request is used for another.
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

// Counted reports whether a request for what was found counts toward the
// allowance, whatever comes of it (wire contract §1).
func (f Found) Counted() bool {
	return f.ok && f.route.Kind() == artifact.KindOperation
}

// Class is the kind of resource that was found.
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

// Answer is a decision: all of a response but the fields that only the moment
// of sending knows (Date, the allowance's counters).
type Answer struct {
	Status int
	Header Header
	// Body is nil where none is sent: HEAD, 204, 304, 308.
	Body []byte
	// Shelf may have the Body, and is held for as long as that is in use.
	Shelf *Shelf
	// Location is the target of a redirect, else "".
	Location string
	// Grant carries the counters to send; they are sent where it is Counted.
	Grant Grant
	// Reason says in a word or two why this answer was given, Class what kind of
	// resource was asked for. Both are for the log and the metrics.
	Reason string
	Class  Class
	// Markdown says that a page was found, and its Markdown preferred to its HTML.
	Markdown bool
	// Err is what kept the server from answering as it should have.
	Err error
}

// Class is the kind of resource that a request's path leads to. There are few,
// whatever is asked for, so that requests can be counted by it.
type Class uint8

// Classes.
const (
	// ClassNone is a path without a resource.
	ClassNone Class = iota
	// ClassFile is one representation at a URL of its own, ClassPage a page that
	// is negotiated, ClassOperation the JSON operation, and ClassRedirect an old
	// URL of a page.
	ClassFile
	ClassPage
	ClassOperation
	ClassRedirect
)

// String is the class as a label: one word in lower case.
func (c Class) String() string {
	return [...]string{ClassNone: "none", ClassFile: "file", ClassPage: "page", ClassOperation: "operation", ClassRedirect: "redirect"}[c]
}
