package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A sanitizer with an allow list checks the HTML of pages: it parses the HTML as browsers do, and fails for any
// element, attribute, or scheme that the renderer has no reason to write. A repairing sanitizer, such as bluemonday,
// would only show that its output differs from the HTML. This sanitizer, which uses the same parser, reports the
// violation.

// allowed returns the elements that a page may contain, with their attributes.
func allowed() map[string][]string {
	all := map[string][]string{
		"picture": nil, "source": {"type", "srcset", "sizes"},
		"a": {"href", "title", "class", "role", "aria-label", "id"}, "img": {"src", "alt", "title", "srcset", "sizes", "width", "height", "loading", "decoding"},
		"code": {"class"}, "pre": {"class", "tabindex"}, "span": {"class", "id"}, "p": {"class", "id"}, "li": {"id"}, "sup": {"id"},
		"div": {"class", "role", "tabindex", "aria-label", "aria-labelledby", "id", "data-group"}, "ol": {"start"}, "td": {"class", "colspan", "rowspan"}, "th": {"class", "colspan", "rowspan"},
		"abbr": {"title"}, "details": {"class", "id", "open"}, "figure": {"class", "id"}, "track": {"kind", "src", "default"},
		"video": {"class", "id", "controls", "preload", "src", "poster", "width", "height", "aria-label"},
		"input": {"type", "disabled", "checked", "aria-label"},
	}
	for _, plain := range strings.Fields("strong em del br hr ul blockquote table thead tbody tr kbd sub mark ins summary figcaption dl dt dd caption") {
		all[plain] = nil
	}
	for _, heading := range strings.Fields("h1 h2 h3 h4 h5 h6") {
		all[heading] = []string{"id"}
	}
	return all
}

// unsafe returns the elements, attributes, and addresses that a browser would find in HTML and that aren't on the allow
// list.
func unsafe(source []byte) ([]string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(bytes.NewReader(source), body)
	if err != nil {
		return nil, err
	}
	rules := allowed()
	var found []string
	for _, root := range nodes {
		found = append(found, unsafeNode(root, rules)...)
		for n := range root.Descendants() {
			found = append(found, unsafeNode(n, rules)...)
		}
	}
	return found, nil
}

func unsafeNode(n *html.Node, rules map[string][]string) []string {
	switch n.Type {
	case html.TextNode:
		return nil
	case html.ElementNode:
	default:
		return []string{fmt.Sprintf("a node of type %d: %q", n.Type, n.Data)}
	}
	attributes, ok := rules[n.Data]
	if !ok || n.Namespace != "" {
		return []string{fmt.Sprintf("the element %q", n.Data)}
	}
	var found []string
	for _, a := range n.Attr {
		if !slices.Contains(attributes, a.Key) || a.Namespace != "" {
			found = append(found, fmt.Sprintf("the attribute %s=%q of %q", a.Key, a.Val, n.Data))
		}
		if (a.Key == "href" || a.Key == "src" || a.Key == "poster") && runs(a.Val, n.Data == "img" || a.Key == "poster") {
			found = append(found, fmt.Sprintf("the address %q of %q", a.Val, n.Data))
		}
	}
	return found
}

// runs reports whether a browser would run address as code or read a local file for it. As in the URL Standard, it
// ignores control characters and spaces around the address, and tabs and line breaks inside it.
func runs(address string, image bool) bool {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	scheme, rest, ok := strings.Cut(strings.ToLower(address), ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return false
	}
	switch scheme {
	case "javascript", "vbscript", "file", "blob", "filesystem", "view-source":
		return true
	case "data":
		raster := slices.ContainsFunc([]string{"png", "gif", "jpeg", "webp"}, func(kind string) bool {
			return strings.HasPrefix(rest, "image/"+kind+";") || strings.HasPrefix(rest, "image/"+kind+",")
		})
		return !image || !raster
	}
	return false
}

