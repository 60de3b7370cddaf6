package publish_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
)

// text returns a body that is large enough to be compressed.
func text(s string) []byte {
	return []byte(strings.Repeat(s+" ", 200))
}

func page(path, content string) []artifact.Resource {
	name := strings.TrimPrefix(path, "/")
	html := artifact.Variant{File: name + ".html", Body: text("<p>" + content), Fields: []artifact.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}}
	twin := artifact.Variant{File: name + ".md", Body: text(content), Fields: []artifact.Field{{Name: "Content-Type", Value: "text/markdown; charset=utf-8"}}}
	return []artifact.Resource{
		{Path: path, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
		{Path: path + ".md", Kind: artifact.KindFile, Variants: []artifact.Variant{twin}},
	}
}

func begin(t *testing.T, dir string) *publish.Stage {
	t.Helper()
	stage, err := publish.Begin(t.Context(), dir, publish.Options{Codings: []artifact.Coding{artifact.Gzip, artifact.Brotli}})
	if err != nil {
		t.Fatal(err)
	}
	return stage
}

func add(t *testing.T, stage *publish.Stage, resources []artifact.Resource) {
	t.Helper()
	p, err := stage.Prepare(resources...)
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Append(p); err != nil {
		t.Fatal(err)
	}
}

// build publishes a site of two pages with the same content.
func build(t *testing.T, dir, content string) publish.Summary {
	t.Helper()
	stage := begin(t, dir)
	add(t, stage, page("/a", content))
	add(t, stage, page("/blog/b", content))
	summary, err := stage.Commit(120, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// read opens the build in dir and returns the HTML of a page.
func read(t *testing.T, dir string) string {
	t.Helper()
	b, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	return readPage(t, b)
}

func readPage(t *testing.T, b *artifact.Build) string {
	t.Helper()
	route, ok := b.Manifest.Lookup("/a")
	if !ok {
		t.Fatal("/a is not in the build")
	}
	body, _ := b.Manifest.BodyIn(route.Variant(0), artifact.Identity)
	html, err := b.Read(route.Variant(0), body)
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}

// files returns the content of every file in dir, except locks and spare folders.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), artifact.SpareDir) {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() && d.Name() != ".lock" {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			found[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A build contains the public files, the manifest, and one pack. A reader can read all of it, including compressed
// representations.
func TestBuildMatchesResources(t *testing.T) {
	dir := t.TempDir()
	summary := build(t, dir, "one")
	if summary.Pages != 2 || summary.Files != 4 {
		t.Errorf("summary %+v, want 2 pages and 4 files", summary)
	}
	if got, want := read(t, dir), string(text("<p>one")); got != want {
		t.Errorf("read %.40q, want %.40q", got, want)
	}
	for _, name := range []string{"public/a.html", "public/a.md", "public/blog/b.html", "public/blog/b.md", "manifest"} {
		if _, ok := files(t, dir)[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}

// Files that pages share also have the codings in Options.SharedCodings.
func TestSharedCodings(t *testing.T) {
	dir := t.TempDir()
	stage, err := publish.Begin(t.Context(), dir, publish.Options{
		Codings: []artifact.Coding{artifact.Gzip}, SharedCodings: []artifact.Coding{artifact.Brotli}})
	if err != nil {
		t.Fatal(err)
	}
	add(t, stage, page("/a", "text"))
	add(t, stage, []artifact.Resource{{Path: "/a.css", Kind: artifact.KindFile, Variants: []artifact.Variant{
		{File: "a.css", Body: text("p {}"), Fields: []artifact.Field{{Name: "Content-Type", Value: "text/css; charset=utf-8"}}}}}})
	if _, err := stage.Commit(120, time.Minute); err != nil {
		t.Fatal(err)
	}
	m, err := artifact.ReadManifestFile(filepath.Join(dir, artifact.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][artifact.Codings]bool{"/a": {true, true, false}, "/a.md": {true, true, false}, "/a.css": {true, true, true}} {
		found, ok := m.Lookup(path)
		if !ok {
			t.Fatalf("%s is not built", path)
		}
		var got [artifact.Codings]bool
		for i := range got {
			_, got[i] = m.BodyIn(found.Variant(0), artifact.Coding(i))
		}
		if got != want {
			t.Errorf("%s has the codings %v, want %v", path, got, want)
		}
	}
}

// Two builds of the same artifacts are identical, byte for byte.
func TestBuildIsDeterministic(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	build(t, a, "one")
	build(t, b, "other")
	build(t, b, "one")
	if !maps.Equal(files(t, a), files(t, b)) {
		t.Error("two builds of the same artifacts differ")
	}
}

// An aborted build leaves the last build unchanged.
func TestAbortLeavesLastBuild(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "one")
	before := files(t, dir)
	stage := begin(t, dir)
	add(t, stage, page("/a", "two"))
	if err := stage.Abort(); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, files(t, dir)) {
		t.Error("an aborted build changed the last one")
	}
}

// If a process is killed at any point of a publication, a reader finds a complete build: the new build if it was
// published, and otherwise the old build.
func TestKilledPublication(t *testing.T) {
	spare := func(dir string, name ...string) string {
		return filepath.Join(append([]string{dir, artifact.SpareDir}, name...)...)
	}
	public := func(dir string) string { return filepath.Join(dir, artifact.PublicDir) }
	manifest := func(dir string) string { return filepath.Join(dir, artifact.ManifestFile) }
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name string
		// undo reverts a finished publication of "two" over "one" to the point at which the process was killed. old is
		// the manifest of "one".
		undo func(t *testing.T, dir, old string)
		// next is the content of the public folder after a later build was aborted.
		next string
	}{
		{"before the folders were exchanged", func(t *testing.T, dir, old string) {
			rename(t, manifest(dir), spare(dir, artifact.ManifestFile))
			rename(t, old, manifest(dir))
			rename(t, public(dir), spare(dir, "new"))
			rename(t, spare(dir, artifact.PublicDir), public(dir))
			rename(t, spare(dir, "new"), spare(dir, artifact.PublicDir))
		}, "one"},
		{"after the folders were exchanged", func(t *testing.T, dir, old string) {
			rename(t, manifest(dir), spare(dir, artifact.ManifestFile))
			rename(t, old, manifest(dir))
		}, "two"},
		{"between the steps of a system that needs three", func(t *testing.T, dir, old string) {
			rename(t, manifest(dir), spare(dir, artifact.ManifestFile))
			rename(t, old, manifest(dir))
			rename(t, spare(dir, artifact.PublicDir), spare(dir, artifact.AsideDir))
			rename(t, public(dir), spare(dir, artifact.PublicDir))
		}, "one"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			build(t, dir, "one")
			old := filepath.Join(t.TempDir(), "manifest")
			data, err := os.ReadFile(manifest(dir))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(old, data, 0o600); err != nil {
				t.Fatal(err)
			}
			pack := onlyPack(t, dir)
			build(t, dir, "two")
			// Restore the old pack, because a build removes old packs only after the manifest is in place.
			if err := os.WriteFile(pack.name, pack.data, 0o600); err != nil {
				t.Fatal(err)
			}
			c.undo(t, dir, old)
			if got := read(t, dir); got != string(text("<p>one")) {
				t.Errorf("a reader sees %.20q", got)
			}
			if err := begin(t, dir).Abort(); err != nil {
				t.Fatal(err)
			}
			if got := read(t, dir); got != string(text("<p>"+c.next)) {
				t.Errorf("after the next build was thrown away a reader sees %.20q, want %s", got, c.next)
			}
			build(t, dir, "three")
			if got := read(t, dir); got != string(text("<p>three")) {
				t.Errorf("after the next build a reader sees %.20q", got)
			}
		})
	}
}

type packFile struct {
	name string
	data []byte
}

func onlyPack(t *testing.T, dir string) packFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, artifact.CodedDir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("packs %v, %v", names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return packFile{names[0], data}
}

// A reader can read the build that it has opened while later builds are published. After the reader has closed the
// build, no files are left that only this reader needed.
func TestReaderKeepsItsBuild(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "one")
	b, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		build(t, dir, fmt.Sprint("later", i))
	}
	if got := readPage(t, b); got != string(text("<p>one")) {
		t.Errorf("the reader sees %.20q", got)
	}
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	build(t, dir, "last")
	spares, err := filepath.Glob(filepath.Join(dir, artifact.SpareDir+"*"))
	if err != nil || len(spares) != 1 {
		t.Errorf("spare folders %v, %v; want one", spares, err)
	}
}

