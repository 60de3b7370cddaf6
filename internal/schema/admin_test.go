package schema_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/schema"
	"vitrine/internal/site"
)

// edited returns a site with the content editor enabled.
func edited() *site.Site {
	return &site.Site{
		Config: site.Config{
			BaseURL: "https://acorn.example",
			Admin: &site.Admin{
				Pos: site.Pos{Line: 3, Col: 1},
				Backend: []site.Setting{
					{Key: "name", Value: "gitea", Text: true},
					{Key: "base_url", Value: "https://code.acorn.example/x", Text: true},
					{Key: "squash_merges", Value: "true"},
				},
			},
		},
		Pages: []*site.Page{
			{Source: "content/index.md", Path: "/"},
			{Source: "content/docs/index.md", Path: "/docs"},
			{Source: "content/docs/setup.md", Path: "/docs/setup"},
			{Source: "content/blog/flat.md", Path: "/blog/flat"},
			{Source: "templates/pages/cli.md", Path: "/cli", Text: []byte("The theme's.")},
		},
		Withheld: []*site.Page{{Source: "content/secret/plan.md", Path: "/secret/plan", Draft: true}},
		Files:    []site.File{{Path: schema.AdminScript}},
	}
}

// adminConfig is the part of the configuration that the tests check.
type adminConfig struct {
	Backend     map[string]any
	Collections []struct {
		Name, Folder, Path string
		Create             bool
		Fields             []struct {
			Name, Widget, Hint string
			Required           bool
		}
	}
}

func readConfig(t *testing.T, s *site.Site) adminConfig {
	t.Helper()
	admin, err := schema.AdminOf(s)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(admin.Config), "\n")
	var config adminConfig
	if err := json.Unmarshal([]byte(body), &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// Every published page is in a collection, and the configuration doesn't mention drafts.
func TestAdminCollections(t *testing.T) {
	config := readConfig(t, edited())
	var got []string
	for _, c := range config.Collections {
		got = append(got, c.Name+" "+c.Folder+" "+c.Path)
	}
	want := []string{
		"articles content/blog {{slug}}/index",
		"pages content {{slug}}",
		"pages-folders content {{slug}}/index",
		"pages-blog content/blog {{slug}}",
		"pages-docs content/docs {{slug}}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("collections\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if config.Backend["name"] != "gitea" || config.Backend["squash_merges"] != true {
		t.Errorf("backend %v", config.Backend)
	}
}

// The editor's fields are keys of front matter and the text, and only an article requires a date.
func TestAdminFields(t *testing.T) {
	config := readConfig(t, edited())
	for _, c := range config.Collections[:2] {
		widgets := make(map[string]string)
		for _, f := range c.Fields {
			widgets[f.Name] = f.Widget
			if f.Name == "date" && f.Required != (c.Name == "articles") {
				t.Errorf("%s: the date is required: %t", c.Name, f.Required)
			}
			if f.Name != "body" && f.Hint == "" {
				t.Errorf("%s.%s has no hint", c.Name, f.Name)
			}
		}
		for name, want := range map[string]string{
			"title": "string", "date": "string", "draft": "boolean", "tags": "list", "aliases": "", "author": "", "order": "number", "image": "image", "body": "markdown", "params": "",
		} {
			if widgets[name] != want {
				t.Errorf("%s.%s is a %q, want %q", c.Name, name, widgets[name], want)
			}
		}
	}
}

// The policy allows the editor to connect only to its backend, and to run only the site's script.
func TestAdminPolicy(t *testing.T) {
	admin, err := schema.AdminOf(edited())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"default-src 'none'; script-src 'self';", "connect-src 'self' blob: data: https://gitea.com https://code.acorn.example;",
	} {
		if !strings.Contains(admin.Policy, want) {
			t.Errorf("%q is not in %s", want, admin.Policy)
		}
	}
}

// Resources have the paths that Paths returns. They include the content editor only if site.yaml enables it.
func TestResources(t *testing.T) {
	plain := edited()
	plain.Config.Admin = nil
	for _, s := range []*site.Site{edited(), plain} {
		resources, err := schema.Resources(s)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, r := range resources {
			paths = append(paths, r.Path)
			if r.Kind == artifact.KindFile && r.Variants[0].Fields[0].Name != "Content-Type" {
				t.Errorf("%s: fields %v", r.Path, r.Variants[0].Fields)
			}
		}
		if !slices.Equal(paths, schema.Paths(s)) {
			t.Errorf("paths %v, want %v", paths, schema.Paths(s))
		}
		if editor := slices.Contains(paths, "/admin"); editor != (s.Config.Admin != nil) {
			t.Errorf("/admin is there: %t", editor)
		}
	}
}

// A missing script of the editor, and params that the editor would damage, are reported.
func TestAdminProblems(t *testing.T) {
	s := edited()
	if problems := schema.AdminProblems(s); problems != nil {
		t.Errorf("problems %v", problems)
	}
	s.Files = nil
	s.Pages[0].Params = map[string]any{"list": []any{map[string]any{"a.b": 1}}}
	problems := schema.AdminProblems(s)
	if len(problems) != 2 || problems[0].Line != 3 || problems[0].Severity != site.Error || !strings.Contains(problems[1].Text, `"a.b"`) {
		t.Errorf("problems %v", problems)
	}
	s.Config.Admin = nil
	if problems := schema.AdminProblems(s); problems != nil {
		t.Errorf("problems %v", problems)
	}
}
