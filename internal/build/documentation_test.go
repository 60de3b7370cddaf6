package build_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A documentation site with versions, two languages, an API with 300 operations, math, diagrams, code from a file, and
// components has no errors. All of its Markdown can be parsed again.
func TestDocumentationSite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	_, problems, err := build.Build(context.Background(), build.Source{Root: rig.Site(t, rig.DocumentationSite(60)), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || site.HasErrors(problems) {
		t.Fatal(err, problems)
	}
	public := filepath.Join(out, "public")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(public, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, problem := range problems {
		if problem.Code == rule.UnlinkedFile {
			t.Errorf("a part of the description is not published: %v", problem)
		}
	}
	for name, want := range map[string][]string{
		"docs/how.html":                               {"<math", "<code class=\"language-mermaid\">graph LR\n", ">func<", `<a href="/docs/plan.svg"><img`, `<a href="/docs/install">Install</a>`, "/zoom."},
		"docs/reference/parts.yaml":                   {"Thing:"},
		"docs/how.md":                                 {"$n^2$", "```mermaid\ngraph LR", "func Plan() {}", ":::zoom[The plan]", ":::card[Install]{link=https://acorn.example/docs/install}"},
		"docs/reference/things-0/get-thing0.html":     {">Authentication ", ">Query parameters ", ">Example request ", `data-operation="GET"`, `"/assets/api.`, "<code>GET</code> <code>/things0</code>", `<details class="fold" id="status-200" open>`, "<summary><code>200</code> Done</summary>"},
		"docs/reference/things-0/get-thing0.md":       {"- `parent` object", "curl 'https://api.acorn.example/things0'"},
		"de/docs/reference/things-0/get-thing0.html":  {">Authentifizierung ", ">Abfrageparameter ", ">Beispielanfrage "},
		"docs/v2/install.html":                        {`<link rel="canonical" href="https://acorn.example/docs/install">`, `<meta property="og:url" content="https://acorn.example/docs/install">`, `"url":"https://acorn.example/docs/install"`},
		"docs/reference/things-5/delete-thing59.html": {"/docs/reference/things-5"},
	} {
		text := read(name)
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q", name, part)
			}
		}
	}
	operations, parser := 0, markdown.New(markdown.Options{})
	err = filepath.WalkDir(public, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".md") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.Contains(filepath.ToSlash(name), "/docs/reference/things-") && strings.Contains(string(text), "\n`") {
			operations++
		}
		for _, problem := range parser.Parse(name, text, 0).Problems() {
			if problem.Severity == site.Error {
				t.Errorf("%v", problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if operations != 600 {
		t.Errorf("%d pages of operations, want 300 in each language", operations)
	}
}
