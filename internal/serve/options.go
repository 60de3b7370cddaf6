package serve

import (
	"net/url"

	"vitrine/internal/artifact"
)

// optionsHeaders are the headers of the answers to OPTIONS.
type optionsHeaders struct {
	// plain is for any URL, anonymous for the JSON operation, preflight for the
	// JSON operation where the request is a CORS preflight.
	plain, anonymous, preflight Header
}

func newOptionsHeaders() optionsHeaders {
	return optionsHeaders{
		plain:     fixedHeader(artifact.OptionsFields()...),
		anonymous: fixedHeader(artifact.OperationOptionsFields()...),
		preflight: fixedHeader(artifact.PreflightFields()...),
	}
}

// operation returns the header of OPTIONS on the JSON operation.
func (o *optionsHeaders) operation(r *Request) Header {
	if r.Origin != "" && r.AccessControlRequestMethod != "" {
		return o.preflight
	}
	return o.anonymous
}

// escapePath percent-encodes a path for a Location.
func escapePath(path string) string {
	return (&url.URL{Path: path}).EscapedPath()
}
