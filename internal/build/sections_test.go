package build

import (
	"fmt"
	"strings"
	"testing"
)

const sectionsOfHome = `---
title: Home
sections:
  - kind: hero
    title: Made for *calls*
    text: "From {{ price \"%s\" }} a month, see [the other page](other.md)."
    actions: [{label: Look, path: other.md}]
    picture: {src: hero.png, alt: A hero}
  - {kind: stats, items: [{value: 28, label: years}]}
  - kind: questions
    title: Questions
    items: [{question: "Why?", answer: "Because **this**."}, {question: "How?", answer: "So."}]
  - {kind: action, title: Begin, text: Now, actions: [{label: Go, url: "https://else.example/"}]}
---

The text.
`

// An incremental build notices changes to the contents of sections: text, links, pictures, and facts.
func TestWarmSections(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 7)
	e.noCards = true
	facts := e.read("content/product.yaml")
	plan := strings.Split(facts, "name: ")[2]
	plan = plan[:strings.IndexAny(plan, ",\n}")]
	home := fmt.Sprintf(sectionsOfHome, plan)
	picture := e.read(e.addImage())
	steps := []struct{ name, text string }{
		{"content/other.md", "---\ntitle: Other\ndescription: Another page.\n---\n\nText.\n"},
		{"content/hero.png", picture},
		{"content/index.md", home},
		{"content/index.md", strings.Replace(home, "value: 28", "value: 29", 1)},
		{"content/index.md", strings.Replace(home, "other.md}", "nowhere.md}", 1)},
		{"content/index.md", home},
		{"content/other.md", "---\ntitle: Other\ndescription: Another page.\nslug: moved\n---\n\nText.\n"},
		{"content/hero.png", e.read(e.addImage())},
		{"content/learn/index.md", "---\ntitle: Learn\nlayout: docs\nsections:\n  - {kind: hero, title: Learn it well}\n---\n\nBelow.\n"},
		{"content/learn/first.md", "---\ntitle: First\ndescription: The first lesson.\n---\n\nText.\n"},
		{"content/product.yaml", strings.Replace(facts, "monthlyPrice: ", "monthlyPrice: 1", 1)},
	}
	for i, step := range steps {
		e.write(step.name, step.text)
		if !e.compare(fmt.Sprintf("step %d, %s", i, step.name)) {
			return
		}
	}
	if e.failed != 1 {
		t.Errorf("%d builds failed, want the one with the dead link", e.failed)
	}
	files := builtFiles(t, e.warm)
	for name, texts := range map[string][]string{
		"public/index.html": {
			`<h1>Made for <em>calls</em></h1>`, `<a class="button" href="/moved">Look</a>`, `alt="A hero"`, `<dt>years</dt><dd><bdi>28</bdi></dd>`,
			`<h2>Questions</h2>`, `"@type":"FAQPage"`, `"name":"Why?"`, `"text":"Because this."`, "<p>The text.</p>",
		},
		"public/index.md": {"# Made for *calls*\n", "- **28** years\n", "### Why?\n\nBecause **this**.\n", "- [Go](https://else.example/)\n", "The text.\n"},
		// A documentation page that begins with a hero is a landing page. The pages under it have the sidebar.
		"public/learn.html":       {"<h1>Learn it well</h1>", "<div class=\"frame\">", "<p>Below.</p>"},
		"public/learn.md":         {"# Learn it well\n", "Below.\n"},
		"public/learn/first.html": {"<h1>First</h1>", "<nav class=\"tree\""},
	} {
		for _, text := range texts {
			if !strings.Contains(files[name], text) {
				t.Errorf("%s lacks %q:\n%s", name, text, files[name])
			}
		}
	}
}
