package docs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitrine/internal/build"
	"vitrine/internal/edge/platform"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// sample is an example of Markdown or a component, with its name and a description.
type sample struct{ name, about, source string }

// markdownSamples returns the samples in testdata/markdown.md. Each sample consists of a line with its name, a line
// with its description, and its source.
func markdownSamples(t *testing.T) []sample {
	t.Helper()
	text, err := os.ReadFile("testdata/markdown.md")
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	for _, part := range strings.Split("\n"+string(text), "\n%% ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		about, source, _ := strings.Cut(strings.TrimPrefix(rest, "% "), "\n")
		samples = append(samples, sample{name, about, strings.Trim(source, "\n") + "\n"})
	}
	return samples
}

// markdownPage returns the page with each sample and its output: the HTML for people and the Markdown for programs.
func markdownPage(t *testing.T) string {
	samples := markdownSamples(t)
	files := sampleSite()
	for i, s := range samples {
		files[fmt.Sprintf("content/s%d.md", i)] = "---\ntitle: Sample\ndescription: A sample.\ndiagnostics: {V028: off, V031: off}\n---\n\n" + s.source
	}
	files["content/static/field.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>`
	files["content/pricing.md"] = "---\ntitle: Prices\n---\n\n## Team\n\nText.\n"
	root := t.TempDir()
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "build")
	if _, problems, err := build.Build(t.Context(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out, NoSync: true}, build.Observer{}); err != nil || site.HasErrors(problems) {
		t.Fatal(err, problems)
	}
	var b strings.Builder
	b.WriteString(page("Markdown and components", "All syntax that pages can use, with the resulting HTML and Markdown.", "Markdown", 7))
	b.WriteString("Write pages in CommonMark with GitHub's extensions (tables, task lists, strikethrough, footnotes, bare URLs, and alerts) and Vitrine's components.\n" +
		"Each section shows a sample and the HTML that Vitrine generates from it. Vitrine also publishes each page as Markdown, at an address that ends in\n" +
		"`.md`. If that Markdown differs from the sample, the section shows it, too.\n" +
		"\n" +
		"[Components and HTML](../guides/components.md) explains the components, and [Markdown conformance](../project/upstream.md) lists the differences from the specifications.\n")
	for i, s := range samples {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.name, s.about)
		for _, part := range [][2]string{
			{"markdown", s.source},
			{"html", content(t, filepath.Join(out, "public", fmt.Sprintf("s%d.html", i)))},
			{"text", twin(t, filepath.Join(out, "public", fmt.Sprintf("s%d.md", i)))},
		} {
			if part[0] == "text" && strings.TrimSpace(part[1]) == strings.TrimSpace(s.source) {
				continue
			}
			marks := "```"
			for strings.Contains(part[1], marks) {
				marks += "`"
			}
			label := map[string]string{"html": "HTML:\n\n", "text": "Markdown:\n\n"}[part[0]]
			fmt.Fprintf(&b, "%s%s%s\n%s\n%s\n\n", label, marks, part[0], strings.Trim(part[1], "\n"), marks)
		}
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n")+"\n", "\n\n\n", "\n\n")
}

// content returns the HTML of a page's text, without the surrounding layout.
func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for _, a := range n.Attr {
			if a.Key == "class" && slices.Contains(strings.Fields(a.Val), "prose") && b.Len() == 0 {
				for child := n.FirstChild; child != nil; child = child.NextSibling {
					if err := html.Render(&b, child); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
	}
	walk(root)
	return hashed.ReplaceAllString(strings.TrimSpace(b.String()), ".…$1")
}

// hashed matches the content hash in a file's name.
var hashed = regexp.MustCompile(`\.[0-9a-f]{16}(\.[a-z0-9]+)`)

// twin returns a page's Markdown without the title and description above its text.
func twin(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, found := strings.Cut(string(text), "\n\nA sample.\n\n")
	if !found {
		t.Fatalf("%s has no description:\n%s", file, text)
	}
	return body
}

// newSite creates a site with vitrine new site and builds it.
func newSite(t *testing.T, vitrine string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), vitrine, "new", "site", "Acorn")
	cmd.Dir = dir
	if _, err := rig.Run(cmd); err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), vitrine, "build", "--root", "acorn", "--sync=false")
	cmd.Dir = dir
	if _, err := rig.Run(cmd); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "acorn", "build")
}

