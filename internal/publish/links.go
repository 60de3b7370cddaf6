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

// Where no spare public folder is known, as after a first build, one is made of links
// to the files of the last build. It takes a system call for each of them, which is
// made while pages are: what differs is put right when the build is whole.

// links is the making of a spare public folder.
type links struct {
	begun   bool
	over    sync.WaitGroup
	quitted atomic.Bool
	// next is the number of files that somebody has begun with, failed what kept each
	// of those who make links from going on.
	next   atomic.Int64
	failed []error
}

// beginLinks begins to give every public file of the last build a place in the spare
// folder too, by all processors.
func (s *Stage) beginLinks() {
	s.delta, s.links.begun = true, true
	s.ledger.differs, s.ledger.extra = nil, nil
	names := slices.Collect(s.ledger.all)
	s.links.failed = make([]error, runtime.GOMAXPROCS(0))
	for i := range s.links.failed {
		s.links.over.Go(func() { s.links.failed[i] = s.linkLast(names) })
	}
}

// linkLast links what nobody else has begun with.
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

// link gives a file of build/public a place in the new public folder too. Nobody
// writes to a file of either in place.
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
