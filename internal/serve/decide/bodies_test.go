package decide_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve/decide"
)

// sized returns a file of size bytes that starts with mark.
func sized(name, mark string, size int) artifact.Resource {
	body := bytes.Repeat([]byte(mark+" "), size/(len(mark)+1)+1)[:size]
	return artifact.Resource{Path: "/" + name, Variants: []artifact.Variant{{
		File: name, Body: body, Fields: []artifact.Field{{Name: "Content-Type", Value: "application/octet-stream"}},
	}}}
}

func get(site *decide.Site, path string) decide.Answer {
	r := decide.Request{Method: http.MethodGet, Path: path}
	return site.Decide(&r, site.Find(&r), decide.Grant{})
}

// A body of any size is served completely, wherever it is stored, and is stored only once even if requests are
// concurrent.
func TestBodiesOfAllSizes(t *testing.T) {
	const shared = 1 << 16
	all := resources()
	for i, size := range []int{0, 1, 100, shared - 1, shared, shared + 1, 1<<20 - 1, 1 << 20, 3 << 20} {
		all = append(all, sized(fmt.Sprintf("size-%d", i), fmt.Sprint(i), size))
	}
	for i := range 60 { // more bodies than a chunk can hold
		all = append(all, sized(fmt.Sprintf("many-%d", i), fmt.Sprint(i), shared-i))
	}
	site := rig.Serve(t, t.TempDir(), all)
	var wait sync.WaitGroup
	answers := make([][]decide.Answer, 4)
	for i := range answers {
		wait.Go(func() {
			for _, r := range all {
				if r.Kind == artifact.KindFile {
					answers[i] = append(answers[i], get(site, r.Path))
				}
			}
		})
	}
	wait.Wait()
	next := 0
	for _, r := range all {
		if r.Kind != artifact.KindFile {
			continue
		}
		want := r.Variants[0].Body
		for i := range answers {
			a := answers[i][next]
			if a.Status != http.StatusOK || a.Body == nil || !bytes.Equal(a.Body, want) {
				t.Fatalf("%s: status %d, %d bytes, want %d", r.Path, a.Status, len(a.Body), len(want))
			}
			if len(want) > 0 && &a.Body[0] != &answers[0][next].Body[0] {
				t.Errorf("%s is kept twice", r.Path)
			}
			if cap(a.Body) != len(a.Body) {
				t.Errorf("%s: appending to it would write into another body", r.Path)
			}
		}
		next++
	}
}

// Concurrent first requests for a body, which are common after a build is loaded, read it only
// once. Otherwise, each request would hold its own copy.
func TestBodyIsReadOnce(t *testing.T) {
	const size, askers = 8 << 20, 64
	site := rig.Serve(t, t.TempDir(), append(resources(), sized("large", "x", size)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var wait sync.WaitGroup
	start := make(chan struct{})
	for range askers {
		wait.Go(func() {
			<-start
			if a := get(site, "/large"); a.Status != http.StatusOK || len(a.Body) != size {
				t.Errorf("status %d, %d bytes", a.Status, len(a.Body))
			}
		})
	}
	close(start)
	wait.Wait()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > size*3/2 {
		t.Errorf("%d requests for %d bytes took %d bytes", askers, size, taken)
	}
}

// A body that doesn't match the build is never served, and repeated requests for it don't use more memory.
func TestDamagedBodyTakesNoMemory(t *testing.T) {
	const size = 60 << 10
	dir := t.TempDir()
	site := rig.Serve(t, dir, append(resources(), sized("damaged", "x", size)))
	name := filepath.Join(dir, artifact.PublicDir, "damaged")
	if err := os.WriteFile(name, bytes.Repeat([]byte("y"), size), 0o666); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for range 500 {
		if a := get(site, "/damaged"); a.Status != http.StatusInternalServerError || a.Err == nil {
			t.Fatalf("status %d, error %v", a.Status, a.Err)
		}
	}
	if grown := int64(heap()) - int64(before); grown > 100*size {
		t.Errorf("500 requests for %d bytes took %d bytes", size, grown)
	}
	runtime.KeepAlive(site)
}

// A response stays valid while it is in use, even if its site is replaced and garbage-collected.
func TestResponsesOutliveTheirSite(t *testing.T) {
	publish := func(n int) *decide.Site {
		all := resources()
		for i := range 20 {
			all = append(all, sized(fmt.Sprintf("f%d", i), fmt.Sprintf("build %d file %d", n, i), 50000+i*1000))
		}
		return rig.Serve(t, t.TempDir(), all)
	}
	var served atomic.Pointer[decide.Site]
	served.Store(publish(0))
	done := make(chan struct{})
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			held := make([]decide.Answer, 50)
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				old := &held[i%len(held)]
				if old.Body != nil {
					check(t, old)
				}
				*old = get(served.Load(), fmt.Sprintf("/f%d", i%20))
			}
		})
	}
	for n := range 8 {
		served.Store(publish(n + 1))
		runtime.GC()
	}
	close(done)
	wait.Wait()
}

// check fails the test if a response's body doesn't match its ETag.
func check(t *testing.T, a *decide.Answer) {
	for _, f := range a.Header.Fields() {
		if want := artifact.ETag(artifact.Hash(a.Body), artifact.Identity); f.Name == "ETag" && f.Value != want {
			t.Errorf("the bytes are those of %s, the header says %s", want, f.Value)
		}
	}
}
