package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"vitrine/internal/lab/rig"
	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

// The function for CloudFront maps any Accept field to the correct one of two values, in the format in which CloudFront
// passes fields. If the site negotiates by User-Agent, that field matters too.
func TestCloudFrontFunction(t *testing.T) {
	for name, flags := range map[string][]string{"": nil, "agents": {"--build", agentsSite(t)}} {
		t.Run(name, func(t *testing.T) {
			testCloudFront(t, config(t, append([]string{"cloudfront"}, flags...)...), name == "agents")
		})
	}
}

func testCloudFront(t *testing.T, function string, agents bool) {
	type event struct {
		Request map[string]any `json:"request"`
	}
	var events []event
	var want []string
	r := rand.New(rand.NewPCG(9110, 7))
	for range 3000 {
		accept := acceptField(r)
		if r.IntN(3) == 0 {
			accept += ", " + acceptField(r) + `;level="a,b"`
		}
		uri := []string{"/pricing", "/pricing.md"}[r.IntN(2)]
		if agents && r.IntN(2) == 0 {
			accept = []string{"*/*", "text/*;q=0.5", "application/json"}[r.IntN(3)]
		}
		headers := map[string]any{"accept": map[string]any{"value": accept}}
		markdown := decide.PrefersMarkdown(accept)
		if strings.HasSuffix(uri, ".md") {
			markdown = !decide.PrefersHTML(accept)
		}
		if r.IntN(8) == 0 {
			headers, markdown = map[string]any{}, strings.HasSuffix(uri, ".md")
		}
		agent := []string{"GPTBot/1.0", "Mozilla/5.0 (compatible; CLAUDEBOT/1)", "Googlebot/2.1 GPTBot", "Mozilla/5.0", "GPTBots"}[r.IntN(5)]
		headers["user-agent"] = map[string]any{"value": agent}
		if _, sent := headers["accept"]; agents && !strings.HasSuffix(uri, ".md") && (!sent || decide.LeavesOpen(accept)) {
			family, _ := readers.NewIndex().Of(agent)
			markdown = family.AI()
		}
		events = append(events, event{map[string]any{"method": "GET", "uri": uri, "querystring": map[string]any{}, "headers": headers, "cookies": map[string]any{}}})
		want = append(want, map[bool]string{true: "text/markdown", false: "text/html"}[markdown])
	}
	input, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(rig.Node(t), "-e", function+`
process.stdin.setEncoding('utf8'); let s = ''; process.stdin.on('data', d => s += d).on('end', () =>
	console.log(JSON.stringify(JSON.parse(s).map(e => handler(e).headers.accept.value))))`)
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("the function: %v\n%s", err, out)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v becomes %s, want %s", events[i].Request, got[i], want[i])
		}
	}
	if n := len(function); n > 10<<10 {
		t.Errorf("the function has %d bytes, and CloudFront takes 10 KB", n)
	}
}

// The Kubernetes manifests contain everything for a rollout without an interruption, and lock down the container. `make
// manifests` validates them with Kubernetes' own types.
func TestKubernetesManifests(t *testing.T) {
	text := config(t, "kubernetes")
	for _, kind := range []string{"Deployment", "Service", "Ingress", "PodDisruptionBudget"} {
		if !strings.Contains(text, "kind: "+kind+"\n") {
			t.Errorf("there is no %s", kind)
		}
	}
	for _, want := range []string{"readOnlyRootFilesystem: true", "runAsNonRoot: true", "path: /healthz", "path: /readyz", "drop: [ALL]"} {
		if !strings.Contains(text, want) {
			t.Errorf("the manifests lack %s", want)
		}
	}
	if strings.Contains(text, "pull") || strings.Contains(text, "initContainers") {
		t.Error("without a bucket, the manifests have a container that pulls")
	}
}

