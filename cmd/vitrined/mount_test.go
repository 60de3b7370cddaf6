package main_test

import (
	"cmp"
	"html"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/contract/contracttest"
	"vitrine/internal/lab/rig"
)

const mount = "/acorn"

// sampleBelow copies the sample site, gives it a base path, and builds it.
func sampleBelow(t *testing.T, path string) (dir string) {
	t.Helper()
	root, dir := t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "content"), os.DirFS("../../content")); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(root, "content", "site.yaml")
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	const own = "baseURL: https://parley.example\n"
	if !strings.Contains(string(text), own) {
		t.Fatalf("%s has another baseURL", settings)
	}
	if err := os.WriteFile(settings, []byte(strings.Replace(string(text), own, "baseURL: https://user.example"+path+"\n", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	buildSite(t, root, dir)
	return dir
}

// A site with a base path satisfies the complete contract under that path with each engine, even if it is multilingual.
func TestContractUnderPath(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := sampleBelow(t, mount)
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			contracttest.Test(t, contract.Target{
				Base: "https://user.example" + mount,
				Can:  append(contract.OriginServer(), contract.BrotliPages, contract.ContentSignal, contract.SecurityContact),
				Values: map[string]string{
					"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
					"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
				},
				Fresh: func() (string, error) { return vitrined.start(t, "--dir", dir, "--engine", engine).url + mount, nil },
			})
		})
	}
	t.Run("facts that name the path", func(t *testing.T) {
		dir := rig.Build(t, rig.Site(t, rig.PathSite()), rig.Options{})
		contracttest.Test(t, contract.Target{
			Base: rig.PathBase, Can: append(contract.OriginServer(), contract.BrotliPages, contract.SecurityContact),
			Values: map[string]string{"LANGUAGE": "en", "TRANSLATED": "/en/tarifs", "ORIGINAL": "/tarifs", "PAGE": "/tarifs", "ARTICLE": "/blog/un"},
			Fresh:  func() (string, error) { return vitrined.start(t, "--dir", dir).url + "/atelier", nil },
		})
	})
	t.Run("languages", func(t *testing.T) {
		files := rig.LanguagesSite()
		files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "https://acorn.example", "https://user.example/a/b", 1)
		dir := rig.Build(t, rig.Site(t, files), rig.Options{})
		contracttest.Test(t, contract.Target{
			Base: "https://user.example/a/b", Can: append(contract.OriginServer(), contract.BrotliPages),
			Values: map[string]string{"LANGUAGE": "de", "TRANSLATED": "/de/preise", "ORIGINAL": "/pricing"},
			Fresh:  func() (string, error) { return vitrined.start(t, "--dir", dir).url + "/a/b", nil },
		})
	})
}

// Every address in pages, stylesheets, feeds, sitemaps, and the search index is under the base path and works, both on
// vitrined and on a host that serves only the folder build/public, such as a code host's project pages.
func TestCrawlUnderPath(t *testing.T) {
	t.Parallel()
	dir := sampleBelow(t, mount)
	public := os.DirFS(filepath.Join(dir, "public"))
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, mount+"/")
		for _, end := range []string{"", ".html", "index.html", "/index.html"} {
			if body, err := fs.ReadFile(public, name+end); ok && err == nil {
				w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(name+end)))
				_, _ = w.Write(body)
				return
			}
		}
		http.NotFound(w, r)
	}))
	defer files.Close()
	for name, url := range map[string]string{"vitrined": compiled(t).start(t, "--dir", dir).url, "files": files.URL} {
		t.Run(name, func(t *testing.T) { crawl(t, url) })
	}
}

var (
	attribute = regexp.MustCompile(` (?:href|src|action|poster|data-index|data-copy-page)="([^"]*)"`)
	candidate = regexp.MustCompile(` srcset="([^"]*)"`)
	inStyles  = regexp.MustCompile(`url\(["']?([^"')]+)`)
	inTexts   = regexp.MustCompile(`https://user\.example[^\s"'<>)\\]*|"(/[^"\s*]+)"`)
)

