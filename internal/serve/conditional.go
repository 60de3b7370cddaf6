package serve

// matchesWeakly reports whether an If-None-Match field names the current
// representation, whose ETag is given: the answer is then 304 (RFC 9110
// §13.1.2). Weak comparison: a W/ on either side does not count (§8.8.3.2).
// See matches for what a field may hold.
func matchesWeakly(field, etag string) bool {
	return matches(field, etag, false)
}

// matchesStrongly reports whether an If-Match field names the current
// representation: where it does not, the answer is 412 (RFC 9110 §13.1.1).
// Strong comparison: a weak tag on either side is equal to nothing (§8.8.3.2).
func matchesStrongly(field, etag string) bool {
	return matches(field, etag, true)
}

// matches compares an ETag with each member of a field: "*" alone, which every
// representation matches, or a list of entity tags. A member that is not an
// entity tag (an unquoted one, a "*" among others, a w/ in lower case) matches
// nothing and reaches to the next comma; the members after it still count. A
// field sent on several lines is passed joined with commas.
func matches(field, etag string, strong bool) bool {
	field = trimOWS(field)
	if field == "*" {
		return true
	}
	opaque, weak := opaqueTag(etag)
	if strong && weak {
		return false
	}
	for field != "" {
		tag, rest := nextTag(field)
		candidate, weak := opaqueTag(tag)
		if candidate != "" && candidate == opaque && !(strong && weak) {
			return true
		}
		field = rest
	}
	return false
}

// nextTag takes the first member off a list of entity tags; tag is "" where
// the member is empty or malformed.
func nextTag(list string) (tag, rest string) {
	for list != "" && isOWS(list[0]) {
		list = list[1:]
	}
	if length := tagLength(list); length > 0 {
		after := length
		for after < len(list) && isOWS(list[after]) {
			after++
		}
		if after == len(list) {
			return list[:length], ""
		}
		if list[after] == ',' {
			return list[:length], list[after+1:]
		}
	}
	_, rest = cutByte(list, ',')
	return "", rest
}

// tagLength is the length of the entity tag that s begins with, 0 where it
// begins with none (RFC 9110 §8.8.3): an optional W/, in upper case, and any
// of etagc between double quotes. There are no escapes: a backslash is a
// character like any other, and so is a comma.
func tagLength(s string) int {
	start := 0
	if len(s) > 1 && s[0] == 'W' && s[1] == '/' {
		start = 2
	}
	if start == len(s) || s[start] != '"' {
		return 0
	}
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1
		case c <= ' ' || c == 0x7f:
			return 0
		}
	}
	return 0
}

// opaqueTag returns an entity tag without its W/, and whether it had one.
func opaqueTag(tag string) (opaque string, weak bool) {
	if len(tag) > 1 && tag[0] == 'W' && tag[1] == '/' {
		return tag[2:], true
	}
	return tag, false
}
