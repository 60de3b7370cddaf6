package serve

// PrefersMarkdown reports whether an Accept field asks for the Markdown of a
// page rather than its HTML: it lists text/markdown by name with a weight above
// 0 and not below that of text/html. Everything else gets HTML: no field, an
// empty one, types that there are none of. A field sent on several lines is
// passed joined with commas.
//
// The most specific range decides the weight of a type (RFC 9110 §12.5.1):
// text/html, else text/*, else */*, else 0. The wildcards do not list
// text/markdown by name. Among ranges that name one type, parameters decide:
// both representations are of charset=utf-8, so a range that says just this is
// the most specific; next comes the range without parameters; a range with
// other parameters, such as text/html;level=1, is by the letter about a
// representation that there is none of, so that it yields to both, but where it
// is all that the client says of the type, it is taken for the type itself.
// Of ranges that are equally specific, the greatest weight counts.
func PrefersMarkdown(accept string) bool {
	var html, markdown preference
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
		case m.name == "*/*":
			html.consider(m, fullWildcard)
		}
	}
	return markdown.weight > 0 && markdown.weight >= html.weight
}

// How closely a media range names a type, in steps that leave room for what
// its parameters add.
const (
	fullWildcard    = 10
	subtypeWildcard = 20
	typeRange       = 30
)

// preference is what a client is known to think of a type.
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
