package markdown

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"vitrine/templates"
)

// The default strings match the theme's English words.
func TestEnglishIsTheTheme(t *testing.T) {
	text, err := fs.ReadFile(templates.FS, "words/en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range english {
		if !bytes.Contains(text, []byte("\n"+key+": "+want+"\n")) {
			t.Errorf("the theme's word for %s isn't %q", key, want)
		}
	}
}

// All generated text uses the site's words, escaped.
func TestWordsInHTML(t *testing.T) {
	source := []byte("> [!WARNING]\n> A\n\n- [x] a\n- [ ] b\n\n| a |\n|---|\n| b |\n\nc[^1] d[^1]\n\n[^1]: e\n")
	words := func(key string, values ...any) string {
		if len(values) > 0 {
			return "<" + key + values[1].(string) + ">"
		}
		return "<" + key + ">"
	}
	var out bytes.Buffer
	if err := New(Options{}).WithWords(words).Parse("a.md", source, 0).WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<p class="alert-title">&lt;warning&gt;</p>`, `checked aria-label="&lt;taskDone&gt;">`, `disabled aria-label="&lt;taskOpen&gt;">`, `aria-label="&lt;table&gt;"`,
		`aria-label="&lt;footnotes&gt;"`, `aria-label="&lt;footnoteBack1&gt;"`, `aria-label="&lt;footnoteBack1-2&gt;"`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}
