// Package hosts lists the differences between each host's responses and the wire contract: behavior of the host's
// software that Vitrine's configuration can't change. The tests of every host, the pages
// docs/project/capabilities-*.md, and `vitrine verify --host` all read this table, so a documented difference never
// causes a failure, and an undocumented one always does.
package hosts

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/contract"
)

// Host is a way to serve a build, as docs/guides/operate.md and docs/guides/edges.md describe it.
type Host struct {
	// Name is the value of verify's --host, and Title is the name in the documentation.
	Name, Title string
	// Can lists the host's capabilities in terms of the contract, regardless of the site's settings.
	Can []contract.Capability
	// Differences lists the responses in which the host differs from the contract.
	Differences []*Difference
}

// Difference is a response of a host that differs from the contract.
type Difference struct {
	// Request is a regular expression that must match the start of a request: its method and target in the first line,
	// followed by its header fields. An empty Request matches all requests.
	Request string
	// Line is a regular expression for a failed check of an exchange, an arrow, and the actual value, such as "answers
	// 404 → 400".
	Line string
	// Why is a sentence that explains the difference to readers, without the name of the host.
	Why string
	// When is a noun phrase for the requests or responses that differ, such as "Files in `/assets/`", and Effect is the
	// consequence for a site's owner, or "" if browsers and crawlers don't notice the difference. The pages about the
	// platforms contain both.
	When, Effect string
	// Local reports whether only the local server of the tests differs, and not the platform itself.
	Local bool
	// Random reports whether only randomized tests find the difference, and not the contract's exchanges.
	Random bool

	compile       sync.Once
	request, line *regexp.Regexp
}

// fits reports whether this difference covers a differing line of a response to request.
func (d *Difference) fits(request, line string) bool {
	d.compile.Do(func() {
		d.request, d.line = regexp.MustCompile(`(?s)\A(?:`+d.Request+`)`), regexp.MustCompile(`(?s)\A(?:`+d.Line+`)\z`)
	})
	return d.request.MatchString(request) && d.line.MatchString(line)
}

// Declares returns the difference that covers line, a differing line of a response to request, or nil if there is none.
func (h *Host) Declares(request, line string) *Difference {
	first, rest, _ := strings.Cut(request, "\n")
	request = strings.TrimSuffix(first, " HTTP/1.1") + "\n" + rest
	i := slices.IndexFunc(h.Differences, func(d *Difference) bool { return d.fits(request, line) })
	if i < 0 {
		return nil
	}
	return h.Differences[i]
}

// Explains returns the difference that covers the failure f, or nil if there is none.
func (h *Host) Explains(f *contract.Failure) *Difference {
	return h.Declares(f.Sent, f.Check+" → "+f.Got)
}

// Codes reports whether the host sends the build's compressed representations.
func (h *Host) Codes() bool { return slices.Contains(h.Can, contract.Gzip) }

// Counts reports whether the host counts requests toward an allowance.
func (h *Host) Counts() bool { return slices.Contains(h.Can, contract.LiveCounters) }

// Digests reports whether the host sends the build's Repr-Digest if the site enables it. Other hosts can't: a file
// server doesn't know digests, and a platform that compresses responses itself may pass a function a different
// Accept-Encoding than the client's.
func (h *Host) Digests() bool { return h.Codes() && h.Counts() }

// ByName returns the host called name, or nil if there is none.
func ByName(name string) *Host {
	all := All()
	if i := slices.IndexFunc(all, func(h *Host) bool { return h.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}
