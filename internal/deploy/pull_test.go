//go:build unix

package deploy_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/deploy"
	"vitrine/internal/lab/rig"
)

// A pull downloads only representations that the folder lacks, repairs damaged files, follows a rollback, and keeps as
// many previous builds as --keep sets.
func TestPull(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	dir := filepath.Join(t.TempDir(), "site")
	if code, out := c.run(t, "pull", c.address, dir); code != 1 || !strings.Contains(out, "run vitrine deploy") {
		t.Errorf("a pull from an empty bucket ends with %d:\n%s", code, out)
	}
	builds := []string{built(t, "Title One"), built(t, "Title Two"), built(t, "Title Three")}
	c.must(t, "deploy", c.address, "--build", builds[0])
	c.must(t, "pull", c.address, dir)
	pulled(t, dir, builds[0])

	c.must(t, "deploy", c.address, "--build", builds[1], "--keep", "2")
	out := c.must(t, "pull", c.address, dir)
	pulled(t, dir, builds[1])
	if want := fmt.Sprintf("downloading %d of ", lacking(t, builds[0], builds[1])); !strings.Contains(out, want) {
		t.Errorf("the second pull does not report %q:\n%s", want, out)
	}
	if out := c.must(t, "pull", c.address, dir, "--quiet"); out != "" {
		t.Errorf("a quiet pull prints %s", out)
	}
	// A file that both builds share is damaged. The next pull downloads only this file, after it reads current once and
	// the manifest twice.
	shared := filepath.Join(dir, "build", "public", "pricing.md")
	if err := os.WriteFile(shared, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := c.must(t, "pull", c.address, dir); !strings.Contains(out, "is damaged; downloading its damaged files") || !strings.Contains(out, "requests: 4 GET") {
		t.Errorf("the pull into a damaged folder reports\n%s", out)
	}
	pulled(t, dir, builds[1])

	c.must(t, "deploy", c.address, "--rollback", "previous")
	if out := c.must(t, "pull", c.address, dir); strings.Contains(out, "downloading 1") {
		t.Errorf("the pull after a rollback reports\n%s", out)
	}
	pulled(t, dir, builds[0])
	c.must(t, "deploy", c.address, "--build", builds[2], "--keep", "2")
	c.must(t, "pull", c.address, dir, "--keep", "1")
	pulled(t, dir, builds[2])
	m := &machine{dir: dir}
	if got := m.releases(t); len(got) != 2 {
		t.Errorf("the folder keeps %v, want the current build and the previous one", got)
	}
	if out := c.must(t, "deploy", "--status", dir); !strings.Contains(out, "points to build "+nameOf(t, builds[2])+"; the previous build is "+nameOf(t, builds[0])) || !strings.Contains(out, ": done at 20") {
		t.Errorf("the status of the folder is\n%s", out)
	}
}

// pulled checks that dir contains the given build and that each representation matches its hash.
func pulled(t *testing.T, dir, build string) {
	t.Helper()
	b, err := artifact.Open(filepath.Join(dir, "build"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Errorf("the pulled build is damaged: %v", err)
	}
	if b.Manifest.Data() != rig.Open(t, build).Manifest.Data() {
		t.Errorf("the folder has the build %s, want %s", artifact.BuildName(b.Manifest.Build), nameOf(t, build))
	}
}

// lacking counts the representations of a build whose bytes another build lacks.
func lacking(t *testing.T, has, wants string) int {
	t.Helper()
	type bytes struct {
		hash   uint64
		size   int64
		coding artifact.Coding
	}
	known := make(map[bytes]bool)
	n := 0
	for _, dir := range []string{has, wants} {
		m := rig.Open(t, dir).Manifest
		for o := range bucket.Objects(m) {
			hash, size := m.Digest(o.Body)
			if b := (bytes{hash, size, m.CodingOf(o.Body)}); !known[b] {
				known[b] = true
				if dir == wants {
					n++
				}
			}
		}
	}
	return n
}

// If an object is truncated or has other bytes, the pull fails and the previous build stays in place. The next pull
// continues where the failed pull ended.
func TestPullRejectsDamage(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	dir := filepath.Join(t.TempDir(), "site")
	first, second := built(t, "Title One"), built(t, "Title Two")
	c.must(t, "deploy", c.address, "--build", first)
	c.must(t, "pull", c.address, dir)
	c.must(t, "deploy", c.address, "--build", second)
	m := rig.Open(t, second).Manifest
	old := make(map[bucket.ID]bool)
	for o := range bucket.Objects(rig.Open(t, first).Manifest) {
		old[o.ID] = true
	}
	var key string
	for o := range bucket.Objects(m) {
		if !old[o.ID] && o.Size > 100 {
			key = "acorn/" + o.Key()
		}
	}
	whole, _ := c.memory.Get(key)
	for name, body := range map[string][]byte{"truncated": whole.Body[:50], "other bytes": append([]byte("x"), whole.Body[1:]...)} {
		c.memory.Put(key, body)
		code, out := c.run(t, "pull", c.address, dir)
		if code != 1 || !strings.Contains(out, "the content does not match the build") {
			t.Errorf("%s: the pull ends with %d:\n%s", name, code, out)
		}
		pulled(t, dir, first)
	}
	manifest, _ := c.memory.Get("acorn/builds/" + nameOf(t, second))
	c.memory.Put("acorn/builds/"+nameOf(t, second), manifest.Body[:len(manifest.Body)-1])
	if code, out := c.run(t, "pull", c.address, dir); code != 1 {
		t.Errorf("with a truncated manifest the pull ends with %d:\n%s", code, out)
	}
	pulled(t, dir, first)
	c.memory.Put("acorn/builds/"+nameOf(t, second), manifest.Body)
	c.memory.Put(key, whole.Body)
	if out := c.must(t, "pull", c.address, dir); !strings.Contains(out, "requests: 3 GET") {
		t.Errorf("the pull after an interrupted one reports\n%s", out)
	}
	pulled(t, dir, second)
}

// Only one process at a time can pull to a folder. Invalid arguments are rejected.
func TestPullArguments(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	taken := t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, "build"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{c.address}, {taken, c.address}, {c.address, taken, "--keep", "0"}, {c.address, taken, "--watch", "-1s"}, {c.address, taken, "--reload", "true"},
	} {
		if code, out := c.run(t, append([]string{"pull"}, arguments...)...); code != 2 {
			t.Errorf("pull %q ends with %d:\n%s", arguments, code, out)
		}
	}
	if code, out := c.run(t, "pull", c.address, taken); code != 1 || !strings.Contains(out, "is a folder, but a deploy needs to replace it with a link") {
		t.Errorf("a pull into a folder with a build ends with %d:\n%s", code, out)
	}
	dir := t.TempDir()
	watch := exec.Command(programs(t).Vitrine, "pull", c.address, dir, "--watch", "1h")
	watch.Env = c.environ
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = watch.Process.Kill(); _ = watch.Wait() })
	rig.Until(t, "the watch has the lock", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, ".deploy-lock"))
		return len(text) > 0
	})
	if code, out := c.run(t, "pull", c.address, dir); code != 1 || !strings.Contains(out, "another deploy is in progress in "+dir+", by ") {
		t.Errorf("a second pull ends with %d:\n%s", code, out)
	}
}

