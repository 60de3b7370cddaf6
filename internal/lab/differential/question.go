package differential

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/readers"
)

// A Question is a request that a Comparison sends to both servers.
type Question struct {
	Method, Target string
	Fields         []artifact.Field
	// Body is the size of the body in bytes, or -1 for a request without a body.
	Body int
}

// bytes returns the request as bytes: the header section, addressed to host, and the body.
func (q Question) bytes(host string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", q.Method, q.Target, host)
	for _, f := range q.Fields {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
	}
	if q.Body >= 0 {
		fmt.Fprintf(&b, "Content-Type: text/plain\r\nContent-Length: %d\r\n", q.Body)
	}
	return []byte(b.String() + "\r\n" + strings.Repeat("x", max(q.Body, 0)))
}

// String returns the request in the format that declared differences match: the request line without the version, and
// the fields.
func (q Question) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", q.Method, q.Target)
	for _, f := range q.Fields {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	if q.Body >= 0 {
		fmt.Fprintf(&b, "Content-Length: %d\n", q.Body)
	}
	return b.String()
}

// generator generates random requests for a build. The same seed always produces the same requests.
type generator struct {
	*rand.Rand
	paths []string
	tags  map[string][]string // ETags of each resource, keyed by path
	all   []string            // ETags of all resources
	// agents is true if the site negotiates by User-Agent.
	agents bool
}

