package preview

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"vitrine/internal/build"
)

// testSite is a site's folder that tests write to.
type testSite struct {
	t    *testing.T
	root string
}

func newTestSite(t *testing.T, names ...string) testSite {
	f := testSite{t, t.TempDir()}
	for _, name := range names {
		f.write(name, "before")
	}
	return f
}

func (f testSite) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f testSite) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f testSite) write(name, text string) {
	f.t.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o777))
	f.must(os.WriteFile(f.path(name), []byte(text), 0o666))
}

func (f testSite) rename(from, to string) { f.t.Helper(); f.must(os.Rename(f.path(from), f.path(to))) }

func (f testSite) remove(name string) { f.t.Helper(); f.must(os.RemoveAll(f.path(name))) }

func (f testSite) link(to, name string) { f.t.Helper(); f.must(os.Symlink(to, f.path(name))) }

// waitFor waits until w has reported all wanted paths and returns the other reported paths.
func waitFor(t *testing.T, w *Watcher, wanted ...string) (others []string) {
	t.Helper()
	missing := slices.Clone(wanted)
	for len(missing) > 0 {
		select {
		case <-t.Context().Done():
			t.Fatalf("not reported: %v", missing)
		case changed := <-w.Changes():
			for _, name := range changed {
				missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
				if !slices.Contains(wanted, name) {
					others = append(others, name)
				}
			}
		}
	}
	return others
}

// watchers runs test once with events and once with polling.
func watchers(t *testing.T, test func(t *testing.T, poll time.Duration)) {
	t.Run("notified", func(t *testing.T) { test(t, 0) })
	t.Run("polled", func(t *testing.T) { test(t, time.Millisecond) })
}

