//go:build proof

package config_test

import (
	"strings"
	"testing"

	"vitrine/internal/lab/differential"
	"vitrine/internal/lab/rig"
)

// Regression test: if the site has a base path, file servers and Varnish treated addresses outside it, such as
// /acorn.md, as Markdown. Every response must equal vitrined's, including the name of the build.
func TestResponsesUnderPathOnEveryHost(t *testing.T) {
	dir := languagesBelow(t, "https://user.example/a/b")
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			b := &backend{address: freePort(t), dir: dir}
			b.fresh(t)
			c := differential.Comparison{
				Host: h.Host, Vitrined: b.address, Other: strings.TrimPrefix(h.start(t, b).url, "http://"),
				Manifest: rig.Open(t, dir).Manifest, Fixed: differential.UnderPath("/a/b"),
			}
			c.Questions = len(c.Fixed)
			report, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range report.Groups {
				t.Error(g)
			}
			t.Logf("%s: %d requests, %d with declared differences", h.Name, report.Asked, report.Differed)
		})
	}
}
