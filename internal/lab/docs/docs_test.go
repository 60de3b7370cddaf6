// Package docs checks Vitrine's documentation, which is a Vitrine site but is also readable on a code host. It contains
// only tests.
package docs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// repository is the prefix of links to files outside the documentation, as in docs/site.yaml.
const repository = "https://code.example/vitrine"

// The tests for pages, links, and search share one build of the documentation.
func TestDocumentation(t *testing.T) {
	out, pages := built(t)
	t.Run("pages and links", func(t *testing.T) { pagesAndLinks(t, out, pages) })
	t.Run("search", func(t *testing.T) { search(t, out) })
}

// built builds the documentation like make docs, and returns the build's folder and the names of the pages. The build
// must have no problems of any level.
func built(t *testing.T) (out string, pages []string) {
	t.Helper()
	root, out := t.TempDir(), filepath.Join(t.TempDir(), "build")
	if err := os.CopyFS(filepath.Join(root, "content"), os.DirFS(filepath.Join(rig.Root(t), "docs"))); err != nil {
		t.Fatal(err)
	}
	source, output := build.Source{Root: root, Strict: true, NoSocialImages: true}, build.Output{Out: out, NoSync: true}
	_, problems, err := build.Build(t.Context(), source, output, build.Observer{})
	if err != nil || len(problems) > 0 {
		t.Fatalf("the documentation has problems: %v, %v", problems, err)
	}
	for _, file := range markdownFiles(t, "docs") {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "docs"), ".md")
		pages = append(pages, cmp.Or(strings.TrimSuffix(name, "/index"), "/"))
	}
	if len(pages) < 40 {
		t.Fatalf("the documentation is %v", pages)
	}
	return out, pages
}

// links returns the targets of all links and images on a page, the targets of the links in its sidebar, and the IDs of
// its elements.
func links(t *testing.T, page []byte) (all, sidebar []string, ids map[string]bool) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids = make(map[string]bool)
	var walk func(n *html.Node, tree bool)
	walk = func(n *html.Node, tree bool) {
		for _, a := range n.Attr {
			switch {
			case a.Key == "class" && n.Data == "nav" && a.Val == "tree":
				tree = true
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href" || a.Key == "src":
				if all = append(all, a.Val); tree {
					sidebar = append(sidebar, a.Val)
				}
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, tree)
		}
	}
	walk(root, false)
	return all, sidebar, ids
}

// Each file is a page. The sidebar of each page, except the landing page, links to all pages. Every link on every page
// works: a link within the site resolves to a served resource with its anchor, and a link to the repository resolves to
// an existing file.
func pagesAndLinks(t *testing.T, out string, pages []string) {
	served, err := decide.NewSite(rig.Open(t, out))
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(served, serve.HandlerOptions{})
	get := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://vitrine.example"+path, nil))
		return answer
	}
	beside := 0
	for _, page := range pages {
		answer := get(page)
		if answer.Code != http.StatusOK {
			t.Fatalf("%s returned %d", page, answer.Code)
		}
		all, sidebar, _ := links(t, answer.Body.Bytes())
		if slices.Sort(sidebar); page != "/" && !slices.Equal(slices.Compact(sidebar), slices.Sorted(slices.Values(pages))) {
			t.Errorf("the sidebar of %s leads to %v", page, sidebar)
		}
		for _, link := range all {
			u, err := url.Parse(link)
			if err != nil {
				t.Fatal(err)
			}
			at, inRepository := strings.CutPrefix(u.Scheme+"://"+u.Host+u.Path, repository)
			switch {
			case inRepository:
				beside++
				name := strings.TrimPrefix(strings.TrimPrefix(at, "/blob/main"), "/edit/main")
				if _, err := os.Stat(filepath.Join(rig.Root(t), filepath.FromSlash(name))); err != nil {
					t.Errorf("%s links to %s, which is no file: %v", page, link, err)
				}
			case u.Host == "" || u.Host == "vitrine.example":
				target := get(u.EscapedPath())
				if u.Path == "" {
					target = answer
				}
				if target.Code != http.StatusOK {
					t.Errorf("%s links to %s, which returned %d", page, link, target.Code)
				} else if _, _, ids := links(t, target.Body.Bytes()); u.Fragment != "" && !ids[u.Fragment] {
					t.Errorf("%s links to %s, and there is no such anchor", page, link)
				}
			}
		}
	}
	if beside < len(pages) {
		t.Errorf("only %d links lead into the repository", beside)
	}
}

