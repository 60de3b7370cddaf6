package load

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adrg/frontmatter"
)

// Front matter in a comment works like other front matter, and an unclosed comment is a fault with a position.
func TestHiddenFrontMatter(t *testing.T) {
	root, body, faults := splitFrontMatter([]byte("<!-- ---\ndescription: One line\norder: 2\n--- -->\n\n# Title\n"))
	if faults != nil || body != 48 || root.Get("description").Value.Text != "One line" || root.Get("order").Pos.Line != 3 {
		t.Errorf("%+v, the body at %d, %v", root, body, faults)
	}
	for source, want := range map[string]string{
		"<!-- ---\norder: 2\n-->\n\n# Title\n":      "not closed; write --- --> on a line by itself at its end",
		"<!-- ---\norder: 2\n---\n-->\n\n# Title\n": "not closed; if this line is meant to close it, write --- --> on a line by itself",
	} {
		if _, _, faults := splitFrontMatter([]byte(source)); len(faults) != 1 || !strings.Contains(faults[0].Text, want) {
			t.Errorf("%q: %v, want %q", source, faults, want)
		}
	}
	if _, body, faults := splitFrontMatter([]byte("<!-- A note -->\n\n# Title\n")); body != 0 || faults != nil {
		t.Errorf("a comment is front matter up to %d, %v", body, faults)
	}
}

// In random combinations of front matter fragments, findBlock finds the same blocks as github.com/adrg/frontmatter.
func TestFindBlock(t *testing.T) {
	pieces := []string{"---", "---\n", "\n", "title: x", "\r\n", " ", "\t", "a", "----", "+++\n", "\u00a0", "- b\n", "{\n", "}\n", "}", "\n\n", ";;;\n", "<!-- ---\n", "--- -->\n", "---json\n"}
	random := rand.New(rand.NewPCG(5, 6))
	found := map[string]int{}
	for range 60_000 {
		var b strings.Builder
		if opening := random.IntN(2 * len(syntaxes())); opening < len(syntaxes()) {
			b.WriteString(syntaxes()[opening].start + "\n")
		}
		for range random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		source := []byte(b.String())
		data, format, rest, ok := findBlock(source)
		want, wantFormat, wantRest, err := libraryBlock(source)
		switch {
		case ok != !errors.Is(err, frontmatter.ErrNotFound):
			t.Fatalf("%q: found %t; the library reports %v", source, ok, err)
		case ok && (!bytes.Equal(data, want) || !bytes.Equal(rest, wantRest) || format.start != wantFormat):
			t.Fatalf("%q: got %q, %q, and %q, want %q, %q, and %q, %v", source, format.start, data, rest, wantFormat, want, wantRest, err)
		case ok:
			found[format.start]++
		}
	}
	for _, s := range syntaxes() {
		if found[s.start] < 100 {
			t.Errorf("only %d sources have front matter in %s", found[s.start], s.start)
		}
	}
}

// libraryBlock finds a block with github.com/adrg/frontmatter.
func libraryBlock(source []byte) (data []byte, start string, rest []byte, err error) {
	var formats []*frontmatter.Format
	for _, s := range syntaxes() {
		format := frontmatter.NewFormat(s.start, s.end, func(found []byte, _ any) error {
			data, start = bytes.Clone(found), s.start
			return nil
		})
		format.UnmarshalDelims, format.RequiresNewLine = s.whole, s.whole
		formats = append(formats, format)
	}
	rest, err = frontmatter.MustParse(bytes.NewReader(source), nil, formats...)
	return data, start, rest, err
}
