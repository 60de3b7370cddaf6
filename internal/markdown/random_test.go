package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRandomPages combines pieces of Markdown pseudo-randomly, with fixed seeds, and checks that each page's twin has
// the same meaning as the page. Related pieces are adjacent more often than in fuzzing.
func TestRandomPages(t *testing.T) {
	pieces := map[string]string{
		"emphasis": "*|_|**|__|***|a| |.|(|)|b c|~|~~|[|](u)|`|\\|&amp;|&#32;|\n|ä|&auml;|x",
		"blocks": "\n|\n\n|- |* |+ |1. |2) |> |# |    |  |\t|a|---|===|```|~~~|¦ a ¦ b ¦|¦ - ¦ -: ¦|¦|[^1]|[^1]: |" +
			"[r]: /u \"t\"|[r]|[x] |- [ ] |b|***|\\|[!NOTE]|> [!tip]\n> ",
		"nesting": "> |- |1. |  |   |    |\t|\n|\n\n|\n>|\n> |a|b|```|\n  |\n    |\n   |***|---|#|# |¦a¦\n|¦-¦|" +
			"[^1]:|[^1]|=|\\|[a]: b|~~~ x|[!NOTE]|c|3. |-|*|*\n",
		"inline": "a| |www.a.com|http://a.bc/d|a@b.cd|<http://a.b>|[|]|(|)|![|](/u|](u \"t\")|`|``|¦|\\|&|&copy;|#|<|" +
			">|!|_|*|~|\n|  \n|\\\n|^|[^1]|\n\n[^1]: x|:|&#10;|&#9;|.|-|+|1.|=|\n=|\n-|x",
		"tables": "¦|¦|¦| |a|\n|\n¦|---|¦ - ¦|¦-¦-¦\n|:-|-:|`|\\¦|\\|*|b|[a¦b](u¦v)|<http://a.b/c¦d>|![a¦b](c \"¦\")|" +
			"&#124;|&#9;|\t|[^1]|\n\n[^1]: x|- |> |www.a.co/¦x|~~",
		"tags": "<kbd>|</kbd>|<b>|</b>|<em>|</em>|<sub>|</sub>|<a href=/u>|</a>|<a id=x></a>|<br>|<img src=u width=9>|<img src=v alt='a¦[b'>|<code>|</code>|" +
			"<!-- c -->|<abbr title='¦\"]'>|</abbr>|a| |*|**|_|\n|  \n|\n\n|- |> |# |¦ a ¦ b ¦\n¦ - ¦ - ¦\n¦|¦|`|[|](/u)|![|\\|.|www.a.bc|<del>|</del>|~~|&lt;|<|[^1]|\n\n[^1]: x",
		"elements": "<details>\n|<summary>|</summary>|</details>\n|<dl>\n|<dt>|</dt>\n|<dd>|</dd>\n|</dl>\n|<table>|<tr>|<td>|</td>|<th>|<td colspan=2>|</table>\n|" +
			"<ul>|<ol start=3>|<li>|</ul>|</ol>|<p>|</p>|<h3>|</h3>|<pre>|</pre>|<blockquote>|</blockquote>|<figure>\n|<figcaption>|</figcaption>|</figure>|" +
			"a|*b*|**|- |1. |  |> |\n|\n|\n\n|\n\n|<img src=u height=9>|<video src=v></video>|<hr>|```\n|# |<!-- c -->|<br>|<b>|</b>|:::note\n|:::\n|[^1]|\n\n[^1]: x|<kbd>x</kbd>",
		"directives": ":::note\n|:::tip[T *x*]\n|:::details[`]`]{open}\n|::::tabs\n|:::tab[a]\n|::: warning W {x=y}\n|:::\n|:::\n|::::\n|:::steps\n|::video[x]{src=/v}\n|" +
			"::card[[a](/b)]{link=/c}\n|:::cards\n|:::figure[*c*]\n|:badge[|:kbd[|]|]{type=tip}|:x[|:|::|a|{|}|1. |- |  |   |> |\n|\n|\n\n|*|**|`|[|](/u)|```\n|# |¦|<b>|</b>|\\|&#58;|www.a.bc|" +
			":::figure\n|[!NOTE] t|> [!TIP] *a* |:::badge\n|<details>\n|</details>\n|[^1]|\n\n[^1]: x|{open}",
	}
	p := New(Options{}).With(newTestComponents(t))
	for name, list := range pieces {
		t.Run(name, func(t *testing.T) {
			// "|" separates the pieces, and "¦" is a literal "|".
			pieces := strings.Split(list, "|")
			random := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				var b strings.Builder
				for range 1 + random.IntN(14) {
					b.WriteString(strings.ReplaceAll(pieces[random.IntN(len(pieces))], "¦", "|"))
				}
				checkTwin(t, p, []byte(b.String()))
			}
		})
	}
}

