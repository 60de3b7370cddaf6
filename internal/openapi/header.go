package openapi

import (
	"fmt"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// header describes a response header field.
type header struct {
	// component is the header's key in components/headers. field is the name of the header field.
	component, field string
	description      string
	// always reports whether every response that lists the field contains it.
	always bool
	schema object
	// example is a string or an int, depending on the schema.
	example any
}

// headers returns descriptions of all header fields that the operation's responses may contain.
func headers(s *site.Site) []header {
	str := object{{"type", "string"}}
	fixed := func(pattern string) object { return object{{"type", "string"}, {"pattern", pattern}} }
	count := func(least int) object { return object{{"type", "integer"}, {"minimum", least}} }
	deprecation, sunset := retirement(s)
	allowance := site.AllowanceOf(&s.Config, artifact.DefaultLimit, artifact.DefaultWindow)
	seconds := allowance.Seconds
	result := []header{
		{"ETag", "ETag", "The fingerprint of the body. Send it as If-None-Match to check whether a saved body is still current.", true,
			fixed(`^"[0-9a-f]{16}(-gzip|-br)?"$`), artifact.ETag(artifact.Hash(s.Product.JSON), artifact.Identity)},
		{artifact.FieldRateLimitPolicy, artifact.FieldRateLimitPolicy, "The request allowance: the quota q in a window of w seconds.", true,
			fixed(`^"` + artifact.PolicyName + `";q=[0-9]+;w=[0-9]+$`),
			fmt.Sprintf(`"%s";q=%d;w=%d`, artifact.PolicyName, allowance.Limit, seconds)},
		{artifact.FieldRateLimit, artifact.FieldRateLimit, "The state of the allowance: r requests remain, and the window resets in t seconds.", true,
			fixed(`^"` + artifact.PolicyName + `";r=[0-9]+;t=[0-9]+$`),
			fmt.Sprintf(`"%s";r=%d;t=%d`, artifact.PolicyName, allowance.Limit-1, seconds)},
		{artifact.FieldLimit, artifact.FieldLimit, "The number of requests in a window.", true, count(1), allowance.Limit},
		{artifact.FieldRemaining, artifact.FieldRemaining, "The number of requests that remain in the current window.", true, count(0), allowance.Limit - 1},
		{artifact.FieldReset, artifact.FieldReset, "The seconds until the window resets.", true, count(0), seconds},
		{artifact.FieldRetryAfter, artifact.FieldRetryAfter, "The minimum number of seconds to wait before the next request.", true, count(1), 42},
		{"Cache-Control", "Cache-Control", "Clients may reuse the body for five minutes; shared caches do not store it.", true, str, artifact.OperationCacheControl},
		{"Cache-Control-Error", "Cache-Control", "Errors and responses about the interface are not stored.", true, str, artifact.ErrorCacheControl},
		{"Vary", "Vary", "The request header fields that the response depends on.", false, str, "Accept-Encoding"},
		{"Link", "Link", "Links to the OpenAPI description (service-desc), the documentation (service-doc), and the API catalog (api-catalog).", false, str, artifact.OperationLinks(documentation(s))},
		{"Allow", "Allow", "The supported methods.", true, str, artifact.Allow},
		{"Deprecation", "Deprecation", "Sent only when the version is scheduled for retirement: the date of its deprecation (RFC 9745), in seconds since 1970.", false,
			fixed(`^@-?[0-9]+$`), deprecation},
		{"Sunset", "Sunset", "Sent only when a removal date is announced: that date (RFC 8594).", false,
			fixed(`^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$`), sunset},
		{"Access-Control-Allow-Methods", "Access-Control-Allow-Methods", "The methods that scripts from any origin may use; sent in responses to CORS preflights.", false, str, artifact.Allow},
		{"Access-Control-Allow-Headers", "Access-Control-Allow-Headers", "The request header fields that scripts from any origin may send; sent in responses to CORS preflights.", false, str, "If-Match, If-None-Match"},
		{"Access-Control-Max-Age", "Access-Control-Max-Age", "The seconds for which the response to a CORS preflight is valid.", false, count(0), 86400},
		{"X-Content-Type-Options", "X-Content-Type-Options", "Prevents browsers from guessing another content type.", false, object{{"type", "string"}, {"enum", array{"nosniff"}}}, "nosniff"},
		{"Cross-Origin-Resource-Policy", "Cross-Origin-Resource-Policy", "Lets pages from any site load the response.", false, object{{"type", "string"}, {"enum", array{"cross-origin"}}}, "cross-origin"},
		{"Strict-Transport-Security", "Strict-Transport-Security", "Requires clients to use only HTTPS for this number of seconds. Sent only over HTTPS, if the server terminates TLS.", false,
			fixed(`^max-age=[0-9]+`), "max-age=31536000"},
		{"Content-Encoding", "Content-Encoding", "The encoding of the body, if it has one.", false, object{{"type", "string"}, {"enum", array{"gzip", "br"}}}, "gzip"},
		{"Content-Length", "Content-Length", "The length of the body in bytes; for HEAD, of the body that GET would have.", false, count(0), len(s.Product.JSON)},
		{"Date", "Date", "The time of the response.", false, str, "Fri, 01 Jan 2027 00:00:00 GMT"},
	}
	cors := artifact.CORSFields()
	if s.Config.ReprDigest {
		cors = artifact.CORSFields(artifact.FieldReprDigest)
		digest := artifact.AppendReprDigest(nil, artifact.NewSHA256(s.Product.JSON))
		result = append(result, header{artifact.FieldReprDigest, artifact.FieldReprDigest, "The SHA-256 of the encoded representation (RFC 9530).", false,
			fixed(`^sha-256=:[A-Za-z0-9+/=]{44}:$`), string(digest)})
	}
	if len(s.Config.Robots.ContentUsage) > 0 {
		result = append(result, header{"Content-Usage", "Content-Usage", "The permitted uses of the information by automated systems (AIPREF): y or n for each use.", false, str, "train-ai=n"})
	}
	for _, f := range cors {
		description := "Lets scripts from any origin read the response, because the information is public."
		if f.Name == "Access-Control-Expose-Headers" {
			description = "The response header fields that scripts from any origin may read."
		}
		result = append(result, header{f.Name, f.Name, description, false, str, f.Value})
	}
	return result
}

// documentation returns the escaped path of the documentation page.
func documentation(s *site.Site) string {
	return string(site.RefTo(s.Config.Documentation))
}

// retirement returns the values of the Deprecation and Sunset header fields, or examples for unannounced dates.
func retirement(s *site.Site) (deprecation, sunset string) {
	start := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(2027, 7, 1, 0, 0, 0, 0, time.UTC)
	if r := s.Config.Retirement; r != nil {
		start = r.Deprecation
		if !r.Sunset.IsZero() {
			end = r.Sunset
		}
	}
	return fmt.Sprintf("@%d", start.Unix()), end.UTC().Format(httpDate)
}

// httpDate is the layout of a date in a header field (RFC 9110 §5.6.7).
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

// headerComponents returns the header objects, keyed by component name.
func headerComponents(headers []header) object {
	var components object
	for _, h := range headers {
		description := object{{"description", h.description}}
		if h.always {
			description = append(description, member{"required", true})
		}
		components = append(components, member{h.component, append(description,
			member{"schema", h.schema}, member{"example", h.example})})
	}
	return components
}
