package render

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/render/theme"
	"vitrine/internal/site"
	"vitrine/templates"
)

// now is the time of all builds in these tests.
var now = time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)

// built is a rendered site.
type built struct {
	site      *site.Site
	renderer  *Renderer
	resources map[string]artifact.Resource
	problems  []site.Problem
}

// body returns the body of the first variant at path.
func (b *built) body(t *testing.T, path string) string {
	t.Helper()
	r, ok := b.resources[path]
	if !ok {
		t.Fatalf("there is nothing at %s", path)
	}
	return string(r.Variants[0].Body)
}

// header returns the value of the variant's field called name, or "" if it is missing.
func (b *built) header(path string, variant int, name string) string {
	r := b.resources[path]
	if variant >= len(r.Variants) {
		return ""
	}
	for _, f := range r.Variants[variant].Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// sampleFacts returns the two files that every site needs.
func sampleFacts() map[string]string {
	return map[string]string{
		"content/product.yaml": `name: Parley
url: https://parley.example
description: Parley is practice software for sales teams.
audience: [Sales reps]
capabilities: [Voice role-play]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One call.
  unlimitedReps: true
  unlimitedTeams: true
  plans:
    - {name: Starter, monthlyPrice: 19, includedCredits: 40}
    - {name: Team, monthlyPrice: 49.50, includedCredits: 120}
  url: https://parley.example/pricing
contact: hello@parley.example
links: {signup: https://app.parley.example/signup}
`,
		"content/site.yaml": "baseURL: https://parley.example\ntitle: Parley\n",
	}
}

// with returns the files of sampleFacts and additional files.
func with(files ...string) map[string]string {
	all := sampleFacts()
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return all
}

// posts adds n articles, one per day, to files, and returns files. The oldest has the lowest number.
func posts(files map[string]string, n int) map[string]string {
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		files[fmt.Sprintf("content/blog/post-%03d.md", i)] = fmt.Sprintf("---\ntitle: Post %d\ndate: %s\n---\nText %d.\n",
			i, first.AddDate(0, 0, i).Format(time.DateOnly), i)
	}
	return files
}

// withoutImages disables social images, which would slow down tests of large sites.
func withoutImages(s *site.Site) { s.Config.Social.NoImages = true }

// build renders a site like package build, and fails the test if the site has errors.
func build(t testing.TB, files map[string]string, adjust ...func(*site.Site)) *built {
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
	// The parsers are keyed by language tag.
	var config *site.Config
	parsers := map[string]*markdown.Parser{"": markdown.New(markdown.Options{Highlight: true})}
	loaded, problems, err := load.Load(context.Background(), root, load.Options{
		Now: now, Facts: func(c *site.Config, values map[string]*facts.Values) {
			config = c
			for tag, v := range values {
				parsers[tag] = markdown.New(markdown.Options{Highlight: true}).WithFacts(v)
			}
		},
		TitleOf: func(path string, text []byte, body int) string {
			return parsers[site.LanguageOf(config, path)].Parse(path, text, body).Title()
		},
	})
	if err != nil || loaded == nil {
		t.Fatalf("loading: %v, %v", err, problems)
	}
	for _, f := range adjust {
		f(loaded)
	}
	b := &built{resources: make(map[string]artifact.Resource), problems: problems}
	b.render(t, loaded, root, parsers)
	slices.SortFunc(b.problems, func(a, b site.Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	if site.HasErrors(b.problems) {
		t.Fatalf("the site has errors: %v", b.problems)
	}
	return b
}

func (b *built) render(t testing.TB, loaded *site.Site, root *folder.Folder, parsers map[string]*markdown.Parser) {
	t.Helper()
	overrides, err := fs.Sub(root.FS(), folder.Templates)
	b.take(t, nil, err)
	used, problems, err := theme.Load(loaded, root.FS(), templates.FS, overrides)
	b.take(t, problems, err)
	themed, problems, err := used.Plan(loaded)
	b.take(t, problems, nil)
	b.take(t, nil, err)
	b.site, problems, err = plan.Complete(loaded, themed, func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return load.ParsePage(name, path, text, loaded.Config)
	}, nil)
	b.take(t, problems, err)
	b.take(t, used.TitleProblems(b.site), nil)
	index, problems := site.NewIndex(b.site, append(plan.GeneratedPaths(b.site), used.AssetPaths()...))
	b.take(t, problems, nil)
	b.renderer = New(b.site, func() *site.Index { return index }, used, Dates{Source: (*site.Page).Modified, Facts: loaded.Product.Updated}, Options{})
	for _, p := range b.site.Pages {
		text := p.Text
		if text == nil {
			if text, err = root.ReadFile(filepath.FromSlash(p.Source)); err != nil {
				t.Fatal(err)
			}
		}
		read := parsers[p.Language]
		if p.Text != nil {
			read = markdown.New(markdown.Options{Highlight: true})
		}
		doc := read.With(used.Components(p.Language)).ParsePage(p, text, p.Body)
		for _, link := range doc.Links() {
			if target, err := index.Resolve(p, link.Destination); err == nil {
				link.Target = string(target.URL)
			}
		}
		page, err := b.renderer.Page(p, doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.renderer.Collect(page); err != nil {
			t.Fatal(err)
		}
		b.add(t, copied(b.renderer.Resources(page))...)
		b.release(page)
	}
	for _, output := range b.renderer.SiteOutputs(t.Context()) {
		resources, err := output.Make()
		if err != nil {
			t.Fatal(err)
		}
		b.add(t, resources...)
	}
	for _, f := range b.site.Files {
		r, err := b.renderer.File(root.FS(), f)
		if err != nil {
			t.Fatal(err)
		}
		b.add(t, r)
	}
}

// release overwrites a page's representations before it releases them, as the next page may. Data that Collect keeps
// must not share their memory.
func (b *built) release(page *Rendered) {
	for _, text := range [][]byte{page.HTML, page.Markdown} {
		for i := range text {
			text[i] = 'x'
		}
	}
	b.renderer.Release(page)
}

// copied returns resources with copies of their bodies.
func copied(resources []artifact.Resource) []artifact.Resource {
	for _, r := range resources {
		for i := range r.Variants {
			r.Variants[i].Body = bytes.Clone(r.Variants[i].Body)
		}
	}
	return resources
}

func (b *built) take(t testing.TB, problems []site.Problem, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b.problems = append(b.problems, problems...)
}

func (b *built) add(t testing.TB, resources ...artifact.Resource) {
	t.Helper()
	for _, r := range resources {
		if other, taken := b.resources[r.Path]; taken && !bytes.Equal(other.Variants[0].Body, r.Variants[0].Body) {
			t.Errorf("two resources are at %s", r.Path)
		}
		b.resources[r.Path] = r
	}
}
