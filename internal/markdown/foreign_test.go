package markdown

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// Other programs' syntax is reported once for each kind, except in code.
func TestForeign(t *testing.T) {
	p := New(Options{}).WithFacts(facts.New("en", &site.Product{}))
	for _, c := range []struct{ source, want string }{
		{"a[^b] [^c] [^b]\n\n[^c]: d\n", "1:2 V019 footnote [^b] is not defined (and 1 more like it on this page)"},
		{"a `[^b]` \\[^b] [^b](/c)\n\n    [^b]\n", ""},
		{"a\n\n```go\nb\n", "3:1 V053 this code block is not closed"},
		{"> ~~~\n> a\n\nb\n\n- ```\n  c\n  ```\n", "1:3 V053 this code block is not closed"},
		{"````\n```\n````\n\n> ```\n> ```\n\n```\n```\n", ""},
		{"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "1:1 V054 this is a merge conflict marker (and 1 more like it on this page)"},
		{"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", ""},
		{"> [!FOO]\n> a\n", "1:3 V055 unknown alert [!FOO]"},
		{"> [!WARNNG]\n> a\n\n> [!tips]\n", "1:3 V055 unknown alert [!WARNNG]; did you mean [!WARNING]? (and 1 more like it on this page)"},
		{"> [!NOTE]- a\n> b\n", "1:3 V055 an alert cannot be collapsed"},
		{"> [!NOTE] a\n\n> [!a](/b) c\n\n> `[!FOO]`\n", ""},
		{"## A {#b}\n\nC {.d}\n---\n\n### E {: #f .g} ##\n", "1:6 V056 headings cannot have attributes (and 2 more like it on this page)"},
		{"## A \\{#b}\n\n## `{#b}`\n\n## {a}\n\nb {#c}\n", ""},
		{"a {: .b}\n{:toc}\n", "1:3 V056 this is a Kramdown attribute list (and 1 more like it on this page)"},
		{"H~2~O x^2 ~~a~~ b ~c~\n", "1:2 V056 ~2~ is struck through here"},
		{"{% include a.html %} `{% b %}` {%- if c\n-%}\n", "1:1 V057 this is a Liquid tag (and 1 more like it on this page)"},
		{"a {{< figure src=\"b.png\" >}} [c]({{< ref \"d\" >}}) {{% note %}}", "1:3 V057 this is a Hugo shortcode (and 2 more like it on this page)"},
		{"{{< x\ny=1 >}}\n", "1:1 V057 this is a Hugo shortcode"},
		{"`{{< a >}}` <code>{{% b %}}</code> \\{{< c >}} <!-- {{< d >}} -->\n\n```\n{{< e >}}\n```\n", ""},
		{"![a](b.mp4)\n\nc ![](d.webm)\n", "1:1 V027 \"b.mp4\" is a video (and 1 more like it on this page)"},
		{":::foo\na\n:::\n\n:::foo\nb\n:::\n", "1:1 V052 unknown component \"foo\" (and 1 more like it on this page)"},
	} {
		var got []string
		for _, p := range p.Parse("x.md", []byte(c.source), 0).Problems() {
			text, more := p.Text, ""
			if i := strings.Index(text, " (and "); i >= 0 {
				text, more = text[:i], text[i:]
			}
			if want, _, _ := strings.Cut(c.want, " (and "); !strings.Contains(want, ";") {
				text, _, _ = strings.Cut(text, ";")
				text, _, _ = strings.Cut(text, ", ")
			}
			got = append(got, fmt.Sprintf("%d:%d %s %s%s", p.Line, p.Col, p.Code, text, more))
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.source, got, c.want)
		}
	}
}

// Syntax with only one correction is fixed for all occurrences of its kind.
func TestForeignFix(t *testing.T) {
	p := New(Options{})
	for source, want := range map[string]string{
		"## A {#b}\n\nc\n\n## D {#e}\n": "## A <a id=\"b\"></a>\n\nc\n\n## D <a id=\"e\"></a>\n",
		"> [!TIPS]\n> a\n":              "> [!TIP]\n> a\n",
		"a\n\n![b c](d.mp4)\n":          "a\n\n::video[b c]{src=d.mp4}\n",
		"## A {.b}\n":                   "",
		"a ![b](d.mp4)\n":               "",
		"> [!FOO]\n":                    "",
	} {
		problems := p.Parse("x.md", []byte(source), 0).Problems()
		if len(problems) != 1 {
			t.Errorf("%q: %v", source, problems)
			continue
		}
		got, fix := "", problems[0].Fix
		if fix != (site.Edit{}) {
			got = source[:fix.Start] + fix.New + source[fix.Start+len(fix.Old):]
			if again := p.Parse("x.md", []byte(got), 0).Problems(); len(again) > 0 {
				t.Errorf("%q: %v", got, again)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}
