//go:build unix

package deploy_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A failed deploy reports the state in which it leaves the target, both in its message and to a later --status.
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
	status("the link points to build "+name, "there is no previous build", ": done at 20")

	// The reload fails for both builds: the link is restored, and the served build is unknown.
	code, out := m.deploy(t, second, m.dir, "--reload", "exit 3")
	if code != 3 || !strings.Contains(out, "the link was restored, but the new build may still be served") || !strings.Contains(out, "points to build "+name+" again") ||
		strings.Contains(out, "left in place") {
		t.Errorf("a reload that fails twice ends with %d:\n%s", code, out)
	}
	if target, err := os.Readlink(filepath.Join(m.dir, "build")); err != nil || target != "releases/"+name {
		t.Errorf("the link points to %s, %v", target, err)
	}
	status(": in doubt at 20", "reloading: ")

	// The purge fails for the new build only.
	code, out = m.deploy(t, second, m.dir, "--reload", m.reload, "--purge", "[ $VITRINE_BUILD = "+name+" ]")
	if code != 1 || !strings.Contains(out, "the previous build was restored: purging: ") || !strings.Contains(out, "points to build "+name) {
		t.Errorf("a purge that fails ends with %d:\n%s", code, out)
	}
	status(": rolled back at 20", "purging: ")
	m.must(t, second, m.dir, "Title Two")
	status("the previous build is "+name, ": done at 20")
}

// Two deploys to a folder run one after the other. A deploy that may not wait reports the other deploy, and a killed
// deploy leaves no lock.
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
	if want := fmt.Sprintf("process %d, since ", slow.Process.Pid); code != 1 || !strings.Contains(out, "another deploy is in progress, by ") || strings.Count(out, want) != 2 {
		t.Errorf("a deploy beside another ends with %d:\n%s", code, out)
	}
	if out, err := exec.Command(m.programs.Vitrine, "deploy", "--status", m.dir).CombinedOutput(); err != nil || !strings.Contains(string(out), "a deploy is in progress: ") ||
		!strings.Contains(string(out), ": activated at 20") {
		t.Errorf("the status is %v\n%s", err, out)
	}
	// A waiting deploy completes after the other deploy, with its own build.
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

// Behind a cache, a deploy waits for the origin, purges the cache, and waits for the cache, with or without --origin.
func TestBehindCache(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	origin, err := url.Parse(m.url)
	if err != nil {
		t.Fatal(err)
	}
	// Like a CDN, the cache stores responses until it is purged. It stores only 200 responses with CDN-Cache-Control.
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
	// If the response identifies a cache that needs a purge, the deploy fails before it copies files.
	mark.Store("vitrine-nginx; fwd=bypass")
	before := m.releases(t)
	code, out := m.deploy(t, built(t, "Title Four"), m.dir, "--reload", m.reload, "--url", cache.URL)
	if after := m.releases(t); code != 2 || !strings.Contains(out, "nginx as a cache is in front of ") || !strings.Contains(out, "add --purge") || len(after) != len(before) || strings.Contains(out, "copying") {
		t.Errorf("a deploy that lacks a flag ends with %d, %v and then %v:\n%s", code, before, after, out)
	}
}
