//go:build unix

package deploy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/bucket"
	"vitrine/internal/lab/rig"
)

// A deploy uploads only objects that the bucket lacks, keeps the configured builds, and rolls back without uploading.
func TestBucket(t *testing.T) {
	c := newCloud(t)
	s := c.store(t)
	first, second, third := built(t, "Title One"), built(t, "Title Two"), built(t, "Title Three")
	out := c.must(t, "deploy", c.address, "--build", first, "--dry-run")
	if !strings.Contains(out, "PUT and 0 other requests") || !strings.Contains(out, "so far: 3 GET, 0 PUT, 0 other requests; 0 bytes sent") || len(c.memory.Keys("")) != 0 {
		t.Errorf("a dry run has left %v and says\n%s", c.memory.Keys(""), out)
	}
	c.must(t, "deploy", c.address, "--build", first)
	if got := c.whole(t, s); got != nameOf(t, first) {
		t.Errorf("current is %s", got)
	}
	files := len(c.memory.Keys("acorn/files/"))
	out = c.must(t, "deploy", c.address, "--build", second, "--edge")
	if tables := c.memory.Keys("acorn/tables/"); !slices.Equal(tables, []string{"acorn/tables/" + nameOf(t, second)}) {
		t.Errorf("the tables for edges are %v", tables)
	}
	if strings.Contains(out, fmt.Sprintf("uploading %d of", files)) || len(c.memory.Keys("acorn/files/")) >= 2*files {
		t.Errorf("the second build is uploaded whole:\n%s", out)
	}
	if out := c.must(t, "deploy", c.address, "--build", second); !strings.Contains(out, "already has the complete build") {
		t.Errorf("of a build that is there it says\n%s", out)
	}
	c.must(t, "deploy", c.address, "--build", third, "--keep", "2")
	if got := len(c.memory.Keys("acorn/builds/")); got != 3 {
		t.Errorf("it keeps %d builds, want 3", got)
	}
	if out := c.must(t, "deploy", c.address, "--rollback", nameOf(t, first), "--quiet"); out != "" {
		t.Errorf("a quiet rollback prints %s", out)
	}
	if got := c.whole(t, s); got != nameOf(t, first) {
		t.Errorf("after a rollback, current is %s", got)
	}
	if code, out := c.run(t, "deploy", c.address, "--rollback", "nothing"); code != 1 || !strings.Contains(out, nameOf(t, second)) {
		t.Errorf("a rollback to a build that is not kept ends with %d:\n%s", code, out)
	}
	if out := c.must(t, "deploy", c.address, "--status"); !strings.Contains(out, "current points to build "+nameOf(t, first)) || !strings.Contains(out, ": done at 20") {
		t.Errorf("the status is\n%s", out)
	}
	// The oldest builds are removed, including the objects that no other build uses.
	c.must(t, "deploy", c.address, "--build", third, "--keep", "1")
	if tables := c.memory.Keys("acorn/tables/"); len(tables) > 0 {
		t.Errorf("the tables for edges are %v", tables)
	}
	needed := make(map[string]bool)
	for _, build := range []string{first, third} {
		for o := range bucket.Objects(rig.Open(t, build).Manifest) {
			needed["acorn/"+o.Key()] = true
		}
	}
	for _, key := range c.memory.Keys("acorn/files/") {
		if !needed[key] {
			t.Errorf("%s is of no build that is kept", key)
		}
		delete(needed, key)
	}
	if len(needed) > 0 {
		t.Errorf("objects are missing: %v", needed)
	}
}

// Each object has the Content-Type, Cache-Control, and Content-Encoding of its representation, and a checksum.
func TestBucketObjects(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	build := built(t, "Title One")
	c.must(t, "deploy", c.address, "--build", build)
	m := rig.Open(t, build).Manifest
	encodings := make(map[string]int)
	for o := range bucket.Objects(m) {
		stored, ok := c.memory.Get("acorn/" + o.Key())
		if !ok {
			t.Fatalf("%s is missing", o.Key())
		}
		encoding := stored.Header.Get("Content-Encoding")
		encodings[encoding]++
		want := m.CodingOf(o.Body).String()
		if want == "identity" {
			want = ""
		}
		if encoding != want || stored.Header.Get("Content-Type") != m.Field(o.Variant, "Content-Type") || stored.Header.Get("Cache-Control") != m.Field(o.Variant, "Cache-Control") || stored.Header.Get("X-Amz-Checksum-Sha256") == "" {
			t.Errorf("%s of %s is stored with %v", o.Key(), m.File(o.Variant), stored.Header)
		}
	}
	if encodings[""] == 0 || encodings["br"] == 0 || encodings["gzip"] == 0 {
		t.Errorf("the encodings are %v", encodings)
	}
}

