package build_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// manyKinds returns the files of a site with many kinds of pages: posts with tags and authors, a draft, a scheduled
// page, an API, images that several pages share, code from a file, a card, and components.
func manyKinds(t *testing.T) map[string]string {
	files := rig.TinySite("Tiny", "timeZone: Europe/Berlin\n")
	maps.Copy(files, map[string]string{
		"content/authors.yaml":           "jane: {name: Jane, picture: {src: photo.png, alt: Jane}}\n",
		"content/blog/index.md":          "---\ntitle: Blog\ndescription: News.\n---\n",
		"content/reference/index.md":     "---\ntitle: API\ndescription: Ours.\nlayout: api\nopenapi: openapi.yaml\n---\nRead on.\n",
		"content/reference/openapi.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ntags: [{name: Users}]\npaths:\n  /users: {get: {tags: [Users], operationId: list, responses: {'200': {description: OK}}}}\n",
		"content/photo.png":              photograph(t),
		"content/docs/index.md":          "---\ntitle: Documentation\ndescription: All.\nlayout: docs\n---\n\n::::tabs\n:::tab[A]\nOne\n:::\n:::tab[B]\nTwo\n:::\n::::\n",
		"content/docs/code.md":           "---\ntitle: Code\n---\n\n```go file=main.go\n```\n\n:::note\nRead [this](index.md).\n:::\n",
		"content/docs/card.md":           "---\ntitle: Card\n---\n\n:::cards\n:::card{link=\"code.md\"}\n:::\n:::\n",
		"content/blog/later.md":          "---\ntitle: Later\ndate: 2030-01-01\n---\n\nText.\n",
		"content/blog/draft.md":          "---\ntitle: Draft\ndate: 2020-01-01\ndraft: true\n---\n\nText.\n",
		"content/static/notes.txt":       "x\n",
		"main.go":                        "package main\n",
		"templates/words/en.yaml":        "home: Start\n",
		"content/blog/picture-2.md":      "---\ntitle: A picture\ndate: 2020-02-02\ncover: {src: ../photo.png, alt: A photograph}\n---\n\n![A photograph](../photo.png)\n",
	})
	for i := range 12 {
		files[fmt.Sprintf("content/blog/post-%d.md", i)] = fmt.Sprintf("---\ntitle: Post %d\ndescription: About %d.\ndate: 2020-03-%02d\nauthor: jane\ntags: [a, b%d]\n---\n\nText %d, [next](post-%d.md).\n", i, i, i+1, i%3, i, (i+1)%12)
	}
	return files
}

// For every kind of site, a build that is merged from parts equals a build in one run, even with more parts than pages.
func TestPartsOfSites(t *testing.T) {
	output := build.Output{Edges: true, NoSync: true, Codings: []artifact.Coding{artifact.Gzip}, SharedCodings: []artifact.Coding{artifact.Brotli}}
	now := time.Unix(1_780_000_000, 0)
	many := rig.Site(t, manyKinds(t))
	for _, c := range []struct {
		name   string
		source build.Source
		of     []int
	}{
		{"many kinds", build.Source{Root: many, Now: now, NoSocialImages: true}, []int{1, 3}},
		{"few pages", build.Source{Root: rig.Site(t, rig.TinySite("Tiny", "")), NoSocialImages: true}, []int{30}},
		{"drafts", build.Source{Root: many, Now: now, Drafts: true, Strict: true, NoSocialImages: true}, []int{2}},
		{"preview", build.Source{Root: many, Now: now, NoSocialImages: true, BaseURL: "https://preview.example/below"}, []int{2}},
		{"documentation", build.Source{Root: rig.Site(t, rig.DocumentationSite(30)), NoSocialImages: true}, []int{16}},
		{"languages", build.Source{Root: rig.Site(t, rig.LanguagesSite()), NoSocialImages: true}, []int{3}},
		{"versions", build.Source{Root: rig.Site(t, rig.VersionsSite()), NoSocialImages: true}, []int{5}},
		{"path", build.Source{Root: rig.Site(t, rig.PathSite())}, []int{2}},
		{"sample", build.Source{Root: rig.Root(t)}, []int{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, of := range c.of {
				if same, built := build.CompareParts(t, c.source, output, of, c.name); same && !built {
					t.Errorf("%s has errors, so it was not built", c.name)
				}
			}
		})
	}
}

