package report

import (
	"encoding/json"
	"maps"
	"testing"
)

// FuzzMembers compares the members and their values with the results of encoding/json.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, "{ \"a\" :\t[1, {\"b\":\"}\"}] ,\n\"c\\\"\\u00e9\":\"\\\\\", \"d\":null,\"e\":-1.5e3 }", `{"a":{"b":[]},"a":true}`, `[{"a":1}]`, `"{"`, `{"":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		if !json.Valid(text) || json.Unmarshal(text, &want) != nil && len(text) > 0 && text[0] == '{' {
			return
		}
		got := make(map[string]json.RawMessage)
		eachMember(text, func(key, value []byte) {
			// encoding/json replaces invalid UTF-8 with U+FFFD, and this package doesn't.
			name, _ := json.Marshal(string(key))
			var known string
			_ = json.Unmarshal(name, &known)
			got[known] = value
		})
		if text[0] == '{' && !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	})
}
