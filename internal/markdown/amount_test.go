package markdown

import (
	"bytes"
	"strings"
	"testing"
)

// The HTML keeps each amount on one line, and the twin keeps the author's spaces. In the expected HTML, "~" is a
// no-break space.
func TestAmountsStayTogether(t *testing.T) {
	parser := New(Options{}).Priced([]string{"KWD", "د.ك.", "kr"})
	for source, want := range map[string]string{
		"From 1 299 KWD a month.":                 "<p>From 1~299~KWD a month.</p>",
		"18,500 KWD":                              "<p>18,500~KWD</p>",
		"KWD 18.500, or KWD 1 299.500.":           "<p>KWD~18.500, or KWD~1~299.500.</p>",
		"1 299 000,500 KWD":                       "<p>1~299~000,500~KWD</p>",
		"KWD 1 299 000 for 10 people":             "<p>KWD~1~299~000 for 10 people</p>",
		"In 2026 299 KWD":                         "<p>In 2026 299~KWD</p>",
		"KWD 12 30 days":                          "<p>KWD~12 30 days</p>",
		"1.5 299 KWD":                             "<p>1.5 299~KWD</p>",
		"18KWD and KWD18":                         "<p>18KWD and KWD18</p>",
		"18 KWDX, 18 kroner, XKWD 18":             "<p>18 KWDX, 18 kroner, XKWD 18</p>",
		"月額 18 KWDです":                             "<p>月額 18~KWDです</p>",
		"18 kr or **18 kr**, *1 299 kr*":          "<p>18~kr or <strong>18~kr</strong>, <em>1~299~kr</em></p>",
		"١٨٫٥ د.ك.":                               "<p>١٨٫٥~د.ك.</p>",
		"18 EUR":                                  "<p>18 EUR</p>",
		"`18 KWD`":                                "<p><code>18 KWD</code></p>",
		"18,500\nKWD a month, KWD\n18":            "<p>18,500~KWD a month, KWD~18</p>",
		"We take\nKWD only":                       "<p>We take\nKWD only</p>",
		"# From 18 KWD":                           `<h1 id="from-18-kwd">From 18~KWD</h1>`,
		"    18 KWD":                              "<pre tabindex=\"0\"><code>18 KWD\n</code></pre>",
		"18 KWD &amp; 5 \\& 19 KWD":               "<p>18~KWD &amp; 5 &amp; 19~KWD</p>",
		"<table><tr><td>18 KWD</td></tr></table>": "<td>18~KWD</td>",
		"| a |\n|---|\n| 1 299 KWD |":             "<td>1~299~KWD</td>",
	} {
		doc := parser.Parse("x.md", []byte(source), 0)
		html, twin := render(t, doc)
		if html = strings.ReplaceAll(html, noBreak, "~"); !strings.Contains(html, want) {
			t.Errorf("%q is %s, want %s", source, html, want)
		}
		if strings.Contains(twin, noBreak) {
			t.Errorf("the Markdown of %q is %q", source, twin)
		}
	}
}

// FuzzAmounts checks that unbroken only replaces spaces with no-break spaces.
func FuzzAmounts(f *testing.F) {
	for _, text := range []string{"1 299 KWD", "KWD 1 299 KWD 5", "  KWD  1", "1 KWD2 3 KWD", "٫ KWD ١"} {
		f.Add([]byte(text))
	}
	parser := New(Options{}).Priced([]string{"KWD", "$"})
	f.Fuzz(func(t *testing.T, text []byte) {
		want := bytes.ReplaceAll(text, []byte(noBreak), []byte(" "))
		if got := bytes.ReplaceAll(parser.unbroken(bytes.Clone(text)), []byte(noBreak), []byte(" ")); !bytes.Equal(got, want) {
			t.Errorf("%q became %q", want, got)
		}
	})
}
