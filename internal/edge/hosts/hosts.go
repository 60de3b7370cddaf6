// Package hosts says what each host of a build answers otherwise than the wire contract: what its program does by itself, and no
// configuration of ours can change. It is the one table that the tests of every host, the pages docs/capabilities-*.md and
// `vitrine verify --host` read, so that nothing that is documented fails, and nothing else passes.
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
	// Name is what --host of verify calls it, Title what the documentation does.
	Name, Title string
	// Can are the contract's capabilities that it has, choices of the site aside.
	Can []contract.Capability
	// Differences are what it answers otherwise.
	Differences []*Difference
}

// Difference is something that a host answers otherwise.
type Difference struct {
	// Request is an expression for the requests that show it, as text: a line of method and target, and the fields. Where it is empty, all do.
	Request string
	// Line is an expression for what differs, as a line of an exchange, an arrow, and what came: "answers 404 → 400".
	Line string
	// Why says so in a sentence for people, without the name of the host.
	Why string
	// Random says that no exchange of the contract shows it, only questions made at random.
	Random bool

	compile       sync.Once
	request, line *regexp.Regexp
}

// fits reports whether a line that differs, of a request, is this difference.
func (d *Difference) fits(request, line string) bool {
	d.compile.Do(func() {
		d.request, d.line = regexp.MustCompile(`(?s)\A(?:`+d.Request+`)`), regexp.MustCompile(`(?s)\A(?:`+d.Line+`)\z`)
	})
	return d.request.MatchString(request) && d.line.MatchString(line)
}

// Declares returns the difference that a line of a request is declared by, nil where there is none.
func (h *Host) Declares(request, line string) *Difference {
	first, rest, _ := strings.Cut(request, "\n")
	request = strings.TrimSuffix(first, " HTTP/1.1") + "\n" + rest
	i := slices.IndexFunc(h.Differences, func(d *Difference) bool { return d.fits(request, line) })
	if i < 0 {
		return nil
	}
	return h.Differences[i]
}

// Explains returns the difference that a failure of an exchange is declared by, nil where there is none.
func (h *Host) Explains(f *contract.Failure) *Difference {
	return h.Declares(f.Sent, f.Check+" → "+f.Got)
}

// Codes reports whether the host answers with the representations that the build coded.
func (h *Host) Codes() bool { return slices.Contains(h.Can, contract.Gzip) }

// Counts reports whether the host has an allowance.
func (h *Host) Counts() bool { return slices.Contains(h.Can, contract.LiveCounters) }

// Digests reports whether the host sends Repr-Digest with the bytes that the build has, where the site has chosen it: a server of
// files knows no digests, and a platform that compresses by itself may show a function another Accept-Encoding than the client's.
func (h *Host) Digests() bool { return h.Codes() && h.Counts() }

// ByName returns a host, nil where there is none of the name.
func ByName(name string) *Host {
	all := All()
	if i := slices.IndexFunc(all, func(h *Host) bool { return h.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}
