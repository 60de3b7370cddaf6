package plan

import (
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"

	"vitrine/internal/site"
)

// polyglot returns a site in English, German, and Japanese with pages at the given paths. "path>original" is a page
// whose front matter names its original.
func polyglot(paths ...string) *site.Site {
	s := &site.Site{Config: site.Config{Language: "en", Languages: []site.Language{{Tag: "de"}, {Tag: "ja"}}}}
	for _, path := range paths {
		path, original, _ := strings.Cut(path, ">")
		p := &site.Page{Path: path, Source: "content" + path + ".md", Title: path, Layout: "page", TranslationOf: site.Reference{Target: original}}
		for _, l := range s.Config.Languages {
			if path == "/"+l.Tag || strings.HasPrefix(path, "/"+l.Tag+"/") {
				p.Language = l.Tag
			}
		}
		s.Pages = append(s.Pages, p)
	}
	slices.SortFunc(s.Pages, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) })
	for _, tag := range []string{"", "de", "ja"} {
		v := &site.Site{Config: s.Config, Language: tag}
		s.Languages = append(s.Languages, v)
	}
	return s
}

// Pages are translations of each other if their paths within their languages are equal or if one page names the other
// as its original. A wrong name causes one error.
func TestTranslations(t *testing.T) {
	for name, c := range map[string]struct {
		pages   []string
		waiting string
		// page is the page with the translations in want, which include the page itself. problem is a part of the text
		// of the only problem.
		page, want, problem string
	}{
		"by path":                       {pages: []string{"/a", "/de/a", "/ja/a", "/ja/b"}, page: "/de/a", want: "/a /de/a /ja/a"},
		"without a translation":         {pages: []string{"/a", "/de/b"}, page: "/a"},
		"without the site's own":        {pages: []string{"/de/a", "/ja/a"}, page: "/ja/a", want: "/de/a /ja/a"},
		"by translationOf":              {pages: []string{"/pricing", "/de/preise>/pricing", "/ja/pricing"}, page: "/pricing", want: "/pricing /de/preise /ja/pricing"},
		"with a slash":                  {pages: []string{"/pricing", "/de/preise>/pricing/"}, page: "/de/preise", want: "/pricing /de/preise"},
		"names another translation":     {pages: []string{"/de/a", "/ja/b>/de/a"}, page: "/de/a", want: "/de/a /ja/b"},
		"named by the default language": {pages: []string{"/a>/ja/b", "/de/a", "/ja/b"}, page: "/de/a", want: "/a /de/a /ja/b"},
		"missing original":              {pages: []string{"/pricing", "/de/x>/prcing"}, page: "/de/x", problem: `there is no page /prcing; did you mean "/pricing"?`},
		"renamed original":              {pages: []string{"/is", "/de/x>/was"}, page: "/de/x", problem: `there is no page /was; did you mean "/is"?`},
		"itself":                        {pages: []string{"/de/x>/de/x"}, page: "/de/x", problem: "is this page itself"},
		"same language":                 {pages: []string{"/de/x>/de/y", "/de/y"}, page: "/de/x", problem: "is in the same language"},
		"original is a translation":     {pages: []string{"/a", "/de/x>/a", "/ja/y>/de/x"}, page: "/a", want: "/a /de/x", problem: "itself translates /a"},
		"each other":                    {pages: []string{"/de/x>/ja/x", "/ja/x>/de/x"}, page: "/nothing", problem: ""},
		"named by two pages":            {pages: []string{"/a", "/de/x>/a", "/de/y>/a"}, page: "/a", want: "/a /de/x", problem: "content/de/x.md is already the translation of /a;"},
		"named in addition to a translation by path": {pages: []string{"/a", "/de/a", "/de/x>/a"}, page: "/a", want: "/a /de/a", problem: "content/de/a.md is already the translation of /a;"},
		"draft original": {pages: []string{"/de/x>/a"}, waiting: "/a", page: "/de/x"},
	} {
		t.Run(name, func(t *testing.T) {
			s := polyglot(c.pages...)
			if c.waiting != "" {
				s.Withheld = []*site.Page{{Path: c.waiting}}
			}
			moved := func(sources ...string) string {
				return map[string]string{"content/was.md": "content/is.md"}[sources[0]]
			}
			problems := translations(s, moved)
			if name == "each other" {
				if len(problems) != 2 {
					t.Errorf("got %v, want a problem on each page", problems)
				}
				return
			}
			switch {
			case c.problem == "" && len(problems) > 0, c.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].Text, c.problem)):
				t.Errorf("got %v, want %q", problems, c.problem)
			}
			for _, p := range s.Pages {
				if p.Path != c.page {
					continue
				}
				var got []string
				for _, other := range p.Translations {
					got = append(got, other.Path)
				}
				if strings.Join(got, " ") != c.want {
					t.Errorf("%s is %q, want %s", p.Path, got, c.want)
				}
			}
		})
	}
}

