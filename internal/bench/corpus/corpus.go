// Package corpus makes sites of any size from a seed, for benchmarks. The same
// seed and size give the same bytes, in the form that Vitrine reads and in
// those of its peers.
package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Post is one article of a corpus.
type Post struct {
	// Name is the file's name without its extension.
	Name        string
	Title       string
	Description string
	Date        time.Time
	Tags        []string
	// Body is Markdown of 600 to 1,200 words, with headings, lists, links,
	// code and a table.
	Body string
}

// Posts makes n posts.
func Posts(n int, seed uint64) []Post {
	posts := make([]Post, n)
	for i := range posts {
		// Each post has a source of its own, so that the first posts of a
		// larger corpus are those of a smaller one.
		posts[i] = newPost(i, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	return posts
}

func newPost(i int, random *rand.Rand) Post {
	w := writer{random: random}
	p := Post{
		Name:        fmt.Sprintf("post-%05d", i),
		Title:       fmt.Sprintf("%s %d", capital(w.words(4, 7)), i),
		Description: capital(w.words(10, 16)) + ".",
		Date:        time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%2000),
		Tags:        []string{w.word(), w.word()},
	}
	for w.count < 600+random.IntN(500) {
		w.section()
	}
	p.Body = w.out.String()
	return p
}

// writer writes the body of a post.
type writer struct {
	random *rand.Rand
	out    strings.Builder
	count  int
}

func (w *writer) section() {
	fmt.Fprintf(&w.out, "## %s\n\n", capital(w.words(3, 6)))
	for range 2 + w.random.IntN(3) {
		w.paragraph()
	}
	switch w.random.IntN(4) {
	case 0:
		for range 3 + w.random.IntN(4) {
			fmt.Fprintf(&w.out, "- %s\n", w.words(5, 12))
		}
		w.out.WriteByte('\n')
	case 1:
		fmt.Fprintf(&w.out, "```go\nfunc %s(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn %s(n-1) + n\n}\n```\n\n", w.word(), w.word())
	case 2:
		w.out.WriteString("| Name | Count |\n| --- | ---: |\n")
		for range 4 {
			fmt.Fprintf(&w.out, "| %s | %d |\n", w.words(1, 3), w.random.IntN(1000))
		}
		w.out.WriteByte('\n')
	}
}

func (w *writer) paragraph() {
	for range 3 + w.random.IntN(3) {
		sentence := capital(w.words(8, 18))
		switch w.random.IntN(6) {
		case 0:
			fmt.Fprintf(&w.out, "%s, see [%s](https://example.com/%s). ", sentence, w.words(1, 3), w.word())
		case 1:
			fmt.Fprintf(&w.out, "%s with **%s** and `%s`. ", sentence, w.words(1, 2), w.word())
		case 2:
			fmt.Fprintf(&w.out, "%s, *%s*. ", sentence, w.words(1, 4))
		default:
			w.out.WriteString(sentence + ". ")
		}
	}
	w.out.WriteString("\n\n")
}

func (w *writer) words(least, most int) string {
	words := make([]string, least+w.random.IntN(most-least+1))
	for i := range words {
		words[i] = w.word()
	}
	return strings.Join(words, " ")
}

func (w *writer) word() string {
	w.count++
	all := vocabulary()
	return all[w.random.IntN(len(all))]
}

func vocabulary() []string {
	return strings.Fields(`about across again aim answer argue ask basis begin build buyer call careful caseload
		change clear coach compare cost count credit daily decide deliver detail draft early effort end
		example expect fact feedback figure finish form given goal habit hear help hold idea instance keep
		kind later lead learn leave letter level line listen long look manager matter measure meet moment
		month move need note number objection offer open order outcome pace page part people plan practice
		price problem proof question quiet quote reach read reason record repeat reply report rest review
		right rule sale sample scene second sense share short simple skill small speak stage start step
		story sure talk team tell term thing time topic trust turn understand useful value view voice wait
		watch week whole word work write year`)
}

func capital(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}

// WriteVitrine writes the posts as a site of Vitrine's into root.
func WriteVitrine(root string, posts []Post) error {
	files := map[string]string{
		"content/product.yaml": product,
		"content/site.yaml":    "baseURL: https://bench.example\ntitle: Bench\n",
		"content/index.md":     "# Bench\n\nA site of many posts.\n",
	}
	for _, p := range posts {
		files["content/blog/"+p.Name+".md"] = fmt.Sprintf("---\ntitle: %q\ndescription: %q\ndate: %s\ntags: [%s]\n---\n\n%s",
			p.Title, p.Description, p.Date.Format(time.DateOnly), strings.Join(p.Tags, ", "), p.Body)
	}
	return write(root, files)
}

// WriteHugo writes the posts as a site of Hugo's that makes HTML and Markdown
// of each, into root.
func WriteHugo(root string, posts []Post) error {
	files := map[string]string{
		"hugo.toml":                    hugoConfig,
		"layouts/_default/single.html": "{{ define \"main\" }}<article><h1>{{ .Title }}</h1>{{ .Content }}</article>{{ end }}",
		"layouts/_default/list.html":   "{{ define \"main\" }}<h1>{{ .Title }}</h1><ul>{{ range .RegularPages }}<li><a href=\"{{ .RelPermalink }}\">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}",
		"layouts/_default/baseof.html": "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ .Title }}</title><meta name=\"description\" content=\"{{ .Description }}\"></head><body><header><a href=\"/\">Bench</a></header><main>{{ block \"main\" . }}{{ end }}</main></body></html>",
		"layouts/_default/single.md":   "# {{ .Title }}\n\n{{ .RawContent }}",
	}
	for _, p := range posts {
		files["content/blog/"+p.Name+".md"] = fmt.Sprintf("---\ntitle: %q\ndescription: %q\ndate: %s\ntags: [%s]\n---\n\n%s",
			p.Title, p.Description, p.Date.Format(time.DateOnly), strings.Join(p.Tags, ", "), p.Body)
	}
	return write(root, files)
}

func write(root string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("writing the corpus: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return fmt.Errorf("writing the corpus: %w", err)
		}
	}
	return nil
}

const product = `name: Bench
url: https://bench.example
description: A product for benchmarks.
audience: [Everyone]
capabilities: [Being measured]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one measurement.
  unlimitedReps: true
  unlimitedTeams: true
  plans: [{name: Only, monthlyPrice: 9, includedCredits: 1}]
  url: https://bench.example/pricing
contact: hello@bench.example
links: {}
`

const hugoConfig = `baseURL = "https://bench.example/"
languageCode = "en"
title = "Bench"
disableKinds = ["taxonomy", "term"]
[outputs]
  page = ["html", "markdown"]
[outputFormats.markdown]
  mediaType = "text/markdown"
  baseName = "index"
  isPlainText = true
[mediaTypes."text/markdown"]
  suffixes = ["md"]
[markup.highlight]
  codeFences = false
`
