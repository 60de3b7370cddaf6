package http1

// class says where in a plain request a byte may stand. The classes are
// narrower than those of RFC 9110 and RFC 3986: what is left out is rare, and
// net/http judges it.
type class uint8

const (
	// inTarget bytes may stand in a request target as they are, a percent sign
	// with two digits after it.
	inTarget class = 1 << iota
	// inName bytes may stand in a field name: tchar of RFC 9110 §5.6.2.
	inName
	// inValue bytes may stand in a field value: visible ASCII and the space.
	inValue
	// inHost bytes may stand in a Host field.
	inHost
)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
	alphanumeric = lowerLetters + upperLetters + digits
)

// classes is indexed by byte. It is never written to after its initialisation.
var classes = makeClasses()

func makeClasses() [256]class {
	var table [256]class
	mark := func(c class, bytes string) {
		for i := range len(bytes) {
			table[bytes[i]] |= c
		}
	}
	// unreserved, sub-delims, ":" / "@" / "/" of RFC 3986 §3.3, and the "?".
	mark(inTarget, alphanumeric+"-._~!$&'()*+,;=:@/?%")
	mark(inName, alphanumeric+"!#$%&'*+-.^_`|~")
	mark(inHost, alphanumeric+"-._:[]")
	for b := byte(' '); b < 0x7f; b++ {
		table[b] |= inValue
	}
	return table
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// is compares a field name or a token with a word in lower case, letters of
// ASCII in either case being equal. The word has letters and hyphens only, and
// s no control bytes: setting the bit that tells lower from upper case then
// makes nothing else equal.
func is(s []byte, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i, c := range s {
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}
