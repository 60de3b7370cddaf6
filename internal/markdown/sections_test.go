package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// IconProblem implements Components.
func (c *testComponents) IconProblem(name string) string {
	if name == "star" {
		return ""
	}
	return "unknown icon " + name
}

const sectionsSource = `---
title: T
sections:
  - kind: hero
    title: Parts that *outlast*
    text: From {{ nothing }}, [all of them](/parts)
  - kind: features
    title: Intro
    items:
      - {icon: stra, title: "1. First", path: /first}
      - title: "[Nested](/x)"
        path: /second
  - kind: rows
    items:
      - title: Blocks
        text: |
          One

          - two
  - kind: questions
    title: Why
    items:
      - {question: Why?, answer: "See **this**.\n\n- a\n- b"}
      - {question: What?, answer: "# No"}
---

## Intro

Words [here](/there).
`

// sectionsPage returns the page that package load reads from sectionsSource.
func sectionsPage() *site.Page {
	at := func(line, col int) site.Pos { return site.Pos{Line: line, Col: col} }
	text := func(line, col int, s string) site.Written { return site.Written{Text: s, Pos: at(line, col)} }
	to := func(line, col int, s string) site.Reference { return site.Reference{Target: s, Pos: at(line, col)} }
	return &site.Page{Source: "content/a.md", Body: strings.Index(sectionsSource, "\n## Intro"), Sections: []site.Section{
		{Kind: site.Hero, Title: text(5, 12, "Parts that *outlast*"), Text: text(6, 11, "From {{ nothing }}, [all of them](/parts)")},
		{Kind: site.Features, Title: text(8, 12, "Intro"), Items: []site.SectionItem{
			{Icon: text(10, 16, "stra"), Title: text(10, 29, "1. First"), Target: to(10, 47, "/first")},
			{Title: text(11, 16, "[Nested](/x)"), Target: to(12, 15, "/second")},
		}},
		{Kind: site.Rows, Items: []site.SectionItem{{Title: text(15, 16, "Blocks"), Text: text(16, 15, "One\n\n- two\n")}}},
		{Kind: site.Questions, Title: text(21, 12, "Why"), Items: []site.SectionItem{
			{Title: text(23, 20, "Why?"), Text: text(23, 34, "See **this**.\n\n- a\n- b")},
			{Title: text(24, 20, "What?"), Text: text(24, 35, "# No")},
		}},
	}}
}

// The document of a page includes its sections: their problems with positions, links, headings, and words.
func TestSectionsArePartOfTheDocument(t *testing.T) {
	doc := New(Options{}).With(newTestComponents(t)).ParsePage(sectionsPage(), []byte(sectionsSource), sectionsPage().Body)
	var got []string
	for _, p := range doc.Problems() {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Col, p.Text))
	}
	same(t, "problems", got, []string{
		"10:16 icon: unknown icon stra",
		"11:17 the title links to path, so it cannot contain another link; remove the inner link",
		"16:15 a section's text must be a single paragraph, without lists, headings, or other blocks; shorten it, or move it to the page's text",
		"24:35 answers cannot contain headings; use a paragraph, or add a separate question",
	})
	got = nil
	for _, l := range doc.Links() {
		got = append(got, fmt.Sprintf("%d:%d %s", l.Pos.Line, l.Pos.Col, l.Destination))
	}
	same(t, "links", got, []string{"6:31 /parts", "10:47 /first", "11:17 /x", "12:15 /second", "29:7 /there"})
	got = nil
	for _, h := range doc.Headings() {
		got = append(got, h.ID+" "+h.Text)
	}
	// The title of a hero section at the start of the page is the page's title, not a heading.
	same(t, "headings", got, []string{"intro Intro", "why Why", "intro-1 Intro"})
	if words := doc.Words(); words < 20 {
		t.Errorf("got %d words; the words of the sections are missing", words)
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\n--- want\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Section text is inline in HTML. In Markdown, it is on one line and parses to the same paragraph.
func TestSectionText(t *testing.T) {
	doc := New(Options{}).ParsePage(sectionsPage(), []byte(sectionsSource), sectionsPage().Body)
	sections := doc.Sections()
	for _, c := range []struct {
		f                    *Fragment
		html, markdown, head string
		plain                string
	}{
		{sections[0].Title, "Parts that <em>outlast</em>", "Parts that *outlast*", "Parts that *outlast*", "Parts that outlast"},
		{sections[1].Items[0].Title, "1. First", `1\. First`, "1. First", "1. First"},
	} {
		var html, markdown, head bytes.Buffer
		if err := c.f.Inline(&html); err != nil {
			t.Fatal(err)
		}
		if err := c.f.Markdown(&markdown, "https://acorn.example"); err != nil {
			t.Fatal(err)
		}
		if err := c.f.Heading(&head, "https://acorn.example"); err != nil {
			t.Fatal(err)
		}
		same(t, c.plain, []string{html.String(), markdown.String(), head.String(), c.f.Plain()}, []string{c.html, c.markdown, c.head, c.plain})
	}
	answer := sections[3].Items[0].Text
	var html bytes.Buffer
	if err := answer.HTML(&html); err != nil {
		t.Fatal(err)
	}
	same(t, "answer", []string{html.String(), answer.Plain()}, []string{"<p>See <strong>this</strong>.</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n", "See this. a b"})
}
