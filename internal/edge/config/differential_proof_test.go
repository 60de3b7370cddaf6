//go:build proof

package config_test

import (
	"flag"
	"strings"
	"testing"

	"vitrine/internal/lab/differential"
	"vitrine/internal/lab/rig"
)

var (
	questions = flag.Int("questions", 300, "how many `questions` to ask each host beside vitrined")
	seed      = flag.Uint64("seed", 20_261_122, "the `seed` that they are made of")
)

// Each host responds to random requests as vitrined does, except for declared differences. `make edges-differential`
// sends many more.
func TestDifferential(t *testing.T) {
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			allowance := "1000000000/86400s"
			if h.files() {
				allowance = "0"
			}
			b := &backend{address: freePort(t)}
			start(t, b.address, programs.Vitrined, "-dir", b.build(), "-addr", b.address, "-allowance", allowance)
			c := differential.Comparison{
				Host: h.Host, Vitrined: b.address, Other: strings.TrimPrefix(h.start(t, b).url, "http://"),
				Manifest: rig.Open(t, sample).Manifest, Seed: *seed, Questions: *questions,
			}
			report, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range report.Groups {
				t.Error(g)
			}
			t.Logf("%s: %d questions, %d answered otherwise as declared, %d groups undeclared", h.Name, report.Asked, report.Differed, len(report.Groups))
		})
	}
}
