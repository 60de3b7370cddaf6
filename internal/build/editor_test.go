package build

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
)

// editor makes random edits to a site and builds the site after each edit.
type editor struct {
	t    *testing.T
	r    *rand.Rand
	root string
	warm string
	// repair undoes the edit that caused errors. It is nil if the site has no errors.
	repair       func()
	drafts       bool
	coded        bool
	kept, failed int
	names        int
	// noCards turns off social images, which take most of the time of a small build.
	noCards bool
	// languages reports whether the site has several languages, so that edits cover them too.
	languages bool
}

func newEditor(t *testing.T, seed uint64) *editor {
	e := &editor{t: t, r: rand.New(rand.NewPCG(seed, 1)), root: t.TempDir(), warm: filepath.Join(t.TempDir(), "build")}
	e.write("content/product.yaml", product(49))
	e.write("content/site.yaml", settings("Parley"))
	e.write("content/index.md", "---\ntitle: Home\n---\n\nSee [the blog](blog/index.md) and [prices](pricing.md#plans).\n")
	e.write("content/pricing.md", "---\ntitle: Pricing\ndescription: What it costs.\naliases: [/prices]\n---\n\n## Plans\n\n{{ plans }}\n")
	e.write("content/blog/index.md", "---\ntitle: Blog\ndescription: What is new.\n---\n")
	e.write("content/docs/index.md", "---\ntitle: Documentation\ndescription: All of it.\nlayout: docs\n---\n\nRead on.\n")
	e.write("content/docs/deep/far/end.md", "---\ntitle: The end\n---\n\nText.\n")
	e.write("content/static/robots-extra.txt", "x\n")
	e.writeLogo(10)
	e.writeQuietPages()
	for range 30 {
		e.addPost()
	}
	for range 6 {
		e.addPage()
	}
	e.addImage()
	e.addNotes()
	return e
}

// newPolyglot is like newEditor for a site in several languages.
func newPolyglot(t *testing.T, seed uint64) *editor {
	e := newEditor(t, seed)
	e.languages = true
	e.write("content/site.yaml", e.settings("Parley"))
	for _, tag := range []string{"de", "ja"} {
		e.write("content/product."+tag+".yaml", "description: Anrufe üben.\naudience: [Vertrieb]\n")
		e.write("content/"+tag+"/pricing.md", "---\ntitle: Preise\ndescription: Was es kostet.\n---\n\n## Plans\n\n{{ plans }}\n")
		e.write("content/"+tag+"/docs/index.md", "---\ntitle: Handbuch\nlayout: docs\n---\n\nText.\n")
		e.write("content/"+tag+"/docs/first.md", "---\ntitle: Anfang\n---\n\nText.\n")
	}
	for range 12 {
		e.translate()
	}
	return e
}

// translate adds a translation of a page at the same path.
func (e *editor) translate() string {
	from := e.any()
	for strings.HasPrefix(from, "content/de/") || strings.HasPrefix(from, "content/ja/") {
		from = e.any()
	}
	tag := []string{"de", "ja"}[e.r.IntN(2)]
	var lines []string
	for _, line := range strings.Split(e.read(from), "\n") {
		for _, key := range []string{"title:", "description:", "date:", "tags:", "order:"} {
			if strings.HasPrefix(line, key) {
				lines = append(lines, line)
			}
		}
	}
	e.write("content/"+tag+"/"+strings.TrimPrefix(from, "content/"), "---\n"+strings.Join(lines, "\n")+"\n---\n\n"+e.words()+"\n")
	return tag + " of " + from
}

// languageEdits returns edits that are possible only on a site in several languages.
func (e *editor) languageEdits() []edit {
	languages := []string{"de", "ja"}
	tag := func() string { return languages[e.r.IntN(len(languages))] }
	return []edit{
		{"translation", e.translate}, {"translation", e.translate}, {"translation", e.translate},
		{"translated facts", func() string {
			name := "content/product." + tag() + ".yaml"
			e.write(name, "description: Sagt "+e.name()+".\npricing: {plans: {Starter: {name: Einstieg}}}\n")
			return name
		}},
		{"facts no longer translated", func() string {
			name := "content/product." + tag() + ".yaml"
			if _, err := os.Stat(e.path(name)); err == nil {
				e.remove(name)
			}
			return name
		}},
		{"home page of a language", func() string {
			name := "content/" + tag() + "/index.md"
			e.write(name, "---\ntitle: Home "+e.name()+"\n---\n\n"+e.words()+"\n")
			return name
		}},
		{"settings of a language", func() string { e.write("content/site.yaml", e.settings("Parley "+e.name())); return "" }},
		{"words of a language", func() string { e.write("templates/words/de.yaml", "home: "+e.name()+"\n"); return "" }},
		{"translationOf", func() string {
			name := "content/" + tag() + "/elsewhere.md"
			e.write(name, "---\ntitle: Elsewhere\ntranslationOf: "+[]string{"/blog", "/blog", "\"\""}[e.r.IntN(3)]+"\n---\n\nText.\n")
			return name
		}},
		{"broken facts of a language", func() string { return e.break_("content/site.yaml", "\nlanguages: {en: {}}\n") }},
	}
}

