//go:build unix

package deploy_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/lab/storage"
)

// editedSite is a site deployed to a bucket and then edited once. root is its folder, and want is the name of the full
// build after the edit.
type editedSite struct {
	*cloud
	root, want string
}

func newEditedSite(t *testing.T) *editedSite {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	s := &editedSite{cloud: newCloud(t), root: t.TempDir()}
	whole := filepath.Join(t.TempDir(), "whole")
	site := rig.TinySite("Title One", "")
	for name, text := range site {
		if strings.HasSuffix(name, ".md") { // otherwise each build warns about descriptions
			site[name] = strings.Replace(text, "\ntitle:", "\ndescription: The page "+name+"\ntitle:", 1)
		}
	}
	if err := rig.WriteFiles(s.root, site); err != nil {
		t.Fatal(err)
	}
	s.must(t, "build", "--root", s.root, "--out", whole)
	s.must(t, "deploy", s.address, "--build", whole)
	if err := rig.WriteFiles(s.root, map[string]string{"content/blog/first.md": site["content/blog/first.md"] + "\nMore.\n"}); err != nil {
		t.Fatal(err)
	}
	s.must(t, "build", "--root", s.root, "--out", whole)
	s.want = nameOf(t, whole)
	return s
}

// build makes a sparse build in out, derived from the build in the bucket, and returns the exit code and the output.
func (s *editedSite) build(t *testing.T, out string) (int, string) {
	t.Helper()
	return s.run(t, "build", "--root", s.root, "--out", out, "--since", s.address, "--quiet")
}

// breaks is a handler that passes requests to next. Starting with request number from, it passes them to broke instead.
type breaks struct {
	next  http.Handler
	broke http.Handler
	from  int64
	count atomic.Int64
}

func (b *breaks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if b.count.Add(1) >= b.from {
		b.broke.ServeHTTP(w, r)
		return
	}
	b.next.ServeHTTP(w, r)
}

// breaksDuringBuild makes the bucket fail during sparse builds, each time starting with a different request. Each build
// must fail with one message and must not leave a build that can be deployed. Once the bucket works again, the same
// command must succeed.
func (s *editedSite) breaksDuringBuild(t *testing.T, broke http.Handler, say string, requests int) {
	t.Helper()
	healthy := s.faults.Next
	defer func() { s.faults.Next = healthy }()
	count := &breaks{next: healthy, from: 1 << 40}
	s.faults.Next = count
	out := filepath.Join(t.TempDir(), "sparse")
	if code, said := s.build(t, out); code != 0 || said != "" {
		t.Fatalf("a build from an intact bucket ends with %d:\n%s", code, said)
	}
	all := count.count.Load()
	for i := range requests {
		b := &breaks{next: healthy, broke: broke, from: 1 + all*int64(i)/int64(requests)}
		s.faults.Next = b
		code, said := s.build(t, out)
		if code == 0 || strings.Count(said, "\n") != 1 || !strings.Contains(said, s.address) || !strings.Contains(said, say) {
			t.Errorf("with failures from request %d of %d, it ends with %d:\n%s", b.from, all, code, said)
		}
		for _, name := range []string{"manifest", "public", "coded"} {
			if _, err := os.Stat(filepath.Join(out, name)); b.from > all/2 && err == nil {
				t.Errorf("with failures from request %d of %d, the folder has %s", b.from, all, name)
			}
		}
	}
	s.faults.Next = healthy
	if code, said := s.build(t, out); code != 0 || said != "" || nameOfSparse(t, out) != s.want {
		t.Errorf("a build after failures ends with %d:\n%s", code, said)
	}
}

// Sporadic failures of the bucket don't change a sparse build.
func TestSparseSurvivesFaults(t *testing.T) {
	s := newEditedSite(t)
	for s.faults.Failed.Load() < 10 && !t.Failed() {
		s.faults.Rate = 0.2
		out := filepath.Join(t.TempDir(), "sparse")
		if code, said := s.build(t, out); code != 0 || said != "" || nameOfSparse(t, out) != s.want {
			t.Errorf("with failing requests it ends with %d:\n%s", code, said)
		}
	}
}

func TestSparseReportsLostBucket(t *testing.T) {
	s := newEditedSite(t)
	denied := &storage.Faults{}
	denied.Down.Store(true)
	s.breaksDuringBuild(t, denied, "check AWS_ACCESS_KEY_ID", 6)
}

// If a file or manifest in the bucket has wrong bytes, the build fails. If records have wrong bytes, the build reports
// them and renders all pages.
func TestSparseReportsWrongBytes(t *testing.T) {
	s := newEditedSite(t)
	for _, kind := range []string{"files", "builds"} {
		intact := make(map[string][]byte)
		for _, key := range s.memory.Keys("acorn/" + kind + "/") {
			o, _ := s.memory.Get(key)
			intact[key] = o.Body
			s.memory.Put(key, make([]byte, len(o.Body)))
		}
		out := filepath.Join(t.TempDir(), "sparse")
		if code, said := s.build(t, out); code != 1 || strings.Count(said, "\n") != 1 || !strings.Contains(said, "acorn/"+kind) || !strings.Contains(said, "the content does not match the build") {
			t.Errorf("with wrong bytes in %s, it ends with %d:\n%s", kind, code, said)
		}
		if _, err := os.Stat(filepath.Join(out, "manifest")); err == nil {
			t.Errorf("with wrong bytes in %s, the folder has a manifest", kind)
		}
		for key, body := range intact {
			s.memory.Put(key, body)
		}
	}
	for _, key := range s.memory.Keys("acorn/records/") {
		o, _ := s.memory.Get(key)
		s.memory.Put(key, o.Body[:len(o.Body)/2])
	}
	out := filepath.Join(t.TempDir(), "sparse")
	if code, said := s.build(t, out); code != 0 || nameOfSparse(t, out) != s.want ||
		!strings.HasPrefix(said, "rendered all pages, because the records in "+s.address+" cannot be used: they are incomplete or damaged: ") {
		t.Errorf("with truncated records, it ends with %d:\n%s", code, said)
	}
}
