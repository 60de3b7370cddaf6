//go:build proof

package config_test

import (
	"flag"
	"os"
	"testing"

	edgehosts "vitrine/internal/edge/hosts"
	"vitrine/internal/lab/broken"
	"vitrine/internal/lab/rig"
)

var faultShare = flag.Int("fault-share", 8, "plant one of every `n` faults on each server and site; 1 plants all faults")

// startVitrined starts vitrined with flags, without a server in front of it.
func startVitrined(scheme string, flags ...string) func(*testing.T, *backend) deployment {
	return func(t *testing.T, b *backend) deployment {
		b.flags = flags
		b.fresh(t)
		return deployment{url: scheme + "://" + b.address}
	}
}

// verified returns every target of verify on this machine, keyed by name: vitrined with each engine and over TLS, and
// every host. Netlify's and Cloudflare's runtimes are in edge/runtimes.
func verified(t *testing.T) (targets map[string]host, names []string) {
	t.Helper()
	cert, key := certificate(t)
	// Go reads SSL_CERT_FILE at the first connection that doesn't set its own trusted certificates.
	if err := os.Setenv("SSL_CERT_FILE", cert); err != nil {
		t.Fatal(err)
	}
	vitrined := edgehosts.ByName("vitrined")
	targets = map[string]host{
		"vitrined, fast":        {vitrined, startVitrined("http", "-engine", "fast")},
		"vitrined, net/http":    {vitrined, startVitrined("http", "-engine", "net/http")},
		"vitrined, HTTP/2, TLS": {vitrined, startVitrined("https", "-tls-cert", cert, "-tls-key", key)},
	}
	names = []string{"vitrined, fast", "vitrined, net/http", "vitrined, HTTP/2, TLS"}
	for _, h := range hosts(t) {
		targets[h.Name] = h
		names = append(names, h.Name)
	}
	return targets, names
}

// verify finds no problems with any kind of site on any target in its documented setup, in quick and in thorough runs,
// with and without the host's name. It finds every fault planted in front of the target.
func TestVerifyEverywhere(t *testing.T) {
	targets, names := verified(t)
	planted := make(chan []string, len(names)*len(broken.Kinds()))
	t.Run("sites", func(t *testing.T) {
		for j, kind := range broken.Kinds() {
			dir := sample
			if kind.Name != "plain" {
				root := openDir(t)
				kind.Sources(t, root, "")
				dir = buildSite(t, root)
			}
			for i, name := range names {
				h := targets[name]
				if kind.Agents() && h.Name == "caddy-files" {
					continue // vitrine config rejects it: TestAgentsUnsupported
				}
				t.Run(name+"/"+kind.Name, func(t *testing.T) {
					t.Parallel()
					s := siteOn(t, h, kind, dir)
					s.FalseAlarms(t)
					planted <- s.Faults(t, i+3*j, *faultShare)
				})
			}
		}
	})
	close(planted)
	runs, different := 0, make(map[string]bool)
	for names := range planted {
		runs += len(names)
		for _, name := range names {
			different[name] = true
		}
	}
	t.Logf("%d targets, %d kinds of site: %d faults planted, of %d kinds", len(names), len(broken.Kinds()), runs, len(different))
}

// siteOn serves a site on a host.
func siteOn(t *testing.T, h host, kind broken.Kind, dir string) broken.Site {
	t.Helper()
	b := &backend{address: freePort(t), dir: dir}
	s := broken.Site{Kind: kind, Host: h.Host, Build: rig.Open(t, dir)}
	if !h.files() {
		s.Renew = func() { b.fresh(t) }
		if h.Name != "vitrined" {
			b.fresh(t)
		}
	}
	s.URL = h.start(t, b).url + kind.Mount
	// verify can't distinguish these hosts from vitrined: Varnish removes the fields that identify it, and proxies add
	// none.
	if h.Name == "varnish" || h.keepsNothing() {
		s.Names = []string{"vitrined"}
	}
	return s
}
