//go:build proof

package runtimes

import (
	"flag"
	"path/filepath"
	"testing"

	"vitrine/internal/edge/hosts"
	"vitrine/internal/edge/platform"
	"vitrine/internal/lab/broken"
	"vitrine/internal/lab/rig"
)

var faultShare = flag.Int("fault-share", 8, "plant one of every `n` faults on each platform and site; 1 plants all faults")

// highAllowance is an allowance that a thorough run doesn't use up, so that it never waits for the next window.
const highAllowance = "7000/60s"

// verify finds no problems with any kind of site on each platform, in quick and in thorough runs, with and without the
// platform's name. It finds every fault planted in front of the platform. Package edge/config has the same test for the
// servers.
func TestVerifyEverywhere(t *testing.T) {
	for j, kind := range broken.Kinds() {
		root := t.TempDir()
		kind.Sources(t, root, highAllowance)
		dir := project(t, root)
		for i, name := range []string{"netlify", "cloudflare"} {
			t.Run(name+"/"+kind.Name, func(t *testing.T) {
				t.Parallel()
				deploy := map[string]func(string) func() *started{"netlify": deployNetlify(t), "cloudflare": deployCloudflare(t)}[name]
				instance := deploy(dir)()
				defer instance.stop()
				p, _ := platform.ByName(name)
				s := broken.Site{
					Kind: kind, Host: hosts.ByName(name), URL: instance.url + kind.Mount,
					Build: rig.Open(t, filepath.Join(dir, "build")), Marks: p.Marks,
				}
				s.FalseAlarms(t)
				t.Logf("%d faults planted", len(s.Faults(t, i+10+3*j, *faultShare)))
			})
		}
	}
}
