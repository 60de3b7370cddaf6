package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// Markdown that is shown as text by mistake is reported once, at its position. Similar text that is intended isn't
// reported.
func TestLooseMarkdown(t *testing.T) {
	p := New(Options{})
	for _, c := range []struct{ source, want string }{
		{"| a | b |\n| 1 | 2 |\n", "1:1 V103 this table is shown as text"},
		{"a\n| a | b |\n| === | === |\n", "2:1 V103 this table is shown as text"},
		{"| a | b |\n|---|\n| 1 | 2 |\n", "1:1 V097 this is shown as text, not as a table"},
		{"The norm |x| and\nthe norm |y| differ.\n", ""},
		{"-One\n-Two\n", "1:1 V103 this list is shown as one paragraph; add a space after each hyphen"},
		{"a\n• One\n• Two\n", "2:1 V103 this list is shown as one paragraph; start each item"},
		{"1.One\n2.Two\n", "1:1 V103 this list is shown as one paragraph; add a space"},
		{"a\n2. b\n3. c\n", "2:1 V103 this list is shown as one paragraph; add a blank line"},
		{"• One\\\n• Two\n\n1.Mai  \n2.Juni\n\n-5 a\n-7 b\n\nIn\n1998. a\n2003. b\n", ""},
		{"####### a\n", "1:1 V083 a heading can have at most six #"},
		{"[TOC]\n", "1:1 V057 this table of contents marker is shown as text; remove it"},
		{"[TOC]\n\n[toc]: /a\n", ""},
		{"!!! note\n    a\n", "1:1 V055 this is an alert in another Markdown dialect"},
		{"{# a #}\n", "1:1 V057 this comment is shown as text"},
		{"a ==b== c\n", "1:3 V056 ==b== is shown unchanged; write <mark>b</mark>"},
		{"a == b, c == d, or a==b and c==d\n", ""},
		{"[a b](/c for d.\n", "1:1 V082 the address \"/c\" is not followed by )"},
		{"[a b](/c\n\"d\")\n", ""},
		{"See [the a(/b) for c.\n", "1:5 V082 this is not a link, because its text is not followed by ]; write [the a](/b)"},
		{"[see a (/b)] and c[i(/d)\n", ""},
		{"See [[a b]] and [[c|d]].\n", "1:5 V082 double brackets are shown as text; write [a b](file.md) for a link"},
		{"[[ -f a ]] a[[1]] [[1, 2], [3, 4]] `[[a]]`\n", ""},
		{"! [a](b.png)\n", "1:1 V082 a space after the exclamation mark"},
		{"Attention ! [a](/b)\n", ""},
		{"![a](b.png =10x20)\n", "1:2 V082 \"=10x20\" turns this image into text"},
		{"[a](/b “c”)\n", "1:1 V082 this is not a link, because its title is in typographic quotes"},
		{"[a](mailto: b@c.example)\n", "1:1 V082 a space follows mailto:"},
		{"[a](mailto:)\n", "1:1 V024 mailto: has no address"},
		{"[a](https:/b.example)\n", "1:1 V024 \"https:/b.example\" has no host"},
		{"[a](https://https://b.example)\n", "1:1 V024 \"https://https://b.example\" has two schemes"},
		{"- a\n  :::note\n  b\n:::\n", "2:3 V052 :::note is not closed"},
		{":::\n\n:::note\na\n", "1:1 V052 this \":::\" does not close a block\n3:1 V052 :::note is not closed"},
		{"::note\n", "1:1 V052 note has no text"},
		{"::youtube[a]{id=b\n", "1:1 V052 the attributes of ::youtube cannot be read"},
		{"| a | b |\n|---|---|\n| `c|d` | e |\n", "3:1 V097 this row has 3 cells"},
	} {
		problems := p.Parse("x.md", []byte(c.source), 0).Problems()
		var got []string
		for _, problem := range problems {
			got = append(got, fmt.Sprintf("%d:%d %s %s", problem.Pos.Line, problem.Pos.Col, problem.Code, problem.Text))
		}
		want := strings.Split(c.want, "\n")
		if c.want == "" {
			want = nil
		}
		ok := len(got) == len(want)
		for i := range min(len(got), len(want)) {
			ok = ok && strings.HasPrefix(got[i], want[i])
		}
		if !ok {
			t.Errorf("%q has %q, want %q", c.source, got, want)
		}
	}
}
