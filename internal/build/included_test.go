package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// A page can show lines from a file outside content/, and the next build shows the changes to that file. If the file is
// hidden, outside the site's folder, or a symbolic link, the code block has an error.
func TestCodeFromFiles(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["examples/main.go"] = "package main\n\nvar first = 1\n"
	files["content/guide/a.md"] = "---\ntitle: A\n---\n\n```go file=examples/main.go#L3\n```\n\n```sh file=./run.sh\n```\n"
	files["content/guide/run.sh"] = "echo beside\n"
	root := rig.Site(t, files)
	out := filepath.Join(t.TempDir(), "build")
	page := func(want string) {
		t.Helper()
		if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
			t.Fatal(err)
		}
		html, err := os.ReadFile(filepath.Join(out, "public/guide/a.md"))
		if err != nil || !strings.Contains(string(html), want) {
			t.Errorf("want %q, got %v\n%s", want, err, html)
		}
	}
	page("```go title=\"main.go\"\nvar first = 1\n```\n\n```sh title=\"run.sh\"\necho beside\n```")
	if err := os.WriteFile(filepath.Join(root, "examples/main.go"), []byte("package main\n\nvar second = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page("var second = 2")

	for name, want := range map[string]string{
		"../../../etc/passwd": "is hidden or outside the site's folder", ".env": "is hidden or outside", "examples/link.go": "symbolic link", "examples/nosuch.go": "file examples/nosuch.go does not exist",
	} {
		files["content/guide/a.md"] = "---\ntitle: A\n---\n\n```go file=" + name + "\n```\n"
		root := rig.Site(t, files)
		if err := os.Symlink("main.go", filepath.Join(root, "examples/link.go")); err != nil {
			t.Fatal(err)
		}
		found := errorsOf(t, root, "")
		if len(found) != 1 || !strings.HasPrefix(found[0].String(), "content/guide/a.md:5:4: error: ") || !strings.Contains(found[0].Text, want) {
			t.Errorf("%s: got %v, want %q", name, found, want)
		}
	}
}
