package preview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"vitrine/internal/build"
	"vitrine/internal/folder"
)

// The watcher reports changes after a period without further changes. These constants determine the period's length.
const (
	// quiet is the usual period. It is long enough for an editor to write a file in several steps, but too short for
	// people to notice.
	quiet = 10 * time.Millisecond
	// quietAmongMany is the period if at least many paths have changed, for example in a checkout or a copy. It is
	// longer because the program making these changes may pause briefly.
	quietAmongMany = 80 * time.Millisecond
	// many is the minimum number of changed paths for which quietAmongMany applies.
	many = 32
	// longest is the maximum time from the first change to the report. Without it, continuous changes would never be
	// reported.
	longest = time.Second
)

// pollInterval is the default interval for checking files about which the system sends no events.
const pollInterval = time.Second

// WatchOptions configures how a site's folder is watched.
type WatchOptions struct {
	// Poll is the interval for checking every file, for file systems without change events, such as network file
	// systems and some containers. If it is 0, the watcher uses events.
	Poll time.Duration
	// Notice is called with a message if watching doesn't work as requested. It may be nil.
	Notice func(string)
}

// Watcher reports the changed files of a site. Events only select the paths to check: for each path, the watcher
// compares the file with its previous state.
type Watcher struct {
	options WatchOptions
	root    string
	tree    folder.Tree
	// system receives the system's change events, or is nil while polling.
	system  *fsnotify.Watcher
	changes chan []string

	// dirty contains the operations in the received events, keyed by the path to check.
	dirty map[string]fsnotify.Op
	// all reports whether all files must be checked because events may have been lost.
	all bool
	// began is the time of the first event since the last check, or the zero time if there is no such event.
	began time.Time

	// mu guards others.
	mu sync.Mutex
	// others contains the last known states of additional files to check, keyed by name; see Also.
	others map[string]fileState
}

// fileState identifies a version of a file outside the watched folders. It is the zero value if the file doesn't exist.
type fileState struct {
	modified time.Time
	size     int64
}

// Also adds files to check, such as code included by pages. The keys are names relative to the site's root, and the
// values are hashes of the contents read by the build. Also skips files already watched. If a file no longer has its
// hash, the next check reports the file as changed. Also is safe for concurrent use.
func (w *Watcher) Also(files map[string]uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, hash := range files {
		if _, known := w.others[name]; known || folder.Contains(name) {
			continue
		}
		if w.others == nil {
			w.others = make(map[string]fileState)
		}
		w.others[name] = w.stateOf(name)
		if build.HashIncluded(os.ReadFile(w.local(name))) != hash {
			// No file can have this state, so the next check reports a change.
			w.others[name] = fileState{size: -1}
		}
	}
}

func (w *Watcher) stateOf(name string) fileState {
	info, err := os.Stat(w.local(name))
	if err != nil {
		return fileState{}
	}
	return fileState{info.ModTime(), info.Size()}
}

// lookOthers checks the files that Also added and returns the changed ones.
func (w *Watcher) lookOthers() (changed []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, was := range w.others {
		if now := w.stateOf(name); now != was {
			w.others[name] = now
			changed = append(changed, name)
		}
	}
	return changed
}

// Watch watches the folders of a site until ctx ends. Changes before Watch returns aren't reported.
func Watch(ctx context.Context, root string, options WatchOptions) (*Watcher, error) {
	w, err := newWatcher(root, options)
	if err != nil {
		return nil, err
	}
	w.scan()
	go w.run(ctx)
	return w, nil
}

// newWatcher returns a Watcher that isn't watching yet.
func newWatcher(root string, options WatchOptions) (*Watcher, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("resolving symbolic links in the path of the site's folder: %w", err)
	}
	w := &Watcher{
		options: options, root: root, changes: make(chan []string), dirty: make(map[string]fsnotify.Op),
	}
	if options.Poll == 0 {
		w.begin()
	}
	return w, nil
}

// Changes returns a channel of lists of changed paths. The paths are sorted, relative to the site's root, and contain
// forward slashes. Lists that aren't received immediately are merged. The channel is closed after ctx ends.
func (w *Watcher) Changes() <-chan []string { return w.changes }

// begin prepares to receive the operating system's change events. If events aren't available, begin switches to
// polling.
func (w *Watcher) begin() {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.poll(err)
		return
	}
	w.system = system
	w.tree.OnFolder, w.tree.OnGone = w.watch, w.unwatch
}