func watch(t *testing.T, f testSite, poll time.Duration) *Watcher {
	t.Helper()
	w, err := Watch(t.Context(), f.root, WatchOptions{Poll: poll, Notice: func(text string) { t.Error(text) }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// All changes to files and folders are reported, including later changes in new folders.
func TestWatch(t *testing.T) {
	watchers(t, func(t *testing.T, poll time.Duration) {
		f := newTestSite(t, "content/a.md", "content/sub/b.md")
		w := watch(t, f, poll)
		for _, step := range []struct {
			name string
			do   func()
			want []string
		}{
			{"a file is written", func() { f.write("content/a.md", "after") }, []string{"content/a.md"}},
			{"a file is created", func() { f.write("content/c.md", "new") }, []string{"content/c.md"}},
			{"a file is renamed", func() { f.rename("content/c.md", "content/d.md") }, []string{"content/c.md", "content/d.md"}},
			{"a save by rename", func() { f.write("content/.d.tmp", "saved"); f.rename("content/.d.tmp", "content/d.md") }, []string{"content/d.md"}},
			{"a file is deleted", func() { f.remove("content/d.md") }, []string{"content/d.md"}},
			{"nested folders are created and filled", func() { f.write("content/x/y/z/deep.md", "deep") }, []string{"content/x/y/z/deep.md"}},
			{"a file in a new folder is written", func() { f.write("content/x/y/z/deep.md", "deeper") }, []string{"content/x/y/z/deep.md"}},
			{"a folder is renamed", func() { f.rename("content/x", "content/w") }, []string{"content/x/y/z/deep.md", "content/w/y/z/deep.md"}},
			{"a file in a renamed folder is written", func() { f.write("content/w/y/z/deep.md", "deepest") }, []string{"content/w/y/z/deep.md"}},
			{"a folder is deleted", func() { f.remove("content/w") }, []string{"content/w/y/z/deep.md"}},
			{"a folder comes back", func() { f.write("content/w/y/z/deep.md", "again") }, []string{"content/w/y/z/deep.md"}},
			{"and is written to", func() { f.write("content/w/y/z/deep.md", "and again") }, []string{"content/w/y/z/deep.md"}},
			{"a file becomes a folder", func() { f.remove("content/a.md"); f.write("content/a.md/index.md", "odd") }, []string{"content/a.md/index.md"}},
			{"a folder becomes a file", func() { f.remove("content/a.md"); f.write("content/a.md", "even") }, []string{"content/a.md"}},
			{"the templates appear", func() { f.write("templates/layouts/page.html", "new") }, []string{"templates/layouts/page.html"}},
			{"a template is written", func() { f.write("templates/layouts/page.html", "newer") }, []string{"templates/layouts/page.html"}},
			{"all content is removed", func() { f.remove("content") }, []string{"content/sub/b.md", "content/a.md"}},
			{"and comes back", func() { f.write("content/sub/b.md", "back") }, []string{"content/sub/b.md"}},
			{"and is written to", func() { f.write("content/sub/b.md", "to stay") }, []string{"content/sub/b.md"}},
		} {
			step.do()
			waitFor(t, w, step.want...)
			t.Log(step.name)
		}
	})
}

// Changes to hidden files, to editors' temporary files, and to files outside the watched folders, such as the build,
// aren't reported.
func TestWatchIsQuiet(t *testing.T) {
	watchers(t, func(t *testing.T, poll time.Duration) {
		f := newTestSite(t, "content/a.md", "build/public/index.html")
		w := watch(t, f, poll)
		for _, name := range []string{"content/.a.md.swp", "content/a.md~", "content/#a.md#", "content/.git/index", "build/public/index.html", "build/new.html", "README.md", ".git/HEAD"} {
			f.write(name, "after")
		}
		f.write("content/a.md", "after")
		if others := waitFor(t, w, "content/a.md"); others != nil {
			t.Errorf("also reported: %v", others)
		}
	})
}

// The folder .well-known is content, although its name starts with a dot.
func TestWatchWellKnown(t *testing.T) {
	f := newTestSite(t, "content/static/.well-known/x.txt")
	w := watch(t, f, 0)
	f.write("content/static/.well-known/x.txt", "after")
	waitFor(t, w, "content/static/.well-known/x.txt")
}

// Like the loader, the watcher follows symbolic links. It reports a changed target under the link's path, although the
// system sends no event for that path.
func TestWatchLinks(t *testing.T) {
	watchers(t, func(t *testing.T, poll time.Duration) {
		f := newTestSite(t, "content/a.md", "content/static/shared/notes.md", "content/static/shared/folder/page.md")
		f.link("static/shared/notes.md", "content/notes.md")
		f.link("static/shared/folder", "content/folder")
		f.link("static/shared/missing.md", "content/missing.md")
		f.link("..", "content/static/shared/folder/circle")
		w := watch(t, f, poll)
		f.write("content/static/shared/notes.md", "after, and longer")
		waitFor(t, w, "content/notes.md")
		f.write("content/static/shared/folder/page.md", "after")
		waitFor(t, w, "content/folder/page.md")
		f.write("content/static/shared/missing.md", "no longer missing")
		waitFor(t, w, "content/missing.md")
	})
}

// If the system reports lost events, the watcher checks all files.
func TestWatchOverflow(t *testing.T) {
	f := newTestSite(t, "content/a.md", "content/sub/b.md", "content/gone.md")
	w, err := newWatcher(f.root, WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.system.Close()
	w.scan()
	f.write("content/a.md", "after, and longer")
	f.write("content/new/c.md", "new")
	f.remove("content/gone.md")
	w.failed(fsnotify.ErrEventOverflow)
	changed := strings.Join(w.look(), " ")
	for _, name := range []string{"content/a.md", "content/new/c.md", "content/gone.md"} {
		if !strings.Contains(changed, name) {
			t.Errorf("%s was not reported, but %s", name, changed)
		}
	}
	if !slices.Contains(w.system.WatchList(), f.path("content/new")) {
		t.Errorf("the new folder is not watched; watching %v", w.system.WatchList())
	}
}

// A recently written file is reported as changed once more because a later write might not change its size and
// modification time.
func TestRacyFiles(t *testing.T) {
	f := newTestSite(t, "content/a.md")
	w, err := newWatcher(f.root, WatchOptions{Poll: time.Hour})
	f.must(err)
	w.scan()
	before, err := os.Stat(f.path("content/a.md"))
	f.must(err)
	f.write("content/a.md", "AFTER!")
	f.must(os.Chtimes(f.path("content/a.md"), before.ModTime(), before.ModTime()))
	if changed := w.scan(); !slices.Equal(changed, []string{"content/a.md"}) {
		t.Errorf("changed: %v", changed)
	}
}

// If the system rejects a watch, the watcher reports how to raise the limit and polls the files.
func TestWatchUnavailable(t *testing.T) {
	f := newTestSite(t, "content/a.md")
	var notice string
	w, err := newWatcher(f.root, WatchOptions{Notice: func(text string) { notice = text }})
	if err != nil {
		t.Fatal(err)
	}
	w.poll(os.NewSyscallError("inotify_add_watch", syscall.ENOSPC))
	if w.system != nil || !strings.Contains(notice, "max_user_watches") || !strings.Contains(notice, "every second") {
		t.Errorf("notice %q", notice)
	}
	w.scan()
	f.write("content/b.md", "new")
	if changed := w.lookUnwatched(); !slices.Contains(changed, "content/b.md") {
		t.Errorf("changed: %v", changed)
	}
}

// Files outside content/ that pages include code from are also checked for changes, creation, and removal.
func TestWatcherChecksFurtherFiles(t *testing.T) {
	f := newTestSite(t, "content/a.md", "examples/main.go")
	w, err := Watch(t.Context(), f.root, WatchOptions{Poll: 10 * time.Millisecond})
	f.must(err)
	read := func(name string) uint64 { return build.HashIncluded(os.ReadFile(filepath.Join(f.root, name))) }
	w.Also(map[string]uint64{"examples/main.go": read("examples/main.go"), "examples/later.go": 0, "content/a.md": 0})
	f.write("examples/main.go", "after it")
	waitFor(t, w, "examples/main.go")
	f.write("examples/later.go", "new")
	waitFor(t, w, "examples/later.go")
	f.remove("examples/main.go")
	waitFor(t, w, "examples/main.go")
}

// Regression test: a file outside content/ that changes between being read by a build and being watched must be
// reported once.
func TestWatcherReportsChangesSinceTheBuild(t *testing.T) {
	f := newTestSite(t, "examples/main.go", "examples/gone.go", "examples/same.go")
	w, err := newWatcher(f.root, WatchOptions{Poll: time.Hour})
	f.must(err)
	read := func(name string) uint64 { return build.HashIncluded(os.ReadFile(filepath.Join(f.root, name))) }
	files := map[string]uint64{"examples/main.go": 0, "examples/gone.go": 0, "examples/same.go": 0, "examples/new.go": 0}
	for name := range files {
		files[name] = read(name)
	}
	f.write("examples/main.go", "after it was read")
	f.write("examples/new.go", "new")
	f.remove("examples/gone.go")
	w.Also(files)
	changed := w.lookOthers()
	slices.Sort(changed)
	if want := []string{"examples/gone.go", "examples/main.go", "examples/new.go"}; !slices.Equal(changed, want) {
		t.Errorf("changed: %v, want %v", changed, want)
	}
	w.Also(files)
	if again := w.lookOthers(); len(again) > 0 {
		t.Errorf("reported again: %v", again)
	}
}
