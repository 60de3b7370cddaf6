package verify

import (
	"slices"

	"vitrine/internal/verify/visit"
)

// hint is the solution for a symptom, with the trait of a host that is known to cause it.
type hint struct {
	say    string
	traits map[visit.Host]string
}

// hints has a hint for every symptom.
func hints() map[Symptom]hint {
	return map[Symptom]hint{
		NoDiscovery: {say: "GET /api must return the product information; let the host send every path to the site, or deploy the whole build"},
		Mixed: {say: "a cache keeps one response for a URL that has two; make it honor Vary, or do not cache pages", traits: map[visit.Host]string{
			visit.Cloudflare: "its cache looks at Vary: Accept-Encoding alone unless a Cache Rule switches Vary on; let the Worker answer pages, or add that rule",
			visit.Netlify:    "an answer that a function lets it keep needs Vary: Accept or Netlify-Vary: header=Accept for its cache key; static files are kept by path alone, so the edge function must answer pages",
			visit.Nginx:      "proxy_ignore_headers Vary makes its cache mix; remove it, or print a configuration with vitrine config nginx",
			visit.Varnish:    "it honours Vary unless VCL unsets the field or rewrites Accept; vitrine config varnish prints VCL that keeps both",
			visit.Caddy:      "it has no cache; check the cache module, or the server in front of it",
		}},
		NoVary: {say: "something on the way takes Vary out or rewrites it; a cache behind it will mix HTML and Markdown", traits: map[visit.Host]string{
			visit.Cloudflare: "look for a Transform Rule that removes the field",
			visit.Netlify:    "header rules do not apply to what an edge function answers; the function must set Vary itself",
			visit.Nginx:      "proxy_hide_header Vary, or an add_header that a location with its own add_header does not inherit, loses it",
			visit.Varnish:    "VCL that unsets resp.http.Vary loses it",
		}},
		NoTag: {say: "without an ETag every client downloads every page each time; let the validator through", traits: map[visit.Host]string{
			visit.Cloudflare: "it removes ETags where it changes HTML (Email Obfuscation, Rocket Loader, rewriting of links); switch these off for the site",
			visit.Nginx:      "sub_filter and ssi take the ETag out, since they change the body",
		}},
		WeakTag: {say: "something compresses or changes the body on the way and weakens the ETag; the site has compressed representations, so turn that compression off", traits: map[visit.Host]string{
			visit.Cloudflare: "it turns strong ETags into weak ones unless a Cache Rule respects strong ETags",
			visit.Nginx:      "gzip on weakens the ETag of what it compresses; say gzip off for this site",
			visit.Varnish:    "do_gzip and http_gzip_support weaken ETags; start it with -p http_gzip_support=off",
		}},
		OtherTag: {say: "the host replaces the build's ETag with its own; a 304 may still work, but two hosts will not agree on it", traits: map[visit.Host]string{
			visit.Netlify: "it adds -ssl to the ETags of static files, and -df to those that it compresses; answers of the edge function keep theirs",
			visit.Caddy:   "encode appends the encoding to the ETag of the bytes it compresses; remove encode, because the site has compressed representations",
			visit.Nginx:   "static files get an ETag of time and size; print a configuration with vitrine config nginx",
		}},
		Rewritten: {say: "the bytes do not match the ETag; turn off anything that rewrites, minifies or compresses on the way", traits: map[visit.Host]string{
			visit.Cloudflare: "Email Obfuscation, Rocket Loader, Web Analytics and link rewriting change HTML; switch them off for the site",
			visit.Netlify:    "post-processing, snippet injection and the drawer of deploy previews change HTML; switch them off for the site",
			visit.Varnish:    "it decompresses for clients that ask for no gzip; start it with -p http_gzip_support=off",
			visit.Caddy:      "encode compresses again; leave it out",
		}},
		WrongCoding: {say: "a client that does not accept compression got a compressed response; a cache ignores Vary: Accept-Encoding, or a proxy requests gzip for every client"},
		No304: {say: "conditional requests are not answered; let If-None-Match through to the site, and ETags back", traits: map[visit.Host]string{
			visit.Varnish: "it compares If-None-Match as a whole and knows no lists; vitrine config varnish prints VCL that does",
			visit.Netlify: "the edge function must answer 304 itself, since static files know only ETags with their suffix",
			visit.Nginx:   "it returns 304 only for its own ETag; print a configuration with vitrine config nginx",
		}},
		BadHead: {say: "HEAD must have the header of GET, the length of its body included; let HEAD through as HEAD", traits: map[visit.Host]string{
			visit.Netlify:    "an edge function that lists methods is not called for HEAD; list none",
			visit.Cloudflare: "it sends GET to the origin if it may cache the response; let the Worker handle HEAD",
		}},
		NoRedirect: {say: "an old address must be redirected with 308 and a Location that begins with /; a page that refreshes, or a second copy, splits a URL in two", traits: map[visit.Host]string{
			visit.Netlify:    "pretty URLs serve /page.html and /page/ as copies; switch them off, or let the edge function answer",
			visit.Cloudflare: "html_handling of static assets redirects with 307, and serves copies; set it to none",
			visit.Nginx:      "absolute_redirect writes scheme and host into Location; say absolute_redirect off",
			visit.Caddy:      "file_server redirects by its own rules; say disable_canonical_uris",
		}},
		Unprotected: {say: "set the field on every response, including errors and redirects", traits: map[visit.Host]string{
			visit.Nginx:      "add_header omits errors without always, and a location with its own add_header does not inherit it",
			visit.Netlify:    "header rules do not apply to what an edge function answers; the function must set every field",
			visit.Cloudflare: "_headers does not apply to responses of a Worker; the Worker must set every field",
			visit.Caddy:      "errors go through handle_errors, which needs the header directive again",
			visit.Varnish:    "its own errors are made in vcl_synth and vcl_backend_error; set the field there too",
		}},
		CachedError: {say: "an error without no-store is kept by caches, which then go on telling it when the cause is gone", traits: map[visit.Host]string{
			visit.Nginx:      "proxy_cache_valid without a status, or with any, keeps errors",
			visit.Cloudflare: "a Cache Rule with a TTL by status code keeps errors",
		}},
		WrongStatus: {say: "the status is not the site's; a host that has its own error pages, or one page for every path, hides the real status", traits: map[visit.Host]string{
			visit.Netlify:    "a catch-all rewrite with status 200 makes every missing page a 200",
			visit.Cloudflare: "not_found_handling single-page-application makes every missing page a 200; and it answers some methods and paths itself",
			visit.Nginx:      "try_files with a page as its last argument makes every missing page a 200; error_page with =200 does so too",
		}},
		WrongType: {say: "the content type is the host's guess, not the site's; serve the type that the build says", traits: map[visit.Host]string{
			visit.Nginx:      "mime.types knows no .md, and names without an ending get default_type; print a configuration with vitrine config nginx",
			visit.Caddy:      "file_server guesses by the ending; print a configuration with vitrine config caddy",
			visit.Netlify:    "static files have types by their ending; the edge function must set the type",
			visit.Cloudflare: "static assets have types by their ending; the Worker must set the type",
		}},
		Shared: {say: "the operation must be sent with Cache-Control: private, max-age=300, or counters are kept and replayed", traits: map[visit.Host]string{
			visit.Cloudflare: "a Browser Cache TTL rewrites Cache-Control; set it to respect existing headers",
		}},
		Replayed: {say: "a cache keeps the JSON operation; let it pass /api, /api/marketing and /api/v1/marketing through", traits: map[visit.Host]string{
			visit.Cloudflare: "Cache Everything with an edge TTL keeps private answers too; leave /api out of the rule",
			visit.Nginx:      "proxy_ignore_headers Cache-Control keeps private answers too",
			visit.Varnish:    "VCL that sets beresp.ttl for everything keeps private answers too; return (pass) for /api",
		}},
		NoCounters: {say: "the rate-limit fields are lost on the way, or the host does not send them; clients cannot pace themselves without"},
		Busy:       {say: "the counters did not move as they do for one caller of one instance: others ask at the same time, or several instances answer; run it again when it is quiet"},
		Kept429: {say: "a cache keeps the 429 beyond its window and locks everybody out; make it honour Cache-Control: no-store", traits: map[visit.Host]string{
			visit.Cloudflare: "a Cache Rule with a TTL by status code keeps 429; leave /api out of the rule",
			visit.Nginx:      "proxy_cache_valid any keeps 429; name the statuses that may be kept",
			visit.Varnish:    "VCL that sets beresp.ttl regardless of beresp.status caches 429",
		}},
		DeadLink:    {say: "all addresses in the sitemap and llms.txt must return 200; deploy the whole build, and purge old pages"},
		Stale:       {say: "another build is served, or part of one: deploy this build, then purge what vitrine diff --purge lists"},
		Preview:     {say: "a build that was made with --base-url, or by a platform for a preview, was deployed here: deploy one that was built without"},
		NotIndexed:  {say: "take X-Robots-Tag away where the host or a proxy adds it: with noindex the site leaves search engines"},
		Unreachable: {say: "the response to the request could not be read; try again, or use a longer --timeout"},
		Locked: {say: "the site requires a password: remove it, or verify the address that visitors use; search engines and agents cannot get in", traits: map[visit.Host]string{
			visit.Netlify:    "password protection, or protection of previews, is switched on for the site",
			visit.Cloudflare: "an Access policy is in front of the site",
		}},
		Barred: {say: "something on the way blocks the request: a firewall, a challenge for robots, or a list of countries; let the site's readers through, including programs", traits: map[visit.Host]string{
			visit.Cloudflare: "Bot Fight Mode, a WAF rule or a challenge answers in the site's place",
		}},
		Loop: {say: "the address redirects to itself, a loop: usually TLS is terminated twice, and the second server receives http and redirects back to https", traits: map[visit.Host]string{
			visit.Cloudflare: "SSL mode Flexible sends http to the origin; use Full (strict)",
		}},
		PlainText: {say: "Markdown is served as plain text; its type is text/markdown; charset=utf-8, and the host's table of types has no .md", traits: map[visit.Host]string{
			visit.Nginx:   "mime.types knows no .md; print a configuration with vitrine config nginx",
			visit.Netlify: "static files have types by their ending; the edge function must answer",
		}},
		Cookie: {say: "something on the way sets a cookie; shared caches do not store such a response, and the site itself sets no cookies", traits: map[visit.Host]string{
			visit.Cloudflare: "Bot Management, a load balancer's session affinity or Waiting Room sets one; switch it off for the site",
			visit.Varnish:    "responses with Set-Cookie are not cached; unset beresp.http.Set-Cookie, and find out who sets it",
		}},
		Hidden: {say: "X-Robots-Tag: noindex keeps the page out of search engines; that is right for a preview and wrong for the site itself", traits: map[visit.Host]string{
			visit.Netlify: "deploys of branches and previews carry it; verify the production address",
		}},
		Slow:   {say: "answers take long: look where the time goes, between a cache that keeps nothing, a server that is far away, and one that has too little"},
		Broken: {say: "the server, or a proxy in front of it, has failed; its log has the reason"},
		Other:  {say: "the response differs from the expected one above; check for changes on the way"},
	}
}

// explain gives every failed check the hints for its symptoms, and the traits
// of the hosts that were recognised.
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
