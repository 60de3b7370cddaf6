package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"vitrine/internal/serve/decide"
)

// proxies are the networks whose proxies are trusted to report a client's address. It is a flag that
// may be repeated, each with one or more networks.
type proxies []netip.Prefix

// String returns the networks, separated by commas. String and Set make proxies a flag.Value.
func (p *proxies) String() string {
	var words []string
	for _, network := range *p {
		words = append(words, network.String())
	}
	return strings.Join(words, ",")
}

// Set adds the networks of a value.
func (p *proxies) Set(value string) error {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(word)
		if err != nil {
			address, otherwise := netip.ParseAddr(word)
			if otherwise != nil || address.Zone() != "" {
				return fmt.Errorf("want networks such as 10.0.0.0/8,2001:db8::/32, found %q", word)
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

// client returns the address of a request's client. This is the peer's address, unless the peer is a
// trusted proxy. Then it is the last address in X-Forwarded-For that isn't a trusted proxy's.
// Forwarded (RFC 7239) applies only without X-Forwarded-For, because most proxies pass Forwarded on
// from the client unchanged. An unreadable entry ends the search, because a client may have invented
// everything before it. The result is the zero Addr if the peer has no address.
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

// forwardedElement returns the address in an element of Forwarded: for=192.0.2.1, or
// for="[2001:db8::1]:4711". Names such as unknown and _hidden have no address.
func forwardedElement(element string) (netip.Addr, bool) {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(pair), "=")
		if found && strings.EqualFold(name, "for") {
			return forwardedAddress(strings.Trim(value, `"`))
		}
	}
	return netip.Addr{}, false
}

// forwardedAddress returns an address with or without brackets and a port.
func forwardedAddress(word string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
		return address.Unmap().WithZone(""), true
	}
	withPort, err := netip.ParseAddrPort(word)
	return withPort.Addr().Unmap().WithZone(""), err == nil
}
