package render

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// An object writes the members of a JSON object, each with a comma before it. It writes the same output as
// encoding/json, which uses reflection and would be too slow for several objects on every page.
type object struct {
	*bytes.Buffer
}

func (o object) name(name string) {
	o.WriteString(`,"`)
	o.WriteString(name)
	o.WriteString(`":`)
}

func (o object) text(name, value string) {
	o.name(name)
	o.Write(appendText(o.AvailableBuffer(), value))
}

// optional writes a string member, or nothing if value is "".
func (o object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o object) number(name string, n int) {
	o.name(name)
	o.Write(strconv.AppendInt(o.AvailableBuffer(), int64(n), 10))
}

func (o object) texts(name string, values []string) {
	o.name(name)
	o.Write(appendTexts(o.AvailableBuffer(), values))
}

// appendTexts appends values as a JSON array in encoding/json's format.
func appendTexts(to []byte, values []string) []byte {
	to = append(to, '[')
	for i, value := range values {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendText(to, value)
	}
	return append(to, ']')
}

// appendText appends value as a JSON string in encoding/json's format.
func appendText(to []byte, value string) []byte {
	if !isPlainJSON(value) {
		// Encoding a string can't fail.
		encoded, _ := json.Marshal(value)
		return append(to, encoded...)
	}
	to = append(to, '"')
	to = append(to, value...)
	return append(to, '"')
}

// isPlainJSON reports whether encoding/json writes all characters of s without escapes.
func isPlainJSON(s string) bool {
	for _, r := range s {
		switch r {
		case '"', '\\', '<', '>', '&', '\u2028', '\u2029', utf8.RuneError:
			return false
		}
		if r < ' ' {
			return false
		}
	}
	return true
}
