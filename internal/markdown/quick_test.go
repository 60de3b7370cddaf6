package markdown

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sameWithout compares the results of the quick parsers and the complete parser for a page without bare addresses. It
// returns false for other pages.
func sameWithout(t *testing.T, p *Parser, source []byte) (unlinked bool) {
	t.Helper()
	d := p.Parse("page.md", source, 0)
	defer d.Release()
	if d.state.facts != nil || mayHaveBareLinks(d.body) {
		return false
	}
	whole := *p
	whole.unlinked = p.goldmark
	want := whole.Parse("page.md", source, 0)
	defer want.Release()
	gotHTML, gotTwin := render(t, d)
	wantHTML, wantTwin := render(t, want)
	if gotHTML != wantHTML || gotTwin != wantTwin {
		t.Fatalf("%q gives\n%s\n%s\nwant\n%s\n%s", source, gotHTML, gotTwin, wantHTML, wantTwin)
	}
	for _, both := range [][2]any{{d.Headings(), want.Headings()}, {d.Problems(), want.Problems()}, {d.Words(), want.Words()}} {
		if !reflect.DeepEqual(both[0], both[1]) {
			t.Fatalf("%q has\n%v\nwant\n%v", source, both[0], both[1])
		}
	}
	if got, want := placedProse(d), placedProse(want); !slices.Equal(got, want) {
		t.Fatalf("%q has the prose\n%q\nwant\n%q", source, got, want)
	}
	return true
}

// placedProse returns the prose of each block with the position of each byte.
func placedProse(d *Document) []string {
	var blocks []string
	d.Prose(func(p *Prose) {
		block := fmt.Appendf(nil, "%d %q %q", p.Level, p.Head, p.Text)
		for at := range len(p.Text) {
			block = fmt.Appendf(block, " %v %v", p.Pos(at), p.Fact(at))
		}
		blocks = append(blocks, string(block))
	})
	return blocks
}

// The parser for pages without bare addresses produces the same result as the complete parser, for random pages with
// all constructs that may be next to spaces.
func TestPagesWithoutBareLinks(t *testing.T) {
	pieces := strings.Split("a| | |b|\n|\n|  \n|   \n| \t\n|\t|\n\n|*|_|**|~~|`|[|](u)|](https://a.bc/d)|](www.a.bc|(|)|\\|\\\n|&amp;|<|>|"+
		"- |1. |> |# |===|¦ a ¦ b ¦\n|¦ - ¦ - ¦\n|[^1]|\n\n[^1]: x|[!NOTE]|![|[r]|\n\n[r]: /u|\"|'|(http|(https://a.bc)|*www.a.bc|_ftp://a.bc|.|ä|[x]|    |"+
		"*a*|**a b**|*a |b*|**a|a**|_a_|[a b](/c)|[a](/c \"d\")|![a](/c)|[a|](/c)|\\\\\\\n|\\ |> |{{ a }}|`a`|a\n|<b>|</b>|<br>|<kbd>|</kbd>|<!-- a -->", "|")
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

// FuzzUnlinked checks that the quick parsers produce the same result as goldmark for any page.
func FuzzUnlinked(f *testing.F) {
	for _, seed := range []string{
		"a *b* **c d** *e*f [g h](/i) ![j](/k) [l](/m \"n\")\n",
		"> *a* b\n> **c**\n\n- [d](e) `f`\n\n| *g* | [h](i) |\n|-|-|\n",
		"a\\\\\\\nb\\*c* \\ *d*  \ne\\\n*f\ng* [*h*](i) *j **k*** (*l*)\n",
	} {
		f.Add([]byte(seed))
	}
	p := New(Options{})
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) <= 1<<11 {
			sameWithout(t, p, source)
		}
	})
}

// The scan finds every page with a bare web address outside link destinations.
func TestMayHaveBareLinks(t *testing.T) {
	for body, want := range map[string]bool{
		"plain text\n": false, "[a](https://b.cd) [a](www.b.cd)\n": false, "ends  \nso \n": false,
		"www.a.bc": true, "see https://a.bc": true, "**a**https://a.bc": true, "(http://a.bc)": true, "ftp://a.bc": true,
		"HTTP://a.bc": true, "xhttp://a.bc": false, "gopher://a.bc": false, "https:": false, "a@b.cd": false, "ends   \nso": false,
	} {
		if got := mayHaveBareLinks([]byte(body)); got != want {
			t.Errorf("%q: got %v, want %v", body, got, want)
		}
	}
}
