package render

import "vitrine/internal/artifact"

// Content types of what the build makes (RFC 7763 requires the charset of
// text/markdown).
const (
	typeHTML     = "text/html; charset=utf-8"
	typeMarkdown = "text/markdown; charset=utf-8"
	typeText     = "text/plain; charset=utf-8"
	typeJSON     = "application/json"
	typeXML      = "application/xml"
	typeCatalog  = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// contentSecurityPolicy lets a page load its own stylesheet and images, and
// nothing from anywhere else.
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"script-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// permissionsPolicy switches off what a page of facts has no use for.
const permissionsPolicy = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"

func field(name, value string) artifact.Field {
	return artifact.Field{Name: name, Value: value}
}

var noSniff = field("X-Content-Type-Options", "nosniff")

// publicFields are those of a page or a text: browsers ask again, a CDN keeps it.
func publicFields(contentType, vary string) []artifact.Field {
	return []artifact.Field{
		field("Content-Type", contentType),
		field("Cache-Control", artifact.PageCacheControl),
		field("CDN-Cache-Control", artifact.CDNCacheControl),
		field("Vary", vary),
		noSniff,
	}
}

const (
	varyPage   = "Accept, Accept-Encoding"
	varyCoding = "Accept-Encoding"
)

// protected adds the fields that keep an HTML page from harm.
func protected(fields []artifact.Field) []artifact.Field {
	return append(fields,
		field("Content-Security-Policy", contentSecurityPolicy),
		field("Referrer-Policy", "strict-origin-when-cross-origin"),
		field("Permissions-Policy", permissionsPolicy),
	)
}
