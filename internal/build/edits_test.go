package build

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
)

// editor edits a site and builds it after each edit.
type editor struct {
	t    *testing.T
	r    *rand.Rand
	root string
	warm string
	// mend undoes what broke the site; nil while it is whole.
	mend         func()
	drafts       bool
	coded        bool
	kept, failed int
	names        int
	// languages says that the site has several, and that edits concern them too.
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

// newPolyglot is newEditor of a site in several languages.
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

// translate makes a page of the site's own language one of another, at the same path.
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

// languageEdits are edits that only a site of several languages has.
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
		{"what it translates", func() string {
			name := "content/" + tag() + "/elsewhere.md"
			e.write(name, "---\ntitle: Elsewhere\ntranslationOf: "+[]string{"/blog", "/blog", "\"\""}[e.r.IntN(3)]+"\n---\n\nText.\n")
			return name
		}},
		{"broken facts of a language", func() string { return e.break_("content/site.yaml", "\nlanguages: {en: {}}\n") }},
	}
}

// settings are those of the site.
func (e *editor) settings(title string) string {
	if !e.languages {
		return settings(title)
	}
	return settings(title) + "navigation:\n  - {label: Prices, path: /pricing}\n  - {label: Blog, path: /blog}\nfooter: [{label: Home, path: /}]\nlanguages:\n  de: {title: " + title + " (de)}\n  ja: {}\n"
}

// edit is a change of a site.
type edit struct {
	what string
	make func() string
}

// writeQuietPages takes the places of the theme's pages that have code on them.
// The highlighter of code gives up after a quarter of a second, so that on a
// machine that is busy enough two builds of one site may differ.
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

// files are the names below a folder of the site that end as given.
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

// any is one of the pages that random edits may change.
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

func (e *editor) addPost() string {
	name := "content/blog/" + e.name() + ".md"
	e.write(name, fmt.Sprintf("---\ntitle: Post %d\ndescription: About %s.\ndate: 2026-0%d-%02d\ntags: %s\n---\n\n## Part one\n\n%s\n",
		e.names, e.name(), 1+e.r.IntN(5), 1+e.r.IntN(28), e.tags(), e.words()))
	return name
}

func (e *editor) addPage() string {
	folder := []string{"content/", "content/docs/", "content/docs/deep/"}[e.r.IntN(3)]
	name := folder + e.name() + ".md"
	e.write(name, fmt.Sprintf("---\ntitle: Page %d\ndescription: About it.\n---\n\n# Page %d\n\n%s\n", e.names, e.names, e.words()))
	return name
}

func (e *editor) addImage() string {
	name := "content/blog/" + e.name() + ".png"
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 8+e.r.IntN(9), 8))); err != nil {
		e.t.Fatal(err)
	}
	e.write(name, data.String())
	return name
}

// addNotes adds a file that is published only where something links to it.
func (e *editor) addNotes() string {
	name := "content/blog/" + e.name() + ".txt"
	e.write(name, e.words())
	return name
}

// linkNotes has a page link to such a file, in one of the ways that there are.
func (e *editor) linkNotes() string {
	notes := e.files("content/blog", ".txt")
	if len(notes) == 0 {
		return "none"
	}
	n, to := e.any(), "/blog/"+filepath.Base(notes[e.r.IntN(len(notes))])
	switch e.r.IntN(3) {
	case 0:
		return e.change(n, "image", to)
	case 1:
		e.write(n, e.read(n)+"\n![Notes]("+to+")\n")
	default:
		e.write(n, e.read(n)+"\n[Notes]("+to+")\n")
	}
	return n
}

// unlinkNotes takes such links out of a page.
func (e *editor) unlinkNotes() string {
	for _, n := range e.files("content", ".md") {
		lines := strings.SplitAfter(e.read(n), "\n")
		kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Contains(l, ".txt") })
		if len(kept) < len(lines) {
			e.write(n, strings.Join(kept, ""))
			return n
		}
	}
	return "none"
}

// change replaces the line of front matter that has a key, or adds it.
func (e *editor) change(name, key, value string) string {
	lines := strings.Split(e.read(name), "\n")
	line := key + ": " + value
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+":") })
	if at < 0 {
		lines = slices.Insert(lines, 1, line)
	} else {
		lines[at] = line
	}
	e.write(name, strings.Join(lines, "\n"))
	return name
}

