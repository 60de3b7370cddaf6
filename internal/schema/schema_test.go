package schema_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/schema"
	"vitrine/internal/site"
)

// compile returns the compiled schemas by name.
func compile(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	compiled := make(map[string]*jsonschema.Schema)
	for _, name := range schema.Names() {
		body, err := schema.Write(name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(name, document); err != nil {
			t.Fatal(err)
		}
		if compiled[name], err = compiler.Compile(name); err != nil {
			t.Fatal(err)
		}
	}
	return compiled
}

// passes reports whether a document is valid under a schema, or can't be represented as JSON.
func passes(t *testing.T, s *jsonschema.Schema, root *tree.Node) bool {
	t.Helper()
	text, err := root.JSON()
	if err != nil {
		// JSON can't represent the document, so the schema isn't tested.
		return true
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value) == nil
}

const (
	product = "name: Acorn\nurl: https://acorn.example\ndescription: Plans.\naudience: []\ncapabilities: []\n" +
		"pricing: {currency: EUR, billingPeriod: month, creditDefinition: x, unlimitedReps: true, unlimitedTeams: true, plans: [], url: https://acorn.example}\n" +
		"contact: a@acorn.example\nlinks: {}\n"
	config = "baseURL: https://acorn.example\ntitle: Acorn\n"
)

// accepts reports whether the loader accepts a document at its place in a site.
func accepts(t *testing.T, name, document string) bool {
	t.Helper()
	files := map[string]string{"content/product.yaml": product, "content/site.yaml": config}
	at := "content/" + name + ".yaml"
	if name == "page" {
		at, document = "content/page.md", "---\n"+document+"\n---\n\n# Title\n"
	}
	files[at] = document
	return !rejected(t, files, at)
}

// rejected reports whether the loader finds errors in one of a site's files.
func rejected(t *testing.T, files map[string]string, at string) bool {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	options := load.Options{Now: time.Unix(0, 0), TitleOf: func(string, []byte, int) string { return "Title" }}
	_, problems, err := load.Load(t.Context(), root, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Path == at && p.Severity == site.Error {
			return true
		}
	}
	return false
}

// The loader and the schema agree on every document in cases.yaml, except documents with the mark "loader", which only
// the loader can reject.
func TestSchemaAgreesWithLoader(t *testing.T) {
	source, err := os.ReadFile("testdata/cases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases, faults := tree.YAML(source, 1)
	if faults != nil {
		t.Fatal(faults)
	}
	schemas := compile(t)
	for _, c := range cases.Items {
		get := func(key string) string { return c.Get(key).Value.Text }
		t.Run(get("about"), func(t *testing.T) {
			name, document := get("schema"), get("document")
			root, faults := tree.YAML([]byte(document), 1)
			if faults != nil {
				t.Fatal(faults)
			}
			want := map[string][2]bool{"taken": {true, true}, "refused": {false, false}, "loader": {false, true}}[get("verdict")]
			if got := accepts(t, name, document); got != want[0] {
				t.Errorf("the loader takes it: %t, want %t", got, want[0])
			}
			if got := passes(t, schemas[name], root); got != want[1] {
				t.Errorf("the schema passes it: %t, want %t", got, want[1])
			}
		})
	}
}

// If the loader accepts a product.yaml, a site.yaml, or YAML front matter in its own test cases, the document is valid
// under the schema.
func TestSchemaAcceptsLoaderInput(t *testing.T) {
	names, err := filepath.Glob("../load/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	schemas := compile(t)
	held := 0
	for _, file := range names {
		if runtime.GOOS == "windows" && strings.Contains(file, "bad-paths") {
			continue // the operating system rejects such names
		}
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{"content/product.yaml": product, "content/site.yaml": config}
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "content/") && !strings.Contains(f.Name, "(quoted)") && len(f.Data) > 0 {
				files[f.Name] = string(f.Data)
			}
		}
		for _, f := range archive.Files {
			name, document, ok := schemaOf(f.Name, string(f.Data))
			if !ok || len(f.Data) == 0 || rejected(t, files, f.Name) {
				continue
			}
			root, faults := tree.YAML([]byte(document), 1)
			if faults != nil {
				t.Fatalf("%s: %s: %v", file, f.Name, faults)
			}
			if held++; !passes(t, schemas[name], root) {
				t.Errorf("%s: the schema refuses %s, which the loader takes:\n%s", file, f.Name, document)
			}
		}
	}
	if held < 15 {
		t.Errorf("only %d documents were held against the schemas", held)
	}
}

// schemaOf returns the YAML document in a site's file and the name of its schema.
func schemaOf(name, text string) (schemaName, document string, ok bool) {
	switch {
	case name == "content/product.yaml":
		return "product", text, true
	case name == "content/site.yaml":
		return "site", text, true
	case strings.HasPrefix(name, "content/") && strings.HasSuffix(name, ".md"):
		rest, front := strings.CutPrefix(text, "---\n")
		document, _, closed := strings.Cut(rest, "\n---\n")
		return "page", document, front && closed
	}
	return "", "", false
}

// The sample site's files are valid.
func TestSchemaPassesTheSampleSite(t *testing.T) {
	schemas := compile(t)
	for name, file := range map[string]string{"product": "product.yaml", "site": "site.yaml"} {
		source, err := os.ReadFile("../../content/" + file)
		if err != nil {
			t.Fatal(err)
		}
		root, faults := tree.YAML(source, 1)
		if faults != nil {
			t.Fatal(faults)
		}
		if !passes(t, schemas[name], root) {
			t.Errorf("the schema refuses content/%s", file)
		}
	}
}

// Every key at every level has a description that is a sentence.
func TestEveryKeyIsDescribed(t *testing.T) {
	for name, s := range map[string]shape.Shape{"product": load.ProductShape(), "site": load.ConfigShape(), "page": load.PageShape()} {
		if keys := described(t, name, &s); keys < 10 {
			t.Errorf("%s has %d keys", name, keys)
		}
	}
}

func described(t *testing.T, at string, s *shape.Shape) int {
	keys := len(s.Fields)
	for i := range s.Fields {
		f := &s.Fields[i]
		if len(f.About) < 10 || !strings.HasSuffix(f.About, ".") || strings.ToUpper(f.About[:1]) != f.About[:1] {
			t.Errorf("%s.%s: %q is no sentence", at, f.Name, f.About)
		}
		keys += described(t, at+"."+f.Name, &f.Shape)
	}
	if s.Item != nil {
		keys += described(t, at+"[]", s.Item)
	}
	return keys
}

// Any date that the loader accepts matches the schema's date pattern.
func FuzzDates(f *testing.F) {
	for _, s := range []string{"2026-03-14", "2026-03-14T09:30:00Z", "2026-03-14 9:30", "2026-03-14 09:30:15,5", "2026-03-14T09:30:00.123+24:00"} {
		f.Add(s)
	}
	date := load.PageShape()
	pattern := date.Get("date").Shape.Pattern
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "\n\r\"\\") || len(s) > 60 {
			return
		}
		root, faults := tree.YAML([]byte(`date: "`+s+`"`), 1)
		if faults != nil || !accepts(t, "page", `date: "`+s+`"`) || s == "" {
			return
		}
		if !matches(t, pattern, root.Get("date").Value.Text) {
			t.Errorf("the loader takes %q, which %s refuses", s, pattern)
		}
	})
}

func matches(t *testing.T, pattern, s string) bool {
	t.Helper()
	expression, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return expression.MatchString(s)
}
