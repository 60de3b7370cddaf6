package build_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
	"vitrine/templates"
)

// marked returns a word list in which ⟦ and ⟧ enclose all text except placeholders.
func marked(t *testing.T) string {
	t.Helper()
	english, err := fs.ReadFile(templates.FS, "words/en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`\{[a-z]+\}`)
	var out strings.Builder
	key := regexp.MustCompile(`(?m)^([a-zA-Z][\w-]*):(.*(?:\n  .*)*)`)
	for _, m := range key.FindAllStringSubmatch(string(english), -1) {
		text, places := m[1], place.FindAllString(m[2], -1)
		seen := make(map[string]bool)
		out.WriteString(m[1] + `: "⟦` + text + `⟧`)
		for _, p := range places {
			if !seen[p] {
				seen[p] = true
				out.WriteString(" " + p)
			}
		}
		out.WriteString("\"\n")
	}
	return out.String()
}

// foreignSite returns the files of a site in Klingon. The theme has no words in this language, so the site defines
// them. The text of the site is in Cyrillic, so every Latin letter outside the marks is from the theme.
func foreignSite(t *testing.T) map[string]string {
	files := map[string]string{
		"content/site.yaml": `baseURL: https://site.example
title: Сайт
description: Описание
language: tlh
repository: {url: "https://code.example/a", branch: main}
notice: {text: Новость, path: /страница}
footer: [{label: Выходные, path: /страница}]
navigation: [{label: Цены, path: /pricing}, {label: Справка, path: /docs}, {label: Другое, path: /папка}]
security: {contact: "mailto:a@b.example"}
`,
		"content/product.yaml": `name: Товар
url: https://site.example
description: Описание товара
audience: [Люди]
capabilities: [Работа]
pricing:
  currency: EUR
  billingPeriod: месяц
  creditDefinition: Единица
  unlimitedReps: true
  unlimitedTeams: true
  url: https://site.example/pricing
  plans:
    - {name: Один, monthlyPrice: 49, yearlyPrice: 490, includedCredits: 1, highlight: true, features: [Чай], note: Пометка, link: "https://b.example/"}
    - {name: Много, monthlyPrice: 99, includedCredits: 1200}
  onRequest: [{name: Больше, link: "mailto:a@b.example"}]
gettingStarted: {offer: Первый даром, steps: [Начать], demo: "https://b.example/"}
contact: a@b.example
links: {регистрация: "https://b.example/", signup: "https://b.example/"}
`,
		"content/index.md":   "---\ntitle: Дом\n---\n\nТекст. [Справка](/docs).\n",
		"content/pricing.md": "---\ntitle: Цены\ndescription: Все цены\nlayout: pricing\n---\n\n{{ plans }}\n",
		"content/страница.md": `---
title: Страница
description: О ней
updated: 2025-03-02
---

## Первая

> [!NOTE]
> А

> [!TIP]
> Б

> [!IMPORTANT]
> В

> [!WARNING]
> Г

:::caution
Д
:::

- [x] Да
- [ ] Нет

| А | Б |
|---|---|
| 1 | 2 |

Нога[^1] и ещё[^1].

[^1]: Сноска.

## Вторая

:::details
Скрыто
:::

::video{src="https://b.example/a.mp4"}

::youtube[Кино]{id=abcdefghijk}
`,
		"content/папка/а.md":       "---\ntitle: А\ndescription: А\n---\n\nТекст.\n",
		"content/docs/index.md":    "---\ntitle: Справка\ndescription: О ней\nlayout: docs\n---\n\nТекст.\n",
		"content/docs/b/x.md":      "---\ntitle: Икс\ndescription: О ней\n---\n\n## Раз\n\n## Два\n",
		"templates/words/tlh.yaml": marked(t),
	}
	for i := range 21 {
		files[fmt.Sprintf("content/blog/%d.md", i)] = fmt.Sprintf("---\ntitle: Запись %d\ndescription: О ней\ndate: 2025-01-%02d\nauthor: Автор\ntags: [метка%s]\n---\n\nТекст.\n", i, i+1, strings.Repeat("а", i/20))
	}
	for i := range 420 {
		files[fmt.Sprintf("content/docs/b/%d.md", i)] = fmt.Sprintf("---\ntitle: Глава %d\ndescription: %s\n---\n\nТекст.\n", i, strings.Repeat("Длинное описание. ", 8))
	}
	return files
}

// On a site in another language, the theme uses no English words. All strings in all templates and in all output that
// people or machines read as text are from the site's words.
func TestNoWordOfTheThemeIsEnglish(t *testing.T) {
	root, out := rig.Site(t, foreignSite(t)), t.TempDir()
	_, problems, err := build.Build(context.Background(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	public := filepath.Join(out, "public")
	looked := 0
	err = filepath.WalkDir(public, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path, _ := filepath.Rel(public, name)
		path = filepath.ToSlash(path)
		body, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var texts []string
		switch {
		case strings.HasPrefix(path, "assets/"), strings.HasPrefix(path, "cli/"), strings.HasPrefix(path, "api"), strings.HasSuffix(path, "/SKILL.md"):
			return nil // data for programs, including the skill for agents, is in English
		case strings.HasSuffix(path, ".html"):
			texts = textsOfHTML(t, body)
		case strings.HasSuffix(path, ".md"), strings.HasPrefix(path, "llms"):
			texts = textsOfMarkdown(string(body))
		case path == "feed.xml":
			texts = regexp.MustCompile(`<(?:title|subtitle|name)>[^<]*`).FindAllString(string(body), -1)
			for i := range texts {
				_, texts[i], _ = strings.Cut(texts[i], ">")
			}
		case path == "feed.json":
			var feed struct{ Title, Description string }
			if err := json.Unmarshal(body, &feed); err != nil {
				return err
			}
			texts = []string{feed.Title, feed.Description}
		default:
			return nil
		}
		looked++
		for _, text := range texts {
			if left := english(text); left != "" {
				t.Errorf("%s: %q in %q", path, left, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 500 {
		t.Errorf("only %d files were looked at", looked)
	}
}

// said matches strings that may appear in any language: marked strings, code, addresses, and names, such as keys.
var said = regexp.MustCompile("⟦[^⟧]*⟧|`[^`]*`|https?://[^\\s<>()\"]*|/\\S+\\.md|[\\w.]+@[\\w.]+|" +
	`\b(?:llms(?:-full)?\.txt|EUR|Atom|JSON Feed|YouTube|RFC 9457|Node\.js|Ctrl K|Bash|JSON)\b`)

var latinWord = regexp.MustCompile(`\p{Latin}{2,}`)

// english returns the first word in Latin letters that said doesn't match, or "" if there is none.
func english(text string) string {
	return latinWord.FindString(said.ReplaceAllString(text, " "))
}

// textsOfHTML returns the strings that a page shows or that a screen reader announces.
func textsOfHTML(t *testing.T, body []byte) (texts []string) {
	root, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	attributes := map[string]bool{
		"title": true, "alt": true, "aria-label": true, "placeholder": true, "data-none": true, "data-found": true, "data-more": true, "data-failed": true,
		"data-copy": true, "data-copied": true, "data-label": true, "data-auto": true, "data-light": true, "data-dark": true,
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			texts = append(texts, n.Data)
		}
		kind, content := "", ""
		for _, a := range n.Attr {
			switch {
			case a.Key == "lang" && a.Val == "en":
				return
			case a.Key == "type" && a.Val == "application/ld+json":
				for _, m := range regexp.MustCompile(`"(?:name|headline|description)":"([^"]*)"`).FindAllStringSubmatch(n.FirstChild.Data, -1) {
					texts = append(texts, m[1])
				}
			case a.Key == "data-found":
				texts = append(texts, strings.NewReplacer(`"other"`, "", "{count}", "").Replace(a.Val))
			case attributes[a.Key]:
				texts = append(texts, a.Val)
			case a.Key == "name", a.Key == "property":
				kind = a.Val
			case a.Key == "content":
				content = a.Val
			}
		}
		if n.Data == "meta" && regexp.MustCompile(`description|title|site_name|alt`).MatchString(kind) {
			texts = append(texts, content)
		}
		switch n.Data {
		case "script", "style", "code", "pre", "svg":
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(root)
	return texts
}

// textsOfMarkdown returns the lines of a page's twin, or of a file for language models, without code and Markdown
// syntax.
func textsOfMarkdown(body string) (texts []string) {
	code, reference := false, false
	mark := regexp.MustCompile(`\]\([^)]*\)|<[^>]*>|\[!\w+\]|^ *:{2,}\w*(?:\{.*\})?|\{[^}]*\}`)
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if line == "## Optional" {
			continue // the format of llms.txt sets this heading
		}
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		// The API reference repeats the English descriptions of the JSON API, which aren't translated.
		if strings.HasPrefix(line, "## ") {
			reference = strings.Contains(line, "⟦api") && !strings.Contains(line, "⟦apiUse")
		}
		if code || reference && (strings.HasPrefix(line, "|") && strings.Contains(line, "`") || !strings.Contains(line, "⟦")) {
			continue
		}
		texts = append(texts, mark.ReplaceAllString(line, " "))
	}
	return texts
}

// Missing words are reported once for each language, at the setting of the language. If the theme has words in a
// language, the site needs no words in that language or its regional variants.
func TestMissingWords(t *testing.T) {
	check := func(tag string, files map[string]string) string {
		t.Helper()
		all := rig.TinySite("Acorn", "language: "+tag+"\n")
		for name, text := range files {
			all[name] = text
		}
		_, problems, err := build.Check(context.Background(), build.Source{Root: rig.Site(t, all), NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, p := range problems {
			if p.Code == rule.MissingWords || strings.HasPrefix(p.Path, "templates/") {
				said = append(said, p.String())
			}
		}
		return strings.Join(said, "\n")
	}
	for _, tag := range []string{"en", "en-GB", "de", "de-AT", "fr", "es-MX", "it", "pt-BR", "nl", "pl", "ja", "zh-Hans", "ko", "ar-EG", "he"} {
		if said := check(tag, nil); said != "" {
			t.Errorf("%s: %s", tag, said)
		}
	}
	if said := check("sv", nil); !strings.Contains(said, "theme words are missing in Swedish and stay in English (all of them); add missing words to templates/words/sv.yaml") || strings.Count(said, "\n") > 0 {
		t.Errorf("sv: %s", said)
	}
	if said := check("sv", map[string]string{"templates/words/sv.yaml": "contents: Här\nminutes: {one: 1 minut}\n"}); !strings.Contains(said, "templates/words/sv.yaml:2:10: error: words.minutes: Swedish has the plural forms one, other; write other too") {
		t.Errorf("sv: %s", said)
	}
	if said := check("sv\ndiagnostics: {V065: off}", nil); said != "" {
		t.Errorf("switched off: %s", said)
	}
	if said := check("pl\nwords: {minutes: {one: minuta, few: '{count} minuty', many: '{count} minut'}}", nil); said != "" {
		t.Errorf("forms in site.yaml: %s", said)
	}
	own := map[string]string{"templates/words/en.yaml": "ours: Ours\n", "templates/partials/extra.html": `{{define "extra"}}{{word "ours"}}{{end}}`}
	if said := check("de", own); !strings.Contains(said, "1 theme word is missing in German and stays in English (ours); add missing words to templates/words/de.yaml") {
		t.Errorf("a word of the site's own: %s", said)
	}
	own["templates/words/de.yaml"] = "ours: Unser\n"
	if said := check("de", own); said != "" {
		t.Errorf("a word of the site's own: %s", said)
	}
}

// The pages of two languages may have the same text, for example before they are translated. Each language has its own
// files of the search index, even if some of them have equal contents.
func TestLanguagesWithEqualText(t *testing.T) {
	files := rig.TinySite("One", "languages:\n  de: {}\n  fr: {}\n")
	for i := range 60 {
		var words strings.Builder
		for j := range 200 {
			fmt.Fprintf(&words, "%sword%s ", letters(i), letters(j))
		}
		for _, language := range []string{"", "de/", "fr/"} {
			files[fmt.Sprintf("content/%sa/%d.md", language, i)] = fmt.Sprintf("---\ntitle: Page %d\ndescription: A page.\n---\n\n%s\n", i, words.String())
		}
	}
	out := rig.Build(t, rig.Site(t, files), rig.Options{})
	for _, language := range []string{"", "de", "fr"} {
		var start struct{ Root, Files string }
		text, err := os.ReadFile(filepath.Join(out, "public", language, "search.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &start); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(out, "public", filepath.FromSlash(start.Files)))
		if err != nil || len(found) < 62 {
			t.Errorf("%q has %d files, want the texts of 60 pages and a divided index: %v", language, len(found), err)
		}
		if _, err := os.Stat(filepath.Join(out, "public", filepath.FromSlash(start.Root))); err != nil {
			t.Error(err)
		}
	}
}

// letters returns n as a word of letters, because the search index contains only words.
func letters(n int) string {
	return string([]byte{'a' + byte(n/26), 'a' + byte(n%26)})
}
