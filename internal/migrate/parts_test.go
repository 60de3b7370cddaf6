package migrate

import (
	"strings"
	"testing"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/kinds"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// turned converts the text of a page from a site of the given kind.
func turned(k *oldsite.Kind, text string) string {
	im := &importer{Site: oldsite.New(&source.Folder{Sizes: map[string]int64{}})}
	im.Kind = k
	im.Data = map[string]any{"hugo": &kinds.HugoSite{Own: map[string]string{"say": "<b>{{ .Get 0 }}</b>{{ with .Get \"to\" }} to {{ . }}{{ end }}", "shown": "<div>{{ highlight (trim .Inner \"\\n\") (.Get \"lang\") }}</div>", "loop": "{{ range 1000000 }}x{{ end }}"}}, "jekyll": &kinds.JekyllSite{Values: map[string]any{"data": map[string]any{"list": []any{"a", "b"}}}},
		"mkdocs": &kinds.MkdocsSite{Extensions: map[string]bool{"keys": true, "mark": true}}}[k.Name]
	im.Config = &tree.Node{Kind: tree.Map}
	name := "a.md"
	if k.Mdx {
		name = "a.mdx"
	}
	p := &oldsite.Page{Document: convert.Document{Source: name, Text: text, Body: text, Front: &tree.Node{Kind: tree.Map}}}
	return convert.New(&im.Site.Site, im.syntaxOf(p), &p.Document).Convert(text)
}

// HTML becomes Markdown if there is equivalent Markdown. Otherwise, supported HTML is kept, and the tags of unknown
// elements become text.
func TestHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"emphasis", "a <b>b</b> <i> c </i><strong>d</strong>", "a **b**  *c* **d**\n"},
		{"kept", "<kbd>a</kbd> H<sub>2</sub>O <abbr title=\"x\">y</abbr> a<br/>b", "<kbd>a</kbd> H<sub>2</sub>O <abbr title=\"x\">y</abbr> a<br>b\n"},
		{"code", "<code>a &lt; b</code> <tt>c</tt>", "`a < b` `c`\n"},
		{"in code", "`<b>` and\n\n```html\n<div>{{ x }}</div>\n```", "`<b>` and\n\n```html\n<div>{{ x }}</div>\n```\n"},
		{"link", "<a href=\"/x y\" title=\"t\">a</a> <a name=\"n\"></a>", "[a](/x%20y \"t\") <a id=\"n\"></a>\n"},
		{"link of a template", "<a href={{x.y}} target=\"_blank\">a</a>", "[a](%7B%7Bx.y%7D%7D)\n"},
		{"image", "<img src=\"a.png\" alt=\"b\"> <img src=c.png width=10 height=\"20px\">", "![b](a.png) <img src=\"c.png\" alt=\"\" width=\"10\" height=\"20\">\n"},
		{"blocks", "<div class=\"x\">\n  <p>One *two*\n  </p>\n  <p>Three</p>\n</div>\nFour", "One \\*two\\*\n\nThree\n\nFour\n"},
		{"markdown in blocks", "<div>\n\nOne *two*\n\n</div>", "One *two*\n"},
		{"lists", "<ul><li>a<li>b\n<ol start=3><li>c</li></ol></li></ul>", "- a\n\n- b\n\n  3. c\n"},
		{"table", "<table><tr><th>a<th>b</tr><tr><td>c|d</td><td><ul><li>e</li></ul></td></tr></table>", "| a | b |\n| --- | --- |\n| c\\|d | • e |\n"},
		{"blocks in a row", "| a |\n|---|\n| <ul><li>x</li><li>y</li></ul> |", "| a |\n|---|\n| • x<br>• y |\n"},
		{"blocks next to text", "| a<p>b</p>c | d |\n|---|---|", "| a<br>b c | d |\n|---|---|\n"},
		{"details", "<details open>\n<summary>A <b>b</b></summary>\n\nText\n\n<details><summary>C</summary>d</details>\n</details>", "::::details[A **b**]\nText\n\n:::details[C]\nd\n:::\n::::\n"},
		{"in a list", "- a\n\n  <details>\n  <summary>B</summary>\n\n  c\n\n  </details>\n- d", "- a\n\n  :::details[B]\n  c\n  :::\n\n- d\n"},
		{"in a quote", "> <p align=\"center\">a</p>\n> b", "> a\n>\n> b\n"},
		{"figure", "<figure><img src=\"a.png\" alt=\"b\"><figcaption>c</figcaption></figure>", ":::figure[c]\n![b](a.png)\n:::\n"},
		{"films", "<iframe src=\"https://www.youtube.com/embed/abcdefghijk\" title=\"T\"></iframe>\n\n<video src=\"a.mp4\"></video>", "::youtube[T]{id=\"abcdefghijk\"}\n\n::video[a]{src=\"a.mp4\"}\n"},
		{"markdown in inline tags", "Use <span class=\"x\">[a](/b) *c*</span><span>[d](/e)</span> f", "Use [a](/b) *c*[d](/e) f\n"},
		{"comment", "a <!-- b\n\nc --> d", "a  d\n"},
		{"no element", "Vec<T> and <your-name> and 1 < 2 <https://a.b> <T>", "Vec\\<T> and `<your-name>` and 1 < 2 <https://a.b> \\<T>\n"},
		{"pre", "<pre><code class=\"language-go\">a &amp;&amp; b\n\n  c</code></pre>", "```go\na && b\n\n  c\n```\n"},
		{"badge", "a<span class=\"version-badge\">3.5</span> <div class=\"alert alert-danger\"><p>b</p></div>", "a :badge[3.5]\n\n:::caution\nb\n:::\n"},
		{"admonitions", "!!! note \"T\"\n    a\n\nb", ":::note[T]\na\n:::\n\nb\n"},
		{"gauges", "a <progress value=\"5\" max=\"34\"></progress>, <meter value=2>two</meter>", "a 5/34, two\n"},
		{"braces", "a {{ b }} `{{ c }}`", "a \\{{ b }} `{{ c }}`\n"},
		{"given anchors", "## A b {#x}\n\n## C {#c}", "## <a id=\"x\"></a>A b\n\n## C\n"},
		{"heading", "<h2 id=\"x\" class=y>A <em>b</em></h2>\nc", "## <a id=\"x\"></a>A *b*\n\nc\n"},
	} {
		if got := turned(kinds.MarkdownFolder(), c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Each generator's Markdown extensions become Vitrine components, or a comment if there is no match.
func TestMarkdownExtensions(t *testing.T) {
	for _, c := range []struct {
		kind     *oldsite.Kind
		in, want string
	}{
		{kinds.Hugo(), "{{< youtube abcdefghijk >}}\n\n{{< figure src=\"a.png\" caption=\"C\" alt=\"d\" >}}", "::youtube[Video on YouTube]{id=\"abcdefghijk\"}\n\n:::figure[C]\n![d](a.png)\n:::\n"},
		{kinds.Hugo(), "{{< highlight go \"linenos=table\" >}}\na < b\n{{< /highlight >}}", "```go\na < b\n```\n"},
		{kinds.Hugo(), "{{% notice warning \"Mind\" %}}\na **b**\n{{% /notice %}}", ":::warning[Mind]\na **b**\n:::\n"},
		{kinds.Hugo(), "{{< tabs >}}\n{{% tab \"A\" %}}\na\n{{% /tab %}}\n{{% tab \"B\" %}}\nb\n{{% /tab %}}\n{{< /tabs >}}", "::::tabs\n:::tab[A]\na\n:::\n\n:::tab[B]\nb\n:::\n::::\n"},
		{kinds.Hugo(), "```\n{{</* x */>}}\n```\n\n`{{%/* y */%}}`", "```\n{{< x >}}\n```\n\n`{{% y %}}`\n"},
		{kinds.Hugo(), "{{< say hello to=\"you\" >}}", "**hello** to you\n"},
		{kinds.Hugo(), "a {{< loop >}} b", "a <!-- Not carried over: {{< loop >}} --> b\n"},
		{kinds.Hugo(), "{{< shown lang=\"sh\" >}}\n# a <b> {{< none >}}\n{{< /shown >}}", "```sh\n# a <b> {{< none >}}\n```\n"},
		{kinds.Hugo(), "{{<loop>}} a `<b>`\n\n- {{<loop>}} *c*\n\n{{<loop>}} # d", "a `<b>` <!-- Not carried over: {{<loop>}} -->\n\n- *c* <!-- Not carried over: {{<loop>}} -->\n\n<!-- Not carried over: {{<loop>}} --> # d\n"},
		{kinds.Hugo(), "{{< mine x=\"1\" >}}", "<!-- Not carried over: the shortcode \"mine\"\n{{< mine x=\"1\" >}}\n-->\n"},
		{kinds.Hugo(), "{{< mine >}}\nkept\n{{< /mine >}}", "kept\n"},
		{kinds.Jekyll(), "{% highlight ruby linenos %}\na <b>\n{% endhighlight %}", "```ruby\na <b>\n```\n"},
		{kinds.Jekyll(), "{% for x in site.data.list %}{{ x | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}", "A, B\n"},
		{kinds.Jekyll(), "{% if site.data.none %}a{% elsif 1 < 2 and true %}b{% else %}c{% endif %}{% comment %}d{% endcomment %}", "b\n"},
		{kinds.Jekyll(), "{% raw %}{{ x }}{% endraw %} `{% raw %}{{ y }}{% endraw %}`", "\\{{ x }} `{{ y }}`\n"},
		{kinds.Jekyll(), "{% plugin a %}", "<!-- Not carried over: the shortcode \"liquid plugin\"\n{% plugin a %}\n-->\n"},
		{kinds.Jekyll(), "[a](/x{{ site.github.b }}/c) 1\n\n1. TOC\n{:toc}", "[a](/x%7B%7B%20site.github.b%20%7D%7D/c) 1\n"},
		{kinds.Jekyll(), "a\n{: .note}\n\n# B\n{: #x}", "a\n\n# <a id=\"x\"></a>B\n"},
		{kinds.Jekyll(), "{{ 'éTÉ' | capitalize }} {{ 'a,b,a' | split: ',' | uniq | join: '+' }} {{ 'one two three' | truncatewords: 2 }} {{ 'abcdef' | truncate: 5 }} {{ '2024-01-02' | date: '%Y%% %-d %-H:%M' }}", "Été a+b one two... ab... 2024% 2 0:00\n"},
		{kinds.Jekyll(), "{{ 7 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }} {{ 8 | divided_by: 2.0 }} {{ 5.5 | modulo: 2 }} {{ 5 | minus: 6 | modulo: 3 }} {{ 1 | divided_by: 0 }}", "3 3.5 4.0 1.5 2 `{{ 1 | divided_by: 0 }}`\n"},
		{kinds.Zola(), "{{ youtube(id=\"abcdefghijk\") }}\n\n{% note(title=\"T\") %}\na\n{% end %}", "::youtube[Video on YouTube]{id=\"abcdefghijk\"}\n\n:::note[T]\na\n:::\n"},
		{kinds.Docusaurus(), "import Tabs from '@theme/Tabs';\n\n<Tabs>\n  <TabItem value=\"a\" label=\"A\">\n\n  ```js\n  x\n  ```\n\n  </TabItem>\n  <TabItem value=\"b\">b</TabItem>\n</Tabs>", "::::tabs\n:::tab[A]\n```js\nx\n```\n:::\n\n:::tab[b]\nb\n:::\n::::\n"},
		{kinds.Docusaurus(), ":::danger Mind\n\na\n\n:::\n\n::::note\n:::tip[B]\nb\n:::\n::::", ":::caution[Mind]\na\n:::\n\n::::note\n:::tip[B]\nb\n:::\n::::\n"},
		{kinds.Docusaurus(), "1. a\n\n   :::note\n   b\n\n2. c\n\n- d\n  :::tip\n- e\n  :::\n", "1. a\n\n   :::note\n   b\n   :::\n\n2. c\n\n- d\n  :::tip\n  - e\n  :::\n"},
		{kinds.Docusaurus(), "export const x = 'y';\n\na {x} {/* c */}{' '}{1+1}", "a y  `{1+1}`\n"},
		{kinds.Docusaurus(), "import A from './a.png';\nimport {B} from 'b';\n\nText that can\nimport the contents of\nexport default things.\n\nimport of goods", "Text that can\nimport the contents of\nexport default things.\n\nimport of goods\n"},
		{kinds.Docusaurus(), "## A {#b}\n\n<Card title=\"T\" href=\"/x\">c</Card>", "## <a id=\"b\"></a>A\n\n:::card[T]{link=\"/x\"}\nc\n:::\n"},
		{kinds.Starlight(), "a <Fragment set:html={\"<b>x</b> y\"} /> z\n\n<Fragment set:html={'<pre>b &lt; {c}</pre>'} />\n\n<pre set:text={`a <b>`} />\n\n<div set:html={page.text} />", "a **x** y z\n\n```\nb < {c}\n```\n\n```\na <b>\n```\n\n<!-- Not carried over: the content of <div>\n<div set:html={page.text} />\n-->\n"},
		{kinds.Docusaurus(), "<p dangerouslySetInnerHTML={{ __html: '<em>a</em>' }} />", "*a*\n"},
		{kinds.Vitepress(), "<p v-html=\"'<em>a</em>'\"></p>", "*a*\n"},
		{kinds.Starlight(), "<CommandTabs\n  npm=\"npm i a\"\n  cargo=\"cargo add a\"\n/>", "::::tabs\n:::tab[npm]\n```sh\nnpm i a\n```\n:::\n:::tab[cargo]\n```sh\ncargo add a\n```\n:::\n::::\n"},
		{kinds.Starlight(), "<Tabs>\n  <Commands npm=\"npm i a\" yarn=\"yarn add a\" />\n</Tabs>\n\n<Tabs>\nNone\n</Tabs>", "::::tabs\n:::tab[npm]\n```sh\nnpm i a\n```\n:::\n:::tab[yarn]\n```sh\nyarn add a\n```\n:::\n::::\n\nNone\n"},
		{kinds.Starlight(), "<UITabs>\n  <Fragment slot=\"vue\">\n  a\n  </Fragment>\n</UITabs>", "::::tabs\n:::tab[vue]\na\n:::\n::::\n"},
		{kinds.Starlight(), "1. a\n\n    ```js filename=\"b.js\"\n    c\n\t\t```\n\nd", "1. a\n\n    ```js title=\"b.js\"\n    c\n    ```\n\nd\n"},
		{kinds.Nextra(), "<FileTree>\n  <FileTree.Folder name=\"a\">\n    <FileTree.File name=\"b.js\" />\n    <FileTree.File name=\"c.js\" />\n  </FileTree.Folder>\n</FileTree>", ":::filetree\n- a/\n    - b.js\n    - c.js\n:::\n"},
		{kinds.Starlight(), ":::note[T]{icon=\"heart\"}\na\n:::\n\n<Steps>\n\n1. a\n\n</Steps>\n\n<Badge text=\"New\" variant=\"tip\" />", ":::note[T]\na\n:::\n\n:::steps\n1. a\n:::\n\n:badge[New]\n"},
		{kinds.Jekyll(), "{% assign n = site.time | modulo: 2 %}[{{ n }}{{ 7 | modulo: 4 | plus: 1 }}]", "[4] <!-- Not carried over: {% assign n = site.time ¦ modulo: 2 %} -->\n"},
		{kinds.Vitepress(), "::: details\n- b\n:::\n\n::: mine T\nc\n:::", ":::details[Details]\n- b\n:::\n\n<!-- Not carried over: the container mine\n::: mine T\n-->\n\nc\n"},
		{kinds.Vitepress(), "::: code-group\nfirst\n\n```sh [npm]\nx\n```\n\nthen\n\n```sh [yarn]\ny\n```\n\n::: info\nlast\n\n```sh\nz\n```\n:::\n\nend", "first\n\n::::tabs\n:::tab[npm]\n```sh\nx\n```\n:::\n\n:::tab[yarn]\n```sh\ny\n```\n:::\n::::\n\nthen\n\n:::note\nlast\n\n```sh\nz\n```\n:::\n\nend\n"},
		{kinds.Vitepress(), "## Scope `x` <Badge text=\"new\" /> <Mine a=\"1\" />", "## <a id=\"scope-x\"></a>Scope `x`  :badge[new] <!-- Not carried over: <Mine a=\"1\" /> -->\n"},
		{kinds.Vitepress(), "<Tab\n\tid=\"q\"\n\t:names=\"['Zod', 'Other']\"\n>\n\n<template v-slot:zod>\n\nz\n\n</template>\n<template #other>\n\no\n\n</template>\n\n</Tab>", "::::tabs\n:::tab[Zod]\nz\n:::\n:::tab[Other]\no\n:::\n::::\n"},
		{kinds.Vitepress(), "::: info T\na\n:::\n\n::: details\nb\n:::\n\n::: code-group\n\n```sh [npm]\nx\n```\n\n:::", ":::note[T]\na\n:::\n\n:::details[Details]\nb\n:::\n\n::::tabs\n:::tab[npm]\n```sh\nx\n```\n:::\n::::\n"},
		{kinds.Vitepress(), "a <Badge type=\"tip\" text=\"1.0\" />\n\n[[toc]]\n\n<script setup>\nx\n</script>\n\n<Mine />", "a  :badge[1.0]\n\n<!-- Not carried over: <script>\n<script setup>\nx\n</script>\n-->\n\n<!-- Not carried over: the component <Mine>\n<Mine />\n-->\n"},
		{kinds.Mkdocs(), "!!! note \"T\"\n    a\n\n        code\n\n??? bug\n    b\n\n!!! danger \"\"\n    c", ":::note[T]\na\n\n    code\n:::\n\n:::details[Bug]\nb\n:::\n\n:::caution\nc\n:::\n"},
		{kinds.Mkdocs(), "=== \"A\"\n\n    a\n\n=== \"B\"\n\n    ```py\n    b\n    ```\n\nc", "::::tabs\n:::tab[A]\na\n:::\n:::tab[B]\n```py\nb\n```\n:::\n::::\n\nc\n"},
		{kinds.Mkdocs(), "/// warning | T\na\n///\n\n++ctrl+c++ ==m== [a](b){ .c } ![x](y){ width=\"3\" }", ":::warning[T]\na\n:::\n\n<kbd>Ctrl</kbd>+<kbd>C</kbd> <mark>m</mark> [a](b) ![x](y)\n"},
		{kinds.Vuepress(), "::: file-tree A tree\n- a\n  - b.md\n:::", "A tree\n\n:::filetree\n- a\n  - b.md\n:::\n"},
		{kinds.Vuepress(), "<Talk>\n\t<Line by=\"a\">\n\t\t<template #x>\n\t\t\t<Who>Ann</Who>\n\t\t</template>\n\t\tHello\n\t</Line>\n</Talk>", "<!-- Not carried over: the component <Line>\n<Line by=\"a\">\n-->\n\nAnn\n\nHello\n"},
		{kinds.Mdbook(), "```rust,ignore\n# fn main() {\na();\n# }\n```\n\n\\{{#include x}}", "```rust\na();\n```\n\n\\{{#include x}}\n"},
		{kinds.Mkdocs(), "::: a.b.C\n    options:\n      x: y\n\nd", "<!-- Not carried over: the reference of a.b.C\n::: a.b.C\n   options:\n     x: y\n-->\n\nd\n"},
		{kinds.Mkdocs(), "The HTML of W3C, and HTML.\n\n```\n*[XML]: a\n```\n\n*[HTML]: b\n*[W3C]: c", "The <abbr title=\"b\">HTML</abbr> of <abbr title=\"c\">W3C</abbr>, and HTML.\n\n```\n*[XML]: a\n```\n"},
		{kinds.Mkdocs(), "{% raw %} \\{% b %} {{ c }} `{% d %}`", "\\{% raw %} \\{% b %} \\{{ c }} `{% d %}`\n"},
		{kinds.Hugo(), "::: none\n\na :b[c] d:e[f] ::g[h]", "\\::: none\n\na \\:b[c] d:e[f] ::g[h]\n"},
		{kinds.Hugo(), "Term\n: a [b](c) `<meta>`", "<dl>\n<dt>Term</dt>\n<dd>\n\na [b](c) `<meta>`\n\n</dd>\n</dl>\n"},
		{kinds.Mdbook(), "<Listing number=\"1-1\" caption=\"A `b`\">\n\n```rust\nx\n```\n\n</Listing>", ":::figure[Listing 1-1: A `b`]\n```rust\nx\n```\n:::\n"},
	} {
		if got := turned(c.kind, c.in); got != c.want {
			t.Errorf("%s: %q\ngot  %q\nwant %q", c.kind.Name, c.in, got, c.want)
		}
	}
}

// Each kind derives the same heading anchors as its generator, so that the import can fix links to them.
func TestAnchors(t *testing.T) {
	for _, c := range []struct {
		kind     *oldsite.Kind
		in, want string
	}{
		{kinds.Hugo(), "A b_c (d)", "a-b_c-d"}, {kinds.Jekyll(), "1. A & b", "a--b"}, {kinds.Vitepress(), "1. A & b", "_1-a-b"}, {kinds.Mkdocs(), "A & b -- c", "a-b-c"}, {kinds.Mdbook(), "A & b", "a--b"},
	} {
		if got := c.kind.Syntax.Anchor(c.in); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.kind.Name, c.in, got, c.want)
		}
	}
}

