package preview

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard keeps other sites that are open in the same browser from reading the
// preview, drafts among it.
type guard struct {
	// name is the host that the preview was asked to listen on, where that is a
	// name; "" where it is not.
	name string
}

func newGuard(addr string) guard {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return guard{}
	}
	return guard{name: strings.ToLower(host)}
}

// refuses returns why a request is not answered, or "".
//
// The host's name in a request is what the browser thinks it talks to. Another
// site can let a name of its own lead here (DNS rebinding), but it can neither
// be called localhost nor by a number.
func (g guard) refuses(r *http.Request) string {
	if !g.knows(r.Host) {
		return fmt.Sprintf("the preview does not answer for the host %q; ask for it by localhost or by number, or name the host with --addr", r.Host)
	}
	if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
		return "another site may not read the preview"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return ""
	}
	// A link on another site may lead here, but nothing of this may be put into
	// a page there (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/).
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return ""
	}
	return "another site may not read the preview"
}

// knows reports whether a Host field names this server beyond doubt.
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

// sameOrigin reports whether an Origin field names the host that was asked.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && strings.EqualFold(u.Host, host)
}
