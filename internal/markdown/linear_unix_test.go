//go:build linux

package markdown

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// grammar lists the tokens of the dialect, with any context that they need. repeated replaces N with a counter.
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
	"a", "a ", "a\n", "a\n\n", "\n", " ", "\n ", "\u00a0", "é", "漢", "🙂", "\u0301", "\u202e", "\u0085", "\x00", "\xff", "\r", "\r\n", "\ufeff", ".", "'", "\"", "-", "--", "...", "(c)", "$", "$a$ ", "$$", "$$\n", "$$a\n", "$a ", "$$a $b", "$\\$", "<<<<<<< a\n", ">>>>>>> a\n", "=======\n", "• a\n", "-a\n", "N.a\n", "a\n2. b\n3. c\n\n", "|a|b|\n", "[TOC]\n\n", "!!! note\n", "[[a]] ", "[a(/b) ", "! [a](b.png)\n", "[a](/b ", "==", "{# a #} ", "- :::note\n", "####### a\n", "[a](http:b) ", "+", "+ a\n", "^", "==a== ", ":smile: ", "+++\n", "%%", "@", "/", ";", ",",
}

// before lists the contexts to put before a construct.
var before = []string{"", "# a\n\n", "> ", "- a\n  ", "|a|\n|-|\n"}

// TestEveryConstructIsLinear repeats every token of the grammar. It compares the CPU time for a page with the CPU time
// for a page 16 times as large. Rejected pages and their messages count too.
func TestEveryConstructIsLinear(t *testing.T) { everyConstructIsLinear(t, before[:1], 8<<10) }

// If a page grows 16 times, the time of linear work grows 16 times, and the time of quadratic work grows 256 times. The
// limit is the geometric mean of the two, because linear work can appear to grow faster: on a busy machine, the garbage
// collector makes this thread do work for which the collector's own threads have no time.
const (
	growth      = 16
	steepGrowth = 64
	separate    = 6
)

// construct is a token of the grammar with its context.
type construct struct{ head, token string }

// everyConstructIsLinear measures every token in each context. A busy machine makes a single measurement too large, so
// a construct fails only if it's steep in each of several rounds. All rounds except the first use larger pages, in
// which limits such as maxLines end the steep growth of smaller pages.
func everyConstructIsLinear(t *testing.T, heads []string, size int) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := New(Options{}).WithFacts(facts.New("en", &site.Product{Name: "Parley"}))
	var suspects []construct
	for _, token := range grammar {
		for _, head := range heads {
			suspects = append(suspects, construct{head, token})
		}
	}
	t.Logf("%d constructs", len(suspects))
	if *growthFile != "" {
		// Use larger pages than the first round does, as the later rounds below do.
		writeGrowth(t, p, suspects, 4*size)
	}
	for round, times := 0, growth/4; round < separate; round++ {
		suspects = slices.DeleteFunc(suspects, func(c construct) bool { return c.growth(p, size, times) <= steepGrowth })
		if round == 0 {
			size, times = 8*size, growth
		}
	}
	for _, c := range suspects {
		t.Errorf("%q after %q: %d times the size, %d and %d bytes, takes %.0f times as long", c.token, c.head, growth, size, growth*size, c.growth(p, size, growth))
	}
}

// growthFile is the file to which to write the growth of each construct: go test ./internal/markdown -run
// TestEveryConstructIsLinear -growth results/growth.tsv
var growthFile = flag.String("growth", "", "write the growth of every construct to this file")

// writeGrowth writes a line for each construct, the steepest first: the time per page of the large size, and the factor
// by which the time grows if the page doubles. It uses the lowest of three measurements.
func writeGrowth(t *testing.T, p *Parser, constructs []construct, size int) {
	t.Helper()
	type line struct {
		construct
		large time.Duration
		ratio float64
	}
	var lines []line
	for _, c := range constructs {
		ratio := math.Inf(1)
		for range 3 {
			ratio = min(ratio, math.Pow(c.growth(p, size, growth), 1/math.Log2(growth)))
		}
		lines = append(lines, line{c, spent(p, repeated(c.head, c.token, growth*size), 1), ratio})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.ratio, a.ratio) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Each construct repeated to %d and %d KB: processor time in ms of the large page, and growth for each doubling. 1.00: under 10 ms.\n", size>>10, growth*size>>10)
	for _, l := range lines {
		fmt.Fprintf(&b, "%.2f\t%.1f\t%q\t%q\n", l.ratio, float64(l.large)/1e6, l.head, l.token)
	}
	if err := os.WriteFile(*growthFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// growth returns the ratio of the large page's time to the small page's time. It measures the small page several times,
// because a thread's clock is too coarse for a single measurement.
func (c construct) growth(p *Parser, size, times int) float64 {
	const cheap = 10 * time.Millisecond // below this, the clock is too coarse, and no page is slow
	large := spent(p, repeated(c.head, c.token, growth*size), 1)
	if large <= cheap {
		return 1
	}
	small := max(spent(p, repeated(c.head, c.token, size), times), cheap*time.Duration(times)/growth)
	return float64(large) / float64(small) * float64(times)
}

// repeated returns a page of at least size bytes: head, and repetitions of token.
func repeated(head, token string, size int) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for n := 0; b.Len() < size; n++ {
		b.WriteString(strings.ReplaceAll(token, "N", fmt.Sprint(n)))
	}
	return b.Bytes()
}

// spent returns the CPU time of this thread for producing all outputs of a page the given number of times.
func spent(p *Parser, source []byte, times int) time.Duration {
	begin := threadTime()
	for range times {
		doc := p.Parse("x.md", source, 0)
		var out bytes.Buffer
		doc.Problems()
		doc.Headings()
		doc.Links()
		doc.FactPlaces()
		_ = doc.WriteHTML(&out)
		_ = doc.WriteMarkdown(&out, "https://a.example")
		doc.Release()
	}
	return threadTime() - begin
}

// threadTime returns this thread's CPU time in user mode. It excludes the kernel, because the cost of page faults
// depends on other processes.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano())
}
