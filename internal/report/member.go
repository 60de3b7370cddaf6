package report

import (
	"bytes"
	"encoding/json"
	"strings"
)

// eachMember calls do for each member of object, a valid JSON value, in order. It does nothing if the value isn't an
// object. Decoding a line into a struct with encoding/json would take two to three times as long.
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

// nextValue returns the next value at or after text[at] and its end. text must be a valid object or list. value is nil
// at the end of the object or list.
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

// firstOf returns the first element of the list in the named member of object. It returns "" if there is no such
// element, or if the element isn't a string.
func firstOf(object []byte, name string) (first string) {
	eachMember(object, func(key, value []byte) {
		if string(key) == name && value[0] == '[' {
			v, _ := nextValue(value, 1)
			first = stringIn(v)
		}
	})
	return first
}

// unquoted returns the decoded text of value, a valid JSON string. It copies the text only to replace escapes.
func unquoted(value []byte) []byte {
	plain := value[1 : len(value)-1]
	if bytes.IndexByte(plain, '\\') < 0 {
		return plain
	}
	var text string
	_ = json.Unmarshal(value, &text) // it is a valid string
	return []byte(text)
}

// stringIn returns the decoded text of value if it is a valid JSON string, or "" otherwise.
func stringIn(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	return string(unquoted(value))
}

// scalar returns the decoded text of value if it is a JSON string, or the JSON text of value otherwise.
func scalar(value []byte) string {
	if value[0] == '"' {
		return stringIn(value)
	}
	return string(value)
}
