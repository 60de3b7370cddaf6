package docs_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/load"
	"vitrine/internal/rule"
)

var update = flag.Bool("update", false, "write the references again")

// TestReferences generates the pages under docs/reference from the programs' data: every command's help, the loader's
// tables of keys, the rules, Markdown's output, and a real build and its server. It fails if a page differs from its
// file. With -update, it writes the files.
func TestReferences(t *testing.T) {
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	people := load.AuthorsShape()
	pages := map[string]string{
		"vitrine":      vitrinePage(t, programs.Vitrine),
		"vitrined":     vitrinedPage(t, programs.Vitrined),
		"site":         keysPage("site.yaml", "Every key of content/site.yaml, with its values and defaults.", 3, siteIntro, load.ConfigShape()),
		"questions":    keysPage("questions.yaml", "Every key of content/questions.yaml, the questions that the site must answer.", 5, questionsIntro, load.QuestionsShape()),
		"authors":      keysPage("authors.yaml", "Every key of content/authors.yaml, the people who write for the site.", 5, authorsIntro, *people.Others),
		"product":      keysPage("product.yaml", "Every key of content/product.yaml, the public facts for pages, JSON, and llms.txt.", 4, productIntro, load.ProductShape()),
		"front-matter": keysPage("Front matter", "Every key of a page's front matter.", 6, pageIntro, load.PageShape()) + sectionTables(),
		"rules":        rulesPage(t),
		"markdown":     markdownPage(t),
	}
	out := newSite(t, programs.Vitrine)
	pages["build-folder"] = folderPage(t, out)
	pages["http"] = httpPage(t, out)
	pages["metrics"] = metricsPage(t, programs.Vitrined, out)
	for name, want := range pages {
		file := filepath.Join(rig.Root(t), "docs", "reference", name+".md")
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/reference/%s.md is not what the program says (%v); run make references and read the difference", name, err)
		}
	}
	checkPhrases(t, pages)
	flags, keys := counted(t, programs.Vitrine)
	t.Logf("flags documented: %s; keys documented: %s", flags, keys)
}

// counted compares the pages with other lists of flags and keys: the completion script for bash, vitrined's help, and
// the JSON Schemas. It returns how many of the flags and keys the pages contain.
func counted(t *testing.T, vitrine string) (flags, keys string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(rig.Root(t), "docs", "reference", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("vitrine")
	all, there := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^\t\*,([a-z-]+)\) words='(.*)'`).FindAllStringSubmatch(output(t, vitrine, "completion", "bash"), -1) {
		_, section, _ := strings.Cut(page, "\n## vitrine "+m[1]+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, word := range strings.Fields(m[2]) {
			if strings.HasPrefix(word, "--") {
				if all++; hasFlag(section, word) {
					there++
				} else {
					t.Errorf("%s of vitrine %s is on no page", word, m[1])
				}
			}
		}
	}
	server := read("vitrined")
	for _, m := range regexp.MustCompile(`(?m)^  --?([a-z0-9-]+)`).FindAllStringSubmatch(output(t, filepath.Join(filepath.Dir(vitrine), "vitrined"), "-help"), -1) {
		if all++; hasFlag(server, "--"+m[1]) {
			there++
		} else {
			t.Errorf("--%s of vitrined is on no page", m[1])
		}
	}
	allKeys, thereKeys := 0, 0
	for name, schema := range map[string]string{"site": "site", "product": "product", "questions": "questions", "authors": "authors", "front-matter": "page"} {
		page := read(name)
		// A key is a property of the schema, at any depth.
		for _, property := range regexp.MustCompile(`(?m)^ +"([A-Za-z-]+)": \{\n +"description"`).FindAllStringSubmatch(output(t, vitrine, "schema", schema), -1) {
			if allKeys++; strings.Contains(page, "`"+property[1]+"`") || strings.Contains(page, "."+property[1]+"`") {
				thereKeys++
			} else {
				t.Errorf("%s of %s is on no page", property[1], name)
			}
		}
	}
	if all < 100 || allKeys < 80 {
		t.Errorf("only %d flags and %d keys were found", all, allKeys)
	}
	return fmt.Sprintf("%d of %d", there, all), fmt.Sprintf("%d of %d", thereKeys, allKeys)
}

