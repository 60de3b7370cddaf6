package decide

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPrefersMarkdown checks every sentence of wire contract §3 about the choice between HTML and
// Markdown, and RFC 9110 §12.4.2 and §12.5.1.
func TestPrefersMarkdown(t *testing.T) {
	for _, c := range []struct {
		why, accept string
		want        bool
	}{
		{"no field, or an empty one, gets HTML", "", false},
		{"only white space", " \t ", false},
		{"only commas", ",, ,", false},
		{"listed as the only type", "text/markdown", true},
		{"a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", false},
		{"curl: any type does not list it", "*/*", false},
		{"any text does not list it", "text/*", false},
		{"any text above HTML does not list it", "text/*;q=1, text/html;q=0.1", false},
		{"invalid types", "application/json, image/png", false},
		{"another Markdown type", "text/x-markdown", false},
		{"a longer name", "text/markdowns", false},
		{"a prefix", "text/mark", false},

		{"agents send all types with q=1; a tie goes to Markdown", "text/markdown, text/html, */*", true},
		{"caches reorder ties", "*/*, text/html, text/markdown", true},
		{"a tie below 1", "text/html;q=0.5, text/markdown;q=0.5", true},
		{"a tie in another number format", "text/html;q=0.50, text/markdown;q=0.5", true},
		{"below HTML", "text/markdown;q=0.9, text/html", false},
		{"below HTML by a thousandth", "text/html;q=0.901, text/markdown;q=0.9", false},
		{"above HTML", "text/html;q=0.8, text/markdown;q=0.9", true},
		{"above HTML by a thousandth", "text/html;q=0.899, text/markdown;q=0.9", true},
		{"Markdown with q=0 is rejected", "text/markdown;q=0", false},
		{"q=0 with a wildcard", "text/markdown;q=0, */*", false},
		{"both rejected: HTML", "text/markdown;q=0, text/html;q=0", false},
		{"the lowest weight is enough if HTML has none", "text/markdown;q=0.001", true},
		{"HTML rejected", "text/markdown;q=0.1, text/html;q=0", true},

		{"*/* gives HTML its weight", "text/markdown;q=0.5, */*", false},
		{"*/* below it", "text/markdown, */*;q=0.8", true},
		{"*/* with the same weight", "text/markdown;q=0.8, */*;q=0.8", true},
		{"text/* gives HTML its weight", "text/markdown;q=0.5, text/*;q=0.6", false},
		{"text/* is more specific than */*", "text/markdown;q=0.5, text/*;q=0.4, */*", true},
		{"text/* wins over */* in any order", "*/*;q=0.4, text/*;q=0.6, text/markdown;q=0.5", false},
		{"text/html is more specific than text/*", "text/html;q=0.4, text/*, text/markdown;q=0.5", true},
		{"text/html is more specific than */*", "text/html;q=0.4, */*, text/markdown;q=0.5", true},
		{"a more specific rejection", "text/html;q=0, */*, text/markdown;q=0.1", true},
		{"*/html is no range", "*/html, text/markdown;q=0.1", true},
		{"* is no range", "*, text/markdown;q=0.1", true},

		{"types are case-insensitive", "Text/Markdown", true},
		{"types are case-insensitive, HTML too", "TEXT/HTML, text/markdown;q=0.5", false},
		{"text/* is case-insensitive", "Text/*, text/markdown;q=0.5", false},
		{"q is case-insensitive", "text/markdown;Q=0.4, text/html;q=0.5", false},
		{"the Kelvin sign is not a k", "text/mar\u212adown", false},

		{"a parameter before q", "text/markdown;variant=GFM;q=0.9, text/html;q=0.8", true},
		{"a parameter before q, below HTML", "text/markdown;variant=GFM;q=0.7, text/html;q=0.8", false},
		{"charset before q", "text/markdown; charset=utf-8; q=0.7, text/html;q=0.8", false},
		{"a parameter after q", "text/markdown;q=0.7;variant=GFM, text/html;q=0.8", false},
		{"HTML with a parameter before q", "text/html;level=1;q=0.3, text/markdown;q=0.4", true},
		{"HTML listed only with a parameter counts as HTML", "text/html;level=1, text/markdown;q=0.5", false},
		{"text/html;level=1 yields to text/html, RFC 9110 §12.5.1's example",
			"text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5, text/markdown;q=0.7", true},
		{"the same, just below",
			"text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5, text/markdown;q=0.6", false},
		{"charset=utf-8 describes the representation: most specific", "text/html;charset=utf-8;q=0.3, text/html, text/markdown;q=0.5", true},
		{"the same for Markdown", "text/markdown;charset=UTF-8;q=0.3, text/markdown, text/html;q=0.5", false},
		{"the same, quoted", `text/markdown;charset="utf-8";q=0.3, text/markdown, text/html;q=0.5`, false},
		{"another charset has lower precedence", "text/markdown;charset=latin1;q=0.3, text/markdown, text/html;q=0.5", true},
		{"listed twice: the highest weight", "text/markdown;q=0.1, text/markdown;q=0.9, text/html;q=0.5", true},
		{"listed twice in the other order", "text/markdown;q=0.9, text/markdown;q=0.1, text/html;q=0.5", true},
		{"HTML listed twice: the highest weight", "text/html;q=0.9, text/html;q=0.1, text/markdown;q=0.5", false},

		{"a comma in a quoted parameter", `text/html;x="a, text/markdown"`, false},
		{"a semicolon in a quoted parameter", `text/markdown;x="a;q=0", text/html;q=0.5`, true},
		{"q after a quoted parameter", `text/markdown;x="a,b;c";q=0.4, text/html;q=0.5`, false},
		{"an escaped quote in a quoted parameter", `text/html;x="\", text/markdown, ";q=0.5`, false},
		{"an escaped backslash in a quoted parameter", `text/html;q=0.5;x="\\", text/markdown`, true},
		{"an unclosed quote makes its range malformed", `text/markdown;x="abc`, false},
		{"the same with q before it", `text/markdown;q=1;x="abc`, false},
		{"a stray quote has no effect", `te"xt/html, text/markdown`, true},

		{"spaces and tabs", " \ttext/markdown \t;\t q=0.9 , text/html;q=0.8 ", true},
		{"empty members and empty parameters", ",, text/markdown;;q=0.9; , ,text/html;q=0.8,", true},
		{"no slash", "markdown", false},
		{"a space in the type", "text/ markdown", false},
		{"other white space", "text/markdown\n", false},

		{"q=1", "text/markdown;q=1", true},
		{"q=1. ", "text/markdown;q=1.", true},
		{"q=1.000", "text/markdown;q=1.000", true},
		{"q=0.", "text/markdown;q=0.", false},
		{"q=0.000", "text/markdown;q=0.000", false},
		{"q=0.123", "text/markdown;q=0.123", true},
		{"malformed is 0: four decimals", "text/markdown;q=0.1234", false},
		{"malformed is 0: above 1", "text/markdown;q=1.001", false},
		{"malformed is 0: 2", "text/markdown;q=2", false},
		{"malformed is 0: 10", "text/markdown;q=10", false},
		{"malformed is 0: 00", "text/markdown;q=00", false},
		{"malformed is 0: no leading zero", "text/markdown;q=.5", false},
		{"malformed is 0: negative", "text/markdown;q=-1", false},
		{"malformed is 0: a sign", "text/markdown;q=+1", false},
		{"malformed is 0: a word", "text/markdown;q=high", false},
		{"malformed is 0: letters after digits", "text/markdown;q=0.5x", false},
		{"malformed is 0: an exponent", "text/markdown;q=1e0", false},
		{"malformed is 0: a decimal comma", "text/markdown;q=0,5", false},
		{"malformed is 0: quoted", `text/markdown;q="1"`, false},
		{"malformed is 0: empty", "text/markdown;q=", false},
		{"malformed is 0: no equals sign", "text/markdown;q", false},
		{"malformed is 0: a space before the equals sign", "text/markdown;q =1", false},
		{"malformed is 0: a space after it", "text/markdown;q= 1", false},
		{"malformed is 0: repeated", "text/markdown;q=1;q=1", false},
		{"malformed on HTML too", "text/html;q=high, text/markdown;q=0.001", true},
	} {
		if got := PrefersMarkdown(c.accept); got != c.want {
			t.Errorf("%s: PrefersMarkdown(%q) = %t, want %t", c.why, c.accept, got, c.want)
		}
	}
}

