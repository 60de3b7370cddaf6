package build_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// description returns an API with 300 operations on 60 things.
func description() string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Acorn, version: '3'}\nservers: [{url: 'https://api.acorn.example'}]\nsecurity: [{key: []}]\npaths:\n")
	for n := range 60 {
		fmt.Fprintf(&b, "  /things%d:\n", n)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			fmt.Fprintf(&b, "    %s: {tags: [Things %d], operationId: %sThing%d, parameters: [{name: at, in: query, schema: {type: string}}], responses: {'200': {description: Done, content: {application/json: {schema: {$ref: 'parts.yaml#/Thing'}}}}}}\n",
				method, n%6, method, n)
		}
	}
	b.WriteString("components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n")
	return b.String()
}

// A documentation site with versions, two languages, an API of 300 operations, math, diagrams, code from a file, and components has
// no errors, and all its Markdown can be read again.
func TestDocumentationSite(t *testing.T) {
	files := rig.VersionsSite()
	for _, language := range []string{"", "de/"} {
		files["content/"+language+"docs/reference/index.md"] = "---\ntitle: API " + language + "\ndescription: All calls.\nlayout: api\nopenapi: openapi.yaml\n---\nCall it.\n"
		files["content/"+language+"docs/reference/openapi.yaml"] = description()
		files["content/"+language+"docs/reference/parts.yaml"] = "Thing: {type: object, required: [id], properties: {id: {type: string}, parent: {$ref: '#/Thing'}}}\n"
	}
	files["examples/plan.go"] = "package plan\n\nfunc Plan() {}\n"
	files["content/docs/plan.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`
	files["content/docs/how.md"] = "---\ndescription: How it plans.\n---\n# How\n\nIt takes $n^2$ steps.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\n```go file=examples/plan.go#L3\n```\n\n" +
		"::::columns\n:::column\n## Before\n:::\n:::column\n- after\n:::\n::::\n\n::::fields\n:::field[id]{type=string required}\nThe thing.\n:::\n::::\n\n" +
		":::zoom[The plan]\n![A plan](plan.svg)\n:::\n\n::::cards\n::card{link=install.md}\n::::\n"
	out := filepath.Join(t.TempDir(), "out")
	_, problems, err := build.Build(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
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
	for name, want := range map[string][]string{
		"docs/how.html": {"<math", "<code class=\"language-mermaid\">graph LR\n", ">func<", `<a href="/docs/plan.svg"><img`, `<a href="/docs/install">Install</a>`, "/zoom."},
		"docs/how.md":   {"$n^2$", "```mermaid\ngraph LR", "func Plan() {}", ":::zoom[The plan]", ":::card[Install]{link=https://acorn.example/docs/install}"},
		"docs/reference/things-0/get-thing0.html":     {">Authentication ", ">Query parameters ", ">Example request "},
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
