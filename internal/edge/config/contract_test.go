package config_test

import (
	"testing"

	"vitrine/internal/contract"
)

// capabilities are what a host can do, by the contract's own names.
func (h host) capabilities() []contract.Capability {
	site := []contract.Capability{contract.ContentSignal, contract.SecurityContact}
	if h.files {
		return append(site, contract.Gzip, contract.Brotli, contract.Origin, contract.Raw)
	}
	for _, c := range contract.OriginServer() {
		// What stands before vitrined refuses in its own words.
		if c != contract.Framing {
			site = append(site, c)
		}
	}
	return site
}

// Each host keeps the wire contract but for what it declares; what the suite
// finds is what the published table says.
func TestContract(t *testing.T) {
	var found []*outcome
	for _, h := range hosts(t) {
		t.Run(h.name, func(t *testing.T) {
			b := &backend{address: freePort(t)}
			if !h.files {
				b.fresh(t)
			}
			url := h.start(t, b).url
			o := judge(h, play(t, h, b, url))
			for _, err := range o.undeclared {
				t.Error(err)
			}
			o.Behaviours[mixes] = h.proveVariants(t, url)
			o.Behaviours[replays] = h.proveCounters(t, b, url)
			o.Behaviours[purges] = h.provePurge(t)
			found = append(found, o)
			t.Logf("%s: %d exact, %d declared, %d failed, %d not applicable",
				h.name, o.exact, o.declared, len(o.undeclared), o.unasked)
		})
	}
	// Where one host alone was asked for, there is no table to compare.
	if len(found) == len(hosts(t)) && !t.Failed() {
		checkTable(t, found)
	}
}

// play plays the contract against a host.
func play(t *testing.T, h host, b *backend, url string) *contract.Report {
	t.Helper()
	target := contract.Target{
		URL: url, Base: "https://parley.example", Can: h.capabilities(),
		Values: map[string]string{
			"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
			"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
		},
	}
	if !h.files {
		// The host stays, with what it has cached; the instance behind it is new.
		target.Fresh = func() (string, error) { b.fresh(t); return url, nil }
	}
	report, err := contract.Play(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
