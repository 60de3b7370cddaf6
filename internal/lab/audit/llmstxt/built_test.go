package llmstxt_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/audit/llmstxt"
	"vitrine/internal/lab/rig"
)

// Every llms.txt of the sample site, including the section files, satisfies the rules, and the build serves each of its
// links.
func TestBuiltFilesKeepTheRules(t *testing.T) {
	t.Parallel()
	dir := rig.Build(t, rig.Root(t), rig.Options{})
	build, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer build.Close()
	base := baseURL(t, public(t, dir, "robots.txt"))
	resolves := func(raw string) bool {
		path, ours := strings.CutPrefix(raw, base)
		if !ours {
			return true // another site's address can't be checked offline
		}
		path, err := url.PathUnescape(path)
		if err != nil {
			return false
		}
		_, found := build.Manifest.Lookup(path)
		return found
	}
	for _, name := range llmsFiles(t, filepath.Join(dir, "public")) {
		for _, err := range llmstxt.Check(public(t, dir, name), resolves) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The sample site's llms.txt explains when to use the site and when not to use it.
func TestBuiltFileHasWhenToUse(t *testing.T) {
	t.Parallel()
	dir := rig.Build(t, rig.Root(t), rig.Options{})
	file, err := llmstxt.Parse(public(t, dir, "llms.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"When to use it", "When not to use it"} {
		if !strings.Contains(file.Info, want) {
			t.Errorf("nothing before the first section says %q", want)
		}
	}
}

// baseURL returns the site's base URL, taken from the sitemap's address in robots.txt.
func baseURL(t *testing.T, robots string) string {
	t.Helper()
	for line := range strings.SplitSeq(robots, "\n") {
		if sitemap, ok := strings.CutPrefix(line, "Sitemap: "); ok {
			u, err := url.Parse(strings.TrimSpace(sitemap))
			if err != nil {
				t.Fatal(err)
			}
			return u.Scheme + "://" + u.Host
		}
	}
	t.Fatal("robots.txt does not list a sitemap")
	return ""
}

// llmsFiles returns llms.txt and its sections: the llms.txt files of folders, and the files under llms/, except files
// with full text.
func llmsFiles(t *testing.T, public string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(public), ".", func(name string, entry fs.DirEntry, err error) error {
		section := strings.HasPrefix(name, "llms/") && strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, "-full.md")
		if err == nil && !entry.IsDir() && (entry.Name() == "llms.txt" || section) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("the build has no llms.txt")
	}
	return names
}

// public reads a file of the build's public folder.
func public(t *testing.T, build, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(build, "public", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