// The search finds the page that contains a word, even if the query has a typo.
func search(t *testing.T, out string) {
	node := rig.Node(t)
	public := filepath.Join(out, "public")
	text, err := os.ReadFile(filepath.Join(public, "search.json"))
	if err != nil {
		t.Fatal(err)
	}
	var start map[string]any
	if err := json.Unmarshal(text, &start); err != nil {
		t.Fatal(err)
	}
	// Node.js recognizes a module by its file extension.
	module := func(key string) string {
		name := filepath.Join(t.TempDir(), key+".mjs")
		script, err := os.ReadFile(filepath.Join(public, start[key].(string)))
		if err == nil {
			err = os.WriteFile(name, script, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	start["stemmer"] = module("stemmer")
	question, err := json.Marshal(map[string]any{"engine": module("engine"), "folder": public, "start": start, "queries": []string{"VictoriaMetrics", "scheduling articels"}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "internal/search/testdata/find.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = rig.Root(t), bytes.NewReader(question), os.Stderr
	answers, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(answers))
	for _, want := range []string{"/project/decisions", "/guides/scheduling"} {
		var found struct{ Results []struct{ Path string } }
		if err := decoder.Decode(&found); err != nil || len(found.Results) == 0 || found.Results[0].Path != want {
			t.Errorf("found %+v, %v; want %s first", found, err, want)
		}
	}
}

// The sample site's documentation shows a response for the price list with the actual number of tokens.
func TestSampleShowsActualResponse(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(rig.Root(t), "content", "docs", "markdown.md"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "content"), os.DirFS(filepath.Join(rig.Root(t), "content"))); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(root, "build")
	if _, problems, err := build.Build(t.Context(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out, NoSync: true}, build.Observer{}); err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	served, err := decide.NewSite(rig.Open(t, out))
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://parley.example/pricing", nil)
	request.Header.Set("Accept", "text/markdown")
	serve.NewHandler(served, serve.HandlerOptions{}).ServeHTTP(answer, request)
	if want := "X-Markdown-Tokens: " + answer.Header().Get("X-Markdown-Tokens") + "\n"; !strings.Contains(string(text), want) {
		t.Errorf("content/docs/markdown.md does not show %q", want)
	}
}

// markdownFiles returns the paths of the pages in a folder and its direct subfolders, relative to the root of the
// checkout.
func markdownFiles(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	for _, depth := range []string{"*.md", "*/*.md"} {
		files, err := filepath.Glob(filepath.Join(rig.Root(t), folder, depth))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, err := filepath.Rel(rig.Root(t), file)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// sampleSite returns the files of the site in which samples are checked.
func sampleSite() map[string]string {
	return map[string]string{
		"content/site.yaml": "baseURL: https://acorn.example\ntitle: Acorn\n",
		"content/product.yaml": `name: Acorn
url: https://acorn.example
description: Acorn plans the work of small nurseries.
audience: [Nurseries]
capabilities: [Plans the week]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one planned week.
  unlimitedReps: true
  unlimitedTeams: true
  plans:
    - {name: Starter, monthlyPrice: 9, includedCredits: 4}
    - {name: Team, monthlyPrice: 49.50, includedCredits: 52, yearlyPrice: 490}
  url: https://acorn.example/pricing
contact: hello@acorn.example
links: {signup: "https://app.acorn.example/signup"}
`,
		"content/index.md": "---\ntitle: Acorn\ndescription: Home.\n---\n\nWelcome.\n",
	}
}