// A reader rejects bytes that have changed since the build, and reports each changed file.
func TestOpenRejectsChangedBytes(t *testing.T) {
	for _, name := range []string{"public/a.html", "public/blog/b.md", "coded"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			build(t, dir, "one")
			path := filepath.Join(dir, name)
			if name == "coded" {
				path = onlyPack(t, dir).name
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for what, changed := range map[string][]byte{
				"a flipped bit":   append(append([]byte{}, data[:len(data)-1]...), data[len(data)-1]^1),
				"a truncated end": data[:len(data)-1],
			} {
				if err := os.WriteFile(path, changed, 0o600); err != nil {
					t.Fatal(err)
				}
				b, err := artifact.Open(dir)
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Verify(t.Context()); !errors.Is(err, artifact.ErrBytes) || !strings.Contains(err.Error(), filepath.Base(path)) {
					t.Errorf("%s: error %v", what, err)
				}
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Builds of the same folder run one after the other. A build that waits can be canceled.
func TestBuildsTakeTurns(t *testing.T) {
	dir := t.TempDir()
	first := begin(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := publish.Begin(ctx, dir, publish.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second build did not wait: %v", err)
	}
	add(t, first, page("/a", "one"))
	if _, err := first.Commit(120, time.Minute); err != nil {
		t.Fatal(err)
	}
	build(t, dir, "two")
}

// A file name that points outside the build is an error, and so are two resources with the same file.
func TestBadNamesFail(t *testing.T) {
	stage := begin(t, t.TempDir())
	defer func() {
		if err := stage.Abort(); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"../escape.html", "/etc/passwd", "a/../../b"} {
		r := artifact.Resource{Path: "/x", Variants: []artifact.Variant{{File: name, Body: []byte("x")}}}
		if _, err := stage.Prepare(r); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	add(t, stage, page("/a", "one"))
	if _, err := stage.Prepare(page("/a", "two")...); err == nil || !strings.Contains(err.Error(), "a.html") {
		t.Errorf("the second resource for a.html: %v", err)
	}
}
