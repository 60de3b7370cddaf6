package build_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
)

// A site in Arabic with pages in other scripts is set from right to left, except code. A link finds its anchor in any
// Unicode normalization form, and the limits on the length of text depend on the script.
func TestSiteInSeveralScripts(t *testing.T) {
	files := rig.TinySite("Tiny", "language: ar\n")
	files["content/a.md"] = "---\ntitle: التثبيت\ndescription: " + strings.Repeat("日", 121) + "\n---\n\n" +
		"اكتب `npm i` ثم [إلى](#cafe\u0301) و[هناك](/b#ไทย-2) <https://x.example/>.\n\n## Cafe\u0301\n\n```\nnpm i\n```\n"
	files["content/b.md"] = "---\ntitle: ราคา\ndescription: " + strings.Repeat("日", 120) + "\n---\n\n日本語の\n文章[と](/a#caf%C3%A9)。\n\n## ไทย 2\n"
	root, out := rig.Site(t, files), t.TempDir()
	_, problems, err := build.Build(context.Background(), build.Source{Root: root}, build.Output{Out: out}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	long := 0
	for _, p := range problems {
		switch {
		case p.Code == rule.LongDescription && p.Path == "content/a.md":
			long++
		case p.Code == rule.NoLetters, p.Code == rule.LongDescription, p.Code == rule.DeadAnchor:
			t.Errorf("unexpected: %v", p)
		}
	}
	if long != 1 {
		t.Errorf("%d descriptions are too long", long)
	}
	for name, want := range map[string][]string{
		"a.html": {`<html lang="ar" dir="rtl">`, `<code dir="ltr">npm i</code>`, `<a dir="ltr" href="https://x.example/">`, `<pre tabindex="0" dir="ltr">`,
			"<h2 id=\"caf\u00e9\">", `href="/a#caf%C3%A9"`, `href="/b#%E0%B9%84%E0%B8%97%E0%B8%A2-2"`},
		"b.html": {"日本語の文章<a href=\"/a#caf%C3%A9\">と</a>。"},
		"b.md":   {"日本語の\n文章"},
	} {
		body, err := os.ReadFile(filepath.Join(out, "public", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(body), part) {
				t.Errorf("%s lacks %s:\n%s", name, part, body)
			}
		}
	}
}
