package hosts

import "vitrine/internal/contract"

// anyMethod, followed by a path, matches requests for that path with any method.
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

// repeated returns an expression that matches requests that repeat one of the fields. fields contains their names,
// separated by "|".
func repeated(fields string) string {
	return `(?i).*\n(?:` + fields + `): .*\n(?:` + fields + `): `
}

// chosen matches the lines that differ if the host selects a different representation than vitrined.
const chosen = `(?:no )?header (?:Content-(?:Type|Encoding|Length|Security-Policy|Language)|Etag|Link|X-Markdown-Tokens|X-Robots-Tag|` +
	`Cross-Origin-Resource-Policy|Permissions-Policy|Referrer-Policy) .*|body .*|answers (?:200|304|412) → (?:200|304|412)`

func nginxFiles() *Host {
	return &Host{Name: "nginx-files", Title: "nginx, files", Can: files(), Differences: append(nginxParser(),
		&Difference{
			Request: `(?i).*\nIf-None-Match: `, Line: `no header Content-Length → .*`,
			Why: "A 304 response has the `Content-Length` of the 200 response, as RFC 9110 §8.6 allows.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nAccept: [^\n]*(?:"|;[ \t]*[^q \t]|text/html[^\n]*text/html|text/markdown[^\n]*text/markdown|text/\*[^\n]*text/\*|\*/\*[^\n]*\*/\*)`, Line: chosen,
			Why: "If `Accept` lists a type several times, the first entry decides, regardless of its parameters, because an nginx configuration cannot search a list for the highest weight.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:br[^\n]*br|gzip[^\n]*gzip|\*[^\n]*\*|identity[^\n]*identity)`, Line: chosen,
			Why: "If `Accept-Encoding` lists an encoding more than once, the first weight decides.", Random: true,
		},
		&Difference{
			Request: anyMethod + `/\.vitrine/`, Line: `answers \d+ → 404`,
			Why: "Addresses under `/.vitrine/` are reserved and return 404 for every method.", Random: true,
		},
		&Difference{
			Request: anyMethod + `/(?:[^ ?\n]*%[^ ?\n]*/(?:\.|%2[eE])|(?:[^ ?\n]*/)?(?:\.|%2[eE]){1,2}/[^ ?\n]*%)`, Line: `(?:no )?header .*|body .*`,
			Why: "nginx does not decode a path with dot segments (`/../`). If such a path contains a percent-encoded `/api/` or `.md`, the format of the 404 response depends on `Accept` instead of the path.", Random: true,
		},
		&Difference{
			Request: `(?i).*\n(?:If-Match|If-Unmodified-Since): .*\nContent-Length: `, Line: `answers 200 → 412`,
			Why: "A request with a body and `If-Match` or `If-Unmodified-Since` returns 412, because nginx compares these fields with its own ETag and date, which it does not send.", Random: true,
		},
		&Difference{
			Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `answers 412 → (?:200|304)|(?:no )?header .*|body .*|json .*`,
			Why: "An empty `If-Match` has no effect if the request also has `If-None-Match` or `If-Unmodified-Since`.", Random: true,
		})}
}

func nginxCache() *Host {
	return &Host{Name: "nginx", Title: "nginx, cache", Can: before(), Differences: append(nginxParser(), &Difference{
		Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `(?:no )?header .*|body .*|json .*|answers 200 → 412`,
		Why: "If the response is cached, an empty `If-Match` returns nginx's own 412, because the configuration cannot distinguish an empty field from a missing one.",
	})}
}