// local returns the full path of the named file in the operating system's syntax.
func (w *Watcher) local(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// scan checks all files and returns the changed ones. It opens the site's folder each time, because the folder may have
// been replaced.
func (w *Watcher) scan() []string {
	return w.within(func(site *folder.Folder) []string { return w.tree.Scan(site) })
}

// refresh checks the named files and returns the changed ones.
func (w *Watcher) refresh(names []string) []string {
	return w.within(func(site *folder.Folder) []string { return w.tree.Refresh(site, names) })
}

func (w *Watcher) within(look func(*folder.Folder) []string) []string {
	site, err := folder.Open(w.root)
	if err != nil {
		// Ignore the error: the folder may have been removed, and may be created again.
		return nil
	}
	// Ignore the error: no data was written, so none can be lost.
	defer site.Close()
	return look(site)
}

func (w *Watcher) watch(name string) {
	if w.system == nil {
		return
	}
	err := w.system.Add(w.local(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		w.poll(err)
	}
}

func (w *Watcher) unwatch(name string) {
	if w.system != nil {
		// Ignore the error: the watch of a removed folder is already gone.
		_ = w.system.Remove(w.local(name))
	}
}

// poll switches to checking the files at intervals. reason is the error that prevents the watcher from receiving
// events.
func (w *Watcher) poll(reason error) {
	if w.system != nil {
		_ = w.system.Close()
		w.system = nil
	}
	w.tree.OnFolder, w.tree.OnGone = nil, nil
	if w.options.Notice != nil {
		w.options.Notice(fmt.Sprintf("the system does not report changes (%s); checking all files every second instead", explainWatch(reason)))
	}
}

// explainWatch returns the message for err, an error in watching for events. If a limit has been reached, the message
// contains the Linux command that raises it.
func explainWatch(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the system limit on watched folders has been reached; raise it with: sudo sysctl fs.inotify.max_user_watches=524288"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "the system limit on open files or inotify instances has been reached; raise it with: sudo sysctl fs.inotify.max_user_instances=512"
	}
	return err.Error()
}

func (w *Watcher) run(ctx context.Context) {
	defer close(w.changes)
	defer func() {
		if w.system != nil {
			_ = w.system.Close()
		}
	}()
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	interval := cmp.Or(w.options.Poll, pollInterval)
	look := time.NewTicker(interval)
	defer look.Stop()
	var waiting []string
	for {
		var events <-chan fsnotify.Event
		var failures <-chan error
		if w.system != nil {
			events, failures = w.system.Events, w.system.Errors
		}
		var out chan<- []string
		if len(waiting) > 0 {
			out = w.changes
		}
		select {
		case <-ctx.Done():
			return
		case out <- waiting:
			waiting = nil
		case event, ok := <-events:
			if ok && w.note(event) {
				settled.Reset(w.patience())
			}
		case err, ok := <-failures:
			if ok && err != nil {
				w.failed(err)
				settled.Reset(w.patience())
			}
		case <-settled.C:
			waiting = merged(waiting, w.look())
		case <-look.C:
			began := time.Now()
			waiting = merged(waiting, merged(w.lookUnwatched(), w.lookOthers()))
			// If checks take long, check less often, so that they take up at most about 5% of the time.
			look.Reset(max(interval, 20*time.Since(began)))
		}
	}
}

// note records event and reports whether it is about a watched path.
func (w *Watcher) note(event fsnotify.Event) bool {
	below, err := filepath.Rel(w.root, event.Name)
	name := filepath.ToSlash(below)
	if err != nil || event.Op == 0 || !folder.Contains(name) {
		return false
	}
	if w.began.IsZero() {
		w.began = time.Now()
	}
	w.dirty[name] |= event.Op
	return true
}

// failed handles an error of the event source: events may have been lost, so the next check covers all files.
func (w *Watcher) failed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) && w.options.Notice != nil {
		w.options.Notice(fmt.Sprintf("receiving change events failed (%v); checking every file again", err))
	}
	w.all = true
	if w.began.IsZero() {
		w.began = time.Now()
	}
}

// patience returns how long to wait for further changes before checking.
func (w *Watcher) patience() time.Duration {
	wait := quiet
	if len(w.dirty) >= many || w.all {
		wait = quietAmongMany
	}
	return max(0, min(wait, longest-time.Since(w.began)))
}

// look checks the paths of the recorded events, or all files if events were lost. It returns the changed files.
func (w *Watcher) look() []string {
	dirty, all := w.dirty, w.all
	w.dirty, w.all, w.began = make(map[string]fsnotify.Op), false, time.Time{}
	if all {
		return merged(w.scan(), w.written(dirty))
	}
	return merged(w.refresh(slices.Sorted(maps.Keys(dirty))), w.written(dirty))
}

// written returns the files that were written or moved into place. They are reported as changed even if their size and
// modification time are unchanged, because two writes may happen within one tick of the file system's clock.
func (w *Watcher) written(dirty map[string]fsnotify.Op) []string {
	var changed []string
	for name, op := range dirty {
		if op&(fsnotify.Write|fsnotify.Create) != 0 && w.tree.IsFile(name) {
			changed = append(changed, name)
		}
	}
	return changed
}

// lookUnwatched checks the files about which the system sends no events and returns the changed ones. These are all
// files while polling, otherwise the targets of symbolic links.
func (w *Watcher) lookUnwatched() []string {
	if w.system == nil {
		return w.scan()
	}
	return w.refresh(w.tree.Links())
}

// merged returns the sorted union of a and b.
func merged(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}
