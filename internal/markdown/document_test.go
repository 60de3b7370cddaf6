package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// TestSlugs checks that anchors follow GitHub's rules.
func TestSlugs(t *testing.T) {
	for text, want := range map[string]string{
		"Hello, World!":       "hello-world",
		"Größe & Maß":         "größe--maß",
		"日本語 テスト":             "日本語-テスト",
		"snake_case - dash":   "snake_case---dash",
		"C++ / C#":            "c--c",
		"1. Intro":            "1-intro",
		"हिन्दी":              "हिन्दी",
		"🎉":                   "section",
		"القسم الأول، ثانيًا": "القسم-الأول-ثانيًا",
		"ภาษาไทย: เริ่มต้น":  "ภาษาไทย-เริ่มต้น",
		"はじめに（１）「準備」":        "はじめに１準備",
		"한국어 안내":             "한국어-안내",
		"Cafe\u0301 🚀":       "caf\u00e9-",
		"가":                  "가",
		"":                   "section",
		"ÀÉ":                 "àé",
		"a\tb":               "ab",
		"Version 2.0 (beta)": "version-20-beta",
	} {
		if got := slug(text); got != want {
			t.Errorf("slug(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestHeadings checks that anchors are unique, that positions are relative to the file, and that DropTitle omits only
// the title.
func TestHeadings(t *testing.T) {
	source := []byte("---\n---\n# *The* `title`\n\n## a\n\n## A\n\n> ## a-1\n\nä\n===\n")
	d := New(Options{}).Parse("x.md", source, 8)
	check := func(want string) {
		t.Helper()
		if got := fmt.Sprint(d.Headings()); got != want {
			t.Errorf("headings are %s, want %s", got, want)
		}
	}
	const rest = "{2 a a {5 1}} {2 a-1 A {7 1}} {2 a-1-1 a-1 {9 3}} {1 ä ä {11 1}}]"
	check("[{1 the-title The title {3 1}} " + rest)
	d.DropTitle()
	d.DropTitle()
	check("[" + rest)
	if got := d.Title(); got != "The title" {
		t.Errorf("the title is %q", got)
	}
	html, twin := render(t, d)
	if strings.Contains(html, "title") || !strings.HasPrefix(twin, "## a\n") {
		t.Errorf("the title is still there: %q %q", html, twin)
	}
}

// TestDropTitleWithFootnote checks that footnotes are numbered in the order of the output without the title.
func TestDropTitleWithFootnote(t *testing.T) {
	d := New(Options{}).Parse("x.md", []byte("# a[^b]\n\nc[^d] e[^b]\n\n[^b]: f\n[^d]: g\n"), 0)
	d.DropTitle()
	_, twin := render(t, d)
	if want := "c[^d] e[^b]\n\n[^d]: g\n\n[^b]: f\n"; twin != want {
		t.Errorf("twin is %q, want %q", twin, want)
	}
}

// TestLinks checks that links are found with their positions, that both outputs contain the targets that a caller sets,
// and that the twin prefixes paths with the site's address.
func TestLinks(t *testing.T) {
	source := []byte("\ufeffa [*b*](c\\_d.md \"t\") ä![e f](g.png)\n\n- www.h.ij <k@l.mn> [o](#p)[q]\n\nr[^s]\n\n[^s]: [t](/u)\n\n[q]: //v/w\n")
	d := New(Options{}).Parse("x.md", source, 0)
	var got strings.Builder
	for _, l := range d.Links() {
		fmt.Fprintf(&got, "%v %s %v %q\n", l.Pos, l.Destination, l.Image, l.Alt)
	}
	want := `{1 3} c_d.md false "b"
{1 23} g.png true "e f"
{3 3} http://www.h.ij false "www.h.ij"
{3 12} mailto:k@l.mn false "k@l.mn"
{3 21} #p false "o"
{3 28} //v/w false "q"
{7 7} /u false "t"
`
	if got.String() != want {
		t.Errorf("links are\n%swant\n%s", got.String(), want)
	}
	d.Links()[0].Target = "/x/c_d"
	d.Links()[1].Target = "/x/g a.png"
	var html, twin bytes.Buffer
	if err := d.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteMarkdown(&twin, "https://a.example"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="/x/c_d" title="t">`, `src="/x/g%20a.png"`, `href="#p"`, `href="mailto:k@l.mn"`, `href="//v/w"`} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("HTML lacks %s: %s", want, html.String())
		}
	}
	wantTwin := `a [*b*](https://a.example/x/c_d "t") ä![e f](https://a.example/x/g%20a.png)

- [www.h.ij](http://www.h.ij) <k@l.mn> [o](#p)[q](//v/w)

r[^s]

[^s]: [t](https://a.example/u)
`
	if twin.String() != wantTwin {
		t.Errorf("twin is\n%swant\n%s", twin.String(), wantTwin)
	}
}

// TestWords compares the word counts of pages with manual counts.
func TestWords(t *testing.T) {
	for source, want := range map[string]int{
		"":                                  0,
		"# One *two*\n\nthree-four, five.":  4,
		"a*b*c `d e` [f g](h) — & <i@j.kl>": 6,
		"```\nnot this\n```\n\n![nor this](a) but this[^1]\n\n[^1]: and this": 4,
		"日本語 ok":                      4,
		"한국어 문장입니다":                   2,
		"العربية ثلاث كلمات":          3,
		"ภาษาไทยอ่านง่าย":             4,
		"| a | b |\n|-|-|\n| 1 | 2 |": 4,
	} {
		if got := New(Options{}).Parse("x.md", []byte(source), 0).Words(); got != want {
			t.Errorf("%q has %d words, want %d", source, got, want)
		}
	}
}

// TestPositions checks that positions are counted in characters from the file's first line, for any line endings and
// encoding.
func TestPositions(t *testing.T) {
	for source, want := range map[string]site.Pos{
		"<b>":                  {Line: 1, Col: 1},
		"\ufeffa <b>":          {Line: 1, Col: 3},
		"ä\r\nö€𝄞 <b>":         {Line: 2, Col: 5},
		"a\rb\r\rc <b>":        {Line: 4, Col: 3},
		"\x00\x01\u0085\v <b>": {Line: 1, Col: 6},
		"> - \t<b>":            {Line: 1, Col: 6},
	} {
		problems := New(Options{}).Parse("x.md", []byte(source), 0).Problems()
		if len(problems) != 1 || problems[0].Pos != want {
			t.Errorf("%q has problems %v, want one at %v", source, problems, want)
		}
	}
}

// On a right-to-left page, code, keys, and autolinks get dir="ltr". The twin and left-to-right pages are unaffected.
func TestRightToLeft(t *testing.T) {
	const source = "א `--b` <kbd>c</kbd> :kbd[d] <https://e.f/> <bdi>g!</bdi> [h](/i)\n\n```\nj\n```\n\n```go\nk\n```\n"
	left, right := New(Options{Highlight: true}), New(Options{Highlight: true}).RightToLeft()
	one, twin := render(t, left.Parse("x.md", []byte(source), 0))
	other, same := render(t, right.Parse("x.md", []byte(source), 0))
	if n := strings.Count(other, ` dir="ltr"`); n != 6 || strings.ReplaceAll(other, ` dir="ltr"`, "") != one || twin != same {
		t.Errorf("%d elements have dir=\"ltr\", want 6:\n%s\n%s", n, other, same)
	}
	if want := "<bdi>g!</bdi>"; !strings.Contains(one, want) || !strings.Contains(twin, want) {
		t.Errorf("%q is lost:\n%s\n%s", want, one, twin)
	}
}

// The reading time depends on the script of the text.
func TestReading(t *testing.T) {
	for source, want := range map[string]int{
		"": 0, "a": 1, strings.Repeat("word ", 220): 1, strings.Repeat("word ", 221): 2,
		strings.Repeat("日", 500): 1, strings.Repeat("日", 501): 2, strings.Repeat("日本 word ", 220): 2, strings.Repeat("ไทยไทย", 220): 2,
	} {
		if _, got := New(Options{}).Parse("x.md", []byte(source), 0).Reading(); got != want {
			t.Errorf("%.20q… takes %d minutes, want %d", source, got, want)
		}
	}
}
