package site_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// whole is a simple index in which every form of every page has its own entry.
type whole struct {
	exact, folded map[string]string
	problems      []string
}

// add indexes path, which belongs to the file source. what describes the resource at path and differs between
// resources.
func (w *whole) add(source, path, what string) bool {
	if _, taken := w.exact[path]; taken {
		w.problems = append(w.problems, fmt.Sprintf("%s: %s is already the address of", source, path))
		return false
	}
	if other, taken := w.folded[strings.ToLower(path)]; taken {
		w.problems = append(w.problems, fmt.Sprintf("%s: %s differs only in case from %s,", source, path, other))
		return false
	}
	w.exact[path], w.folded[strings.ToLower(path)] = what, path
	return true
}

func newWhole(s *site.Site, generated []string) *whole {
	w := &whole{exact: map[string]string{}, folded: map[string]string{}}
	for _, path := range generated {
		w.add("", path, "generated")
	}
	for _, p := range s.Pages {
		if w.add(p.Source, p.Path, "page "+p.Path) {
			w.add(p.Source, p.MarkdownPath(), "twin")
			w.add(p.Source, "/"+p.HTMLFile(), "old "+p.Path)
		}
	}
	for _, f := range s.Files {
		w.add(f.Source, f.Path, "file")
	}
	for _, p := range s.Pages {
		for _, a := range p.Aliases {
			w.add(p.Source, a.Path, "old "+p.Path)
		}
	}
	return w
}

// An Index contains the same resources, and reports the same conflicts, as an index with an entry for each form of each
// page, even if other entries look like such a form.
func TestForms(t *testing.T) {
	stems := []string{"/", "/index", "/Index", "/İndex", "/a", "/A", "/b", "/a.md", "/B.HTML", "/.md"}
	var paths []string
	for _, stem := range stems {
		paths = append(paths, stem, stem+".md", stem+".html", stem+".MD")
	}
	random := rand.New(rand.NewPCG(1, 2))
	some := func() string { return paths[random.IntN(len(paths))] }
	for range 20_000 {
		s := &site.Site{Config: site.Config{BaseURL: "https://x.example"}}
		var generated []string
		for range random.IntN(2) {
			generated = append(generated, some())
		}
		for i := range random.IntN(4) {
			p := &site.Page{Source: fmt.Sprintf("content/%d.md", i), Path: stems[random.IntN(len(stems))]}
			for range random.IntN(2) {
				p.Aliases = append(p.Aliases, site.Alias{Path: some()})
			}
			s.Pages = append(s.Pages, p)
		}
		for i := range random.IntN(2) {
			s.Files = append(s.Files, site.File{Source: fmt.Sprintf("content/%d.txt", i), Path: some()})
		}
		index, problems := site.NewIndex(s, generated)
		want := newWhole(s, generated)
		var claims []site.Problem
		for _, p := range problems {
			if !strings.HasPrefix(p.Text, "the file ") {
				claims = append(claims, p)
			}
		}
		said := len(claims) == len(want.problems)
		for i := range claims {
			said = said && strings.HasPrefix(claims[i].Path+": "+claims[i].Text, want.problems[i])
		}
		if !said {
			t.Fatalf("%v: got %v, want %v", s.Pages, claims, want.problems)
		}
		for _, path := range paths {
			target, err := index.Resolve(&site.Page{Path: "/", Source: "content/x.md"}, path)
			got := ""
			switch {
			case err != nil:
			case target.Redirects:
				got = "old " + target.Page.Path
			case target.Page != nil:
				got = "page " + target.Page.Path
			default:
				got = want.exact[path]
			}
			if got != want.exact[path] || (err == nil) != (got != "") {
				t.Fatalf("%s is %q, %v; want %q", path, got, err, want.exact[path])
			}
		}
	}
}