func programs(t *testing.T) rig.Programs {
	t.Helper()
	p, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A pull with --watch makes vitrined load each new build. During an outage, it reports the problem once and keeps the
// build in the folder. It ends with its context.
func TestPullWatch(t *testing.T) {
	c := newCloud(t)
	c.store(t) // sets the environment of this process
	m := newMachine(t)
	first, second := built(t, "Title One"), built(t, "Title Two")
	c.must(t, "deploy", c.address, "--build", first)
	var mu sync.Mutex
	var warned []string
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- deploy.Pull(ctx, deploy.PullOptions{
			Source: c.address, Dir: m.dir, Watch: 20 * time.Millisecond, Keep: 1, Reload: m.reload + "; echo $VITRINE_BUILD >>" + m.dir + "/reloads",
			Report: func(string) {},
			Warn:   func(s string) { mu.Lock(); defer mu.Unlock(); warned = append(warned, s) },
		})
	}()
	rig.Until(t, "vitrined serves the first build", func() bool { return titled(m.url, "Title One") })
	c.faults.Down.Store(true)
	rig.Until(t, "the watch has seen the outage", func() bool { mu.Lock(); defer mu.Unlock(); return len(warned) > 0 })
	time.Sleep(200 * time.Millisecond)
	m.serves(t, "Title One")
	c.faults.Down.Store(false)
	c.must(t, "deploy", c.address, "--build", second)
	rig.Until(t, "vitrined serves the second build", func() bool { return titled(m.url, "Title Two") })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the watch ends with %v", err)
	}
	if len(warned) != 2 || !strings.Contains(warned[0], "keeping the build in the folder") || warned[1] != "pulling works again" {
		t.Errorf("the warnings are %q", warned)
	}
	reloads, err := os.ReadFile(filepath.Join(m.dir, "reloads"))
	if want := nameOf(t, first) + "\n" + nameOf(t, second) + "\n"; err != nil || string(reloads) != want {
		t.Errorf("the reloads are of %q, want %q, %v", reloads, want, err)
	}
}

// titled reports whether a home page has the given title.
func titled(url, title string) bool {
	answer, err := http.Get(url + "/")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	var b strings.Builder
	return answer.Write(&b) == nil && strings.Contains(b.String(), title)
}
