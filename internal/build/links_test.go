package build_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/site"
)

// oddNames returns the files of a site with unusual names. Some names contain characters that must be escaped in links,
// and some contain escapes that must not be escaped again.
func oddNames() map[string]string {
	files := rig.TinySite("Tiny", "navigation:\n  - {label: Café, path: /caf%C3%A9}\n  - {label: Plain, path: /a (b)}\n")
	names := []string{"café", "a (b)", "über uns", "مرحبا بالعالم", "🎈 party", "it's, a+b=c;d&e@f!", "100€ [x]", "déjà*vu~", "tab'le", "料金（税込）", "ภาษาไทย", "हिन्दी"}
	for _, name := range names {
		page := "---\ntitle: \"About " + name + "\"\ntags: [\"Ünï\", \"" + name + "\"]\n"
		links := ""
		for _, other := range names {
			links += "- [to " + strings.Trim(other, "[]x") + "](</" + other + ">) and [the article](</blog/" + other + ">)\n"
		}
		files["content/"+name+".md"] = page + "---\n\n" + links
		files["content/blog/"+name+".md"] = page + "date: 2026-02-01\n---\n\n" + links + "\n![A picture](<" + name + ".svg>)\n"
		files["content/blog/"+name+".svg"] = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>`
		files["content/lessons (new)/"+name+".md"] = page + "aliases: [\"/old/" + name + "\"]\n---\n\n```\n[code](https://tiny.example/nowhere)\n```\n"
	}
	files["content/lessons (new)/index.md"] = "---\ntitle: Lessons\nlayout: list\n---\n"
	return files
}

// Every link in every published file resolves, regardless of the names of pages, files, and tags.
func TestEveryLinkResolves(t *testing.T) {
	out := rig.Build(t, rig.Site(t, oddNames()), rig.Options{})
	served, err := decide.NewSite(rig.Open(t, out))
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(served, serve.HandlerOptions{})
	status := func(target string) int {
		answer := httptest.NewRecorder()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://tiny.example"+target, nil)
		if err != nil {
			t.Fatalf("%q is no target: %v", target, err)
		}
		handler.ServeHTTP(answer, request)
		return answer.Code
	}
	followed := make(map[string]bool)
	public := filepath.Join(out, "public")
	err = filepath.WalkDir(public, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, "/schemas/") || strings.HasSuffix(name, ".mjs") {
			return err
		}
		body, err := os.ReadFile(name)
		for _, link := range linksOf(t, tinyBase, name, body) {
			target, ok := onSite(tinyBase, link)
			if !ok || followed[target] {
				continue
			}
			followed[target] = true
			if code := status(target); code >= 400 {
				t.Errorf("%s links to %s: %d", strings.TrimPrefix(name, public), link, code)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/caf%C3%A9", "/a%20%28b%29", "/tags/%C3%BCn%C3%AF", "/caf%C3%A9.md", "/%F0%9F%8E%88%20party", "/blog/a%20%28b%29.svg"} {
		if !followed[want] {
			t.Errorf("nothing links to %s", want)
		}
	}
	page, err := os.ReadFile(filepath.Join(public, "café.html"))
	if err != nil || !bytes.Contains(page, []byte(`<a href="/caf%C3%A9" aria-current="page">`)) {
		t.Errorf("the navigation does not mark the page that it leads to: %v", err)
	}
}

// linksOf returns the links in a published file. It shares no code with the build.
func linksOf(t *testing.T, base, name string, body []byte) (links []string) {
	addresses := regexp.MustCompile(regexp.QuoteMeta(base) + `[^\s"<>\\]*`)
	switch filepath.Ext(name) {
	case ".html":
		root, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "href", a.Key == "src", a.Key == "action", a.Key == "data-index", a.Key == "content" && strings.HasPrefix(a.Val, "https://"):
					links = append(links, a.Val)
				}
			}
			if n.Type == html.TextNode && n.Parent.Data == "script" {
				links = append(links, addresses.FindAllString(strings.ReplaceAll(n.Data, `\u0026`, "&"), -1)...)
			}
		}
	case ".md", ".txt":
		root := goldmark.DefaultParser().Parse(text.NewReader(body))
		_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.Link:
				links = append(links, string(n.Destination))
			case *ast.Image:
				links = append(links, string(n.Destination))
			case *ast.AutoLink:
				links = append(links, string(n.URL(body)))
			}
			return ast.WalkContinue, nil
		})
	case ".xml":
		// Feeds contain articles as escaped HTML.
		links = addresses.FindAllString(html.UnescapeString(html.UnescapeString(withoutCode(string(body)))), -1)
	case ".json":
		links = addresses.FindAllString(html.UnescapeString(strings.ReplaceAll(withoutCode(string(body)), `\u0026`, "&")), -1)
	}
	return links
}

