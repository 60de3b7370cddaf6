//go:build edges

package runtimes

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/lab/rig"
)

// wrangler is a command of Cloudflare's tool about the build's configuration.
func wrangler(t *testing.T, dir string, arguments ...string) *exec.Cmd {
	t.Helper()
	script := tool(t, "node_modules/wrangler/bin/wrangler.js")
	cmd := exec.Command(rig.Node(t), append([]string{script}, arguments...)...)
	cmd.Dir = filepath.Join(dir, "build", "cloudflare")
	cmd.Env = offline(t)
	return cmd
}

// What the build writes can be deployed, and keeps the contract in workerd.
func TestCloudflare(t *testing.T) {
	dir := project(t)
	text := mustRun(t, wrangler(t, dir, "deploy", "--dry-run", "--outdir", t.TempDir()))
	for _, want := range []string{"env.ASSETS", "--dry-run: exiting now."} {
		if !strings.Contains(text, want) {
			t.Fatalf("wrangler deploy --dry-run does not say %q:\n%s", want, text)
		}
	}
	ready := regexp.MustCompile(`Ready on (http://[0-9.:]+)`)
	play(t, "cloudflare, wrangler dev on workerd", []contract.Capability{contract.LiveCounters, contract.Origin, contract.Raw}, cloudflareTraits(), func() *started {
		return start(t, wrangler(t, dir, "dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0",
			"--show-interactive-dev-session=false", "--persist-to", t.TempDir()), ready)
	})
}

// cloudflareTraits are those of workerd, and of wrangler dev in front of it.
func cloudflareTraits() []trait {
	const (
		method = "workerd answers a method that it does not know with 501 itself"
		empty  = "workerd passes an empty If-Match on as none"
		solved = "Fetch resolves dot segments and turns backslashes into slashes before a Worker sees a target"
		length = "wrangler dev passes HTML through a rewriter, which leaves its length open; a deployed Worker has none in front"
	)
	return []trait{
		{"methods.txt", "BREW .*", ".*", method},
		{"protocol.txt", "get /api/v1/marketing HTTP/1.1", ".*", method},
		{"conditional.txt", `GET \S+ HTTP/1.1`, "answers 412|header Content-Type = application/problem\\+json", empty},
		{"protocol.txt", `GET (/\S*\.\S*/\S*|/blog/%2e%2e\S*|/\.\S*|/api\\\S+) HTTP/1.1`, "answers 404|header Content-Type = application/problem\\+json", solved},
		{"methods.txt", `GET /\S*`, `header Content-Length = \{LENGTH\}`, length},
	}
}
