package tree

import (
	"math/big"
	"strconv"
	"strings"
)

// plain returns the node for an unquoted YAML scalar by the core schema of YAML 1.2 (§10.3.2), in which yes, no, on,
// and off are strings, and 010 is ten. It also accepts "_" between digits, because editors write numbers such as 1_000.
func plain(s string) *Node {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return &Node{Kind: Null, Text: s}
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return &Node{Kind: Bool, Text: strings.ToLower(s)}
	}
	if form, ok := jsonNumber(s); ok {
		return &Node{Kind: Number, Text: s, Number: form}
	}
	return &Node{Kind: Text, Text: s}
}

// jsonNumber returns the JSON form of a YAML number, or "" if the number is not finite. ok is false if s is not a
// number.
func jsonNumber(s string) (form string, ok bool) {
	sign, digits := "", s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
		if s[0] == '-' {
			sign = "-"
		}
	}
	switch digits {
	case ".inf", ".Inf", ".INF":
		return "", true
	case ".nan", ".NaN", ".NAN":
		return "", len(digits) == len(s)
	}
	if len(digits) == len(s) && strings.HasPrefix(s, "0x") {
		return wholeNumber(s[2:], 16)
	}
	if len(digits) == len(s) && strings.HasPrefix(s, "0o") {
		return wholeNumber(s[2:], 8)
	}
	if form, ok = decimal(digits); ok {
		form = finite(sign + form)
	}
	return form, ok
}

// wholeNumber returns the decimal form of digits in base 8 or 16, or "" if the number exceeds the range of a double. ok
// is false if the digits are invalid.
func wholeNumber(digits string, base int) (form string, ok bool) {
	// The largest double is less than 2^1024, so a number with more digits is out of range.
	const longest = 1024
	digits, ok = ungroup(digits)
	if !ok || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return "", false
	}
	if len(strings.TrimLeft(digits, "0")) > longest {
		return "", true
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}
	return finite(n.String()), true
}

// decimal returns the JSON form of an unsigned decimal number. ok is false if s is not such a number.
func decimal(s string) (form string, ok bool) {
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
		digits := strings.TrimLeft(exponent[1:], "+-")
		if len(exponent)-len(digits) > 2 || !isDigits(digits) {
			return "", false
		}
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	whole, wholeOK := ungroup(whole)
	fraction, fractionOK := ungroup(fraction)
	if !wholeOK || !fractionOK || whole+fraction == "" || !isDigits(whole+fraction) {
		return "", false
	}
	form = strings.TrimLeft(whole, "0")
	if form == "" {
		form = "0"
	}
	if point && fraction != "" {
		form += "." + fraction
	}
	return form + exponent, true
}

// ungroup removes single underscores between digits. ok is false if an underscore is anywhere else.
func ungroup(s string) (digits string, ok bool) {
	if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// finite returns a JSON number unchanged, or "" if it exceeds the range of a double.
func finite(form string) string {
	if _, err := strconv.ParseFloat(form, 64); err != nil {
		return ""
	}
	return form
}
