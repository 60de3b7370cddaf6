package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// A misspelled language after a fence causes a suggestion. A known language, or a name that isn't similar to one,
// doesn't.
func TestCodeLanguage(t *testing.T) {
	for language, want := range map[string]string{
		"javscript": "javascript", "pyhton": "python", "Pyton": "python", "typscript": "typescript", "javasript": "javascript",
		"jvascritp": "javascript", "powershel": "powershell", "mermiad": "mermaid", "shel": "", "python,": "python",
		"javascript": "", "js": "", "JSON": "", "python3": "", "mermaid": "", "livescript": "", "typoscript": "", "purescript": "",
		"frobnicate": "", "coffeescript": "", "zsh": "", "text": "", "graph": "", "mdx": "", "rescript": "", "swiftui": "",
		"javascriptreact": "", "markdoc": "", "jsonc": "", "http": "", "vue": "", "svelte": "", "golang": "", "protobuf": "",
	} {
		source := "Text.\n\n```" + language + " title=\"x\"\na\n```\n"
		got := fmt.Sprint(New(Options{}).Parse("x.md", []byte(source), 0).Problems())
		if want == "" {
			if got != "[]" {
				t.Errorf("%s: %s", language, got)
			}
			continue
		}
		if !strings.HasPrefix(got, "[x.md:3:4: warning: unknown language ") || !strings.Contains(got, fmt.Sprintf("did you mean %q?", want)) {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
}

// A block keeps the name of a language that the highlighter doesn't know, so that the site's styles and scripts can use
// it.
func TestUnknownLanguageInHTML(t *testing.T) {
	for _, language := range []string{"mermaid", "frobnicate", "a&b"} {
		html, twin := render(t, New(Options{Highlight: true}).Parse("x.md", []byte("```"+language+"\nx\n```\n"), 0))
		name := strings.ReplaceAll(language, "&", "&amp;")
		if want := `<pre tabindex="0"><code class="language-` + name + "\">x\n</code></pre>"; !strings.Contains(html, want) || !strings.Contains(twin, "```"+language+"\n") {
			t.Errorf("%s is %s and %s", language, html, twin)
		}
	}
}
