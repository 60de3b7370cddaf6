package render

import (
	"bytes"
	"encoding/json"
	"testing"
)

// object writes the same JSON as encoding/json.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", "plain", "ä · €", `a "b" \ c`, "<p>&", "\x00\n\t\x1f\x7f", "\u2028\u2029\ufffd", "\xff\xc3", "\U0001F600"} {
		f.Add(seed)
	}
	type members struct {
		First    int      `json:"first"`
		Text     string   `json:"text"`
		Optional string   `json:"optional,omitempty"`
		Texts    []string `json:"texts"`
		Number   int      `json:"number"`
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(members{1, s, s, []string{s, "", s}, len(s)})
		if err != nil {
			t.Fatal(err)
		}
		out := bytes.NewBufferString(`{"first":1`)
		o := object{out}
		o.text("text", s)
		o.optional("optional", s)
		o.texts("texts", []string{s, "", s})
		o.number("number", len(s))
		if got := out.String() + "}"; got != string(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
