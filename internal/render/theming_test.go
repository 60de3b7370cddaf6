package render

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/templates"
)

// manual reads the documentation for theme authors.
func manual(t *testing.T) string {
	t.Helper()
	var all []byte
	for _, page := range []string{"guides/theme.md", "reference/templates.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

// cells returns the rows of the first table after a heading, without backticks.
func cells(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	_, below, found := strings.Cut(manual(t), "\n"+heading+"\n")
	if !found {
		t.Errorf("docs/reference/templates.md has no %q", heading)
		return nil
	}
	begun := false
	for _, line := range strings.Split(below, "\n") {
		switch {
		case strings.HasPrefix(line, "#"), begun && line == "":
			return rows
		case strings.HasPrefix(line, "| `"):
			var row []string
			for _, cell := range strings.Split(strings.Trim(line, "| "), " | ") {
				row = append(row, strings.Trim(strings.TrimSpace(cell), "`"))
			}
			rows, begun = append(rows, row), true
		}
	}
	return rows
}

// acorn returns the site of the examples in docs/guides/theme.md, with more files.
func acorn(t *testing.T, more ...string) map[string]string {
	t.Helper()
	return with(append([]string{
		"content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\nfooter: [{label: Spring, path: /spring}]\n",
		"content/spring.md", "---\ntitle: Spring\n---\n",
		"content/product.yaml", `name: Acorn
url: https://acorn.example
description: Acorn plants oaks.
updated: 2026-05-01
audience: [Gardens]
capabilities: [Planting]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one oak.
  unlimitedReps: false
  unlimitedTeams: false
  plans: [{name: Tree, monthlyPrice: 49.50, includedCredits: 1}]
  url: https://acorn.example/pricing
contact: hello@acorn.example
links: {}
`}, more...)...)
}

// The tables in docs/reference/templates.md list all files and all custom properties.
func TestManualOfFiles(t *testing.T) {
	var listed []string
	for _, part := range []string{"### Layouts", "### Partials", "### Assets", "### Other files"} {
		for _, row := range cells(t, part) {
			for _, name := range strings.Split(row[0], "`, `") {
				if listed = append(listed, name); strings.HasSuffix(name, "/") {
					name = strings.TrimSuffix(name, "/")
				}
				if _, err := fs.Stat(templates.FS, name); err != nil {
					t.Errorf("docs/reference/templates.md lists a file that does not exist: %v", err)
				}
			}
		}
	}
	err := fs.WalkDir(templates.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.ContainsFunc(listed, func(l string) bool {
			return l == name || strings.HasSuffix(l, "/") && strings.HasPrefix(name, l)
		}) {
			t.Errorf("docs/reference/templates.md does not list %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	css, err := fs.ReadFile(templates.FS, "assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	_, root, _ := strings.Cut(string(css), ":root {")
	root, _, _ = strings.Cut(root, "\n}")
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(--[a-z0-9-]+):`).FindAllStringSubmatch(root, -1) {
		want = append(want, m[1])
	}
	for _, row := range cells(t, "## Custom properties") {
		got = append(got, row[0])
	}
	if !slices.Equal(got, want) || len(want) < 20 {
		t.Errorf("docs/guides/theme.md lists the properties %v, but the stylesheet has %v", got, want)
	}
}

// The examples in docs/guides/theme.md work as described.
func TestManualOfExamples(t *testing.T) {
	var files []string
	guide, _, _ := strings.Cut(manual(t), "\n# Templates\n")
	for _, m := range regexp.MustCompile("(?ms)^```[a-z]+ title=\"([^\"]+)\"\n(.*?)^```$").FindAllStringSubmatch(guide, -1) {
		files = append(files, m[1], m[2])
	}
	if len(files) != 2*8 {
		t.Fatalf("docs/guides/theme.md has %d examples with files, want 8", len(files)/2)
	}
	b := build(t, acorn(t, files...), withoutImages)
	for path, want := range map[string][]string{
		"/":             {`<footer class="foot">`, `<p>Acorn, <a href="mailto:hello@acorn.example">`, `<li><a href="/spring">Spring</a></li>`, `<a href="/index.md" type="text/markdown">This page as Markdown</a>, `},
		"/team/jane":    {"<dt>Role</dt><dd>Head gardener</dd>\n<dt>Since</dt><dd>2019</dd>\n", "<h1>Jane Doe</h1>", "more oaks than"},
		"/team/jane.md": {"# Jane Doe\n", "\n\nPlants the oaks.\n\n- Role: Head gardener\n- Since: 2019\n\nJane has planted more oaks"},
		"/spring":       {`<link rel="stylesheet" href="/assets/offer.`, `<strong>Two for one</strong> (until the first of May)</p>`, "<p>Every seedling comes with a second one.</p>"},
		"/spring.md":    {"**Two for one** (until the first of May)\n\nEvery seedling comes with a second one.\n"},
	} {
		body := b.body(t, path)
		for _, part := range want {
			if !strings.Contains(body, part) {
				t.Errorf("%s lacks %q:\n%s", path, part, body)
			}
		}
		if strings.HasSuffix(path, ".md") {
			cleanMarkdown(t, path, body)
		}
	}
}