// Whenever a deploy is killed, the bucket's current build is complete. When the deploy is run again, it succeeds and
// leaves no record of the interrupted upload.
func TestBucketKilled(t *testing.T) {
	c := newCloud(t)
	killed(t, c, 200, 2, 7, 12, 18, 25)
	if left := unfinished(t, c); left != 0 {
		t.Errorf("%d interrupted uploads are left", left)
	}
}

func unfinished(t *testing.T, c *cloud) int {
	t.Helper()
	o, _ := c.memory.Get("acorn/lock")
	var state struct{ Unfinished []any }
	if err := json.Unmarshal(o.Body, &state); err != nil {
		t.Fatal(err)
	}
	return len(state.Unfinished)
}

// killed starts a deploy for each given number, kills it during the request with that number, and runs it again.
func killed(t *testing.T, c *cloud, requests ...int64) {
	t.Helper()
	s := c.store(t)
	var left atomic.Int64
	var victim atomic.Pointer[os.Process]
	next := c.faults.Next
	c.faults.Next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if left.Add(-1) == 0 {
			_ = victim.Load().Kill()
		}
		next.ServeHTTP(w, r)
	})
	last := ""
	for i, request := range requests {
		build := built(t, fmt.Sprintf("Title %d", i))
		cmd := c.command(build)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		victim.Store(cmd.Process)
		left.Store(request)
		_ = cmd.Wait()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			t.Fatalf("the deploy ends before request %d", request)
		}
		now := c.whole(t, s)
		if now != last && now != nameOf(t, build) {
			t.Fatalf("after a kill, current is %q, want %q or %q", now, last, nameOf(t, build))
		}
		if code, out := c.ends(t, c.command(build)); code != 0 {
			t.Fatalf("the deploy after a kill ends with %d:\n%s", code, out)
		}
		if last = c.whole(t, s); last != nameOf(t, build) {
			t.Fatalf("current is %s, want %s", last, nameOf(t, build))
		}
	}
}

