package decide

import (
	"net/http"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
)

// Header is the header section of a response, without the values that become known only when the response is sent.
// Fields that a class of representations shares are prepared in advance. The other fields are formatted from a few
// numbers when the response is written, so a representation doesn't need its own prepared header. A Header must not be
// modified.
type Header struct {
	// ready is the prepared part of the header. more is another prepared part that follows ready, or nil.
	ready, more *fieldSet
	// path and argument fill the holes in the class's fields; see artifact.Class.
	path     string
	argument uint32
	// validated reports whether the header contains an ETag, formed from hash and coding. described reports whether it
	// contains fields that describe a body; length is the body's size in bytes.
	validated, described bool
	coding               artifact.Coding
	hash                 uint64
	length               int64
	// digest is the SHA-256 digest of the body, or nil if the site doesn't send it.
	digest *artifact.SHA256
}

// AppendLines appends the header as HTTP/1.1 field lines to dst.
func (h *Header) AppendLines(dst []byte) []byte {
	if h.ready == nil {
		return dst
	}
	dst = h.appendSet(dst, h.ready)
	if h.more != nil {
		dst = h.appendSet(dst, h.more)
	}
	if h.validated {
		dst = append(dst, "ETag: "...)
		dst = artifact.AppendETag(dst, h.hash, h.coding)
		dst = append(dst, "\r\n"...)
	}
	if !h.described {
		return dst
	}
	if h.coding != artifact.Identity {
		dst = append(dst, "Content-Encoding: "...)
		dst = append(dst, h.coding.String()...)
		dst = append(dst, "\r\n"...)
	}
	if h.digest != nil {
		dst = append(dst, artifact.FieldReprDigest+": "...)
		dst = append(artifact.AppendReprDigest(dst, h.digest), "\r\n"...)
	}
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, h.length, 10)
	return append(dst, "\r\n"...)
}

func (h *Header) appendSet(dst []byte, set *fieldSet) []byte {
	for i := range set.pieces {
		p := &set.pieces[i]
		dst = append(dst, p.text...)
		dst = artifact.AppendHole(dst, p.hole, h.path, h.argument)
	}
	return dst
}

// Fields returns the header as fields in sending order.
func (h *Header) Fields() []artifact.Field {
	var fields []artifact.Field
	h.each(func(name string, values []string) {
		fields = append(fields, artifact.Field{Name: name, Value: values[0]})
	})
	return fields
}

// CopyTo sets the fields in a net/http header. Prepared fields share their values with the header, so the caller must
// not modify these values.
func (h *Header) CopyTo(header http.Header) {
	h.each(func(name string, values []string) { header[name] = values })
}

func (h *Header) each(do func(name string, values []string)) {
	if h.ready == nil {
		return
	}
	for _, set := range [...]*fieldSet{h.ready, h.more} {
		if set == nil {
			continue
		}
		for i := range set.fields {
			f := &set.fields[i]
			if f.values == nil {
				do(f.name, []string{h.fill(f.pattern)})
				continue
			}
			do(f.name, f.values)
		}
	}
	if h.validated {
		do("ETag", []string{artifact.ETag(h.hash, h.coding)})
	}
	if !h.described {
		return
	}
	if h.coding != artifact.Identity {
		do("Content-Encoding", []string{h.coding.String()})
	}
	if h.digest != nil {
		do(artifact.FieldReprDigest, []string{string(artifact.AppendReprDigest(nil, h.digest))})
	}
	do("Content-Length", []string{strconv.FormatInt(h.length, 10)})
}

// fill replaces the holes in pattern with h.path and h.argument.
func (h *Header) fill(pattern string) string {
	return artifact.Fill(pattern, h.path, h.argument)
}

// fieldSet is a list of header fields with holes, in the formats that the engines need.
type fieldSet struct {
	// fields contains the fields in the form that net/http expects.
	fields []readyField
	// pieces contains the same fields as HTTP/1.1 field lines.
	pieces []piece
	// block is the HTTP/2 encoding of the same fields.
	block BlockSet
}

// readyField is one field. values contains only the field's value, so that adding it to an http.Header needs no
// allocation. It is nil if pattern contains holes.
type readyField struct {
	name, pattern string
	values        []string
}

// piece is text, followed by a hole unless hole is noHole.
type piece struct {
	text string
	hole byte
}

const noHole = 0xff

func newFieldSet(fields []artifact.Field) fieldSet {
	s := fieldSet{block: NewBlockSet(fields)}
	var lines strings.Builder
	for _, f := range fields {
		ready := readyField{name: f.Name, pattern: f.Value}
		if artifact.IndexHole(f.Value) < 0 {
			ready.values = []string{f.Value}
		}
		s.fields = append(s.fields, ready)
		lines.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	rest := lines.String()
	for {
		i := artifact.IndexHole(rest)
		if i < 0 {
			s.pieces = append(s.pieces, piece{text: rest, hole: noHole})
			return s
		}
		s.pieces = append(s.pieces, piece{text: rest[:i], hole: rest[i]})
		rest = rest[i+1:]
	}
}

// FixedAnswer returns a response that is the same for every request and belongs to no resource of the site. reason is
// the response's Reason in the request log.
func FixedAnswer(status int, reason, body string, fields ...artifact.Field) Answer {
	h := fixedHeader(fields...)
	h.described, h.length = true, int64(len(body))
	return Answer{Status: status, Header: h, Body: []byte(body), Reason: reason}
}

// fixedHeader returns a header that is the same in every response.
func fixedHeader(fields ...artifact.Field) Header {
	s := newFieldSet(fields)
	return Header{ready: &s}
}

// headerClass contains the fields shared by all responses for a class of representations: full is for responses with a
// body, and notModified is for 304 responses.
type headerClass struct {
	full, notModified fieldSet
	// validated reports whether the representations have ETags.
	validated bool
}

func newHeaderClass(fields []artifact.Field) *headerClass {
	return &headerClass{
		full: newFieldSet(fields), notModified: newFieldSet(notModifiedFields(fields)),
		validated: !hasField(fields, noValidator),
	}
}

// noValidator is the field that identifies responses without an ETag, such as errors.
var noValidator = artifact.Field{Name: "Cache-Control", Value: artifact.ErrorCacheControl}

func hasField(fields []artifact.Field, f artifact.Field) bool {
	for i := range fields {
		if fields[i] == f {
			return true
		}
	}
	return false
}

// notModifiedFields returns full without the fields that describe a body: a 304 has no body, and its recipient already
// has those fields (RFC 9110 §15.4.5).
func notModifiedFields(full []artifact.Field) []artifact.Field {
	var kept []artifact.Field
	for _, f := range full {
		if strings.HasPrefix(f.Name, "Content-Type") || f.Name == "Content-Encoding" ||
			f.Name == "Content-Length" {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// optionsHeaders contains the headers of responses to OPTIONS.
type optionsHeaders struct {
	// plain is for every path outside the JSON API. For the JSON API, preflight is for CORS preflights, and anonymous
	// is for all other requests.
	plain, anonymous, preflight Header
}

func newOptionsHeaders() optionsHeaders {
	return optionsHeaders{
		plain:     fixedHeader(artifact.OptionsFields()...),
		anonymous: fixedHeader(artifact.OperationOptionsFields()...),
		preflight: fixedHeader(artifact.PreflightFields()...),
	}
}

// operation returns the header of a response to OPTIONS on the JSON API.
func (o *optionsHeaders) operation(r *Request) Header {
	if r.Origin != "" && r.AccessControlRequestMethod != "" {
		return o.preflight
	}
	return o.anonymous
}
