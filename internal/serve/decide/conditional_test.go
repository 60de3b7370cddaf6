package decide

import (
	"regexp"
	"strings"
	"testing"
)

// TestMatches checks If-None-Match (weak) and If-Match (strong) against wire contract §2 and RFC
// 9110 §8.8.3, §13.1.1, and §13.1.2.
func TestMatches(t *testing.T) {
	const tag = `"0123456789abcdef"`
	for _, c := range []struct {
		why, field, etag string
		weak, strong     bool
	}{
		{"the tag itself", tag, tag, true, true},
		{"another tag", `"fedcba9876543210"`, tag, false, false},
		{"the tag of another encoding", `"0123456789abcdef-gzip"`, tag, false, false},
		{"the weak form", "W/" + tag, tag, true, false},
		{"our tag is weak", tag, "W/" + tag, true, false},
		{"both weak", "W/" + tag, "W/" + tag, true, false},
		{"w/ is not W/", "w/" + tag, tag, false, false},
		{"W/ and a space", "W/ " + tag, tag, false, false},
		{"W alone", "W" + tag, tag, false, false},
		{"case counts", `"0123456789ABCDEF"`, tag, false, false},
		{"first of a list", tag + `, "b"`, tag, true, true},
		{"last of a list", `"a", W/"b", ` + tag, tag, true, true},
		{"weak in a list", `"a", W/` + tag, tag, true, false},
		{"weak, then strong", "W/" + tag + ", " + tag, tag, true, true},
		{"a list without white space", `"a",` + tag + `,"b"`, tag, true, true},
		{"tabs and spaces", " \t\"a\"\t ,\t" + tag + " \t", tag, true, true},
		{"empty members", ",, ," + tag + " , ,", tag, true, true},
		{"an empty field", "", tag, false, false},
		{"only commas", ", ,", tag, false, false},
		{"* alone", "*", tag, true, true},
		{"* alone in white space", " * ", tag, true, true},
		{"* in a list matches nothing", `"a", *`, tag, false, false},
		{"* first in a list matches nothing", `*, "a"`, tag, false, false},
		{"* twice", "*, *", tag, false, false},
		{"* does not prevent others", "*, " + tag, tag, true, true},
		{"* quoted is a tag like any other", `"*"`, tag, false, false},
		{"weak *", "W/*", tag, false, false},
		{"unquoted", "0123456789abcdef", tag, false, false},
		{"unquoted, then the tag", "0123456789abcdef, " + tag, tag, true, true},
		{"in single quotes", "'0123456789abcdef'", tag, false, false},
		{"no closing quote", `"0123456789abcdef`, tag, false, false},
		{"no opening quote", `0123456789abcdef"`, tag, false, false},
		{"no opening quote, then the tag", `a", ` + tag, tag, true, true},
		{"no closing quote, then the tag", `"a, ` + tag, tag, true, true},
		{"something after the closing quote", tag + "x", tag, false, false},
		{"something before the opening quote", "x" + tag, tag, false, false},
		{"two tags without a comma", tag + ` "b"`, tag, false, false},
		{"two tags without a comma, then the tag", `"a" "b", ` + tag, tag, true, true},
		{"a comma inside a tag is part of it", `"a,b"`, `"a,b"`, true, true},
		{"half of a tag with a comma", `"a,b"`, `"a"`, false, false},
		{"the other half", `"a,b"`, `"b"`, false, false},
		{"the tag between commas in another tag", `"x,` + `y,z"`, `"y"`, false, false},
		{"a backslash does not escape", `"a\"`, `"a\"`, true, true},
		{"a backslash does not escape, with more members after it", `"a\"b"`, `"a\"`, false, false},
		{"an empty tag", `""`, `""`, true, true},
		{"an empty tag is not every tag", `""`, tag, false, false},
		{"a space inside a tag is malformed", `"a b"`, `"a b"`, false, false},
		{"a control character inside a tag is malformed", "\"a\x7f\"", "\"a\x7f\"", false, false},
		{"bytes above ASCII belong to etagc", "\"caf\xc3\xa9\"", "\"caf\xc3\xa9\"", true, true},
		{"an exclamation mark is the first of etagc", `"!"`, `"!"`, true, true},
		{"other white space is malformed", "\n" + tag, tag, false, false},
	} {
		if got := matchesWeakly(c.field, c.etag); got != c.weak {
			t.Errorf("%s: matchesWeakly(%q, %q) = %t, want %t", c.why, c.field, c.etag, got, c.weak)
		}
		if got := matchesStrongly(c.field, c.etag); got != c.strong {
			t.Errorf("%s: matchesStrongly(%q, %q) = %t, want %t", c.why, c.field, c.etag, got, c.strong)
		}
	}
}

// oracleTag matches a complete member at the start of a list.
var oracleTag = regexp.MustCompile(`^[ \t]*((?:W/)?"[\x{21}\x{23}-\x{7e}\x{80}-\x{ff}]*")[ \t]*(?:,|$)`)

// oracleMatches is a simple version of matches that applies regular expressions to the field, decoded as Latin-1.
func oracleMatches(field, etag string, strong bool) bool {
	if strings.Trim(field, " \t") == "*" {
		return true
	}
	var latin1 strings.Builder
	for _, c := range []byte(field) {
		latin1.WriteRune(rune(c))
	}
	for rest, more := latin1.String(), true; more; {
		found := oracleTag.FindStringSubmatch(rest)
		if found == nil {
			_, rest, more = strings.Cut(rest, ",")
			continue
		}
		rest = rest[len(found[0]):]
		more = rest != ""
		tag := found[1]
		if !strong {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == etag {
			return true
		}
	}
	return false
}

// FuzzIfNoneMatch compares both functions with the oracle and checks that a matching field contains the tag.
func FuzzIfNoneMatch(f *testing.F) {
	for _, seed := range []string{
		`"a"`, `W/"a"`, `"b", W/"a" , "c"`, `*`, ` * `, `*, "a"`, `"x,"a",y"`, `"a"b, "a"`, `"a b", "a"`, `,,"a`, `w/"a", W/W/"a"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		const etag = `"a"`
		weak, strong := matchesWeakly(field, etag), matchesStrongly(field, etag)
		if want := oracleMatches(field, etag, false); weak != want {
			t.Errorf("matchesWeakly(%q, %q) = %t, the oracle says %t", field, etag, weak, want)
		}
		if want := oracleMatches(field, etag, true); strong != want {
			t.Errorf("matchesStrongly(%q, %q) = %t, the oracle says %t", field, etag, strong, want)
		}
		if strong && !weak {
			t.Errorf("%q matches strongly but not weakly", field)
		}
		if weak && !strings.Contains(field, etag) && strings.Trim(field, " \t") != "*" {
			t.Errorf("%q matches without holding %s", field, etag)
		}
	})
}
