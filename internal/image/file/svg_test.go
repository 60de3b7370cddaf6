package file_test

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/image/file"
)

// The size of an SVG comes from its width and height, or from its viewBox if they aren't usable.
func TestVectorSize(t *testing.T) {
	cases := []struct {
		root string
		w, h int
	}{
		{`<svg width="120" height="80">`, 120, 80},
		{`<svg width="120px" height=" 80 " viewBox="0 0 3 2">`, 120, 80},
		{`<svg viewBox="0 0 300 150">`, 300, 150},
		{`<svg viewBox="-10,-10, 300.4 150.6">`, 300, 151},
		{`<svg width="100%" height="100%" viewBox="0 0 300 150">`, 300, 150},
		{`<svg width="60" viewBox="0 0 300 150">`, 60, 30},
		{`<svg height="60" viewBox="0 0 300 150">`, 120, 60},
		{`<svg width="1in" height="25.4mm">`, 96, 96},
		{`<svg width="2em" height="1em">`, 0, 0},
		{`<svg viewBox="0 0 0 10">`, 0, 0},
		{`<svg viewBox="none">`, 0, 0},
		{`<svg width="NaN" height="Inf">`, 0, 0},
		{`<svg>`, 0, 0},
		{`<?xml version="1.0" encoding="ISO-8859-1"?><!-- ` + "\xe9" + ` --><svg width="7" height="9">`, 7, 9},
		{`<s:svg xmlns:s="http://www.w3.org/2000/svg" width="7" height="9">`, 7, 9},
	}
	for _, c := range cases {
		info, err := file.Inspect([]byte(c.root))
		if err != nil || info.Format != file.SVG || info.Width != c.w || info.Height != c.h {
			t.Errorf("%s: got %v of %d × %d and %v, want %d × %d", c.root, info.Format, info.Width, info.Height, err, c.w, c.h)
		}
	}
}

// The output of drawing programs is accepted: links, pictures, styles, animations, and the declarations at the start of
// files from old programs.
func TestCleanVectors(t *testing.T) {
	for _, text := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg"><style>a{fill:red}</style><path d="M0 0"/></svg>`,
		`<svg xmlns:xlink="http://www.w3.org/1999/xlink"><a href="https://example.com/"><use xlink:href="#a"/></a><image href="data:image/svg+xml;base64,AAAA"/></svg>`,
		`<svg><animate attributeName="opacity" values="0;1;0" begin="a.click"/></svg>`,
		`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg/>`,
		`<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>`,
		`<!DOCTYPE svg [<!ENTITY ` + strings.Repeat("a", 100) + ` "b">]><svg>` + strings.Repeat("&"+strings.Repeat("a", 100)+";", 5000) + `</svg>`,
		`<svg><text>javascript: is how it begins; on the other hand &lt;script&gt;</text><!-- <script/> --><desc><![CDATA[<script>]]></desc></svg>`,
		`<?xml-stylesheet type="text/css" href="a.css"?><svg/>`,
		`<svg><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>x</rdf:li></rdf:RDF></metadata></svg>`,
		`<svg><foreignObject width="1" height="1"><rect/></foreignObject></svg>`,
		"\xef\xbb\xbf<svg/>",
		`<?xml version="1.0" encoding="windows-1252"?><svg><text>` + "\x93" + `</text></svg>`,
	} {
		if found, err := file.Scripts([]byte(text)); found != nil || err != nil {
			t.Errorf("%s: got %v, %v", text, found, err)
		}
	}
}

