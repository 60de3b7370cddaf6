package hosts

// Behavior is a row of the capability tables in the documentation: a file of the contract's exchanges, and its subject.
type Behavior struct{ File, Title string }

// Behaviors returns the rows that all tables share, in the order of the documentation.
func Behaviors() []Behavior {
	return []Behavior{
		{"operation.txt", "JSON operation, alias, discovery"},
		{"query.txt", "Rejected query parameters"},
		{"methods.txt", "Methods, CORS preflights, 405"},
		{"accept.txt", "HTML or Markdown by `Accept`"},
		{"pages.txt", "Pages and `.md` URLs"},
		{"coding.txt", "gzip and brotli"},
		{"conditional.txt", "ETags, `If-None-Match`, `If-Match`"},
		{"redirect.txt", "Redirects (308)"},
		{"missing.txt", "Missing pages (404)"},
		{"problems.txt", "Problems (RFC 9457)"},
		{"fields.txt", "Cache, CDN, and security fields"},
		{"textfiles.txt", "llms.txt, sitemap, robots.txt, security.txt"},
		{"found.txt", "Feeds, structured data, search, links"},
		{"discovery.txt", "OpenAPI document, API catalog"},
		{"build.txt", "Build ID"},
		{"protocol.txt", "Unusual requests"},
		{"framing.txt", "Malformed requests"},
		{"counters.txt", "Rate-limit header fields"},
		{"allowance.txt", "Exhausted allowance (429)"},
	}
}