// TestNegotiationDoesNotAllocate checks that negotiation doesn't allocate for any field value.
func TestNegotiationDoesNotAllocate(t *testing.T) {
	available := codingSet(0).with(1).with(2)
	buf := make([]byte, 64)
	for name, f := range map[string]func(){
		"Accept":          func() { _ = PrefersMarkdown(`text/html;x="a,b";q=0.5, TEXT/Markdown;charset=utf-8;q=0.9, */*;q=0.8`) },
		"Accept-Encoding": func() { _ = chooseCoding("gzip;q=0.5, br, zstd, *;q=0.1", available) },
		"If-None-Match":   func() { _ = matchesWeakly(`"a", W/"b", "0123456789abcdef-gzip"`, `"0123456789abcdef-gzip"`) },
		"If-Match":        func() { _ = matchesStrongly(`"a", W/"b", "c"`, `"c"`) },
		"path":            func() { _, _ = decodePath("/blog/caf%C3%A9", buf) },
		"plain path":      func() { _, _ = decodePath("/blog/first", nil) },
		"query":           func() { _ = hasQueryParameter("&&&a=1", true) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// oracleMember is a member of a weighted list as parsed by the oracles, split into pieces that they check one by one.
type oracleMember struct {
	name       string
	parameters []string
	weight     int
}

// oracleMembers parses a weighted list simply but slowly.
func oracleMembers(list string) []oracleMember {
	pieces := [][]string{{""}}
	var last byte
	quoted, escaped, opened := false, false, 0
	for _, c := range []byte(list) {
		element := len(pieces) - 1
		piece := len(pieces[element]) - 1
		switch {
		case quoted && escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == ',':
			pieces, last = append(pieces, []string{""}), 0
			continue
		case c == ';':
			pieces[element], last = append(pieces[element], ""), 0
			continue
		case c == '"' && last == '=':
			quoted, opened = true, len(pieces[element][piece])
		}
		pieces[element][piece] += string([]byte{c})
		last = c
	}
	var members []oracleMember
	for i, element := range pieces {
		m := oracleMember{name: oracleLower(strings.Trim(element[0], " \t")), parameters: element[1:]}
		m.weight = oracleWeight(m.parameters)
		if tail := element[len(element)-1]; i == len(pieces)-1 && len(element) > 1 &&
			quoted && strings.Index(tail, "=")+1 == opened {
			m.weight = 0
		}
		members = append(members, m)
	}
	return members
}

var (
	oracleQ      = regexp.MustCompile(`^[ \t]*[qQ][ \t]*(=|$)`)
	oracleQValue = regexp.MustCompile(`^[ \t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*$`)
)

func oracleWeight(parameters []string) int {
	weight, count := 1000, 0
	for _, p := range parameters {
		if !oracleQ.MatchString(p) {
			continue
		}
		weight = 0
		if count++; count > 1 {
			return 0
		}
		if found := oracleQValue.FindStringSubmatch(p); found != nil {
			value, err := strconv.ParseFloat(found[1], 64)
			if err != nil {
				panic(err)
			}
			weight = int(value*1000 + 0.5)
		}
	}
	return weight
}

// oracleLower returns s with ASCII letters in lower case.
func oracleLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c) >= 0 {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// oraclePrefersMarkdown collects the ranges of each type, then applies the most specific range.
func oraclePrefersMarkdown(accept string) bool {
	said := map[string]int{} // highest weight by type and class
	for _, m := range oracleMembers(accept) {
		class := "bare"
		for _, p := range m.parameters {
			switch p := oracleLower(strings.Trim(p, " \t")); {
			case p == "", p == "=", p == "q", strings.HasPrefix(p, "q="):
			case p == "charset=utf-8", p == `charset="utf-8"`:
				if class == "bare" {
					class = "ours"
				}
			default:
				class = "other"
			}
		}
		key := m.name + " " + class
		if weight, ok := said[key]; !ok || weight < m.weight {
			said[key] = m.weight
		}
	}
	weight := func(names ...string) int {
		for _, name := range names {
			for _, class := range []string{"ours", "bare", "other"} {
				if weight, ok := said[name+" "+class]; ok {
					return weight
				}
			}
		}
		return 0
	}
	markdown := weight("text/markdown")
	return markdown > 0 && markdown >= weight("text/html", "text/*", "*/*")
}

// FuzzAccept compares PrefersMarkdown with the oracle.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{
		"", "text/markdown, text/html, */*", "text/html;level=1;q=0.3,text/markdown;q=0.4",
		`text/html;x="a, text/markdown\"";q=0.5, text/markdown`, "text/*;Q=0.30,*/*;q=1.",
		`text/markdown;charset="utf-8";q=0.3,text/markdown;;q=0.2`, "*;q=.2, text/markdown;q=0.1234",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		if got, want := PrefersMarkdown(accept), oraclePrefersMarkdown(accept); got != want {
			t.Errorf("PrefersMarkdown(%q) = %t, the oracle says %t", accept, got, want)
		}
	})
}

// An Accept field leaves the type open if it names neither of a page's two types, not even with q=0. A field that
// leaves the type open prefers neither.
func TestLeavesOpen(t *testing.T) {
	for accept, want := range map[string]bool{
		"": true, " ": true, "*/*": true, "*/*;q=0.1": true, "*/*;q=0": true, "text/*": true, "text/*, */*;q=0.5": true, "application/json": true,
		"image/avif, */*": true, "text/plain": true, `a/b;x="text/html, */*"`: true, "text/html5, text/markdownx": true,
		"text/html": false, "*/*, TEXT/HTML;q=0.1": false, "text/html;q=0, */*": false, "text/html;level=1": false,
		"text/markdown": false, "text/markdown;q=0, */*": false, "*/*,text/Markdown;x=1": false,
	} {
		if got := LeavesOpen(accept); got != want {
			t.Errorf("%q leaves it open: %t, want %t", accept, got, want)
		}
		if want && (PrefersMarkdown(accept) || PrefersHTML(accept)) {
			t.Errorf("%q leaves it open, and asks for one", accept)
		}
	}
}
