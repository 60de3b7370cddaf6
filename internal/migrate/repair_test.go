package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Each neutralizer removes the reported error and keeps the words of the page's body.
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
		{"image without alternative text", atPlace, head + "![](/b.mp4)", head + "`/b.mp4`", at(rule.NotAnImage, 7, 1)},
		{"address without a position", atPlace, head + "x]\\(/b/c)", head + "x]\\(b/c)", site.Problem{Path: "content/a.md", Code: rule.DeadLink, Text: `the Markdown of /a links to "/b/c", where nothing is`}},
		{"sign", atPlace, head + "ä <x y>", head + "ä \\<x y>", at(rule.RawHTML, 7, 3)},
		{"math", atPlace, head + "a $\\?$", head + "a \\$\\?$", at(rule.WrongMath, 7, 3)},
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

// For each source, vitrine check finds no errors in the new site.
func TestImportPassesCheck(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"hugo": {"hugo.toml": "baseURL = 'https://old.example'\n", "content/a.md": "---\ntitle: A\n---\n[x](https://old.example/api/x) `https://old.example/y` <https://old.example/z> <gh-pr:12> ::: tabs\n\n::: tabs\n== a\nb\n:::\n\n<video src=\"none.mp4\"></video>\n\n[a](/%NAME%/b) [c]({% d %}/e) {{ f }} {{ plans }}\n\n```go {file=x}\n[x](/none)\n```\n\n| a | <b|c> |\n|---|---|\n| ::x{y | :z[ |\n",
			"content/blog/_index.md": "---\ntitle: Blog\n---\n", "content/blog/a.md": "---\ntitle: B\nimages: [none.png]\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "static/x.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"/>"},
		"jekyll":    {"_config.yml": "title: T\nurl: https://old.example\n", "404.html": "---\npermalink: /404.html\n---\nNot here.\n", "index.md": "---\ntitle: Home\n---\n[missing](/404) [again](404.html)\n"},
		"vitepress": {".vitepress/config.ts": "export default { title: 'T', themeConfig: { nav: [{text: 'x', link: '/none'}, {text: 'API', link: '/api/'}] } }", "store.md": "# S\n\nUse [a.$b](./index.md#x?) and [c.$d](./index.md#y) or $\\?$ here.\n", "index.md": "# A\n\n[a](/api/) ![](b.mov) <Foo :x=\"{{ y }}\" />\n", "api/index.md": "# API\n\n{{ x }} [b](../none.html#c) [d](#e)\n\n::: code-group\n```js\n:::\n"},
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

// Regression test: if an error can't be neutralized, the import fails but still writes the site and its report. A file
// changed by the user is never neutralized.
func TestRepairKeepsManualEdits(t *testing.T) {
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

// The component map specifies replacements for components. The import also writes a draft map for unknown components.
func TestComponentMap(t *testing.T) {
	from := folderOfFiles(t, map[string]string{
		"docusaurus.config.js": "module.exports = {title: 'T'}", "map.yaml": "Since: \":badge[Since {version}]\"\nBox: |\n  :::note[{title}]\n  {inner}\n  :::\nGone: \"\"\n",
		"docs/index.mdx": "# A\n\nNew <Since version=\"2\" /> here.\n\n<Box title=\"B\">\n\nText **c**.\n\n</Box>\n\n<Gone />\n\n<Chart of=\"x\" />\n\n<Chart of=\"y\" />\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", Map: filepath.Join(from, "map.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(result.To, "content/docs/index.md"))
	if want := "New :badge[Since 2] here.\n\n:::note[B]\nText **c**.\n:::\n\n<!-- Not carried over"; err != nil || !strings.Contains(string(page), want) || strings.Contains(string(page), "Gone") {
		t.Errorf("the page is %q, %v, want %q", page, err, want)
	}
	draft, err := os.ReadFile(filepath.Join(result.To, ComponentsName))
	if err != nil || !strings.Contains(string(draft), "# 2 times, such as <Chart of=\"x\" />\n# Chart: \"{inner}\"\n") || strings.Contains(string(draft), "Since") {
		t.Errorf("the draft is %q, %v", draft, err)
	}
	write(t, filepath.Join(from, "bad.yaml"), []byte("Box: [a]\n"))
	if _, err := Import(t.Context(), Options{From: from, To: from + "-bad", Map: filepath.Join(from, "bad.yaml")}); err == nil || !strings.Contains(err.Error(), "want a string") {
		t.Errorf("a map of lists gives %v", err)
	}
}

// The import reads the description of a Docusaurus page from its <head> element.
func TestDescriptionInHead(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"docusaurus.config.js": "module.exports = {title: 'T'}",
		"docs/a.md": "---\ntitle: A\n---\n\nimport x from 'x';\n\n<head>\n  <title>Long A</title>\n  <meta\n    name=\"description\"\n    content=\"What A &amp; B do.\"\n  />\n</head>\n\nText.\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(result.To, "content/docs/a.md"))
	if err != nil || !strings.Contains(string(page), "description: \"What A & B do.\"\n") {
		t.Errorf("the page is %q, %v", page, err)
	}
}

// An import that omits most of a site fails, unless Partial is set.
func TestImportOfTooFewPages(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"docusaurus.config.js": "module.exports = {title: 'T'}", "guide/a.md": "a", "guide/b.md": "b", "guide/c.md": "c", "guide/d.md": "d", "docs/e.md": "# E"})
	if _, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true}); !errors.Is(err, ErrTooFew) || !strings.Contains(err.Error(), "guide") {
		t.Errorf("got %v", err)
	}
	if result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true, Partial: true}); err != nil || result.Pages != 1 && result.Pages != 2 {
		t.Errorf("with Partial %+v, %v", result, err)
	}
	static := folderOfFiles(t, map[string]string{"docusaurus.config.js": "module.exports = {title: 'T'}", "docs/e.md": "# E", "static/a/a.md": "a", "static/a/b.md": "b", "static/a/c.md": "c", "static/a/d.md": "d"})
	if _, err := Import(t.Context(), Options{From: static, To: static + "-new", NoCheck: true}); err != nil {
		t.Errorf("Markdown that the old site publishes verbatim counts as lost: %v", err)
	}
	empty := folderOfFiles(t, map[string]string{"hugo.toml": "title = 'x'"})
	if _, err := Import(t.Context(), Options{From: empty, To: empty + "-new", NoCheck: true}); !errors.Is(err, ErrTooFew) {
		t.Errorf("a site without pages gives %v", err)
	}
}

