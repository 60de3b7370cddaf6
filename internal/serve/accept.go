package serve

import "vitrine/internal/artifact"

// PrefersMarkdown reports whether an Accept field asks for the Markdown of a
// page rather than its HTML: it lists text/markdown by name with a weight above
// 0 and not below that of text/html. Everything else gets HTML: no field, an
// empty one, types that we do not have. A field sent on several lines is passed
// joined with commas.
//
// The most specific range decides the weight of a type (RFC 9110 §12.5.1):
// text/html, else text/*, else */*, else 0. The wildcards do not list
// text/markdown by name. Among ranges that name one type, parameters decide:
// both representations are of charset=utf-8, so a range that says just this is
// the most specific; next comes the range without parameters. A range with
// other parameters, such as text/html;level=1, strictly names a representation
// that does not exist, so it yields to both; but where it is all that the client
// says of the type, it counts as the type itself. Of equally specific ranges,
// the greatest weight counts.
func PrefersMarkdown(accept string) bool {
	html, markdown := preferences(accept)
	return markdown.precision >= typeRange && markdown.weight > 0 && markdown.weight >= html.weight
}

// PrefersHTML reports whether an Accept field asks for HTML at an address of
// Markdown, such as that of a ".md" that there is not: it lists text/html by name
// with a greater weight than that of text/markdown (wire contract §8). Everything
// else gets Markdown there, what PrefersMarkdown does not call a wish included.
func PrefersHTML(accept string) bool {
	html, markdown := preferences(accept)
	return html.precision >= typeRange && html.weight > markdown.weight
}

// LeavesOpen reports whether an Accept field says nothing of which of a page's two types is wanted: it names neither
// text/html nor text/markdown, be it to refuse one. What it has for both, such as */*, weighs the same for each.
func LeavesOpen(accept string) bool {
	html, markdown := preferences(accept)
	return html.precision < typeRange && markdown.precision < typeRange
}

// preferences returns what a client says of the two types of a page.
func preferences(accept string) (html, markdown preference) {
	for accept != "" {
		var m member
		m, accept = nextMember(accept)
		switch {
		case equalFold(m.name, "text/markdown"):
			markdown.consider(m, typeRange)
		case equalFold(m.name, "text/html"):
			html.consider(m, typeRange)
		case equalFold(m.name, "text/*"):
			html.consider(m, subtypeWildcard)
			markdown.consider(m, subtypeWildcard)
		case m.name == "*/*":
			html.consider(m, fullWildcard)
			markdown.consider(m, fullWildcard)
		}
	}
	return html, markdown
}

// How closely a media range names a type, in steps that leave room for what
// its parameters add.
const (
	fullWildcard    = 10
	subtypeWildcard = 20
	typeRange       = 30
)

// preference is what a client has said about a type so far.
type preference struct {
	// precision is that of the range that decided so far; 0 for none.
	precision int
	weight    int
}

// consider takes a range into account, unless a more specific one decided.
func (p *preference) consider(m member, precision int) {
	precision += parameterPrecision(m.parameters)
	if precision > p.precision || precision == p.precision && m.weight > p.weight {
		p.precision, p.weight = precision, m.weight
	}
}

// parameterPrecision ranks the parameters of a range, the weight aside: 2 for
// just charset=utf-8, 1 for none, 0 for others.
func parameterPrecision(parameters string) int {
	precision := 1
	for parameters != "" {
		var parameter string
		parameter, parameters = cutUnquoted(parameters, ';')
		name, value := cutByte(trimOWS(parameter), '=')
		switch {
		case equalFold(name, "q") || name == "" && value == "":
		case equalFold(name, "charset") && (equalFold(value, "utf-8") || equalFold(value, `"utf-8"`)):
			precision = 2
		default:
			return 0
		}
	}
	return precision
}

// codingSet is a set of content codings. The zero codingSet holds identity
// alone, which every set holds.
type codingSet uint8

// with returns the set with a coding added.
func (s codingSet) with(c artifact.Coding) codingSet {
	return s | 1<<c
}

// has reports whether a coding is in the set.
func (s codingSet) has(c artifact.Coding) bool {
	return c == artifact.Identity || s&(1<<c) != 0
}

// chooseCoding picks the content coding of an answer by the request's
// Accept-Encoding (RFC 9110 §12.5.3) among those available. A field sent on
// several lines is passed joined with commas, and "" stands for none.
//
// The greatest weight wins, and br before gzip before identity where weights
// tie. A coding that is not listed has the weight of "*", and where there is
// no "*" it is not acceptable; identity is, but last. x-gzip is gzip (§8.4.1.3).
// Of a coding listed twice the greatest weight counts. An empty field asks for
// identity. Without a field any coding would be acceptable, but a client that
// does not say it decodes one may not, so identity is safe. Where no available
// coding is acceptable the answer is identity, as the RFC asks for; even where
// identity was refused too, since a body is more use than an error.
func chooseCoding(acceptEncoding string, available codingSet) artifact.Coding {
	const unlisted = -1
	identity, gzip, brotli, others := unlisted, unlisted, unlisted, unlisted
	for acceptEncoding != "" {
		var m member
		m, acceptEncoding = nextMember(acceptEncoding)
		switch {
		case equalFold(m.name, "br"):
			brotli = max(brotli, m.weight)
		case equalFold(m.name, "gzip"), equalFold(m.name, "x-gzip"):
			gzip = max(gzip, m.weight)
		case equalFold(m.name, "identity"):
			identity = max(identity, m.weight)
		case m.name == "*":
			others = max(others, m.weight)
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
