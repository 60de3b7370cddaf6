package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Code beyond the limits appears without highlighting. The first blocks of a page with many are
// highlighted, for any length of the page.
func TestHighlightLimits(t *testing.T) {
	block := func(size int) string {
		return fmt.Sprintf("```go\n%s```\n\n", strings.Repeat("var a = 1 // b\n", size/15))
	}
	for _, c := range []struct {
		name, source string
		want         int
	}{
		{"a block", block(1000), 1},
		{"the longest block", block(maxHighlight), 1},
		{"one that is longer", block(maxHighlight + 100), 0},
		{"a line that is too long", "```go\nvar a = \"" + strings.Repeat("a", maxHighlightLine) + "\"\n```\n", 0},
		{"long blocks", strings.Repeat(block(maxHighlight), 9), 4},
		{"blocks of a hundred lines", strings.Repeat(block(4000), 50), 50},
	} {
		var out bytes.Buffer
		if err := New(Options{Highlight: true}).Parse("x.md", []byte(c.source), 0).WriteHTML(&out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), `<pre class="chroma"`); got != c.want {
			t.Errorf("%s: %d blocks are highlighted, want %d", c.name, got, c.want)
		}
	}
}

// An info string contains a title and the lines to mark, in any order and directly after the language. Other words
// belong to other tools. The twin keeps all of it.
func TestCodeInfo(t *testing.T) {
	for _, c := range []struct{ info, code, want string }{
		{"", "a", `<pre tabindex="0"><code>a` + "\n</code></pre>\n"},
		{"nolang", "a\nb <", `<pre tabindex="0"><code>a` + "\nb &lt;\n</code></pre>\n"},
		{`nolang title="a <b>.txt"`, "a", `<figure class="code"><figcaption>a &lt;b&gt;.txt</figcaption>` + "\n" + `<pre tabindex="0"><code>a` + "\n</code></pre></figure>\n"},
		{"{2}", "a\nb\nc", `<pre tabindex="0"><code>a` + "\n<mark>b\n</mark>c\n</code></pre>\n"},
		{"nolang{1,3-4} title='x'", "a\nb\nc\nd", `<figure class="code"><figcaption>x</figcaption>` + "\n" +
			`<pre tabindex="0"><code><mark>a` + "\n</mark>b\n<mark>c\n</mark><mark>d\n</mark></code></pre></figure>\n"},
		{"nolang showLineNumbers {lines: 2}", "a\nb", `<pre tabindex="0"><code>a` + "\nb\n</code></pre>\n"},
		{`title="x"`, "a", `<figure class="code"><figcaption>x</figcaption>` + "\n" + `<pre tabindex="0"><code>a` + "\n</code></pre></figure>\n"},
		// A token that goes on over lines is one on each line.
		{"go {2}", "/* a\nb\nc */ d", `<pre class="chroma" tabindex="0"><code class="language-go"><span class="cm">/* a</span>` + "\n" +
			`<mark><span class="cm">b</span>` + "\n" + `</mark><span class="cm">c */</span> <span class="nx">d</span>` + "\n</code></pre>\n"},
	} {
		source := "```" + c.info + "\n" + c.code + "\n```\n"
		doc := New(Options{Highlight: true}).Parse("x.md", []byte(source), 0)
		var got, twin bytes.Buffer
		if err := doc.WriteHTML(&got); err != nil || got.String() != c.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", c.info, err, &got, c.want)
		}
		if err := doc.WriteMarkdown(&twin, ""); err != nil || twin.String() != source {
			t.Errorf("%s: the twin is %v\n%s", c.info, err, &twin)
		}
		if problems := doc.Problems(); len(problems) > 0 {
			t.Errorf("%s: %v", c.info, problems)
		}
	}
	source := "Text.\n\n```go title=\"a\" {2,0-1,3-2,2-9}\na\nb\n```\n"
	problems := New(Options{}).Parse("x.md", []byte(source), 0).Problems()
	if len(problems) != 3 {
		t.Fatalf("got %v", problems)
	}
	want := "x.md:3:4: warning: the lines to mark, 0-1, are not all in the code, which has 2; write single lines and ranges that it has, as in {1,3-5} [V050]"
	if got := problems[0].String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
