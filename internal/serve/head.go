package serve

import (
	"bytes"
	"net/url"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/field"
)

// headed is the gate's result for an HTTP/1 header section (wire contract §4, §7).
type headed struct {
	// slug names the problem of a rejected request, or is "" if net/http may read the request.
	slug string
	// request contains the known parts of a request that is rejected or whose valid target is replaced. Its path is ""
	// if unknown or if the target is an authority.
	request decide.Request
	// renamed reports whether net/http receives "/" instead of the target, either because net/url can't parse the
	// target or because the target has absolute or authority form.
	renamed bool
	// targetAt and targetEnd are the offsets of the target's start and end in the request line.
	targetAt, targetEnd int
	// body reports whether a body follows the header section.
	body bool
}

// judgeLine checks a request line and returns the result and the HTTP version. If the line is malformed, the version is
// "", and the gate doesn't wait for the rest of the header section.
func judgeLine(line []byte) (h headed, version string) {
	text := string(bytes.TrimSuffix(line, []byte("\r")))
	method, rest, ok := strings.Cut(text, " ")
	target, version, okTarget := strings.Cut(rest, " ")
	if !ok || !okTarget || !field.IsToken(method) || !field.IsTarget(target) || !field.IsVersion(version) {
		return malformedLine(line), ""
	}
	h.request.Method, h.request.Protocol = method, version
	h.targetAt, h.targetEnd = len(method)+1, len(method)+1+len(target)
	if version[len("HTTP/")] != '1' {
		h.slug = artifact.ProblemVersionNotSupported
	}
	path := target
	switch {
	case strings.HasPrefix(target, "/"):
	case target == "*":
		if method != "OPTIONS" && h.slug == "" { // RFC 9112 §3.2.4
			h.slug = artifact.ProblemMalformedRequest
		}
	case method == "CONNECT":
		path = "" // the target is an authority, which identifies no resource
	default:
		if path, ok = pathOfAbsolute(target); !ok {
			h.slug = artifact.ProblemMalformedRequest
		}
	}
	h.request.Path, h.request.Query, h.request.HasQuery = strings.Cut(path, "?")
	// Keep the path as the client sent it, because net/url doesn't preserve every form of a path.
	if _, err := url.ParseRequestURI(target); err != nil || path != target {
		h.renamed = true
	}
	return h, version
}

// mostMalformed is the maximum number of bytes of a malformed request line shown in the request log.
const mostMalformed = 256

// malformedLine returns the result for an invalid request line: a problem, and the start of the line for the log.
func malformedLine(line []byte) headed {
	line = bytes.TrimSuffix(line, []byte("\r"))
	return headed{
		slug:    artifact.ProblemMalformedRequest,
		request: decide.Request{Malformed: string(line[:min(len(line), mostMalformed)])},
	}
}

// pathOfAbsolute returns the path and query of a target in absolute form. It returns false unless the scheme is http or
// https and the authority contains a host and no user information (RFC 9110 §4.2).
func pathOfAbsolute(target string) (string, bool) {
	scheme, rest, ok := strings.Cut(target, "://")
	if !ok || !field.EqualFold(scheme, "http") && !field.EqualFold(scheme, "https") {
		return "", false
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	authority, path := rest[:end], rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	// IsHost accepts neither "@" nor an empty host.
	return path, field.IsHost(authority)
}

// judgeHead checks the lines between the request line and the empty line. It sets h.slug if the request must be
// rejected.
func (h *headed) judgeHead(fields []byte, version string) {
	var host, length, coding, expect, trailer []string
	for len(fields) > 0 {
		var line []byte
		line, fields, _ = bytes.Cut(fields, []byte("\n"))
		name, value, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\r")), []byte(":"))
		// A line that starts with a space continues the previous line (obs-fold), so its name is not a token.
		if !ok || !field.IsToken(string(name)) || !field.IsFieldValue(value) {
			h.slug = artifact.ProblemMalformedRequest
			return
		}
		text := field.TrimOWS(string(value))
		switch strings.ToLower(string(name)) {
		case "host":
			host = append(host, text)
		case "content-length":
			length = append(length, text)
		case "transfer-encoding":
			coding = append(coding, text)
		case "expect":
			expect = append(expect, text)
		case "trailer":
			trailer = append(trailer, strings.ToLower(text))
		case "referer":
			h.request.Referer = text
		case "user-agent":
			h.request.UserAgent = text
		case "x-forwarded-for":
			h.request.ForwardedFor = appended(h.request.ForwardedFor, text)
		case "forwarded":
			h.request.Forwarded = appended(h.request.Forwarded, text)
		case "x-request-id":
			h.request.RequestID = text
		case "traceparent":
			h.request.TraceParent = text
		}
	}
	h.body = len(coding) > 0 || len(length) > 0 && strings.Trim(length[0], "0") != ""
	switch old := version == "HTTP/1.0"; {
	case h.slug != "": // the request line already determined the problem
	case len(host) > 1 || len(host) == 0 && !old || len(host) == 1 && host[0] != "" && !field.IsHost(host[0]),
		len(length) > 1 || len(length) == 1 && !field.IsLength(length[0]),
		len(coding) > 1 || len(coding) == 1 && (old || len(length) > 0),
		// net/http rejects trailers with these names.
		strings.Contains(strings.Join(trailer, ","), "content-length"),
		strings.Contains(strings.Join(trailer, ","), "transfer-encoding"),
		strings.Contains(strings.Join(trailer, ","), "trailer"):
		h.slug = artifact.ProblemMalformedRequest
	case len(coding) == 1 && repeatsChunked(coding[0]):
		h.slug = artifact.ProblemMalformedRequest
	case len(coding) == 1 && !field.EqualFold(coding[0], "chunked"):
		h.slug = artifact.ProblemNotImplemented
	default:
		h.slug = unmetExpectation(expect)
	}
}

// appended returns a list field's value with another line's value appended (RFC 9110 §5.3).
func appended(list, line string) string {
	if list == "" {
		return line
	}
	return list + ", " + line
}

// repeatsChunked reports whether a Transfer-Encoding contains "chunked" more than once (RFC 9112 §6.1).
func repeatsChunked(list string) bool {
	n := 0
	for member := range strings.SplitSeq(list, ",") {
		if field.EqualFold(field.TrimOWS(member), "chunked") {
			n++
		}
	}
	return n > 1
}

// unmetExpectation returns the slug of the problem with an Expect field, or "" if there is none. The server ignores
// 100-continue, the only defined expectation (RFC 9110 §10.1.1), because it never reads a body.
func unmetExpectation(lines []string) string {
	if len(lines) == 0 || len(lines) == 1 && field.EqualFold(lines[0], "100-continue") {
		return ""
	}
	return artifact.ProblemExpectationFailed
}
