package decide

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/field"
)

// PrefersMarkdown reports whether an Accept field prefers a page's Markdown to its HTML. The field must list
// text/markdown by name, with a weight above 0 that is at least the weight of text/html. For any other field, such as
// an empty one, PrefersMarkdown returns false. If the field has several lines, the caller must join them with commas.
//
// The most specific range decides the weight of a type (RFC 9110 §12.5.1): text/html, then text/*, then */*. A type
// that no range matches has the weight 0. A wildcard doesn't list text/markdown by name. Among ranges that name the
// same type, parameters decide. Both representations have charset=utf-8, so a range with only this parameter is the
// most specific, followed by the range without parameters. A range with other parameters, such as text/html;level=1,
// comes last: strictly, it names a representation that doesn't exist. If it is the client's only range for the type, it
// is treated like the type without parameters. Among equally specific ranges, the highest weight decides.
func PrefersMarkdown(accept string) bool {
	html, markdown := preferences(accept)
	return markdown.precision >= typeRange && markdown.weight > 0 && markdown.weight >= html.weight
}

// PrefersHTML reports whether an Accept field prefers HTML at a URL that ends in ".md", such as the URL of a missing
// page. The field must list text/html by name with a higher weight than text/markdown (wire contract §3). All other
// fields get Markdown, including fields for which PrefersMarkdown is false.
func PrefersHTML(accept string) bool {
	html, markdown := preferences(accept)
	return html.precision >= typeRange && html.weight > markdown.weight
}

// LeavesOpen reports whether an Accept field expresses no preference between a page's two types because it names
// neither text/html nor text/markdown, not even with q=0. Wildcards such as */* apply to both equally.
func LeavesOpen(accept string) bool {
	html, markdown := preferences(accept)
	return html.precision < typeRange && markdown.precision < typeRange
}

// preferences returns the client's preferences for HTML and Markdown, the two types of a page.
func preferences(accept string) (html, markdown preference) {
	for accept != "" {
		var m field.Member
		m, accept = field.Next(accept)
		switch {
		case field.EqualFold(m.Name, "text/markdown"):
			markdown.consider(m, typeRange)
		case field.EqualFold(m.Name, "text/html"):
			html.consider(m, typeRange)
		case field.EqualFold(m.Name, "text/*"):
			html.consider(m, subtypeWildcard)
			markdown.consider(m, subtypeWildcard)
		case m.Name == "*/*":
			html.consider(m, fullWildcard)
			markdown.consider(m, fullWildcard)
		}
	}
	return html, markdown
}

// Precision of a media range, without its parameters. The gaps leave room for the precision that parameters add.
const (
	fullWildcard    = 10
	subtypeWildcard = 20
	typeRange       = 30
)

// preference is the client's preference for a type, according to the ranges processed so far.
type preference struct {
	// precision is the precision of the range that decides the weight, or 0 if no range matches the type. weight is
	// that range's weight in thousandths.
	precision int
	weight    int
}

// consider applies the range m unless a more specific range or an equally specific range with a higher weight has
// already decided.
func (p *preference) consider(m field.Member, precision int) {
	precision += parameterPrecision(m.Parameters)
	if precision > p.precision || precision == p.precision && m.Weight > p.weight {
		p.precision, p.weight = precision, m.Weight
	}
}

// parameterPrecision ranks the parameters of a range, ignoring the weight: 2 for only
// charset=utf-8, 1 for no parameters, 0 for others.
func parameterPrecision(parameters string) int {
	precision := 1
	for parameters != "" {
		var parameter string
		parameter, parameters = field.CutUnquoted(parameters, ';')
		name, value, _ := strings.Cut(field.TrimOWS(parameter), "=")
		switch {
		case field.EqualFold(name, "q") || name == "" && value == "":
		case field.EqualFold(name, "charset") && (field.EqualFold(value, "utf-8") || field.EqualFold(value, `"utf-8"`)):
			precision = 2
		default:
			return 0
		}
	}
	return precision
}

// codingSet is a set of content codings. Every set contains identity; the zero codingSet contains
// only identity.
type codingSet uint8

// with returns the set with c added.
func (s codingSet) with(c artifact.Coding) codingSet {
	return s | 1<<c
}

// has reports whether c is in the set.
func (s codingSet) has(c artifact.Coding) bool {
	return c == artifact.Identity || s&(1<<c) != 0
}

// chooseCoding selects the content coding of a response from the available content codings by the request's
// Accept-Encoding (RFC 9110 §12.5.3). If the field has several lines, the caller must join them with commas. "" means
// that the field is absent.
//
// The highest weight wins. Among equal weights, br precedes gzip, and gzip precedes identity. A content coding that the
// field doesn't list has the weight of "*". If the field doesn't list "*" either, an unlisted content coding isn't
// acceptable. Only an unlisted identity is still acceptable, but comes last. x-gzip means gzip (§8.4.1.3). If a content
// coding is listed twice, its highest weight decides. An empty field selects identity. So does a missing field, because
// the client may be unable to decode anything else. If no available content coding is acceptable, the response uses
// identity, even if the client rejects identity too: a body is more useful than an error.
func chooseCoding(acceptEncoding string, available codingSet) artifact.Coding {
	const unlisted = -1
	identity, gzip, brotli, others := unlisted, unlisted, unlisted, unlisted
	for acceptEncoding != "" {
		var m field.Member
		m, acceptEncoding = field.Next(acceptEncoding)
		switch {
		case field.EqualFold(m.Name, "br"):
			brotli = max(brotli, m.Weight)
		case field.EqualFold(m.Name, "gzip"), field.EqualFold(m.Name, "x-gzip"):
			gzip = max(gzip, m.Weight)
		case field.EqualFold(m.Name, "identity"):
			identity = max(identity, m.Weight)
		case m.Name == "*":
			others = max(others, m.Weight)
		}
	}
	if brotli == unlisted {
		brotli = others
	}
	if gzip == unlisted {
		gzip = others
	}
	if identity == unlisted {
		identity = others
	}
	chosen, best := artifact.Identity, max(identity, 0)
	if gzip > 0 && gzip >= best && available.has(artifact.Gzip) {
		chosen, best = artifact.Gzip, gzip
	}
	if brotli > 0 && brotli >= best && available.has(artifact.Brotli) {
		chosen = artifact.Brotli
	}
	return chosen
}
