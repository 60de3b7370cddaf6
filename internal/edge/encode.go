package edge

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON returns the manifest as JSON. Identical builds produce identical bytes. The parts that grow with the site are
// stored as JSON, because encoding/json would take ten times as long.
func (m *Manifest) JSON() ([]byte, error) {
	out := make([]byte, 0, m.size())
	return m.appendTo(out, func(out, data []byte) []byte { return append(out, data...) })
}

// size returns the approximate size of the manifest as JSON in bytes.
func (m *Manifest) size() int { return 1<<14 + len(m.Bodies) + len(m.Routes) + len(m.Digests) }

// appendTo appends the manifest as JSON. It calls add to append each part, so that add can escape the part.
func (m *Manifest) appendTo(out []byte, add func(out, data []byte) []byte) ([]byte, error) {
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
	begin := "{"
	for _, member := range members {
		out = add(out, []byte(begin+`"`+member.name+`":`))
		begin = ","
		encoded, ready := member.value.(json.RawMessage)
		if !ready {
			var err error
			if encoded, err = encode(member.value); err != nil {
				return nil, err
			}
		}
		out = add(out, encoded)
	}
	return add(out, []byte("}")), nil
}

// appendText appends s as a JSON string.
func appendText(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			// Encoding a string can't fail.
			encoded, _ := encode(s)
			return append(out, encoded...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// encode returns value as JSON, without escaping <, >, and &.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the edge manifest: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// escaped appends data, a part of a JSON text, to out, a JavaScript string in single quotes. It escapes only single
// quotes and backslashes, because encoding/json has already escaped control characters, U+2028, and U+2029.
func escaped(out, data []byte) []byte {
	for {
		i := bytes.IndexAny(data, `'\`)
		if i < 0 {
			return append(out, data...)
		}
		out = append(append(out, data[:i]...), '\\', data[i])
		data = data[i+1:]
	}
}
