package publish

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// If the state of the spare public folder is unknown, for example after the first build, a build creates that folder
// with hard links to all files of the previous build. Each link takes a system call, so the build creates the links
// while it generates pages. When all pages are generated, the build replaces the files that differ.

// links tracks the creation of a spare public folder.
type links struct {
	// begun reports whether the workers have started to create files, and quitted reports whether they must stop.
	begun   bool
	over    sync.WaitGroup
	quitted atomic.Bool
	// next is the number of files that the workers have taken so far.
	next atomic.Int64
	// failed contains each worker's error, or nil.
	failed []error
}

// beginLinks starts to link all public files of the previous build into the spare public folder, on all processors.
func (f *spareFiles) beginLinks() {
	f.delta, f.links.begun = true, true
	f.previous.ledger.differs, f.previous.ledger.extra = nil, nil
	names := slices.Collect(f.previous.ledger.all)
	f.links.failed = make([]error, runtime.GOMAXPROCS(0))
	for i := range f.links.failed {
		f.links.over.Go(func() { f.links.failed[i] = f.linkLast(names) })
	}
}

// linkLast runs a worker, which links the files in names that no other worker has taken.
func (f *spareFiles) linkLast(names []string) error {
	const atOnce = 256
	for !f.links.quitted.Load() {
		begin := int(f.links.next.Add(atOnce)) - atOnce
		if begin >= len(names) {
			break
		}
		for _, name := range names[begin:min(begin+atOnce, len(names))] {
			if err := f.link(name); err != nil {
				return fmt.Errorf("reusing %s from the previous build: %w", name, err)
			}
		}
	}
	return nil
}

// wait waits until linking is complete, if it has started, and returns the errors of the workers.
func (l *links) wait() error {
	l.over.Wait()
	return errors.Join(l.failed...)
}

// quit stops linking and waits for the workers. It is called when the spare public folder isn't needed.
func (l *links) quit() {
	l.quitted.Store(true)
	l.over.Wait()
}
