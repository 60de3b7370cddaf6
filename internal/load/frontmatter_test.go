package load

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adrg/frontmatter"
)

// Front matter in a comment works like any other, and an unclosed comment is a located fault.
func TestHiddenFrontMatter(t *testing.T) {
	root, body, faults := splitFrontMatter([]byte("<!-- ---\ndescription: One line\norder: 2\n--- -->\n\n# Title\n"))
	if faults != nil || body != 48 || root.Get("description").Value.Text != "One line" || root.Get("order").Pos.Line != 3 {
		t.Errorf("%+v, the body at %d, %v", root, body, faults)
	}
	for source, want := range map[string]string{
		"<!-- ---\norder: 2\n-->\n\n# Title\n":      "not closed; write --- --> alone on a line at its end",
		"<!-- ---\norder: 2\n---\n-->\n\n# Title\n": "not closed; if this line is meant to, write --- --> alone on a line",
	} {
		if _, _, faults := splitFrontMatter([]byte(source)); len(faults) != 1 || !strings.Contains(faults[0].Text, want) {
			t.Errorf("%q: %v, want %q", source, faults, want)
		}
	}
	if _, body, faults := splitFrontMatter([]byte("<!-- A note -->\n\n# Title\n")); body != 0 || faults != nil {
		t.Errorf("a comment is front matter up to %d, %v", body, faults)
	}
}

// usualBlock finds what the library does, in sources put together at random of
// what front matter is made of.
func TestUsualBlock(t *testing.T) {
	pieces := []string{"---", "---\n", "\n", "title: x", "\r\n", " ", "\t", "a", "----", "+++\n", "\u00a0", "- b\n"}
	random := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 20_000 {
		var b strings.Builder
		if random.IntN(4) > 0 {
			b.WriteString("---\n")
		}
		for range random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		source := []byte(b.String())
		data, rest, ok := usualBlock(source)
		var want []byte
		format := frontmatter.NewFormat("---", "---", func(found []byte, _ any) error {
			want = bytes.Clone(found)
			return nil
		})
		wantRest, err := frontmatter.MustParse(bytes.NewReader(source), nil, format)
		switch {
		case ok && (err != nil || !bytes.Equal(data, want) || !bytes.Equal(rest, wantRest)):
			t.Fatalf("%q: got %q and %q, want %q and %q, %v", source, data, rest, want, wantRest, err)
		case !ok && bytes.HasPrefix(source, []byte("---\n")) && !errors.Is(err, frontmatter.ErrNotFound):
			t.Fatalf("%q: nothing is found, but the library finds %q, %v", source, want, err)
		case ok:
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d sources have front matter", found)
	}
}
