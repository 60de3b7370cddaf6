package serve

import "net/netip"

// Request is all of an HTTP request that an answer can depend on, and what a
// request log tells besides.
type Request struct {
	Method string
	// Path is the path of the request target as it was sent, percent-encoding
	// included.
	Path string
	// Query is what stood behind the "?"; HasQuery tells whether one stood there.
	Query    string
	HasQuery bool
	// Header fields, "" where absent; members of a repeated field are joined by ", ".
	Accept                     string
	AcceptEncoding             string
	IfMatch, IfNoneMatch       string
	Origin                     string
	AccessControlRequestMethod string

	// For the request log alone: where the request came from (the zero AddrPort
	// where that is not an address), the version of its protocol as a request
	// line has it, and two fields, "" where absent.
	Remote             netip.AddrPort
	Protocol           string
	Referer, UserAgent string

	// decoded is where a percent-encoded path is decoded; an engine that uses
	// one Request for many requests keeps its memory.
	decoded []byte
}

// Reset makes r an empty request that keeps its memory for the next one.
func (r *Request) Reset() {
	*r = Request{decoded: r.decoded}
}

// Answer is a decision: all of a response but the fields that only the moment
// of sending knows (Date, the allowance's counters).
type Answer struct {
	Status int
	Header Header
	// Body is nil where none is sent: HEAD, 204, 304, 308.
	Body []byte
	// Location is the target of a redirect, else "".
	Location string
	// Grant carries the counters to send; they are sent where it is Counted.
	Grant Grant
	// Reason says in a word or two why this answer was given, Class what kind of
	// resource was asked for; both are for the log and the metrics.
	Reason string
	Class  Class
	// Err is what kept the server from answering as it should have.
	Err error
}
