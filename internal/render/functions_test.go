package render

import (
	"strings"
	"testing"
)

// Plain text stays the same when it is read as Markdown, with the fewest possible escapes.
func TestMarkdownText(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, as it is":             "plain text, as it is",
		"two\nlines  and spaces":           "two lines and spaces",
		"a*b_c`d[e]<f>":                    "a\\*b\\_c\\`d\\[e\\]\\<f>",
		"# no heading":                     `\# no heading`,
		"- no item":                        `\- no item`,
		"1. no item":                       `1\. no item`,
		"2) no item":                       `2\) no item`,
		"980.000 ¥ a year":                 "980.000 ¥ a year",
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

// Front matter has numbers and flags without quotes. A value that is not a scalar causes an error instead of Go's notation
// in the output.
func TestMarkdownTextOfValues(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
		fails string
	}{
		{"2*3", `2\*3`, ""}, {600, "600", ""}, {-1, `\-1`, ""}, {1.5, "1.5", ""}, {true, "true", ""},
		{nil, "", "missing"}, {[]any{"a"}, "", "slice"}, {map[string]any{"a": 1}, "", "map"},
	} {
		got, err := plain(c.value, markdownText, pastMarkdown)
		if got != c.want || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%v: %q, %v; want %q and an error with %q", c.value, got, err, c.want, c.fails)
		}
	}
}

// Keys are shown as words, whichever way programs write several in one.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"gettingStarted": "Getting started", "GettingStarted": "Getting started", "getting-started": "Getting started",
		"getting_started": "Getting started", "status": "Status", "signup": "Sign up", "signUp": "Sign up", "API": "API",
		"apiDocs": "API docs", "openAPI": "Open API", "HTMLGuide": "HTML guide", "Ünser Büro": "Ünser Büro", "ärzteSuche": "Ärzte suche",
		"v2": "V2", "a": "A", "": "", "-": "",
	} {
		if got := humanize(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
