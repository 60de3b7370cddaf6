package site

import (
	"net/url"
	"testing"
)

// FuzzParse checks that parse returns the same results as net/url for links that it parses without net/url.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "a.md", "../a/b.md#c", "/a", "//a/b", "#top", "?x", "/a?b#c", "a:b", "https://x.example/a#b", "https://x.example", "http://x.example/a",
		"https://other.example/a_b#c", "https:///a", "https://", "https://a:b", "https://other.example/%zz", "a#b#c", "a#%41", "a%20b", "ä.md", "#ä", "a\x00", "mailto:a",
		"HTTPS://other.example", "https://#a", "https://x.example//a",
	} {
		f.Add(seed)
	}
	x := &Index{base: &url.URL{Scheme: "https", Host: "x.example"}}
	f.Fuzz(func(t *testing.T, link string) {
		u, outside, err := x.parse(link)
		want, wantOutside, wantErr := x.parseAny(link)
		if u != want || outside != wantOutside || (err == nil) != (wantErr == nil) {
			t.Errorf("%q is %+v, %t, %v; want %+v, %t, %v", link, u, outside, err, want, wantOutside, wantErr)
		}
		if u.Path == "" || u.Path[0] == '/' {
			if got := written(&u); got != u.String() {
				t.Errorf("written(%q) = %q, want %q", link, got, &u)
			}
		}
	})
}
