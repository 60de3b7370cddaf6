//go:build linux

package markdown

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// grammar are the tokens of the dialect, each alone or with what it needs around it; N is a number that grows.
var grammar = []string{
	"{{", "}}", "{{ name }} ", "{{ nofact }} ", "{{ name ", "{{\n", "{{<", "{{< a >}} ", "{{% a %}} ", "{% a %} ", "{%", "{{ meant }} ", "\\{{ ",
	"*", "**", "***a", "*a*", "**a** ", "*a ", " *", "_", "_a", "__a__ ", "~", "~~", "~~a~~ ", "*_", "*a_b", "**a*", "a**b",
	"`", "`a` ", "``a ", "` `` ", "\\`", "\\", "\\*", "\\\n", "  \n", "&", "&amp;", "&#", "&#x41;", "&a",
	"[", "]", "[]", "[a]", "[a](", "[a](b)", "[a](b) ", "[a](<", "[a](b \"", "[a](/missing)\n\n", "[a](#N) ", "![", "![a](b.png) ", "![](", "[[", "]]", "][", "[a][b] ", "[a]: b\n", "[aN]: b\n\n", "[aN] ", "[a]:\n",
	"[^", "[^a]", "[^N]", "[^a]: b\n\n", "[^N]: b\n\n", "a[^N]\n\n[^N]: b\n\n", "[^N]: [^N]\n\n",
	"<", ">", "<a", "<a>", "</a>", "<a href=", "<a href=\"b\">c</a> ", "<br>", "<!--", "-->", "<!-- a -->", "<!-- a --> ", "<!", "<?", "<?a?>", "<![CDATA[", "<kbd>a</kbd> ", "<kbd>", "<sub>a", "<details>\n\n", "<details><summary>a</summary>\n\nb\n\n</details>\n\n", "<dl><dt>a<dd>b</dl>\n\n", "<table><tr><td>a</table>\n\n", "<td>", "<img src=a.png> ", "<pre>", "<pre>a</pre>\n\n", "<script>", "<style>", "<b a=\"", "<figure>\n\n",
	"<https://a.example> ", "https://a.example ", "https://", "www.", "www.a.b ", "a@", "a@b.c ", "http://a.b/(", "http://a.b/&a;",
	"# a\n", "# a\n\n", "#", "# aN\n\n", "## \n", "a\n===\n", "a\n---\n\n", "=", "===\n", "---\n", "- - ", "***\n", "# a {#b}\n\n", "# *a* [b](c)\n\n",
	"- a\n", "- ", "-\n", "- a\n\n", "1. a\n", "1) ", "  - a\n", "- [ ] a\n", "- a\n  - b\n", "* a\n- b\n", "10. a\n", "- a\n\n      b\n",
	"> ", "> a\n", ">\n", "> a\n\n", ">a\n>> b\n\n", "> [!NOTE]\n> a\n\n", "> [!X]\n> a\n\n", "[!NOTE]\n", "> - ",
	"```\n", "```go\na\n```\n\n", "~~~\n", "    a\n", "\ta\n", "\t", "```go {1}\na\n```\n\n", "```a\n\n", "```go title=\"",
	"| a |\n", "|a|\n|-|\n|b|\n\n", "|", "|-", "| a | b\n| - | -\n", "|a|\n|-|\n", "a|b\n-|-\n", "\\|",
	":::", ":::note\n", ":::note\na\n:::\n\n", ":::\n", "::youtube[a]{#b}\n\n", "::", ":kbd[a] ", ":kbd[", ":kbd[a]{", ":a", ":::note[", ":::x{a=\"b\"}\n:::\n", "{", "}", "{a=", ":::tabs\n:::tab[a]\nb\n:::\n:::\n\n", ":badge[a]{a=b} ", "{: .a }\n", "{:toc}\n", "{#a}\n",
	"a", "a ", "a\n", "a\n\n", "\n", " ", "\n ", "\u00a0", "é", "漢", "🙂", "\u0301", "\u202e", "\u0085", "\x00", "\xff", "\r", "\r\n", "\ufeff", ".", "'", "\"", "-", "--", "...", "(c)", "$", "$a$ ", "$$", "$$\n", "<<<<<<< a\n", ">>>>>>> a\n", "=======\n", "+", "+ a\n", "^", "==a== ", ":smile: ", "+++\n", "%%", "@", "/", ";", ",",
}

// before are what a construct can stand after.
var before = []string{"", "# a\n\n", "> ", "- a\n  ", "|a|\n|-|\n"}

// TestEveryConstructIsLinear repeats every token of the grammar and compares the processor's time for a page with that
// for one of twice the size. A page of which a part is rejected counts too: with its messages.
func TestEveryConstructIsLinear(t *testing.T) { everyConstructIsLinear(t, before[:1]) }

// everyConstructIsLinear tries every token after each of some heads.
func everyConstructIsLinear(t *testing.T, heads []string) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	product := &site.Product{Name: "Parley"}
	p := New(Options{Facts: facts.New("en", product)})
	var worst []string
	for _, token := range grammar {
		for _, head := range heads {
			// One look at an eighth and at all of a page finds what is suspicious; doubling tells.
			ratio, size := 0.0, 128<<10
			if eighth := max(spent(p, repeated(head, token, size/8), 1), time.Millisecond/4); spent(p, repeated(head, token, size), 1) > 11*eighth {
				ratio = growth(p, head, token, size)
			}
			// What looks steep may be the noise of a short time: a larger page tells.
			for tries := 0; ratio > 2.5 && tries < 2; tries++ {
				size *= 2
				ratio = growth(p, head, token, size)
			}
			if ratio > 2.5 {
				t.Errorf("%q after %q: twice the size, %d and %d bytes, takes %.1f times as long (%v)", token, head, size, 2*size, ratio, spent(p, repeated(head, token, 2*size), 1))
			}
			if ratio > 2.2 {
				worst = append(worst, fmt.Sprintf("%q after %q: %.2f", token, head, ratio))
			}
		}
	}
	t.Logf("%d constructs; above 2.2: %s", len(grammar)*len(heads), strings.Join(worst, ", "))
}

// growth is how many times as long a page takes as one of half its size: the least of three runs of both.
func growth(p *Parser, head, token string, size int) float64 {
	small, large := repeated(head, token, size), repeated(head, token, 2*size)
	// Under a millisecond the thread's clock is too coarse, and the code isn't slow.
	one := max(spent(p, small, 3), time.Millisecond)
	return float64(spent(p, large, 3)) / float64(one)
}

// repeated is a page of a size in bytes.
func repeated(head, token string, size int) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for n := 0; b.Len() < size; n++ {
		b.WriteString(strings.ReplaceAll(token, "N", fmt.Sprint(n)))
	}
	return b.Bytes()
}

// spent is the least processor's time of the thread for all that is made of a page.
func spent(p *Parser, source []byte, runs int) time.Duration {
	least := time.Hour
	for range runs {
		begin := threadTime()
		doc := p.Parse("x.md", source, 0)
		var out bytes.Buffer
		doc.Problems()
		doc.Headings()
		doc.Links()
		doc.FactPlaces()
		_ = doc.WriteHTML(&out)
		_ = doc.WriteMarkdown(&out, "https://a.example")
		doc.Release()
		if least = min(least, threadTime()-begin); least > 5*time.Second {
			break
		}
	}
	return least
}

// threadTime is the processor's time of this thread.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
