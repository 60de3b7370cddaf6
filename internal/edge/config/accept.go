package config

import "strings"

// The Accept field in regular expressions of Perl's dialect, which nginx and
// Varnish read. Atomic groups keep a hostile field from making the search
// backtrack without end; RE2, which Caddy reads, has none and needs none.
// One member of the list is a media range with parameters; a comma inside a
// quoted value does not end it.

const (
	quotedValue = `"(?>(?:[^"\\]|\\.)*)"`
	// anyMember is a member of the list, whatever it is.
	anyMember = `(?>(?:=` + quotedValue + `|[^,])*)`
	// notWeight is a parameter whose name is not q.
	notWeight = `(?>[ \t]*;(?:[ \t]*(?:[^q,;= \t][^,;=]*|q[^,;= \t][^,;=]*)(?:=(?:` + quotedValue + `|[^,;"]*))?)?)`
)

// weightOf returns an expression that matches an Accept field in which a media
// range stands with a weight: weight is an expression for what follows "q=",
// "" for a range without a weight. It is to be read without regard to case.
func weightOf(mediaRange, weight string) string {
	expr := `^(?:` + anyMember + `,)*[ \t]*` + mediaRange + `(?:` + notWeight + `)*`
	if weight != "" {
		expr += `[ \t]*;[ \t]*q=` + weight + `(?:` + notWeight + `)*`
	}
	return expr + `[ \t]*(?:,|$)`
}

// listed returns an expression that matches an Accept field in which a media
// range stands at all.
func listed(mediaRange string) string {
	return `^(?:` + anyMember + `,)*[ \t]*` + mediaRange + `[ \t]*(?:[,;]|$)`
}

// Media ranges as expressions. Those that decide the weight of HTML are in the
// order of RFC 9110 §12.5.1, the most specific first.
const markdownRange = `text/markdown`

func htmlRanges() []string { return []string{`text/html`, `text/\*`, `\*/\*`} }

// markdownRanges are those that decide the weight of Markdown at an address of
// Markdown, where nobody has to ask for it by name (wire contract §8).
func markdownRanges() []string { return []string{markdownRange, `text/\*`, `\*/\*`} }

// Weights (RFC 9110 §12.4.2): one, and less than one with its decimals as the
// only group.
const (
	weightOne = `1(?:\.0{0,3})?`
	lessThan1 = `0(?:\.([0-9]{0,3}))?`
	anyWeight = `(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)`
)

// accepts returns an expression that matches an Accept-Encoding field which
// lists a coding with a weight above 0.
func accepts(coding string) string {
	return `(?:^|,)[ \t]*` + coding + `[ \t]*(?:;[ \t]*q=(?:1(?:\.0{0,3})?|0\.[0-9]{0,2}[1-9][0-9]{0,2})[ \t]*)?(?:,|$)`
}

// re2 turns an expression of this file into RE2's dialect.
func re2(expr string) string {
	return strings.ReplaceAll(expr, "(?>", "(?:")
}
