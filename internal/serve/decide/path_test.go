package decide

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDecodePath checks which spellings of a path resolve to a resource.
func TestDecodePath(t *testing.T) {
	for _, c := range []struct {
		why, raw, want string
		ok             bool
	}{
		{"the root", "/", "/", true},
		{"a plain path", "/blog/first", "/blog/first", true},
		{"two bytes of UTF-8", "/caf%C3%A9", "/café", true},
		{"hex digits in lower case", "/caf%c3%a9", "/café", true},
		{"unescaped UTF-8 with an escape", "/café%20noir", "/café noir", true},
		{"four bytes of UTF-8", "/%F0%9F%8E%89", "/🎉", true},
		{"a letter that needed no escape", "/%62log", "/blog", true},
		{"punctuation", "/a%2Bb%26c%3Fd%23e", "/a+b&c?d#e", true},
		{"a plus is a plus", "/a+b%20c", "/a+b c", true},
		{"an escaped dot is a dot, and a dot segment matches nothing", "/%2e%2e/x", "/../x", true},
		{"dot segments stay unchanged", "/a/../b", "/a/../b", true},
		{"empty segments stay unchanged", "//a//", "//a//", true},
		{"no path", "", "", false},
		{"the asterisk of OPTIONS", "*", "", false},
		{"no leading slash", "blog", "", false},
		{"a leading escaped slash", "%2Fblog", "", false},
		{"an escaped slash", "/blog%2Ffirst", "", false},
		{"an escaped slash in lower case", "/blog%2ffirst", "", false},
		{"an escaped backslash", "/blog%5Cfirst", "", false},
		{"an escaped percent sign", "/100%25", "", false},
		{"an escaped percent sign that makes another escape", "/%252F", "", false},
		{"NUL", "/a%00", "", false},
		{"a line feed", "/a%0Ab", "", false},
		{"the last control character", "/a%1F", "", false},
		{"a space is not a control character", "/a%20", "/a ", true},
		{"DEL", "/a%7F", "", false},
		{"no digits", "/a%", "", false},
		{"one digit", "/a%4", "", false},
		{"no hex digits", "/a%zz", "", false},
		{"one hex digit", "/a%4z", "", false},
		{"a sign", "/a%+4", "", false},
		{"a letter just past F", "/a%4G", "", false},
		{"half of a UTF-8 sequence", "/caf%C3", "", false},
		{"a continuation byte", "/%A9", "", false},
		{"an overlong slash", "/%C0%AF", "", false},
		{"a surrogate", "/%ED%A0%80", "", false},
		{"raw bytes that are not UTF-8, with an escape", "/\xff%20", "", false},
	} {
		for _, buf := range [][]byte{nil, make([]byte, 3), make([]byte, 200)} {
			if got, ok := decodePath(c.raw, buf); got != c.want || ok != c.ok {
				t.Errorf("%s: decodePath(%q) = %q, %t, want %q, %t", c.why, c.raw, got, ok, c.want, c.ok)
			}
		}
	}
}

// FuzzPath compares decodePath with an oracle that replaces escapes with a regular expression, and checks that the
// result never contains a byte that isn't allowed in paths.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/", "/caf%C3%A9", "/a%2fb", "/%25", "/%zz", "/%", "/a%00", "*", "", "/%ED%A0%80"} {
		f.Add(seed)
	}
	escape := regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	f.Fuzz(func(t *testing.T, raw string) {
		buf := make([]byte, len(raw))
		got, ok := decodePath(raw, buf)
		bad := !strings.HasPrefix(raw, "/") || strings.Contains(escape.ReplaceAllString(raw, ""), "%")
		want := escape.ReplaceAllStringFunc(raw, func(s string) string {
			n, err := strconv.ParseUint(s[1:], 16, 8)
			if err != nil {
				panic(err)
			}
			bad = bad || n < 0x20 || strings.IndexByte("\x7f/\\%", byte(n)) >= 0
			return string([]byte{byte(n)})
		})
		bad = bad || strings.Contains(raw, "%") && !utf8.ValidString(want)
		if ok == bad || ok && got != want || !ok && got != "" {
			t.Errorf("decodePath(%q) = %q, %t, the oracle says %q, %t", raw, got, ok, want, !bad)
		}
	})
}

// TestHasQueryParameter checks wire contract §1.3.
func TestHasQueryParameter(t *testing.T) {
	for _, c := range []struct {
		why, query string
		mark, want bool
	}{
		{"no query", "", false, false},
		{"a bare ?", "", true, false},
		{"?&", "&", true, false},
		{"?&&", "&&", true, false},
		{"?x", "x", true, true},
		{"?x=1", "x=1", true, true},
		{"?=1", "=1", true, true},
		{"?=", "=", true, true},
		{"?%zz", "%zz", true, true},
		{"?;", ";", true, true},
		{"??", "?", true, true},
		{"?&&x", "&&x", true, true},
		{"?%26", "%26", true, true},
		{"? and a space", "+", true, true},
	} {
		if got := hasQueryParameter(c.query, c.mark); got != c.want {
			t.Errorf("%s: %t, want %t", c.why, got, c.want)
		}
	}
}