// A page that was generated earlier, for example from an OpenAPI description, is on the site only once.
func TestGeneratedPagesInLanguages(t *testing.T) {
	s := polyglot("/api-reference", "/de")
	s.Pages = append(s.Pages[:1:1], &site.Page{Path: "/api-reference/list", Title: "List", Text: []byte("made"), Layout: "page"}, s.Pages[1])
	whole, problems, err := Complete(s, Theme{}, nil, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var got []string
	for _, p := range whole.Pages {
		got = append(got, p.Path)
	}
	if want := "/api-reference /api-reference/list /de"; strings.Join(got, " ") != want {
		t.Errorf("the site has %q, want %s", got, want)
	}
}

// Each language has lists of its own pages, with paths under the language's path, and a navigation that links to these
// pages.
func TestLanguagesAreSeparate(t *testing.T) {
	words := texttemplate.Must(texttemplate.New("").Parse(`{{range $n := .}}{{end}}{{define "tag-title"}}{{.Tag}}{{end}}{{define "tag-description"}}{{.Count}}{{end}}{{define "part-title"}}{{end}}{{define "part-description"}}{{end}}{{define "folder-title"}}{{.Folder}}{{end}}{{define "folder-description"}}{{.Count}}{{end}}`))
	s := polyglot("/a", "/de/a", "/b", "/blog/x", "/de/blog/x", "/ja/c")
	for _, p := range s.Pages {
		if p.IsPost() {
			p.Tags, p.Layout = []string{"News"}, "post"
		}
	}
	s.Config.Navigation = []site.NavigationItem{{Label: "A", Path: "/a"}, {Label: "B", Path: "/b#x"}, {Label: "Out", Path: "https://x.example/"}}
	s.Config.Footer = s.Config.Navigation
	theme := Theme{Words: words, Pages: []Source{{Path: "/", File: "pages/index.md"}, {Path: BlogPath, File: "pages/blog/index.md"}, {Path: TagsPath, File: "pages/tags.md"}}}
	theme.Languages = map[string]Theme{"de": theme, "ja": theme}
	whole, problems, err := Complete(s, theme, func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return &site.Page{Source: name, Path: path, Title: path, Text: []byte{}, Layout: "list"}, nil
	}, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for i, want := range []string{
		"/ /a /b /blog /blog/x /tags /tags/news", "/de /de/a /de/blog /de/blog/x /de/tags /de/tags/news", "/ja /ja/c",
	} {
		var got []string
		for _, p := range whole.Languages[i].Pages {
			got = append(got, p.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("language %d has %q, want %s", i, got, want)
		}
	}
	if len(whole.Pages) != 15 || !slices.IsSortedFunc(whole.Pages, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("the whole site has %d pages", len(whole.Pages))
	}
	german := whole.Languages[1]
	if got := german.Config.Navigation; len(got) != 2 || got[0].Path != "/de/a" || got[0].Label != "/de/a" || got[1].Label != "Out" {
		t.Errorf("the navigation in German is %v", got)
	}
	if got := german.Config.Footer; len(got) != 3 || got[0].Path != "/de/a" || got[1].Path != "/b#x" {
		t.Errorf("the footer in German is %v", got)
	}
	if l := NewLists(german); len(l.Posts) != 1 || l.Posts[0].Path != "/de/blog/x" || l.Tag("News").Path != "/de/tags/news" {
		t.Errorf("the articles in German are %v", l.Posts)
	}
	if x := german.Pages[3]; x.In("").Path != "/blog/x" || x.In("ja") != nil {
		t.Errorf("%s is %v", x.Path, x.Translations)
	}
}