// edit makes one random edit and returns what it was.
func (e *editor) edit() string {
	if e.mend != nil && e.r.IntN(2) == 0 {
		e.mend()
		e.mend = nil
		return "mended"
	}
	edits := []edit{
		{"text", func() string { n := e.any(); e.write(n, e.read(n)+"\n"+e.words()+"\n"); return n }},
		{"text", func() string { n := e.any(); e.write(n, e.read(n)+"\n## "+e.name()+"\n\nMore.\n"); return n }},
		{"text of the home page", func() string { n := "content/index.md"; e.write(n, e.read(n)+"\n"+e.words()+"\n"); return n }},
		{"title", func() string { return e.change(e.any(), "title", "Title "+e.name()) }},
		{"the same title", func() string { return e.change(e.any(), "title", "One title") }},
		{"description", func() string { return e.change(e.any(), "description", "Says "+e.name()) }},
		{"date", func() string { return e.change(e.any(), "date", fmt.Sprintf("2026-02-%02d", 1+e.r.IntN(28))) }},
		{"a date to come", func() string { return e.change(e.any(), "date", "2027-02-01") }},
		{"an update to come", func() string { return e.change(e.any(), "updated", "2027-02-01") }},
		{"tags", func() string { return e.change(e.any(), "tags", e.tags()) }},
		{"slug", func() string { return e.change(e.any(), "slug", e.name()) }},
		{"alias", func() string { return e.change(e.any(), "aliases", "[/old/"+e.name()+"]") }},
		{"draft", func() string { return e.change(e.any(), "draft", "true") }},
		{"no draft", func() string { return e.change(e.any(), "draft", "false") }},
		{"unlisted", func() string { return e.change(e.any(), "unlisted", "true") }},
		{"order", func() string { return e.change(e.any(), "order", fmt.Sprint(1+e.r.IntN(5))) }},
		{"sidebar", func() string { return e.change(e.any(), "sidebar", "Short "+e.name()) }},
		{"documentation or not", func() string {
			sections := slices.DeleteFunc(e.files("content", "index.md"), func(name string) bool { return !strings.Contains(e.read(name), "title: Documentation") })
			if len(sections) == 0 {
				return "none"
			}
			return e.change(sections[0], "layout", []string{"docs", "list", "page"}[e.r.IntN(3)])
		}},
		{"params", func() string { return e.change(e.any(), "params", "{a: [1, 2.5, x, {b: true}]}") }},
		{"new post", e.addPost},
		{"new page", e.addPage},
		{"new image", e.addImage},
		{"image shown", func() string {
			images := e.files("content/blog", ".png")
			posts := e.files("content/blog", ".md")
			if len(images) == 0 {
				return "none"
			}
			n := posts[e.r.IntN(len(posts))]
			e.write(n, e.read(n)+"\n![Shown](/blog/"+filepath.Base(images[0])+")\n")
			return n
		}},
		{"new notes", e.addNotes},
		{"notes linked", e.linkNotes},
		{"notes not linked", e.unlinkNotes},
		{"notes removed", func() string {
			e.unlinkNotes()
			for _, n := range e.files("content/blog", ".txt") {
				if linked := slices.ContainsFunc(e.files("content", ".md"), func(p string) bool { return strings.Contains(e.read(p), filepath.Base(n)) }); !linked {
					e.remove(n)
					return n
				}
			}
			return "none"
		}},
		{"page removed", func() string { n := e.any(); e.remove(n); return n }},
		{"page renamed", func() string {
			n := e.any()
			e.rename(n, filepath.ToSlash(filepath.Dir(n))+"/"+e.name()+".md")
			return n
		}},
		{"folder renamed", func() string {
			if _, err := os.Stat(e.path("content/docs")); err != nil {
				return "none"
			}
			e.rename("content/docs", "content/"+e.name())
			return "content/docs"
		}},
		{"touched", func() string {
			n := e.any()
			if err := os.Chtimes(e.path(n), time.Now(), time.Now()); err != nil {
				e.t.Fatal(err)
			}
			return n
		}},
		{"nothing", func() string { return "" }},
		{"nothing", func() string { return "" }},
		{"a swap file", func() string { e.write("content/blog/.x.swp", e.name()); return "" }},
		{"facts", func() string { e.write("content/product.yaml", product(40+e.r.IntN(9))); return "" }},
		{"settings", func() string { e.write("content/site.yaml", e.settings("Parley "+e.name())); return "" }},
		{"template", func() string {
			e.write("templates/text/pointer.txt", "Everything: [llms.txt](/llms.txt) "+e.name()+"\n")
			return ""
		}},
		{"component", func() string {
			e.write("templates/components/person.html", "<p class=\"person\">{{.Label}} "+e.name()+"</p>")
			e.write("templates/components/person.md", "{{.Label}}")
			e.write("content/people.md", "---\ntitle: People\n---\n\n::person[Jane]\n\n:::tabs\n:::tab[A]\n<kbd>b</kbd>\n:::\n:::\n")
			return "content/people.md"
		}},
		{"component changed", func() string {
			if _, err := os.Stat(e.path("templates/components/person.html")); err != nil {
				return "none"
			}
			e.write("templates/components/person.html", "<p class=\"person\">{{.Label}}, "+e.name()+"</p>")
			return ""
		}},
		{"template taken out", func() string {
			if _, err := os.Stat(e.path("content/people.md")); err == nil {
				e.remove("content/people.md")
			}
			if err := os.RemoveAll(e.path("templates")); err != nil {
				e.t.Fatal(err)
			}
			return ""
		}},
		{"another logo", func() string { e.writeLogo(10 + e.r.IntN(9)); return "" }},
		{"codings switched", func() string { e.coded = !e.coded; return "" }},
		{"drafts switched", func() string { e.drafts = !e.drafts; return "" }},
		{"cache damaged", func() string {
			names, _ := filepath.Glob(filepath.Join(e.warm, "cache", "last*"))
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err == nil && len(data) > 0 {
					data[e.r.IntN(len(data))] ^= 1 << e.r.IntN(8)
					err = os.WriteFile(name, data[:len(data)-e.r.IntN(2)], 0o666)
				}
				if err != nil {
					e.t.Fatal(err)
				}
			}
			return ""
		}},
		{"cache removed", func() string {
			if err := os.RemoveAll(filepath.Join(e.warm, "cache")); err != nil {
				e.t.Fatal(err)
			}
			return ""
		}},
		{"questions", func() string {
			text := "- {question: What does it cost?, in: /pricing, answer: ['{{ price \"Starter\" }}', '{{ plans }}'], budget: 4000}\n" +
				"- {question: What is it, in: /llms.txt, answer: ['{{ description }}'], budget: 5000}\n" +
				"- {question: What is it, in: /api, answer: ['{{ price \"Starter\" }}']}\n"
			e.write("content/questions.yaml", strings.Repeat("# A comment\n", e.r.IntN(3))+text)
			return ""
		}},
		{"a question that is not answered", func() string {
			if _, err := os.Stat(e.path("content/questions.yaml")); err != nil {
				e.write("content/questions.yaml", "- {question: What, in: /pricing, answer: [plan]}\n")
			}
			return e.break_("content/questions.yaml", "- {question: Why, in: "+[]string{"/pricing", "/blog", "/llms.txt", "/api", "/nowhere"}[e.r.IntN(5)]+", answer: [no such word "+e.name()+"]}\n")
		}},
		{"a question with a tight budget", func() string {
			if _, err := os.Stat(e.path("content/questions.yaml")); err != nil {
				e.write("content/questions.yaml", "- {question: What, in: /pricing, answer: [plan]}\n")
			}
			return e.break_("content/questions.yaml", "- {question: Which, in: "+[]string{"/", "/llms.txt"}[e.r.IntN(2)]+", answer: [practice], budget: 1}\n")
		}},
		{"broken link", func() string { return e.break_(e.any(), "\n[x](/nowhere)\n") }},
		{"broken anchor", func() string { return e.break_(e.any(), "\n[x](/pricing#nowhere)\n") }},
		{"broken front matter", func() string { return e.break_("content/pricing.md", "\n[a](nothing.md)\n") }},
		{"broken settings", func() string { return e.break_("content/site.yaml", "\nbogus: 1\n") }},
	}
	if e.languages {
		edits = append(edits, e.languageEdits()...)
	}
	chosen := edits[e.r.IntN(len(edits))]
	return chosen.what + " " + chosen.make()
}

func (e *editor) break_(name, text string) string {
	if e.mend != nil {
		return "broken already"
	}
	was := e.read(name)
	e.write(name, was+text)
	e.mend = func() {
		if _, err := os.Stat(e.path(name)); err == nil {
			e.write(name, was)
		}
	}
	return name
}

func (e *editor) remove(name string) {
	if err := os.Remove(e.path(name)); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) rename(from, to string) {
	if err := os.Rename(e.path(from), e.path(to)); err != nil {
		e.t.Fatal(err)
	}
}
