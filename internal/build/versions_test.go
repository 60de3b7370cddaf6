package build

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// newVersioned returns an editor of the shared test site with versioned documentation.
func newVersioned(t *testing.T) *editor {
	archive, err := txtar.ParseFile("../lab/rig/versions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, r: rand.New(rand.NewPCG(1, 1)), root: t.TempDir(), warm: filepath.Join(t.TempDir(), "build")}
	for _, f := range archive.Files {
		e.write(f.Name, string(f.Data))
	}
	e.writeQuietPages()
	return e
}

// After a change to the versions of the documentation or to their pages, an incremental build equals a full build.
// Pages, links, lists, and the search depend on the pages of other versions.
func TestVersionsWarmEqualsCold(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newVersioned(t)
	e.compare("the first build")
	settings := e.read("content/site.yaml")
	page := "---\ndescription: A new page.\n---\n# New\n\nSee [the installation](/docs/install).\n"
	for _, edit := range []struct {
		what string
		make func()
	}{
		{"a text", func() { e.write("content/docs/v2/install.md", e.read("content/docs/v2/install.md")+"\nMore.\n") }},
		{"a page that only the current version had", func() { e.write("content/docs/v2/teams/roles.md", page) }},
		{"a page that only an old version had", func() { e.write("content/docs/teams/guests.md", page) }},
		{"a page in only one version", func() { e.write("content/docs/v1/alone.md", page) }},
		{"an alias at the path of a page in another version", func() {
			e.write("content/docs/teams/everyone.md", "---\ndescription: All.\naliases: [/docs/alone]\n---\n# Everyone\n\nText.\n")
		}},
		{"a removed page", func() { e.remove("content/docs/teams/guests.md") }},
		{"a translation", func() {
			e.write("content/de/docs/v1/index.md", "---\nlayout: docs\ndescription: Eins.\n---\n# Handbuch\n\nText.\n")
		}},
		{"another title", func() { e.change("content/docs/v2/index.md", "title", "Old manual") }},
		{"an unlisted page", func() { e.change("content/docs/install.md", "unlisted", "true") }},
		{"another label", func() { e.write("content/site.yaml", strings.Replace(settings, `"2.x"`, `"2.0"`, 1)) }},
		{"another current version", func() {
			first, second, _ := strings.Cut(settings, "  - {path: docs, label: \"3.x\"}\n")
			second, third, _ := strings.Cut(second, "\n")
			e.write("content/site.yaml", first+second+"\n  - {path: docs, label: \"3.x\"}\n"+third)
		}},
		{"no versions", func() {
			without, _, _ := strings.Cut(settings, "versions:")
			e.write("content/site.yaml", without)
		}},
		{"versions", func() { e.write("content/site.yaml", settings) }},
	} {
		edit.make()
		e.compare(edit.what)
	}
}
