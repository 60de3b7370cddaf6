// Package artifact is where the half of Vitrine that builds and the half that
// serves meet. It holds the Resource that rendering makes and publishing
// writes, the Manifest that lists every resource of a build, and the Build
// that reads both back. It promises that bytes are never taken on trust: a
// manifest is refused unless its checksum holds, and a representation is
// handed out only after its bytes were checked against the hash in the manifest.
package artifact

import "strings"

// Kind says how a resource is answered.
type Kind uint8

const (
	// KindFile is one media type at its own URL: a stylesheet, llms.txt, a
	// Markdown twin.
	KindFile Kind = iota
	// KindPage is a pair that is negotiated: its first variant is HTML, its
	// second Markdown.
	KindPage
	// KindOperation is the JSON operation: it counts toward the allowance and
	// takes no query.
	KindOperation
	// KindRedirect is answered 308 with a Location.
	KindRedirect
	// KindFallback has no URL. It is the body of an answer that is not the
	// resource's own: the negotiated 404 pair, a problem. Its path is a name
	// without a leading slash, so that no request can ask for it. Those that MountName
	// and OptionPrefix name have no body either.
	KindFallback
)

// Names of the fallback resources. A problem's is ProblemPrefix and its slug.
const (
	NotFoundPage  = "404"
	ProblemPrefix = "problem/"
	// MountName has as its Location the path that the site stands below on its host, such as "/acorn". A site at the
	// root has none of it. The paths of all resources are below it; their Location and header fields name it.
	MountName = "mount"

	// OptionPrefix and an option's name, such as OptionReprDigest, are the name of a fallback without a body that says that the
	// site has chosen the option. A site that has chosen none has none of them.
	OptionPrefix = "option/"
)

// OptionReprDigest is that every representation is sent with its SHA-256 (RFC 9530).
const OptionReprDigest = "repr-digest"

// OptionAgents is that known AI agents get the Markdown of a page where their Accept names neither of its two types; its
// Location lists them (OptionOfAgents).
const OptionAgents = "agents"

// NotFoundIn is the name of the fallback for the pages of a language, "" for the site's own: those below the folder of its tag.
func NotFoundIn(language string) string {
	if language == "" {
		return NotFoundPage
	}
	return string(AppendNotFound(nil, language))
}

// AppendNotFound appends NotFoundIn of a language other than the site's own.
func AppendNotFound(dst []byte, language string) []byte {
	return append(append(dst, notFoundPrefix...), language...)
}

// NotFoundLanguage is the language that a fallback is for, by its name; ok is false for another fallback.
func NotFoundLanguage(name string) (language string, ok bool) {
	if name == NotFoundPage {
		return "", true
	}
	return strings.CutPrefix(name, notFoundPrefix)
}

const notFoundPrefix = NotFoundPage + "/"

// Resource is one URL and all that it can answer with, as rendering makes it.
type Resource struct {
	// Path is the URL path, decoded: "/blog/first". See KindFallback for the
	// exception.
	Path string
	Kind Kind
	// Location is the target of a KindRedirect.
	Location string
	// Variants are what a request chooses among by media type; none for a
	// redirect, two for a page, else one.
	Variants []Variant
}

// Variant is one media type of a resource, before any content coding.
type Variant struct {
	// File is the name below build/public, with forward slashes:
	// "blog/first.html". It is "" for bytes that are not a public file. Two
	// variants with one file have the same bytes.
	File string
	// Fields are the header fields of a 200 answer that do not depend on the
	// content coding, Content-Type first.
	Fields []Field
	Body   []byte
}

// Field is one header field as it is sent.
type Field struct {
	Name, Value string
}

// MediaType returns the variant's Content-Type, or "" where it has none.
func (v *Variant) MediaType() string {
	for _, f := range v.Fields {
		if f.Name == "Content-Type" {
			return f.Value
		}
	}
	return ""
}
