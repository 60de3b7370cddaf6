package markdown

import (
	"strings"
	"testing"
)

// TestCases compares the HTML and the twin of every construct with the expected output, and checks that the twin has
// the same meaning. If twin is empty, the expected twin is the source itself.
func TestCases(t *testing.T) {
	p := New(Options{Highlight: true})
	for _, c := range []struct{ name, source, html, twin string }{
		{"emphasis", "*a* __b__ ***c***\n", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>\n", "*a* **b** ***c***\n"},
		{"strong first", "**_a_ b**\n", "<p><strong><em>a</em> b</strong></p>\n", "***a* b**\n"},
		{"strong around", "**_a_**\n", "<p><strong><em>a</em></strong></p>\n", "**_a_**\n"},
		{"emphasis in a row", "*a*_b_ c\n", "<p><em>ab</em> c</p>\n", "*ab* c\n"},
		{"emphasis in emphasis", "*a *b* c*\n", "<p><em>a b c</em></p>\n", "*a b c*\n"},
		{"emphasis next to a letter", "&#120;**.a**&copy;*(*&#98;\n", "<p>x<strong>.a</strong>©<em>(</em>b</p>\n", "&#120;**.a**©*(*&#98;\n"},
		{"strikethrough", "~a~ ~~b~~\n", "<p><del>a</del> <del>b</del></p>\n", "~~a~~ ~~b~~\n"},
		{"code span", "`` a`b `` ` ` `c\nd`\n", "<p><code>a`b</code> <code> </code> <code>c d</code></p>\n", "``a`b`` ` ` `c d`\n"},
		{"escapes", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\] \\# 1\\. \\&amp; \\<e> \\~f\n", "<p>*a* _b_ `c` [d] # 1. &amp;amp; &lt;e&gt; ~f</p>\n", "\\*a\\* \\_b\\_ \\`c\\` \\[d] # 1. \\&amp; \\<e> \\~f\n"},
		{"no needless escapes", "2 * 3, snake_case, a < b, AT&T, C:\\dir, 50% #1 !a (b) - c + d = e\n", "<p>2 * 3, snake_case, a &lt; b, AT&amp;T, C:\\dir, 50% #1 !a (b) - c + d = e</p>\n", ""},
		{"starts of lines", "\\# a\n\\- b\n\\+ c\n1\\. d\n2\\) e\n\\> f\n\\=\n\\---\n#g -h 1.i\n", "<p># a\n- b\n+ c\n1. d\n2) e\n&gt; f\n=\n---\n#g -h 1.i</p>\n", ""},
		{"spaces at the ends", "&#32;a&#9;b&#32;\nc\n", "<p> a\tb \nc</p>\n", "&#32;a\tb&#32;\nc\n"},
		{"breaks", "a  \nb\\\nc\nd\n", "<p>a<br>\nb<br>\nc\nd</p>\n", "a\\\nb\\\nc\nd\n"},
		{"end tags of breaks", "a</br>b<br></br>c</BR>\n\n</br>\n\n- d</br>e\n", "<p>a<br>\nb<br>\nc</p>\n<ul>\n<li>d<br>\ne</li>\n</ul>\n", "a\\\nb\\\nc\n\n- d\\\n  e\n"},
		{"break after a backslash", "a&#92;\\\nb\\\\\\\nc\\\\\nd\n", "<p>a\\<br>\nb\\<br>\nc\\\nd</p>\n", "a\\\\\\\nb\\\\\\\nc\\\\\nd\n"},
		{"entities", "&copy; &#x41; &bogus; &nbsp;&amp;lt;\n", "<p>© A &amp;bogus; \u00a0&amp;lt;</p>\n", "© A &bogus; \u00a0\\&lt;\n"},
		{"links", "[a](/b \"c\") [d][e] ![*f*](g 'h \"i\"')\n\n[e]: <j k>\n", "<p><a href=\"/b\" title=\"c\">a</a> <a href=\"j%20k\">d</a> <img src=\"g\" alt=\"f\" title=\"h &quot;i&quot;\"></p>\n", "[a](/b \"c\") [d](j%20k) ![f](g \"h \\\"i\\\"\")\n"},
		{"destinations", "[a](<b(c> \"\") [d](e(f)) [g](h&amp;copy;) [i](<> \"j\")\n", "<p><a href=\"b(c\">a</a> <a href=\"e(f)\">d</a> <a href=\"h&amp;copy;\">g</a> <a href=\"\" title=\"j\">i</a></p>\n", "[a](b\\(c) [d](e(f)) [g](h\\&copy;) [i](<> \"j\")\n"},
		{"autolinks", "<http://a.b> https://c.de/f?g=h&i www.j.kl m@n.op <q@r.s>\n", "<p><a href=\"http://a.b\">http://a.b</a> <a href=\"https://c.de/f?g=h&amp;i\">https://c.de/f?g=h&amp;i</a> <a href=\"http://www.j.kl\">www.j.kl</a> <a href=\"mailto:m@n.op\">m@n.op</a> <a href=\"mailto:q@r.s\">q@r.s</a></p>\n", "<http://a.b> <https://c.de/f?g=h&i> [www.j.kl](http://www.j.kl) <m@n.op> <q@r.s>\n"},
		{"no autolinks", "www\\.a.bc http\\://d.ef g\\@h.ij http://- react@18.2.0\n", "<p>www.a.bc http://d.ef g@h.ij http://- react@18.2.0</p>\n", ""},
		{"ends of addresses", "https://a.bc/Käse, (http://d.ef/(g)) \"http://h\" www.i.jk/l_m_. n_o+p@q.rs. mailto:t@u.vw x@y.z1 A_https://a.bc/_b_\n", "<p><a href=\"https://a.bc/K%C3%A4se\">https://a.bc/Käse</a>, (<a href=\"http://d.ef/(g)\">http://d.ef/(g)</a>) &quot;<a href=\"http://h\">http://h</a>&quot; <a href=\"http://www.i.jk/l_m\">www.i.jk/l_m</a>_. <a href=\"mailto:n_o+p@q.rs\">n_o+p@q.rs</a>. <a href=\"mailto:t@u.vw\">mailto:t@u.vw</a> x@y.z1 A_<a href=\"https://a.bc/_b\">https://a.bc/_b</a>_</p>\n", "<https://a.bc/Käse>, (<http://d.ef/(g)>) \"<http://h>\" [www.i.jk/l_m](http://www.i.jk/l_m)\\_. <n_o+p@q.rs>. <mailto:t@u.vw> x@y.z1 A\\_<https://a.bc/_b>\\_\n"},
		{"strikethrough of other lengths", "~~x~ ~~y~ z~~ ~a ~~b~ c~\n", "<p>~~x~ <del>y~ z</del> ~a ~~b~ c~</p>\n", "\\~\\~x\\~ ~~y\\~ z~~ \\~a \\~\\~b\\~ c\\~\n"},
		{"list under an item's marker", "*\n  -\n  - a\n\n1.\n   2. b\n", "<ul>\n<li>\n<ul>\n<li></li>\n<li>a</li>\n</ul>\n</li>\n</ul>\n<ol>\n<li>\n<ol start=\"2\">\n<li>b</li>\n</ol>\n</li>\n</ol>\n", "- *\n  * a\n\n1. 2. b\n"},
		{"header with fewer cells", "a\n-|-\nb|c\n-|-\n", "<p>a\n-|-</p>\n<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">\n<table>\n<thead>\n<tr>\n<th>b</th>\n<th>c</th>\n</tr>\n</thead>\n</table>\n</div>\n", "a\n\\-|-\n\n| b | c |\n| --- | --- |\n"},
		{"blank lines in code", "- b\n\n      c\n        \n      d\n\n> ```\n>   \n> ```\n\n[^1]\n\n[^1]:\n    ```\n     \n    ```\n", "<ul>\n<li>\n<p>b</p>\n<pre tabindex=\"0\"><code>c\n  \nd\n</code></pre>\n</li>\n</ul>\n<blockquote>\n<pre tabindex=\"0\"><code>  \n</code></pre>\n</blockquote>\n<p><sup id=\"fnref:1\"><a href=\"#fn:1\" class=\"footnote-ref\" role=\"doc-noteref\">1</a></sup></p>\n<div class=\"footnotes\" role=\"doc-endnotes\" aria-label=\"Footnotes\">\n<hr>\n<ol>\n<li id=\"fn:1\">\n<pre tabindex=\"0\"><code> \n</code></pre>\n<p><a href=\"#fnref:1\" class=\"footnote-backref\" role=\"doc-backlink\" aria-label=\"Back to reference 1\">↩︎</a></p>\n</li>\n</ol>\n</div>\n", "- b\n\n  ```\n  c\n    \n  d\n  ```\n\n> ```\n>   \n> ```\n\n[^1]\n\n[^1]:\n    ```\n     \n    ```\n"},
		{"autolink in a link", "[<http://a.b>](c)\n", "<p><a href=\"c\">http://a.b</a></p>\n", "[http://a.b](c)\n"},
		{"brackets in a link", "[a \\[b\\] \\^c](d) [\\^e](f)\n", "<p><a href=\"d\">a [b] ^c</a> <a href=\"f\">^e</a></p>\n", "[a \\[b\\] ^c](d) [\\^e](f)\n"},
		{"not an image", "a\\![b](c)\n", "<p>a!<a href=\"c\">b</a></p>\n", ""},
		{"headings", "A\n=\n\nB\n-\n\n### C ###\n\n#### 1. D\n", "<h1 id=\"a\">A</h1>\n<h2 id=\"b\">B</h2>\n<h3 id=\"c\">C</h3>\n<h4 id=\"1-d\">1. D</h4>\n", "# A\n\n## B\n\n### C\n\n#### 1. D\n"},
		{"heading on two lines", "A\nB\n===\n", "<h1 id=\"a-b\">A B</h1>\n", "# A B\n"},
		{"heading with a break", "A\\\nB\n---\n", "<h2 id=\"a-b\">A<br>\nB</h2>\n", ""},
		{"heading that ends in #", "# a \\#\n\n## #\n", "<h1 id=\"a-\">a #</h1>\n<h2 id=\"section\"></h2>\n", "# a \\#\n\n##\n"},
		{"thematic breaks", "***\n\n_ _ _\n", "<hr>\n<hr>\n", "---\n\n---\n"},
		{"lists", "* a\n* b\n  + c\n\n3) d\n3) e\n", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n<ol start=\"3\">\n<li>d</li>\n<li>e</li>\n</ol>\n", "- a\n- b\n  - c\n\n3. d\n4. e\n"},
		{"lists in a row", "- a\n\n+ b\n\n1. c\n\n1) d\n", "<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n<ol>\n<li>d</li>\n</ol>\n", "- a\n\n* b\n\n1. c\n\n1) d\n"},
		{"loose list", "1. a\n\n   b\n10. c\n", "<ol>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>\n", "1. a\n\n   b\n\n2. c\n"},
		{"list in an item's first line", "- - a\n  - ***\n- ***\n", "<ul>\n<li>\n<ul>\n<li>a</li>\n<li>\n<hr>\n</li>\n</ul>\n</li>\n<li>\n<hr>\n</li>\n</ul>\n", "- * a\n  * ---\n- ***\n"},
		{"empty items", "-\n- a\n-\n", "<ul>\n<li></li>\n<li>a</li>\n<li></li>\n</ul>\n", ""},
		{"blocks in a tight list", "- a\n  > b\n- ```\n  c\n  ```\n  # d\n", "<ul>\n<li>a\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n<li>\n<pre tabindex=\"0\"><code>c\n</code></pre>\n<h1 id=\"d\">d</h1>\n</li>\n</ul>\n", ""},
		{"tasks", "- [ ] a\n- [X] b\n- \\[x] c\n- [x\\](d)\n", "<ul>\n<li><input type=\"checkbox\" disabled aria-label=\"Incomplete task\"> a</li>\n<li><input type=\"checkbox\" disabled checked aria-label=\"Completed task\"> b</li>\n<li>[x] c</li>\n<li>[x](d)</li>\n</ul>\n", "- [ ] a\n- [x] b\n- \\[x] c\n- \\[x](d)\n"},
		{"link that isn't a task", "- [&#120;](a)\n", "<ul>\n<li><a href=\"a\">x</a></li>\n</ul>\n", ""},
		{"quotes", "> a\nb\n>\n> > c\n\n> d\n", "<blockquote>\n<p>a\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n<blockquote>\n<p>d</p>\n</blockquote>\n", "> a\n> b\n>\n> > c\n\n> d\n"},
		{"alert", "> [!note]\n> a\n>\n> - b\n", "<div class=\"alert alert-note\" role=\"note\">\n<p class=\"alert-title\">Note</p>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</div>\n", "> [!NOTE]\n> a\n>\n> - b\n"},
		{"alert with a title", "> [!tip]  A *b*\n> c\n\n> [!NOTE] d\n", "<div class=\"alert alert-tip\" role=\"note\">\n<p class=\"alert-title\">A <em>b</em></p>\n<p>c</p>\n</div>\n<div class=\"alert alert-note\" role=\"note\">\n<p class=\"alert-title\">d</p>\n</div>\n", "> [!TIP] A *b*\n> c\n\n> [!NOTE] d\n"},
		{"alert without a paragraph", "> [!CAUTION]\n> ***\n", "<div class=\"alert alert-caution\" role=\"note\">\n<p class=\"alert-title\">Caution</p>\n<hr>\n</div>\n", "> [!CAUTION]\n>\n> ---\n"},
		{"no alert", "> [!NOTE]a\n\n> \\[!TIP]\n\n[!TIP]\n", "<blockquote>\n<p>[!NOTE]a</p>\n</blockquote>\n<blockquote>\n<p>[!TIP]</p>\n</blockquote>\n<p>[!TIP]</p>\n", "> \\[!NOTE]a\n\n> \\[!TIP]\n\n\\[!TIP]\n"},
		{"table", "|a|b|c|\n|:-|-:|:-:|\n|`d\\|e`|f \\| *g*|\n", "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">\n<table>\n<thead>\n<tr>\n<th class=\"align-left\">a</th>\n<th class=\"align-right\">b</th>\n<th class=\"align-center\">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class=\"align-left\"><code>d|e</code></td>\n<td class=\"align-right\">f | <em>g</em></td>\n<td class=\"align-center\"></td>\n</tr>\n</tbody>\n</table>\n</div>\n", "| a | b | c |\n| :-- | --: | :-: |\n| `d\\|e` | f \\| *g* | |\n"},
		{"table named after a heading", "# A & b\n\n|c|\n|-|\n\nd\n\n|e|\n|-|\n", "<h1 id=\"a--b\">A &amp; b</h1>\n<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: A &amp; b\">\n<table>\n<thead>\n<tr>\n<th>c</th>\n</tr>\n</thead>\n</table>\n</div>\n<p>d</p>\n<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: A &amp; b (2)\">\n<table>\n<thead>\n<tr>\n<th>e</th>\n</tr>\n</thead>\n</table>\n</div>\n", "# A & b\n\n| c |\n| --- |\n\nd\n\n| e |\n| --- |\n"},
		{"no table", "a | b\n\\- | -\n", "<p>a | b\n- | -</p>\n", "a | b\n\\- | -\n"},
		{"code", "```go\nx := 1\n```\n\n    a\n\n    b\n", "<figure class=\"code\"><figcaption><span class=\"kind\">Go</span></figcaption>\n<pre class=\"chroma\" tabindex=\"0\"><code class=\"language-go\"><span class=\"nx\">x</span> <span class=\"o\">:=</span> <span class=\"mi\">1</span>\n</code></pre></figure>\n<pre tabindex=\"0\"><code>a\n\nb\n</code></pre>\n", "```go\nx := 1\n```\n\n```\na\n\nb\n```\n"},
		{"code in an unknown language", "~~~ nosuch `a`\n<b> ```\n~~~\n", "<pre tabindex=\"0\"><code class=\"language-nosuch\">&lt;b&gt; ```\n</code></pre>\n", "~~~nosuch `a`\n<b> ```\n~~~\n"},
		{"fences in code", "````\n```\n````\n", "<pre tabindex=\"0\"><code>```\n</code></pre>\n", ""},
		{"footnotes", "a[^x] b[^y] c[^x]\n\n[^y]: d\n[^x]: e\n\n    - f\n[^z]: g\n", "<p>a<sup id=\"fnref:1\"><a href=\"#fn:1\" class=\"footnote-ref\" role=\"doc-noteref\">1</a></sup> b<sup id=\"fnref:2\"><a href=\"#fn:2\" class=\"footnote-ref\" role=\"doc-noteref\">2</a></sup> c<sup id=\"fnref1:1\"><a href=\"#fn:1\" class=\"footnote-ref\" role=\"doc-noteref\">1</a></sup></p>\n<div class=\"footnotes\" role=\"doc-endnotes\" aria-label=\"Footnotes\">\n<hr>\n<ol>\n<li id=\"fn:1\">\n<p>e</p>\n<ul>\n<li>f</li>\n</ul>\n<p><a href=\"#fnref:1\" class=\"footnote-backref\" role=\"doc-backlink\" aria-label=\"Back to reference 1\">↩︎</a>&#160;<a href=\"#fnref1:1\" class=\"footnote-backref\" role=\"doc-backlink\" aria-label=\"Back to reference 1-2\">↩︎</a></p>\n</li>\n<li id=\"fn:2\">\n<p>d&#160;<a href=\"#fnref:2\" class=\"footnote-backref\" role=\"doc-backlink\" aria-label=\"Back to reference 2\">↩︎</a></p>\n</li>\n</ol>\n</div>\n", "a[^x] b[^y] c[^x]\n\n[^x]: e\n\n    - f\n\n[^y]: d\n"},
		{"nothing", "\n \n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			html, twin := render(t, p.Parse("x.md", []byte(c.source), 0))
			if html != c.html {
				t.Errorf("HTML\n%s\nwant\n%s", html, c.html)
			}
			want := c.twin
			if want == "" && strings.TrimSpace(c.source) != "" {
				want = c.source
			}
			if twin != want {
				t.Errorf("twin\n%s\nwant\n%s", twin, want)
			}
			checkTwin(t, p, []byte(c.source))
		})
	}
}