// attacks returns ways to get a script past Markdown: raw HTML in all its forms, disguised schemes, and attributes that
// break out of their quotes.
func attacks() []string {
	return []string{
		"<script>alert(1)</script>\n", "a <b onclick=alert(1)>b</b>\n", "<img src=x onerror=alert(1)>\n", "<svg/onload=alert(1)>\n",
		"[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](java\tscript:alert(1))", "[a](<java\nscript:alert(1)>)", "[a](&#106;avascript:alert(1))",
		"[a](javascript&colon;alert(1))", "[a](&#x1;javascript:alert(1))", "[a](\\javascript:alert(1))", "[a](java\\script:alert(1))", "[a](java&Tab;script:alert(1))",
		"[a](java&NewLine;script:alert(1))", "[a](%6aavascript:alert(1))", "[a](//x \"\\\" onmouseover=alert(1) x=\\\"\")", "[a](/x \"&quot; onmouseover=&quot;alert(1)\")",
		"<javascript:alert(1)>", "<JAVASCRIPT:alert(1)>", "[a]\n\n[a]: javascript:alert(1)", "[a]: <java&#9;script:x> 'y'\n\n[a]", "![a](javascript:alert(1))",
		"![a](data:image/svg+xml,<svg/onload=alert(1)>)", "![a](data:image/png;base64,AA==)", "[a](data:text/html;base64,PHNjcmlwdD4=)", "![a\" onerror=\"alert(1)](b)",
		"[a](vbscript:x)", "[a](file:///etc/passwd)", "[a](blob:x)", "[a](view-source:javascript:x)", "```\"onclick=\"alert(1)\n<script>\n```\n", "```<script>\nx\n```\n",
		"~~~ go\"><script>\n</code></pre><script>alert(1)</script>\n~~~\n", "`<script>`", "# a {#x\" onclick=\"y}\n", "# \" onclick=\"alert(1)\n", "[^\"><script>]: x\n\n[^\"><script>]",
		"> [!NOTE\"><script>]\n> a\n", "| <script> |\n|:-\"onclick=x|\n| ![a](javascript:x) |\n", "- [x\"onclick=y] a\n", "<!-- a --><?php x ?><!DOCTYPE a><![CDATA[<script>]]>\n",
		"<http://a.b/\"onclick=\"x>", "http://a.b/\"onclick=\"x www.a.b/<script>\n", "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script>alert(1)&#60;/script>", "\\<script>",
		"{{ name }} [a]({{ contact }}) [b](javascript:{{ name }}) ![{{ odd }}]({{ links.signup }} \"{{ odd }}\")\n", "[a](java{{ name }}script:x)", "{{ odd }}<script>{{ plans }}",
		"<a href=\"javascript:alert(1)\">x</a>", "<a href='java&#9;script:alert(1)'>x</a>", "<a href=\" &#1;JavaScript&colon;alert(1)\">x</a>", "<img src=x onerror=alert(1) width=9>", "<img src='x\" onerror=\"y' alt='\"onload=x' width=9>",
		"<kbd onclick=x style=y>a</kbd> <abbr title='\"><script>'>b</abbr> <a id='\"><script>'>c</a>", "<a id=\"x&quot; onclick=&quot;y\"></a>", "<details ontoggle=alert(1) open><summary onclick=x><script>y</script></summary></details>\n",
		"<video src=\"javascript:x\" poster=\"javascript:y\" onplay=z></video>", "<video><source src='data:text/html,x'><track src='file:///x'></video>\n", "<table background=x><td colspan='1\" onclick=\"x' rowspan=99999>a</table>\n",
		"<dl><dt onclick=x><svg/onload=y><dd><iframe srcdoc='<script>'></dl>\n", "<pre><code class='language-x\" onclick=\"y'><script></code></pre>\n", "<p><p><p></table><td><form><input></form>\n", "<ul><li><script>x\n</ul>\n\n</script><style>*{}</style>\n",
		"<figure><figcaption><a href=vbscript:x>a</a></figcaption></figure>\n", "<a\nhref\n=\njavascript:x\n>y</a>", "<a href=javascript:x><img src=javascript:y width=1></a>\n", "<b><template><math><mi//xlink:href='data:x,<script>'>\n", "<scr<script>ipt>x</scr</script>ipt>\n",
		":::note[<script>]{onclick=x}\n<script>\n:::\n", ":::details[x]{#a\" onclick=\"b}\n:::\n", ":::details{id='x\" onclick=\"y' open='\"><script>'}\n:::\n", "::::tabs{group='\"><script>'}\n:::tab[<img src=x onerror=y>]{#\"x}\n:::\n::::\n", "::video[\" onplay=\"x]{src=javascript:x poster='javascript:y' width='9\" onclick=\"z'}\n",
		"::youtube[x]{id='\"><script>'}\n\n::vimeo[<script>]{url=javascript:x}\n", ":::card[x]{link=javascript:y}\n:::\n", ":badge[<script>]{type='\" onclick=\"x'} :kbd[<svg/onload=x>]", ":::quotation[<script>]{from='<script>x</script>'}\n<img src=x onerror=y>\n:::\n", "[a](\x00javascript:x)", "[a](\u200bjavascript:x)", "[a](javascript\u200b:x)", "[<img src=x onerror=y>](z)", "![<script>](x '<script>')",
	}
}

// No page's HTML contains a script, an event handler, or an executable address.
func TestSanitizerBlocksScripts(t *testing.T) {
	p := New(Options{Highlight: true}).WithFacts(testFacts()).With(newTestComponents(t))
	for _, source := range attacks() {
		holdSafe(t, p, []byte(source))
	}
}

// The sanitizer finds scripts, event handlers, executable addresses, and other disallowed markup.
func TestSanitizerFinds(t *testing.T) {
	for _, source := range []string{
		"<script>x</script>", "<p onclick=x>", "<a href='jAva&#9;script:x'>", "<img src=' javascript:x'>", "<svg><a xlink:href=x>", "<!-- x -->", "<p style=x>",
		"<a href='data:image/png,x'>", "<img src='data:image/svg+xml,x'>", "<iframe>", "<math>", "<a href='&#1;vbscript:x'>",
	} {
		if found, err := unsafe([]byte(source)); err != nil || len(found) == 0 {
			t.Errorf("%s passes: %v, %v", source, found, err)
		}
	}
}

func holdSafe(t *testing.T, p *Parser, source []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := p.Parse("x.md", source, 0).WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	found, err := unsafe(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range found {
		t.Errorf("%s is in the HTML of %q:\n%s", what, source, out.Bytes())
	}
}

// FuzzSanitize checks the HTML of any page with the sanitizer.
func FuzzSanitize(f *testing.F) {
	for _, source := range attacks() {
		f.Add([]byte(source))
	}
	p := New(Options{Highlight: true}).WithFacts(testFacts()).With(newTestComponents(f))
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) <= 1<<12 {
			holdSafe(t, p, source)
		}
	})
}
