//go:build proof

package config_test

import (
	"net/http"
	"strings"
	"testing"

	edgehosts "vitrine/internal/edge/hosts"
	"vitrine/internal/lab/differential"
	"vitrine/internal/lab/rig"
)

// Servers and caches identify known agents as vitrined does, for random requests. A cache stores one copy of each
// representation, regardless of the clients' names.
func TestAgentsOnEveryHost(t *testing.T) {
	for _, h := range []host{
		{edgehosts.ByName("nginx-files"), startNginx(true)}, {edgehosts.ByName("nginx"), startNginx(false)}, {edgehosts.ByName("varnish"), startVarnish},
	} {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t), dir: agentsSite(t)}
			allowance := "1000000000/86400s"
			if h.files() {
				allowance = "0"
			}
			b.running = start(t, b.address, programs.Vitrined, "-dir", b.dir, "-addr", b.address, "-allowance", allowance)
			url := h.start(t, b).url
			c := differential.Comparison{
				Host: h.Host, Vitrined: b.address, Other: strings.TrimPrefix(url, "http://"),
				Manifest: rig.Open(t, b.dir).Manifest, Seed: *seed, Questions: 2 * *questions,
			}
			report, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range report.Groups {
				t.Error(g)
			}
			expect := func(userAgent, accept, want string) {
				t.Helper()
				resp, _ := ask(t, "GET", url+"/", "User-Agent", userAgent, "Accept", accept)
				if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || !strings.HasPrefix(got, want) {
					t.Errorf("%s with Accept: %s returned %s in %s, want %s", userAgent, accept, resp.Status, got, want)
				}
				if got := strings.ReplaceAll(resp.Header.Get("Vary"), ", ", ","); got != "Accept,Accept-Encoding,User-Agent" {
					t.Errorf("%s with Accept: %s is told Vary: %s", userAgent, accept, got)
				}
			}
			expect("GPTBot/1.3", "*/*", "text/markdown")
			expect("Mozilla/5.0", "*/*", "text/html")
			if h.caches() {
				b.running.stop() // every client gets the cached copy
			}
			expect("Mozilla/5.0 (compatible; ClaudeBot/1.0)", "*/*", "text/markdown")
			expect("Claude-User/1.0", "application/json;q=0.5, */*;q=0.1", "text/markdown")
			expect("Mozilla/5.0 (compatible; Googlebot/2.1) GPTBot", "*/*", "text/html")
			expect("GPTBot/1.3", "text/html, */*", "text/html")
			expect("curl/8", "text/markdown", "text/markdown")
		})
	}
}
