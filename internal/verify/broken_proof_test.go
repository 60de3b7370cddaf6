//go:build proof

package verify_test

import (
	"net/http"
	"slices"
	"testing"

	"vitrine/internal/verify"
)

// A thorough run finds everything that a quick run finds. It may have additional findings, because the test site is
// smaller than a real site.
func TestBrokenThoroughly(t *testing.T) {
	thorough := func(t *testing.T, between func(http.Handler) http.Handler) []string {
		options := deploy(t, publishSite(t, resources("words")), between).options()
		options.Thorough = true
		report, err := verify.Run(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		return symptoms(report)
	}
	whole, found, all := thorough(t, nil), 0, allFaults()
	for name, fault := range all {
		t.Run(name, func(t *testing.T) {
			for _, s := range thorough(t, fault.Between) {
				if !slices.Contains(whole, s) {
					found++
					return
				}
			}
			t.Error("nothing was found that a whole site does not show")
		})
	}
	t.Logf("%d of %d faults found by a thorough run", found, len(all))
}
