package visit

import (
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/edge/platform"
)

// Host is the name of a hosting service or of a program in front of a site. A platform's name is its title in
// internal/edge/platform.
type Host string

// The hosts whose traits are known.
const (
	Netlify    Host = "Netlify"
	Cloudflare Host = "Cloudflare"
	Nginx      Host = "nginx"
	Caddy      Host = "Caddy"
	Varnish    Host = "Varnish"
)

// mark identifies a host by a header field that only this host sends, or by a word in a field that several hosts send.
type mark struct {
	host        Host
	field, word string
}

// marks returns the header fields that identify hosts.
func marks() []mark {
	var all []mark
	for _, p := range platform.All() {
		for _, m := range p.Marks {
			all = append(all, mark{Host(p.Title), m.Field, m.Word})
		}
	}
	return append(all,
		mark{Nginx, "Server", "nginx"},
		mark{Caddy, "Server", "caddy"},
		mark{Caddy, "Via", "caddy"},
		mark{Varnish, "X-Varnish", ""},
		mark{Varnish, "Via", "varnish"},
	)
}

// recognize records the hosts identified by a response's header fields.
func (v *Visitor) recognize(h http.Header) {
	for _, m := range marks() {
		value := strings.ToLower(strings.Join(h.Values(m.field), ", "))
		if value == "" || !strings.Contains(value, m.word) {
			continue
		}
		v.mu.Lock()
		if !slices.Contains(v.hosts, m.host) {
			v.hosts = append(v.hosts, m.host)
		}
		v.mu.Unlock()
	}
}
