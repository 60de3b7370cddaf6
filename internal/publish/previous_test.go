package publish

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine/internal/artifact"
)

// publishOne publishes two pages and a platform file. content is the content of one page. If keep is true, publishOne
// keeps the last build if it can be reused.
func publishOne(t *testing.T, dir, content string, options Options, keep bool) Summary {
	t.Helper()
	options.Codings = []artifact.Coding{artifact.Gzip}
	options.Derive = func(m *artifact.Manifest, _ func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]Derived, error) {
		return []Derived{{Name: "edge/table", Body: []byte(content)}, {Name: "public/_headers", Body: []byte(content)}}, nil
	}
	stage, err := Begin(t.Context(), dir, options)
	if err != nil {
		t.Fatal(err)
	}
	if keep && stage.Intact() {
		stage.Keep(Summary{})
	} else {
		for _, name := range []string{"a", "b", "only-" + content} {
			body := slices.Repeat([]byte("always "), 200)
			if name == "a" {
				body = slices.Repeat([]byte(content+" "), 200)
			}
			p, err := stage.Prepare(artifact.Resource{Path: "/" + name, Kind: artifact.KindPage, Variants: []artifact.Variant{{
				File: name + ".html", Body: body, Fields: []artifact.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
			}}})
			if err == nil {
				err = stage.Append(p)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	summary, err := stage.Commit(120, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// With Options.Verify, a build finds and repairs damage that doesn't change the stamp of a file, such as a disk error.
func TestVerify(t *testing.T) {
	pack := func(dir string) string { return filepath.Join("coded", readLedger(dir).packs[0]) }
	for what, name := range map[string]func(dir string) string{
		"a public file": func(string) string { return filepath.Join("public", "a.html") },
		"the pack":      pack,
		"an edge file":  func(string) string { return filepath.Join("edge", "table") },
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			publishOne(t, dir, "one", Options{}, false)
			file := filepath.Join(dir, name(dir))
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			damaged := slices.Clone(data)
			damaged[len(damaged)/2] ^= 1
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			// Simulate damage that the file system doesn't know of.
			l := readLedger(dir)
			if _, err := l.changed(filepath.Join(dir, artifact.PublicDir), true); err != nil {
				t.Fatal(err)
			}
			if time.Sleep(50 * time.Millisecond); what == "a public file" {
				if _, err := l.changed(filepath.Join(dir, artifact.PublicDir), true); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.write(realDisk{}, dir); err != nil {
				t.Fatal(err)
			}
			if summary := publishOne(t, dir, "one", Options{}, true); !summary.Unchanged {
				t.Fatal("the damage was found without reading; this test proves nothing")
			}
			summary := publishOne(t, dir, "one", Options{Verify: true}, true)
			if want := []string{filepath.ToSlash(name(dir))}; summary.Unchanged || !slices.Equal(summary.Damaged, want) {
				t.Errorf("damaged are %v, want %v; unchanged: %t", summary.Damaged, want, summary.Unchanged)
			}
			if is, err := os.ReadFile(file); err != nil || !slices.Equal(is, data) {
				t.Errorf("the file was not made again: %v", err)
			}
			if summary := publishOne(t, dir, "one", Options{Verify: true}, true); !summary.Unchanged {
				t.Errorf("the build after it finds %v", summary.Damaged)
			}
		})
	}
}

// If only stamps have changed, for example in a copy of the folder with hard links, the build reads the files only
// once.
func TestStampsOnly(t *testing.T) {
	dir := t.TempDir()
	publishOne(t, dir, "one", Options{}, false)
	if err := os.Link(filepath.Join(dir, "public", "a.html"), filepath.Join(t.TempDir(), "copy")); err != nil {
		t.Fatal(err)
	}
	if summary := publishOne(t, dir, "one", Options{}, true); !summary.Unchanged {
		t.Error("the last build was not kept")
	}
	time.Sleep(50 * time.Millisecond)
	publishOne(t, dir, "one", Options{}, true)
	l := readLedger(dir)
	if changed, err := l.changed(filepath.Join(dir, "public"), false); err != nil || len(changed) > 0 {
		t.Errorf("the ledger still does not know %v, %v", changed, err)
	}
}

// In a private folder, only folders are checked. A missing file is noticed, but not a file that was changed in place.
func TestPrivateFolder(t *testing.T) {
	private := Options{Private: true}
	for what, c := range map[string]struct {
		change    func(file string) error
		options   Options
		unchanged bool
	}{
		"nothing":                        {func(string) error { return nil }, private, true},
		"other bytes":                    {func(file string) error { return os.WriteFile(file, []byte("other"), 0o600) }, private, true},
		"other bytes, not private":       {func(file string) error { return os.WriteFile(file, []byte("other"), 0o600) }, Options{}, false},
		"other bytes, with verification": {func(file string) error { return os.WriteFile(file, []byte("other"), 0o600) }, Options{Private: true, Verify: true}, false},
		"a file removed":                 {os.Remove, private, false},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			publishOne(t, dir, "one", private, false)
			if err := c.change(filepath.Join(dir, "public", "a.html")); err != nil {
				t.Fatal(err)
			}
			if summary := publishOne(t, dir, "one", c.options, true); summary.Unchanged != c.unchanged {
				t.Errorf("the last build was kept: %t, want %t", summary.Unchanged, c.unchanged)
			}
		})
	}
}

// A copy of a build folder, for example from the cache of CI, is reused if it has exactly the files and the bytes of
// the build.
func TestCopiedFolder(t *testing.T) {
	for what, c := range map[string]struct {
		change    func(dir string) error
		unchanged bool
	}{
		"nothing":         {func(string) error { return nil }, true},
		"no spare folder": {func(dir string) error { return os.RemoveAll(filepath.Join(dir, ".spare", "public")) }, true},
		"other bytes": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "public", "a.html"), []byte("other"), 0o600)
		}, false},
		"a file removed":   {func(dir string) error { return os.Remove(filepath.Join(dir, "public", "a.html")) }, false},
		"a folder removed": {func(dir string) error { return os.RemoveAll(filepath.Join(dir, "public")) }, false},
		"a file added":     {func(dir string) error { return os.WriteFile(filepath.Join(dir, "public", "c.html"), nil, 0o600) }, false},
		"a folder added":   {func(dir string) error { return os.Mkdir(filepath.Join(dir, "public", "c"), 0o700) }, false},
		"no packs":         {func(dir string) error { return os.RemoveAll(filepath.Join(dir, "coded")) }, false},
		"no edge file":     {func(dir string) error { return os.Remove(filepath.Join(dir, "public", "_headers")) }, false},
		"another manifest": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "manifest"), []byte("other"), 0o600) }, false},
	} {
		t.Run(what, func(t *testing.T) {
			first, dir, fresh := t.TempDir(), filepath.Join(t.TempDir(), "copy"), t.TempDir()
			publishOne(t, first, "two", Options{}, false)
			publishOne(t, first, "one", Options{}, false) // now there is a spare folder
			time.Sleep(50 * time.Millisecond)             // so that the copy's files have a different time
			if err := os.CopyFS(dir, os.DirFS(first)); err != nil {
				t.Fatal(err)
			}
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			if summary := publishOne(t, dir, "one", Options{}, true); summary.Unchanged != c.unchanged {
				t.Errorf("the copied build was kept: %t, want %t", summary.Unchanged, c.unchanged)
			}
			if summary := publishOne(t, dir, "one", Options{}, true); !summary.Unchanged {
				t.Error("the build after it was not kept")
			}
			for _, content := range []string{"two", "three"} {
				publishOne(t, dir, content, Options{}, false)
				publishOne(t, fresh, content, Options{}, false)
				for _, name := range []string{"manifest", "public/a.html", "public/_headers"} {
					is, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
					want, failed := os.ReadFile(filepath.Join(fresh, filepath.FromSlash(name)))
					if err != nil || failed != nil || !slices.Equal(is, want) {
						t.Errorf("%s of the build %q differs from a fresh build's: %v, %v", name, content, err, failed)
					}
				}
				b, err := artifact.OpenOwn(dir)
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Verify(t.Context()); err != nil {
					t.Error(err)
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
