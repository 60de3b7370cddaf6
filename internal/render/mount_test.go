package render

import (
	"fmt"
	"testing"
	"testing/fstest"

	"vitrine/internal/artifact"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Mount adds the base path to the addresses in each kind of file. It doesn't change a site at the root.
func TestMount(t *testing.T) {
	for _, c := range []struct{ kind, path, text, want string }{
		{media.HTML, "/a", `<a href="/pricing">/pricing</a>`, `<a href="/acorn/pricing">/pricing</a>`},
		{media.HTML, "/a", `<a class='x' HREF='/'>`, `<a class='x' HREF='/acorn/'>`},
		{media.HTML, "/a", `<a href=/a/b>x</a><a href = "/c" >`, `<a href=/acorn/a/b>x</a><a href = "/acorn/c" >`},
		{media.HTML, "/a", `<a href="//cdn.example/x"><a href="https://a.example/"><a href="#x"><a href="b"><a href="">`,
			`<a href="//cdn.example/x"><a href="https://a.example/"><a href="#x"><a href="b"><a href="">`},
		{media.HTML, "/a", `<img src="/i.png" srcset="/i-1.png 1x, /i,2.png 2x,/i-3.png" alt="/i.png">`, `<img src="/acorn/i.png" srcset="/acorn/i-1.png 1x, /acorn/i,2.png 2x,/acorn/i-3.png" alt="/i.png">`},
		{media.HTML, "/a", `<source srcset="/a.webp 320w, https://b.example/c.webp 640w">`, `<source srcset="/acorn/a.webp 320w, https://b.example/c.webp 640w">`},
		{media.HTML, "/a", `<path d="/x"/><object data="/x.svg"></object><form action="/search"><video poster="/v.jpg"/>`,
			`<path d="/x"/><object data="/acorn/x.svg"></object><form action="/acorn/search"><video poster="/acorn/v.jpg"/>`},
		{media.HTML, "/a", `<form data-index="/search.json" data-copy-page="/a.md" data-label="/">`, `<form data-index="/acorn/search.json" data-copy-page="/acorn/a.md" data-label="/">`},
		{media.HTML, "/a", `<meta name="d" content="/ is a slash"><meta content="/x.xml"><meta http-equiv="refresh" content="0; URL=/b">`,
			`<meta name="d" content="/ is a slash"><meta content="/acorn/x.xml"><meta http-equiv="refresh" content="0; URL=/acorn/b">`},
		{media.HTML, "/a", `<script src="/s.js">a < b; x = '<a href="/x">'</script><!-- <a href="/x"> --><a href="/y">`,
			`<script src="/acorn/s.js">a < b; x = '<a href="/x">'</script><!-- <a href="/x"> --><a href="/acorn/y">`},
		{media.HTML, "/a", `<style>a { b: url(/c.png) }</style><p style="b: url('/d.png')">1 < 2`, `<style>a { b: url(/acorn/c.png) }</style><p style="b: url('/acorn/d.png')">1 < 2`},
		{media.HTML, "/a", `<p title="a > b" data-x href="/x"`, `<p title="a > b" data-x href="/acorn/x"`},
		{"text/css; charset=utf-8", "/a.css", `@import "/b.css"; @import url(/c.css); /* url(/d) */ e { f: url("/g.png"), url( '/h.png' ), url(data:x); content: "url(/i)" } j { k: url(../l.png) }`,
			`@import "/acorn/b.css"; @import url(/acorn/c.css); /* url(/d) */ e { f: url("/acorn/g.png"), url( '/acorn/h.png' ), url(data:x); content: "url(/i)" } j { k: url(../l.png) }`},
		{media.Text, "/robots.txt", "User-agent: *\nAllow: /\nDisallow: /private\nDisallow:\n\nSitemap: https://a.example/s.xml\n",
			"User-agent: *\nAllow: /acorn/\nDisallow: /acorn/private\nDisallow:\n\nSitemap: https://a.example/s.xml\n"},
		{media.Text, "/llms.txt", "Allow: /\n", "Allow: /\n"},
		{media.JSON, "/de/search.json", `{"root":"/assets/a.bin","depth":1,"files":"/assets/*.bin"}`, `{"root":"/acorn/assets/a.bin","depth":1,"files":"/acorn/assets/*.bin"}`},
		{media.JSON, "/api", `{"a":"/b"}`, `{"a":"/b"}`},
	} {
		for mount, want := range map[string]string{"": c.text, "/acorn": c.want} {
			shared := []artifact.Field{{Name: "Content-Type", Value: c.kind}, {Name: "Link", Value: `</a.md>; rel="alternate", <https://a.example/a>; rel="canonical", </b>; rel="x"`}}
			r := []artifact.Resource{{Path: c.path, Variants: []artifact.Variant{{Fields: shared, Body: []byte(c.text)}}}, {Path: "/old", Kind: artifact.KindRedirect, Location: "/new"}}
			Mount(mount, r)
			if got := string(r[0].Variants[0].Body); got != want {
				t.Errorf("%s below %q:\n%s\nwant\n%s", c.text, mount, got, want)
			}
			if got, want := r[0].Variants[0].Fields[1].Value, `<`+mount+`/a.md>; rel="alternate", <https://a.example/a>; rel="canonical", <`+mount+`/b>; rel="x"`; got != want {
				t.Errorf("the Link below %q is %s, want %s", mount, got, want)
			}
			if want := mount + "/new"; r[1].Location != want {
				t.Errorf("the redirect below %q leads to %s, want %s", mount, r[1].Location, want)
			}
			if shared[1].Value[:5] != "</a.m" {
				t.Error("the fields that pages share were written to")
			}
		}
	}
}

// OutsideMount finds addresses in files that are published unchanged, with their positions.
func TestAdjacentLinks(t *testing.T) {
	files := fstest.MapFS{}
	s := &site.Site{Config: site.Config{BaseURL: "https://user.example/acorn"}}
	for name, text := range map[string]string{
		"a.html":        "<p>é /x\n<img alt=\"/\" src=\"/i.png\"><a href=\"/acorn/b\"><a href='../c'><a href=\"https://user.example/\">",
		"b.css":         "p {\n\tbackground: url(/d.png), url(e.png)\n}",
		"c.webmanifest": `{"name": "/", "start_url": "/", "icons": [{"src": "i.png"}]}`,
		"d.js":          `fetch("/api")`,
	} {
		files["content/static/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, name := range []string{"a.html", "b.css", "c.webmanifest", "d.js"} {
		s.Files = append(s.Files, site.File{Source: "content/static/" + name, Path: "/" + name})
	}
	var got string
	for _, p := range OutsideMount(s, files) {
		got += fmt.Sprintf("%s:%d:%d %.9s\n", p.Path[len("content/static/"):], p.Pos.Line, p.Pos.Col, p.Text)
	}
	if want := "a.html:2:19 \"/i.png\" \nb.css:2:18 \"/d.png\" \nc.webmanifest:1:29 \"/\" point\n"; got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	s.Config.BaseURL = "https://acorn.example"
	if found := OutsideMount(s, files); len(found) > 0 {
		t.Errorf("a site at the root has %v", found)
	}
}
