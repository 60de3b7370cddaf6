package preview

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// The toolbar is inserted at the end of the body, or at the end of a document without a body.
func TestInserted(t *testing.T) {
	for document, want := range map[string]string{
		"<body>x</body></html>":          "<body>xBAR</body></html>",
		"<BODY>x</BODY>":                 "<BODY>xBAR</BODY>",
		"<p>no body":                     "<p>no bodyBAR",
		"":                               "BAR",
		"<pre>&lt;</body></pre>x</body>": "<pre>&lt;</body></pre>xBAR</body>",
		"<p>İİİİ, longer in lower</p></body>": "<p>İİİİ, longer in lower</p>BAR</body>",
	} {
		if got := string(inserted([]byte(document), []byte("BAR"))); got != want {
			t.Errorf("inserted(%s) = %s, want %s", document, got, want)
		}
	}
}

// No content can end the script element that describes the page.
func TestScriptCannotBeClosed(t *testing.T) {
	out, err := script(View{Problems: []Problem{{Text: "</script><script>alert(1)</script><!--"}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "</script>"); n != 2 {
		t.Errorf("%d closing tags in\n%s", n, out)
	}
	if strings.Contains(string(out), "<!--") {
		t.Errorf("comment start in\n%s", out)
	}
}

// A problem is shown with the surrounding lines. Its own line is split at its position.
func TestExcerpts(t *testing.T) {
	long := strings.Repeat("ä", 150) + "X" + strings.Repeat("z", 400)
	root := rootWith(t, map[string]string{
		"content/a.md":     "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n",
		"content/long.md":  long,
		"content/wrong.md": "a\xffb\n",
	})
	for _, c := range []struct {
		name string
		path string
		at   site.Pos
		want []Line
	}{
		{"in the middle", "content/a.md", site.Pos{Line: 3, Col: 2}, []Line{
			{Number: 1, Before: "one"}, {Number: 2, Before: "two"}, {Number: 3, Before: "t", At: "h", After: "ree"}, {Number: 4, Before: "four"}, {Number: 5, Before: "five"}}},
		{"at the beginning", "content/a.md", site.Pos{Line: 1, Col: 1}, []Line{
			{Number: 1, At: "o", After: "ne"}, {Number: 2, Before: "two"}, {Number: 3, Before: "three"}}},
		{"after the end of a line", "content/a.md", site.Pos{Line: 5, Col: 99}, []Line{
			{Number: 3, Before: "three"}, {Number: 4, Before: "four"}, {Number: 5, Before: "five", At: " "}}},
		{"whole file", "content/a.md", site.Pos{}, nil},
		{"after the end of the file", "content/a.md", site.Pos{Line: 99, Col: 1}, nil},
		{"missing file", "content/none.md", site.Pos{Line: 1, Col: 1}, nil},
		{"outside the site", "../outside.md", site.Pos{Line: 1, Col: 1}, nil},
		{"in a long line, by characters", "content/long.md", site.Pos{Line: 1, Col: 151}, []Line{
			{Number: 1, Before: "…" + strings.Repeat("ä", 100), At: "X", After: strings.Repeat("z", 200) + "…"}}},
		{"in invalid UTF-8", "content/wrong.md", site.Pos{Line: 1, Col: 2}, []Line{{Number: 1, Before: "a", At: "\ufffd", After: "b"}}},
	} {
		got := described(root, []site.Problem{{Path: c.path, Pos: c.at, Text: "x"}}, nil)
		if !reflect.DeepEqual(got[0].Excerpt, c.want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", c.name, got[0].Excerpt, c.want)
		}
	}
}

func rootWith(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	f := newTestSite(t)
	for name, text := range files {
		f.write(name, text)
	}
	root, err := os.OpenRoot(f.root)
	f.must(err)
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// Graphical editors receive the position in their own syntax. The preview doesn't start editors that need a terminal.
func TestEditors(t *testing.T) {
	for _, c := range []struct {
		visual, editor string
		want           string
	}{
		{"code --wait", "vi", "code --wait --goto /s/a.md:3:14"},
		{"", "/usr/bin/codium", "/usr/bin/codium --goto /s/a.md:3:14"},
		{"'/opt/My Editors/zed' -n", "", "/opt/My Editors/zed -n /s/a.md:3:14"},
		{"vim", "gvim -f", "gvim -f +3 /s/a.md"},
		{"", "emacsclient -n", "emacsclient -n +3:14 /s/a.md"},
		{"", "kate", "kate --line 3 --column 14 /s/a.md"},
		{"", "goland", "goland --line 3 /s/a.md"},
		{"", `"C:/Program Files/Notepad++/notepad++.exe"`, "C:/Program Files/Notepad++/notepad++.exe /s/a.md"},
		{"", "emacsclient -t", ""},
		{"nano", "vi", ""},
		{"", "", ""},
		{"  ", "hx", ""},
	} {
		e := newEditor(func(name string) string { return map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}[name] })
		got := ""
		if e.command != nil {
			got = strings.Join(append(e.command, e.place("/s/a.md", "3", "14")...), " ")
		}
		if got != c.want {
			t.Errorf("VISUAL=%q EDITOR=%q starts %q, want %q", c.visual, c.editor, got, c.want)
		}
	}
}
