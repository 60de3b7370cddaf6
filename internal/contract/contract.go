// Package contract holds the wire contract as HTTP exchanges in plain text,
// and one runner that plays them against any base URL: a server in process, a
// running vitrined, an edge, a proxy. It promises that an exchange is either
// exact, or failed with its file, line, what came and what was wanted, or
// reported as not applicable with the reason; none is passed over in silence.
// It imports no other package of Vitrine.
//
// # Files, cases, exchanges
//
// A file begins with comments, then its cases. A case begins with a heading
// and names the claims that it proves; its exchanges follow, each after an
// empty line, and are played in order.
//
//	== a conditional request that matches is answered without a body
//	proves S4.1-16 W1-15
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
// Lines that start with # are comments. A line "needs NAME" says which
// Capability the target must have; "needs no NAME", which it must not have;
// "needs {NAME}", which value it must know. It stands before the first case
// (for the file), below a heading (for the case) or above a request (for the
// exchange). Before the first case too, "plays last" puts a file after the
// others, and "always" and a check hold it against every answer of the file.
//
// # Requests
//
// A request is a line of method and target, header fields with a colon, which
// may repeat, and where there is one a body after the word "sends". "repeat N"
// above it sends it N times, and each answer must hold. The target goes out as
// it is written; an absolute URL of the site is sent to the base URL played
// against. Instead, "raw" is followed by a block of lines that go out on a new
// connection as they are, each with CR LF, and an empty line after them; what
// the server writes until it closes must be one answer and nothing else.
//
// A block is lines indented by a tab; it may stand for any text at the end of
// a line, and each of its lines ends with a line feed.
//
// # Answers
//
// "answers STATUS" comes first. The lines after it are held against the answer
// in order:
//
//	header NAME = | != | contains | lacks TEXT
//	header NAME ~ REGEXP            the whole value; lines of one name are joined with ", "
//	header NAME lists MEMBER        one member of the comma-separated list
//	header NAME at least | at most NUMBER
//	no header NAME
//	link RELATION = URL             both resolved against the site's base URL
//	body = | != | contains | lacks TEXT
//	body shows NUMBER               as people write it: 1299 in "€1,299"
//	body ~ REGEXP                   the whole body, where . matches line feeds too
//	body empty
//	body fits ETag                  XXH64 of the bytes, and the suffix of their coding
//	body fits Repr-Digest           SHA-256 of the bytes
//	body under NUMBER characters
//	decoded body …                  the same, after the Content-Encoding is undone
//	json PATH = JSON                such as pricing.plans[0].name; . is the whole
//	json PATH is TYPE               string number integer boolean array object null URI email,
//	                                and "or absent" after it where there may be none
//	json PATH ~ REGEXP, contains, lacks, at least, at most
//	json PATH lists JSON            the array has the member
//	json besides NAME = JSON        the object, but for one member
//	no json PATH
//	keep NAME = SOURCE              status, length, body, header NAME, link RELATION, json PATH,
//	                                and "~ REGEXP" after it for its first group
//	keep up to N NAME = SOURCE      every match, N at most, one at least
//	kept NAME = | != | ~ | contains | lacks TEXT
//	kept NAME within NUMBER days    a time (RFC 3339) from now on
//
// In a JSON path [*] and .* stand for every member, ["…"] for a name with
// marks in it, and a local "$ref" is followed. A kept value lives until the
// case ends and is written {NAME}; {NAME-1} and {NAME+1} count. In a regular
// expression it stands for itself. A request whose target names a kept list is
// played once for each member, and a check that names one holds for each.
//
// # Values of the site
//
// {BASE} is the base URL that the site has in its absolute links, {HOST} the
// host and port that are played against. {PAGE} is the path of a page,
// {ARTICLE} of a blog article, {STYLESHEET} of the home page's stylesheet,
// {ALIAS} an old path of {ALIASED}, {DRAFT} the path that a draft would have,
// {UNLISTED} that of an unlisted page. In a site of several languages {TRANSLATED} is the path of a page in
// {LANGUAGE}, a tag beside the site's own language, and {ORIGINAL} that of the same page in the site's own.
// {LIMIT} and {WINDOW} are the requests and the seconds of the allowance, and {PAGEVARY} is the Vary of pages.
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
