// Package publish writes a build so that a reader sees either all of it or none of it. Artifacts are staged in a spare folder.
// Commit checks them, exchanges the spare folder and build/public in one step, and renames the new manifest into place, which
// is the moment of publication. A build that fails or is killed before that leaves the last one unchanged: a reader finds its
// files by name in one of the two folders and checks them by hash. Equal artifacts give equal bytes, regardless of the order of
// the workers.
package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
)

// Options configure how a build is written.
type Options struct {
	// Codings are the content codings of the representations.
	Codings []artifact.Coding
	// SharedCodings are additional ones for representations that artifact.Shared selects.
	SharedCodings []artifact.Coding
	// Every has fields to add to every representation that doesn't have a field of that name.
	Every []artifact.Field
	// Derive makes files for platforms from the manifest of the build, or is nil. read returns bodies that aren't public files.
	// An error stops the publication.
	Derive func(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]Derived, error)
	// NoSync leaves it to the system when data reaches the disk. A power loss may then leave any state.
	NoSync bool
	// Verify reads every byte of the last build before the build reuses any of it.
	Verify bool
	// Private reports that no other process writes to the folder, such as a preview's own folder. Then only the folders of the
	// last build are compared with the published state, and not each file.
	Private bool
	// disk is the file system, or nil for the real one.
	disk disk
}

// Stage is a build that is being written.
type Stage struct {
	dir, spare string
	options    Options
	encoders   *encoders
	unlock     func()
	disk       disk

	folders sync.Map // folders of public files that exist already

	manifest *artifact.ManifestWriter
	segment  segment
	summary  Summary
	// published reports whether the moment of publication has passed.
	published bool

	// started prepares the spare folder; see start.
	started sync.Once
	failed  error
	// ledger describes the last publication, or is nil if that is unknown. last is the build that it published, read on demand.
	ledger *ledger
	// was is the ledger that was found, whether or not its stamps match.
	was         *ledger
	examination examination
	reading     sync.Once
	last        *artifact.Manifest
	copying     sync.Once
	copier      *artifact.Copier
	// forgotten reports whether the ledger was removed because its files are changing.
	forgotten bool
	// delta reports whether the spare public folder becomes the new build by changing the differing files. public reports
	// whether there is a build/public in an unknown state.
	delta, public bool
	// links creates the spare public folder if there is none.
	links links
	// written has the public files that were written. same has the requested files that are unchanged from the last build.
	written, same names
	// copied reports whether a file was copied because the file system has no hard links.
	copied atomic.Bool
	// damaged has the damaged files of the last build.
	damaged []string
	// restamp reports whether this stage changed the stamps of public files. dirty reports whether the ledger must be written
	// even if the last build is kept.
	restamp, dirty bool
	// derived has the hashes of the files for platforms.
	derived map[string]uint64
	keep    bool
	// onPublished is called when the build is published; see OnPublished.
	onPublished func(Summary, []uint32) error
}

// Summary counts the contents of a build.
type Summary struct {
	// Pages is the number of negotiated pages, and Files is the number of public files.
	Pages, Files int
	// Bytes is the size of all public files.
	Bytes int64
	// Build identifies the build; see artifact.Manifest.
	Build uint64
	// Unchanged reports whether the last build was kept; see Stage.Keep.
	Unchanged bool
	// Damaged has the files of the last build that had changed since, and were made again. Unknown has the current names of
	// files that were in build/public but belong to no build.
	Damaged, Unknown []string
}

// Begin opens a stage for a build in dir, and creates dir if it is missing. It rejects a folder that isn't empty and wasn't
// created by a build. It waits until another build of the same folder ends, or until ctx ends.
func Begin(ctx context.Context, dir string, options Options) (*Stage, error) {
	d := options.disk
	if d == nil {
		d = realDisk{}
	}
	if err := claim(d, dir); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(ctx, dir)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("waiting for another build in %s to end: %w", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the build folder: %w", err)
	}
	s := &Stage{
		dir: dir, spare: filepath.Join(dir, artifact.SpareDir), options: options,
		encoders: newEncoders(), unlock: unlock, disk: d,
		manifest: artifact.NewManifestWriter(),
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Abort())
	}
	return s, nil
}

func (s *Stage) open(ctx context.Context) error {
	if err := s.finishInterrupted(); err != nil {
		return err
	}
	s.ledger = readLedger(s.dir)
	s.was = s.ledger
	s.beginExamination(ctx, s.options.Verify)
	if err := s.clearSpare(); err != nil {
		return err
	}
	if s.ledger != nil && s.restamp {
		s.dirty = true
		_, err := s.ledger.changed(s.Public(), true)
		return err
	}
	return nil
}

// start makes the spare folder ready, once there is something to write.
func (s *Stage) start() error {
	s.started.Do(func() { s.failed = s.ready() })
	return s.failed
}

func (s *Stage) ready() error {
	if err := s.settle(); err != nil {
		return err
	}
	if s.Last() == nil {
		s.ledger, s.delta = nil, false
		if err := s.forget(); err != nil {
			return fmt.Errorf("beginning a build: %w", err)
		}
	}
	if err := s.clear(); err != nil {
		return fmt.Errorf("removing an earlier build: %w", err)
	}
	place := filepath.Join(s.spare, newDir)
	if s.last == nil {
		place = filepath.Join(s.spare, artifact.PublicDir)
		s.public = exists(s.Public())
	}
	if err := s.disk.mkdirAll(place); err != nil {
		return fmt.Errorf("making the spare folder: %w", err)
	}
	if s.last != nil && !s.delta {
		s.beginLinks()
	}
	return nil
}

