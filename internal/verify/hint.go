package verify

import (
	"slices"

	"vitrine/internal/verify/visit"
)

// hint is the solution for a symptom, in words. traits describes the traits that are known to cause the symptom, keyed
// by host.
type hint struct {
	say    string
	traits map[visit.Host]string
}

// hints returns the hint for each symptom.
func hints() map[Symptom]hint {
	return map[Symptom]hint{
		NoDiscovery: {say: "GET /api must return the product information; configure the host to send every path to the site, or deploy the complete build"},
		Mixed: {say: "a cache keeps one response for a URL that has two; make it honor Vary, or do not cache pages", traits: map[visit.Host]string{
			visit.Cloudflare: "its cache honors only Vary: Accept-Encoding, unless a Cache Rule enables Vary; let the Worker serve pages, or add that rule",
			visit.Netlify:    "a cacheable response of a function needs Vary: Accept or Netlify-Vary: header=Accept for its cache key; static files are cached only by path, so the edge function must serve pages",
			visit.Nginx:      "proxy_ignore_headers Vary makes its cache mix representations; remove it, or print a configuration with vitrine config nginx",
			visit.Varnish:    "it honors Vary, unless VCL unsets the field or rewrites Accept; vitrine config varnish prints VCL that keeps both",
			visit.Caddy:      "it has no cache; check the cache module, or the server in front of it",
		}},
		NoVary: {say: "something between the client and the site removes or rewrites Vary; a cache after it will mix HTML and Markdown", traits: map[visit.Host]string{
			visit.Cloudflare: "look for a Transform Rule that removes the field",
			visit.Netlify:    "header rules do not apply to responses of an edge function; the function must set Vary",
			visit.Nginx:      "proxy_hide_header Vary, or an add_header that a location with its own add_header does not inherit, removes it",
			visit.Varnish:    "VCL that unsets resp.http.Vary removes it",
		}},
		NoTag: {say: "without an ETag, every client downloads every page in full each time; let the ETag through", traits: map[visit.Host]string{
			visit.Cloudflare: "it removes ETags if it changes HTML (Email Obfuscation, Rocket Loader, link rewriting); turn these off for the site",
			visit.Nginx:      "sub_filter and ssi remove the ETag, because they change the body",
		}},
		WeakTag: {say: "something between the client and the site compresses or changes the body and weakens the ETag; the site has compressed representations, so turn that compression off", traits: map[visit.Host]string{
			visit.Cloudflare: "it weakens ETags; add a Cache Rule that respects strong ETags",
			visit.Nginx:      "gzip on weakens the ETags of compressed responses; set gzip off for this site",
			visit.Varnish:    "do_gzip and http_gzip_support weaken ETags; start it with -p http_gzip_support=off",
		}},
		OtherTag: {say: "the host replaces the build's ETag with its own; a 304 may still work, but the ETags of two hosts will differ", traits: map[visit.Host]string{
			visit.Netlify: "it adds -ssl to the ETags of static files, and -df to the ETags of compressed files; responses of the edge function keep their ETags",
			visit.Caddy:   "encode appends the encoding to the ETag of the bytes it compresses; remove encode, because the site has compressed representations",
			visit.Nginx:   "static files get an ETag based on time and size; print a configuration with vitrine config nginx",
		}},
		Rewritten: {say: "the bytes do not match the ETag; turn off anything between the client and the site that rewrites, minifies, or compresses", traits: map[visit.Host]string{
			visit.Cloudflare: "Email Obfuscation, Rocket Loader, Web Analytics, and link rewriting change HTML; turn them off for the site",
			visit.Netlify:    "post-processing, snippet injection, and the deploy preview drawer change HTML; turn them off for the site",
			visit.Varnish:    "it decompresses for clients that do not accept gzip; start it with -p http_gzip_support=off",
			visit.Caddy:      "encode compresses again; remove it",
		}},
		WrongCoding: {say: "a client that does not accept compression got a compressed response; a cache ignores Vary: Accept-Encoding, or a proxy requests gzip for every client"},
		No304: {say: "conditional requests get no 304; pass If-None-Match to the site, and ETags back to the client", traits: map[visit.Host]string{
			visit.Varnish: "it compares If-None-Match as a whole and does not support lists; vitrine config varnish prints VCL that does",
			visit.Netlify: "the edge function must respond with 304, because static files only match ETags with their suffix",
			visit.Nginx:   "it returns 304 only for its own ETag; print a configuration with vitrine config nginx",
		}},
		BadHead: {say: "HEAD must have the header fields of GET, including the length of its body; forward HEAD as HEAD", traits: map[visit.Host]string{
			visit.Netlify:    "an edge function with a list of methods is not called for HEAD; remove the list",
			visit.Cloudflare: "it sends GET to the origin if it may cache the response; let the Worker handle HEAD",
		}},
		NoRedirect: {say: "an old address must be redirected with 308 and a Location that begins with /; a meta refresh or a second copy creates two URLs for one page", traits: map[visit.Host]string{
			visit.Netlify:    "pretty URLs serve /page.html and /page/ as copies; turn them off, or let the edge function respond",
			visit.Cloudflare: "html_handling of static assets redirects with 307, and serves copies; set it to none",
			visit.Nginx:      "absolute_redirect writes scheme and host into Location; set absolute_redirect off",
			visit.Caddy:      "file_server redirects by its own rules; set disable_canonical_uris",
		}},
		Unprotected: {say: "set the field on every response, including errors and redirects", traits: map[visit.Host]string{
			visit.Nginx:      "without always, add_header skips error responses; a location with its own add_header does not inherit others",
			visit.Netlify:    "header rules do not apply to responses of an edge function; the function must set every field",
			visit.Cloudflare: "_headers does not apply to responses of a Worker; the Worker must set every field",
			visit.Caddy:      "errors go through handle_errors, which needs the header directive again",
			visit.Varnish:    "it creates its own errors in vcl_synth and vcl_backend_error; set the field there too",
		}},
		CachedError: {say: "caches store an error without no-store, and serve it after the cause is fixed", traits: map[visit.Host]string{
			visit.Nginx:      "proxy_cache_valid any caches errors; list the statuses to cache",
			visit.Cloudflare: "a Cache Rule that sets a TTL by status code caches errors; remove its TTL for errors",
		}},
		WrongStatus: {say: "the status does not come from the site; a host with its own error pages, or with one page for every path, hides the real status", traits: map[visit.Host]string{
			visit.Netlify:    "a catch-all rewrite with status 200 returns 200 for every missing page; remove the rewrite",
			visit.Cloudflare: "not_found_handling single-page-application returns 200 for every missing page, and handles some methods and paths itself; set it to none",
			visit.Nginx:      "try_files with a page as its last argument, or error_page with =200, returns 200 for every missing page; print a configuration with vitrine config nginx",
		}},
		WrongType: {say: "the content type is the host's guess, not the site's; serve the type that the build specifies", traits: map[visit.Host]string{
			visit.Nginx:      "mime.types has no entry for .md, and names without an extension get default_type; print a configuration with vitrine config nginx",
			visit.Caddy:      "file_server guesses from the extension; print a configuration with vitrine config caddy",
			visit.Netlify:    "the types of static files come from their extensions; the edge function must set the type",
			visit.Cloudflare: "the types of static assets come from their extensions; the Worker must set the type",
		}},
		Shared: {say: "the operation must be sent with Cache-Control: private, max-age=300, or counters are cached and replayed", traits: map[visit.Host]string{
			visit.Cloudflare: "a Browser Cache TTL rewrites Cache-Control; set it to respect existing headers",
		}},
		Replayed: {say: "a cache stores the JSON API; configure it not to store /api, /api/marketing, and /api/v1/marketing", traits: map[visit.Host]string{
			visit.Cloudflare: "Cache Everything with an edge TTL also caches private responses; exclude /api from the rule",
			visit.Nginx:      "proxy_ignore_headers Cache-Control also caches private responses; remove the directive",
			visit.Varnish:    "VCL that sets beresp.ttl for everything also caches private responses; return (pass) for /api",
		}},
		NoLanguage: {say: "Content-Language is lost or wrong, so programs read the page in the wrong language; pass the field on, and do not redirect or select pages by Accept-Language"},
		NoRelation: {say: "Link is lost or changed, but agents find the Markdown and llms.txt through it, and search engines find translations; pass the field on unchanged"},
		NoCounters: {say: "the rate-limit fields are lost in transit, or the host does not send them; clients need them to limit their rate"},
		Busy:       {say: "the counters did not change as expected for one client of one instance: other clients send requests, or several instances respond; run vitrine verify again at a quieter time"},
		Kept429: {say: "a cache stores the 429 beyond its window and locks all clients out; make the cache honor Cache-Control: no-store", traits: map[visit.Host]string{
			visit.Cloudflare: "a Cache Rule that sets a TTL by status code caches 429 responses; exclude /api from the rule",
			visit.Nginx:      "proxy_cache_valid any caches 429 responses; list the statuses to cache",
			visit.Varnish:    "VCL that sets beresp.ttl regardless of beresp.status caches 429 responses; check beresp.status before setting it",
		}},
		DeadLink:    {say: "all addresses in the sitemap and llms.txt must return 200; deploy the complete build, and purge old pages"},
		Stale:       {say: "another build is served, completely or in part; deploy this build, then purge the addresses from vitrine diff --purge"},
		Preview:     {say: "a preview build, made with --base-url or by a platform, was deployed here; deploy a build for the site's address"},
		NotIndexed:  {say: "remove X-Robots-Tag if the host or a proxy adds it: with noindex, search engines drop the site"},
		Unreachable: {say: "the response to the request could not be read; try again, or use a longer --timeout"},
		Locked: {say: "the site requires a password, so search engines and agents cannot access it; remove the password, or verify the address that visitors use", traits: map[visit.Host]string{
			visit.Netlify:    "password protection or preview protection is enabled for the site",
			visit.Cloudflare: "an Access policy is in front of the site",
		}},
		Barred: {say: "something between the client and the site blocks the request: a firewall, a bot challenge, or a country block; allow the site's readers, including programs", traits: map[visit.Host]string{
			visit.Cloudflare: "Bot Fight Mode, a WAF rule, or a challenge responds instead of the site",
		}},
		Loop: {say: "the address redirects to itself in a loop: usually TLS is terminated twice, and the second server receives http and redirects back to https", traits: map[visit.Host]string{
			visit.Cloudflare: "SSL mode Flexible sends http to the origin; use Full (strict)",
		}},
		PlainText: {say: "Markdown is served as text/plain; map .md to text/markdown; charset=utf-8 in the host's media types", traits: map[visit.Host]string{
			visit.Nginx:   "mime.types has no entry for .md; print a configuration with vitrine config nginx",
			visit.Netlify: "the types of static files come from their extensions; the edge function must respond",
		}},
		Cookie: {say: "something between the client and the site sets a cookie; shared caches do not store such a response, and the site itself sets no cookies", traits: map[visit.Host]string{
			visit.Cloudflare: "Bot Management, a load balancer's session affinity, or Waiting Room sets a cookie; turn the feature off for the site",
			visit.Varnish:    "responses with Set-Cookie are not cached; unset beresp.http.Set-Cookie, and find out what sets it",
		}},
		Hidden: {say: "X-Robots-Tag: noindex keeps the page out of search engines; that is right for a preview and wrong for the site itself", traits: map[visit.Host]string{
			visit.Netlify: "branch deploys and deploy previews have this field; verify the production address",
		}},
		Slow:   {say: "responses are slow; possible causes are an empty cache, a distant server, and an overloaded server"},
		Broken: {say: "the server, or a proxy in front of it, has failed; check its log for the reason"},
		Other:  {say: "the response differs from the expected response above; check for changes in transit"},
	}
}

// explain adds to every failed check the solutions for the check's symptoms, and the traits of the recognized hosts
// that are known to cause these symptoms.
func (r *Report) explain() {
	known := hints()
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			h := known[f.Symptom]
			if slices.Contains(c.Hints, h.say) {
				continue
			}
			c.Hints = append(c.Hints, h.say)
			for _, host := range r.Hosts {
				if trait := h.traits[host]; trait != "" {
					c.Traits = append(c.Traits, string(host)+": "+trait)
				}
			}
		}
	}
}
