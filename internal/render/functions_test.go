package render

import "testing"

// Plain text stays what it says when it is read as Markdown, and no more of it
// is escaped than must be.
func TestMarkdownText(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, as it is":             "plain text, as it is",
		"two\nlines  and spaces":           "two lines and spaces",
		"a*b_c`d[e]<f>":                    "a\\*b\\_c\\`d\\[e\\]\\<f>",
		"# no heading":                     `\# no heading`,
		"- no item":                        `\- no item`,
		"1. no item":                       `1\. no item`,
		"in 2026. Not":                     "in 2026. Not",
		"R&D &amp; more":                   `R&D \&amp; more`,
		"see https://a.example/b_c (here)": "see <https://a.example/b_c> (here)",
		"at https://a.example/x.":          "at <https://a.example/x>.",
		"ünïcode – stays":                  "ünïcode – stays",
	} {
		if got := markdownText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// An amount keeps the decimals that the editor gave it, in the form of the
// site's language.
func TestMoney(t *testing.T) {
	for _, c := range []struct{ language, currency, amount, want string }{
		{"en", "EUR", "49", "€49"},
		{"en", "EUR", "49.50", "€49.50"},
		{"en", "USD", "1200", "$1,200"},
		{"de", "EUR", "49.50", "49,50\u00a0€"},
		{"fr", "EUR", "0", "0\u00a0€"},
		{"en", "CHF", "49", "CHF\u00a049"},
	} {
		got, err := newMoney(c.language, c.currency).format(c.amount)
		if err != nil || got != c.want {
			t.Errorf("%s %s in %s: %q, %v; want %q", c.amount, c.currency, c.language, got, err, c.want)
		}
	}
	if _, err := newMoney("en", "EUR").format("much"); err == nil {
		t.Error("an amount that is no number is formatted")
	}
}