// tinyBase is the base URL of the small site.
const tinyBase = "https://tiny.example"

var code = regexp.MustCompile(`(?s)(<|&lt;)code.*?/code`)

func withoutCode(text string) string { return code.ReplaceAllString(text, "") }

// onSite returns the path that a browser requests for a link. ok is false if the link points to another site.
func onSite(base, link string) (target string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" && !strings.HasPrefix(base, "https://"+u.Host) || u.Host == "" && !strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	if u.Path == "" {
		return "/", true
	}
	return u.EscapedPath(), true
}

// A broken link in a template is an error in every kind of output, also in a build that reuses pages.
func TestDeadLinksOfTemplates(t *testing.T) {
	footer := func(link string) map[string]string {
		return map[string]string{"templates/partials/footer.html": `{{define "footer"}}<footer>` + link + `</footer>{{end}}`}
	}
	for name, files := range map[string]map[string]string{
		"the Markdown of /": {"templates/layouts/home.md": "# Tiny\n\n[x]({{mdurl (abs \"/nowhere\")}})\n"},
		"/llms.txt":         {"templates/text/llms.txt": "# Tiny\n\n> Tiny\n\n- [x]({{.Site.BaseURL}}/nowhere): x\n"},
		"/robots.txt":       {"templates/text/robots.txt": "User-agent: *\nSitemap: https://tiny.example/nowhere\n"},
	} {
		all := oddNames()
		for n, text := range files {
			all[n] = text
		}
		problems := errorsOf(t, rig.Site(t, all), "")
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text, name+" links to ") || !strings.Contains(problems[0].Text, "/nowhere") {
			t.Errorf("%s: %v", name, problems)
		}
	}
	// The check finds addresses in every form that HTML allows. It ignores strings that only look like attributes, and
	// attributes that aren't addresses.
	forms := []string{
		`<a href="/nowhere">x</a>`, `<img src="/nowhere" alt="">`, `<a href='/nowhere'>x</a>`, `<a href=/nowhere>x</a>`, `<a href = "/nowhere">x</a>`,
		`<A HREF="/nowhere">x</A>`, "<a\nhref=\"/nowhere\">x</a>", `<object data="/nowhere"></object>`, `<img alt="" srcset="https://a.example/a 1x,/nowhere 2x">`,
		`<a href=" /nowhere ">x</a>`, `<q cite="/nowhere">x</q>`, `<p style="background: url(/nowhere)">x</p>`, `<button formaction="/nowhere">x</button>`,
		`<meta itemprop="image" content="https://tiny.example/nowhere">`, `<style>p { background: url("/nowhere") }</style>`,
	}
	text := `<!-- <a href="/text">x</a> --><script>"<a href='/text'>"</script><p title="<a href='/text'>">x</p><p data-x="/text">/text</p><meta itemprop="title" content="/text">`
	for i, form := range forms {
		text += strings.Replace(form, "/nowhere", fmt.Sprintf("/nowhere-%d", i), 1)
	}
	all := oddNames()
	for n, file := range footer(text) {
		all[n] = file
	}
	found := fmt.Sprint(errorsOf(t, rig.Site(t, all), ""))
	for i, form := range forms {
		if !strings.Contains(found, fmt.Sprintf(`the HTML of / links to "/nowhere-%d"`, i)) && !strings.Contains(found, fmt.Sprintf(`"https://tiny.example/nowhere-%d"`, i)) {
			t.Errorf("%s is not found", form)
		}
	}
	if n := strings.Count(found, "links to"); n != len(forms) {
		t.Errorf("%d problems, want %d: %s", n, len(forms), found)
	}
	// Links in the text of a page, the navigation, or the facts are either reported at their source or not checked by
	// the build.
	files := oddNames()
	files["content/bad.md"] = "---\ntitle: Bad\n---\n[x](/nowhere)\n"
	if problems := errorsOf(t, rig.Site(t, files), ""); len(problems) != 1 || problems[0].Path != "content/bad.md" {
		t.Errorf("a page's own link: %v", problems)
	}
	files = oddNames()
	files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "links: {}", "links: {app: https://tiny.example/app}", 1)
	if problems := errorsOf(t, rig.Site(t, files), ""); len(problems) != 0 {
		t.Errorf("a fact: %v", problems)
	}

	files = oddNames()
	for n, text := range footer(`<a href="/team">Team</a>`) {
		files[n] = text
	}
	files["content/team.md"] = "---\ntitle: Team\n---\n"
	root := rig.Site(t, files)
	out := filepath.Join(t.TempDir(), "build")
	if problems := errorsOf(t, root, out); len(problems) != 0 {
		t.Fatal(problems)
	}
	if err := os.Remove(filepath.Join(root, "content/team.md")); err != nil {
		t.Fatal(err)
	}
	cold, warm := errorsOf(t, root, filepath.Join(t.TempDir(), "build")), errorsOf(t, root, out)
	if len(cold) != 1 || len(warm) != 1 || cold[0] != warm[0] {
		t.Errorf("a page that is gone: from nothing %v, after the last build %v", cold, warm)
	}
}

