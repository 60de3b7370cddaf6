package markup

import (
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	text := strings.ReplaceAll(`# Title

Text in
> > a quote
> [!NOTE]
- [x] A task
  12. An item
## Two
>   ~~~sh
> > - code
>
> # code
> ~~~~
~~~code~~~ text
#none
~~~~
> ~~~~
~~~
~~~~ x
~~~~
| a |
last`, "~", "`")
	want := `2 "Title" | 0 "" | 1 "Text in" | 1 "a quote" | 0 "" | 1 item "A task" | 1 item "An item" | 2 "Two" | 3 "~~~sh" | 4 "> - code" | 4 "" | 4 "# code" | 3 "~~~~" | ` +
		`1 "~~~code~~~ text" | 1 "#none" | 3 "~~~~" | 4 "> ~~~~" | 4 "~~~" | 4 "~~~~ x" | 3 "~~~~" | 1 "| a |" | 1 "last"`
	var got []string
	for line := range Lines([]byte(text)) {
		item := ""
		if line.Item {
			item = "item "
		}
		got = append(got, fmt.Sprintf("%d %s%q", line.Kind, item, strings.TrimSpace(string(line.Text))))
		if !strings.HasPrefix(text[line.At:], string(line.Text)) {
			t.Errorf("%q is not at %d", line.Text, line.At)
		}
	}
	if got, want := strings.Join(got, " | "), strings.ReplaceAll(want, "~", "`"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestInCode(t *testing.T) {
	text := strings.ReplaceAll("A ~b~ c.\n\n> ~~~\n> in ~ a block\n> ~~~\n\nAn odd ~ tick\non two lines\n\nOut.\n```go\nin\n```\nout ~in~ out, ~~two ~ ticks~~ end\n- an ~ item\n- other ~ item\n\nover ~two\n> lines~ done \\~escaped~\n", "~", "`")
	in := InCode([]byte(text))
	for part, want := range map[string]bool{
		"A `b": false, "b` c": true, "c.": false, "in ` a": true, "An odd": false, "on two": false, "Out.": false, "in\n": true,
		"out `": false, "in` out": true, "two ` t": true, "ticks``": true, "end": false, "item\n- other": false, "other": false,
		"lines` d": true, "done": false, "escaped": false,
	} {
		if got := in(strings.Index(text, part)); got != want {
			t.Errorf("%q: %t", part, got)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("# a\n> ```\n> b\n> ```\n- [ ] c `d\ne` \\`\n~~~~\n~~~\n")
	f.Fuzz(func(t *testing.T, text string) {
		at, n := 0, 0
		for line := range Lines([]byte(text)) {
			if line.At < at || line.At+len(line.Text) > len(text) {
				t.Fatalf("%q: a line at %d after one that ends at %d", text, line.At, at)
			}
			at = line.At + len(line.Text)
			n++
		}
		if want := strings.Count(text, "\n"); n < want || n > want+1 {
			t.Fatalf("%q has %d lines", text, n)
		}
		InCode([]byte(text))(0)
	})
}
