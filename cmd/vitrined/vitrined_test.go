package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// On SIGHUP, the server replaces its build with a complete new build. It rejects a build with any damage and continues
// to serve the old build.
func TestReload(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", "")
	buildSite(t, root, dir)
	s := vitrined.start(t, "--dir", dir)
	expect := func(title string) {
		t.Helper()
		if _, body := s.get(t, "/"); !strings.Contains(body, "<h1>"+title+"</h1>") {
			t.Errorf("the home page is not that of %q", title)
		}
	}
	hangup := func() {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	expect("One")

	writeSite(t, root, "Two", "")
	buildSite(t, root, dir)
	expect("One")
	hangup()
	s.wait(t, "reloaded the build")
	expect("Two")

	// Remove the previous build, which the server could serve instead.
	if err := os.RemoveAll(filepath.Join(dir, ".spare")); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"manifest":               func(d []byte) []byte { d[len(d)/2] ^= 1; return d },
		"public/blog/first.html": func(d []byte) []byte { return d[:len(d)-1] },
		"public/index.md":        func(d []byte) []byte { return append(d, '\n') },
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(bytes.Clone(good)), 0o666); err != nil {
			t.Fatal(err)
		}
		hangup()
		line := s.wait(t, "could not reload the build; still serving the previous one")
		if !strings.Contains(fmt.Sprint(line["error"]), filepath.Base(name)) {
			t.Errorf("%s was damaged; the log says %v", name, line["error"])
		}
		expect("Two")
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	hangup()
	s.wait(t, "reloaded the build")
}

// Bytes changed after the start are not sent, and the log contains the reason.
func TestChangedBytesAreNotSent(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	s := vitrined.start(t, "--dir", dir)
	if err := os.WriteFile(filepath.Join(dir, "public", "pricing.html"), []byte("<h1>Free!</h1>"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, body := s.get(t, "/pricing")
	if status != http.StatusInternalServerError || strings.Contains(body, "Free!") {
		t.Errorf("%d %s", status, body)
	}
	if line := s.wait(t, "a response failed"); !strings.Contains(fmt.Sprint(line["error"]), "pricing.html") {
		t.Errorf("the log says %v", line["error"])
	}
}

// After SIGTERM, an idle server logs its end and exits with 0.
func TestTermination(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	s := vitrined.start(t, "--dir", dir)
	if status, _ := s.get(t, "/"); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wait(t, "ended")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v, want 0", err)
	}
}

// Health, metrics, the build's name, and profiles are available only on the admin address, and describe the current
// build.
func TestAdmin(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			s := vitrined.start(t, "--dir", dir, "--admin", "127.0.0.1:0", "--admin-pprof", "--engine", engine)
			for _, path := range []string{"/healthz", "/readyz", "/metrics", "/build", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/heap"} {
				if status, body := s.get(t, path); status != http.StatusNotFound || strings.Contains(body, "goroutine") {
					t.Errorf("the public address answers %s with %d", path, status)
				}
			}
			s.get(t, "/api/v1/marketing")
			s.get(t, "/api?x")
			s.testAdmin(t)
		})
	}
}

// --health adds the health probes to the main address. Requests for them don't use up the allowance, and the exit code
// of --probe depends on their status.
func TestHealthOnMainAddress(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			s := vitrined.start(t, "--dir", dir, "--health", "--allowance", "2/1h", "--engine", engine)
			rig.Until(t, "the server is ready", func() bool { status, _ := s.get(t, "/readyz"); return status == http.StatusOK })
			for range 3 {
				if status, body := s.get(t, "/healthz"); status != http.StatusOK || body != "ok\n" {
					t.Errorf("health: %d %q", status, body)
				}
			}
			if status, _ := s.get(t, "/api"); status != http.StatusOK {
				t.Errorf("the operation responds with %d after probes", status)
			}
			for path, want := range map[string]bool{"/readyz": true, "/nothing": false} {
				if err := exec.CommandContext(t.Context(), string(vitrined), "--probe", s.url+path).Run(); (err == nil) != want {
					t.Errorf("--probe of %s: %v", path, err)
				}
			}
		})
	}
}

