package file

import (
	"strings"
	"testing"
)

// DocumentScripts finds a script only if a browser would run it.
func TestDocumentScripts(t *testing.T) {
	const xhtml, svg = `xmlns="http://www.w3.org/1999/xhtml"`, `xmlns="http://www.w3.org/2000/svg"`
	for name, c := range map[string]struct {
		data string
		want int
	}{
		"XHTML":                   {`<a><script ` + xhtml + `>x()</script></a>`, 1},
		"a prefix":                {`<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script/><h:p onclick="x()"/></a>`, 2},
		"SVG":                     {`<a><svg ` + svg + ` onload="x()"><a href="javascript:x()"/></svg></a>`, 2},
		"before a mistake":        {`<a><script ` + xhtml + `>x()</script></b>`, 1},
		"after an unknown entity": {`<p>&nbsp;<script ` + xhtml + `>x()</script></p>`, 1},
		"larger than an SVG":      {`<a>` + strings.Repeat(" ", MaxVector) + `<script ` + xhtml + `>x()</script></a>`, 1},
		"a feed":                  {`<?xml-stylesheet type="text/xsl" href="/feed.xsl"?><rss><channel><script>x</script><item onclick="x"/></channel></rss>`, 0},
		"escaped HTML":            {`<a>&lt;script&gt;<![CDATA[<script>x()</script>]]></a>`, 0},
		"a page without a script": {`<html ` + xhtml + `><body><p class="a">b</p></body></html>`, 0},
		"bytes without markup":    {"\x00\x01", 0},
	} {
		if found, err := DocumentScripts([]byte(c.data)); len(found) != c.want || err != nil {
			t.Errorf("%s: found %v, want %d, %v", name, found, c.want, err)
		}
	}
}

// DocumentScripts returns an error for an XML document that it can't inspect.
func TestUncheckedDocuments(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"UTF-16":        {"\xff\xfe<\x00a\x00/\x00>\x00", "not UTF-8"},
		"a declaration": {`<?xml version="1.0" encoding="utf-7"?><a/>`, "encoded in utf-7"},
		"XML 1.1":       {`<?xml version="1.1"?><a/>`, "version"},
		"an entity":     {`<!DOCTYPE a [<!ENTITY b "<script>x()</script>">]><a>&b;</a>`, "cannot be checked"},
	} {
		if _, err := DocumentScripts([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}