// The import reads a VitePress sidebar that consists of constants, functions, and imports.
func TestSidebarOfConstants(t *testing.T) {
	from := folderOfFiles(t, map[string]string{
		".vitepress/config.ts":        "import { guide, added } from './configs/index.js'\nimport more from './more'\nconst nav: Nav[] = [{ text: 'Start', items: [{ text: 'A', link: '/guide/a' }] }]\nfunction api() {\n  return [{ text: 'X', link: '/guide/x' }]\n}\nexport default defineConfig({ title: 'T', themeConfig: { nav, sidebar: { '/guide/': [...guide, { text: 'API', items: api() }, more, ...added] } } })",
		".vitepress/configs/index.ts": "export * from './none.js'\nexport * from './added.js'\nexport { first as guide } from '../guide.js'", ".vitepress/configs/added.ts": "export const added: Entry[] = [{ text: 'Added', items: ['/guide/d'] }]",
		".vitepress/guide.ts": "export const first = [{ text: 'First', items: ['/guide/b', '/guide/a'] }]", ".vitepress/more.js": "export default { text: 'Last', items: [{ text: 'Cee', link: '/guide/c' }] }",
		"index.md": "# H", "guide/a.md": "# A", "guide/b.md": "# B", "guide/c.md": "# C", "guide/d.md": "# D", "guide/x.md": "# X"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	sidebar, err := os.ReadFile(filepath.Join(result.To, "content/guide/_sidebar.yaml"))
	if want := "# The old site's sidebar.\n- group: First\n  items:\n    - b\n    - a\n- group: API\n  items:\n    - \"x\"\n- group: Last\n  items:\n    - c\n- group: Added\n  items:\n    - d\n"; err != nil || strings.ReplaceAll(string(sidebar), `- x`, `- "x"`) != want {
		t.Errorf("the sidebar is\n%s%v", sidebar, err)
	}
	settings, err := os.ReadFile(filepath.Join(result.To, "content/site.yaml"))
	if err != nil || !strings.Contains(string(settings), "{label: Start, path: /guide/a}") {
		t.Errorf("the settings are\n%s%v", settings, err)
	}
}

// The import recognizes language folders by their pages' front matter and omits them from the menu. It reads the
// sidebar from a data file.
func TestJekyllLanguagesAndSidebar(t *testing.T) {
	page := func(lang string) string { return "---\nlang: " + lang + "\ntitle: T " + lang + "\n---\nText.\n" }
	from := folderOfFiles(t, map[string]string{"_config.yml": "title: T\nurl: https://old.example\npermalink: pretty\n", "index.md": page("en"), "de/index.md": page("de"), "de/a.md": page("de"), "pt-br/index.md": page("pt-br"), "pt-br/a.md": page("pt-br"),
		"docs/index.md": "---\ntitle: Docs\n---\n", "docs/a.md": "---\ntitle: A\n---\n", "docs/b.md": "---\ntitle: B\n---\n", "_data/docs_nav.yml": "- title: First\n  docs:\n    - link: /docs/b/\n- title: Then\n  docs:\n    - {title: Ay, link: /docs/a/}\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(filepath.Join(result.To, "content/site.yaml"))
	if want := "navigation:\n  - {label: Docs, path: /docs}\n\nlanguages:\n  de: {}\n  pt-br: {}\n"; err != nil || !strings.Contains(string(settings), want) {
		t.Errorf("the settings are\n%s%v", settings, err)
	}
	sidebar, err := os.ReadFile(filepath.Join(result.To, "content/docs/_sidebar.yaml"))
	if want := "- group: First\n  items:\n    - b\n- group: Then\n  items:\n    - a\n"; err != nil || !strings.HasSuffix(string(sidebar), want) {
		t.Errorf("the sidebar is\n%s%v", sidebar, err)
	}
}

// Regression test: a repository that isn't a valid address and a title with special characters left product.yaml with
// errors, because required keys were removed.
func TestRepairSettings(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"mkdocs.yml": "site_name: \"A {{ b }} : #\"\nsite_url: 'https://exa mple/x y'\nrepo_url: https://git.example/a b, c\nnav: [{\"X\": index.md}]\n", "docs/index.md": "# A\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new"})
	if err != nil || result.BadPages > 0 {
		t.Errorf("got %v and %+v", err, result.Problems)
	}
}

// Regression test: an element with macros in its attributes left placeholders of the conversion on the page.
func TestMacrosInAttributes(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"mkdocs.yml": "site_name: A\nplugins: [macros]\n",
		"docs/index.md": "# A\n\n<a href=\"{{ x.url }}\" title=\"{{ x.title }}\"><img src=\"{{ x.img }}\"></a>\n\nSee [it]({{ y.url }}) and ![pic]({{ z }}), {{ w }}.\n"})
	to := from + "-new"
	if result, err := Import(t.Context(), Options{From: from, To: to}); err != nil || result.BadPages > 0 {
		t.Fatalf("got %v and %+v", err, result.Problems)
	}
	got, err := os.ReadFile(filepath.Join(to, "content/index.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "<!-- Not carried over: the shortcode \"macro\"\n<a href=\"{{ x.url }}\" title=\"{{ x.title }}\"><img src=\"{{ x.img }}\"></a>\n-->\n\nSee it and pic, `{{ w }}`.\n"
	if !strings.HasSuffix(string(got), want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Regression test: a list item that starts like a link reference definition was removed.
func TestTextLikeDefinition(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"a.md": "# A\n\n- [`Trace`]: Easily add it.\n- [b]: /gone 'B'\n\n[`Trace`]: https://x.example\n"})
	to := from + "-new"
	if _, err := Import(t.Context(), Options{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(to, "content/a.md"))
	if err != nil || !strings.Contains(string(got), "- [`Trace`]: Easily add it.") || strings.Contains(string(got), "/gone") {
		t.Errorf("got %s, %v", got, err)
	}
}

// A link to another generator's anchor resolves to the heading with the same letters and digits, if there is only one
// such heading.
func TestSimilarAnchors(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"a.md": "# A\n\n[one](#linux-literal) [two](#b-c) [three](#gone)\n\n## `linux_literal`\n\n## B.c\n\n## B_c\n"})
	to := from + "-new"
	result, err := Import(t.Context(), Options{From: from, To: to})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(to, "content/a.md"))
	if err != nil || !strings.Contains(string(got), "[one](#linux_literal) [two](/a) [three](/a)") || len(result.Notes) != 2 {
		t.Errorf("got %s, %v, %v", got, err, result.Notes)
	}
}

