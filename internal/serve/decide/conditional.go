package decide

import (
	"strings"

	"vitrine/internal/serve/field"
)

// matchesWeakly reports whether an If-None-Match field names the current representation, which has the given ETag. If
// so, the response is 304 (RFC 9110 §13.1.2). The comparison is weak: it ignores a W/ on either side (§8.8.3.2). See
// matches for the field's syntax.
func matchesWeakly(value, etag string) bool {
	return matches(value, etag, false)
}

// matchesStrongly reports whether an If-Match field names the current representation. If it doesn't, the response is
// 412 (RFC 9110 §13.1.1). The comparison is strong: a weak tag on either side never matches (§8.8.3.2).
func matchesStrongly(value, etag string) bool {
	return matches(value, etag, true)
}

// matches reports whether the value of an If-Match or If-None-Match field names etag. The value is a single "*", which
// names every representation, or a list of entity tags. A malformed member, such as an unquoted tag, a "*" next to
// other members, or a tag with a lower-case w/, names no representation and extends to the next comma. The members
// after it are still compared. If the field has several lines, the caller must join them with commas. strong selects
// the strong comparison.
func matches(value, etag string, strong bool) bool {
	value = field.TrimOWS(value)
	if value == "*" {
		return true
	}
	opaque, weak := opaqueTag(etag)
	if strong && weak {
		return false
	}
	for value != "" {
		tag, rest := nextTag(value)
		candidate, weak := opaqueTag(tag)
		if candidate != "" && candidate == opaque && !(strong && weak) {
			return true
		}
		value = rest
	}
	return false
}

// nextTag returns the first member of list, which contains entity tags, and the remaining members. tag is "" if the
// member is empty or malformed.
func nextTag(list string) (tag, rest string) {
	for list != "" && field.IsOWS(list[0]) {
		list = list[1:]
	}
	if length := tagLength(list); length > 0 {
		after := length
		for after < len(list) && field.IsOWS(list[after]) {
			after++
		}
		if after == len(list) {
			return list[:length], ""
		}
		if list[after] == ',' {
			return list[:length], list[after+1:]
		}
	}
	_, rest, _ = strings.Cut(list, ",")
	return "", rest
}

// tagLength returns the length of the entity tag at the start of s, or 0 if there is no tag (RFC
// 9110 §8.8.3): an optional W/, in upper case, and any etagc characters between double quotes.
// There are no escapes: backslashes and commas are ordinary characters.
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

// opaqueTag returns an entity tag without its W/. weak reports whether the tag had a W/.
func opaqueTag(tag string) (opaque string, weak bool) {
	if len(tag) > 1 && tag[0] == 'W' && tag[1] == '/' {
		return tag[2:], true
	}
	return tag, false
}
