package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Each step takes out what the check names, and no word of the page.
func TestNeutralizers(t *testing.T) {
	const head = "---\ntitle: A\nimage: /x.png\ntags:\n  - a\n---\n"
	at := func(code site.Code, line, col int) site.Problem {
		return site.Problem{Path: "content/a.md", Code: code, Pos: site.Pos{Line: line, Col: col}}
	}
	for _, c := range []struct {
		name     string
		step     neutralizer
		in, want string
		problem  site.Problem
	}{
		{"link", atPlace, head + "a [b `c`](/d \"t\") e", head + "a b `c` e", at(rule.DeadLink, 7, 3)},
		{"second link", atPlace, head + "[a](/b) [c](/d)", head + "[a](/b) c", at(rule.DeadLink, 7, 9)},
		{"anchor", atPlace, head + "[a](/b#c)", head + "[a](/b)", at(rule.DeadAnchor, 7, 1)},
		{"image without a text", atPlace, head + "![](/b.mp4)", head + "`/b.mp4`", at(rule.NotAnImage, 7, 1)},
		{"address without a place", atPlace, head + "x]\\(/b/c)", head + "x]\\(b/c)", site.Problem{Path: "content/a.md", Code: rule.DeadLink, Text: `the Markdown of /a links to "/b/c", where nothing is`}},
		{"sign", atPlace, head + "ä <x y>", head + "ä \\<x y>", at(rule.RawHTML, 7, 3)},
		{"component", atPlace, head + ":::none\na\n:::", head + "\\:::none\na\n:::", at(rule.Directive, 7, 1)},
		{"fence", atPlace, head + "```{go} file=x\na\n```", head + "```go\na\n```", at(rule.WrongValue, 7, 1)},
		{"key", atPlace, head + "a", "---\ntitle: A\ntags:\n  - a\n---\na", at(rule.DeadLink, 3, 8)},
		{"only item of a key", atPlace, head + "a", "---\ntitle: A\nimage: /x.png\n---\na", at(rule.WrongValue, 5, 5)},
		{"no date", atPlace, head + "a", "---\ndate: 2000-01-01\ntitle: A\nimage: /x.png\ntags:\n  - a\n---\na", at(rule.NoDate, 0, 0)},
		{"no title", atPlace, "a", "---\ntitle: Untitled\n---\na", at(rule.NoTitle, 0, 0)},
		{"line", wholeLine, head + "- a <b> {{ c }}", head + "- a \\<b\\> \\{\\{ c \\}\\}", at(rule.FactUnknown, 7, 9)},
		{"body", bodyAsCode, head + "a\n```\nb\n```\n", head + "\n````text\na\n```\nb\n```\n````\n", at(rule.Directive, 8, 1)},
		{"front matter", titleOnly, head + "a", "---\ntitle: A\n---\na", at(rule.UnknownKey, 3, 1)},
	} {
		if got := c.step(c.in, []site.Problem{c.problem}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Whatever a source has, the check of the new site finds no error, and the report says
// what was neutralized.
func TestImportPassesCheck(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"hugo": {"hugo.toml": "baseURL = 'https://old.example'\n", "content/a.md": "---\ntitle: A\n---\n[x](https://old.example/api/x) `https://old.example/y` <https://old.example/z> <gh-pr:12> ::: tabs\n\n::: tabs\n== a\nb\n:::\n\n<video src=\"none.mp4\"></video>\n\n[a](/%NAME%/b) [c]({% d %}/e) {{ f }} {{ plans }}\n\n```go {file=x}\n[x](/none)\n```\n\n| a | <b|c> |\n|---|---|\n| ::x{y | :z[ |\n",
			"content/blog/_index.md": "---\ntitle: Blog\n---\n", "content/blog/a.md": "---\ntitle: B\nimages: [none.png]\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "static/x.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"/>"},
		"vitepress": {".vitepress/config.ts": "export default { title: 'T', themeConfig: { nav: [{text: 'x', link: '/none'}, {text: 'API', link: '/api/'}] } }", "index.md": "# A\n\n[a](/api/) ![](b.mov) <Foo :x=\"{{ y }}\" />\n", "api/index.md": "# API\n\n{{ x }} [b](../none.html#c) [d](#e)\n\n::: code-group\n```js\n:::\n"},
		"docusaurus": {"docusaurus.config.js": "module.exports = {title: 'T', url: 'https://old.example', baseUrl: '/'}", "docs/a b/ü?.md": "# {x}\n\n<Tabs>\n<TabItem value='a'>\n\n    ```js\n    a\n    ```\n\n</TabItem>\n<details>\n",
			"docs/a.mdx": "---\nid: x.y:z\nslug: /\n---\n<Foo>{bar()}\n\n:::note\n\n  :::tip\n\n- <details><summary>x</summary>\n", "blog/2020-13-45-x.md": "---\ntags: {a: b}\n---\n[x](pathname:///y) <https://x.*.y.com:99>"},
	} {
		t.Run(name, func(t *testing.T) {
			from := folderOfFiles(t, files)
			result, err := Import(t.Context(), Options{From: from, To: from + "-new"})
			if err != nil {
				t.Fatal(err)
			}
			_, problems, err := build.Check(t.Context(), build.Source{Root: result.To}, build.CheckOptions{}, build.Observer{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				if p.Severity == site.Error {
					t.Error(p)
				}
			}
		})
	}
}

// Regression test: what could not be neutralized fails the import, and the site and its
// report are written all the same. A file that a person has changed is never neutralized.
func TestMendLeavesWhatAPersonWrote(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"a.md": "# A\n\nOne.\n", "index.md": "# B\n\nTwo.\n"})
	opt := Options{From: from, To: from + "-new"}
	if _, err := Import(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	mine := "# Mine\n\n:::none\n:::\n"
	write(t, filepath.Join(opt.To, "content/a.md"), []byte(mine))
	result, err := Import(t.Context(), opt)
	if err == nil || result == nil || result.BadPages != 1 || !strings.Contains(err.Error(), ErrFails.Error()) {
		t.Errorf("got %v and %+v", err, result)
	}
	if data, err := os.ReadFile(filepath.Join(opt.To, "content/a.md")); err != nil || string(data) != mine {
		t.Errorf("a person's page is %q, %v", data, err)
	}
}
