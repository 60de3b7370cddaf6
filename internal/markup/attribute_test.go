package markup

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestEach(t *testing.T) {
	for text, want := range map[string]string{
		`<a href="/x">/y</a>`:                                                    `a href=/x`,
		`<a href='/x'>`:                                                          `a href=/x`,
		`<a href=/x>`:                                                            `a href=/x`,
		`<a href=/x/>`:                                                           `a href=/x/`,
		"<A\nHREF = \t\"/x\" Class=b>":                                           `a href=/x, a class=b`,
		"<a\r\n\thref=\"/x\"\n>":                                                 `a href=/x`,
		`<img alt="a > b" src="/i.png"/>`:                                        `img alt=a > b, img src=/i.png`,
		`<img/src="/i.png"/alt>`:                                                 `img src=/i.png, img alt=`,
		`<input disabled value= '' checked>`:                                     `input disabled=, input value=, input checked=`,
		`<a href=>x</a><b id=c>`:                                                 `a href=, b id=c`,
		`<a =href="/x">`:                                                         `a =href=/x`,
		`<!-- <a href="/x"> --><a href="/y">`:                                    `a href=/y`,
		`<!--><a href="/x">--><!---><b id=c><!-- --!><b id=d>`:                   `a href=/x, b id=c, b id=d`,
		`<!doctype html><?xml a="b"?></ <i id=x>><b id=c>`:                       `b id=c`,
		`</a href="/x"><b id=c>`:                                                 `b id=c`,
		`</a title="<b id=c>"><b id=d>`:                                          `b id=d`,
		`1 < 2 <a href="/x"> <3 <`:                                               `a href=/x`,
		`<script src="/s">x = '<a href="/x">'</script><b id=c>`:                  `script src=/s, b id=c`,
		`<SCRIPT>"</scripts>" <a href="/x"></Script ><b id=c>`:                   `b id=c`,
		`<script><!-- <script></script> <a href="/x"> --></script><b id=c>`:      `b id=c`,
		`<script><!-- </script><b id=c>`:                                         `b id=c`,
		`<style>a::before { content: "<b id=c>" }</style><b id=d>`:               `b id=d`,
		`<title><a href="/x"></title><textarea><a href="/x"></textarea><b id=c>`: `b id=c`,
		`<noscript><a href="/x"></a></noscript>`:                                 `a href=/x`,
		`<plaintext><a href="/x">`:                                               ``,
		`<p data-x href="/x"`:                                                    `p data-x=, p href=/x`,
		`<p href="/x`:                                                            `p href=/x`,
		`<p href=`:                                                               `p href=`,
		`<svg><use xlink:href="/i.svg#a"/></svg>`:                                `use xlink:href=/i.svg#a`,
		`<a title="&lt;b id=c&gt;">`:                                             `a title=&lt;b id=c&gt;`,
	} {
		var got []string
		Each([]byte(text), func(a *Attr) {
			got = append(got, fmt.Sprintf("%s %s=%s", a.Tag, a.Name, a.Value))
			if value := text[a.At:]; !strings.HasPrefix(value, string(a.Value)) || a.Quote != 0 && text[a.At-1] != a.Quote {
				t.Errorf("%s: %s is not at %d after %q", text, a.Value, a.At, a.Quote)
			}
			if tag := text[a.Start:]; tag[0] != '<' || !strings.EqualFold(tag[1:1+len(a.Tag)], string(a.Tag)) {
				t.Errorf("%s: <%s is not at %d", text, a.Tag, a.Start)
			}
		})
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", text, got, want)
		}
	}
}

// attribute is an attribute as returned by x/net/html.
type attribute struct{ tag, name, value string }

// attributes returns the attributes that Each finds.
func attributes(text []byte) (found []attribute) {
	Each(text, func(a *Attr) { found = append(found, attribute{plain(a.Tag), plain(a.Name), resolved(a.Value)}) })
	return found
}

// plain returns a name with U+FFFD in place of NUL characters.
func plain(name []byte) string { return strings.ReplaceAll(string(name), "\x00", "\ufffd") }

// resolved returns a value as x/net/html does, for example with character references resolved.
func resolved(value []byte) string {
	if !bytes.ContainsAny(value, "&\r\x00") {
		return string(value)
	}
	z := html.NewTokenizer(strings.NewReader(`<a b="` + strings.ReplaceAll(string(value), `"`, "&#34;") + `">`))
	z.Next()
	_, plain, _ := z.TagAttr()
	return string(plain)
}