// An interrupted upload continues where it stopped, without listing the objects in the bucket.
func TestBucketResumes(t *testing.T) {
	c := newCloud(t)
	s := c.store(t)
	dir := built(t, "Title One")
	build := rig.Open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	held, l, err := s.Lock(ctx, "a test", time.Second, time.Minute, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(held, build, &bucket.Current{}, nil, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	// The workers wait for each other twice, so that each has uploaded two objects before the upload is canceled.
	const workers, enough = 32, 64
	rounds := [...]chan struct{}{make(chan struct{}), make(chan struct{})}
	err = s.Upload(held, l, build, plan, func(n int, _ int64) {
		if round := (n - 1) / workers; round < len(rounds) {
			if n%workers == 0 {
				close(rounds[round])
			}
			<-rounds[round]
		}
		if n == enough {
			cancel()
		}
	})
	l.Unlock(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted upload ends with %v", err)
	}
	unfinished, err := s.Unfinished(t.Context())
	if err != nil || len(unfinished) != 1 || unfinished[0].Done == 0 || unfinished[0].Done > enough+workers {
		t.Fatalf("of %d objects, %v are noted, %v", plan.Total, unfinished, err)
	}
	again, err := s.Plan(t.Context(), build, &bucket.Current{}, unfinished, func(string) {})
	if err != nil || len(again.Objects) != plan.Total-unfinished[0].Done {
		t.Errorf("the next upload has %d of %d objects after %d, %v", len(again.Objects), plan.Total, unfinished[0].Done, err)
	}
	c.must(t, "deploy", c.address, "--build", dir)
	if got := c.whole(t, s); got != nameOf(t, dir) {
		t.Errorf("current is %s", got)
	}
}

// Failed requests are retried, and no incomplete build becomes current.
func TestBucketFaults(t *testing.T) {
	c := newCloud(t)
	s := c.store(t)
	for i := range 3 {
		c.faults.Rate = 0.2
		build := built(t, fmt.Sprintf("Title %d", i))
		if code, out := c.ends(t, c.command(build)); code != 0 {
			t.Fatalf("with faults it ends with %d:\n%s", code, out)
		}
		c.faults.Rate = 0
		if got := c.whole(t, s); got != nameOf(t, build) {
			t.Errorf("current is %s", got)
		}
	}
	if c.faults.Failed.Load() < 10 {
		t.Errorf("only %d requests failed", c.faults.Failed.Load())
	}
	c.faults.Down.Store(true)
	if code, out := c.run(t, "deploy", c.address, "--build", built(t, "Title Down")); code != 1 || !strings.Contains(out, "check AWS_ACCESS_KEY_ID") {
		t.Errorf("without access it ends with %d:\n%s", code, out)
	}
}

// Concurrent deploys run one after the other. A deploy that may not wait reports the other deploy.
func TestBucketLock(t *testing.T) {
	c := newCloud(t)
	s := c.store(t)
	held, l, err := s.Lock(t.Context(), "the holder", time.Second, time.Minute, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	build := built(t, "Title One")
	if code, out := c.run(t, "deploy", c.address, "--build", build, "--wait", "100ms"); code != 1 || !strings.Contains(out, "another deploy is in progress: the lock is held by the holder") {
		t.Errorf("a deploy next to another ends with %d:\n%s", code, out)
	}
	if out := c.must(t, "deploy", c.address, "--status"); !strings.Contains(out, "a deploy is in progress: the holder, last seen ") {
		t.Errorf("the status is\n%s", out)
	}
	l.Unlock(t.Context())
	if held.Err() == nil {
		t.Error("the context of a released lock continues")
	}
	both(t, c, s)
	// If another deploy takes the lock, the holder's context ends.
	held, l, err = s.Lock(t.Context(), "the holder", time.Second, shortLease, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	o, _ := c.memory.Get("acorn/lock")
	c.memory.Put("acorn/lock", append(slices.Clone(o.Body), ' '))
	select {
	case <-held.Done():
	case <-time.After(10 * time.Second):
	}
	if !errors.Is(context.Cause(held), bucket.ErrLost) {
		t.Errorf("the holder of a lost lock ends with %v", context.Cause(held))
	}
	l.Unlock(t.Context())
	// A deploy accepts storage without conditional writes, but warns about it.
	c.memory.Unconditional = true
	if code, out := c.ends(t, c.command(build)); code != 0 || !strings.Contains(out, "ignores write conditions") {
		t.Errorf("without conditions it ends with %d:\n%s", code, out)
	}
}

// both runs two deploys at the same time and checks that both succeed.
func both(t *testing.T, c *cloud, s *bucket.Store) {
	t.Helper()
	builds := []string{built(t, "Title A"), built(t, "Title B")}
	var deploys sync.WaitGroup
	for _, build := range builds {
		deploys.Go(func() {
			if code, out := c.run(t, "deploy", c.address, "--build", build); code != 0 {
				t.Errorf("one of two deploys ends with %d:\n%s", code, out)
			}
		})
	}
	deploys.Wait()
	if got := c.whole(t, s); got != nameOf(t, builds[0]) && got != nameOf(t, builds[1]) {
		t.Errorf("current is %s", got)
	}
	current, err := s.Current(t.Context())
	if err != nil || len(current.Builds) != 2 {
		t.Errorf("the builds are %v, %v", current, err)
	}
}

// If no server at --url serves the new build, the previous build becomes current again. Options that don't fit a bucket
// are rejected.
func TestBucketRollsBack(t *testing.T) {
	c := newCloud(t)
	s := c.store(t)
	first, second := built(t, "Title One"), built(t, "Title Two")
	c.must(t, "deploy", c.address, "--build", first)
	down := httptest.NewServer(http.NotFoundHandler())
	defer down.Close()
	if code, out := c.run(t, "deploy", c.address, "--build", second, "--url", down.URL, "--wait", "1s"); code != 3 || !strings.Contains(out, "s3://sites/acorn/current points to build "+nameOf(t, first)+" again") {
		t.Errorf("a build that nothing serves ends with %d:\n%s", code, out)
	}
	if got := c.whole(t, s); got != nameOf(t, first) {
		t.Errorf("current is %s", got)
	}
	for _, arguments := range [][]string{
		{"s3://", "--build", first}, {"s3://sites/a/../b", "--build", first}, {c.address, "--build", first, "--reload", "true"}, {"folder", "--rollback", "previous"},
		{c.address, "--build", first, "--indexnow"}, {"folder", "--build", first, "--edge"}, {c.address, "--build", first, "--keep", "0"},
	} {
		if code, out := c.run(t, append([]string{"deploy"}, arguments...)...); code == 0 {
			t.Errorf("%q succeeds:\n%s", arguments, out)
		}
	}
}