// errorsOf returns the errors of a build into out, or of a check if out is "".
func errorsOf(t *testing.T, root, out string) (found []site.Problem) {
	t.Helper()
	source := build.Source{Root: root, NoSocialImages: true}
	var problems []site.Problem
	var err error
	if out == "" {
		_, problems, err = build.Check(context.Background(), source, build.CheckOptions{}, build.Observer{})
	} else {
		_, problems, err = build.Build(context.Background(), source, build.Output{Out: out}, build.Observer{})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Severity == site.Error {
			found = append(found, p)
		}
	}
	return found
}

// If an article starts to mention a fact, it gets the modification date of the facts. The sitemap and the feeds show
// that date, even if the HTML of the article doesn't change.
func TestModifiedAfterAnEdit(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["content/product.yaml"] += "updated: 2026-08-01\n"
	files["content/blog/first.md"] = "---\ntitle: First\ndate: 2026-01-01\n---\n\nIt is Tiny.\n"
	root := rig.Site(t, files)
	out := filepath.Join(t.TempDir(), "build")
	dates := func() (found []string) {
		for _, name := range []string{"sitemap.xml", "feed.xml", "feed.json"} {
			body, err := os.ReadFile(filepath.Join(out, "public", name))
			if err != nil {
				t.Fatal(err)
			}
			_, entry, _ := strings.Cut(string(body), "https://tiny.example/blog/first")
			found = append(found, regexp.MustCompile(`2026-0[^1]-\d\d`).FindString(entry))
		}
		return found
	}
	errorsOf(t, root, out)
	if got := strings.Join(dates()[1:], " "); got != " " {
		t.Errorf("before: %q", got)
	}
	files["content/blog/first.md"] = strings.Replace(files["content/blog/first.md"], "It is Tiny", "It is {{ name }}", 1)
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	errorsOf(t, root, out)
	if got := strings.Join(dates(), " "); got != "2026-08-01 2026-08-01 2026-08-01" {
		t.Errorf("after: %q", got)
	}
}

