// Package artifact is where the half of Vitrine that builds and the half that
// serves meet. It holds the Resource that rendering makes and publishing
// writes, the Manifest that lists every resource of a build, and the Build
// that reads both back. It promises that bytes are never taken on trust: a
// manifest is refused unless its checksum holds, and a representation is
// handed out only after its bytes were checked against the hash in the manifest.
package artifact

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
	// without a leading slash, so that no request can ask for it.
	KindFallback
)

// Names of the fallback resources. A problem's is ProblemPrefix and its slug.
const (
	NotFoundPage  = "404"
	ProblemPrefix = "problem/"
)

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
