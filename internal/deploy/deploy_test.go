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
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// machine is a deploy's target: a folder, and a vitrined that a script starts or reloads.
type machine struct {
	dir, address, url, reload string
	// bin is a folder of programs that goes before all others.
	bin string
	// path is PATH.
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
			return // it was never started
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

// built builds a site with a title.
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

// releases are the builds that a machine keeps.
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

// Consecutive builds are served one after the other. The previous one is kept, older ones are not, and existing files
// are not copied again.
func TestFolder(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second, third := built(t, "Title One"), built(t, "Title Two"), built(t, "Title Three")
	if code, out := m.deploy(t, first, m.dir, "--dry-run"); code != 0 || !strings.Contains(out, "ln -s 'releases/") || !strings.Contains(out, "verifying") ||
		!strings.HasSuffix(strings.TrimSpace(out), "this was a dry run") {
		t.Errorf("a dry run ends with %d and says\n%s", code, out)
	}
	if _, err := os.Stat(m.dir); !os.IsNotExist(err) {
		t.Fatal("a dry run made the folder")
	}
	m.must(t, first, m.dir, "Title One")
	m.must(t, second, m.dir, "Title Two")
	if out := m.must(t, second, m.dir, "Title Two"); !strings.Contains(out, "there already") {
		t.Errorf("of a build that is there it says\n%s", out)
	}
	m.must(t, third, m.dir, "Title Three")
	if kept := m.releases(t); len(kept) != 2 {
		t.Errorf("it keeps %v, want the build and the last one", kept)
	}
	m.must(t, first, m.dir, "Title One", "--purge", "echo $VITRINE_BUILD > "+filepath.Join(m.bin, "purged"))
	purged, err := os.ReadFile(filepath.Join(m.bin, "purged"))
	if target, _ := os.Readlink(filepath.Join(m.dir, "build")); err != nil || "releases/"+strings.TrimSpace(string(purged)) != target {
		t.Errorf("caches were told of %q (%v), and the build is %s", purged, err, target)
	}
}

// Without rsync the folder is copied by cp.
func TestFolderWithoutRsync(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.without(t, "rsync")
	m.must(t, built(t, "Title One"), m.dir, "Title One")
	m.must(t, built(t, "Title Two"), m.dir, "Title Two")
}

// without takes programs out of PATH, in which few others are left.
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

// A build that doesn't respond correctly is replaced by the previous one, whether verification finds the problem,
// vitrined rejects the build, or no server loads it.
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
			if code != 1 || !strings.Contains(out, "the last build was put back") {
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

// A deploy that is killed, whenever, leaves a build that is served, and the next one ends in the new build.
func TestKilled(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.must(t, built(t, "Title 0"), m.dir, "Title 0")
	for _, name := range []string{"rsync", "mv", "ln"} {
		if path, err := exec.LookPath(name); err == nil {
			m.script(t, name, "sleep 0.1; "+path+` "$@"; status=$?; sleep 0.1; exit $status`)
		}
	}
	killed := 0
	for i := 1; i <= 5; i++ {
		title := fmt.Sprintf("Title %d", i)
		build := built(t, title)
		cmd := m.command(build, m.dir, "--reload", m.reload)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 300 * time.Millisecond)
		if syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil {
			killed++
		}
		_ = cmd.Wait()
		if _, err := os.Stat(filepath.Join(m.dir, "build", "manifest")); err != nil {
			t.Fatalf("after a kill there is no build: %v", err)
		}
		m.must(t, build, m.dir, title)
	}
	if killed < 3 {
		t.Errorf("only %d deploys were killed", killed)
	}
}

// A build is deployed to a platform by the platform's tool, which finds its configuration prepared.
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

// A failed deploy says in which state it leaves the host: in its message, and for --status.
func TestStateOfFailure(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second := built(t, "Title One"), built(t, "Title Two")
	m.must(t, first, m.dir, "Title One")
	name := m.releases(t)[0]
	status := func(want ...string) {
		t.Helper()
		out, err := exec.Command(m.programs.Vitrine, "deploy", "--status", m.dir).CombinedOutput()
		for _, w := range want {
			if err != nil || !strings.Contains(string(out), w) {
				t.Errorf("the status lacks %q: %v\n%s", w, err, out)
			}
		}
	}
	status("the link points to the build "+name, "the build before it is nothing", "is done since 20")

	// The reload fails for both builds: the link is put back, and nobody knows what is served.
	code, out := m.deploy(t, second, m.dir, "--reload", "exit 3")
	if code != 3 || !strings.Contains(out, "the link was put back, but the new build may still be served") || !strings.Contains(out, "points to the build "+name+" again") ||
		strings.Contains(out, "left in place") {
		t.Errorf("a reload that fails twice ends with %d:\n%s", code, out)
	}
	if target, err := os.Readlink(filepath.Join(m.dir, "build")); err != nil || target != "releases/"+name {
		t.Errorf("the link points to %s, %v", target, err)
	}
	status("is in doubt since 20", "reloading: ")

	// The purge fails for the new build only.
	code, out = m.deploy(t, second, m.dir, "--reload", m.reload, "--purge", "[ $VITRINE_BUILD = "+name+" ]")
	if code != 1 || !strings.Contains(out, "the last build was put back: purging: ") || !strings.Contains(out, "points to the build "+name) {
		t.Errorf("a purge that fails ends with %d:\n%s", code, out)
	}
	status("is rolled back since 20", "purging: ")
	m.must(t, second, m.dir, "Title Two")
	status("the build before it is the build "+name, "is done since 20")
}

// Two deploys to a folder run one after the other. One that may not wait names the other, and a killed one leaves no lock.
func TestLock(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second := built(t, "Title One"), built(t, "Title Two")
	m.must(t, first, m.dir, "Title One")
	slow := m.command(second, m.dir, "--reload", "touch "+m.bin+"/reloading; while [ ! -e "+m.bin+"/go ]; do sleep 0.1; done; "+m.reload)
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		if _, err := os.Stat(filepath.Join(m.bin, "reloading")); err == nil {
			break
		} else if i == 600 {
			t.Fatal("the first deploy does not reload")
		}
		time.Sleep(100 * time.Millisecond)
	}
	code, out := m.deploy(t, first, m.dir, "--reload", m.reload, "--wait", "1s")
	if want := fmt.Sprintf("process %d, since ", slow.Process.Pid); code != 1 || !strings.Contains(out, "another deploy is in progress: by ") || strings.Count(out, want) != 2 {
		t.Errorf("a deploy beside another ends with %d:\n%s", code, out)
	}
	if out, err := exec.Command(m.programs.Vitrine, "deploy", "--status", m.dir).CombinedOutput(); err != nil || !strings.Contains(string(out), "a deploy is in progress: ") ||
		!strings.Contains(string(out), "is activated since") {
		t.Errorf("the status is %v\n%s", err, out)
	}
	// One that waits ends after the other, with its own build.
	waiting := m.command(first, m.dir, "--reload", m.reload, "--wait", "60s")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	m.script(t, "go", "")
	if err := slow.Wait(); err != nil {
		t.Errorf("the first deploy: %v", err)
	}
	if err := waiting.Wait(); err != nil {
		t.Errorf("the deploy that waited: %v", err)
	}
	m.serves(t, "Title One")
	if text, err := os.ReadFile(filepath.Join(m.dir, ".deploy-lock")); err != nil || len(text) != 0 {
		t.Errorf("the lock has %q, %v", text, err)
	}
}

