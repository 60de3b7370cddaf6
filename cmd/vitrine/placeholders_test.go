package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
)

// Placeholders are found in every kind of output. A page may contain www.example.com, which is a placeholder only in
// robots.txt.
func TestPlaceholdersInOutputs(t *testing.T) {
	facts := `{"name": "Acorn", "plans": [{"name": "Solo"}]}`
	for name, c := range map[string]struct{ file, text, want string }{
		"none":          {"index.html", `<a href="https://www.example.com/">https://www.example.com</a> hello@example.com`, ""},
		"the facts":     {"api/v1/marketing.json", `{"name": "Acorn", "contact": "hello@example.com"}`, `the build publishes the placeholder "hello@example.com"; run`},
		"a page":        {"a/b.html", "<li>People who have a question that the product answers</li>", `a/b.html publishes the placeholder "People who`},
		"its Markdown":  {"b.md", "Acorn is a product that this line describes.", `b.md publishes the placeholder " is a product that this line describes."; run`},
		"the address":   {"robots.txt", "User-agent: *\nSitemap: https://www.example.com/sitemap.xml\n", `robots.txt publishes the placeholder "https://www.example.com"`},
		"another robot": {"robots.txt", "Sitemap: https://www.example.company/sitemap.xml\n", ""},
		"a picture":     {"a.svg", "One thing that it does", ""},
	} {
		dir := t.TempDir()
		files := map[string]string{"api/v1/marketing.json": facts}
		files[c.file] = c.text
		for file, text := range files {
			path := filepath.Join(dir, "public", filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := withoutPlaceholders(t.Context(), new(artifact.Build), dir)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
