package config_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// Wrong usage exits with code 2, and an impossible configuration exits with code 1. Each message names a solution.
func TestConfigErrors(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{nil, 2, "vitrine config needs one of nginx, caddy, varnish, systemd, docker, dockerignore, r2, apache, h2o, kubernetes, fly, cloudfront, fastly"},
		{[]string{"iis"}, 2, `unknown target "iis"`},
		{[]string{"--name", "shop", "iis"}, 2, `unknown target "iis"`},
		{[]string{"nginx", "caddy"}, 2, "vitrine config needs one of"},
		{[]string{"nginx", "--build", "no-such-folder"}, 1, "run vitrine build first"},
		{[]string{"varnish", "--build", sample, "--upstream", "here"}, 1, "is not a host and a port"},
		{[]string{"varnish", "--build", sample, "--upstream", "a;b:1"}, 1, "is not a host and a port"},
		{[]string{"systemd", "--tls-cert", "/a.pem"}, 1, "must be used together"},
		{[]string{"systemd", "--redirect-addr", ":80"}, 1, "needs HTTPS"},
		{[]string{"systemd", "--acme-domain", "a b"}, 1, "is not allowed in a systemd unit"},
		{[]string{"docker", "--release", "../x"}, 1, "is not a Vitrine version"},
		{[]string{"docker", "--image", "a b"}, 1, "is not an image"},
		{[]string{"systemd", "--program", "vitrined"}, 1, "use an absolute path"},
		{[]string{"nginx", "--build", sample, "--cache", "a b"}, 1, "use an absolute path"},
		{[]string{"nginx", "--build", sample, "--files", openDir(t) + "/a b"}, 1, "without spaces"},
	} {
		out, err := exec.Command(programs.Vitrine, append([]string{"config"}, test.arguments...)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != test.code || !strings.Contains(string(out), test.says) {
			t.Errorf("vitrine config %s: %v, want exit code %d and %q in:\n%s", strings.Join(test.arguments, " "), err, test.code, test.says, out)
		}
	}
}

// Identical builds have configurations with identical bytes.
func TestConfigIsReproducible(t *testing.T) {
	files := openDir(t)
	for _, arguments := range [][]string{
		{"nginx", "--build", sample, "--files", files}, {"caddy", "--build", sample, "--files", files},
		{"nginx", "--build", sample}, {"caddy", "--build", sample}, {"varnish", "--build", sample}, {"systemd"}, {"docker"},
	} {
		first, second := config(t, arguments...), config(t, arguments...)
		if first != second {
			t.Errorf("vitrine config %s prints something else the second time", strings.Join(arguments, " "))
		}
	}
}

// The folder keeps the representations of this build and the previous one, which workers may still serve, and removes
// older ones.
func TestFilesOfOlderBuildsAreCleared(t *testing.T) {
	root, dir := copySite(t), openDir(t)
	page := filepath.Join(root, "content/pricing.md")
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("ours"), 0o644); err != nil {
		t.Fatal(err)
	}
	var pages []string
	for range 3 {
		site := buildSite(t, root)
		config(t, "nginx", "--build", site, "--files", dir)
		config(t, "nginx", "--build", site, "--files", dir) // a second run changes nothing
		m := rig.Open(t, site).Manifest
		route, _ := m.Lookup("/pricing")
		body, _ := m.BodyIn(route.Variant(0), artifact.Identity)
		pages = append(pages, strings.Trim(artifact.ETag(m.Body(body).Hash, artifact.Identity), `"`))
		edit(t, page)
	}
	for i, name := range append(pages, "notes.txt") {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (i > 0) {
			t.Errorf("%s, of build %d: %v", name, i, err)
		}
	}
}

// A proxy needs no build, because the machine that prints its configuration may not have one.
func TestCaddyProxyWithoutBuild(t *testing.T) {
	out := config(t, "caddy", "--build", filepath.Join(t.TempDir(), "none"), "--upstream", "127.0.0.1:7000")
	if !strings.Contains(out, "reverse_proxy 127.0.0.1:7000 {") {
		t.Errorf("the proxy is missing:\n%s", out)
	}
}