// An import of documents in another format fails with an error that names the format, the number of documents, and a
// command that converts them.
func TestImportOfOtherFormats(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"docs/conf.py": "", "docs/a.rst": "A\n=", "docs/b.rst": "B\n="}, "2 documents are reStructuredText (.rst, .rest), which cannot be imported; convert a copy of the folder with: find . -name '*.rst' -exec sh -c 'pandoc -f rst"},
		{map[string]string{"antora.yml": "name: x", "modules/ROOT/pages/a.adoc": "= A", "modules/ROOT/pages/b.adoc": "= B", "old.rst": "C"}, "2 documents are AsciiDoc"},
		{map[string]string{"a.org": "* A"}, "1 document is Org (.org)"},
		{map[string]string{"README.md": "# R", "a.qmd": "", "b.qmd": "", "c.qmd": "", "d.qmd": "", "e.qmd": ""}, "5 documents are Quarto (.qmd)"},
	} {
		from := folderOfFiles(t, c.files)
		if _, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	few := folderOfFiles(t, map[string]string{"index.md": "# A", "a.md": "# A", "b.md": "# B", "old.rst": "", "test/a.org": "", "README.rst": ""})
	if _, err := Import(t.Context(), Options{From: few, To: few + "-new", NoCheck: true}); err != nil {
		t.Errorf("a few documents in another format fail the import: %v", err)
	}
}

