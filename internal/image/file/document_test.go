package file

import "testing"

// DocumentScripts finds a script only if a browser would run it.
func TestDocumentScripts(t *testing.T) {
	const xhtml, svg = `xmlns="http://www.w3.org/1999/xhtml"`, `xmlns="http://www.w3.org/2000/svg"`
	for name, c := range map[string]struct {
		data string
		want int
	}{
		"XHTML":                    {`<a><script ` + xhtml + `>x()</script></a>`, 1},
		"a prefix":                 {`<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script/><h:p onclick="x()"/></a>`, 2},
		"SVG":                      {`<a><svg ` + svg + ` onload="x()"><a href="javascript:x()"/></svg></a>`, 2},
		"before a mistake":         {`<a><script ` + xhtml + `>x()</script></b>`, 1},
		"a feed":                   {`<?xml-stylesheet type="text/xsl" href="/feed.xsl"?><rss><channel><script>x</script><item onclick="x"/></channel></rss>`, 0},
		"HTML that is text":        {`<a>&lt;script&gt;<![CDATA[<script>x()</script>]]></a>`, 0},
		"a page without a script":  {`<html ` + xhtml + `><body><p class="a">b</p></body></html>`, 0},
		"bytes that are no markup": {"\x00\x01", 0},
	} {
		if found := DocumentScripts([]byte(c.data)); len(found) != c.want {
			t.Errorf("%s: found %v, want %d", name, found, c.want)
		}
	}
}
