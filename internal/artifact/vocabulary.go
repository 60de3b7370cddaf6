package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Paths of the JSON API (specification §4.1) and of its descriptions.
const (
	// OperationPath is the path of version 1 of the operation, whose contract is stable.
	OperationPath = "/api/v1/marketing"
	// AliasPath serves the same bytes as OperationPath.
	AliasPath = "/api/marketing"
	// DiscoveryPath serves the same members as OperationPath, plus a link to the description.
	DiscoveryPath = "/api"
	// DescriptionPath is the path of the OpenAPI document.
	DescriptionPath = "/openapi.json"
	// CatalogPath is the path of the API catalog (RFC 9727).
	CatalogPath = "/.well-known/api-catalog"
	// BuildPath is the path of the response that identifies the current build. A deployment can poll it until the new
	// build is served. The server generates the response, because the manifest can't contain it: the response contains
	// the build's name, which is the manifest's checksum.
	BuildPath = "/.well-known/vitrine-build"
	// ProblemsPath is the prefix of the paths of problem types. The type's slug follows the prefix.
	ProblemsPath = "/problems/"
)

// OperationPaths returns the paths of the JSON API. Requests for them count toward the allowance.
func OperationPaths() [3]string {
	return [3]string{OperationPath, AliasPath, DiscoveryPath}
}

const (
	// OperationID is the operationId of the JSON API in the OpenAPI document.
	OperationID = "getProductInformation"
	// DescriptionMember is the member that DiscoveryPath adds to the product
	// information: the URL of the OpenAPI document.
	DescriptionMember = "apiDescription"
	// ProblemMediaType is the content type of a problem (RFC 9457 §3).
	ProblemMediaType = "application/problem+json"
	// Allow lists the methods that every URL supports.
	Allow = "GET, HEAD, OPTIONS"
)

// The request allowance of an instance (specification §8).
const (
	DefaultLimit  = 120
	DefaultWindow = 60 * time.Second
	// PolicyName is the allowance's name in the rate-limit fields and in the body of a 429.
	PolicyName = "instance"
)

// Names of the header fields that describe the state of the allowance.
const (
	FieldRateLimitPolicy = "RateLimit-Policy"
	FieldRateLimit       = "RateLimit"
	FieldLimit           = "X-RateLimit-Limit"
	FieldRemaining       = "X-RateLimit-Remaining"
	FieldReset           = "X-RateLimit-Reset"
	FieldRetryAfter      = "Retry-After"
)

// Names of the header fields that announce the retirement of a version of the operation (specification §9).
const (
	FieldDeprecation = "Deprecation"
	FieldSunset      = "Sunset"
)

// Slugs of the problem types.
const (
	ProblemUnsupportedQuery   = "unsupported-query-parameters"
	ProblemNotFound           = "not-found"
	ProblemMethodNotAllowed   = "method-not-allowed"
	ProblemAllowanceExhausted = "allowance-exhausted"
	ProblemPreconditionFailed = "precondition-failed"
	ProblemInternalError      = "internal-error"

	// Problems of requests rejected before routing.
	ProblemMalformedRequest     = "malformed-request"
	ProblemExpectationFailed    = "expectation-failed"
	ProblemHeaderFieldsTooLarge = "header-fields-too-large"
	ProblemNotImplemented       = "not-implemented"
	ProblemVersionNotSupported  = "version-not-supported"
)

// ProblemType is a kind of problem that a response may report (RFC 9457). All responses with the same type have the
// same body.
type ProblemType struct {
	// Slug is the last segment of the type's URI.
	Slug string
	// Status is the HTTP status of every response with this type.
	Status int
	// Title names the type, Detail describes the problem, and Resolution describes the client's next step. Title is a
	// phrase, and Detail and Resolution are sentences.
	Title, Detail, Resolution string
	// Policies lists the names of the exceeded rate-limit policies, or is nil if the type isn't about rate limits.
	Policies []string
}

