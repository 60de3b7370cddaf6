package config

import "strings"

// The following regular expressions match the Accept field. They are written in Perl's dialect, which nginx and Varnish
// support. Atomic groups stop a hostile field from causing endless backtracking. RE2, which Caddy uses, has no atomic
// groups and doesn't need them. A list member is a media range with parameters, and a comma inside a quoted value
// doesn't end it.

const (
	quotedValue = `"(?>(?:[^"\\]|\\.)*)"`
	// anyMember matches any list member.
	anyMember = `(?>(?:=` + quotedValue + `|[^,])*)`
	// notWeight matches a parameter whose name isn't q.
	notWeight = `(?>[ \t]*;(?:[ \t]*(?:[^q,;= \t][^,;=]*|q[^,;= \t][^,;=]*)(?:=(?:` + quotedValue + `|[^,;"]*))?)?)`
)

// weightOf returns an expression that matches an Accept field in which mediaRange has the given weight. weight is an
// expression for the text after "q=", or "" for a range without a weight. The result must be matched
// case-insensitively.
func weightOf(mediaRange, weight string) string {
	expr := `^(?:` + anyMember + `,)*[ \t]*` + mediaRange + `(?:` + notWeight + `)*`
	if weight != "" {
		expr += `[ \t]*;[ \t]*q=` + weight + `(?:` + notWeight + `)*`
	}
	return expr + `[ \t]*(?:,|$)`
}

// listed returns an expression that matches an Accept field that lists mediaRange.
func listed(mediaRange string) string {
	return `^(?:` + anyMember + `,)*[ \t]*` + mediaRange + `[ \t]*(?:[,;]|$)`
}

// Expressions for media ranges. htmlRanges and markdownRanges return the ranges that decide a type's weight, from the
// most to the least specific (RFC 9110 §12.5.1).
const markdownRange = `text/markdown`

func htmlRanges() []string { return []string{`text/html`, `text/\*`, `\*/\*`} }

// markdownRanges returns the ranges that decide the weight of Markdown at a URL that ends in ".md". At such a URL,
// clients needn't list text/markdown by name (wire contract §3).
func markdownRanges() []string { return []string{markdownRange, `text/\*`, `\*/\*`} }

// Expressions for weights (RFC 9110 §12.4.2). The only group of lessThan1 captures the decimals, and the only group of
// anyWeight captures the complete weight.
const (
	weightOne = `1(?:\.0{0,3})?`
	lessThan1 = `0(?:\.([0-9]{0,3}))?`
	anyWeight = `(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)`
)

// accepts returns an expression that matches an Accept-Encoding field that lists the content coding
// with a weight above 0.
func accepts(coding string) string {
	return `(?:^|,)[ \t]*` + coding + `[ \t]*(?:;[ \t]*q=(?:1(?:\.0{0,3})?|0\.(?:[1-9][0-9]{0,2}|0[1-9][0-9]?|00[1-9]))[ \t]*)?(?:,|$)`
}

// unplain returns an expression that matches an Accept field that the expressions above may misread. Such a field
// repeats a range, has parameters other than a weight, or contains quotes. If the field matches, a server in front of
// vitrined lets vitrined select the representation.
func unplain() string {
	const ours = `(text/html|text/markdown|text/\*|\*/\*)`
	return `"|(?:^|,)[ \t]*` + ours + `[ \t]*(?:;(?![ \t]*q=[0-9.]*[ \t]*(?:,|$))|(?:;[^,]*)?(?:,.*)?,[ \t]*\1[ \t]*(?:[;,]|$))`
}

// unplainCoding is like unplain, for Accept-Encoding. It matches a field whose members must be compared with each
// other: a field with "*" or identity, a field that lists br and gzip and gives a weight, or a field with a repeated
// content coding.
func unplainCoding() string {
	return `\*|identity|"|;(?![ \t]*q=[0-9.]*[ \t]*(?:,|$))|(?:br|gzip)[ \t]*(?:;.*(?:br|gzip)|,.*(?:br|gzip)[ \t]*;|,(?:.*,)?[ \t]*(?:br[ \t]*,.*br|(?:x-)?gzip[ \t]*,.*gzip))`
}

// The following expressions state the same conditions in the Common Expression Language, which Caddy supports. Because
// the language has lists, these expressions interpret every field exactly, except a field with commas or semicolons in
// quotes.

// celMembers is the suffix that splits a field into its members. Each member is a list of its name and its parameters.
const celMembers = `.lowerAscii().split(",").map(m, m.split(";").map(p, p.trim()))`

// celWeight is the weight of the member m in thousandths (RFC 9110 §12.4.2): 1000 if it has no weight, and 0 if the
// weight is malformed or repeated.
const celWeight = `cel.bind(q, m.filter(p, p == "q" || p.startsWith("q=")), size(q) == 0 ? 1000 : ` +
	`(size(q) == 1 && q[0].matches("^q=(0([.][0-9]{0,3})?|1([.]0{0,3})?)$") ? int(double(q[0].substring(2)) * 1000.0 + 0.5) : 0))`

// celScore returns an expression for the score of mediaType in an Accept field, or 0 if no range matches. The score is
// the precision of the most specific matching range times 10,000, plus its weight in thousandths. For example, the
// score of "text/html;q=0.5" is 310000 + 500.
func celScore(mediaType string) string {
	return `math.greatest([0] + ms.map(m, cel.bind(b, m[0] == "` + mediaType + `" ? 30 : (m[0] == "text/*" ? 20 : (m[0] == "*/*" ? 10 : 0)), ` +
		`b == 0 ? 0 : cel.bind(o, m.filter(p, p != m[0] && p != "" && p != "q" && !p.startsWith("q=")), ` +
		`(b + (size(o) == 0 ? 1 : (o.all(p, p == "charset=utf-8" || p == "charset=\"utf-8\"") ? 2 : 0))) * 10000 + ` + celWeight + `))))`
}

// celAccept returns an expression that evaluates condition, in which html and markdown are the scores of the two types.
func celAccept(condition string) string {
	return `cel.bind(ms, {http.request.header.Accept}` + celMembers + `, cel.bind(html, ` + celScore("text/html") +
		`, cel.bind(markdown, ` + celScore("text/markdown") + `, ` + condition + `)))`
}

// celCoding returns an expression that evaluates condition, in which br, gzip, and identity are the weights of the
// content codings.
func celCoding(condition string) string {
	weight := func(name string) string {
		listed := func(name string) string { return `ms.filter(m, m[0] == "` + name + `").map(m, ` + celWeight + `)` }
		return `cel.bind(l, ` + listed(name) + `, size(l) > 0 ? math.greatest(l) : math.greatest([0] + ` + listed("*") + `))`
	}
	return `cel.bind(ms, {http.request.header.Accept-Encoding}.replace("x-gzip", "gzip")` + celMembers + `, cel.bind(br, ` + weight("br") + `, cel.bind(gzip, ` +
		weight("gzip") + `, cel.bind(identity, ` + weight("identity") + `, ` + condition + `))))`
}

// re2 translates expr, an expression from this file, into RE2's dialect.
func re2(expr string) string {
	return strings.ReplaceAll(expr, "(?>", "(?:")
}
