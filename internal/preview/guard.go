package preview

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard keeps other sites open in the same browser from reading the preview, including drafts.
type guard struct {
	// name is the host in the configured listening address, or "" if the address contains no host.
	name string
}

func newGuard(addr string) guard {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return guard{}
	}
	return guard{name: strings.ToLower(host)}
}

// rejects returns the reason for rejecting r, or "" if r is accepted.
//
// A request's host is the name that the browser used. Another site can make its own name resolve to this machine (DNS
// rebinding), but that name is neither localhost nor an IP address.
func (g guard) rejects(r *http.Request) string {
	if !g.knows(r.Host) {
		return fmt.Sprintf("the preview does not serve the host %q; use localhost or an IP address, or set the host with --addr", r.Host)
	}
	if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
		return "other sites cannot read the preview"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return ""
	}
	// Another site may link to the preview, but must not embed its pages (Fetch Metadata,
	// https://www.w3.org/TR/fetch-metadata/).
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return ""
	}
	return "other sites cannot read the preview"
}

// knows reports whether host, a Host field, contains a name that other sites can't use for this server: localhost or a
// name under it, an IP address, or the host of the configured address.
func (g guard) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || name != "" && name == g.name
}

// sameOrigin reports whether origin, an Origin field, consists of the scheme http and the requested host.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && strings.EqualFold(u.Host, host)
}