// compare compares the attributes that Each finds, and the styles that EachAndStyles finds, with x/net/html.
func compare(t *testing.T, text []byte) {
	t.Helper()
	var all []attribute
	var styles, wantStyles []string
	inStyle := false
	z := html.NewTokenizer(bytes.NewReader(text))
	for token := z.Next(); ; token = z.Next() {
		raw := bytes.Clone(z.Raw())
		if token == html.TextToken && inStyle {
			wantStyles = append(wantStyles, string(raw))
		}
		inStyle = false
		if token == html.ErrorToken {
			// Browsers drop a tag if the text ends within it.
			all = append(all, attributes(raw)...)
			break
		}
		if token != html.StartTagToken && token != html.SelfClosingTagToken {
			continue
		}
		name, more := z.TagName()
		inStyle = string(name) == "style"
		if string(name) == "noscript" {
			z.NextIsNotRawText() // read <noscript> as with scripting disabled
		}
		var want []attribute
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			want = append(want, attribute{string(name), string(key), string(value)})
		}
		got := attributes(raw)
		all = append(all, got...)
		// x/net/html skips repeated attributes of a tag.
		var once []attribute
		for _, a := range got {
			if !slices.ContainsFunc(once, func(b attribute) bool { return a.name == b.name }) {
				once = append(once, a)
			}
		}
		if !slices.Equal(once, want) {
			t.Fatalf("%q\ngives %q\nwant  %q", raw, once, want)
		}
	}
	scan(text, func(*Attr) {}, func(begin, end int) { styles = append(styles, string(text[begin:end])) })
	if got := attributes(text); !slices.Equal(got, all) {
		t.Fatalf("%q\ngives %q\nwant  %q", text, got, all)
	}
	if !slices.Equal(styles, wantStyles) {
		t.Fatalf("%q\nhas the styles %q\nwant           %q", text, styles, wantStyles)
	}
}

// mistaken matches documents that x/net/html doesn't read as the standard specifies: x/net/html ends a comment in a
// script at a "<" that no letter or slash follows.
var mistaken = regexp.MustCompile(`(?is)<script.*<!--.*<([^a-z/]|$)`)

func FuzzEach(f *testing.F) {
	f.Add(`<a href="/x" srcset='/a 1x,/b'><style>url(/c</style><!-- <x --!><script><!--<script></script></script>`)
	f.Add("<A\x00 =href=/ ='/' \"/\"<TEXTAREA></textarea/x=y></p a='>'><?x><!x></ x><plaintext><b c>")
	f.Fuzz(func(t *testing.T, text string) {
		if !mistaken.MatchString(text) {
			compare(t, []byte(text))
		}
	})
}

// pieces are complete and truncated parts of markup, from which tests generate documents.
var pieces = strings.Split(`<|>|</|/>|/|=|"|'| |`+"\n|\t|\r|\f"+`|a|A|href|HREF|x|&amp;|&lt|&copy=|<a href="/x">|<A HREF='/y' >|<img src=/z alt>|</a>|</p b=">">|<p|<title>|</title>|</TITLE >|<textarea>|</textarea|<style>|</style>|</styles>|<script>|<script |</script>|</script |<!--|-->|--!>|--|-|!|<!-->|<!--->|<!doctype html>|<?xml ?>|<xmp>|</xmp>|<iframe>|</iframe>|<noscript>|</noscript>|<noembed>|</noembed>|<svg/>|é|`+"\x00", "|")

func TestEachAgreesWithHTML(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 1))
	attributes := 0
	for range 60_000 {
		var text []byte
		for range 1 + random.IntN(24) {
			text = append(text, pieces[random.IntN(len(pieces))]...)
		}
		if !mistaken.Match(text) {
			compare(t, text)
			Each(text, func(*Attr) { attributes++ })
		}
	}
	if attributes < 25_000 {
		t.Errorf("the documents have only %d attributes", attributes)
	}
}

// page returns an HTML page of about 16 KB.
func page() []byte {
	var b bytes.Buffer
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A page</title><link rel=\"stylesheet\" href=\"/assets/a.css\"><script src=\"/assets/b.js\" defer></script></head><body>\n")
	for i := 0; b.Len() < 16<<10; i++ {
		fmt.Fprintf(&b, "<h2 id=\"part-%[1]d\">Part %[1]d <a class=\"anchor\" href=\"#part-%[1]d\" aria-label=\"Link\"></a></h2>\n<p>Some words with <em>stress</em>, <a href=\"/docs/page-%[1]d\">a link</a> to <code>code &lt;%[1]d&gt;</code>, and more words than markup, as pages have them; a sentence follows.</p>\n<pre class=\"code\"><code><span class=\"k\">func</span> <span class=\"nf\">main</span><span class=\"p\">()</span></code></pre>\n", i)
	}
	return b.Bytes()
}

func BenchmarkEach(b *testing.B) {
	text := page()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		Each(text, func(a *Attr) {
			if a.Kind() != Text {
				found++
			}
		})
	}
}

func BenchmarkHTML(b *testing.B) {
	text := page()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		z := html.NewTokenizer(bytes.NewReader(text))
		for token := z.Next(); token != html.ErrorToken; token = z.Next() {
			if token == html.StartTagToken {
				_, more := z.TagName()
				for more {
					_, _, more = z.TagAttr()
				}
			}
		}
	}
}