func (s *server) testAdmin(t *testing.T) {
	admin := &server{url: "http://" + s.admin}
	if status, body := admin.get(t, "/healthz"); status != http.StatusOK || !strings.HasPrefix(body, "ok ") {
		t.Errorf("health: %d %q", status, body)
	}
	ready := 0
	for deadline := time.Now().Add(time.Minute); ready != http.StatusOK && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ready, _ = admin.get(t, "/readyz") // the build is verified while it is served
	}
	if ready != http.StatusOK {
		t.Errorf("readiness: %d", ready)
	}
	_, text := admin.get(t, "/metrics")
	for _, want := range []string{
		`vitrine_build_info{build="`, `vitrine_program_info{version="`,
		`vitrine_requests_total{class="none",status="404",reason="not-found"} 7`,
		`vitrine_requests_total{class="operation",status="200",reason="ok"} 1`,
		`vitrine_reads_total{reader="other",representation="json"} 1`,
		`vitrine_requests_total{class="operation",status="400",reason="unsupported-query-parameters"} 1`,
		"vitrine_allowance_limit 120\n", "vitrine_allowance_window_seconds 60\n", "vitrine_allowance_remaining 118\n",
		`vitrine_reloads_total{result="ok"} 0`, `vitrine_reloads_total{result="refused"} 0`,
		"vitrine_connections 1\n", "vitrine_connections_limit ", "vitrine_connections_refused_total 0\n", "vitrine_connections_paced_total 0\n", "vitrine_connections_wasted_total 0\n",
		"vitrine_access_log_dropped_total 0\n", "vitrine_next_due_timestamp_seconds 0\n", "process_open_fds ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	var served struct {
		Build, Loaded string
		Program       struct{ Version, Go string }
	}
	_, report := admin.get(t, "/build")
	if err := json.Unmarshal([]byte(report), &served); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `vitrine_build_info{build="`+served.Build+`"}`) || served.Program.Go != runtime.Version() || served.Program.Version == "" {
		t.Errorf("the build is reported as %s", report)
	}
	if loaded, err := time.Parse(time.RFC3339Nano, served.Loaded); err != nil || loaded.After(time.Now()) {
		t.Errorf("loaded %s ago, %v", time.Since(loaded), err)
	}
	for path, want := range map[string]string{"/debug/pprof/": "goroutine", "/debug/pprof/cmdline": "vitrined", "/debug/pprof/heap?debug=1": "heap profile"} {
		if status, body := admin.get(t, path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
}

// The request log contains the reason for each response, in both formats and with each engine, and its last lines are
// written when the server ends.
func TestRequestLog(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			s := vitrined.start(t, "--dir", dir, "--access-log=combined", "--engine", engine, "--allowance", "2/60s")
			cases := []struct{ target, field, value, want string }{
				{"/", "Referer", "https://x.example/a", ` 200 \d+ "https://x\.example/a" "test" ok page html other \d+\.\d{6} "-" "-"$`},
				{"/pricing", "If-None-Match", "*", ` 304 - "-" "test" not-modified page html other \d+\.\d{6} "-" "-"$`},
				{"/pricing", "If-Match", `"x"`, ` 412 \d+ "-" "test" precondition-failed page html other \d+\.\d{6} "-" "-"$`},
				{"/pricing/?a=1", "X", "", ` 308 - "-" "test" redirect none page other \d+\.\d{6} "-" "-"$`},
				{"/nowhere", "X", "", ` 404 \d+ "-" "test" not-found none page other \d+\.\d{6} "-" "-"$`},
				{"/api?x=%22", "X", "", ` 400 \d+ "-" "test" unsupported-query-parameters operation json other \d+\.\d{6} "-" "-"$`},
				{"/api", "X", "", ` 200 \d+ "-" "test" ok operation json other \d+\.\d{6} "-" "-"$`},
				{"/api", "X", "", ` 429 \d+ "-" "test" allowance-exhausted operation json other \d+\.\d{6} "-" "-"$`},
				{"/", "User-Agent", "é\"", ` 200 \d+ "-" "\\xc3\\xa9\\"" ok page html other \d+\.\d{6} "-" "-"$`},
			}
			for _, c := range cases {
				s.ask(t, c.target, c.field, c.value)
			}
			for _, c := range cases {
				line := s.request(t)
				begin := regexp.MustCompile(`^127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "GET ` + regexp.QuoteMeta(c.target) + ` HTTP/1\.1"`)
				if !begin.MatchString(line) || !regexp.MustCompile(c.want).MatchString(line) {
					t.Errorf("logged %s\nwant …%s", line, c.want)
				}
			}
		})
		t.Run(engine+", JSON", func(t *testing.T) {
			s := vitrined.start(t, "--dir", dir, "--access-log", "--engine", engine)
			s.ask(t, "/nowhere?a", "Referer", "x")
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			var line map[string]any
			if err := json.Unmarshal([]byte(s.request(t)), &line); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]any{"target": "/nowhere?a", "status": 404.0, "reason": "not-found", "remote": "127.0.0.1", "referer": "x", "userAgent": "test"} {
				if line[name] != want {
					t.Errorf("%s: %v, want %v", name, line[name], want)
				}
			}
		})
	}
}

