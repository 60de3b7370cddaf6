package theme

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"testing"

	"vitrine/templates"
)

func TestCompactCSS(t *testing.T) {
	for name, c := range map[string]struct{ css, want string }{
		"white space":           {"a {\n\tcolor: red;\r\n}\n", "a{color:red}"},
		"comment on a line":     {"a { }\n/* b { } */\nc { }", "a{}c{}"},
		"comment between names": {"a/* */b { }", "a/**/b{}"},
		"two comments":          {"a /* b */ /* c */ d", "a d"},
		"license":               {"/*! MIT */ a { }", "/*! MIT */ a{}"},
		"string":                {`a::before { content: "  /* no */  \"  "; }`, `a::before{content:"  /* no */  \"  "}`},
		"quotes in a string":    {`a { b: '"  "'; c:  d; }`, `a{b:'"  "';c:d}`},
		"address":               {"a { b: url(  /*x  y.png); }", "a{b:url(  /*x  y.png)}"},
		"quoted address":        {`a { b: url("data:x,  /* */"); }`, `a{b:url("data:x,  /* */")}`},
		"escape":                {`a\"  b { }`, `a\" b{}`},
		"semicolons":            {"a { --b: ; } c { d: \\; } e { ; ; }", "a{--b:}c{d:\\;}e{}"},
		"open comment":          {"a { } /* b", "a{}"},
		"open string":           {`a { b: "c`, `a{b:"c`},
		"open address":          {"a { b: url(c", "a{b:url(c"},
		"backslash at the end":  {`a \`, `a \`},
		"descendants":           {"a :hover, a b:hover > c { d: e , f }", "a :hover,a b:hover > c{d:e,f}"},
		"escapes":               {`a\: b\{ c { }`, `a\: b\{ c{}`},
		"comment before a mark": {"a/* b */{ } /* c */ d /* e */ { }", "a{}d{}"},
		"nothing":               {" \n", ""},
	} {
		if got := string(compactCSS([]byte(c.css))); got != c.want {
			t.Errorf("%s: %q became %q, want %q", name, c.css, got, c.want)
		}
		if again := string(compactCSS([]byte(c.want))); again != c.want {
			t.Errorf("%s: %q is not stable, but becomes %q", name, c.want, again)
		}
	}
}

func FuzzCompactCSS(f *testing.F) {
	for _, seed := range []string{"a{}/**/b{}", `"\"`, "url(", "url('a b')", "/*!", `\`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, css []byte) {
		once := compactCSS(css)
		if twice := compactCSS(once); !bytes.Equal(once, twice) {
			t.Errorf("%q became %q, and then %q", css, once, twice)
		}
	})
}

// TestSizeOfAssets limits the assets of a page to 12 KB of styles and 6 KB of scripts, compressed.
func TestSizeOfAssets(t *testing.T) {
	size := func(names ...string) (sum int) {
		for _, name := range names {
			body, err := fs.ReadFile(templates.FS, "assets/"+name)
			if err != nil {
				t.Fatal(err)
			}
			if path.Ext(name) == ".css" {
				body = compactCSS(body)
			}
			var out bytes.Buffer
			w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
			_, _ = w.Write(body)
			_ = w.Close()
			sum += out.Len()
		}
		return sum
	}
	for kind, own := range map[string][]string{
		"home": {"landing.css", "blog.css"}, "list": {"blog.css"},
		"documentation": {"docs.css", "field.css", "filetree.css", "zoom.css"}, "landing page of documentation": {"landing.css", "docs.css"},
		"operation": {"docs.css", "api.css"}, "search": {"find.css"},
	} {
		if got := size(append(own, "style.css")...); got > 12<<10 {
			t.Errorf("the stylesheets of the page kind %q have %d bytes", kind, got)
		}
	}
	for _, own := range []string{"tabs.js", "search.js"} {
		if got := size("scheme.js", "page.js", own); got > 6<<10 {
			t.Errorf("the scripts of a page with %s have %d bytes", own, got)
		}
	}
}
