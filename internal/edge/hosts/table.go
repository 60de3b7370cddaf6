package hosts

import "vitrine/internal/contract"

// anyMethod matches a request with the path that follows, regardless of the method.
const anyMethod = `[^ ]+ `

// All returns every host, in the order of the documentation.
func All() []*Host {
	return []*Host{vitrined(), nginxFiles(), nginxCache(), caddyFiles(), caddyProxy(), varnish(), apache(), h2o(), netlify(), cloudflare()}
}

func vitrined() *Host {
	return &Host{Name: "vitrined", Title: "vitrined", Can: contract.OriginServer()}
}

// files returns the capabilities of a file server, which doesn't count requests.
func files() []contract.Capability {
	return []contract.Capability{contract.Gzip, contract.Brotli, contract.Origin, contract.Raw}
}

// before returns the capabilities of servers in front of vitrined that reject requests with their
// own messages.
func before() []contract.Capability { return append(files(), contract.LiveCounters) }

// repeated matches a request that repeats one of the fields.
func repeated(fields string) string {
	return `(?i).*\n(?:` + fields + `): .*\n(?:` + fields + `): `
}

// chosen matches the lines that differ if the host selects another representation.
const chosen = `(?:no )?header (?:Content-(?:Type|Encoding|Length|Security-Policy|Language)|Etag|Link|X-Markdown-Tokens|X-Robots-Tag|` +
	`Cross-Origin-Resource-Policy|Permissions-Policy|Referrer-Policy) .*|body .*|answers (?:200|304|412) → (?:200|304|412)`

func nginxFiles() *Host {
	return &Host{Name: "nginx-files", Title: "nginx, files", Can: files(), Differences: append(nginxParser(),
		&Difference{
			Request: `(?i).*\nIf-None-Match: `, Line: `no header Content-Length → .*`,
			Why: "A 304 has the `Content-Length` of the 200, as RFC 9110 §8.6 allows.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nAccept: [^\n]*(?:"|;[ \t]*[^q \t]|text/html[^\n]*text/html|text/markdown[^\n]*text/markdown|text/\*[^\n]*text/\*|\*/\*[^\n]*\*/\*)`, Line: chosen,
			Why: "If `Accept` has several ranges for one type, the first decides, regardless of its parameters: an nginx configuration cannot search a list for the highest weight.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:br[^\n]*br|gzip[^\n]*gzip|\*[^\n]*\*|identity[^\n]*identity)`, Line: chosen,
			Why: "If `Accept-Encoding` lists an encoding more than once, the first weight decides.", Random: true,
		},
		&Difference{
			Request: anyMethod + `/\.vitrine/`, Line: `answers \d+ → 404`,
			Why: "Addresses under `/.vitrine/` are reserved, and get 404 for every method.", Random: true,
		},
		&Difference{
			Request: anyMethod + `/(?:[^ ?\n]*%[^ ?\n]*/(?:\.|%2[eE])|(?:[^ ?\n]*/)?(?:\.|%2[eE]){1,2}/[^ ?\n]*%)`, Line: `(?:no )?header .*|body .*`,
			Why: "nginx does not decode a path with dot segments. If `/api/` or `.md` is percent-encoded in it, the 404 is the negotiated page instead of a problem or Markdown.", Random: true,
		},
		&Difference{
			Request: `(?i).*\n(?:If-Match|If-Unmodified-Since): .*\nContent-Length: `, Line: `answers 200 → 412`,
			Why: "A request with a body gets 412 if it has `If-Match` or `If-Unmodified-Since`: nginx evaluates them itself, against its own ETag and date, which the response does not have.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `answers 412 → (?:200|304)|(?:no )?header .*|body .*|json .*`,
			Why: "An empty `If-Match` looks like a missing one: with `If-None-Match` or `If-Unmodified-Since`, it is ignored.", Random: true,
		})}
}

func nginxCache() *Host {
	return &Host{Name: "nginx", Title: "nginx, cache", Can: before(), Differences: append(nginxParser(), &Difference{
		Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `(?:no )?header .*|body .*|json .*|answers 200 → 412`,
		Why: "An empty `If-Match` looks like a missing one; nginx rejects it for cached responses with its own 412.",
	})}
}

