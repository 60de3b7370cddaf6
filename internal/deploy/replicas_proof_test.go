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

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

var (
	replicaPages  = flag.String("replica-pages", "50", "the sizes of the sites that are deployed to replicas under load, in pages")
	replicaRounds = flag.Int("replica-rounds", 3, "the number of deploys of each, every one killed and run again")
)

// Three replicas follow one bucket under load, while deploys and pulls are killed at random moments and run again. No
// request fails, and no response is from neither build. When all replicas have a build, no response is older.
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
	l := startLoad(t, builds, replicas...)
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
			// While the deploy that follows is in progress, or after it.
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
		l.after(t, to, 100)
	}
	t.Logf("%d pages, %d deploys, %d killed: %v; a replica had the build at most %s after the deploy", pages, *replicaRounds, kills, l.stop(t), longest.Round(time.Millisecond))
	if kills == 0 {
		t.Error("every deploy ended before it was killed")
	}
}

// lasting gives a deploy a lease after which no request of a killed deploy is still in progress, on a busy machine either.
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

// replica is a folder, a vitrined that serves it, and a pull that keeps it at the bucket's current build.
type replica struct {
	cloud    *cloud
	programs rig.Programs
	dir, url string
	mu       sync.Mutex
	pull     *exec.Cmd
	// log has the output of the pulls.
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

// counts are the responses to a load. Responses of a build older than every replica's are stale. Responses that match
// no build are mixed.
type counts struct{ all, checked, failed, stale, mixed int }

func (c counts) String() string {
	return fmt.Sprintf("%d responses, %d of them after all replicas had the build; %d failed, %d stale, %d mixed", c.all, c.checked, c.failed, c.stale, c.mixed)
}

// load requests pages of replicas, without a pause.
type load struct {
	// known has the builds of each page's bytes, as bits, by path and hash.
	known map[string]map[uint64]uint
	paths []string
	urls  []string
	end   chan struct{}
	done  sync.WaitGroup

	// want is the build, as a bit, that all replicas have, or 0. Requests hold it.
	want  uint
	turn  sync.RWMutex
	mu    sync.Mutex
	sum   counts
	error error
}

func startLoad(t *testing.T, builds []string, replicas ...*replica) *load {
	t.Helper()
	l := &load{known: make(map[string]map[uint64]uint), end: make(chan struct{})}
	for n, build := range builds {
		m := rig.Open(t, build).Manifest
		for route := range m.Routes() {
			if route.Kind() == artifact.KindPage {
				l.learn(m, route, 1<<n)
			}
		}
	}
	for _, r := range replicas {
		l.urls = append(l.urls, r.url)
	}
	for range 4 {
		l.done.Go(l.requests)
	}
	t.Cleanup(func() { l.stop(t) })
	return l
}

// learn notes the bytes of a page in a build.
func (l *load) learn(m *artifact.Manifest, page artifact.Route, build uint) {
	if l.known[page.Path()] == nil {
		l.known[page.Path()] = make(map[uint64]uint)
		l.paths = append(l.paths, page.Path())
	}
	for i := range page.Variants() {
		if body, ok := m.BodyIn(page.Variant(i), artifact.Identity); ok {
			hash, _ := m.Digest(body)
			l.known[page.Path()][hash] |= build
		}
	}
}

// requests sends requests until the load ends.
func (l *load) requests() {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}, Timeout: 30 * time.Second}
	for {
		select {
		case <-l.end:
			return
		default:
			l.request(client)
		}
	}
}

func (l *load) request(client *http.Client) {
	l.turn.RLock()
	defer l.turn.RUnlock()
	path := l.paths[rand.IntN(len(l.paths))]
	builds, err := l.response(client, l.urls[rand.IntN(len(l.urls))], path)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum.all++
	if l.want != 0 {
		l.sum.checked++
	}
	switch {
	case err != nil:
		l.sum.failed++
		l.error = fmt.Errorf("%s: %w", path, err)
	case builds == 0:
		l.sum.mixed++
		l.error = fmt.Errorf("%s: the bytes are of no build", path)
	case l.want != 0 && builds&l.want == 0:
		l.sum.stale++
	}
}

// response requests a page, and returns the builds that have its bytes.
func (l *load) response(client *http.Client, url, path string) (builds uint, err error) {
	request, err := http.NewRequest(http.MethodGet, url+path, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Accept", []string{"text/html", "text/markdown"}[rand.IntN(2)])
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the status is %d", answer.StatusCode)
	}
	return l.known[path][xxhash.Sum64(body)], err
}

// after counts n more responses, all of which must be of the build.
func (l *load) after(t *testing.T, build, n int) {
	t.Helper()
	set := func(want uint) int {
		l.turn.Lock()
		defer l.turn.Unlock()
		l.want = want
		return l.counts().checked
	}
	before := set(1 << build)
	rig.Until(t, "there are enough responses", func() bool { return l.counts().checked >= before+n })
	set(0)
}

func (l *load) counts() counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum
}

// stop ends the load.
func (l *load) stop(t *testing.T) counts {
	t.Helper()
	select {
	case <-l.end:
	default:
		close(l.end)
	}
	l.done.Wait()
	sum := l.counts()
	if sum.failed+sum.stale+sum.mixed > 0 {
		t.Errorf("the load got %v; one of them: %v", sum, l.error)
	}
	return sum
}