// The import reads Astro's collections from the folders named in the content settings. A collection has
// the address of the page that shows it.
func TestCollectionsOfAstro(t *testing.T) {
	from := folderOfFiles(t, map[string]string{
		"astro.config.ts": "export default defineConfig({site: 'https://a.example'})", "src/config.yaml": "x: 1", "src/layouts/L.astro": "",
		"src/content.config.ts": "const FOLDER = \"src/data/notes\";\nconst post = defineCollection({ loader: glob({ pattern: '*.md', base: 'src/data/post' }) });\nconst note = defineCollection({ loader: glob({ base: `./${FOLDER}` }) });\nexport const collections = { post, notes: note };",
		"src/content/more/d.md": "# D",
		"src/data/post/a.md":    "# A", "src/data/notes/b.md": "# B",
		"src/pages/blog/[...p].astro": "getCollection('post')"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil || result.Kind != "astro" {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, name := range []string{"blog/a.md", "notes/b.md", "more/d.md"} {
		if _, err := os.Stat(filepath.Join(from+"-new", "content", name)); err != nil {
			t.Errorf("%v", err)
		}
	}
}

// If a sidebar contains an old address missing from the new site, the import adds a note instead of failing.
func TestSidebarWithMissingAddress(t *testing.T) {
	from := folderOfFiles(t, map[string]string{
		"mkdocs.yml": "site_url: https://a.example/\nnav:\n- Group:\n  - a.md\n  - Lost: https://a.example/lost\n  - Else: https://b.example/x\n- b.md\n", "docs/index.md": "# I", "docs/a.md": "# A", "docs/b.md": "# B"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(from+"-new", "content/_sidebar.yaml"))
	if err != nil || strings.Contains(string(text), "Lost") || !strings.Contains(string(text), "b.example") {
		t.Errorf("the sidebar is %s, %v", text, err)
	}
	if !slices.ContainsFunc(result.Notes, func(n convert.Note) bool { return n.What == "the sidebar entry Lost" }) {
		t.Errorf("no note in %+v", result.Notes)
	}
}

// The menu and the description are in the main language. Headings keep their explicit anchors, even if the settings
// change the attribute delimiters.
func TestSettingsOfLanguages(t *testing.T) {
	read := func(from, name string) string {
		t.Helper()
		if _, err := Import(t.Context(), Options{From: from, To: from + "-new"}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(from+"-new", "content", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	vitepress := folderOfFiles(t, map[string]string{
		".vitepress/config/index.ts": "import { en } from './en'\nimport { zh } from './zh'\nexport default defineConfig({ title: 'T', markdown: { attrs: { left: '%{', right: '}%' } }, locales: { root: { lang: 'en-US', ...en }, zh: { lang: 'zh-CN', ...zh } } })",
		".vitepress/config/en.ts":    "export const en = { themeConfig: { nav: [{ text: 'Guide', link: '/guide/a' }] } }",
		".vitepress/config/zh.ts":    "export const zh = { description: 'Z', themeConfig: { nav: [{ text: 'Zed', link: '/zh/guide/a' }] } }",
		"index.md":                   "# I", "guide/a.md": "# A\n\n## B %{#given}%\n\n[b](#given)", "zh/index.md": "# Z", "zh/guide/a.md": "# Z"})
	if page, settings := read(vitepress, "guide/a.md"), read(vitepress, "site.yaml"); strings.Contains(page, "%{") || !strings.Contains(page, `<a id="given">`) || strings.Contains(settings, "Zed") || !strings.Contains(settings, "Guide") {
		t.Errorf("got %s\nand %s", page, settings)
	}
	hugo := folderOfFiles(t, map[string]string{
		"hugo.toml": "title = 'T'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n", "content/a.md": "---\ntitle: A\nmenu: main\n---\nA", "content/a.de.md": "---\ntitle: Zed\nmenu: main\n---\nA", "content/_index.md": "# I"})
	if settings := read(hugo, "site.yaml"); strings.Contains(settings, "Zed") || !strings.Contains(settings, "label: A") {
		t.Errorf("the settings are %s", settings)
	}
}

// The import reads a Starlight sidebar from another file and adds a note about a computed sidebar.
func TestSidebarOfStarlight(t *testing.T) {
	files := map[string]string{"src/content/docs/index.md": "# I", "src/content/docs/a/b.md": "# B", "src/content/docs/a/c.md": "# C",
		"sidebar.ts": "export const sidebar = [{ label: 'First', items: ['a/c', 'a/b'] }, 'index']"}
	const settings = "import { sidebar } from './sidebar';\nexport default defineConfig({ integrations: [starlight({\n title: 'T',\n sidebar,\n})] })"
	for _, c := range []struct {
		settings string
		noted    bool
	}{{settings, false}, {strings.ReplaceAll(settings, " sidebar,", " sidebar: await makeSidebar(),"), true}} {
		files["astro.config.mjs"] = c.settings
		from := folderOfFiles(t, files)
		result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
		if err != nil {
			t.Fatal(err)
		}
		if noted := slices.ContainsFunc(result.Notes, func(n convert.Note) bool { return n.What == "the setting `sidebar` in astro.config.mjs" }); noted != c.noted {
			t.Errorf("%s: noted %v: %+v", c.settings, noted, result.Notes)
		}
	}
}