// SetNextDue sets the time when the next scheduled page is due, or the zero Time if no page is scheduled; see
// artifact.Manifest.
func (s *Stage) SetNextDue(t time.Time) { s.manifest.SetNextDue(t) }

// Commit publishes the build. The manifest tells a server to allow limit requests per window.
func (s *Stage) Commit(limit int, window time.Duration) (Summary, error) {
	defer s.unlock()
	if err := s.settle(); err != nil {
		return Summary{}, errors.Join(err, s.discard())
	}
	if s.keep {
		return s.summary, s.keepLast()
	}
	summary, err := s.commit(limit, window)
	if err != nil && !s.published {
		return Summary{}, errors.Join(err, s.discard())
	}
	if err != nil {
		// The spare folder holds the last build now, which may be being served.
		return Summary{}, err
	}
	return summary, nil
}

func (s *Stage) commit(limit int, window time.Duration) (Summary, error) {
	if err := s.start(); err != nil {
		return Summary{}, err
	}
	if err := s.placePacks(); err != nil {
		return Summary{}, fmt.Errorf("finishing the compressed representations: %w", err)
	}
	data, err := s.manifest.Bytes(limit, window)
	if err != nil {
		return Summary{}, fmt.Errorf("making the manifest: %w", err)
	}
	m, err := artifact.ReadManifestBytes(data)
	if err != nil {
		return Summary{}, fmt.Errorf("reading the new manifest back: %w", err)
	}
	s.summary.Build = m.Build
	var underivable error
	var deriving sync.WaitGroup
	deriving.Go(func() { underivable = s.derive(m) })
	gone := s.gone()
	staged, err := s.prepareSwap(data, gone)
	if deriving.Wait(); underivable != nil {
		return Summary{}, fmt.Errorf("making the files for platforms: %w", underivable)
	}
	if err != nil {
		return Summary{}, err
	}
	var before map[string]uint64
	if s.was != nil {
		before = s.was.derived
	}
	if err := s.placeDerived(s.spare, before, inPublic); err != nil {
		return Summary{}, err
	}
	if err := s.keepUnknown(m); err != nil {
		return Summary{}, fmt.Errorf("setting aside files that no build wrote: %w", err)
	}
	if err := s.syncStaged(); err != nil {
		return Summary{}, err
	}
	if err := swap(s.disk, s.dir); err != nil {
		return Summary{}, fmt.Errorf("putting the new build in place: %w", err)
	}
	if err := s.disk.rename(staged, filepath.Join(s.dir, artifact.ManifestFile)); err != nil {
		return Summary{}, errors.Join(fmt.Errorf("putting the new manifest in place: %w", err), swap(s.disk, s.dir))
	}
	s.published = true
	// What the last build needs is removed when the new one is on the disk.
	if err := s.syncFolders(); err != nil {
		return Summary{}, err
	}
	if err := s.placeBesidePublic(before); err != nil {
		return Summary{}, err
	}
	if err := s.sweep(); err != nil {
		return Summary{}, err
	}
	if err := s.enter(m, gone); err != nil {
		return Summary{}, err
	}
	s.summary.Damaged = s.damaged
	if s.onPublished != nil {
		return s.summary, s.onPublished(s.summary, s.manifest.Places())
	}
	return s.summary, nil
}

// prepareSwap turns the spare public folder into the new build and writes its manifest next to it. The ledger is invalid from
// then on.
func (s *Stage) prepareSwap(manifest []byte, gone []string) (staged string, err error) {
	if err := s.forget(); err != nil {
		return "", fmt.Errorf("beginning to publish: %w", err)
	}
	s.forgotten = true
	if s.delta {
		if err := s.update(gone); err != nil {
			return "", fmt.Errorf("bringing the spare folder up to date: %w", err)
		}
	}
	if err := s.keepManifest(); err != nil {
		return "", fmt.Errorf("keeping the last manifest: %w", err)
	}
	staged = filepath.Join(s.spare, artifact.ManifestFile)
	if err := s.disk.write(staged, manifest); err != nil {
		return "", fmt.Errorf("writing the manifest: %w", err)
	}
	return staged, nil
}

// Abort discards the stage and leaves the last build unchanged.
func (s *Stage) Abort() error {
	defer s.unlock()
	// An error of the check of the last build doesn't matter anymore.
	_ = s.settle()
	s.closePacks()
	return s.discard()
}

func (s *Stage) discard() error {
	s.links.quit()
	if err := s.clear(); err != nil {
		return fmt.Errorf("removing the spare folder: %w", err)
	}
	return nil
}

// clear empties the spare folder, except for the files that a ledger describes.
func (s *Stage) clear() error {
	if s.ledger == nil || s.forgotten {
		return s.disk.removeAll(s.spare)
	}
	entries, err := os.ReadDir(s.spare)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		switch e.Name() {
		case ledgerFile:
			continue
		case artifact.PublicDir, artifact.LastManifest, artifact.CodedDir:
			if s.delta && !s.links.begun {
				continue
			}
		}
		if err := s.disk.removeAll(filepath.Join(s.spare, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
