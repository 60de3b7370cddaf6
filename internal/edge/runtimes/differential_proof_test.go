//go:build proof

package runtimes

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/differential"
	"vitrine/internal/lab/rig"
)

var (
	questions = flag.Int("questions", 300, "how many random `requests` to send to each platform and to vitrined")
	seed      = flag.Uint64("seed", 20_261_122, "the `seed` of the random requests")
)

func TestDifferentialNetlify(t *testing.T)    { compare(t, "netlify", deployNetlify(t)) }
func TestDifferentialCloudflare(t *testing.T) { compare(t, "cloudflare", deployCloudflare(t)) }

// compare sends the same random requests to a platform and to vitrined. The allowance is disabled on both, because 120
// requests would use it up.
func compare(t *testing.T, name string, deploy func(dir string) func() *started) {
	t.Helper()
	dir := project(t, rig.Root(t))
	for _, platform := range []string{"netlify", "cloudflare"} {
		table := filepath.Join(dir, "build", platform, "vitrine", "manifest.mjs")
		text, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		unlimited := strings.Replace(string(text), `"limit":120`, `"limit":0`, 1)
		if unlimited == string(text) {
			t.Fatal("the table has no allowance of 120")
		}
		if err := os.WriteFile(table, []byte(unlimited), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	manifest, other := rig.Open(t, filepath.Join(dir, "build")).Manifest, deploy(dir)().url
	checkAssets(t, other, manifest)
	report, err := (&differential.Comparison{
		Host: hosts.ByName(name), Vitrined: vitrined(t, filepath.Join(dir, "build")), Other: strings.TrimPrefix(other, "http://"),
		Manifest: manifest, Seed: *seed, Questions: *questions,
	}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range report.Groups {
		t.Error(g)
	}
	t.Logf("%s: %d questions, %d answered otherwise as declared, %d groups undeclared", name, report.Asked, report.Differed, len(report.Groups))
}

// checkAssets checks that a platform that serves hashed assets without the function sends every header field that the
// build specifies. For example, SVG files need their Content-Security-Policy.
func checkAssets(t *testing.T, url string, m *artifact.Manifest) {
	t.Helper()
	policies := 0
	for route := range m.Routes() {
		if !strings.HasPrefix(route.Path(), "/assets/") {
			continue
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+route.Path(), nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		for _, f := range m.Fields(route.Variant(0)) {
			if got := response.Header.Get(f.Name); got != f.Value {
				t.Errorf("GET %s has %s %q, want %q", route.Path(), f.Name, got, f.Value)
			}
			if f.Name == "Content-Security-Policy" {
				policies++
			}
		}
	}
	if policies == 0 {
		t.Error("no hashed asset has a policy")
	}
}
