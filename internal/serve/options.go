package serve

import (
	"net/url"

	"vitrine/internal/artifact"
)

// optionsHeaders are the headers of the answers to OPTIONS.
type optionsHeaders struct {
	// plain is for any URL, anonymous for the JSON operation, preflight for the
	// JSON operation where the request is a CORS preflight.
	plain, anonymous, preflight *Header
}

func newOptionsHeaders() optionsHeaders {
	plain := []artifact.Field{
		{Name: "Allow", Value: artifact.Allow},
		{Name: "Cache-Control", Value: artifact.ErrorCacheControl},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}
	anonymous := append(plain[:len(plain):len(plain)], artifact.CORSFields()...)
	preflight := append(anonymous[:len(anonymous):len(anonymous)],
		artifact.Field{Name: "Access-Control-Allow-Methods", Value: artifact.Allow},
		// The fields that a conditional request needs; the rest are safelisted.
		artifact.Field{Name: "Access-Control-Allow-Headers", Value: "If-Match, If-None-Match"},
		artifact.Field{Name: "Access-Control-Max-Age", Value: "86400"},
	)
	return optionsHeaders{plain: newHeader(plain...), anonymous: newHeader(anonymous...), preflight: newHeader(preflight...)}
}

// operation returns the header of OPTIONS on the JSON operation.
func (o *optionsHeaders) operation(r *Request) *Header {
	if r.Origin != "" && r.AccessControlRequestMethod != "" {
		return o.preflight
	}
	return o.anonymous
}

// redirectFields are the fields of every 308 but its Location.
func redirectFields() []artifact.Field {
	return []artifact.Field{
		{Name: "Cache-Control", Value: artifact.PageCacheControl},
		{Name: "CDN-Cache-Control", Value: artifact.CDNCacheControl},
		{Name: "Content-Length", Value: "0"},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}
}

// escapePath percent-encodes a path for a Location.
func escapePath(path string) string {
	return (&url.URL{Path: path}).EscapedPath()
}