// settings returns the text of site.yaml.
func (e *editor) settings(title string) string {
	if !e.languages {
		return settings(title)
	}
	return settings(title) + "navigation:\n  - {label: Prices, path: /pricing}\n  - {label: Blog, path: /blog}\nfooter: [{label: Home, path: /}]\nlanguages:\n  de: {title: " + title + " (de)}\n  ja: {}\n"
}

// edit is a change to a site. make applies it and describes its target.
type edit struct {
	what string
	make func() string
}

// writeQuietPages replaces the theme's pages that contain code with pages without code. The highlighter gives up after
// a quarter of a second, so on a busy machine, two builds of the same code may differ.
func (e *editor) writeQuietPages() {
	pages := []string{"cli", "api-docs"}
	for _, problem := range artifact.ProblemTypes() {
		pages = append(pages, "problems/"+problem.Slug)
	}
	for _, name := range pages {
		e.write("content/"+name+".md", "---\ntitle: About "+name+"\ndescription: Quiet.\n---\n\nText.\n")
	}
}

func (e *editor) writeLogo(width int) {
	e.write("content/static/logo.svg", fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d 10"/>`, width))
}

func product(price int) string {
	return fmt.Sprintf(`name: Parley
url: https://parley.example
description: Practice calls.
audience: [Sales teams]
capabilities: [Role-play]
pricing:
  currency: EUR
  billingPeriod: monthly
  creditDefinition: One credit is one call.
  unlimitedReps: true
  unlimitedTeams: true
  plans:
    - {name: Starter, monthlyPrice: %d, includedCredits: 40}
  url: https://parley.example/pricing
contact: hello@parley.example
links: {signup: "https://parley.example/signup"}
`, price)
}

func settings(title string) string {
	return "baseURL: https://parley.example\ntitle: " + title + "\ntheme: {accent: 7a3e00, logo: logo.svg}\napi: {documentation: /api-docs}\nsocial: {images: false}\nsecurity: {contact: \"mailto:security@parley.example\"}\n"
}

func (e *editor) path(name string) string { return filepath.Join(e.root, filepath.FromSlash(name)) }

func (e *editor) write(name, text string) {
	e.t.Helper()
	if err := os.MkdirAll(filepath.Dir(e.path(name)), 0o777); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(e.path(name), []byte(text), 0o666); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) read(name string) string {
	e.t.Helper()
	text, err := os.ReadFile(e.path(name))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

// files returns the names of the files in a folder of the site that have the given ending.
func (e *editor) files(folder, ending string) []string {
	var names []string
	err := filepath.WalkDir(e.path(folder), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ending) {
			rel, _ := filepath.Rel(e.root, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return names
}

// any returns the source of a random page among the pages that random edits may change.
func (e *editor) any() string {
	pages := slices.DeleteFunc(e.files("content", ".md"), func(name string) bool {
		return name == "content/pricing.md" || name == "content/cli.md" || name == "content/api-docs.md" || strings.HasPrefix(name, "content/problems/") || strings.HasSuffix(name, "index.md")
	})
	return pages[e.r.IntN(len(pages))]
}

func (e *editor) name() string {
	e.names++
	return fmt.Sprintf("n%03d", e.names)
}

func (e *editor) words() string {
	words := []string{"call", "team", "price", "answer", "voice", "manager", "goal", "*often*", "`code`", "[prices](/pricing#plans)", "[home](/)"}
	var text []string
	for range 5 + e.r.IntN(30) {
		text = append(text, words[e.r.IntN(len(words))])
	}
	return strings.Join(text, " ") + "."
}

func (e *editor) tags() string {
	all := []string{"alpha", "Beta", "beta", "gamma delta"}
	return "[" + strings.Join(all[:e.r.IntN(len(all)+1)], ", ") + "]"
}
