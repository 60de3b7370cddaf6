package edge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

// generator generates random requests for a site. The same seed produces the same requests.
type generator struct {
	*rand.Rand
	paths []string
	tags  map[string][]string // ETags of the resource at a path
	all   []string            // ETags of all resources
}

func newGenerator(m *artifact.Manifest, seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), tags: map[string][]string{}}
	for route := range m.Routes() {
		g.paths = append(g.paths, route.Path())
		for i := range route.Variants() {
			for c := range artifact.Coding(artifact.Codings) {
				if b, ok := m.BodyIn(route.Variant(i), c); ok {
					tag := artifact.ETag(m.Body(b).Hash, c)
					g.tags[route.Path()] = append(g.tags[route.Path()], tag)
					g.all = append(g.all, tag)
				}
			}
		}
	}
	return g
}

// pick returns one of choices at random.
func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// often returns true four times out of five, and seldom returns true one time out of eight.
func (g *generator) often() bool  { return g.IntN(5) > 0 }
func (g *generator) seldom() bool { return g.IntN(8) == 0 }

func (g *generator) question() question {
	resource := g.paths[g.IntN(len(g.paths))]
	if g.IntN(4) == 0 {
		resource = g.pick("/api", "/api/marketing", "/api/v1/marketing")
	}
	q := question{Request: decide.Request{Method: g.method(), Path: g.path(resource)}}
	if g.IntN(3) == 0 {
		q.HasQuery, q.Query = true, g.query()
	}
	if g.IntN(4) > 0 {
		q.Accept = g.mangled(g.list(g.mediaRange))
	}
	if g.IntN(3) > 0 {
		q.AcceptEncoding = g.mangled(g.list(g.coding))
	}
	if g.IntN(3) == 0 {
		q.IfNoneMatch = g.mangled(g.condition(resource))
	}
	if g.IntN(4) == 0 {
		q.IfMatch, q.HasIfMatch = g.mangled(g.condition(resource)), true
	}
	if g.IntN(3) == 0 {
		q.Origin = g.pick("https://app.example", "null", "")
	}
	if g.IntN(3) == 0 {
		q.AccessControlRequestMethod = g.pick("GET", "POST", "x", "")
	}
	g.allowance(&q)
	if g.IntN(2) == 0 {
		q.UserAgent = g.mangled(g.userAgent())
	}
	return q
}