// nginxParser returns the differences of the responses that nginx's parser sends before any configuration applies.
func nginxParser() []*Difference {
	return []*Difference{
		{
			Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|00)`, Line: `answers \d+ → 400`,
			Why: "The parser rejects a path with `%zz` or `%00` with 400.",
		},
		{
			Request: repeated("Accept"), Line: chosen,
			Why: "If an `Accept` field has several lines, nginx before 1.23 exposes only the first line to its configuration.",
		},
		{
			Request: repeated("Accept-Encoding"), Line: chosen, Random: true,
			Why: "If an `Accept-Encoding` field has several lines, nginx before 1.23 exposes only the first line to its configuration.",
		},
		{
			Request: repeated("If-Match|If-None-Match|If-Modified-Since|If-Unmodified-Since|If-Range|Authorization"), Line: `answers \d+ → 400|(?:no )?header .*|body .*`,
			Why: "A request that repeats `If-None-Match`, another conditional field, or `Authorization` gets 400. A list on one line is compared as one string.",
		},
		{
			Request: `[A-Z]*[^A-Z_ ]`, Line: `answers \d+ → 400`,
			Why: "The parser rejects a lowercase method with 400.",
		},
		{
			Request: anyMethod + `/(?:[^ ?]*/)?(?:\.|%2[eE]){2}(?:[/?#]|\s)`, Line: `answers \d+ → 400`,
			Why: "The parser rejects a path that leaves the root with 400.",
		},
	}
}

func caddyFiles() *Host {
	return &Host{Name: "caddy-files", Title: "Caddy, files", Can: files(), Differences: append(goParser(), &Difference{
		Request: `(?i).*\nAccept: [^\n]*"`, Line: chosen, Random: true,
		Why: "If an `Accept` field contains quotes, the first range for a type decides, regardless of its parameters.",
	})}
}

func caddyProxy() *Host {
	return &Host{Name: "caddy", Title: "Caddy, proxy", Can: before(), Differences: append(goParser(), &Difference{
		Request: `.*\nContent-Length: [1-9]`, Line: `answers \d+ → none \(closed\)`, Random: true,
		Why: "A request with a body, which vitrined does not read, sometimes gets no response: the proxy aborts if it cannot send the rest of the body.",
	})}
}

// goParser returns the differences of the responses that net/http's parser sends before any handler runs.
func goParser() []*Difference {
	return []*Difference{{
		Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F])`, Line: `answers \d+ → (?:400|none \((?:15 bytes follow the response|closed|connection reset by peer)\))`,
		Why: "The parser rejects a path with an invalid escape, such as `%zz`, with 400, and sends a body even in response to HEAD. If the request has a body, the connection may close before the response.",
	}}
}

func varnish() *Host {
	return &Host{Name: "varnish", Title: "Varnish, cache", Can: before(), Differences: []*Difference{
		{
			Request: `(?:PURGE|BAN) `, Line: `answers \d+ → 200`, Random: true,
			Why: "Varnish treats `PURGE` and `BAN` from localhost as cache commands.",
		},
		{
			Request: `HEAD .*\nContent-Length: [1-9]`, Line: `answers \d+ → 400`, Random: true,
			Why: "A HEAD request with a body gets 400.",
		},
		{
			Request: `(?i).*\nIf-None-Match: (?:[^\n]+\nIf-None-Match: ?(?:\n|$)|\nIf-None-Match: [^\n]+)`, Line: `answers 200 → 304`, Random: true,
			Why: "If a field has two lines, an empty one is dropped.",
		},
		{
			Request: `(?i).*\nIf-None-Match: [^\n]*\*`, Line: `answers 200 → 304`, Random: true,
			Why: "In an `If-None-Match` with both `*` and ETags, which RFC 9110 does not define, only the ETags count.",
		},
	}}
}

func apache() *Host {
	return &Host{Name: "apache", Title: "Apache, proxy", Can: before(), Differences: []*Difference{
		{
			Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|00)`, Line: `answers \d+ → (?:400|404)|(?:no )?header .*|body .*`,
			Why: "The parser rejects a path with `%zz` or `%00` with 400 or 404.",
		},
		{
			Request: anyMethod + `/(?:[^ ?]*/)?(?:\.|%2[eE]){2}(?:[/?#]|\s)`, Line: `answers \d+ → 400`,
			Why: "The parser rejects a path that leaves the root with 400.",
		},
		{
			Request: anyMethod + `(?:/(?:\.|%2[eE]))*//`, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`, Random: true,
			Why: "Several slashes at the start of a path are merged into one.",
		},
		{Request: `HEAD `, Line: `header Content-Length = 0 → no such header`, Random: true, Why: "A response to HEAD has no `Content-Length: 0` if it is a redirect."},
	}}
}

func h2o() *Host {
	return &Host{Name: "h2o", Title: "h2o, proxy", Can: before(), Differences: []*Difference{
		{
			Request: anyMethod + `https?://`, Line: `answers \d+ → 404|(?:no )?header .*|body .*|json .*`,
			Why: "h2o forwards an absolute-form target as a path. The path does not exist, so the response is 404.",
		},
		{
			Request: `[^\n]*\nConnection: close\n*\z`, Line: `answers 400 → 200|(?:no )?header .*|body .*|json .*`,
			Why: "A request without a host gets 200 instead of 400.",
		},
	}}
}

// resolved matches requests whose target changes when it is parsed according to the URL standard: targets with dot
// segments or backslashes.
const resolved = anyMethod + `(?:/|/[^ ?\n]*/)(?:\.|%2[eE]){1,2}(?:[/?\n])|` + anyMethod + `[^ ?\n]*\\`

// compressed matches the lines that differ if a platform compresses a function's responses.
const compressed = `no header (?:Content-Encoding|Vary) → .*|header (?:Vary|Etag|Content-Length) .*|body = .*|(?:header ETag .*|body fits ETag) → W/.*|header ETag = \{TAG\} → "[0-9a-f]{16}"`

