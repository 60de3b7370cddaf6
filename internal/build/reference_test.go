package build_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/site"
)

// TestReferenceLeavesAuthorsPages writes pages at the default addresses of the API reference. The reference appears on
// such a page only if site.yaml sets its address.
func TestReferenceLeavesAuthorsPages(t *testing.T) {
	const mark, text = "getProductInformation", "Our own interface."
	page := "---\ntitle: Ours\ndescription: Ours.\n---\n\n" + text + "\n"
	for name, c := range map[string]struct {
		settings string
		pages    []string
		at, want string // address of the author's page, and address of the reference
		former   bool   // /docs/api redirects
	}{
		"no page":                 {"", nil, "", "openapi", true},
		"page at the old default": {"", []string{"docs/api.md"}, "docs/api", "openapi", false},
		"folder":                  {"", []string{"docs/api/index.md", "docs/api/more.md"}, "docs/api", "openapi", false},
		"page at the default":     {"", []string{"openapi.md"}, "openapi", "openapi-2", true},
		"draft":                   {"", []string{"openapi.md draft"}, "", "openapi-2", true},
		"in another language":     {"languages: {de: {}}\n", []string{"de/openapi.md"}, "de/openapi", "openapi-2", true},
		"configured":              {"api: {documentation: /docs/api}\n", []string{"docs/api.md"}, "docs/api", "docs/api", false},
		"configured elsewhere":    {"api: {documentation: /data}\n", []string{"docs/api.md"}, "docs/api", "data", false},
	} {
		t.Run(name, func(t *testing.T) {
			files := rig.TinySite("Tiny", c.settings)
			for _, p := range c.pages {
				file, draft := strings.CutSuffix(p, " draft")
				files["content/"+file] = page
				if draft {
					files["content/"+file] = strings.Replace(page, "---\n", "---\ndraft: true\n", 1)
				}
			}
			out := filepath.Join(t.TempDir(), "out")
			_, problems, err := build.Build(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
			if err != nil || site.HasErrors(problems) {
				t.Fatal(err, problems)
			}
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(out, "public", name))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			for _, form := range []string{".html", ".md"} {
				if !strings.Contains(read(c.want+form), mark) {
					t.Errorf("%s%s has no reference", c.want, form)
				}
				if c.at == "" {
					continue
				}
				if own := read(c.at + form); !strings.Contains(own, text) || strings.Contains(own, mark) != (c.at == c.want) {
					t.Errorf("%s%s is not the author's page:\n%s", c.at, form, own)
				}
			}
			if catalog := read(".well-known/api-catalog"); !strings.Contains(catalog, "https://tiny.example/"+c.want+`"`) {
				t.Errorf("the API catalog names another page:\n%s", catalog)
			}
			served, err := decide.NewSite(rig.Open(t, out))
			if err != nil {
				t.Fatal(err)
			}
			answer := httptest.NewRecorder()
			serve.NewHandler(served, serve.HandlerOptions{}).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://tiny.example/docs/api", nil))
			if to := answer.Header().Get("Location"); (answer.Code == http.StatusPermanentRedirect && to == "/"+c.want) != c.former {
				t.Errorf("GET /docs/api: %d, Location %q", answer.Code, to)
			}
		})
	}
}

// A folder content/api that contains the site's API reference causes one error, at the folder.
func TestReservedFolder(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["content/api/index.md"] = "---\ntitle: API\ndescription: Ours.\nlayout: api\nopenapi: openapi.yaml\n---\nRead on.\n"
	files["content/api/openapi.yaml"] = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ntags: [{name: Users}]\npaths:\n  /users: {get: {tags: [Users], operationId: list, responses: {'200': {description: OK}}}}\n"
	files["content/more.md"] = "---\ntitle: More\ndescription: More.\n---\nSee [the API](api/index.md).\n"
	_, problems, err := build.Build(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: filepath.Join(t.TempDir(), "out")}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, p := range problems {
		if p.Severity == site.Error {
			wrong = append(wrong, p.String())
		}
	}
	const want = "content/api: error: everything under /api belongs to the JSON API; rename this folder, for example to content/api-reference [V009]"
	if len(wrong) != 1 || wrong[0] != want {
		t.Errorf("got %q, want %q", wrong, want)
	}
}

// A card that contains only a link shows the title and the description of the linked page. It is updated even if only
// the linked page has changed since the last build.
func TestCardsOfPages(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["content/more.md"] = "---\ntitle: More\ndescription: More.\n---\n::card{link=other.md}\n"
	files["content/other.md"] = "---\ntitle: Other\ndescription: First.\n---\nText.\n"
	root, out := rig.Site(t, files), filepath.Join(t.TempDir(), "out")
	for _, about := range []string{"First.", "Second."} {
		text := "---\ntitle: Other\ndescription: " + about + "\n---\nText.\n"
		if err := os.WriteFile(filepath.Join(root, "content/other.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, problems, err := build.Build(context.Background(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
		if err != nil || site.HasErrors(problems) {
			t.Fatal(err, problems)
		}
		page, err := os.ReadFile(filepath.Join(out, "public/more.html"))
		if err != nil {
			t.Fatal(err)
		}
		if want := `<p class="card-title"><a href="/other">Other</a></p>` + "\n<p>" + about + "</p>"; !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

// Stray Markdown marks in the prose of an OpenAPI description aren't reported. The prose has another author, and the
// reported positions would be on the generated page.
func TestDescriptionProseIsNotJudged(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["content/reference/index.md"] = "---\ntitle: Reference\ndescription: The API.\nlayout: api\nopenapi: openapi.yaml\n---\n\nText.\n"
	files["content/reference/openapi.yaml"] = `openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      summary: List the orders
      description: "Lists **orders and a ` + "`" + ` sign.\n\n-one\n-two\n\n` + "```javscript\\na\\n```" + `\n\n| a | b |\n|---|---|\n| 1 | 2 | 3 |"
      responses:
        "200": {description: "The **orders"}
`
	_, problems, err := build.Check(t.Context(), build.Source{Root: rig.Site(t, files)}, build.CheckOptions{}, build.Observer{})
	for _, p := range problems {
		if strings.HasPrefix(p.Path, "content/reference/") && p.Code != rule.Orphan {
			t.Error(p)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