// In both representations of a page, a link to a file outside the site points to that file in the repository. The
// address of an image outside the site doesn't change.
func TestLinksIntoRepository(t *testing.T) {
	files := rig.TinySite("Tiny", "repository: {url: \"https://code.example/tiny\", content: docs}\n")
	files["content/more.md"] = "<!-- ---\ndescription: One line.\n--- -->\n\n# More\n\nOf [the code](../cmd/main.go#L3), of [home](index.md).\n"
	body := func(name string) string {
		text, err := os.ReadFile(filepath.Join(rig.Build(t, rig.Site(t, files), rig.Options{}), "public", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const code = "https://code.example/tiny/blob/main/cmd/main.go#L3"
	page := body("more.html")
	for _, want := range []string{`href="` + code + `"`, `content="One line."`} {
		if !strings.Contains(page, want) || strings.Contains(page, "---") {
			t.Errorf("the page does not have %s alone:\n%s", want, page)
		}
	}
	if twin := body("more.md"); !strings.Contains(twin, "]("+code+")") {
		t.Errorf("the Markdown does not have %s:\n%s", code, twin)
	}
	files["content/more.md"] = "---\ntitle: More\ndescription: One line.\nimage: ../a.png\n---\n\n![A picture](../a.png)\n"
	_, problems, err := build.Check(t.Context(), build.Source{Root: rig.Site(t, files)}, build.CheckOptions{}, build.Observer{})
	problems = slices.DeleteFunc(problems, func(p site.Problem) bool { return p.Severity != site.Error })
	if err != nil || len(problems) != 2 {
		t.Fatal(err, problems)
	}
	for i, at := range []string{"content/more.md:4:", "content/more.md:7:"} {
		if got := problems[i].String(); !strings.HasPrefix(got, at) || !strings.Contains(got, "outside the content folder; move the image there") {
			t.Errorf("got %s", got)
		}
	}
}

// The check follows links in stylesheets. A broken link is an error in a stylesheet of the theme. In a stylesheet that
// is published unchanged, it is a warning with its position.
func TestDeadLinksOfStylesheets(t *testing.T) {
	files := oddNames()
	files["templates/assets/own.css"] = "a { background: url(/nowhere-theme.png) }\n"
	files["content/static/look/a.css"] = "/* url(/comment.png) */\n@import 'b.css';\np { background: url(img/no.png), url(\"data:image/png;base64,AA\"), url(#mask), url(https://a.example/x.png) }\n" +
		".é { background: url('/look/gone.png?v=2') }\n"
	files["content/static/look/b.css"] = "p { background: url(../dot.svg) }\n"
	files["content/static/dot.svg"] = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"
	for range 2 { // the second check reuses results of the first check
		root := rig.Site(t, files)
		_, problems, err := build.Check(t.Context(), build.Source{Root: root}, build.CheckOptions{Cache: t.TempDir()}, build.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range problems {
			if p.Code == rule.DeadLink {
				got = append(got, p.String())
			}
		}
		want := []string{"/nowhere-theme.png", "content/static/look/a.css:3:21: warning: there is nothing at \"img/no.png\"", "content/static/look/a.css:4:23: warning: there is nothing at \"/look/gone.png?v=2\""}
		if len(got) != len(want) {
			t.Fatalf("%d problems, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(got, "\n"), w) {
				t.Errorf("%s is not reported:\n%s", w, strings.Join(got, "\n"))
			}
		}
	}
}

// On a site with a base path, an absolute address in a stylesheet is on the site if it starts with that path.
func TestDeadLinksOfStylesheetsUnderPath(t *testing.T) {
	files := oddNames()
	files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "https://tiny.example", "https://tiny.example/acorn", 1)
	files["content/static/a.css"] = "p { background: url(/acorn/dot.svg), url(/acorn/gone.svg) }\n"
	files["content/static/dot.svg"] = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"
	_, problems, err := build.Check(t.Context(), build.Source{Root: rig.Site(t, files)}, build.CheckOptions{}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range problems {
		if p.Code == rule.DeadLink {
			if found++; !strings.Contains(p.String(), `a.css:1:42: warning: there is nothing at "/acorn/gone.svg"`) {
				t.Error(p)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d dead links, want 1: %v", found, problems)
	}
}
