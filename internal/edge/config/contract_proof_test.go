//go:build proof

package config_test

import (
	"testing"

	"vitrine/internal/contract"
)

// Each host satisfies the wire contract except for its declared differences, and the suite's
// results equal the published table.
func TestContractOnEveryHost(t *testing.T) {
	var found []*outcome
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t)}
			if !h.files() {
				b.fresh(t)
			}
			url := h.start(t, b).url
			o := judge(h.Host, play(t, h, b, url))
			for _, err := range o.undeclared {
				t.Error(err)
			}
			o.Behaviors[mixes] = h.proveVariants(t, url)
			o.Behaviors[replays] = h.proveCounters(t, b, url)
			o.Behaviors[purges] = h.provePurge(t)
			found = append(found, o)
			t.Logf("%s: %d exact, %d declared, %d failed, %d not applicable",
				h.Name, o.exact, o.declared, len(o.undeclared), o.unasked)
		})
	}
	// If only one host was selected, there is no table to compare.
	if len(found) == len(hosts(t)) && !t.Failed() {
		checkTable(t, found)
	}
}

// play plays the contract against a host.
func play(t *testing.T, h host, b *backend, url string) *contract.Report {
	t.Helper()
	target := contract.Target{
		URL: url, Base: "https://parley.example", Can: append([]contract.Capability{contract.ContentSignal, contract.SecurityContact, contract.BrotliPages}, h.Can...),
		Values: map[string]string{
			"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
			"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
		},
	}
	if !h.files() {
		// The host keeps running with its cache; only the vitrined behind it is new.
		target.Fresh = func() (string, error) { b.fresh(t); return url, nil }
	}
	report, err := contract.Play(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