// ProblemTypes returns all problem types, sorted by status.
func ProblemTypes() []ProblemType {
	return []ProblemType{
		{
			Slug: ProblemUnsupportedQuery, Status: 400,
			Title:      "Unsupported query parameters",
			Detail:     "This resource does not support query parameters, but the request has at least one.",
			Resolution: "Send the request again without the query string.",
		},
		{
			Slug: ProblemMalformedRequest, Status: 400,
			Title:      "Malformed request",
			Detail:     "The request target, a header field, or the framing is not valid HTTP, so servers may interpret the request differently.",
			Resolution: "Send the request with an HTTP library rather than by hand: one Host field, at most one Content-Length or Transfer-Encoding, and no folded lines. The connection was closed; open another.",
		},
		{
			Slug: ProblemNotFound, Status: 404,
			Title:      "Not found",
			Detail:     "There is no resource at this path.",
			Resolution: "Check the path for misspellings. The product information is at " + OperationPath + ", and " + DescriptionPath + " describes the interface.",
		},
		{
			Slug: ProblemMethodNotAllowed, Status: 405,
			Title:      "Method not allowed",
			Detail:     "This site is read-only: every path, existing or not, supports only the methods in the Allow field. Method names are in upper case.",
			Resolution: "Use GET to read a resource, HEAD to read only its header fields, or OPTIONS to list the methods.",
		},
		{
			Slug: ProblemPreconditionFailed, Status: 412,
			Title:      "Precondition failed",
			Detail:     "The request's If-Match field does not name the ETag of the current representation.",
			Resolution: "Send the request again without If-Match, or with the ETag of a recent response. To check whether a saved copy is still current, use If-None-Match.",
		},
		{
			Slug: ProblemExpectationFailed, Status: 417,
			Title:      "Expectation failed",
			Detail:     "The request's Expect field names an expectation that this server does not support.",
			Resolution: "Send the request again without the Expect field.",
		},
		{
			Slug: ProblemAllowanceExhausted, Status: 429,
			Title:      "Request allowance exhausted",
			Detail:     "This server instance has received as many requests as its allowance permits in the current window. All callers share the allowance.",
			Resolution: "Wait at least the number of seconds in the Retry-After field, then send the request again. Product information may be cached and reused for five minutes.",
			Policies:   []string{PolicyName},
		},
		{
			Slug: ProblemHeaderFieldsTooLarge, Status: 431,
			Title:      "Request header fields too large",
			Detail:     "The request target and the header fields together exceed this server's limit.",
			Resolution: "Send the request again with fewer or shorter header fields, for example without cookies, which have no effect here.",
		},
		{
			Slug: ProblemInternalError, Status: 500,
			Title:      "Internal error",
			Detail:     "The server could not produce the response. The request is not the cause.",
			Resolution: "Send the same request again later. If the problem persists, write to the contact address in the product information.",
		},
		{
			Slug: ProblemNotImplemented, Status: 501,
			Title:      "Not implemented",
			Detail:     "The request's Transfer-Encoding names an encoding that this server does not support.",
			Resolution: "Send the request again without a body: no method here needs one.",
		},
		{
			Slug: ProblemVersionNotSupported, Status: 505,
			Title:      "HTTP version not supported",
			Detail:     "The request line names a major version of HTTP that this connection does not use.",
			Resolution: "Use HTTP/1.1, or HTTP/2 over TLS if the server offers it.",
		},
	}
}

// ProblemBySlug returns the problem type with the given slug, and reports whether there is one.
func ProblemBySlug(slug string) (ProblemType, bool) {
	for _, p := range ProblemTypes() {
		if p.Slug == slug {
			return p, true
		}
	}
	return ProblemType{}, false
}

// Path returns the path of the page that documents the type.
func (p ProblemType) Path() string {
	return ProblemsPath + p.Slug
}

// Body returns the problem as application/problem+json, indented by two spaces and with a final newline. Its type is a
// URL under baseURL (scheme, host, and path, without a trailing slash).
func (p ProblemType) Body(baseURL string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Type       string   `json:"type"`
		Title      string   `json:"title"`
		Status     int      `json:"status"`
		Detail     string   `json:"detail"`
		Resolution string   `json:"resolution"`
		Policies   []string `json:"violated-policies,omitempty"`
	}{baseURL + p.Path(), p.Title, p.Status, p.Detail, p.Resolution, p.Policies})
	if err != nil {
		panic(err) // unreachable: strings and integers always encode
	}
	return b.Bytes()
}

// DiscoveryBody returns the body of DiscoveryPath: product, which must be a JSON object, with DescriptionMember added
// as its last member. If product already has a member with that name, DiscoveryBody returns product unchanged. It
// returns an error if product isn't a JSON object.
func DiscoveryBody(product []byte, baseURL string) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(product, &members); err != nil {
		return nil, fmt.Errorf("adding %s to the product information: %w", DescriptionMember, err)
	}
	if members == nil {
		return nil, fmt.Errorf("adding %s to the product information: want a JSON object, found null", DescriptionMember)
	}
	if _, taken := members[DescriptionMember]; taken {
		return product, nil
	}
	link, err := json.Marshal(baseURL + DescriptionPath)
	if err != nil {
		return nil, fmt.Errorf("adding %s to the product information: %w", DescriptionMember, err)
	}
	object := bytes.TrimRight(product, " \t\r\n")
	object = bytes.TrimRight(object[:len(object)-1], " \t\r\n") // without its closing brace
	separator := ","
	if len(members) == 0 {
		separator = ""
	}
	return fmt.Appendf(bytes.Clone(object), "%s\n  %q: %s\n}\n", separator, DescriptionMember, link), nil
}

// OperationLinks returns the value of the operation's Link field. It links to the machine-readable description, the
// human-readable description (both RFC 8631), and the API catalog (RFC 9727). documentation is the path of the
// human-readable description.
func OperationLinks(documentation string) string {
	return `<` + DescriptionPath + `>; rel="service-desc"; type="application/json", ` +
		`<` + documentation + `>; rel="service-doc"; type="text/html", ` +
		`<` + CatalogPath + `>; rel="api-catalog"; type="application/linkset+json"`
}