// hasFlag reports whether a table on a page has a row for a flag, with or without a value.
func hasFlag(page, flag string) bool {
	return strings.Contains(page, "| `"+flag+"`") || strings.Contains(page, "| `"+flag+" ")
}

// output runs a program and returns its standard output and standard error.
func output(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	text, err := rig.Run(exec.CommandContext(t.Context(), program, arguments...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// page returns the start of a page: its front matter, its title, and a comment that marks the page as generated.
func page(title, description, sidebar string, order int) string {
	return fmt.Sprintf("<!-- ---\ndescription: %q\nsidebar: %s\norder: %d\n--- -->\n\n# %s\n\n<!-- Written by \"make references\" from the program itself. -->\n\n", description, sidebar, order, title)
}

// cell escapes text for a table cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`, "[", `\[`, "]", `\]`, "_", `\_`, "{{", `\{{`).Replace(text)
}

func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' || strings.HasPrefix(text, "nginx") || strings.HasPrefix(text, "systemd") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// cellOf escapes a description for a table cell. Unlike cell, it keeps Markdown such as code.
func cellOf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "<", `\<`)
}

// rulesPage returns the page with every rule and its explanation.
func rulesPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(page("Rules", "Every rule of vitrine check: its code, its level, its reason, and how to fix its problems.", "Rules", 8))
	b.WriteString("This page explains every rule that `vitrine check` and `vitrine build` apply to a site. Each reported problem has the code of a rule, such as `V014`.\n" +
		"To print the explanation of a rule, run `vitrine explain V014`.\n\n" +
		"An error stops the build, because Vitrine can't publish a site with such a problem. A warning doesn't stop the build. To turn off a warning or turn it\n" +
		"into an error, set `diagnostics` in `site.yaml` or in a page's front matter, for example to `{V014: off}` or `{V014: error}`. You can't turn off errors.\n" +
		"The flag `--strict` turns some warnings into errors, as the sections of those rules state. [Fix problems](../guides/problems.md) describes all ways to\n" +
		"find and fix problems.\n\n| Code | Level | Problem |\n|---|---|---|\n")
	var texts strings.Builder
	for _, r := range rule.All() {
		text, err := r.Explain()
		if err != nil {
			t.Fatal(err)
		}
		title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		// The start of the page describes the levels, so the sections only name them.
		_, rest, _ = strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		level := "Level: " + r.Level.String()
		if r.Strict {
			level += ", or error with `--strict`"
		}
		if r.ErrorFor != "" {
			level += "; error for " + r.ErrorFor
		}
		anchor := strings.ReplaceAll(regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", r.Code, anchor, r.Level, r.Title)
		// Package rule's tests check the examples, so this page only shows them.
		fmt.Fprintf(&texts, "\n## %s\n\n%s.\n%s", title, level, strings.TrimRight(plainExamples(rest), "\n")+"\n")
	}
	return b.String() + texts.String()
}

// plainExamples sets the language of code blocks to "text". It doesn't change fences inside a code block, because they
// are part of an example.
func plainExamples(text string) string {
	lines := strings.Split(text, "\n")
	open := ""
	for i, line := range lines {
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case open == "" && len(marks) >= 3:
			open = marks
			lines[i] = marks + "text"
		case open != "" && line == open:
			open = ""
		}
	}
	return strings.Join(lines, "\n")
}

// Fences in an example keep their language, because it may be the mistake that the example shows (V104).
func TestPlainExamples(t *testing.T) {
	got := plainExamples("````markdown\n```javscript\nlet a\n```\n````\n\n```yaml\na: 1\n```\n")
	if want := "````text\n```javscript\nlet a\n```\n````\n\n```text\na: 1\n```\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
