package report

import (
	"bytes"
	"encoding/json"
	"strings"
)

// eachMember calls do with the members of a valid JSON object, in order. It does nothing for other values. Decoding a
// line into a struct with encoding/json takes two to three times as long.
func eachMember(object []byte, do func(key, value []byte)) {
	if len(object) == 0 || object[0] != '{' {
		return
	}
	for at := 1; ; {
		key, next := nextValue(object, at)
		if key == nil {
			return
		}
		value, after := nextValue(object, next)
		do(unquoted(key), value)
		at = after
	}
}

// nextValue returns the next value at or after at in a valid object or list, and the value's end. At the end of the object or list,
// the value is nil.
func nextValue(text []byte, at int) (value []byte, end int) {
	for strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	end = at
	for depth := 0; ; end++ {
		switch text[end] {
		case '"':
			for end++; text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return nil, end
			}
			depth--
		default: // a number or a word, which ends at the next delimiter
			if depth == 0 && strings.IndexByte(" \t\r\n,]}", text[end+1]) < 0 {
				continue
			}
		}
		if depth == 0 {
			return text[at : end+1], end + 1
		}
	}
}

// firstOf returns the first element of a list in an object's member, or "" if there is no such element or the element
// isn't a string.
func firstOf(object []byte, name string) (first string) {
	eachMember(object, func(key, value []byte) {
		if string(key) == name && value[0] == '[' {
			v, _ := nextValue(value, 1)
			first = stringIn(v)
		}
	})
	return first
}

// unquoted returns the text of a valid JSON string, which it copies only to replace escapes.
func unquoted(value []byte) []byte {
	plain := value[1 : len(value)-1]
	if bytes.IndexByte(plain, '\\') < 0 {
		return plain
	}
	var text string
	_ = json.Unmarshal(value, &text) // it is a valid string
	return []byte(text)
}

// stringIn returns the text of a valid JSON string, or "" for another value.
func stringIn(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	return string(unquoted(value))
}

// scalar returns the decoded text of a string, or the JSON text of any other value.
func scalar(value []byte) string {
	if value[0] == '"' {
		return stringIn(value)
	}
	return string(value)
}
