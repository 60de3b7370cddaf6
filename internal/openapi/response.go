package openapi

import (
	"encoding/json"
	"fmt"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// response describes a response that any path of the operation may return.
type response struct {
	component   string
	description string
	// headers are the names of header components.
	headers []string
	// mediaType, schema, and example describe the body. They are empty if there is no body.
	mediaType, schema string
	example           json.RawMessage
	// examples contains the named examples if a response has several. The document uses examples instead of example.
	examples object
}

// responses describes every response of the operation. Each problem is described once for all methods, with the body
// that HEAD omits, because the description of a body includes its content type. The 200 response to HEAD is described
// separately, so that generated clients don't wait for a body.
func responses(product, discovery []byte, baseURL string) []response {
	information := concat(validators(), counters(), public(), []string{"Deprecation", "Sunset", "Content-Encoding", "Content-Length", "Date"})
	result := []response{
		{"ProductInformation", "The product information.", information, "application/json", "ProductInformation", product, nil},
		{"DiscoveryInformation", "The product information, and the address of the interface's description.", information, "application/json", "DiscoveryInformation", discovery, nil},
		{"InformationHead", "The header fields of the response to GET.", information, "", "", nil, nil},
		{"NotModified", "The client's copy is current: If-None-Match names its ETag. The response has no body, and the request counts toward the allowance.",
			concat(validators(), counters(), public(), []string{"Deprecation", "Sunset", "Date"}), "", "", nil, nil},
		{"Methods", "The supported methods. The response to a CORS preflight lists the headers that scripts from any origin may send.",
			concat([]string{"Allow", "Cache-Control-Error"}, counters(), shared(),
				[]string{"Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Max-Age", "Deprecation", "Sunset", "Date"}), "", "", nil, nil},
	}
	for _, p := range problems() {
		fields := concat([]string{"Cache-Control-Error"}, p.headers, counters(), shared(), []string{"Deprecation", "Sunset", "Content-Length", "Date"})
		r := response{p.component, p.description, fields, artifact.ProblemMediaType, "Problem", p.types[0].Body(baseURL), nil}
		if len(p.types) > 1 {
			for _, t := range p.types {
				r.examples = append(r.examples, member{t.Slug, object{{"value", json.RawMessage(t.Body(baseURL))}}})
			}
		}
		result = append(result, r)
	}
	return result
}

// problem describes a response whose body is a problem (RFC 9457).
type problem struct {
	// types are the possible problem types, all with the same status.
	types                  []artifact.ProblemType
	component, description string
	headers                []string
	// early reports whether the server may send the response before it checks the method, and so for every method.
	early bool
}

// problems returns the problem responses of the operation. Problem types with the same status share a response.
func problems() []problem {
	var result []problem
	all := artifact.ProblemTypes()
	for _, t := range all {
		p := []artifact.ProblemType{t}
		switch t.Slug {
		case artifact.ProblemUnsupportedQuery:
			p = slices.DeleteFunc(slices.Clone(all), func(o artifact.ProblemType) bool { return o.Status != t.Status })
			result = append(result, problem{p, "BadRequest", "The request has a query parameter, which the operation does not support, or it is malformed.", nil, true})
		case artifact.ProblemExpectationFailed:
			result = append(result, problem{p, "ExpectationFailed", "The request's Expect field names something other than 100-continue.", nil, true})
		case artifact.ProblemHeaderFieldsTooLarge:
			result = append(result, problem{p, "HeaderFieldsTooLarge", "The request target and the header fields together exceed the limit.", nil, true})
		case artifact.ProblemNotImplemented:
			result = append(result, problem{p, "NotImplemented", "The request's Transfer-Encoding is not chunked.", nil, true})
		case artifact.ProblemVersionNotSupported:
			result = append(result, problem{p, "VersionNotSupported", "The request's major HTTP version differs from the connection's.", nil, true})
		case artifact.ProblemMethodNotAllowed:
			result = append(result, problem{p, "MethodNotAllowed", "The request's method is not GET, HEAD, or OPTIONS. OpenAPI has no operation for these methods, so this response is described here.", []string{"Allow"}, false})
		case artifact.ProblemPreconditionFailed:
			result = append(result, problem{p, "PreconditionFailed", "The If-Match field does not name the current ETag.", nil, false})
		case artifact.ProblemAllowanceExhausted:
			result = append(result, problem{p, "AllowanceExhausted", "The instance's request allowance is exhausted. Wait at least the number of seconds in Retry-After before the next request.", []string{artifact.FieldRetryAfter}, true})
		case artifact.ProblemInternalError:
			result = append(result, problem{p, "InternalError", "The server could not produce the response.", nil, false})
		}
	}
	return result
}

// validators returns the headers for storing and revalidating a body.
func validators() []string {
	return []string{"ETag", "Cache-Control", "Vary"}
}

// counters returns the headers that report the request allowance.
func counters() []string {
	return []string{artifact.FieldRateLimitPolicy, artifact.FieldRateLimit,
		artifact.FieldLimit, artifact.FieldRemaining, artifact.FieldReset}
}

// shared returns the headers of every response.
func shared() []string {
	names := []string{"X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Strict-Transport-Security"}
	for _, f := range artifact.CORSFields() {
		names = append(names, f.Name)
	}
	return names
}

// public returns the headers of every response that is not an error.
func public() []string {
	return append([]string{"Link"}, shared()...)
}

// chosen returns the optional headers that the site's settings add to a response with the given headers.
func chosen(c *site.Config, headers []string) (more []string) {
	if c.ReprDigest && slices.Contains(headers, "Content-Length") {
		more = append(more, artifact.FieldReprDigest)
	}
	if len(c.Robots.ContentUsage) > 0 && slices.Contains(headers, "Link") {
		more = append(more, "Content-Usage")
	}
	return more
}

func concat(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// responseComponents returns the response objects, keyed by component name. It returns an error if a response lists an
// undescribed header.
func responseComponents(responses []response, headers []header) (object, error) {
	fields := make(map[string]string, len(headers))
	for _, h := range headers {
		fields[h.component] = h.field
	}
	var components object
	for _, r := range responses {
		var refs object
		for _, name := range r.headers {
			field, ok := fields[name]
			if !ok {
				return nil, fmt.Errorf("response %s: the header %s has no description", r.component, name)
			}
			refs = append(refs, member{field, ref("headers", name)})
		}
		description := object{{"description", r.description}, {"headers", refs}}
		if r.schema != "" {
			shown := member{"example", r.example}
			if r.examples != nil {
				shown = member{"examples", r.examples}
			}
			description = append(description, member{"content", object{{r.mediaType, object{{"schema", ref("schemas", r.schema)}, shown}}}})
		}
		components = append(components, member{r.component, description})
	}
	return components, nil
}
