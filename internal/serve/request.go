package serve

import "vitrine/internal/artifact"

// Request is all of an HTTP request that an answer can depend on.
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
	// Header is ready to be sent. It must not be changed.
	Header *Header
	// Body is nil where none is sent: HEAD, 204, 304, 308.
	Body []byte
	// Location is the target of a redirect, else "".
	Location string
	// Grant carries the counters to send; they are sent where it is Counted.
	Grant Grant
	// Reason says in a word or two why this answer was given, for the log.
	Reason string
	// Err is what kept the server from answering as it should have.
	Err error
}

// Header is a header section that was made before the request came, in the two
// forms that engines send.
type Header struct {
	// Fields are for net/http. Each value is a slice of one, so that it can be
	// put into an http.Header without allocating.
	Fields []HeaderField
	// Block is the same as HTTP/1.1 field lines.
	Block []byte
}

// HeaderField is one field of a Header.
type HeaderField struct {
	Name   string
	Values []string
}

// newHeader makes a header section ready.
func newHeader(fields ...artifact.Field) *Header {
	h := &Header{Fields: make([]HeaderField, 0, len(fields))}
	for _, f := range fields {
		h.Fields = append(h.Fields, HeaderField{Name: f.Name, Values: []string{f.Value}})
		h.Block = append(h.Block, f.Name+": "+f.Value+"\r\n"...)
	}
	return h
}