// TestRegressions checks inputs whose twins could differ in meaning from their pages, each for a different reason.
func TestRegressions(t *testing.T) {
	p := New(Options{})
	for _, c := range []struct{ reason, source string }{
		{"goldmark ends all lists at a blank line after an empty item", "* 2) \n  a\n- 1.\n\n  2. b\n"},
		{"only a blank line separates two quotes, and none is possible here", "+ > + \n\n    > a\n"},
		{"a marker closes after \">\" without a space", ">*a\n>*\nb\n"},
		{"several line breaks end an emphasis", ">***# a\n\\\n>***b\n"},
		{"an address goes through markers", "[_~a~.a@b.cd``_"},
		{"an address goes through backticks", "x-1.`\n1.^a@b.cd `"},
		{"a description has spaces around it in a heading", "a![\nb\n](u)\n="},
		{"an info string starts with the fence's character", "~~~  ~~~`a`\nb\n"},
		{"a definition in a definition is a loop in goldmark's tree", "[^a]: [^b]: c\n\n[^a][^b]\n"},
		{"a tab is a task's box", "- [&#9;](u)"},
		{"a note in a note's order", "[^a] [^b]\n\n[^b]: [^c]\n[^a]: x\n[^c]: [^a]\n"},
		{"definitions in a row", "[^a]: b\n[^c]: d\n\n[^c][^a]\n"},
		{"a cell of an HTML table in a text has lines", "a <table><tr><th>b<tr><td>*<del>\nc</del></table>\n"},
		{"bytes that aren't text", "a\xffb\x00c\x01d\u0085e\ufffe\r\nf\rg\v\f h"},
	} {
		t.Run(c.reason, func(t *testing.T) { checkTwin(t, p, []byte(c.source)) })
	}
}

// TestRandomTrees checks that pages with nested, complete elements and components have the same meaning as their twins.
// In TestRandomPages, such constructs are rarely complete.
func TestRandomTrees(t *testing.T) {
	p := New(Options{}).With(newTestComponents(t))
	random := rand.New(rand.NewPCG(5, 6))
	whole := 0
	for range 3000 {
		tree := &randomTree{Rand: random}
		source := []byte(tree.blocks(1+random.IntN(3), 3))
		if checkTwin(t, p, source) {
			whole++
		}
	}
	if whole < 1500 {
		t.Errorf("only %d pages were without errors", whole)
	}
}

// randomTree generates pages with complete elements.
type randomTree struct{ *rand.Rand }

func (r *randomTree) pick(list ...string) string { return list[r.IntN(len(list))] }

