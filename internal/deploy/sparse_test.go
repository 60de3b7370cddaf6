//go:build unix

package deploy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// A bucket and a sparse build together form a complete build, which replicas pull.
func TestSparseToBucket(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	deploysSparse(t, newCloud(t))
}

// Each sparse build in an empty folder is derived from the build in the bucket.
func TestSparseFromBucket(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	continuesBucket(t, newCloud(t))
}

// continuesBucket makes sparse builds of an edited site, each derived from the current build of a bucket, and deploys
// them. After each deploy, a replica has the full build.
func continuesBucket(t *testing.T, c *cloud) {
	t.Helper()
	root, replica := t.TempDir(), t.TempDir()
	site := rig.TinySite("Title One", "")
	if err := rig.WriteFiles(root, site); err != nil {
		t.Fatal(err)
	}
	sparse := filepath.Join(t.TempDir(), "sparse")
	build := func(out string, more ...string) string {
		t.Helper()
		return c.must(t, append([]string{"build", "--root", root, "--out", out}, more...)...)
	}
	if code, out := c.run(t, "build", "--root", root, "--out", sparse, "--since", c.address); code == 0 || !strings.Contains(out, "run vitrine build without --since") {
		t.Errorf("a build from an empty bucket ends with %d:\n%s", code, out)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	build(whole)
	c.must(t, "deploy", c.address, "--build", whole, "--records=false")
	if code, out := c.run(t, "build", "--root", root, "--out", sparse, "--since", c.address); code == 0 || !strings.Contains(out, "has no records to build on") {
		t.Errorf("a build from a build without records ends with %d:\n%s", code, out)
	}
	c.must(t, "deploy", c.address, "--build", whole)
	for i, change := range sparseEdits(t, root, site) {
		change()
		full := filepath.Join(t.TempDir(), "full")
		build(full)
		if err := os.RemoveAll(sparse); err != nil {
			t.Fatal(err)
		}
		out := build(sparse, "--since", c.address)
		if !strings.Contains(out, "requests: ") {
			t.Errorf("build %d says\n%s", i, out)
		}
		if name, want := nameOfSparse(t, sparse), nameOf(t, full); name != want {
			t.Fatalf("build %d is %s, and the full one %s", i, name, want)
		}
		c.must(t, "deploy", c.address, "--build", sparse, "--edge")
		c.must(t, "pull", c.address, replica)
		pulled(t, replica, full)
	}
	c.keepsRecords(t)
}

// If records are damaged, a build renders the pages again, with the same result.
func TestSparseFromDamagedBucket(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	c, root, whole := newCloud(t), t.TempDir(), filepath.Join(t.TempDir(), "whole")
	site := rig.TinySite("Title One", "")
	if err := rig.WriteFiles(root, site); err != nil {
		t.Fatal(err)
	}
	c.must(t, "build", "--root", root, "--out", whole)
	c.must(t, "deploy", c.address, "--build", whole)
	if err := rig.WriteFiles(root, map[string]string{"content/blog/first.md": site["content/blog/first.md"] + "\nMore.\n"}); err != nil {
		t.Fatal(err)
	}
	c.must(t, "build", "--root", root, "--out", whole)
	want := nameOf(t, whole)
	keys := c.memory.Keys("acorn/records/")
	if len(keys) < 3 {
		t.Fatalf("the bucket has the records %q", keys)
	}
	for i, key := range keys {
		found, _ := c.memory.Get(key)
		damaged := make([]byte, len(found.Body))
		if i%2 == 0 {
			damaged = found.Body[:len(found.Body)/2]
		}
		c.memory.Put(key, damaged)
		sparse := filepath.Join(t.TempDir(), "sparse")
		c.must(t, "build", "--root", root, "--out", sparse, "--since", c.address)
		if name := nameOfSparse(t, sparse); name != want {
			t.Errorf("with %d of %d bytes of %s, the build is %s, want %s", len(damaged), len(found.Body), key, name, want)
		}
		c.memory.Put(key, found.Body)
	}
}

// keepsRecords checks that the bucket has the records of exactly the builds that it keeps, that caches can't store
// them, and that no table for edges names them.
func (c *cloud) keepsRecords(t *testing.T) {
	t.Helper()
	current, err := c.store(t).Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for _, b := range current.Builds {
		if len(b.Records) < 3 {
			t.Errorf("the build %s has %d parts of records", b.Name, len(b.Records))
		}
		for _, p := range b.Records {
			want[fmt.Sprintf("acorn/records/%s-%d", p.Sum, p.Size)] = true
		}
	}
	if c.memory == nil {
		return
	}
	for _, key := range c.memory.Keys("acorn/records/") {
		if found, _ := c.memory.Get(key); found.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("the object %s may be stored by caches: %v", key, found.Header)
		}
		if !want[key] {
			t.Errorf("the object %s belongs to no build", key)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("the object %s is missing", key)
	}
	tables := c.memory.Keys("acorn/tables/")
	for _, key := range tables {
		if table, _ := c.memory.Get(key); strings.Contains(string(table.Body), "records/") {
			t.Errorf("%s names records", key)
		}
	}
	if len(tables) == 0 {
		t.Error("the bucket has no table for edges")
	}
}

func nameOfSparse(t *testing.T, dir string) string {
	t.Helper()
	b, err := artifact.OpenSparse(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	return artifact.BuildName(b.Manifest.Build)
}

// deploysSparse deploys a complete build, and then sparse builds of its site after edits. After each deploy, a pull has
// the complete build.
func deploysSparse(t *testing.T, c *cloud) {
	t.Helper()
	root, since, replica := t.TempDir(), filepath.Join(t.TempDir(), "since"), t.TempDir()
	site := rig.TinySite("Title One", "")
	edit := func(name, text string) {
		t.Helper()
		if err := rig.WriteFiles(root, map[string]string{name: text}); err != nil {
			t.Fatal(err)
		}
	}
	build := func(out string, more ...string) string {
		t.Helper()
		return c.must(t, append([]string{"build", "--root", root, "--out", out}, more...)...)
	}
	if err := rig.WriteFiles(root, site); err != nil {
		t.Fatal(err)
	}
	build(since)
	edit("content/blog/first.md", site["content/blog/first.md"]+"\nMore.\n")
	sparse := filepath.Join(t.TempDir(), "sparse")
	build(sparse, "--since", since)

	if code, out := c.run(t, "build", "--root", root, "--out", sparse, "--since", since, "--verify"); code != 2 || !strings.Contains(out, "--since and --verify cannot be combined") {
		t.Errorf("--since with --verify ends with %d:\n%s", code, out)
	}

	// A sparse build can't be deployed to a bucket that lacks the build from which it was derived.
	if code, out := c.run(t, "deploy", c.address, "--build", sparse); code == 0 || !strings.Contains(out, "of its objects") || !strings.Contains(out, nameOf(t, since)) {
		t.Errorf("a deploy to an empty bucket ends with %d:\n%s", code, out)
	}
	if code, out := c.run(t, "deploy", t.TempDir(), "--build", sparse, "--url", "http://127.0.0.1:1"); code == 0 || !strings.Contains(out, "is sparse") || !strings.Contains(out, "without --since") {
		t.Errorf("a deploy to a folder ends with %d:\n%s", code, out)
	}
	c.must(t, "deploy", c.address, "--build", since)
	for _, change := range sparseEdits(t, root, site) {
		change()
		full := filepath.Join(t.TempDir(), "full")
		build(full)
		build(sparse, "--since", since)
		out := c.must(t, "deploy", c.address, "--build", sparse, "--edge")
		if !strings.Contains(out, "is current in") {
			t.Errorf("the deploy says\n%s", out)
		}
		c.must(t, "pull", c.address, replica)
		pulled(t, replica, full)
		if artifact.IsSparse(filepath.Join(replica, "build")) {
			t.Error("the pulled build is sparse")
		}
	}
}

// sparseEdits returns functions that edit rig.TinySite in a folder: no change, changed text, a new page, changed
// settings, a renamed page, and a new template.
func sparseEdits(t *testing.T, root string, site map[string]string) []func() {
	t.Helper()
	edit := func(name, text string) {
		t.Helper()
		if err := rig.WriteFiles(root, map[string]string{name: text}); err != nil {
			t.Fatal(err)
		}
	}
	return []func(){
		func() {},
		func() { edit("content/blog/first.md", site["content/blog/first.md"]+"\nMore.\n") },
		func() { edit("content/blog/first.md", site["content/blog/first.md"]+"\nMore and more.\n") },
		func() { edit("content/second.md", "---\ntitle: Second\n---\n\nText.\n") },
		func() { edit("content/second.md", "---\ntitle: Second\n---\n\nOther text.\n") },
		func() { edit("content/site.yaml", site["content/site.yaml"]+"language: de\n") },
		func() {
			if err := os.Rename(filepath.Join(root, "content", "second.md"), filepath.Join(root, "content", "third.md")); err != nil {
				t.Fatal(err)
			}
		},
		func() { edit("templates/partials/footer.html", `{{define "footer"}}<footer>New</footer>{{end}}`) },
	}
}
