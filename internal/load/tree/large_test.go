package tree

import (
	"fmt"
	"strings"
	"testing"
)

// Without limits, the same YAML is refused as by the function YAML, except for the number of keys and the characters in
// strings.
func TestLarge(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"a: 1\nb: [x, {c: 'd'}]\n":      "",
		"a: \"x\\r\\ny\"\n":             "",
		"{\"a\": \"x\\r\\ny\"}":         "",
		"a: 1\n---\nb: 2\n":             "3:1: a second document begins here, but a file can contain only one; remove one of the two",
		"a: &x {b: 1}\nc:\n  <<: *x\n":  "3:3: merge keys (<<) are not supported; write the members out",
		"a: &x 1\nb: *x\n":              "2:4: aliases (*) are not supported; write the value out, or quote a string that begins with *",
		"? [a]\n: 1\n":                  "1:3: this key is not text; write it in quotes",
		"a: 1\nb:\n  c: 1\n  c: 2\n":    "4:3: the key \"c\" is already on line 3; remove one of the two",
		"{\"a\": {\"c\": 1, \"c\": 2}}": "1:16: the key \"c\" is already on line 1; remove one of the two",
		"a: [\n":                        "not valid YAML: ",
		strings.Repeat("[", 300) + strings.Repeat("]", 300): "nested more than 256 levels deep here",
		"{\"a\":" + strings.Repeat("[", 300):                "nested more than 256 levels deep here",
	} {
		root, faults := unlimited([]byte(text))
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%d:%d: %s", f.Line, f.Col, f.Text)
		}
		if (want == "") != (got == "") || !strings.Contains(got, want) || (root == nil) != (got != "") {
			t.Errorf("%.30q: got %q and a tree: %t, want %q", text, got, root != nil, want)
		}
	}
	if _, faults := Large([]byte("\xef\xbb\xbfa: 1\n")); len(faults) != 1 || !strings.HasPrefix(faults[0].Text, "the file begins with a byte order mark") {
		t.Errorf("a byte order mark: got %v", faults)
	}
}