// userAgent returns a User-Agent that contains a known agent's name, in a usual or unusual position and in either case.
func (g *generator) userAgent() string {
	ai, others := readers.Words()
	name := g.pick(ai...)
	if g.seldom() {
		name = g.pick(others...)
	}
	switch g.IntN(8) {
	case 0:
		name = strings.ToUpper(name)
	case 1:
		name += g.pick("x", "-", "_", ".", "\xff", "\u0130", strings.Repeat("a", 60))
	case 2:
		name = g.pick("x", "-", "_", ".", "K", strings.Repeat("a", 60)) + name
	case 3:
		name = g.pick(others...) + g.pick("/1 ", " ", ",", ", ", "\t", "") + name
	}
	return g.pick("", "Mozilla/5.0 (compatible; ", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ", "curl/8 ", "(", "+https://") +
		name + g.pick("", "/1.0", "/2.1; +https://agent.example/bot.html)", ")", " (a; b)")
}

func (g *generator) method() string {
	if g.IntN(3) > 0 {
		return "GET"
	}
	return g.pick("HEAD", "HEAD", "HEAD", "OPTIONS", "OPTIONS", "OPTIONS", "POST", "PUT", "PATCH", "DELETE",
		"TRACE", "CONNECT", "QUERY", "get", "Head", "GETS", "PRI", "__proto__", "")
}

// allowance sets the state of the allowance for a question: disabled, unused, almost exhausted, exhausted, at the end
// of a window, in the next window, or before the first request (after the clock was set back).
func (g *generator) allowance(q *question) {
	q.limit, q.window = 120, 60
	switch g.IntN(12) {
	case 0:
		q.limit = 0
	case 1:
		q.limit, q.window = 1+g.IntN(3), 1+g.IntN(3)
	case 2:
		q.limit, q.window = 1_000_000_000, 86_400
	}
	// Use only a few states in most questions, so that most responses repeat and the port sends each only once.
	switch g.IntN(4) {
	case 0:
		q.used = max(0, min(q.limit, 120)-1+g.IntN(3))
	case 1:
		q.used = g.IntN(4)
	}
	length := q.window * 1000
	switch g.IntN(6) {
	case 0:
		q.now = length - 2 + g.IntN(4)
	case 1:
		q.now = (g.IntN(4)-1)*1000 + g.IntN(3) - 1
	case 2:
		q.now = g.IntN(2 * length)
	}
}

// path returns a spelling of one of the site's paths, or a string that isn't a path.
func (g *generator) path(resource string) string {
	switch g.IntN(10) {
	case 0:
		return g.pick("*", "", "/", "//", "/.", "/..", "/__proto__", "/constructor", "/toString/", "/valueOf.html",
			"/hasOwnProperty", "__proto__", "404", "/404", "/404.html", "problem/not-found", "/problem/not-found",
			"/ja/nope", "/ja/nope.md", "/jax", "/ja//", "//ja/x", "404/ja", "/404/ja", "/j%61/x",
			"/index", "/index/", "/index.html", "/index.md", ".html", "/.html", "//evil.example/", "/%2e%2e/", "/api/",
			"/api/v2", "/api/%", "/api.html", "/api/v1/marketing/", "/API", "/.md", "/nope.md", "/api/%00", "/api/v1/marketing%2F", "/api/a.md", "/%00", "/%c0%af", "/\xff", "/\xff%20",
			"/%ed%a0%80", "/%F4%90%80%80", "/%EF%BB%BF", "/%7f", "/\x7f", "/\x00", "/a%", "/a%4", "/%u0041", "/%25", "/\\")
	case 1, 2, 3, 4:
		return g.escaped(resource)
	case 5, 6:
		return g.escaped(resource + g.pick("/", ".html", ".md", "//", "/index.html", "/.", ".html/", "/.html", ".HTML"))
	case 7:
		return g.escaped(strings.TrimSuffix(resource, ".md") + g.pick("/", ".html"))
	case 8:
		return g.mangled(g.escaped(resource))
	}
	return g.escaped(g.pick("/", "//", "/api/", "/blog/") + strings.TrimPrefix(resource, "/"))
}

// escaped returns a path with its bytes escaped where necessary, and sometimes with superfluous or
// missing escapes.
func (g *generator) escaped(path string) string {
	raw, eager := g.seldom(), g.seldom()
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		must := c <= ' ' || c >= 0x7f || c == '%' || c == '?' || c == '#' || c == '"'
		if must && !raw || eager && c != '/' && g.IntN(4) == 0 || g.IntN(400) == 0 {
			fmt.Fprintf(&b, g.pick("%%%02X", "%%%02x"), c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (g *generator) query() string {
	if g.often() {
		return g.pick("", "&", "&&", "x", "x=1", "=", "=1", "%zz", "?", "utm_source=a&utm_medium=b", "&x", "#", " ", "a/b",
			"__proto__=1", "\xff")
	}
	return g.mangled("q=" + g.pick("1", "%20", "a&b=c"))
}

// list joins elements in valid and invalid ways.
func (g *generator) list(element func() string) string {
	var b strings.Builder
	for i := range 1 + g.IntN(4) {
		if i > 0 {
			b.WriteString(g.pick(",", ", ", ", ", ", ", " ,", ",,", "\t,\t", ";", " "))
		}
		b.WriteString(element())
	}
	return b.String()
}

func (g *generator) mediaRange() string {
	name := g.pick("text/markdown", "text/markdown", "text/markdown", "text/html", "text/html", "*/*", "text/*",
		"Text/MarkDown", "TEXT/HTML", "application/json", "application/xhtml+xml", "text/markdown ", "*", "/", "",
		"text/markdow\u212a", "text/x-markdown", "text/plain", "text / html")
	return name + g.parameters(true)
}

func (g *generator) coding() string {
	return g.pick("gzip", "gzip", "br", "br", "identity", "*", "x-gzip", "GZIP", "Br", "deflate", "zstd", "", " br",
		"__proto__", "constructor") + g.parameters(false)
}

// parameters returns the parameters of a list element: a weight, and sometimes others.
func (g *generator) parameters(others bool) string {
	var b strings.Builder
	for range g.IntN(2) + g.IntN(2) {
		b.WriteString(g.pick(";", ";", "; ", " ;", ";;", " ; "))
		if others && g.IntN(3) == 0 {
			b.WriteString(g.pick("charset=utf-8", "charset=UTF-8", `charset="utf-8"`, "charset=iso-8859-1", "level=1",
				"variant=GFM", `x="a,b;q=0"`, `x="a\",q=0`, `x="a\"b"`, `x="`, "=", "", "x", `"a,b"`, `x = "a,b"`, "charset=utf-8 "))
			continue
		}
		b.WriteString(g.pick("q=", "q=", "q=", "q=", "Q=", "q =", "q= ", "q", " q=", "qs="))
		b.WriteString(g.pick("1", "0", "0.5", "0.8", "0.9", "0.001", "0.999", "1.0", "1.000", "0.", "1.", "0.0", "0.000",
			"1.001", "2", "-1", ".5", "0.5555", "00.5", "0,5", "", " ", `"0.5"`, `"0`, "nan", "1e0", "0.5 ", "+1", "01", "0x1"))
	}
	return b.String()
}

// condition returns a list of entity tags, some of them the resource's own.
func (g *generator) condition(resource string) string {
	if g.seldom() {
		return g.pick("*", " * ", "*, *", `"*"`, "W/*", "")
	}
	return g.list(func() string { return g.tag(resource) })
}

func (g *generator) tag(resource string) string {
	own := g.tags[resource]
	tag := g.all[g.IntN(len(g.all))]
	if len(own) > 0 && g.often() {
		tag = own[g.IntN(len(own))]
	}
	switch g.IntN(10) {
	case 0, 1:
		return "W/" + tag
	case 2:
		return g.pick("w/"+tag, "W/ "+tag, strings.Trim(tag, `"`), strings.ToUpper(tag), tag+"x", tag+tag, tag[:len(tag)-1],
			tag[1:], `"a,`+tag+`"`, `"\`+tag, "*", `""`, `W/""`, `"`, `"a b"`, `W`, `W/`, `"a,b"`, `"a\"`, "\"\x7f\"", "\"\xff\"")
	}
	return tag
}

// mangled returns a string that is sometimes changed at random.
func (g *generator) mangled(s string) string {
	if !g.seldom() {
		return s
	}
	b := []byte(s)
	for range 1 + g.IntN(3) {
		at := g.IntN(len(b) + 1)
		switch g.IntN(3) {
		case 0:
			b = append(b[:at:at], append([]byte(g.pick(",", ";", "=", `"`, "\\", " ", "\t", "%", "/", "q", "*", "\x00", "\xff", "\n",
				"0", "A", ".", "?", "%2F", "\u00e9", "\u212a")), b[at:]...)...)
		case 1:
			if at < len(b) {
				b = append(b[:at], b[at+1:]...)
			}
		case 2:
			if at < len(b) {
				b[at] = byte(g.IntN(256))
			}
		}
	}
	return string(b)
}
