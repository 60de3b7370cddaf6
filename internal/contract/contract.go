// Package contract contains the wire contract as HTTP exchanges in plain text, and one runner that plays them against
// any base URL: an in-process server, a running vitrined, an edge, or a proxy. The runner reports each exchange as
// exact, as failed with its file, line, actual value, and expected value, or as not applicable with the reason. It
// never skips an exchange silently. The package imports no other package of Vitrine except internal/lazyregexp and
// internal/markup.
//
// # Files, cases, exchanges
//
// A file begins with comments, followed by its cases. A case begins with a heading and a line with the claims that it
// proves. Then its exchanges follow, each after an empty line. They are played in order.
//
//	== a conditional request that matches gets no body
//	proves W1-12 W1-14
//
//	GET /api/v1/marketing
//	answers 200
//	keep TAG = header ETag
//
//	GET /api/v1/marketing
//	If-None-Match: {TAG}
//	answers 304
//	header ETag = {TAG}
//	no header Content-Type
//	body empty
//
// Lines that start with # are comments. "needs NAME" requires a Capability of the target, "needs no NAME" requires its
// absence, and "needs {NAME}" requires a value that the target knows. Such a line goes before the first case (for the
// file), under a heading (for the case), or above a request (for the exchange). Two other lines may precede the first
// case: "plays last" puts the file after all files without this line, and "always" with a check applies the check to
// every response in the file.
//
// # Requests
//
// A request is a line with a method and a target, then header fields with a colon, which may be repeated, and
// optionally a body after the word "sends". "repeat N" above that line sends the request N times, and each response
// must match. The target is sent verbatim. An absolute URL of the site is sent to the base URL under test.
// Alternatively, a request is the word "raw" and a block. The lines of the block are sent verbatim on a new connection,
// each with CR LF, followed by an empty line. The server must then write exactly one response before it closes the
// connection.
//
// A block consists of lines indented by a tab. It may replace the text at the end of the line above it, such as an
// expected value. Each line of the text then ends with a line feed.
//
// # Responses
//
// "answers STATUS" comes first. The following lines are checked in order:
//
//	header NAME = | != | contains | lacks TEXT
//	header NAME ~ REGEXP            the whole value; lines of one name are joined with ", "
//	header NAME lists MEMBER        one member of the comma-separated list
//	header NAME at least | at most NUMBER
//	no header NAME
//	link RELATION = URL             both resolved against the site's base URL
//	body = | != | contains | lacks TEXT
//	body shows NUMBER               in a readable form: 1299 in "€1,299"
//	body ~ REGEXP                   the whole body, where . matches line feeds too
//	body empty
//	body fits ETag                  XXH64 of the bytes, and the suffix of their content coding
//	body fits Repr-Digest           SHA-256 of the bytes
//	body under NUMBER characters
//	decoded body …                  the same, after decoding the Content-Encoding
//	json PATH = JSON                such as pricing.plans[0].name; . is the root
//	json PATH is TYPE               string number integer boolean array object null URI email,
//	                                with "or absent" after it if it is optional
//	json PATH ~ REGEXP, contains, lacks, at least, at most
//	json PATH lists JSON            the array has the member
//	json besides NAME = JSON        the object, except for one member
//	no json PATH
//	keep NAME = SOURCE              status, length, body, header NAME, link RELATION, json PATH,
//	                                and "~ REGEXP" after it for its last group
//	keep up to N NAME = SOURCE      every match: at least one, at most N
//	kept NAME = | != | ~ | contains | lacks TEXT
//	kept NAME within NUMBER days    a time (RFC 3339) from now on
//
// In a JSON path, [*] and .* match every member, ["…"] is a name with special characters, and a local "$ref" is
// followed. A kept value is written {NAME} and is valid until the case ends. {NAME-1} and {NAME+1} are the value minus
// 1 and plus 1. In a regular expression, a value is matched literally. A request whose target contains a kept list is
// sent once for each member of the list. A check that contains a kept list must succeed for each member.
//
// # Values of the site
//
// {BASE} is the base URL in the site's absolute links, and {HOST} is the host and port under test. {PAGE} is the path
// of a page, {ARTICLE} is the path of a blog article, {STYLESHEET} is the path of the home page's stylesheet, {ALIAS}
// is an old path of {ALIASED}, {DRAFT} is the path that a draft would have, and {UNLISTED} is the path of an unlisted
// page. On a site with several languages, {LANGUAGE} is the tag of a language other than the default, {TRANSLATED} is
// the path of a page in that language, and {ORIGINAL} is the path of the same page in the default language. {LIMIT} is
// the number of requests in the allowance, {WINDOW} is the length of its window in seconds, and {PAGEVARY} is the value
// of Vary in responses with pages.
package contract

import (
	"embed"
	"io/fs"
)

//go:embed exchanges/*.txt
var exchanges embed.FS

// Files returns the exchanges of the wire contract, one text file per subject.
func Files() fs.FS {
	sub, err := fs.Sub(exchanges, "exchanges")
	if err != nil {
		panic(err) // the name above is valid
	}
	return sub
}
