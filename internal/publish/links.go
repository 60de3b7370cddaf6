package publish

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// If there is no known spare public folder, as after a first build, the build creates one with hard links to the files
// of the last build. Each link takes a system call, so linking runs while pages are generated. Differing files are
// replaced when the build is complete.

// links tracks the creation of a spare public folder.
type links struct {
	begun   bool
	over    sync.WaitGroup
	quitted atomic.Bool
	// next is the number of files that the workers have started.
	next atomic.Int64
	// failed contains the error of each worker, or nil if the worker succeeded.
	failed []error
}

// beginLinks starts to link every public file of the last build into the spare folder, on all processors.
func (f *spareFiles) beginLinks() {
	f.delta, f.links.begun = true, true
	f.previous.ledger.differs, f.previous.ledger.extra = nil, nil
	names := slices.Collect(f.previous.ledger.all)
	f.links.failed = make([]error, runtime.GOMAXPROCS(0))
	for i := range f.links.failed {
		f.links.over.Go(func() { f.links.failed[i] = f.linkLast(names) })
	}
}

// linkLast links files that no other worker has started.
func (f *spareFiles) linkLast(names []string) error {
	const atOnce = 256
	for !f.links.quitted.Load() {
		begin := int(f.links.next.Add(atOnce)) - atOnce
		if begin >= len(names) {
			break
		}
		for _, name := range names[begin:min(begin+atOnce, len(names))] {
			if err := f.link(name); err != nil {
				return fmt.Errorf("reusing %s from the last build: %w", name, err)
			}
		}
	}
	return nil
}

// wait waits until linking is complete, if it has started, and returns the workers' errors.
func (l *links) wait() error {
	l.over.Wait()
	return errors.Join(l.failed...)
}

// quit stops linking because the folder is no longer needed.
func (l *links) quit() {
	l.quitted.Store(true)
	l.over.Wait()
}
