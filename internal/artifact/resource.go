// Package artifact is the interface between the half of Vitrine that builds and the half that serves. It defines the
// Resource that render creates and publish writes, the Manifest that lists every resource of a build, and the Build
// that reads resources back. The package rejects a manifest with a wrong checksum. Every function except ReadPack
// returns a representation only if its bytes match the hash in the manifest.
package artifact

import "strings"

// Kind selects how a resource is served.
type Kind uint8

const (
	// KindFile is a resource with one media type, such as a stylesheet, llms.txt, or a Markdown twin.
	KindFile Kind = iota
	// KindPage is a page with two negotiated variants: first HTML, then Markdown.
	KindPage
	// KindOperation is a resource of the JSON API. Requests for it count toward the allowance, and are rejected if they
	// have query parameters.
	KindOperation
	// KindRedirect is a redirect: a 308 response with a Location.
	KindRedirect
	// KindFallback is a resource without a URL: the body of an error response (a problem, or the 404 page in HTML and
	// Markdown), or a setting of the site. Its path is a name without a leading slash, so no request can match it. A
	// fallback whose name is MountName or starts with OptionPrefix has no body, and stores a setting.
	KindFallback
)

// Names of the fallback resources. A problem's name is ProblemPrefix followed by its slug.
const (
	NotFoundPage  = "404"
	ProblemPrefix = "problem/"
	// MountName is the name of the fallback whose Location is the site's base path on its host, such as "/acorn". A
	// site at the root doesn't have this fallback. The paths of all resources are relative to the base path, but their
	// Location and header fields include the base path.
	MountName = "mount"

	// OptionPrefix and the name of an option, such as OptionReprDigest, form the name of a fallback without a body. The
	// fallback exists if the site enabled the option.
	OptionPrefix = "option/"
)

// OptionReprDigest adds the SHA-256 digest of the representation to every response (RFC 9530).
const OptionReprDigest = "repr-digest"

// OptionAgents makes a server return a page's Markdown to known AI agents if the Accept field names neither text/html
// nor text/markdown. The option's Location lists the agents (OptionOfAgents).
const OptionAgents = "agents"

// NotFoundIn returns the name of the 404 fallback for the pages in language, a tag that is also the name of the pages'
// folder. language is "" for the site's default language.
func NotFoundIn(language string) string {
	if language == "" {
		return NotFoundPage
	}
	return string(AppendNotFound(nil, language))
}

// AppendNotFound appends NotFoundIn(language) to dst. language must not be "".
func AppendNotFound(dst []byte, language string) []byte {
	return append(append(dst, notFoundPrefix...), language...)
}

// NotFoundLanguage returns the language of the 404 fallback called name. ok is false if name doesn't belong to a 404
// fallback.
func NotFoundLanguage(name string) (language string, ok bool) {
	if name == NotFoundPage {
		return "", true
	}
	return strings.CutPrefix(name, notFoundPrefix)
}

const notFoundPrefix = NotFoundPage + "/"

// Resource is one URL with all its possible responses, as render creates it.
type Resource struct {
	// Path is the decoded URL path, such as "/blog/first". For a KindFallback, it is a name instead.
	Path string
	Kind Kind
	// Location is the target of a KindRedirect, or the value stored in a fallback without a body. It is "" for other
	// resources.
	Location string
	// Variants are the media types that a request can select from: none for a redirect or a fallback without a body,
	// two for a page or a 404 fallback, and one for other resources.
	Variants []Variant
}

// Variant is a resource's representation in one media type, before content coding.
type Variant struct {
	// File is the name of the public file under build/public, with forward slashes, such as "blog/first.html". It is ""
	// if there is no public file. Two variants with the same file have the same bytes.
	File string
	// Fields are the header fields of a 200 response that don't depend on the content coding, Content-Type first.
	Fields []Field
	Body   []byte
}

// Field is one header field as sent.
type Field struct {
	Name, Value string
}

// MediaType returns the variant's Content-Type, or "" if it has none.
func (v *Variant) MediaType() string {
	for _, f := range v.Fields {
		if f.Name == "Content-Type" {
			return f.Value
		}
	}
	return ""
}
