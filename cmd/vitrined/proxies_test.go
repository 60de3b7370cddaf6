package main

import (
	"net/netip"
	"strings"
	"testing"

	"vitrine/internal/serve/decide"
)

// The client is the peer unless trusted proxies report another address. A client can't forge its address.
func TestClientAddress(t *testing.T) {
	var trusted proxies
	for _, value := range []string{"10.0.0.0/8, 2001:db8::/32", "127.0.0.1"} {
		if err := trusted.Set(value); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ why, peer, forwardedFor, forwarded, want string }{
		{"no proxy", "192.0.2.1:1", "", "", "192.0.2.1"},
		{"an untrusted peer", "192.0.2.1:1", "198.51.100.1", "for=198.51.100.2", "192.0.2.1"},
		{"a proxy", "10.1.1.1:1", "198.51.100.1", "", "198.51.100.1"},
		{"a proxy on IPv4 in IPv6", "[::ffff:10.1.1.1]:1", "198.51.100.1", "", "198.51.100.1"},
		{"a proxy without a field", "10.1.1.1:1", "", "", "10.1.1.1"},
		{"an invented address first", "10.1.1.1:1", "1.1.1.1, 198.51.100.1", "", "198.51.100.1"},
		{"a chain of proxies", "10.1.1.1:1", "1.1.1.1,198.51.100.1,10.2.2.2 , 127.0.0.1", "", "198.51.100.1"},
		{"only proxies", "10.1.1.1:1", "10.2.2.2", "", "10.2.2.2"},
		{"garbage", "10.1.1.1:1", "198.51.100.1, garbage", "", "10.1.1.1"},
		{"garbage after a proxy", "10.1.1.1:1", "198.51.100.1, unknown, 10.2.2.2", "", "10.2.2.2"},
		{"a port", "10.1.1.1:1", "198.51.100.1:4711", "", "198.51.100.1"},
		{"IPv6", "10.1.1.1:1", "2001:db9::1", "", "2001:db9::1"},
		{"IPv6 with a port", "10.1.1.1:1", "[2001:db9::1]:4711", "", "2001:db9::1"},
		{"Forwarded", "10.1.1.1:1", "", `for=1.1.1.1, For="[2001:db9::1]:4711";proto=https`, "2001:db9::1"},
		{"Forwarded without an address", "10.1.1.1:1", "", "for=198.51.100.1, for=_hidden", "10.1.1.1"},
		{"Forwarded without for", "10.1.1.1:1", "", "proto=https", "10.1.1.1"},
		{"both fields", "10.1.1.1:1", "198.51.100.1", "for=1.1.1.1", "198.51.100.1"},
	} {
		r := &decide.Request{Remote: netip.MustParseAddrPort(c.peer), ForwardedFor: c.forwardedFor, Forwarded: c.forwarded}
		if got := trusted.client(r).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
	if got := trusted.client(&decide.Request{ForwardedFor: "198.51.100.1"}); got.IsValid() {
		t.Errorf("a peer without an address is %s", got)
	}
}

func TestProxiesFlag(t *testing.T) {
	for value, want := range map[string]string{
		"10.1.2.3/8": "10.0.0.0/8", "::1": "::1/128", "10.0.0.1 10.0.0.2": "10.0.0.1/32,10.0.0.2/32",
		"proxy.example": "-", "10.0.0.0/33": "-", "fe80::1%eth0": "-",
	} {
		var p proxies
		err := p.Set(value)
		if err != nil && want == "-" && strings.Contains(err.Error(), "want networks such as") {
			continue
		}
		if err != nil || p.String() != want {
			t.Errorf("%s: %s, %v, want %s", value, p.String(), err, want)
		}
	}
}

// The log accepts request IDs up to a maximum length, and traces in the W3C Trace Context format.
func TestLoggedIDs(t *testing.T) {
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for sent, want := range map[string]string{
		trace: trace, "": "", trace[:54]: "", strings.ToUpper(trace): "", trace + "-x": "", "cc" + trace[2:] + "-x": "cc" + trace[2:],
		"ff" + trace[2:]: "", strings.Replace(trace, "b7ad6b7169203331", "0000000000000000", 1): "", trace[:2] + "x" + trace[3:]: "",
	} {
		if got := traceParent(&decide.Request{TraceParent: sent}); got != want {
			t.Errorf("traceparent %q: %q, want %q", sent, got, want)
		}
	}
	for sent, want := range map[string]string{"a-1": "a-1", strings.Repeat("x", 129): ""} {
		if got := requestID(&decide.Request{RequestID: sent}); got != want {
			t.Errorf("X-Request-ID %q: %q, want %q", sent, got, want)
		}
	}
}
