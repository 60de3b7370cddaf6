package hosts

// Behavior is a row of the capability tables in the documentation: a file of the contract's exchanges, and its subject.
type Behavior struct{ File, Title string }

// Behaviors returns the rows that all tables share, in the order of the documentation.
func Behaviors() []Behavior {
	return []Behavior{
		{"operation.txt", "JSON at `/api/v1/marketing`, `/api/marketing`, and `/api`"},
		{"query.txt", "Rejection of query parameters in API requests (400)"},
		{"methods.txt", "`OPTIONS`, CORS preflights, and rejected methods (405)"},
		{"accept.txt", "Choosing between HTML and Markdown based on `Accept`"},
		{"pages.txt", "Pages, and their Markdown at addresses that end in `.md`"},
		{"coding.txt", "Compression with gzip and brotli"},
		{"conditional.txt", "ETags and conditional requests (304, 412)"},
		{"redirect.txt", "Redirects (308)"},
		{"missing.txt", "Missing pages (404)"},
		{"problems.txt", "Error responses in JSON (RFC 9457)"},
		{"fields.txt", "Header fields for caches, CDNs, and security"},
		{"textfiles.txt", "llms.txt, sitemap, robots.txt, and security.txt"},
		{"found.txt", "Feeds, structured data, search, and links"},
		{"discovery.txt", "OpenAPI document and API catalog"},
		{"build.txt", "Build ID in responses"},
		{"protocol.txt", "Unusual paths, methods, and request lines"},
		{"framing.txt", "Responses to malformed requests"},
		{"counters.txt", "Rate-limit header fields"},
		{"allowance.txt", "Exceeded rate limit (429)"},
	}
}