func crawl(t *testing.T, host string) {
	const own = "https://user.example"
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	asked, kinds := map[string]bool{}, map[string]int{}
	var queue []string
	add := func(from, address string) {
		address, _, _ = strings.Cut(html.UnescapeString(address), "#")
		address = strings.TrimPrefix(address, own)
		if address == "" || !strings.HasPrefix(address, "/") {
			return
		}
		if !strings.HasPrefix(address, mount+"/") && address != mount {
			t.Errorf("%s leads out of the site, to %s", from, address)
			return
		}
		if !asked[address] {
			asked[address] = true
			queue = append(queue, address)
		}
	}
	for _, begin := range []string{"/", "/sitemap.xml", "/feed.xml", "/feed.json", "/search.json", "/llms.txt", "/llms-full.txt", "/robots.txt", "/.well-known/api-catalog", "/.well-known/security.txt"} {
		add("the test", mount+begin)
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		answer, err := client.Get(host + at)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		operation := strings.HasPrefix(at, mount+"/api") // a file host serves it only with .json
		if answer.StatusCode != http.StatusOK && !operation {
			t.Errorf("%s returned %s", at, answer.Status)
			continue
		}
		kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
		kinds[kind]++
		text := string(body)
		switch {
		case strings.HasSuffix(kind, "html"):
			for _, m := range attribute.FindAllStringSubmatch(text, -1) {
				add(at, m[1])
			}
			for _, m := range candidate.FindAllStringSubmatch(text, -1) {
				for one := range strings.SplitSeq(m[1], ", ") {
					add(at, strings.Fields(one)[0])
				}
			}
		case strings.HasSuffix(kind, "css"):
			for _, m := range inStyles.FindAllStringSubmatch(text, -1) {
				add(at, m[1])
			}
		case strings.HasSuffix(kind, "xml"), strings.HasSuffix(at, "/search.json"), strings.HasSuffix(at, "/feed.json"), strings.HasSuffix(at, ".txt"), strings.HasSuffix(at, ".md"):
			for _, m := range inTexts.FindAllStringSubmatch(html.UnescapeString(text), -1) {
				if m[1] != "" && !strings.HasSuffix(at, "/search.json") {
					continue // there, a path in quotes is prose
				}
				add(at, strings.TrimRight(cmp.Or(m[1], m[0]), ".,;:`"))
			}
		}
	}
	t.Logf("%d addresses: %v", len(asked), kinds)
	if len(asked) < 100 {
		t.Errorf("%d addresses are no site", len(asked))
	}
}

// Paths outside the site's base path don't exist, in any spelling. The base path without its trailing slash redirects
// to the site.
func TestRequestsOutsidePath(t *testing.T) {
	t.Parallel()
	dir := sampleBelow(t, mount)
	server := compiled(t).start(t, "--dir", dir)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		target   string
		status   int
		location string
		kind     string
	}{
		{"/acorn/", 200, "", "text/html"},
		{"/acorn/pricing", 200, "", "text/html"},
		{"/acorn/pricing.md", 200, "", "text/markdown"},
		{"/acorn/api", 200, "", "application/json"},
		{"/acorn/.well-known/vitrine-build", 200, "", "application/json"},
		{"/%61corn/pricing", 200, "", "text/html"},
		{"/acorn/%70ricing", 200, "", "text/html"},
		{"/acorn", 308, "/acorn/", ""},
		{"/acorn?a=1", 308, "/acorn/?a=1", ""},
		{"/%61corn", 308, "/acorn/", ""},
		{"/acorn//", 308, "/acorn/", ""},
		{"/acorn/index.html", 308, "/acorn/", ""},
		{"/acorn/pricing/", 308, "/acorn/pricing", ""},
		{"/acorn/pricing.html?x", 308, "/acorn/pricing?x", ""},
		{"/acorn/.md", 308, "/acorn/index.md", ""},
		{"/acorn/blog/handling-objections/", 308, "/acorn/blog/objection-practice", ""},
		{"/", 404, "", "text/html"},
		{"/pricing", 404, "", "text/html"},
		{"/pricing.md", 404, "", "text/html"},
		{"/robots.txt", 404, "", "text/html"},
		{"/.well-known/vitrine-build", 404, "", "text/html"},
		{"/api/v1/marketing", 404, "", "text/html"},
		{"/acorn.md", 404, "", "text/html"},
		{"/acornx", 404, "", "text/html"},
		{"/acornx/pricing", 404, "", "text/html"},
		{"/ACORN/pricing", 404, "", "text/html"},
		{"//acorn/pricing", 404, "", "text/html"},
		{"//acorn", 404, "", "text/html"},
		{"/./acorn/pricing", 404, "", "text/html"},
		{"/x/../acorn/pricing", 404, "", "text/html"},
		{"/acorn/../acorn/pricing", 404, "", "text/html"},
		{"/acorn/%2e%2e/acorn/pricing", 404, "", "text/html"},
		{"/acorn%2fpricing", 404, "", "text/html"},
		{"/acorn%5cpricing", 404, "", "text/html"},
		{"/acorn/acorn/pricing", 404, "", "text/html"},
		{"/acorn/api/%00", 404, "", "application/problem+json"},
		{"/acorn/api/no", 404, "", "application/problem+json"},
		{"/api/no", 404, "", "text/html"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.URL.Opaque = c.target
		answer, err := client.Do(request)
		if err != nil {
			t.Errorf("%s: %v", c.target, err)
			continue
		}
		body, err := io.ReadAll(answer.Body)
		if answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
		if answer.StatusCode != c.status || answer.Header.Get("Location") != c.location || kind != c.kind {
			t.Errorf("%s returned %d %q %s, want %d %q %s", c.target, answer.StatusCode, answer.Header.Get("Location"), kind, c.status, c.location, c.kind)
		}
		if c.status == 404 && kind == "text/html" && !strings.Contains(string(body), `href="/acorn/llms.txt"`) {
			t.Errorf("%s: the page of the 404 does not lead to /acorn/llms.txt", c.target)
		}
	}
}
