package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"vitrine/internal/serve/decide"
)

// proxies contains the networks whose proxies are trusted to report a client's address. It is the value of the flag
// --trusted-proxies, which may be repeated and each time lists one or more networks or addresses.
type proxies []netip.Prefix

// String returns the networks, separated by commas. With Set, it implements flag.Value.
func (p *proxies) String() string {
	var words []string
	for _, network := range *p {
		words = append(words, network.String())
	}
	return strings.Join(words, ",")
}

// Set adds the networks and addresses in value, separated by commas or spaces.
func (p *proxies) Set(value string) error {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(word)
		if err != nil {
			address, otherwise := netip.ParseAddr(word)
			if otherwise != nil || address.Zone() != "" {
				return fmt.Errorf("want networks such as 10.0.0.0/8,2001:db8::/32; found %q", word)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		*p = append(*p, network.Masked())
	}
	return nil
}

func (p proxies) trust(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// client returns the address of a request's client. If the peer isn't a trusted proxy, that is the peer's address.
// Otherwise, it is the rightmost address in X-Forwarded-For that isn't trusted, or the leftmost address if all are
// trusted. client reads Forwarded (RFC 7239) only if X-Forwarded-For is absent, because most proxies pass on the
// client's Forwarded unchanged. If an entry can't be parsed, client returns the address to its right, because a client
// may have invented everything to the left. The result is the zero Addr if the peer has no address.
func (p proxies) client(r *decide.Request) netip.Addr {
	if !r.Remote.IsValid() {
		return netip.Addr{}
	}
	client := r.Remote.Addr().Unmap().WithZone("")
	list, read := r.ForwardedFor, forwardedAddress
	if list == "" {
		list, read = r.Forwarded, forwardedElement
	}
	for list != "" && p.trust(client) {
		before, last := "", list
		if comma := strings.LastIndexByte(list, ','); comma >= 0 {
			before, last = list[:comma], list[comma+1:]
		}
		address, ok := read(strings.TrimSpace(last))
		if !ok {
			return client
		}
		client, list = address, before
	}
	return client
}

// forwardedElement returns the address in an element of Forwarded, such as for=192.0.2.1 or for="[2001:db8::1]:4711".
// It returns false if the element contains no address, as in for=unknown or for=_hidden.
func forwardedElement(element string) (netip.Addr, bool) {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(pair), "=")
		if found && strings.EqualFold(name, "for") {
			return forwardedAddress(strings.Trim(value, `"`))
		}
	}
	return netip.Addr{}, false
}

// forwardedAddress parses an IP address with or without brackets and a port. It returns false if the address is
// invalid.
func forwardedAddress(word string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
		return address.Unmap().WithZone(""), true
	}
	withPort, err := netip.ParseAddrPort(word)
	return withPort.Addr().Unmap().WithZone(""), err == nil
}
