package edge

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON returns the manifest as JSON. Equal builds give equal bytes. What grows
// with the site is JSON already: encoding/json would take ten times as long.
func (m *Manifest) JSON() ([]byte, error) {
	out := make([]byte, 0, 1<<14+len(m.Bodies)+len(m.Routes))
	type member struct {
		name  string
		value any
	}
	members := []member{
		{"build", m.Build}, {"limit", m.Limit}, {"window", m.Window}, {"fields", m.Fields}, {"classes", m.Classes},
		{"bodies", m.Bodies}, {"texts", m.Texts}, {"headers", m.Headers}, {"routes", m.Routes},
	}
	if m.Digests != nil {
		members = append(members, member{"digests", m.Digests}, member{"recoded", m.Recoded})
	}
	if m.Agents != nil {
		members = append(members, member{"agents", m.Agents})
	}
	for _, member := range members {
		begin := byte(',')
		if len(out) == 0 {
			begin = '{'
		}
		out = append(out, begin, '"')
		out = append(out, member.name...)
		out = append(out, `":`...)
		encoded, ready := member.value.(json.RawMessage)
		if !ready {
			var err error
			if encoded, err = encode(member.value); err != nil {
				return nil, err
			}
		}
		out = append(out, encoded...)
	}
	return append(out, '}'), nil
}

// appendText appends a string as JSON.
func appendText(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			// A text cannot fail to be written.
			encoded, _ := encode(s)
			return append(out, encoded...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// encode returns a value as JSON, without escaping <, >, and &.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the manifest for edges: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// quoted appends JSON as a string of JavaScript. There is nothing in JSON but
// two characters that such a string has to escape: encoding/json writes control
// characters, and U+2028 and U+2029, as escapes already.
func quoted(out, data []byte) []byte {
	out = append(out, '"')
	for from := 0; ; {
		i := from
		for i < len(data) && data[i] != '"' && data[i] != '\\' {
			i++
		}
		out = append(out, data[from:i]...)
		if i == len(data) {
			return append(out, '"')
		}
		out = append(out, '\\', data[i])
		from = i + 1
	}
}