// text returns random text on one line.
func (r *randomTree) text(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		if depth > 0 && r.IntN(2) == 0 {
			pair := r.pick("<kbd>|</kbd>", "<b>|</b>", "<em>|</em>", "<sub>|</sub>", "<a href=/u>|</a>", "<del>|</del>", "<mark>|</mark>", "<code>|</code>",
				"<abbr title='a¦\"]`'>|</abbr>", ":badge[|]", ":badge[|]{type=tip}", ":kbd[|]", "*|*", "**|**", "~~|~~", "[|](/v)", "`|`", "<i>|</i>")
			open, end, _ := strings.Cut(pair, "|")
			b.WriteString(strings.ReplaceAll(open, "¦", "|") + r.text(depth-1) + end)
			continue
		}
		b.WriteString(r.pick("a", "日", "「", "。", " ", "b c", ".", "*", "_", "<br>", "<img src=u width=9>", "<img src=u alt='x]'>", "<!-- c -->", "\\*", "&lt;", "&#32;", "{", ":", "::", "www.a.bc",
			"[^1]", "<a id=q></a>", "[", "\\", "|", "~", "\n", "  \n", "\\\n", "!", "a:b[c]", ":x", "#", "1.", "- "))
	}
	return b.String()
}

// blocks returns n random blocks with blank lines between them.
func (r *randomTree) blocks(n, depth int) string {
	var b strings.Builder
	for range n {
		b.WriteString(r.block(depth))
		b.WriteString("\n\n")
	}
	return b.String()
}

func (r *randomTree) block(depth int) string {
	if depth == 0 {
		return r.text(2)
	}
	inner := func() string { return r.blocks(1+r.IntN(2), depth-1) }
	colons := strings.Repeat(":", 2+depth)
	indented := func(prefix, text string) string {
		return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+prefix)
	}
	switch r.IntN(17) {
	case 0:
		return colons + r.pick("note", "tip[T *x*]", "details[`]`]{open}", "details", " warning Careful", "figure[*c*]", "steps", "details{#q}") + "\n" + inner() + colons
	case 1:
		return colons + "tabs{group=g}\n" + colons[1:] + "tab[" + r.text(0) + "]\n" + r.text(1) + "\n" + colons[1:] + "\n" + colons
	case 2:
		return "<details><summary>" + r.text(1) + "</summary>\n\n" + inner() + "</details>"
	case 3:
		return "<dl>\n<dt>" + r.text(1) + "</dt>\n<dd>\n\n" + inner() + "</dd><dt>a<dd>b\n</dl>"
	case 4:
		return "<table><tr><th>" + r.text(1) + "<th>b<tr><td>" + r.text(1) + "<td>" + r.text(2) + "</table>"
	case 5:
		return "<table>\n<tr><td colspan=2>\n\n" + inner() + "</td></tr></table>"
	case 6:
		return "- " + indented("  ", inner()) + r.pick("\n", "\n\n") + "- " + indented("  ", r.block(depth-1))
	case 7:
		return "> " + indented("> ", inner())
	case 8:
		return "<ul>\n<li>" + r.text(1) + "</li>\n<li>\n\n" + inner() + "</li>\n</ul>"
	case 9:
		return "<p>" + strings.ReplaceAll(r.text(2), "\n\n", "\n") + "</p>"
	case 10:
		return "<h3>" + r.text(1) + "</h3>"
	case 11:
		return r.pick("# ", "### ") + r.text(2)
	case 12:
		return "| " + r.text(1) + " | b |\n| - | - |\n| " + r.text(2) + " | <ul><li>x</li></ul> |"
	case 13:
		return r.pick("<video src=v title='a \"b\"'></video>", "::video[x *y*]{src=/v poster=\"a b\"}", "::youtube[x]{#dQw4w9WgXcQ}", "<hr>", "<pre>a *b*\n\n<b>c</b></pre>", "```\n:::\n```", "<img src=u width=9>",
			"::card[a]{link=\"/x y\"}", "<blockquote>a <b>b</b></blockquote>", "<figure><img src=u alt=x><figcaption>*c*</figcaption></figure>")
	case 14:
		return "> [!NOTE] " + r.text(1) + "\n> a"
	case 15:
		return "[^1]: " + indented("    ", r.block(depth-1))
	}
	return r.text(3)
}
