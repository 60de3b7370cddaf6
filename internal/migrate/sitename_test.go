package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A site whose settings have no name is named after its README, its package, or its folder, in that order.
func TestNameOfSite(t *testing.T) {
	page := "# Guide\n\nText.\n"
	for _, test := range []struct {
		name, want, from string
		files            map[string]string
	}{
		{"readme", "Acorn Server", "README.md", map[string]string{"README.md": "[![Build](b.svg)](https://ci.example)\n\n```sh\n# a comment\n```\n\n# ![](logo.svg) Acorn Server: fast *and* small\n", "docs/a.md": page, "package.json": `{"name": "@acorn/website", "description": "Serves acorns."}`}},
		{"package", "Acorn site", "package.json", map[string]string{"README.md": "# Documentation website\n", "docs/a.md": page, "package.json": `{"name": "@oak/acorn-site"}`}},
		{"acorn-handbook", "Acorn handbook", "the folder's name", map[string]string{"docs/a.md": page, "docs/b.md": page}},
	} {
		t.Run(test.name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), test.name)
			for name, text := range test.files {
				write(t, filepath.Join(from, name), []byte(text))
			}
			result, err := Import(t.Context(), Options{From: from, Kind: "markdown", NoCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(result.To, "content/site.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			if want := "# From " + test.from + ", because the settings have no name.\ntitle: " + test.want + "\n"; !strings.Contains(string(text), want) {
				t.Errorf("site.yaml lacks %q:\n%s", want, text)
			}
			if test.name == "readme" && !strings.Contains(string(text), "description: Serves acorns.") {
				t.Errorf("site.yaml lacks the package's description:\n%s", text)
			}
		})
	}
}

// An article without a date gets the date in its file name, as in VuePress.
func TestDateInFileName(t *testing.T) {
	from := folderOfFiles(t, map[string]string{".vuepress/config.js": "module.exports = { title: 'T' }", "README.md": "# T\n", "blog/2019-08-23-first.md": "---\ntitle: First\n---\n\nText.\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(result.To, "content/blog/2019-08-23-first.md"))
	if err != nil || !strings.Contains(string(text), "date: 2019-08-23\n") || len(result.Notes) > 0 {
		t.Errorf("the article is\n%s%v, with %d notes", text, err, len(result.Notes))
	}
}
