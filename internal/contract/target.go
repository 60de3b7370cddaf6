package contract

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Capability is an ability of a target, or an option of a site, on which an exchange depends.
type Capability string

// The capabilities that exchanges may require.
const (
	// LiveCounters: the same instance responds to all requests, and the rate-limit fields count down by one with each
	// counted request.
	LiveCounters Capability = "live-counters"
	// Fresh: the runner can start an instance with an unused allowance for each file that needs one. A target has this
	// capability if it has a Fresh function.
	Fresh Capability = "fresh"
	// Gzip: the server can compress all text with gzip.
	Gzip Capability = "gzip"
	// Brotli: the server can compress shared files and the operation with br.
	Brotli Capability = "brotli"
	// BrotliPages: the server can also compress pages and other text with br.
	BrotliPages Capability = "brotli-pages"
	// Origin: no server in front of the target adds or removes header fields. For example, a CDN removes
	// CDN-Cache-Control.
	Origin Capability = "origin"
	// Raw: bytes sent on a new connection reach the server unchanged, even if they are not valid HTTP.
	Raw Capability = "raw"
	// Framing: the server validates the framing of requests itself, so its error responses are problems of the site.
	Framing Capability = "framing"
	// Retirement: the site has announced the retirement of the v1 contract.
	Retirement Capability = "retirement"
	// Sunset: the announced retirement has a removal date.
	Sunset Capability = "sunset"
	// NoindexMarkdown: the site excludes its Markdown from indexing.
	NoindexMarkdown Capability = "noindex-markdown"
	// ContentSignal: the site sets content signals.
	ContentSignal Capability = "content-signal"
	// ReprDigest: the site sends the SHA-256 digests of its representations.
	ReprDigest Capability = "repr-digest"
	// Agents: the site sends Markdown to known AI agents.
	Agents Capability = "agents"
	// ContentUsage: the site has stated AIPREF preferences.
	ContentUsage Capability = "content-usage"
	// License: the site publishes a machine-readable license.
	License Capability = "license"
	// SecurityContact: the site has a contact for security reports.
	SecurityContact Capability = "security-contact"
)

// Capabilities returns every capability that an exchange may name.
func Capabilities() []Capability {
	return []Capability{
		LiveCounters, Fresh, Gzip, Brotli, BrotliPages, Origin, Raw, Framing, Retirement, Sunset,
		NoindexMarkdown, ContentSignal, ReprDigest, Agents, ContentUsage, License, SecurityContact,
	}
}

// Choices returns the capabilities that depend on a site's options, regardless of the server.
func Choices() []Capability {
	return []Capability{Retirement, Sunset, NoindexMarkdown, ContentSignal, ReprDigest, Agents, ContentUsage, License, SecurityContact}
}

// OriginServer returns vitrined's capabilities for any site: all capabilities that don't depend on the site's options,
// on its build, or on Target.Fresh.
func OriginServer() []Capability {
	return []Capability{LiveCounters, Gzip, Brotli, Origin, Raw, Framing}
}

// siteValues returns the names of the values that a target may provide. The values {BASE}, {HOST}, and {MOUNT} come
// from the target's URLs instead. {MOUNT} is "" for a site at the root.
func siteValues() []string {
	return []string{"LIMIT", "WINDOW", "PAGEVARY", "PAGE", "ARTICLE", "STYLESHEET", "ALIAS", "ALIASED", "DRAFT", "UNLISTED", "LANGUAGE", "TRANSLATED", "ORIGINAL"}
}

// Target describes the server and the site against which exchanges are played.
type Target struct {
	// URL is the address to which requests are sent: scheme, host, and the site's base path if it isn't the root, such
	// as "http://127.0.0.1:8080/acorn". It may be empty if Fresh is set.
	URL string
	// Base is the base URL in the site's absolute links, such as "https://parley.example". If it is
	// empty, it is learned from /sitemap.xml.
	Base string
	// Can lists the capabilities of the target.
	Can []Capability
	// Values contains the values of the site, keyed by name; see the package comment. If PAGE, ARTICLE, STYLESHEET, or
	// the language values are missing, they are learned from /sitemap.xml and the home page. LIMIT, WINDOW, and
	// PAGEVARY default to the values of a site that doesn't set them.
	Values map[string]string
	// Fresh starts an instance with an unused allowance and returns its URL. Fresh may stop the previous instance. The
	// runner calls Fresh for files that need an unused allowance, and for other files if too little of the previous
	// instance's allowance is left. If Fresh is nil, the runner always uses URL and waits for the window to end.
	Fresh func() (url string, err error)
	// Transport sends all requests except raw ones. If it is nil, the runner uses its own transport. Transport must
	// neither follow redirects nor decompress bodies.
	Transport http.RoundTripper
	// Timeout is the maximum time for the response to a raw request. If it is 0, the maximum is 30 seconds.
	Timeout time.Duration
	// Sleep waits for the allowance's window to end. If it is nil, the runner waits in real time.
	Sleep func(context.Context, time.Duration) error
}

// can reports whether the target has the capability.
func (t *Target) can(c Capability) bool {
	if c == Fresh {
		return t.Fresh != nil
	}
	return slices.Contains(t.Can, c)
}

// lacks returns the reason why an exchange with these needs is not applicable to the target, or "" if it is applicable.
func (t *Target) lacks(needs []Need, v *values) string {
	for _, n := range needs {
		switch {
		case n.Value != "":
			if v.one[n.Value] == "" {
				return "the site has no {" + n.Value + "}"
			}
		case t.can(n.Capability) == n.Not:
			return "needs " + n.String()
		}
	}
	return ""
}

// check returns an error if the target is invalid.
func (t *Target) check() error {
	if t.URL == "" && t.Fresh == nil {
		return fmt.Errorf("the target has neither a URL nor a Fresh function; set one of them")
	}
	for name := range t.Values {
		if !slices.Contains(siteValues(), name) {
			return fmt.Errorf("unknown value %s; want one of %v", name, siteValues())
		}
	}
	for _, c := range t.Can {
		if !slices.Contains(Capabilities(), c) {
			return fmt.Errorf("unknown capability %q; want one of %v", c, Capabilities())
		}
	}
	return nil
}