func newGenerator(m *artifact.Manifest, seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 20)), tags: map[string][]string{}, agents: m.Agents != nil}
	for route := range m.Routes() {
		if route.Kind() == artifact.KindFallback {
			continue
		}
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

func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// once returns true once in n calls, on average.
func (g *generator) once(n int) bool { return g.IntN(n) == 0 }

// question returns a random request, usually for one of the build's resources.
func (g *generator) question() Question {
	resource := g.paths[g.IntN(len(g.paths))]
	switch g.IntN(8) {
	case 0:
		resource = g.pick("/", "/pricing", "/blog", "/llms.txt")
	case 1:
		resource = g.pick(artifact.DiscoveryPath, artifact.AliasPath, artifact.OperationPath)
	}
	q := Question{Method: g.method(), Target: g.target(resource), Body: -1}
	add := func(rarity int, name string, value func() string) {
		if !g.once(rarity) {
			return
		}
		q.Fields = append(q.Fields, artifact.Field{Name: g.spelled(name), Value: strings.Trim(value(), " \t")})
		if g.once(12) {
			q.Fields = append(q.Fields, artifact.Field{Name: name, Value: strings.Trim(value(), " \t")})
		}
	}
	add(2, "Accept", func() string { return g.list(g.mediaRange) })
	add(3, "Accept-Encoding", func() string { return g.list(g.coding) })
	add(4, "If-None-Match", func() string { return g.condition(resource) })
	add(6, "If-Match", func() string { return g.condition(resource) })
	add(6, "Range", func() string {
		return g.pick("bytes=0-0", "bytes=0-9", "bytes=-5", "bytes=5-", "bytes=0-1,3-4", "bytes=9999999-", "bytes=", "items=0-1", "bytes=5-2")
	})
	add(16, "If-Range", func() string { return g.tag(resource) })
	add(16, "If-Modified-Since", func() string {
		return g.pick("Sat, 01 Jan 2000 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "yesterday")
	})
	add(20, "If-Unmodified-Since", func() string { return g.pick("Sat, 01 Jan 2000 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT") })
	add(10, "Origin", func() string { return g.pick("https://app.example", "null") })
	add(10, "Access-Control-Request-Method", func() string { return g.pick("GET", "POST") })
	add(24, "Cache-Control", func() string { return g.pick("no-cache", "no-store", "max-age=0", "only-if-cached", "max-stale") })
	add(30, "Accept-Language", func() string { return g.pick("de", "fr, en;q=0.5", "*") })
	add(30, "Cookie", func() string { return "a=b; c=d" })
	add(40, "Authorization", func() string { return "Basic YTpi" })
	add(40, "X-Forwarded-For", func() string { return g.pick("203.0.113.9", "203.0.113.9, 198.51.100.7") })
	if q.Method != "GET" && q.Method != "HEAD" && !g.once(3) || g.once(30) {
		q.Body = []int{0, 1, 10, 1000, 20_000, 65_536, 65_537, 200_000}[g.IntN(8)]
	}
	if g.agents {
		add(1, "User-Agent", g.userAgent)
		// Keep only the first User-Agent. Well-behaved clients don't send two, and servers differ in which of the two
		// they use.
		at := slices.IndexFunc(q.Fields, func(f artifact.Field) bool { return strings.EqualFold(f.Name, "User-Agent") })
		q.Fields = q.Fields[:at+1]
	}
	return q
}

// userAgent returns a User-Agent with known agents, in usual and unusual positions and letter case.
func (g *generator) userAgent() string {
	ai, others := readers.Words()
	name := g.pick(ai...)
	switch g.IntN(6) {
	case 0:
		name = g.pick(others...)
	case 1:
		name = strings.ToUpper(name)
	case 2:
		name = g.pick("x", "-", "_", ".", "", "") + name + g.pick("x", "-", "_", ".", "", "")
	case 3:
		name = g.pick(others...) + g.pick("/1 ", " ", ",", ", ") + name
	case 4:
		name += g.pick("/1 ", " ", ",", ", ") + g.pick(others...)
	}
	return g.pick("", "Mozilla/5.0 (compatible; ", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ", "curl/8 ", "(", "+https://",
		strings.Repeat("(a ", 80), strings.Repeat(";", 300)) + name + g.pick("", "/1.0", "/2.1; +https://agent.example/bot.html)", ")", " (a; b)")
}

// spelled returns a field's name, sometimes in lower case.
func (g *generator) spelled(name string) string {
	if g.once(10) {
		return strings.ToLower(name)
	}
	return name
}

func (g *generator) method() string {
	switch g.IntN(8) {
	case 0, 1, 2, 3, 4:
		return "GET"
	case 5:
		return "HEAD"
	case 6:
		return g.pick("OPTIONS", "POST", "HEAD")
	}
	return g.pick("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PURGE", "BAN", "BREW", "get", "GETS", "QUERY")
}

// target returns a spelling of one of the site's paths, or another string, sometimes with a query.
func (g *generator) target(resource string) string {
	path := g.path(resource)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	switch g.IntN(12) {
	case 0:
		return path + "?" + g.pick("", "x", "x=1", "utm_source=a&utm_medium=b", "=", "&", "&&", "%zz", "?", "a=/../b", "q=%2F", "a//b")
	case 1:
		return path + "?" + g.pick("", "&")
	}
	return path
}

func (g *generator) path(resource string) string {
	switch g.IntN(10) {
	case 0:
		return g.pick("/nope", "/nope.md", "/api/none", "/api/", "/api/v1/marketing/", "/API", "/Pricing", "/.md", "/index", "/index.html", "/index.md",
			"/index/", "//", "///", "/.", "/..", "/./pricing", "/blog/../pricing", "/../pricing", "/%2e%2e/pricing", "/pricing/..", "/pricing%2F",
			"/%70ricing", "/pricing%20", "/pricing%3F", "/pri%63ing.md", "/pricing%00", "/pricing%zz", "/%", "/pricing%", "/caf%C3%A9", "/%ff",
			"/%c0%af", "/\\pricing", "/pricing\\", "/a:b", "/~x", "/pricing;x=1", "/pricing,", "/pricing+", "/pricing.HTML", "/pricing.MD",
			"/pricing.md/", "/pricing.md.md", "/pricing.html/", "/assets/nope.css", "/assets/", "/.well-known/", "/.well-known/nope", "/problems/",
			"/api/%2e%2e/pricing", "/api//v1", "//api", "//api/v1/marketing", "//pricing", "//pricing/", "/pricing//", "//evil.example/", "/blog//",
			"/api%2Fv1", "/%61pi/v1/marketing", "/%61pi/none", "/.vitrine/412", "/.vitrine/0/x", "/.vitrine/options/operation", "/favicon.ico")
	case 1, 2, 3, 4, 5:
		return g.escaped(resource)
	case 6:
		return g.escaped(resource) + g.pick("/", ".html", ".md", "//", "/index.html", "/.", "/..", ".html/", "%20", "%2e", "x")
	case 7:
		return g.escaped(strings.TrimSuffix(resource, ".md")) + g.pick("/", ".html", "")
	case 8:
		at := g.IntN(len(resource))
		return g.escaped(resource[:at]) + g.pick("/", "//", "%2F", "./", "../", "%2e", ".", "%41", "%5C", "%20") + g.escaped(resource[at:])
	}
	return g.pick("/", "//", "/blog/", "/./") + strings.TrimPrefix(g.escaped(resource), "/")
}

// escaped percent-encodes the bytes of path as necessary, and sometimes with superfluous escapes.
func (g *generator) escaped(path string) string {
	eager := g.once(10)
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`%?#"<>\^`+"`{|}", c) >= 0 || eager && c != '/' && g.once(4) {
			fmt.Fprintf(&b, g.pick("%%%02X", "%%%02x"), c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// list joins one to four elements, sometimes with separators that clients shouldn't use.
func (g *generator) list(element func() string) string {
	var b strings.Builder
	for i := range 1 + g.IntN(4) {
		if i > 0 {
			b.WriteString(g.pick(",", ", ", ", ", ", ", " ,", ",,", "\t,\t"))
		}
		b.WriteString(element())
	}
	return b.String()
}

func (g *generator) mediaRange() string {
	return g.pick("text/markdown", "text/markdown", "text/markdown", "text/html", "text/html", "text/html", "*/*", "*/*", "text/*", "Text/MarkDown",
		"TEXT/HTML", "application/json", "application/xhtml+xml", "text/x-markdown", "text/plain", "*", "") + g.parameters(true)
}

func (g *generator) coding() string {
	return g.pick("gzip", "gzip", "br", "br", "identity", "*", "x-gzip", "GZIP", "deflate", "zstd", "") + g.parameters(false)
}

// parameters returns the parameters of an element: weights, and, if others is true, sometimes other parameters.
func (g *generator) parameters(others bool) string {
	var b strings.Builder
	for range g.IntN(2) + g.IntN(8)/7 {
		b.WriteString(g.pick(";", ";", "; ", " ;", " ; "))
		if others && g.once(4) {
			b.WriteString(g.pick("charset=utf-8", "charset=UTF-8", `charset="utf-8"`, "charset=iso-8859-1", "level=1", "variant=GFM", `x="a,b;q=0"`))
			continue
		}
		b.WriteString(g.pick("q=", "q=", "q=", "q=", "q=", "Q="))
		b.WriteString(g.pick("1", "0", "0.5", "0.8", "0.9", "0.001", "0.999", "1.0", "1.000", "0.", "0.0", "0.000", "0.50", "0.25", "0.251",
			"1.001", "2", "-1", ".5", "0.5555", "", "x", `"0.5"`, "01"))
	}
	return b.String()
}

// condition returns a value of If-Match or If-None-Match: a list of entity tags, most of which belong to the resource,
// or sometimes "*", a malformed variant of "*", or "".
func (g *generator) condition(resource string) string {
	if g.once(8) {
		return g.pick("*", "*", "*, *", `"*"`, "W/*", "")
	}
	return g.list(func() string { return g.tag(resource) })
}

func (g *generator) tag(resource string) string {
	own := g.tags[resource]
	tag := g.all[g.IntN(len(g.all))]
	if len(own) > 0 && !g.once(4) {
		tag = own[g.IntN(len(own))]
	}
	switch g.IntN(10) {
	case 0, 1:
		return "W/" + tag
	case 2:
		return g.pick("w/"+tag, strings.Trim(tag, `"`), strings.ToUpper(tag), tag+"x", tag[:len(tag)-1], tag[1:], `"a,`+tag+`"`, `""`, `"a b"`, `"a,b"`)
	}
	return tag
}

// simpler returns requests that are slightly simpler than q, the simplest first.
func simpler(q Question) []Question {
	var all []Question
	add := func(change func(*Question)) {
		s := q
		s.Fields = append([]artifact.Field(nil), q.Fields...)
		change(&s)
		emptied := func(f artifact.Field) bool { return f.Value == "" }
		if s.String() != q.String() && (!slices.ContainsFunc(s.Fields, emptied) || slices.ContainsFunc(q.Fields, emptied)) {
			all = append(all, s)
		}
	}
	if q.Body >= 0 {
		add(func(s *Question) { s.Body = -1 })
		add(func(s *Question) { s.Body = 0 })
		add(func(s *Question) { s.Body /= 2 })
	}
	for i := range q.Fields {
		add(func(s *Question) { s.Fields = append(s.Fields[:i], s.Fields[i+1:]...) })
	}
	add(func(s *Question) { s.Method = "GET" })
	path, _, _ := strings.Cut(q.Target, "?")
	add(func(s *Question) { s.Target = path })
	add(func(s *Question) { s.Target = "/pricing" })
	for i, f := range q.Fields {
		for _, separator := range []string{",", ";"} {
			parts := strings.Split(f.Value, separator)
			for n := range parts {
				add(func(s *Question) {
					rest := append(append([]string(nil), parts[:n]...), parts[n+1:]...)
					s.Fields[i].Value = strings.Trim(strings.Join(rest, separator), " \t")
				})
			}
		}
	}
	return all
}
