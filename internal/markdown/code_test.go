package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"vitrine/internal/markdown/highlight"
)

// Code beyond the limits isn't highlighted. If a page has many blocks, the first blocks are highlighted, however long
// the page is.
func TestHighlightLimits(t *testing.T) {
	const most, longest = 16 << 10, 1000 // bytes of a block and of a line
	block := func(size int) string {
		return fmt.Sprintf("```go\n%s```\n\n", strings.Repeat("var a = 1 // b\n", size/15))
	}
	for _, c := range []struct {
		name, source string
		want         int
	}{
		{"a block", block(1000), 1},
		{"the longest block", block(most), 1},
		{"a longer block", block(most + 100), 0},
		{"a long line", "```go\nvar a = \"" + strings.Repeat("a", longest) + "\"\n```\n", 0},
		{"long blocks", strings.Repeat(block(most), 9), 4},
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

// The words after a fence may be in any order, and may follow the language without a space. Words meant for other tools
// are ignored. The twin keeps all words.
func TestCodeInfo(t *testing.T) {
	for _, c := range []struct{ info, code, want string }{
		{"", "a", `<pre tabindex="0"><code>a` + "\n</code></pre>\n"},
		{"nolang", "a\nb <", `<pre tabindex="0"><code class="language-nolang">a` + "\nb &lt;\n</code></pre>\n"},
		{`nolang title="a <b>.txt"`, "a", `<figure class="code"><figcaption><b>a &lt;b&gt;.txt</b></figcaption>` + "\n" + `<pre tabindex="0"><code class="language-nolang">a` + "\n</code></pre></figure>\n"},
		{"{2}", "a\nb\nc", `<figure class="code lines">` + "\n" + `<pre tabindex="0"><code><span class="l">a` + "\n" + `</span><mark class="l hl">b` + "\n" + `</mark><span class="l">c` + "\n</span></code></pre></figure>\n"},
		{"nolang{1,3-4} title='x'", "a\nb\nc\nd", `<figure class="code lines"><figcaption><b>x</b></figcaption>` + "\n" +
			`<pre tabindex="0"><code class="language-nolang"><mark class="l hl">a` + "\n" + `</mark><span class="l">b` + "\n" + `</span><mark class="l hl">c` + "\n" + `</mark><mark class="l hl">d` + "\n</mark></code></pre></figure>\n"},
		{"nolang showLineNumbers {lines: 2}", "a\nb", `<pre tabindex="0"><code class="language-nolang">a` + "\nb\n</code></pre>\n"},
		{`title="x"`, "a", `<figure class="code"><figcaption><b>x</b></figcaption>` + "\n" + `<pre tabindex="0"><code>a` + "\n</code></pre></figure>\n"},
		{"nolang ins={1} del={2} {1-3} numbers wrap", "a\nb\nc", `<figure class="code numbers softwrap lines">` + "\n" +
			`<pre tabindex="0"><code class="language-nolang"><ins class="l add">a` + "\n" + `</ins><del class="l del">b` + "\n" + `</del><mark class="l hl">c` + "\n</mark></code></pre></figure>\n"},
		{"nolang wrap", "a", `<figure class="code softwrap">` + "\n" + `<pre tabindex="0"><code class="language-nolang">a` + "\n</code></pre></figure>\n"},
		// A token that spans several lines is split into one token for each line.
		{"go {2}", "/* a\nb\nc */ d", `<figure class="code lines"><figcaption><span class="kind">Go</span></figcaption>` + "\n" + `<pre class="chroma" tabindex="0"><code class="language-go"><span class="l"><span class="cm">/* a</span>` + "\n" +
			`</span><mark class="l hl"><span class="cm">b</span>` + "\n" + `</mark><span class="l"><span class="cm">c */</span> <span class="nx">d</span>` + "\n</span></code></pre></figure>\n"},
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
	want := "x.md:3:4: warning: the lines to mark (0-1) do not all exist in the code, which has 2 lines; use existing lines and ranges, as in {1,3-5} [V050]"
	if got := problems[0].String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The page and the twin contain the code from a file. The twin names the file only in the title.
func TestCodeFromFile(t *testing.T) {
	files := map[string]string{"examples/a.go": "package a\n\nvar b = 1\nvar c = 2", "bin": "a\x00"}
	p := New(Options{}).Including(func(page, name string) ([]byte, error) {
		if page != "content/x.md" {
			t.Errorf("asked for %s of %s", name, page)
		}
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	for _, c := range []struct{ source, html, twin, problem string }{
		{"```go file=examples/a.go#L3-L4 {2}\n```\n",
			`<figure class="code lines"><figcaption><b>a.go</b></figcaption>` + "\n" + `<pre tabindex="0"><code class="language-go"><span class="l">var b = 1` + "\n" + `</span><mark class="l hl">var c = 2` + "\n</mark></code></pre></figure>\n",
			"```go title=\"a.go\" {2}\nvar b = 1\nvar c = 2\n```\n", ""},
		{"```go title=\"Const\" file='examples/a.go#L1'\n```\n",
			`<figure class="code"><figcaption><b>Const</b></figcaption>` + "\n" + `<pre tabindex="0"><code class="language-go">package a` + "\n</code></pre></figure>\n", "```go title=\"Const\"\npackage a\n```\n", ""},
		{"a\n\n```go file=examples/a.go#L3-9\n```\n", "", "", `content/x.md:3:4: error: examples/a.go has 4 lines, so #L3-L9 is out of range; select existing lines [V090]`},
		{"```go file=examples/a.go#3\n```\n", "", "", `content/x.md:1:4: error: file=examples/a.go: want a line range such as #L3 or #L3-L9 after the file name; found "#3" [V090]`},
		{"```go file=b.go\n```\n", "", "", "content/x.md:1:4: error: file b.go does not exist; write its path relative to the site's folder, as in file=examples/main.go, or to the page's folder [V090]"},
		{"```go file=examples/a.go\na\n```\n", "", "", "content/x.md:1:4: error: this block sets file=examples/a.go but also contains code; remove the code, or file= [V090]"},
		{"``` file=bin\n```\n", "", "", "content/x.md:1:5: error: bin is not a text file; include a text file, or put the code in the block [V090]"},
		{"``` file=examples/a.go del={9}\n```\n", "", "", "content/x.md:1:5: warning: the lines to mark as removed (9) do not all exist in the code, which has 4 lines; use existing lines and ranges, as in del={1,3-5} [V050]"},
	} {
		doc := p.Parse("content/x.md", []byte(c.source), 0)
		if c.problem != "" {
			if problems := doc.Problems(); len(problems) != 1 || problems[0].String() != c.problem {
				t.Errorf("%q: got %v, want %s", c.source, problems, c.problem)
			}
			continue
		}
		html, twin := render(t, doc)
		if problems := doc.Problems(); html != c.html || twin != c.twin || len(problems) > 0 {
			t.Errorf("%q: got\n%s\n%s\n%v", c.source, html, twin, problems)
		}
		checkTwin(t, p, []byte(twin))
	}
}

// The error for code whose highlighting doesn't terminate contains the position of the language.
func TestHighlightFailure(t *testing.T) {
	p := New(Options{})
	p.highlight = func(string, []byte, *highlight.Budget) (string, bool, error) { return "", false, highlight.ErrEndless }
	doc := p.Parse("content/x.md", []byte("Text.\n\n```go\nvar a\n```\n"), 0)
	err := doc.WriteHTML(new(bytes.Buffer))
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Fatalf("got %v", err)
	}
	const want = "content/x.md:3:4: error: highlighting this code takes too long; remove the language after the fence, or shorten the code [V020]"
	if failure.Error() != want {
		t.Errorf("got %s\nwant %s", failure, want)
	}
}
