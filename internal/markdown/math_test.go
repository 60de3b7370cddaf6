package markdown

import (
	"strings"
	"testing"
)

// TeX between dollar signs becomes MathML on the page and stays TeX in the twin. Prices, code, and escaped or single
// dollar signs are text.
func TestMath(t *testing.T) {
	p := New(Options{})
	for _, c := range []struct{ source, html, twin string }{
		{"Area $a^2$ here.\n", "<p>Area <math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow><annotation encoding=\"application/x-tex\">a^2</annotation></semantics></math> here.</p>\n", ""},
		{"$$\n\\frac{1}{2}\n$$\n", "<div class=\"math\" tabindex=\"0\"><math display=\"block\">", ""},
		{"$$x$$\n", "<div class=\"math\" tabindex=\"0\"><math display=\"block\">", "$$\nx\n$$\n"},
		{"a\n$$ x\n= y $$\nb\n", "<p>a</p>\n<div class=\"math\"", "a\n\n$$\n x\n= y\n$$\n\nb\n"},
		{"> $$\n> - x\n> $$\n", "<blockquote>\n<div class=\"math\"", ""},
		{"Text $$x$$ in it.\n", "<p>Text <math display=\"block\">", ""},
		{"# Of $\\pi$\n", "<h1 id=\"of-pi\">Of <math>", ""},
		{"*a* $*b*$ `$c$`\n", "<mo>*</mo>", ""},
		{"It costs $5 and $10.\n", "<p>It costs $5 and $10.</p>\n", ""},
		{"From $5-$10, $ 4 $, a\n", "<p>From $5-$10, $ 4 $, a</p>\n", "From $5-$10, $ 4 \\$, a\n"},
		{"\\$a\\$ and \\$5\n", "<p>$a$ and $5</p>\n", "\\$a$ and $5\n"},
		{"$$ a\n\nb $$\n", "<p>$$ a</p>\n<p>b $$</p>\n", "\\$$ a\n\nb \\$$\n"},
		{"`$a$` and\n\n```\n$$\nx\n$$\n```\n", "<p><code>$a$</code> and</p>\n<pre tabindex=\"0\"><code>$$\nx\n$$\n</code></pre>\n", ""},
	} {
		doc := p.Parse("x.md", []byte(c.source), 0)
		html, twin := render(t, doc)
		want := c.twin
		if want == "" {
			want = c.source
		}
		if !strings.Contains(html, c.html) || twin != want || len(doc.Problems()) > 0 {
			t.Errorf("%q: got\n%s\n%s\n%v", c.source, html, twin, doc.Problems())
		}
		if strings.Contains(html, "style=") {
			t.Errorf("%q has a style:\n%s", c.source, html)
		}
		checkTwin(t, p, []byte(c.source))
	}
}

// Invalid TeX is reported once, at the start of the math, and HTML in it doesn't reach the page.
func TestWrongMath(t *testing.T) {
	for source, want := range map[string]string{
		"Text $\\frac{1}{2 a$.\n":                  `x.md:1:6: error: math: mismatched curly brace in "\\frac{1}{2 a"; complete the expression, and write \$ for a literal dollar sign [V091]`,
		"a\n\n$$\n\\nosuch{x}\n$$\n":               `error: math: unknown command \nosuch; check its spelling [V091]`,
		"$\\begin{pmatrix}a$\n":                    `x.md:1:1: error: math: mismatched environment (pmatrix) in "\\begin{pmatrix}a"; complete the expression, and write \$ for a literal dollar sign [V091]`,
		"$\\text{<script>alert(1)</script>}$\n":    `x.md:1:1: error: math: < is not supported in text; write \lt outside \text{} [V091]`,
		"$\\text{<img src=x onerror=alert(1)>}$\n": `x.md:1:1: error: math: < is not supported in text; write \lt outside \text{} [V091]`,
	} {
		doc := New(Options{}).Parse("x.md", []byte(source), 0)
		html, _ := render(t, doc)
		if problems := doc.Problems(); len(problems) != 1 || !strings.Contains(problems[0].String(), want) {
			t.Errorf("%q: got %v, want %s", source, problems, want)
		}
		if strings.Contains(html, "<script") || strings.Contains(html, "<img") {
			t.Errorf("%q: got %s", source, html)
		}
	}
}
