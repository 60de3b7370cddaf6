package publish

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// If there is no known spare public folder, as after a first build, the build creates one with hard links to the files of the
// last build. That takes a system call per file, so it runs while pages are made. Differing files are fixed when the build is
// complete.

// links tracks the creation of a spare public folder.
type links struct {
	begun   bool
	over    sync.WaitGroup
	quitted atomic.Bool
	// next is the number of files that the workers have started. failed has an error per worker.
	next   atomic.Int64
	failed []error
}

// beginLinks starts to link every public file of the last build into the spare folder, on all processors.
func (s *Stage) beginLinks() {
	s.delta, s.links.begun = true, true
	s.ledger.differs, s.ledger.extra = nil, nil
	names := slices.Collect(s.ledger.all)
	s.links.failed = make([]error, runtime.GOMAXPROCS(0))
	for i := range s.links.failed {
		s.links.over.Go(func() { s.links.failed[i] = s.linkLast(names) })
	}
}

// linkLast links files that no other worker has started.
func (s *Stage) linkLast(names []string) error {
	const atOnce = 256
	for !s.links.quitted.Load() {
		begin := int(s.links.next.Add(atOnce)) - atOnce
		if begin >= len(names) {
			break
		}
		for _, name := range names[begin:min(begin+atOnce, len(names))] {
			if err := s.link(name); err != nil {
				return fmt.Errorf("taking %s over from the last build: %w", name, err)
			}
		}
	}
	return nil
}

// wait waits until the folder is made, if it is.
func (l *links) wait() error {
	l.over.Wait()
	return errors.Join(l.failed...)
}

// quit ends the making of the folder, which is not needed any more.
func (l *links) quit() {
	l.quitted.Store(true)
	l.over.Wait()
}

// link links a file of build/public into the new public folder. A file in either folder must not be modified in place.
func (s *Stage) link(name string) error {
	path, err := s.place(filepath.Join(s.spare, artifact.PublicDir), name)
	if err != nil {
		return err
	}
	copied, err := s.disk.link(filepath.Join(s.dir, artifact.PublicDir, filepath.FromSlash(name)), path)
	if copied {
		s.copied.Store(true)
	}
	return err
}