// parts returns descriptions of the files and folders at the top level of a build, keyed by name.
func parts() map[string]string {
	all := map[string]string{
		"public":   "For a CDN or another web server: all pages and files, without compression",
		"manifest": "For `vitrined`: the table of all addresses, with their header fields, ETags, redirects, and hashes. A build writes this file in its last step, which publishes the build",
		"coded":    "For `vitrined`: the files in `public/`, compressed with gzip and brotli, and the bodies of error responses",
		"cache":    "Results that the next build reuses. `vitrine deploy` skips this folder, and you can delete it",
		".spare":   "The previous build and, during a build, the next one. `vitrine deploy` skips this folder",
		".vitrine": "A file that marks the folder as a build folder. A build writes only to an empty folder or to a folder with this file",
		".lock":    "The lock that prevents a second build from writing to the folder at the same time",
	}
	for _, p := range platform.All() {
		all[p.Name] = p.Needs
	}
	return all
}

// meaning returns pairs of a path prefix under public/ and a description of the files. The first matching prefix
// applies.
func meaning() [][2]string {
	return [][2]string{
		{"_headers", "the header fields of hashed assets, for Cloudflare and Netlify; other servers ignore this file"},
		{".well-known/api-catalog", "the API catalog (RFC 9727)"}, {".well-known/security.txt", "the security contact (RFC 9116)"},
		{"404.", "the 404 page"}, {"api.json", "the response at `/api`: the facts and a link to the OpenAPI description"}, {"api/marketing", "the facts as JSON: the response at the original address, `/api/marketing`"}, {"api/v1", "the facts as JSON: the response at the current address, `/api/v1/marketing`"},
		{"assets/social/", "a page's social image"}, {"assets/search.….bin", "a part of the search index"}, {"assets/search", "a script for the search"},
		{"assets/", "a theme file, which browsers can cache forever"}, {"cli/acorn.mjs.sha256", "the checksum of the command-line tool"}, {"cli/", "the command-line tool"}, {"cli.", "the page about the command-line tool"},
		{"openapi.html", "the page about the JSON API"}, {"openapi.md", "the page about the JSON API"}, {"feed.xml", "the newest articles (Atom)"}, {"feed.json", "the newest articles (JSON Feed)"}, {"changes.xml", "the changes to the facts (Atom)"}, {"changes.json", "the changes to the facts (JSON Feed)"},
		{".well-known/agent-skills/index.json", "the list of agent skills"}, {".well-known/agent-skills/", "an agent skill, which describes the site's data and tool to AI agents"}, {"llms.txt", "the overview for language models"},
		{"llms-full.txt", "the text of all pages"}, {"llms/", "the text of the pages in a section"}, {"openapi.json", "the description of the JSON API (OpenAPI 3.1)"},
		{"problems.", "the page that lists all problems"}, {"problems/", "the page about a problem: a type of error that the JSON API reports"}, {"robots.txt", "instructions for crawlers"},
		{"schemas/", "a JSON Schema for editors"}, {"search.json", "the part of the search index that a search loads first"}, {"search", "the search page"},
		{"sitemap.xml", "every address, for search engines"}, {"tags.", "the page that lists all tags"}, {"tags/news/feed", "the newest articles with a tag (Atom)"}, {"tags/", "the page that lists the articles with a tag"}, {"", "a page, as HTML or Markdown"},
	}
}