// With a bucket, each pod pulls its first build before vitrined starts. A container next to vitrined pulls later
// builds.
func TestKubernetesPull(t *testing.T) {
	text := config(t, "kubernetes", "--bucket", "s3://bucket/prefix")
	first, rest, _ := strings.Cut(text, "      containers:\n")
	for _, want := range []string{"shareProcessNamespace: true", "initContainers:", `["/usr/bin/vitrine", "pull", "s3://bucket/prefix", "/site"]`} {
		if !strings.Contains(first, want) {
			t.Errorf("in front of the containers, %s is missing", want)
		}
	}
	for _, want := range []string{`["/usr/bin/vitrined"]`, `"-dir", "/site/build"`, `"/site", "--watch", "10s", "--reload"]`, "path: /readyz"} {
		if !strings.Contains(rest, want) {
			t.Errorf("among the containers, %s is missing", want)
		}
	}
	if n := strings.Count(text, "readOnlyRootFilesystem: true"); n != 3 {
		t.Errorf("%d of 3 containers have a read-only root", n)
	}
	if strings.Contains(text, "\n\n") {
		t.Error("the manifests have empty lines")
	}
	if out, err := exec.Command(programs.Vitrine, "config", "kubernetes", "--bucket", `s3://a/b"]`).CombinedOutput(); err == nil {
		t.Errorf("an address with a quote is accepted:\n%s", out)
	}
}

// The keys of fly.toml are in Fly's app configuration reference, with the right types, because Fly silently ignores a
// misspelled key. The app runs the image of `vitrine config docker`, with the image's port and signal, and a working
// health check.
func TestFlyConfig(t *testing.T) {
	var fly struct {
		App           string `toml:"app"`
		PrimaryRegion string `toml:"primary_region"`
		KillSignal    string `toml:"kill_signal"`
		KillTimeout   string `toml:"kill_timeout"`
		Build         struct {
			Dockerfile string `toml:"dockerfile"`
		} `toml:"build"`
		HTTPService struct {
			InternalPort       int    `toml:"internal_port"`
			ForceHTTPS         bool   `toml:"force_https"`
			AutoStopMachines   string `toml:"auto_stop_machines"`
			MinMachinesRunning int    `toml:"min_machines_running"`
			Concurrency        struct {
				Type      string `toml:"type"`
				SoftLimit int    `toml:"soft_limit"`
				HardLimit int    `toml:"hard_limit"`
			} `toml:"concurrency"`
			Checks []struct {
				Method      string        `toml:"method"`
				Path        string        `toml:"path"`
				Interval    time.Duration `toml:"interval"`
				Timeout     time.Duration `toml:"timeout"`
				GracePeriod time.Duration `toml:"grace_period"`
			} `toml:"checks"`
		} `toml:"http_service"`
		VM []struct {
			Memory  string `toml:"memory"`
			CPUs    int    `toml:"cpus"`
			CPUKind string `toml:"cpu_kind"`
		} `toml:"vm"`
	}
	read, err := toml.Decode(config(t, "fly"), &fly)
	if err != nil {
		t.Fatal(err)
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		t.Errorf("Fly has no keys %v", unknown)
	}
	image, service := config(t, "docker", "--release", "1.2.3"), fly.HTTPService
	if !strings.Contains(image, fmt.Sprintf("\nEXPOSE %d\n", service.InternalPort)) || !strings.Contains(image, "\nSTOPSIGNAL "+fly.KillSignal+"\n") {
		t.Errorf("the port %d and the signal %s are not the image's:\n%s", service.InternalPort, fly.KillSignal, image)
	}
	if len(service.Checks) != 1 || len(fly.VM) != 1 || service.Checks[0].Timeout >= service.Checks[0].Interval || service.Concurrency.SoftLimit >= service.Concurrency.HardLimit {
		t.Errorf("the service is %+v", service)
	}
	// The image serves its health check on the main address, where health checks don't count toward the allowance.
	if path := service.Checks[0].Path; path != "/readyz" || !strings.Contains(image, `"--health"`) {
		t.Errorf("the check asks %s, which the image does not serve:\n%s", path, image)
	}
}