// Behind a cache, the origin is waited for first, then the cache is purged, then waited for: with or without --origin.
func TestBehindCache(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	origin, err := url.Parse(m.url)
	if err != nil {
		t.Fatal(err)
	}
	// It keeps pages until it is purged, as a CDN does, and never what may not be stored.
	var kept sync.Map
	var purges atomic.Int64
	direct := httputil.NewSingleHostReverseProxy(origin)
	direct.Transport = &http.Transport{DisableCompression: true}
	var mark atomic.Value
	mark.Store("")
	cache := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "PURGE" {
			kept.Clear()
			purges.Add(1)
			return
		}
		key := strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Accept-Encoding"), r.Header.Get("If-None-Match")}, "\n")
		if answer, ok := kept.Load(key); ok {
			answer := answer.(*httptest.ResponseRecorder)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes())
			return
		}
		answer := httptest.NewRecorder()
		direct.ServeHTTP(answer, r)
		if answer.Code == http.StatusOK && answer.Header().Get("CDN-Cache-Control") != "" {
			kept.Store(key, answer)
		}
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		if m := mark.Load().(string); m != "" && strings.HasSuffix(r.URL.Path, "/vitrine-build") {
			w.Header().Set("Cache-Status", m)
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	defer cache.Close()
	purge := "curl -fsS -X PURGE " + cache.URL + "/"
	m.must(t, built(t, "Title One"), m.dir, "Title One")
	fill := func() {
		answer, err := http.Get(cache.URL + "/")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	for i, arguments := range [][]string{
		{"--url", cache.URL, "--origin", m.url, "--purge", purge},
		{"--url", cache.URL, "--purge", purge},
	} {
		fill()
		title := fmt.Sprintf("Title Behind %d", i)
		out := m.must(t, built(t, title), m.dir, title, arguments...)
		if purges.Swap(0) != 1 {
			t.Errorf("%v: the cache is not purged once:\n%s", arguments, out)
		}
	}
	// Without a purge, the message names the flag, and the last build is served again.
	fill()
	if code, out := m.deploy(t, built(t, "Title Three"), m.dir, "--reload", m.reload, "--url", cache.URL, "--wait", "3s"); code != 1 || !strings.Contains(out, "add --purge, and --origin") {
		t.Errorf("a deploy without --purge ends with %d:\n%s", code, out)
	}
	// If the cache shows that it needs a purge, nothing is copied.
	mark.Store("vitrine-nginx; fwd=bypass")
	before := m.releases(t)
	code, out := m.deploy(t, built(t, "Title Four"), m.dir, "--reload", m.reload, "--url", cache.URL)
	if after := m.releases(t); code != 2 || !strings.Contains(out, "nginx as a cache is in front of ") || !strings.Contains(out, "add --purge") || len(after) != len(before) || strings.Contains(out, "copying") {
		t.Errorf("a deploy that lacks a flag ends with %d, %v and then %v:\n%s", code, before, after, out)
	}
}
