//go:build proof && linux

package deploy_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

var (
	replicaPages  = flag.String("replica-pages", "50", "the sizes of the sites that are deployed to replicas under load, in pages")
	replicaRounds = flag.Int("replica-rounds", 3, "the number of deploys of each, every one killed and run again")
)

// Three replicas follow one bucket under load, while deploys and pulls are killed at random moments and run again. No
// request fails, and every response is from the old or the new build. After all replicas have loaded a build, no
// response is from an older build.
func TestReplicas(t *testing.T) {
	for size := range strings.SplitSeq(*replicaPages, ",") {
		pages, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(size, func(t *testing.T) { testReplicas(t, pages) })
	}
}

func testReplicas(t *testing.T, pages int) {
	c, _ := newGateway(t)
	var builds []string
	for _, title := range []string{"One", "Two", "Three"} {
		builds = append(builds, sized(t, title, pages))
	}
	c.must(t, "deploy", c.address, "--build", builds[0])
	replicas := []*replica{newReplica(t, c), newReplica(t, c), newReplica(t, c)}
	l := rig.StartLoad(t, 4, builds, replicas[0].url, replicas[1].url, replicas[2].url)
	kills := 0
	var longest time.Duration
	for round := 1; round <= *replicaRounds; round++ {
		to := round % len(builds)
		first := lasting(c.command(builds[to]))
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(500 * time.Millisecond))
		_ = first.Process.Kill()
		_ = first.Wait()
		if !first.ProcessState.Exited() {
			kills++
		}
		go func() {
			// Restart a pull during the next deploy, or after it.
			time.Sleep(rand.N(time.Second))
			replicas[round%3].stop()
			replicas[round%3].watch(t)
		}()
		if code, out := c.ends(t, lasting(c.command(builds[to]))); code != 0 {
			t.Fatalf("the deploy after a kill ends with %d:\n%s", code, out)
		}
		ended := time.Now()
		for _, r := range replicas {
			r.serves(t, builds[to])
		}
		longest = max(longest, time.Since(ended))
		l.After(t, to, 100)
	}
	t.Logf("%d pages, %d deploys, %d killed: %v; a replica had the build at most %s after the deploy", pages, *replicaRounds, kills, l.Stop(t), longest.Round(time.Millisecond))
	if kills == 0 {
		t.Error("every deploy ended before it was killed")
	}
}

// lasting sets a deploy's lease. It is long enough that no request of a killed deploy outlasts it, even on a busy
// machine.
func lasting(deploy *exec.Cmd) *exec.Cmd {
	deploy.Args = append(deploy.Args, "3s")
	return deploy
}

// sized builds a site with the given title and number of articles.
func sized(t *testing.T, title string, pages int) string {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
	files := rig.TinySite(title, "")
	for i := range pages {
		files[fmt.Sprintf("content/blog/article-%d.md", i)] = fmt.Sprintf("---\ntitle: Article %d of %s\ndate: 2026-01-01\n---\n\nText of article %d.\n", i, title, i)
	}
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// replica is a folder, a vitrined that serves the folder, and a pull that keeps the folder at the bucket's current
// build.
type replica struct {
	cloud    *cloud
	programs rig.Programs
	dir, url string
	mu       sync.Mutex
	pull     *exec.Cmd
	// log contains the output of the pulls.
	log *os.File
}

func newReplica(t *testing.T, c *cloud) *replica {
	t.Helper()
	r := &replica{cloud: c, programs: programs(t), dir: filepath.Join(t.TempDir(), "site")}
	var err error
	if r.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if text, err := os.ReadFile(r.log.Name()); t.Failed() {
			t.Logf("the pulls report, %v:\n%s", err, text[max(0, len(text)-3000):])
		}
		r.log.Close()
	})
	c.must(t, "pull", c.address, r.dir)
	address := freeAddress(t)
	r.url = "http://" + address
	running(t, exec.Command(r.programs.Vitrined, "-dir", filepath.Join(r.dir, "build"), "-addr", address))
	rig.Listens(t, address)
	r.watch(t)
	t.Cleanup(r.stop)
	return r
}

// watch starts the pull, and stop kills it.
func (r *replica) watch(t *testing.T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pull = exec.Command(r.programs.Vitrine, "pull", r.cloud.address, r.dir, "--watch", "100ms", "--reload")
	r.pull.Env, r.pull.Stderr = r.cloud.environ, r.log
	if err := r.pull.Start(); err != nil {
		t.Error(err)
	}
}

func (r *replica) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.pull.Process.Kill()
	_ = r.pull.Wait()
}

// serves waits until the replica serves a build.
func (r *replica) serves(t *testing.T, build string) {
	t.Helper()
	name := nameOf(t, build)
	rig.Until(t, r.url+" serves the build "+name, func() bool {
		answer, err := http.Get(r.url + "/.well-known/vitrine-build")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return err == nil && strings.Contains(string(text), name)
	})
}
