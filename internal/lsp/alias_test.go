package lsp

import (
	"testing"
	"time"

	"vitrine/internal/fix"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

// In every front matter syntax, the loader finds the new alias and the existing aliases.
func TestAlias(t *testing.T) {
	for source, want := range map[string][]string{
		"# A\n":                                          {"/old"},
		"---\ntitle: A\n---\n":                           {"/old"},
		"---\r\ntitle: A\r\n---\r\n":                     {"/old"},
		"---\ntitle: A\naliases: []\n---\n":              {"/old"},
		"---\naliases: [/a, /b]\ntitle: A\n---\n":        {"/old", "/a", "/b"},
		"---\naliases: /a\ntitle: A\n---\n":              {"/old", "/a"},
		"---\naliases:\n  - /a\n  - /b\ntitle: A\n---\n": {"/old", "/a", "/b"},
		"---\naliases:\n- /a\ntitle: A\n---\n":           {"/old", "/a"},
		"+++\ntitle = \"A\"\naliases = [\"/a\"]\n+++\n":  {"/old", "/a"},
		"+++\ntitle = \"A\"\n+++\n":                      {"/old"},
		"{\n\"title\": \"A\"\n}\n\nText.\n":              {"/old"},
		"<!-- ---\ntitle: A\n--- -->\n":                  {"/old"},
		"---\naliases: [/new, /b]\ntitle: A\n---\n":      {"/old", "/b"},
	} {
		opt := load.Options{TitleOf: func(string, []byte, int) string { return "A" }}
		page := load.Again("content/old.md", []byte(source), &site.Config{Location: time.UTC}, opt, nil).Page
		text, _, err := fix.Apply([]byte(source), []site.Edit{alias([]byte(source), page, "/new")})
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		read := load.Again("content/new.md", text, &site.Config{Location: time.UTC}, opt, nil)
		var got []string
		for _, a := range read.Page.Aliases {
			got = append(got, a.Path)
		}
		if len(read.Problems) > 0 || len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%q became %q, with the aliases %v and %v, want %v", source, text, got, read.Problems, want)
		}
	}
}
