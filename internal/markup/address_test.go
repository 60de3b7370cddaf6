package markup

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// found returns the addresses in a document, separated by bars.
func found(text string, find func([]byte, func(begin, end int))) string {
	var all []string
	find([]byte(text), func(begin, end int) { all = append(all, text[begin:end]) })
	return strings.Join(all, " | ")
}

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		`<a href=" /x ">`: `/x`,
		`<a ping="/x  https://a.example/y" href=''>`:                                                         `/x | https://a.example/y`,
		`<object data="/x.svg"></object><p data="/x">`:                                                       `/x.svg`,
		`<video poster=/v.jpg><q cite='/q'><form action="/f"><button formaction=/g>`:                         `/v.jpg | /q | /f | /g`,
		`<img srcset="/a.png 1x, /i,2.png 2x,/c.png">`:                                                       `/a.png | /i,2.png | /c.png`,
		`<img srcset="/a.png, /b.png,, /c.png 1x (a, b), /d.png">`:                                           `/a.png | /b.png | /c.png | /d.png`,
		`<link imagesrcset="` + "\n\t/a 1w,\n\t/b 2w\n" + `">`:                                               `/a | /b`,
		`<img srcset=", ,"><img srcset="">`:                                                                  ``,
		`<meta name=description content="/x"><meta property="og:title" content="/x"><meta content="/y.xml">`: `/y.xml`,
		`<meta property="og:image" content="https://a.example/y"><meta name="x" content="/y z">`:             `https://a.example/y`,
		`<meta http-equiv=refresh content="0; URL=/b"><meta name=theme-color content="0">`:                   `/b`,
		`<meta charset=utf-8><p content="/x">`:                                                               ``,
		`<style>a { b: url(/c.png) }</style><p style="b: url('/d.png')">`:                                    `/c.png | /d.png`,
		`<script src=/s.js>url(/x); "<a href=/x>"</script><!-- <a href=/x> -->`:                              `/s.js`,
	} {
		if got := found(text, HTML); got != want {
			t.Errorf("%s\nhas  %s\nwant %s", text, got, want)
		}
	}
}

func TestCSS(t *testing.T) {
	for text, want := range map[string]string{
		`@import "/b.css"; @IMPORT url(/c.css) print; @import '/d.css' layer("x");`: `/b.css | /c.css | /d.css`,
		`/* url(/d) */ e { f: url("/g.png"), url( '/h.png' ), URL(/i.png ) }`:       `/g.png | /h.png | /i.png`,
		`e { content: "url(/i)"; f: url(/j) }`:                                      `/j`,
		`e { content: "\"url(/i)" } /* " */ f { g: url(/j) }`:                       `/j`,
		"e { content: \"no end\nf: url(/j) }":                                       `/j`,
		`e { f: url(""), url(), curl(/x), my-url(/x) }`:                             ``,
		`e { f: url(/a(b).png) }`:                                                   `/a(b`,
		`@import`:                                                                   ``,
		`@import "`:                                                                 ``,
		`e { f: url(`:                                                               ``,
		`e { f: url("/x`:                                                            `/x`,
		`/* e`:                                                                      ``,
		`e { f: url(data:image/png;base64,x) }`:                                     `data:image/png;base64,x`,
	} {
		if got := found(text, CSS); got != want {
			t.Errorf("%s\nhas  %s\nwant %s", text, got, want)
		}
	}
}

// rewritten checks that Rewrite changes only addresses.
func rewritten(t *testing.T, text []byte, find func([]byte, func(begin, end int))) (addresses int) {
	t.Helper()
	const mark = "\x01"
	from := 0
	find(text, func(begin, end int) {
		if begin < from || end <= begin || end > len(text) {
			t.Fatalf("%q: an address from %d to %d after one that ends at %d", text, begin, end, from)
		}
		from = end
		addresses++
	})
	got := Rewrite(nil, text, find, func(out, address []byte) []byte { return append(append(out, mark...), address...) })
	if !bytes.Equal(bytes.ReplaceAll(got, []byte(mark), nil), bytes.ReplaceAll(text, []byte(mark), nil)) {
		t.Fatalf("%q became %q", text, got)
	}
	return addresses
}

func TestRewrite(t *testing.T) {
	got := Rewrite([]byte("> "), []byte(`<a href='/x'>/x</a><img srcset="/a 1x, /b 2x"><a href=/c>`), HTML, func(out, address []byte) []byte {
		return append(append(out, "/m"...), address...)
	})
	if want := `> <a href='/m/x'>/x</a><img srcset="/m/a 1x, /m/b 2x"><a href=/m/c>`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRewriteKeepsTheRest(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 2))
	all := append([]string{` srcset="/a 1x, /b"`, ` style="a: url(/b)"`, ` ping=/c`, `<meta content=`, `0; url=/d`, `url(`, `url("`, `@import `, `/*`, `*/`, `;`, `\`, `)`, `,`, `(`, `/`}, pieces...)
	addresses := 0
	for range 30_000 {
		var text []byte
		for range 1 + random.IntN(24) {
			text = append(text, all[random.IntN(len(all))]...)
		}
		addresses += rewritten(t, text, HTML) + rewritten(t, text, CSS)
	}
	if addresses < 10_000 {
		t.Errorf("the documents have only %d addresses", addresses)
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add(`<a href="/x" srcset="/a 1x,/b"><style>url(/c</style><!-- <x`)
	f.Add("<a\x00 =href=/ ='/' \"/\"<script></SCRIPT ><style>@import'/")
	f.Fuzz(func(t *testing.T, text string) {
		rewritten(t, []byte(text), HTML)
		rewritten(t, []byte(text), CSS)
	})
}