func netlify() *Host {
	const (
		// The rule for assets sets Cache-Control, so that field differs only in responses to which the rule shouldn't
		// apply.
		ofAsset = `(?:no )?header (?:[^C]|C[^a]|Ca[^c]).*|no header Cache-Control .*|header Cache-Control .* → public, max-age=31536000, immutable`
		asset   = "The CDN serves hashed assets, with its own validators and methods; in the tests, @netlify/static serves them, without validators. A missing asset gets 404 with the one-year lifetime of the rule, because a rule cannot exclude missing assets."
		length  = "The bootstrap removes `Content-Length` from a function's response."
	)
	return &Host{Name: "netlify", Title: "Netlify", Can: []contract.Capability{contract.LiveCounters, contract.Origin}, Differences: []*Difference{
		{Request: `(?:BREW|GETS|BAN|get) `, Line: `answers \d+ → .*|header .*`, Why: "Node's parser in front of the function rejects an unknown method; a CDN may do so too."},
		{Request: anyMethod + `/(?:[^ \n]*/)?assets/`, Line: `body .*|keep .*|answers (?:200|204|304|404|405|412) → .*|` + ofAsset + `|GET .*|.*\{TAG\}.*`, Why: asset},
		{Line: `header Content-Length = .* → no such header`, Why: length},
		{
			Request: resolved, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`, Random: true,
			Why: "Fetch resolves dot segments and turns backslashes into slashes before a function sees the target.",
		},
		{
			Request: `(?i).*\nAccept-Encoding: `, Line: compressed, Random: true,
			Why: "The platform compresses responses itself, and makes the ETags of compressed responses weak.",
		},
		{Request: `TRACE `, Line: `answers 405 → 500`, Random: true, Why: "TRACE gets 500, because Fetch does not support it."},
		{
			Request: anyMethod + `[^ \n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F])|.*\nContent-Length: [1-9]`, Line: `answers \d+ → none \(.*\)`, Random: true,
			Why: "The stand-in for the CDN closes the connection at an invalid escape, or if a body is not read.",
		},
		{Line: `no header (?:X-Nf-.*|Vary → Vary: Accept-Encoding)|header Vary = .* → .*Accept-Encoding.*`, Random: true, Why: "The platform adds its own fields, and `Vary: Accept-Encoding`."},
	}}
}

func cloudflare() *Host {
	const hashed = `/(?:[^ \n]*/)?assets/`
	return &Host{Name: "cloudflare", Title: "Cloudflare", Can: []contract.Capability{contract.LiveCounters, contract.Origin, contract.Raw}, Differences: []*Difference{
		{
			Request: `(?:GET|HEAD) ` + hashed, Line: `keep .*|header E[Tt]ag .*|body fits ETag .*|.*\{TAG\}.*`,
			Why: "The platform serves hashed assets without the Worker, with its own validator.",
		},
		{
			Request: `(?i)(?:GET|HEAD) ` + hashed + `[^\n]*\n(?:.*\n)?If-(?:None-)?Match:`, Line: `answers (?:304|412) → 200|(?:no )?header .*|body .*|json .*`,
			Why: "The platform compares the `If-None-Match` of a hashed asset as one string, and does not read `If-Match`.",
		},
		{
			Request: `(?:BAN|POST|PUT|[A-Z]{5,}) ` + hashed, Line: `answers (?:204|405) → .*|(?:no )?header .*|body .*|json .*`,
			Why: "For a hashed asset, the platform responds to methods other than GET and HEAD, including OPTIONS, with an empty 405.",
		},
		{Request: `(?:BREW|GETS|get) `, Line: `answers \d+ → 501|header .*`, Why: "workerd itself responds with 501 to a method that it does not know."},
		{
			Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `answers 412 → (?:200|304)|header Content-Type = application/problem\+json → .*`,
			Why: "workerd drops an empty `If-Match`.",
		},
		{
			Request: resolved, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`,
			Why: "Fetch resolves dot segments and turns backslashes into slashes before a Worker sees the target.",
		},
		{
			Line: `header Content-Length = .* → no such header`,
			Why:  "`wrangler dev` sends HTML through a rewriter, which omits the length; a deployed Worker has no rewriter in front of it.",
		},
		{
			Request: `(?i).*\nAccept-Encoding: `, Line: compressed, Random: true,
			Why: "The platform compresses responses itself.",
		},
		{
			Request: anyMethod + hashed, Line: `no header Cf-Cache-Status .*|header Date .*`, Random: true,
			Why: "The platform adds `Cf-Cache-Status` to hashed assets, and `wrangler dev` sends no `Date`.",
		},
		{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:gzip|br)`, Line: `body fits ETag → "[0-9a-f]{16}"`, Random: true,
			Why: "`wrangler dev` does not change the ETag when it compresses.",
		},
		{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:identity|\*)[ \t]*;[ \t]*q=0`, Line: `answers \d+ → 415`, Random: true,
			Why: "A client that accepts no encoding, not even identity, gets 415, because the platform in front of the Worker cannot compress for it.",
		},
	}}
}
