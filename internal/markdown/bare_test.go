package markdown

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// sameWithout parses a page with the parser of pages without bare addresses, if
// it is one, and with the whole one, and wants equal results.
func sameWithout(t *testing.T, p *Parser, source []byte) (unlinked bool) {
	t.Helper()
	d := p.Parse("page.md", source, 0)
	if d.state.facts != nil || mayHaveBareLinks(d.body) {
		return false
	}
	whole := *p
	whole.unlinked = p.goldmark
	want := whole.Parse("page.md", source, 0)
	gotHTML, gotTwin := render(t, d)
	wantHTML, wantTwin := render(t, want)
	if gotHTML != wantHTML || gotTwin != wantTwin {
		t.Fatalf("%q gives\n%s\n%s\nwant\n%s\n%s", source, gotHTML, gotTwin, wantHTML, wantTwin)
	}
	if !reflect.DeepEqual(d.Headings(), want.Headings()) || !reflect.DeepEqual(d.Problems(), want.Problems()) || d.Words() != want.Words() {
		t.Fatalf("%q has other headings, problems or words", source)
	}
	for i, block := range d.Prose() {
		other := want.Prose()[i]
		if block.Text != other.Text || block.Head != other.Head || block.Level != other.Level {
			t.Fatalf("%q has the block %q, want %q", source, block.Text, other.Text)
		}
		for at := range len(block.Text) {
			if block.Pos(at) != other.Pos(at) {
				t.Fatalf("%q: byte %d of %q is at %v, want %v", source, at, block.Text, block.Pos(at), other.Pos(at))
			}
		}
	}
	return true
}

// The parser of pages without bare addresses gives what the whole one does, for
// pages put together at random of everything that stands near spaces.
func TestPagesWithoutBareLinks(t *testing.T) {
	pieces := strings.Split("a| | |b|\n|\n|  \n|   \n| \t\n|\t|\n\n|*|_|**|~~|`|[|](u)|](https://a.bc/d)|](www.a.bc|(|)|\\|\\\n|&amp;|<|>|"+
		"- |1. |> |# |===|¦ a ¦ b ¦\n|¦ - ¦ - ¦\n|[^1]|\n\n[^1]: x|[!NOTE]|![|[r]|\n\n[r]: /u|\"|'|(http|(https://a.bc)|*www.a.bc|_ftp://a.bc|.|ä|[x]|    ", "|")
	p := New(Options{})
	random := rand.New(rand.NewPCG(3, 4))
	unlinked := 0
	for range 6000 {
		var b strings.Builder
		for range 1 + random.IntN(16) {
			b.WriteString(strings.ReplaceAll(pieces[random.IntN(len(pieces))], "¦", "|"))
		}
		if sameWithout(t, p, []byte(b.String())) {
			unlinked++
		}
	}
	if unlinked < 2000 {
		t.Errorf("only %d pages were without bare addresses", unlinked)
	}
}

// A page is looked at for what goldmark makes links of.
func TestMayHaveBareLinks(t *testing.T) {
	for body, want := range map[string]bool{
		"plain text\n": false, "[a](https://b.cd) [a](www.b.cd)\n": false, "ends  \nso \n": false,
		"www.a.bc": true, "see https://a.bc": true, "**a**https://a.bc": true, "(http://a.bc)": true, "a@b.cd": true,
		"ends   \nso": true, "ends\t\nso": true, "ends \t": true, "ftp://a.bc": true, "gopher://a.bc": false, "https:": false,
	} {
		if got := mayHaveBareLinks([]byte(body)); got != want {
			t.Errorf("%q: got %v, want %v", body, got, want)
		}
	}
}