// nginxParser returns the differences of the responses that nginx's parser sends before any configuration applies.
func nginxParser() []*Difference {
	return []*Difference{
		{
			Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|00)`, Line: `answers \d+ → 400`,
			Why: "A path with `%zz` or `%00` returns 400 instead of 404, because nginx's parser rejects it.",
		},
		{
			Request: repeated("Accept"), Line: chosen,
			Why: "In nginx before 1.23, only the first `Accept` line of a request has an effect.",
		},
		{
			Request: repeated("Accept-Encoding"), Line: chosen, Random: true,
			Why: "In nginx before 1.23, only the first `Accept-Encoding` line of a request has an effect.",
		},
		{
			Request: repeated("If-Match|If-None-Match|If-Modified-Since|If-Unmodified-Since|If-Range|Authorization"), Line: `answers \d+ → 400|(?:no )?header .*|body .*`,
			Why: "If a request repeats `If-None-Match`, another conditional field, or `Authorization`, the response is 400. A list on one line works.",
		},
		{
			Request: `[A-Z]*[^A-Z_ ]`, Line: `answers \d+ → 400`,
			Why: "A lowercase method returns 400 instead of 405, because nginx's parser rejects it.",
		},
		{
			Request: anyMethod + `/(?:[^ ?]*/)?(?:\.|%2[eE]){2}(?:[/?#]|\s)`, Line: `answers \d+ → 400`,
			Why: "A path that goes above the root, such as `/../x`, returns 400 instead of 404, because the server's parser rejects it.",
		},
	}
}

func caddyFiles() *Host {
	return &Host{Name: "caddy-files", Title: "Caddy, files", Can: files(), Differences: append(goParser(), &Difference{
		Request: `(?i).*\nAccept: [^\n]*"`, Line: chosen, Random: true,
		Why: "If `Accept` contains quotation marks, the first entry for a type decides, regardless of its parameters.",
	})}
}

func caddyProxy() *Host {
	return &Host{Name: "caddy", Title: "Caddy, proxy", Can: before(), Differences: append(goParser(), &Difference{
		Request: `.*\nContent-Length: [1-9]`, Line: `answers \d+ → none \(closed\)`, Random: true,
		Why: "A request with a body sometimes gets no response, because `vitrined` does not read the body and the proxy stops if it cannot send the rest.",
	})}
}

// goParser returns the differences of the responses that net/http's parser sends before any handler runs.
func goParser() []*Difference {
	return []*Difference{{
		Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F])`, Line: `answers \d+ → (?:400|none \((?:15 bytes follow the response|closed|connection reset by peer)\))`,
		Why: "A path with an invalid escape, such as `%zz`, returns 400 instead of 404. Even the response to HEAD has a body. If the request has a body, the connection may close before the response.",
	}}
}

func varnish() *Host {
	return &Host{Name: "varnish", Title: "Varnish, cache", Can: before(), Differences: []*Difference{
		{
			Request: `(?:PURGE|BAN) `, Line: `answers \d+ → 200`, Random: true,
			Why: "From localhost, requests with the methods `PURGE` and `BAN` are cache commands and return 200.",
		},
		{
			Request: `HEAD .*\nContent-Length: [1-9]`, Line: `answers \d+ → 400`, Random: true,
			Why: "A HEAD request with a body returns 400.",
		},
		{
			Request: `(?i).*\nIf-None-Match: (?:[^\n]+\nIf-None-Match: ?(?:\n|$)|\nIf-None-Match: [^\n]+)`, Line: `answers 200 → 304`, Random: true,
			Why: "If a request repeats a field and one of its lines is empty, the empty line has no effect.",
		},
		{
			Request: `(?i).*\nIf-None-Match: [^\n]*\*`, Line: `answers 200 → 304`, Random: true,
			Why: "If `If-None-Match` contains both `*` and ETags, the `*` has no effect. RFC 9110 does not define this combination.",
		},
	}}
}

func apache() *Host {
	return &Host{Name: "apache", Title: "Apache, proxy", Can: before(), Differences: []*Difference{
		{
			Request: anyMethod + `[^ ?\n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|00)`, Line: `answers \d+ → (?:400|404)|(?:no )?header .*|body .*`,
			Why: "A path with `%zz` returns 400 instead of 404, and a path with `%00` returns Apache's own 404, because Apache's parser rejects both.",
		},
		{
			Request: anyMethod + `/(?:[^ ?]*/)?(?:\.|%2[eE]){2}(?:[/?#]|\s)`, Line: `answers \d+ → 400`,
			Why: "A path that goes above the root, such as `/../x`, returns 400 instead of 404, because the server's parser rejects it.",
		},
		{
			Request: anyMethod + `(?:/(?:\.|%2[eE]))*//`, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`, Random: true,
			Why: "The server merges several slashes at the start of a path into one.",
		},
		{Request: `HEAD `, Line: `header Content-Length = 0 → no such header`, Random: true, Why: "A redirect in response to HEAD has no `Content-Length: 0`."},
	}}
}

func h2o() *Host {
	return &Host{Name: "h2o", Title: "h2o, proxy", Can: before(), Differences: []*Difference{
		{
			Request: anyMethod + `https?://`, Line: `answers \d+ → 404|(?:no )?header .*|body .*|json .*`,
			Why: "If the request line contains a complete URL instead of a path, the response is 404, because h2o forwards the URL as a path.",
		},
		{
			Request: `[^\n]*\nConnection: close\n*\z`, Line: `answers 400 → 200|(?:no )?header .*|body .*|json .*`,
			Why: "A request without `Host` returns 200 instead of 400.",
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
		// ofAsset matches the header checks that fail for files in /assets/. The caching rule for this folder applies
		// even to errors, so a wrong Cache-Control field always has the value that the rule sets.
		ofAsset = `(?:no )?header (?:[^C]|C[^a]|Ca[^c]).*|no header Cache-Control .*|header Cache-Control .* → public, max-age=31536000, immutable`
		asset   = "Netlify's CDN serves files in `/assets/` with its own ETags and allowed methods. The caching rule for this folder applies even to the 404 of a missing file, so caches can store that 404 for a year."
		length  = "Netlify's function runtime removes `Content-Length` from responses by the edge function."
	)
	return &Host{Name: "netlify", Title: "Netlify", Can: []contract.Capability{contract.LiveCounters, contract.Origin}, Differences: []*Difference{
		{
			Request: `(?:BREW|GETS|BAN|get) `, Line: `answers \d+ → .*|header .*`,
			Why:  "In the tests, the local server in front of the function rejects unknown methods. The CDN may reject them too.",
			When: unknownMethods,
		},
		{
			Request: anyMethod + `/(?:[^ \n]*/)?assets/`, Line: `body .*|keep .*|answers (?:200|204|304|404|405|412) → .*|` + ofAsset + `|GET .*|.*\{TAG\}.*`, Why: asset,
			When: assets, Effect: "If you add the missing file later, some visitors still get the 404.",
		},
		{
			Line: `header Content-Length = .* → no such header`, Why: length,
			When: "Responses by the edge function", Effect: "Clients do not know the size of a response until it ends.",
		},
		{
			Request: resolved, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`, Random: true, Why: resolution,
			When: dotSegments, Effect: resolvedPaths,
		},
		{
			Request: `(?i).*\nAccept-Encoding: `, Line: compressed, Random: true,
			Why:  "The platform compresses responses itself and makes their ETags weak.",
			When: accepted, Effect: compressedByPlatform + " `If-None-Match` works with a weak ETag, but `If-Match` does not.",
		},
		{
			Request: `TRACE `, Line: `answers 405 → 500`, Random: true, Why: "A TRACE request returns 500, because the Fetch API forbids this method.",
			When: "The method TRACE",
		},
		{
			Request: anyMethod + `[^ \n]*%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F])|.*\nContent-Length: [1-9]`, Line: `answers \d+ → none \(.*\)`, Random: true,
			Why:   "The local server closes the connection if a URL has an invalid escape, or if the function leaves the request's body unread.",
			Local: true,
		},
		{
			Line: `no header (?:X-Nf-.*|Vary → Vary: Accept-Encoding)|header Vary = .* → .*Accept-Encoding.*`, Random: true,
			Why:  "The platform adds its own header fields (`X-Nf-…`) and `Vary: Accept-Encoding`.",
			When: "All responses",
		},
	}}
}

// Phrases that both platforms share.
const (
	unknownMethods       = "Unknown methods"
	assets               = "Files in `/assets/`"
	dotSegments          = "Paths with dot segments (`/../`) or backslashes"
	resolution           = "Before the site's code sees the URL, the Fetch API resolves dot segments (`/../`) and turns backslashes into slashes."
	resolvedPaths        = "Such a path can return a page instead of a 404."
	accepted             = "Requests with `Accept-Encoding`"
	compressedByPlatform = "The platform chooses the encoding and does not use the build's compressed files."
)

func cloudflare() *Host {
	const hashed = `/(?:[^ \n]*/)?assets/`
	return &Host{Name: "cloudflare", Title: "Cloudflare", Can: []contract.Capability{contract.LiveCounters, contract.Origin, contract.Raw}, Differences: []*Difference{
		{
			Request: `(?:GET|HEAD) ` + hashed, Line: `keep .*|header E[Tt]ag .*|body fits ETag .*|.*\{TAG\}.*`,
			Why:  "The platform serves files in `/assets/` without the Worker, with its own ETags.",
			When: assets,
		},
		{
			Request: `(?i)(?:GET|HEAD) ` + hashed + `[^\n]*\n(?:.*\n)?If-(?:None-)?Match:`, Line: `answers (?:304|412) → 200|(?:no )?header .*|body .*|json .*`,
			Why:  "For a file in `/assets/`, the platform ignores `If-Match` and compares `If-None-Match` as one string, even if the field lists several ETags.",
			When: assets, Effect: "A request with several ETags gets the complete file instead of a 304.",
		},
		{
			Request: `(?:BAN|POST|PUT|[A-Z]{5,}) ` + hashed, Line: `answers (?:204|405) → .*|(?:no )?header .*|body .*|json .*`,
			Why:  "For a file in `/assets/`, the platform responds to methods other than GET and HEAD, including OPTIONS, with an empty 405.",
			When: assets,
		},
		{
			Request: `(?:BREW|GETS|get) `, Line: `answers \d+ → 501|header .*`, Why: "Cloudflare's runtime, workerd, responds to an unknown method with 501.",
			When: unknownMethods,
		},
		{
			Request: `(?i).*\nIf-Match: ?(?:\n|$)`, Line: `answers 412 → (?:200|304)|header Content-Type = application/problem\+json → .*`,
			Why:  "workerd removes an empty `If-Match`, so the response is not 412.",
			When: "An empty `If-Match`",
		},
		{
			Request: resolved, Line: `answers \d+ → \d+|(?:no )?header .*|body .*`, Why: resolution,
			When: dotSegments, Effect: resolvedPaths,
		},
		{
			Line:  `header Content-Length = .* → no such header`,
			Why:   "Cloudflare's local server, `wrangler dev`, rewrites HTML, and therefore omits its `Content-Length`. A deployed Worker does not.",
			Local: true,
		},
		{
			Request: `(?i).*\nAccept-Encoding: `, Line: compressed, Random: true,
			Why:  "The platform compresses responses itself.",
			When: accepted, Effect: compressedByPlatform,
		},
		{
			Request: anyMethod + hashed, Line: `no header Cf-Cache-Status .*`, Random: true,
			Why:  "The platform adds `Cf-Cache-Status` to responses for files in `/assets/`.",
			When: assets,
		},
		{
			Request: anyMethod + hashed, Line: `header Date .*`, Random: true,
			Why:   "`wrangler dev` sends no `Date` with files in `/assets/`.",
			Local: true,
		},
		{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:gzip|br)`, Line: `body fits ETag → "[0-9a-f]{16}"`, Random: true,
			Why:   "`wrangler dev` does not change the ETag of a response that it compresses, so two encodings share one strong ETag.",
			Local: true,
		},
		{
			Request: `(?i).*\nAccept-Encoding: [^\n]*(?:identity|\*)[ \t]*;[ \t]*q=0`, Line: `answers \d+ → 415`, Random: true,
			Why:  "If a client rejects every encoding, even `identity`, the platform in front of the Worker responds with 415.",
			When: "Requests that reject every encoding",
		},
	}}
}