// Content that could run code is found with its position, and a file that can't be inspected causes an error.
func TestScripts(t *testing.T) {
	const space = `xmlns="http://www.w3.org/2000/svg"`
	cases := []struct {
		text string
		// want are the findings as line:col text, or the error.
		want string
	}{
		{"<svg " + space + ">\n <g>\n  <script>alert(1)</script>", "3:3 the element <script>"},
		{"<svg>\n<ä><SCRIPT/></ä></svg>", "2:4 the element <SCRIPT>"},
		{`<svg><x:script xmlns:x="http://www.w3.org/2000/svg"/></svg>`, "1:6 the element <script>"},
		{"<svg\n  onload=\"x()\"/>", "2:3 the attribute onload"},
		{`<svg><rect OnClick="x()"/></svg>`, "1:12 the attribute OnClick"},
		{`<svg><a href="javascript:x()"/></svg>`, "1:9 a URL that runs code in the attribute href"},
		{`<svg><a xlink:href=" Java&#x9;Script&colon;x()"/></svg>`, "not well formed"},
		{`<svg><a href=" Java&#x9;Script&#58;x()"/></svg>`, "1:9 a URL that runs code in the attribute href"},
		{`<svg><a xmlns:x="http://www.w3.org/1999/xlink" x:href="vbscript:x"/></svg>`, "a URL that runs code in the attribute href"},
		{`<svg><animate attributeName="href" values="#a;javascript:x()"/></svg>`, "a URL that runs code in the attribute values"},
		{`<svg><set attributeName="onclick" to="x()"/></svg>`, "an animation of onclick"},
		{`<svg><foreignObject><div xmlns="http://www.w3.org/1999/xhtml"/></foreignObject></svg>`, "1:21 the element <div>, which is not SVG"},
		{`<svg xmlns:h="http://www.w3.org/1999/xhtml"><h:iframe src="a"/></svg>`, "the element <iframe>"},
		{`<svg><use href="data:image/svg+xml;base64,AAAA"/></svg>`, "an embedded document in the attribute href"},
		{`<?xml-stylesheet type="text/xsl" href="a.xsl"?><svg/>`, "1:1 a style sheet that can run code"},
		{`<!DOCTYPE svg [<!ENTITY x "<script/>">]><svg>&x;</svg>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY % x "y">%x;]><svg/>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><svg>&b;</svg>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY a "x">]><!DOCTYPE svg [<!ENTITY b "y">]><svg>&b;</svg>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("a", 200) + `">]><svg>` + strings.Repeat("&amp;&a;", 5300) + `</svg>`, "expand to 1035 KiB of text"},
		{`<!DOCTYPE svg [<!ENTITY ` + strings.Repeat("a", 101) + ` "x">]><svg/>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ATTLIST svg onload CDATA "x()">]><svg/>`, "entities or default attributes"},
		{`<!DOCTYPE svg [<!ENTITY s "javascript:">]><svg><a href="&s;x()"/></svg>`, "a URL that runs code in the attribute href"},
		{`<svg><g></svg>`, "not well formed"},
		{`<svg><g>`, "not well formed"},
		{`<?xml version="1.0" encoding="UTF-16"?><svg/>`, "save it as UTF-8"},
		{"<svg>\xff</svg>", "save it as UTF-8"},
		{"", "is truncated"},
	}
	for _, c := range cases {
		found, err := file.Scripts([]byte(c.text))
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Col, f.Text))
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s\ngot %q\nwant %q", c.text, got, c.want)
		}
	}
}

// All findings of a file are reported together, up to a limit.
func TestAllScripts(t *testing.T) {
	found, err := file.Scripts([]byte(`<svg onload="a"><script/><script/></svg>`))
	if len(found) != 3 || err != nil {
		t.Errorf("got %v, %v", found, err)
	}
	if found, _ = file.Scripts([]byte("<svg>" + strings.Repeat("<script/>", 100) + "</svg>")); len(found) != 20 {
		t.Errorf("got %d findings", len(found))
	}
}

// Text that no browser reads as a document isn't markup. Text in every encoding that a browser recognizes by its first
// bytes is markup.
func TestIsMarkup(t *testing.T) {
	for text, want := range map[string]bool{
		"<svg/>": true, " \n<svg/>": true, "\xef\xbb\xbf<svg/>": true, "\xff\xfe<\x00": true, "\x00<\x00s": true,
		"words": false, "": false,
	} {
		if got := file.IsMarkup([]byte(text)); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

// FuzzScripts checks that the search never panics and never reports a position outside the file.
func FuzzScripts(f *testing.F) {
	f.Add([]byte(`<svg onload="a"><script/></svg>`))
	f.Add([]byte(`<!DOCTYPE svg [<!ENTITY x "y">]><svg a="&x;"/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, _ := file.Scripts(data)
		for _, one := range found {
			if one.Line < 1 || one.Line > strings.Count(string(data), "\n")+1 || one.Col < 1 {
				t.Errorf("%d:%d %s", one.Line, one.Col, one.Text)
			}
		}
	})
}
