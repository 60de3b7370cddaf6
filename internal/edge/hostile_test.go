package edge_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// hostileSite builds a site with the most awkward names possible, in the given content codings. All its bodies differ.
func hostileSite(t *testing.T, codings ...artifact.Coding) *artifact.Build {
	t.Helper()
	return site(t, hostileResources(), codings...)
}

// site builds a site from groups of resources.
func site(t *testing.T, groups [][]artifact.Resource, codings ...artifact.Coding) *artifact.Build {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "build")
	rig.Publish(t, dir, codings, groups...)
	return rig.Open(t, dir)
}

// hostileResources returns groups of resources published together.
func hostileResources() [][]artifact.Resource {
	var groups [][]artifact.Resource
	for _, path := range []string{
		"/", "/pricing", "/blog", "/blog/first", "/index/x", "/docs/api", "/short",
		"/__proto__", "/constructor", "/toString", "/hasOwnProperty/valueOf",
		"/café", "/日本語/🎉", "/a b", "/a+b&c;d=e@f,g:h$i", "/!*'()[]{}|^`<>~", "/v1.0", "/a.b/c", "/x.html.y",
		"/$&", "/api-docs", "/\u00c3\u00a9", "/ja", "/ja/blog/x",
	} {
		groups = append(groups, hostilePage(path))
	}
	for _, path := range []string{"/llms.txt", "/.well-known/api-catalog", "/page.html", "/größe.txt"} {
		groups = append(groups, []artifact.Resource{{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{
			variant(path[1:], "text/plain; charset=utf-8", field("Vary", "Accept-Encoding")),
		}}})
	}
	for _, r := range [][2]string{
		{"/old", "/pricing"}, {"/alt", "/caf%C3%A9"}, {"/__defineGetter__", "/"}, {"/index", "/blog"}, {"/back slash", "/a%20b"},
	} {
		groups = append(groups, []artifact.Resource{{Path: r[0], Kind: artifact.KindRedirect, Location: r[1]}})
	}
	for _, path := range artifact.OperationPaths() {
		fields := append([]artifact.Field{field("Vary", "Accept-Encoding"), field("Deprecation", "@1798761600")}, artifact.CORSFields()...)
		groups = append(groups, []artifact.Resource{{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{
			variant(path[1:]+".json", "application/json", fields...),
		}}})
	}
	groups = append(groups, []artifact.Resource{{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{
		variant("404.html", "text/html; charset=utf-8", field("Cache-Control", "no-store"), field("Vary", "Accept, Accept-Encoding")),
		variant("404.md", "text/markdown; charset=utf-8", field("Cache-Control", "no-store"), field("Vary", "Accept, Accept-Encoding")),
	}}})
	groups = append(groups, []artifact.Resource{{Path: artifact.NotFoundIn("ja"), Kind: artifact.KindFallback, Variants: []artifact.Variant{
		variant("ja/404.html", "text/html; charset=utf-8", field("Cache-Control", "no-store"), field("Content-Language", "ja")),
		variant("ja/404.md", "text/markdown; charset=utf-8", field("Cache-Control", "no-store"), field("Content-Language", "ja")),
	}}})
	return append(groups, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{
			Fields: []artifact.Field{field("Content-Type", artifact.ProblemMediaType), field("Cache-Control", "no-store")},
			Body:   p.Body("https://straße.example"),
		}
	}))
}

// hostilePage returns a page with its Markdown twin.
func hostilePage(path string) []artifact.Resource {
	name := path
	if path == "/" {
		name = "/index"
	}
	escaped := (&url.URL{Path: name}).EscapedPath()
	vary := field("Vary", "Accept, Accept-Encoding")
	markdown := variant(name[1:]+".md", "text/markdown; charset=utf-8", vary, field("X-Markdown-Tokens", "17"))
	canonical := markdown
	canonical.Fields = append(markdown.Fields[:len(markdown.Fields):len(markdown.Fields)],
		field("Link", "<https://parley.example"+(&url.URL{Path: path}).EscapedPath()+`>; rel="canonical"`))
	_, rest, _ := strings.Cut(escaped[1:], "/")
	links := "<" + escaped + `.md>; rel="alternate"; type="text/markdown", <https://parley.example` + escaped + `>; rel="canonical", ` +
		"<https://parley.example/de/" + rest + `>; rel="alternate"; hreflang="de"`
	return []artifact.Resource{
		{Path: path, Kind: artifact.KindPage, Variants: []artifact.Variant{
			variant(name[1:]+".html", "text/html; charset=utf-8", vary, field("Link", links)),
			markdown,
		}},
		{Path: name + ".md", Kind: artifact.KindFile, Variants: []artifact.Variant{canonical}},
	}
}

// variant returns a variant with a unique body. The body is long enough to be compressed unless the name of the file
// contains "short".
func variant(file, mediaType string, fields ...artifact.Field) artifact.Variant {
	body := file + "\n"
	if !strings.Contains(file, "short") {
		body = strings.Repeat(body, 200)
	}
	return artifact.Variant{
		File: file, Body: []byte(body),
		Fields: append([]artifact.Field{field("Content-Type", mediaType), field("X-Content-Type-Options", "nosniff")}, fields...),
	}
}

func field(name, value string) artifact.Field { return artifact.Field{Name: name, Value: value} }