// The import reads the literals in a JavaScript configuration, and ignores other expressions.
func TestJavaScript(t *testing.T) {
	n := convert.JsObject(`
// title: 'no'
import x from 'y';
const config: Config = defineConfig({
  title: 'It\'s', // a comment
  url: "https://a.b", tagline: `+"`c`"+`,
  list: [1, 'two', ...more, {three: f(4)}],
  fn() { return {title: 'no'} },
  sum: 'a' + b,
  nested: nav(),
  last: true,
});
export default config;`, "title")
	if got, want := source.TextAt(n, "title")+"|"+source.TextAt(n, "url")+"|"+source.TextAt(n, "tagline")+"|"+source.Text(source.Get(n, "list").Items[1])+"|"+source.TextAt(n, "last"), "It's|https://a.b|c|two|true"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A sidebar may be the return value of a function.
func TestJavaScriptFunctions(t *testing.T) {
	n := convert.JsObject(`
const one = (): Theme.SidebarItem[] => [{text: "A"}]
const two = async (lang: string) => { return [{text: "B"}] }
function three(): Theme.SidebarItem[] { return [{text: "C"}] }
export default {sidebar: {"/": one(), "/b/": two("en"), "/c/": three()}}`, "sidebar")
	got := ""
	for _, m := range source.Members(source.Get(n, "sidebar")) {
		got += m.Key
		for _, item := range m.Value.Items {
			got += source.TextAt(item, "text")
		}
	}
	if want := "/A/b/B/c/C"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The import reads strings, lists, numbers, and booleans from front matter written as a program. Regression test: a
// draft of an Eleventy site was published.
func TestProgramFront(t *testing.T) {
	front, body, err := source.SplitFront("---js\nconst title = \"A\";\nconst draft = true;\nconst tags = ['b', \"c\"];\nconst n = f(1);\n---\nText\n")
	if got, want := source.TextAt(front, "title")+source.TextAt(front, "n")+body, "AText\n"; err != nil || got != want || !source.TruthAt(front, "draft") {
		t.Errorf("got %q and draft %v, %v", got, source.TruthAt(front, "draft"), err)
	}
	if tags := source.Get(front, "tags"); tags == nil || len(tags.Items) != 2 || source.Text(tags.Items[1]) != "c" {
		t.Errorf("the tags are %v", tags)
	}
}

// Comments that mark lines of code become options of the code block, and lines hidden by Twoslash are removed.
func TestCodeMarks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"inserted and removed", "```js\na // [!code --]\nb // [!code ++]\nc\n```", "```js ins={2} del={1}\na\nb\nc\n```\n"},
		{"with a count, among options", "```js {1} title=\"x.js\"\na\nb // [!code hl:2]\nc\n```", "```js {1,2-3} title=\"x.js\"\na\nb\nc\n```\n"},
		{"on their own line", "- x\n\n  ```py\n  # [!code focus]\n  a\n  # highlight-start\n  b\n  c\n  # highlight-end\n  d\n  ```", "- x\n\n  ```py {1,2,3}\n  a\n  b\n  c\n  d\n  ```\n"},
		{"next line", "```html\n<!-- highlight-next-line -->\n<p>\n<b>\n```", "```html {1}\n<p>\n<b>\n```\n"},
		{"a title", "```ts [main.ts]\na\n```", "```ts title=\"main.ts\"\na\n```\n"},
		{"a difference", "- x\n\n  ```diff lang=\"js\"\n   a\n  +b\n  -c\n  ```", "- x\n\n  ```js ins={2} del={3}\n   a\n  b\n  c\n  ```\n"},
		{"escaped", "```js\na // [!!code ++]\n```", "```js\na // [!code ++]\n```\n"},
		{"twoslash", "```ts twoslash\nimport x from 'x'\n// ---cut---\n// @noErrors\na\n// ^?\n// ---cut-start---\nb\n// ---cut-end---\nc\n// ---cut-after---\nd\n```", "```ts\na\nc\n```\n"},
		{"code without twoslash", "```ts\na\n// ---cut---\nb\n```", "```ts\na\n// ---cut---\nb\n```\n"},
	} {
		if got := turned(kinds.Vitepress(), c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// MDX allows any indentation in a list item. Regression test: the component was parsed as an indented code block.
func TestDeepComponent(t *testing.T) {
	in := "1.  a\n\n         <Tabs>\n\n    <TabItem label=\"b\">\n\n    c\n\n           </TabItem>\n\n      </Tabs>\n\n2.  d"
	want := "1.  a\n\n    ::::tabs\n    :::tab[b]\n    c\n    :::\n    ::::\n\n2.  d\n"
	if got := turned(kinds.Starlight(), in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An unclosed group of code blocks ends at the next container, as in VitePress.
func TestCodeGroupWithoutEnd(t *testing.T) {
	in := "::: code-group\n```sh [a]\nb\n```\n\n::: info\nc\n:::\n\nd"
	want := "::::tabs\n:::tab[a]\n```sh\nb\n```\n:::\n::::\n\n:::note\nc\n:::\n\nd\n"
	if got := turned(kinds.Vitepress(), in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Regression test: the object of a remark plugin, which has a title too, was read as the settings.
func TestJavaScriptMostKeys(t *testing.T) {
	n := convert.JsObject(`
const first = [{title: "A plugin"}];
export default {title: "Acorn", presets: [["classic", {docs: {path: "../docs", title: "x", baseUrl: "y", presets: []}}]]};`, "title", "baseUrl", "presets")
	if got := source.TextAt(n, "title"); got != "Acorn" {
		t.Errorf("the settings are those of %q", got)
	}
}

// A double brace in front matter is escaped, because it would start a fact expression. A string that looks like another
// type is quoted.
func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"plain text": "plain text", "yes": `"yes"`, "2019": `"2019"`, "a: b": `"a: b"`, "- a": `"- a"`, "a\nb": `"a\nb"`, "": `""`} {
		if got := source.Quoted(in); got != want {
			t.Errorf("%q gives %s, want %s", in, got, want)
		}
	}
	if got := source.EscapeBraces("a {{ b"); !strings.Contains(got, `\{{`) {
		t.Errorf("got %q", got)
	}
}

// In text without spaces between words, a link within a sentence doesn't cause lost words, but a missing character
// does.
func TestWordsWithoutSpaces(t *testing.T) {
	words := map[string]int{}
	wordsOf(visible(&kinds.Hugo().Syntax, "計装した[サービス](/x)に、センサー[a](/b)と v2 器"), words, 1)
	wordsOf("計装したサービス (`/x`)に、センサーa (`/b`)と v2", words, -1)
	for word, n := range words {
		if n > 0 != (word == "器") {
			t.Errorf("%q is missed %d times", word, n)
		}
	}
}
