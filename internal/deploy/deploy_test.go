//go:build unix

package deploy_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// machine is the target of a deploy: a folder, and a vitrined that the reload script starts or reloads.
type machine struct {
	dir, address, url, reload string
	// bin is the first folder in PATH.
	bin string
	// path is the PATH of deploys.
	path     string
	programs rig.Programs
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{dir: filepath.Join(t.TempDir(), "site"), address: l.Addr().String(), bin: t.TempDir(), programs: programs}
	l.Close()
	m.url, m.path = "http://"+m.address, m.bin+":"+os.Getenv("PATH")
	pid := filepath.Join(t.TempDir(), "pid")
	m.reload = filepath.Join(m.bin, "reload")
	m.script(t, "reload", fmt.Sprintf(`if [ -e %[1]s ] && kill -HUP "$(cat %[1]s)" 2>/dev/null; then exit; fi
%[2]s -dir %[3]s/build -addr %[4]s >/dev/null 2>&1 </dev/null &
echo $! > %[1]s`, pid, programs.Vitrined, m.dir, m.address))
	t.Cleanup(func() {
		text, err := os.ReadFile(pid)
		if err != nil {
			return // vitrined was never started
		}
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	})
	return m
}

func (m *machine) script(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// deploy runs `vitrine deploy` and returns its exit code and its output.
func (m *machine) deploy(t *testing.T, build, target string, arguments ...string) (int, string) {
	t.Helper()
	cmd := m.command(build, target, arguments...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (m *machine) command(build, target string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(m.programs.Vitrine, append([]string{"deploy", "--build", build, "--url", m.url, "--wait", "20s", target}, arguments...)...)
	cmd.Env = append(os.Environ(), "PATH="+m.path)
	return cmd
}

// must runs a deploy that must succeed, and compares the served page with the title of its build.
func (m *machine) must(t *testing.T, build, target, title string, arguments ...string) string {
	t.Helper()
	code, out := m.deploy(t, build, target, append([]string{"--reload", m.reload}, arguments...)...)
	if code != 0 {
		t.Fatalf("deploying %s ends with %d:\n%s", title, code, out)
	}
	m.serves(t, title)
	return out
}

func (m *machine) serves(t *testing.T, title string) {
	t.Helper()
	answer, err := http.Get(m.url + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(body), title) {
		t.Fatalf("what is served lacks %q: %v", title, err)
	}
}

// built builds a site with the given title and returns the build folder.
func built(t *testing.T, title string) string {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
	if err := rig.WriteFiles(root, rig.TinySite(title, "")); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// releases returns the builds that a machine keeps.
func (m *machine) releases(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(m.dir, "releases"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Consecutive builds are served one after the other. The previous build is kept, and older builds are removed. Existing
// files are not copied again.
func TestFolder(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second, third := built(t, "Title One"), built(t, "Title Two"), built(t, "Title Three")
	if code, out := m.deploy(t, first, m.dir, "--dry-run"); code != 0 || !strings.Contains(out, "ln -s 'releases/") || !strings.Contains(out, "verifying") ||
		!strings.HasSuffix(strings.TrimSpace(out), "dry run: no changes were made") {
		t.Errorf("a dry run ends with %d and says\n%s", code, out)
	}
	if _, err := os.Stat(m.dir); !os.IsNotExist(err) {
		t.Fatal("a dry run made the folder")
	}
	m.must(t, first, m.dir, "Title One")
	m.must(t, second, m.dir, "Title Two")
	if out := m.must(t, second, m.dir, "Title Two"); !strings.Contains(out, "already has the complete build") {
		t.Errorf("of a build that is there it says\n%s", out)
	}
	if out := m.must(t, third, m.dir, "Title Three", "--quiet"); out != "" {
		t.Errorf("a quiet deploy prints\n%s", out)
	}
	if kept := m.releases(t); len(kept) != 2 {
		t.Errorf("it keeps %v, want the build and the last one", kept)
	}
	m.must(t, first, m.dir, "Title One", "--purge", "echo $VITRINE_BUILD > "+filepath.Join(m.bin, "purged"))
	purged, err := os.ReadFile(filepath.Join(m.bin, "purged"))
	if target, _ := os.Readlink(filepath.Join(m.dir, "build")); err != nil || "releases/"+strings.TrimSpace(string(purged)) != target {
		t.Errorf("caches were told of %q (%v), and the build is %s", purged, err, target)
	}
}

// Without rsync, cp copies the folder.
func TestFolderWithoutRsync(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.without(t, "rsync")
	m.must(t, built(t, "Title One"), m.dir, "Title One")
	m.must(t, built(t, "Title Two"), m.dir, "Title Two")
}

// without removes programs from the PATH of deploys, which then contains only the other programs that deploys need.
func (m *machine) without(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range strings.Fields("sh ssh sftp cp mv rm ln ls mkdir basename readlink sync kill cat rsync") {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(m.bin, name)); err != nil {
			if err := os.Symlink(path, filepath.Join(m.bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(m.bin, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	m.path = m.bin
}

// The previous build is restored if verification fails, if no server loads the new build, or if the reload command
// fails.
func TestRollsBack(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second := built(t, "Title One"), built(t, "Title Two")
	var broken atomic.Bool
	origin, err := url.Parse(m.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(origin) }, ModifyResponse: func(r *http.Response) error {
		if broken.Load() {
			r.Header.Del("Vary")
			r.Header.Del("X-Content-Type-Options")
		}
		return nil
	}}
	front := httptest.NewServer(proxy)
	defer front.Close()
	m.must(t, first, m.dir, "Title One")
	broken.Store(true)
	for name, arguments := range map[string][]string{
		"verify finds faults": {"--reload", m.reload, "--url", front.URL, "--origin", m.url},
		"nothing loads it":    {"--reload", "true", "--wait", "2s"},
		"the reload fails":    {"--reload", "if [ $(readlink " + m.dir + "/build) != releases/" + m.releases(t)[0] + " ]; then exit 3; fi"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out := m.deploy(t, second, m.dir, arguments...)
			if code != 1 || !strings.Contains(out, "the previous build was restored") {
				t.Errorf("it ends with %d:\n%s", code, out)
			}
			m.serves(t, "Title One")
		})
	}
	broken.Store(false)
	m.must(t, second, m.dir, "Title Two")
	other := newMachine(t)
	if code, out := other.deploy(t, first, other.dir, "--reload", "true", "--wait", "1s"); code != 3 || !strings.Contains(out, "left in place") {
		t.Errorf("a first build that nobody serves ends with %d:\n%s", code, out)
	}
}

// Whenever a deploy is killed, the link still points to a build. When the deploy is run again, it succeeds.
func TestKilled(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.must(t, built(t, "Title 0"), m.dir, "Title 0")
	for _, name := range []string{"rsync", "mv", "ln"} {
		if path, err := exec.LookPath(name); err == nil {
			m.script(t, name, `echo >>"$(dirname "$0")/steps"; sleep 0.1; `+path+` "$@"; status=$?; echo >>"$(dirname "$0")/steps"; sleep 0.1; exit $status`)
		}
	}
	killed, steps := 0, filepath.Join(m.bin, "steps")
	for i := 1; i <= 5; i++ {
		if err := os.WriteFile(steps, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		title := fmt.Sprintf("Title %d", i)
		build := built(t, title)
		cmd := m.command(build, m.dir, "--reload", m.reload)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); _ = cmd.Wait() }()
		for waits := true; waits; {
			select {
			case <-ended:
				waits = false
			case <-time.After(5 * time.Millisecond):
				done, err := os.ReadFile(steps)
				waits = err == nil && len(done) < i
			}
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			killed++
		}
		if _, err := os.Stat(filepath.Join(m.dir, "build", "manifest")); err != nil {
			t.Fatalf("after a kill there is no build: %v", err)
		}
		m.must(t, build, m.dir, title)
	}
	if killed < 3 {
		t.Errorf("only %d deploys were killed", killed)
	}
}

// A deploy to a platform runs the platform's tool with the build and a prepared configuration.
func TestPlatforms(t *testing.T) {
	m := newMachine(t)
	build := built(t, "Title One")
	m.must(t, build, m.dir, "Title One")
	m.script(t, "npx", `echo "$@" > "$0.asked"
case "$2" in
netlify*) [ -s netlify.toml ] && [ -s build/netlify/edge-functions/vitrine.mjs ] && [ -s build/public/index.html ] ;;
wrangler*) [ -s "$5" ] ;;
esac`)
	for platform, want := range map[string]string{
		"netlify":    "--yes netlify-cli@23 deploy --prod --build --site x\n",
		"cloudflare": "--yes wrangler@4 deploy --config " + build + "/cloudflare/wrangler.jsonc --site x\n",
	} {
		code, out := m.deploy(t, build, platform, "--", "--site", "x")
		asked, err := os.ReadFile(filepath.Join(m.bin, "npx.asked"))
		if code != 0 || err != nil || string(asked) != want {
			t.Errorf("%s: %d, the tool is asked %q, want %q:\n%s", platform, code, asked, want, out)
		}
	}
	if code, out := m.deploy(t, built(t, "Title Two"), "netlify", "--wait", "1s"); code != 3 || !strings.Contains(out, "left in place") {
		t.Errorf("a build that the platform does not answer with ends with %d:\n%s", code, out)
	}
}
