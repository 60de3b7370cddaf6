package llmstxt

import (
	"reflect"
	"strings"
	"testing"
)

// Parse returns the reference parser's results, even when that parser loses content.
func TestParseReadsAsTheReferenceParserDoes(t *testing.T) {
	sections := []Section{{"Docs", []Link{{"One", "https://a.example/1.md", "a note"}, {"Two", "https://a.example/2.md", ""}}}}
	const list = "## Docs\n\n- [One](https://a.example/1.md): a note\n- [Two](https://a.example/2.md)\n"
	tests := map[string]struct {
		text string
		want *File
		fail string
	}{
		"whole":                       {"# T\n\n> S\n\nInfo.\n\n" + list, &File{"T", "S", "Info.", sections}, ""},
		"no summary":                  {"# T\n\nInfo.\n\n" + list, &File{"T", "", "Info.", sections}, ""},
		"several paragraphs":          {"# T\n\n> S\n\nOne.\n\nTwo.\n\n" + list, &File{"T", "S", "One.\n\nTwo.", sections}, ""},
		"no sections":                 {"# T\n\n> S\n\nInfo.\n", &File{Title: "T", Summary: "S", Info: "Info."}, ""},
		"a summary without more text": {"# T\n\n> S\n\n" + list, &File{"T", "", "> S", sections}, ""},
		"a deeper heading splits":     {"# T\n\n> S\n\nInfo.\n\n### Docs\n\n- [One](https://a.example/1.md)\n", &File{"T", "S", "Info.", []Section{{"# Docs", []Link{{"One", "https://a.example/1.md", ""}}}}}, ""},
		"prose in a section":          {"# T\n\n> S\n\nInfo.\n\n## Docs\n\nRead these.\n", nil, "is not a link"},
		"a parenthesis ends the URL":  {"# T\n\n> S\n\nInfo.\n\n## Docs\n\n- [One](https://a.example/(1).md)\n", &File{"T", "S", "Info.", []Section{{"Docs", []Link{{"One", "https://a.example/(1", ""}}}}}, ""},
		"no title":                    {"Hello.\n", nil, "start"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.text)
			if test.fail != "" {
				if err == nil || !strings.Contains(err.Error(), test.fail) {
					t.Fatalf("got the error %v, want one with %q", err, test.fail)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

// Check reports each violated rule, and reports nothing for a file that satisfies all rules.
func TestCheckReportsEveryRule(t *testing.T) {
	const good = "# T\n\n> S\n\nInfo.\n\n## Docs\n\n- [One](https://a.example/1.md): a note\n\n## Optional\n\n- [Two](https://a.example/2.md)\n"
	change := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	tests := map[string]struct{ text, want string }{
		"good":                    {good, ""},
		"too long":                {change("Info.", strings.Repeat("é", Most)), "characters"},
		"CR LF":                   {strings.ReplaceAll(good, "\n", "\r\n"), "CR"},
		"no final line feed":      {strings.TrimSpace(good), "line feed"},
		"no summary":              {change("> S\n\n", ""), "summary"},
		"no paragraph":            {change("Info.\n\n", ""), "summary"},
		"summary of two lines":    {change("> S\n", "> S\n> more\n"), "begin"},
		"second title":            {change("Info.", "Info.\n\n# More"), "heading before"},
		"prose":                   {change("- [One]", "Read this.\n- [One]"), "is not a link"},
		"Optional before another": {change("## Docs", "## Optional"), "Optional"},
		"empty section":           {change("## Optional", "## Empty\n\n## Optional"), "empty"},
		"deeper heading":          {change("## Optional", "### Optional"), "second level"},
		"relative link":           {change("https://a.example/1.md", "/1.md"), "absolute"},
		"broken link":             {change("https://a.example/1.md", "https://a.example/none.md"), "none.md does not exist"},
		"bracket in a title":      {change("[One]", "[One [1]"), "not written as"},
		"parenthesis in a URL":    {change("1.md", "1_(a).md"), "not written as"},
		"empty note":              {change(": a note", ": "), "not written as"},
	}
	resolves := func(url string) bool { return !strings.Contains(url, "none") }
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var all []string
			for _, err := range Check(test.text, resolves) {
				all = append(all, err.Error())
			}
			got := strings.Join(all, "\n")
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want it to tell %q", got, test.want)
			}
		})
	}
}
