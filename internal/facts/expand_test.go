package facts

import (
	"fmt"
	"strings"
	"testing"
)

// Pieces finds expressions only within a line, and handles escapes at any position.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a {{ b }} c", `"a " <" b "> " c"`},
		{"{{a}}{{b}}", `<"a"> <"b">`},
		{"{{ a\n}} {{b}}", `"{{ a\n}} " <"b">`},
		{"{{ {{a}}", `<" {{a">`},
		{"{{ a", `"{{ a"`},
		{"{{ a \\{{ b", `"{{ a " "{{ b"`},
		{"\\{{ a }} {{b}}", `"{{ a }} " <"b">`},
		{"{{{{\n{{a}}\n{{", `"{{{{\n" <"a"> "\n{{"`},
	} {
		var got []string
		for _, p := range Pieces(c.text) {
			if p.Expression {
				got = append(got, fmt.Sprintf("<%q>", p.Text))
			} else {
				got = append(got, fmt.Sprintf("%q", p.Text))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q: got %s\nwant %s", c.text, text, c.want)
		}
	}
}

// Pieces takes linear time. For a megabyte of opening braces with closing braces only at the end, it takes almost no
// time.
func TestPiecesAreLinear(t *testing.T) {
	for _, mark := range []string{"{{", "{{\n", "\\{{"} {
		text := strings.Repeat(mark, 1<<19) + "\n}}"
		if got := Pieces(text); len(got) == 0 {
			t.Errorf("%q: no pieces", mark)
		}
	}
}