// ask sends a request with the given header field and doesn't follow redirects.
func (s *server) ask(t *testing.T, target, field, value string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("User-Agent", "test")
	request.Header.Set(field, value)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
}

// --version prints the module's version, the revision, and the Go release.
func TestVersion(t *testing.T) {
	vitrined := compiled(t)
	out, err := exec.CommandContext(t.Context(), string(vitrined), "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`^vitrined \S+, revision (unknown|[0-9a-f]{40}(\+dirty)?), ` + regexp.QuoteMeta(runtime.Version()) + `, ` + runtime.GOOS + `/` + runtime.GOARCH + `\n$`)
	if !want.Match(out) {
		t.Errorf("%q does not match %s", out, want)
	}
}

// The exit code is 2 for incorrect usage and 1 if there is no build. Both messages contain the solution.
func TestUsage(t *testing.T) {
	vitrined := compiled(t)
	for _, c := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{[]string{"--nonsense"}, 2, "unknown flag --nonsense"},
		{[]string{"extra"}, 2, `unexpected argument "extra"; vitrined takes no arguments`},
		{[]string{"--allowance", "many"}, 2, "120/60s"},
		{[]string{"--engine", "steam"}, 2, "want fast or net/http"},
		{[]string{"--access-log=xml"}, 2, "want combined or json"},
		{[]string{"--tls-cert", "a.pem"}, 2, "specify both"},
		{[]string{"--tls-key", "a.pem"}, 2, "specify both"},
		{[]string{"--acme-domain", "x.example"}, 2, "needs --acme-cache"},
		{[]string{"--acme-domain", "x.example,", "--acme-cache", "c"}, 2, "empty name"},
		{[]string{"--acme-domain", "x.example", "--acme-cache", "c", "--tls-cert", "a", "--tls-key", "b"}, 2, "--tls-cert and --acme-domain cannot be combined"},
		{[]string{"--acme-email", "a@x.example"}, 2, "without --acme-domain"},
		{[]string{"--redirect-addr", ":80"}, 2, "needs HTTPS"},
		{[]string{"--hsts", "-1"}, 2, "0 or more"},
		{[]string{"--hsts", "a year"}, 2, "whole number of seconds"},
		{[]string{"--engine", "steam", "--redirect-addr", ":80"}, 2, "want fast or net/http"},
		{[]string{"--dir", "nowhere"}, 1, "nowhere"},
		{[]string{"--help"}, 0, "Usage of vitrined:\n  --access-log format\n"},
	} {
		cmd := exec.CommandContext(t.Context(), string(vitrined), c.arguments...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%v: exit %d, want %d, with %q in %s", c.arguments, code, c.code, c.says, out)
		}
	}
}
