package build

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

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

// addNotes adds a file that is published only if a page links to it.
func (e *editor) addNotes() string {
	name := "content/blog/" + e.name() + ".txt"
	e.write(name, e.words())
	return name
}

// linkNotes adds a link to a file that addNotes has created. The link has one of several forms.
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

// unlinkNotes removes all links on one page to files that addNotes has created.
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

// change sets a key in the front matter of a page. It replaces the line with the key, or adds a line.
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

// edit makes one random edit and returns its description.
func (e *editor) edit() string {
	if e.repair != nil && e.r.IntN(2) == 0 {
		e.repair()
		e.repair = nil
		return "repaired"
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
		{"image changed", func() string {
			images := e.files("content/blog", ".png")
			if len(images) == 0 {
				return "none"
			}
			var data bytes.Buffer
			if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 20+e.r.IntN(9), 9))); err != nil {
				e.t.Fatal(err)
			}
			e.write(images[0], data.String())
			return images[0]
		}},
		{"image renamed", func() string {
			images := e.files("content/blog", ".png")
			if len(images) == 0 {
				return "none"
			}
			from := images[len(images)-1]
			to := strings.TrimSuffix(from, ".png") + e.name() + ".png"
			e.rename(from, to)
			for _, n := range e.files("content", ".md") {
				if text := e.read(n); strings.Contains(text, filepath.Base(from)) {
					e.write(n, strings.ReplaceAll(text, filepath.Base(from), filepath.Base(to)))
				}
			}
			return from
		}},
		{"theme", func() string {
			e.write("templates/partials/footer.html", "{{define \"footer\"}}<footer><a href=\"/blog\">"+e.name()+"</a></footer>{{end}}")
			return ""
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
		{"an unanswered question", func() string {
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
	edits = append(edits, e.blogEdits()...)
	if e.languages {
		edits = append(edits, e.languageEdits()...)
	}
	chosen := edits[e.r.IntN(len(edits))]
	return chosen.what + " " + chosen.make()
}

func (e *editor) break_(name, text string) string {
	if e.repair != nil {
		return "broken already"
	}
	was := e.read(name)
	e.write(name, was+text)
	e.repair = func() {
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