// If parts are merged into the same folder twice, the second build is the same as the first. A later build in that
// folder reuses the merged build, and after an edit, it equals a full build.
func TestBuildAfterMerge(t *testing.T) {
	root, folder := rig.Site(t, manyKinds(t)), t.TempDir()
	source := build.Source{Root: root, NoSocialImages: true, Now: time.Unix(1_780_000_000, 0)}
	whole := build.Output{Out: filepath.Join(folder, "whole"), NoSync: true}
	makeParts(t, source, folder, 2)
	merge := func() build.Result {
		t.Helper()
		result, problems, err := build.Merge(t.Context(), []string{filepath.Join(folder, "parts")}, build.Source{Root: root}, whole, build.Observer{})
		if err != nil || site.HasErrors(problems) {
			t.Fatal(err, problems)
		}
		return result
	}
	first := merge()
	if again := merge(); again.Build != first.Build || again.Unchanged {
		t.Errorf("the second merge is %+v", again.Summary)
	}
	unchanged, _, err := build.Build(t.Context(), source, whole, build.Observer{})
	if err != nil || !unchanged.Unchanged || unchanged.Build != first.Build {
		t.Errorf("the build after the merge is %+v, %v", unchanged.Summary, err)
	}
	edit(t, root, "content/blog/post-3.md", "---\ntitle: Post 3\ndate: 2020-03-04\n---\n\nOther.\n")
	warm, _, err := build.Build(t.Context(), source, whole, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	whole.Out = filepath.Join(folder, "cold")
	if cold, _, err := build.Build(t.Context(), source, whole, build.Observer{}); err != nil || cold.Build != warm.Build {
		t.Errorf("after an edit the build that continues the merge is %+v, and a cold one %+v, %v", warm.Summary, cold.Summary, err)
	}
}

func makeParts(t *testing.T, source build.Source, folder string, of int) {
	t.Helper()
	for number := 1; number <= of; number++ {
		output := build.Output{Out: filepath.Join(folder, "parts", fmt.Sprint(number)), NoSync: true, Part: build.Part{Number: number, Of: of}}
		if _, problems, err := build.Build(t.Context(), source, output, build.Observer{}); err != nil || site.HasErrors(problems) {
			t.Fatal(err, problems)
		}
	}
}

func edit(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Merge returns an error that names a part if the parts were built from other sources than those in the folder.
func TestMergeRejectsOtherSources(t *testing.T) {
	now := time.Unix(1_780_000_000, 0)
	photo := photograph(t)
	root, folder := rig.Site(t, manyKinds(t)), t.TempDir()
	makeParts(t, build.Source{Root: root, NoSocialImages: true, Now: now}, folder, 2)
	for name, c := range map[string]struct {
		change func(root, parts string)
		want   string
	}{
		"text":     {func(root, _ string) { edit(t, root, "content/docs/card.md", "---\ntitle: Card\n---\n\nText.\n") }, "was built from different sources"},
		"new page": {func(root, _ string) { edit(t, root, "content/docs/new.md", "---\ntitle: New\n---\n\nText.\n") }, "was built from different sources"},
		"facts": {func(root, _ string) {
			edit(t, root, "content/site.yaml", "baseURL: https://tiny.example\ntitle: Other\n")
		}, "was built from different sources"},
		"authors":  {func(root, _ string) { edit(t, root, "content/authors.yaml", "jane: {name: Jane B.}\n") }, "was built from different sources"},
		"template": {func(root, _ string) { edit(t, root, "templates/words/en.yaml", "home: Begin\n") }, "was built from different sources"},
		"description": {func(root, _ string) {
			edit(t, root, "content/reference/openapi.yaml", strings.ReplaceAll(manyKinds(t)["content/reference/openapi.yaml"], "OK", "ok"))
		}, "was built from different sources"},
		"code":  {func(root, _ string) { edit(t, root, "main.go", "package other\n") }, "shows code from main.go"},
		"image": {func(root, _ string) { edit(t, root, "content/photo.png", photo[:len(photo)-1]+"x") }, "shows /photo.png, which has changed"},
		"time": {func(root, parts string) {
			source := build.Source{Root: root, NoSocialImages: true, Now: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)}
			output := build.Output{Out: filepath.Join(parts, "2"), NoSync: true, Part: build.Part{Number: 2, Of: 2}}
			if _, _, err := build.Build(t.Context(), source, output, build.Observer{}); err != nil {
				t.Fatal(err)
			}
		}, "part 1/2 was built before 2030-01-01T00:00:00+01:00, when a page was due"},
	} {
		t.Run(name, func(t *testing.T) {
			here, parts := filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "parts")
			if err := errors.Join(os.CopyFS(here, os.DirFS(root)), os.CopyFS(parts, os.DirFS(filepath.Join(folder, "parts")))); err != nil {
				t.Fatal(err)
			}
			c.change(here, parts)
			_, problems, err := build.Merge(t.Context(), []string{parts}, build.Source{Root: here}, build.Output{Out: filepath.Join(t.TempDir(), "whole")}, build.Observer{})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "/2") {
				t.Errorf("the merge ends with %v, and %v", err, problems)
			}
		})
	}
}