// folderPage returns the page that lists the files of a real build.
func folderPage(t *testing.T, out string) string {
	var b strings.Builder
	b.WriteString(page("The build folder", "The files that vitrine build writes, and their purposes.", "Build folder", 11))
	b.WriteString("`vitrine build` writes the files and folders in this table to `build/`. If you use `vitrined` or `vitrine deploy`, keep the complete folder. If you\n" +
		"upload the site to another web server or a CDN yourself, upload only `public/`.\n\n" +
		"| Name | Content |\n|---|---|\n")
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	about := parts()
	for _, e := range entries {
		if about[e.Name()] == "" {
			t.Errorf("%s of a build has no description", e.Name())
		}
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, about[e.Name()])
	}
	b.WriteString("\nTwo kinds of builds are incomplete. Each contains an additional file. A build with the file `sparse` contains only the changed files: see\n" +
		"[Build only changed files](../guides/grow.md#sparse). A build with the file `part` contains only some of the pages, in `part-pages`: see\n" +
		"[Build on several machines](../guides/grow.md#parts).\n")
	b.WriteString("\n## Files of a new site <a id=\"a-new-site-built\"></a>\n\nIf you create a site with `vitrine new site Acorn` and build it, `public/` contains these files. In a name, `…` stands for a hash of the file's content.\n\n| File in `public/` | Content |\n|---|---|\n")
	// Sort the names without their hashes, because the order must not depend on hashes.
	var names []string
	err = filepath.WalkDir(filepath.Join(out, "public"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(filepath.Join(out, "public"), path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if strings.HasPrefix(name, "assets/social/") {
			name = "assets/social/….png"
		}
		names = append(names, hashed.ReplaceAllString(name, ".…$1"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(names, func(x, y string) int { return slices.Compare(strings.Split(x, "/"), strings.Split(y, "/")) })
	last := ""
	for _, name := range slices.Compact(names) {
		what := ""
		for _, m := range meaning() {
			if strings.HasPrefix(name, m[0]) {
				what = m[1]
				break
			}
		}
		// If a page's HTML and Markdown files are next to each other, list both in one row.
		if stem, ok := strings.CutSuffix(name, ".md"); ok && last == stem+".html" {
			text := b.String()
			b.Reset()
			b.WriteString(strings.TrimSuffix(text, fmt.Sprintf("| `%s` | %s |\n", last, what)))
			name = stem + ".html`, `" + stem + ".md"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, what)
		last = name
	}
	b.WriteString("\n[Architecture](../project/architecture.md#what-a-build-leaves) describes how Vitrine publishes a build in one step.\n")
	return b.String()
}

// onPage replaces phrases of the OpenAPI document that are unclear outside it.
var onPage = strings.NewReplacer(
	"the link to this description", "the link to the OpenAPI description",
	" OpenAPI has no operation for these methods, so this response is described here.", "",
	"The request has a query parameter, which the operation does not support, or it is malformed.", "The request is malformed or has a query parameter.",
	"The request's Transfer-Encoding is not chunked.", "The request has a Transfer-Encoding other than chunked.",
	"r requests remain, and the window resets in t seconds", "`r` requests remain, and the window resets in `t` seconds",
	"the quota q in a window of w seconds", "the quota `q` in a window of `w` seconds",
	"The instance's request allowance is exhausted.", "The server instance's request allowance (rate limit) is exhausted.",
	"The request target and the header fields together exceed the limit.", "The request target and the header fields together are longer than the server accepts.",
	"The encoding of the body, if it has one.", "The encoding of a compressed body.",
	"The length of the body in bytes; for HEAD, of the body that GET would have.", "The length of the body in bytes. For HEAD, the length of the body that GET would have.",
	"Sent only when the version is scheduled for retirement: the date of its deprecation (RFC 9745), in seconds since 1970.", "The date from which version 1 is deprecated (RFC 9745), in seconds since 1970. Sent only if its retirement is announced.",
	"Sent only when a removal date is announced: that date (RFC 8594).", "The date from which version 1 may be removed (RFC 8594). Sent only if this date is announced.",
	"Clients may reuse the body for five minutes; shared caches do not store it.", "Clients may reuse the body for five minutes. Shared caches do not store it.",
	"Errors and responses about the interface are not stored.", "Caches must not store errors or responses to OPTIONS.",
)

// fields matches the names and values of header fields in descriptions.
var fields = regexp.MustCompile(`\b(?:If-None-Match|If-Match|Retry-After|Transfer-Encoding|Expect|100-continue|chunked|service-desc|service-doc|api-catalog)\b`)

// httpPage returns the reference page for the JSON API, based on its OpenAPI document.
func httpPage(t *testing.T, out string) string {
	text, err := os.ReadFile(filepath.Join(out, "public", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	type ref struct {
		Ref string `json:"$ref"`
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Summary   string
			Responses map[string]ref
		}
		Components struct {
			Responses map[string]struct {
				Description string
				Headers     map[string]ref
				Content     map[string]any
			}
			Headers map[string]struct {
				Description string
				Required    bool
				Example     any
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(page("HTTP", "Responses of a site: addresses, methods, statuses, and header fields, from its OpenAPI description.", "HTTP", 9))
	b.WriteString(`This page lists the responses that a site sends for its pages and its JSON API. All servers send the same responses, with small differences that
the pages about [servers](../project/capabilities-servers.md), [Netlify](../project/capabilities-netlify.md), and
[Cloudflare](../project/capabilities-cloudflare.md) list. [How Vitrine chooses a response](../explanation/answers.md) explains the order of the
decisions. [The contract](../project/contract.md) lists every guarantee with its test.

## Pages

A site with the page ` + "`content/pricing.md`" + ` sends these responses:

| Request | Response |
|---|---|
| ` + "`GET /pricing`" + ` | HTML |
| ` + "`GET /pricing`" + ` with ` + "`Accept: text/markdown`" + ` | the same page as Markdown |
| ` + "`GET /pricing.md`" + ` | the same Markdown, regardless of ` + "`Accept`" + ` |
| ` + "`GET /pricing/`, `GET /pricing.html`, or `GET` with one of the page's `aliases`" + ` | 308 to ` + "`/pricing`" + `, with the request's query |
| ` + "`GET /pricing` with the page's ETag in `If-None-Match`" + ` | 304, without a body |
| ` + "`GET /pricing` with a different ETag in `If-Match`" + ` | 412 |
| a method other than GET, HEAD, and OPTIONS | 405, with the allowed methods in ` + "`Allow`" + ` |
| ` + "`GET`" + ` with an unknown path | 404, as HTML, Markdown, or JSON, depending on the request |

The header field ` + "`Vitrine-Build`" + ` contains the name of the build that a response comes from. HTML and Markdown responses have this field. The
response at ` + "`/.well-known/vitrine-build`" + ` and all other responses that a shared cache may store also have it.

## The JSON API

`)
	b.WriteString("The JSON API returns the facts in `product.yaml`, with defaults for some missing facts. It needs no API key and supports no query parameters.\n\n| Address | Methods | Purpose |\n|---|---|---|\n")
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		var methods []string
		for _, m := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			methods = append(methods, strings.ToUpper(m))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", path, strings.Join(methods, ", "), onPage.Replace(doc.Paths[path]["get"].Summary))
	}
	b.WriteString("\nA GET request for `/api/v1/marketing` gets one of these responses. An OPTIONS request gets 204.\n\n| Status | Meaning | Content type |\n|---|---|---|\n")
	answers := doc.Paths["/api/v1/marketing"]["get"].Responses
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		r := doc.Components.Responses[strings.TrimPrefix(answers[status].Ref, "#/components/responses/")]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", status, fields.ReplaceAllString(onPage.Replace(cellOf(r.Description)), "`$0`"), cmp.Or(strings.Join(slices.Sorted(maps.Keys(r.Content)), ", "), "–"))
	}
	b.WriteString("\n## Header fields of the JSON API\n\nThis table lists all header fields of these responses. Each response has only some of the fields. For example, only 204 and 405 have `Allow`, and only 429 has `Retry-After`. `/openapi.json`, the site's OpenAPI description, lists the fields of each response. A *required* field is always present in the responses for which `/openapi.json` lists it.\n\n| Field | Presence | Description | Example |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Headers)) {
		h := doc.Components.Headers[name]
		when := "optional"
		if h.Required {
			when = "required"
		}
		text, example := fields.ReplaceAllString(onPage.Replace(cellOf(h.Description)), "`$0`"), "–"
		if h.Example != nil {
			example = fmt.Sprintf("`%v`", h.Example)
		}
		if field, errors := strings.CutSuffix(name, "-Error"); errors {
			name, when = field, "required, on errors and OPTIONS"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, when, text, example)
	}
	b.WriteString("\nErrors have the content type `application/problem+json` (RFC 9457). In each error, the member `type` is the URL of a page that explains the error. `/problems` lists all of these pages.\n")
	return b.String()
}
