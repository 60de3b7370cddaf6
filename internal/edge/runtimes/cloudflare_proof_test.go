//go:build proof

package runtimes

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/rig"
)

// wrangler returns a command of Cloudflare's tool for the build's configuration.
func wrangler(t *testing.T, dir string, arguments ...string) *exec.Cmd {
	t.Helper()
	script := tool(t, "node_modules/wrangler/bin/wrangler.js")
	cmd := exec.Command(rig.Node(t), append([]string{script}, arguments...)...)
	cmd.Dir = filepath.Join(dir, "build", "cloudflare")
	cmd.Env = offline(t)
	return cmd
}

// The build's output can be deployed, and satisfies the contract in workerd.
func TestCloudflare(t *testing.T) {
	play(t, "cloudflare, `wrangler dev` on workerd", hosts.ByName("cloudflare"), deployCloudflare(t))
}

func deployCloudflare(t *testing.T) func(dir string) func() *started {
	ready := regexp.MustCompile(`Ready on (http://[0-9.:]+)`)
	return func(dir string) func() *started {
		text := mustRun(t, wrangler(t, dir, "deploy", "--dry-run", "--outdir", t.TempDir()))
		for _, want := range []string{"env.ASSETS", "--dry-run: exiting now."} {
			if !strings.Contains(text, want) {
				t.Fatalf("wrangler deploy --dry-run does not say %q:\n%s", want, text)
			}
		}
		return func() *started {
			return start(t, wrangler(t, dir, "dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0",
				"--show-interactive-dev-session=false", "--persist-to", t.TempDir()), ready)
		}
	}
}
