package visit

import (
	"net/http"
	"slices"
	"strings"
)

// Host is a hosting service or a program that stands before a site.
type Host string

// The hosts whose traits are known.
const (
	Netlify    Host = "Netlify"
	Cloudflare Host = "Cloudflare"
	Nginx      Host = "nginx"
	Caddy      Host = "Caddy"
	Varnish    Host = "Varnish"
)

// marks are what an answer is recognised by: a field that only the host sends,
// or a word in a field that several send.
func marks() []struct {
	host        Host
	field, word string
} {
	return []struct {
		host        Host
		field, word string
	}{
		{Netlify, "X-Nf-Request-Id", ""},
		{Netlify, "Server", "netlify"},
		{Cloudflare, "Cf-Ray", ""},
		{Cloudflare, "Server", "cloudflare"},
		{Nginx, "Server", "nginx"},
		{Caddy, "Server", "caddy"},
		{Caddy, "Via", "caddy"},
		{Varnish, "X-Varnish", ""},
		{Varnish, "Via", "varnish"},
	}
}

// recognise notes the hosts that an answer bears the marks of.
func (v *Visitor) recognise(h http.Header) {
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