// Values of Cache-Control and CDN-Cache-Control.
const (
	// OperationCacheControl lets clients reuse product information for five minutes. Shared caches don't store it,
	// because they would replay stale rate-limit counters.
	OperationCacheControl = "private, max-age=300"
	// PageCacheControl makes browsers revalidate a page on every use, which usually results in a 304.
	PageCacheControl = "public, max-age=0, must-revalidate"
	// CDNCacheControl (RFC 9213) lets a CDN store pages for a day, so a deployment must purge the CDN.
	CDNCacheControl = "public, max-age=86400"
	// AssetCacheControl is for files whose names change with their content.
	AssetCacheControl = "public, max-age=31536000, immutable"
	// ErrorCacheControl keeps errors out of caches: 404 and 405 are
	// heuristically cacheable (RFC 9110 §15.1), and 429 must not be stored
	// (RFC 6585 §4).
	ErrorCacheControl = "no-store"
)

// CORSFields returns the fields that let scripts of any origin read a response of the JSON API and its header
// fields, because the data is public. more lists the names of additional header fields to expose.
func CORSFields(more ...string) []Field {
	exposed := append([]string{
		"ETag", FieldRateLimitPolicy, FieldRateLimit, FieldLimit, FieldRemaining, FieldReset, FieldRetryAfter, FieldDeprecation, FieldSunset,
	}, more...)
	return []Field{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Expose-Headers", strings.Join(exposed, ", ")},
	}
}

// OptionsFields returns the fields of the response to OPTIONS on any URL.
func OptionsFields() []Field {
	return []Field{
		{"Allow", Allow},
		{"Cache-Control", ErrorCacheControl},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// OperationOptionsFields returns the fields of the response to OPTIONS on the JSON API.
func OperationOptionsFields() []Field {
	return append(OptionsFields(), CORSFields()...)
}

// PreflightFields returns the fields of the response to a CORS preflight on the JSON API.
func PreflightFields() []Field {
	return append(OperationOptionsFields(),
		Field{"Access-Control-Allow-Methods", Allow},
		// Conditional requests use these fields. CORS allows the other supported request fields without a preflight.
		Field{"Access-Control-Allow-Headers", "If-Match, If-None-Match"},
		Field{"Access-Control-Max-Age", "86400"},
	)
}

// Spellings returns other spellings of the path of a page or a redirect, such as the path with a trailing slash or with
// .html. path may be percent-encoded. A spelling redirects to path unless it is the path of another resource (wire
// contract §3).
func Spellings(path string) []string {
	if path == "/" {
		return []string{"//", "/.html", "/index.html", "/index/"}
	}
	return []string{path + "/", path + ".html"}
}

// FieldBuild is the header field that names the build. It is in every HTML and Markdown response, in the response at
// BuildPath, and in responses that a shared cache may store because of CDN-Cache-Control. A cache can then ignore
// responses from any build except the announced one (wire contract §8).
const FieldBuild = "Vitrine-Build"

// BuildName returns a build's name: the checksum of its manifest.
func BuildName(build uint64) string { return fmt.Sprintf("%016x", build) }

// BuildBody returns the body of BuildPath.
func BuildBody(build uint64) []byte { return fmt.Appendf(nil, "{\"build\":%q}\n", BuildName(build)) }

// BuildBodyWith returns the body of BuildPath for a server whose allowance differs from the build's. allowance is the
// server's allowance, such as "120/60s", or "0" if the server has no allowance.
func BuildBodyWith(build uint64, allowance string) []byte {
	return fmt.Appendf(nil, "{\"build\":%q,\"allowance\":%q}\n", BuildName(build), allowance)
}

// BuildFields returns the fields of the response at BuildPath.
func BuildFields(build uint64) []Field {
	return []Field{
		{FieldBuild, BuildName(build)},
		{"Content-Type", "application/json"},
		{"Cache-Control", ErrorCacheControl},
		{"Cross-Origin-Resource-Policy", "cross-origin"},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// WithBuild returns the fields of a response, with FieldBuild added if the response needs it. Files whose names change
// with their content don't need FieldBuild, because they can belong to several builds.
func WithBuild(fields []Field, build uint64) []Field {
	if slices.ContainsFunc(fields, namesBuild) {
		return append(fields[:len(fields):len(fields)], Field{FieldBuild, BuildName(build)})
	}
	return fields
}

// namesBuild reports whether a response with this field needs FieldBuild.
func namesBuild(f Field) bool {
	mediaType, _, _ := strings.Cut(f.Value, ";")
	return f.Name == fieldCDNCacheControl || f.Name == "Content-Type" && (mediaType == "text/html" || mediaType == "text/markdown")
}

const fieldCDNCacheControl = "CDN-Cache-Control"

// RedirectFields returns the fields of every 308 except Location.
func RedirectFields() []Field {
	return []Field{
		{"Cache-Control", PageCacheControl},
		{"CDN-Cache-Control", CDNCacheControl},
		{"Content-Length", "0"},
		{"X-Content-Type-Options", "nosniff"},
	}
}
