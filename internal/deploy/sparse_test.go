//go:build unix

package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// A bucket and a sparse build are together a whole build, which replicas pull.
func TestSparseToBucket(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	deploysSparse(t, newCloud(t))
}

// deploysSparse deploys a whole build, and sparse builds of its site after edits. After each, a pull has the full build.
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

	if code, out := c.run(t, "build", "--root", root, "--out", sparse, "--since", since, "--verify"); code != 2 || !strings.Contains(out, "--since continues a build") {
		t.Errorf("--since with --verify ends with %d:\n%s", code, out)
	}

	// Without the build that it continues, it is not enough.
	if code, out := c.run(t, "deploy", c.address, "--build", sparse); code == 0 || !strings.Contains(out, "of its objects") || !strings.Contains(out, nameOf(t, since)) {
		t.Errorf("a deploy to an empty bucket ends with %d:\n%s", code, out)
	}
	if code, out := c.run(t, "deploy", t.TempDir(), "--build", sparse, "--url", "http://127.0.0.1:1"); code == 0 || !strings.Contains(out, "is sparse") || !strings.Contains(out, "without --since") {
		t.Errorf("a deploy to a folder ends with %d:\n%s", code, out)
	}
	c.must(t, "deploy", c.address, "--build", since)
	for _, change := range []func(){
		func() {},
		func() { edit("content/second.md", "---\ntitle: Second\n---\n\nText.\n") },
		func() { edit("content/site.yaml", site["content/site.yaml"]+"language: de\n") },
		func() {
			if err := os.Rename(filepath.Join(root, "content", "second.md"), filepath.Join(root, "content", "third.md")); err != nil {
				t.Fatal(err)
			}
		},
		func() { edit("templates/partials/footer.html", `{{define "footer"}}<footer>New</footer>{{end}}`) },
	} {
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
