// Package field reads the basic elements of HTTP fields (RFC 9110 §5.6): tokens, quoted strings, hosts, lengths, and
// lists with weighted elements. Its functions don't allocate.
package field

import "strings"

// Member is an element of a comma-separated list whose elements may have weights, such as a media range in Accept or a
// content coding in Accept-Encoding.
type Member struct {
	// Name is the part before the first semicolon, without surrounding white space, or "" for an empty element.
	Name string
	// Parameters is the part after the first semicolon, including the weight.
	Parameters string
	// Weight is the weight in thousandths, from 0 to 1000.
	Weight int
}

// Next returns the first element of list and the remaining elements. A comma inside a quoted parameter value doesn't
// end the element (RFC 9110 §5.6.4, §5.6.6).
func Next(list string) (m Member, rest string) {
	element, rest := CutUnquoted(list, ',')
	name, parameters := CutUnquoted(element, ';')
	return Member{Name: TrimOWS(name), Parameters: parameters, Weight: weightIn(parameters)}, rest
}

// weightIn returns the weight in parameters: 1000 by default, 0 if malformed. RFC 9110 §12.5.1 recommends that
// recipients treat a parameter named q as the weight at any position. A second q or an unclosed quoted value makes the
// weight ambiguous and thus malformed.
func weightIn(parameters string) int {
	weight, given := 1000, false
	for parameters != "" {
		var parameter string
		parameter, parameters = CutUnquoted(parameters, ';')
		name, value, _ := strings.Cut(TrimOWS(parameter), "=")
		if value != "" && value[0] == '"' && quotedLength(value) == 0 {
			return 0
		}
		if EqualFold(TrimOWS(name), "q") {
			if given || len(name) != 1 {
				return 0
			}
			weight, given = parseWeight(value), true
		}
	}
	return weight
}

// parseWeight reads a qvalue (RFC 9110 §12.4.2), from 0 to 1 with up to three decimals, in thousandths. It returns 0 if
// the qvalue is malformed.
func parseWeight(s string) int {
	if s == "" || len(s) > len("0.000") || s[0] != '0' && s[0] != '1' || len(s) > 1 && s[1] != '.' {
		return 0
	}
	weight := 0
	for i := range len("0.000") {
		if i == 1 {
			continue
		}
		digit := byte('0')
		if i < len(s) {
			digit = s[i]
		}
		if digit < '0' || digit > '9' {
			return 0
		}
		weight = weight*10 + int(digit-'0')
	}
	if weight > 1000 {
		return 0
	}
	return weight
}
