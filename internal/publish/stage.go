// Package publish writes a build so that a reader sees the whole of it or
// nothing. Artifacts are staged in a spare folder; Commit checks them, lets
// the spare folder and build/public change places in one step, and puts the
// new manifest in place with one rename, which is the moment of publication. A
// build that fails or is killed at any moment before leaves the last one as it
// was: its files are found in one of the two folders, by name, and checked by
// hash. Equal artifacts give equal bytes, whichever worker was first.
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

// Options say how a build is written.
type Options struct {
	// Codings are the content codings to make representations in.
	Codings []artifact.Coding
	// SharedCodings are made beside them where artifact.Shared says that it pays.
	SharedCodings []artifact.Coding
	// Every are fields of every representation that has none of their names.
	Every []artifact.Field
	// Derive, where it is set, makes files for platforms from the manifest of
	// the build. read returns bodies that are not public files. An error keeps
	// the build from being published.
	Derive func(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]Derived, error)
	// NoSync leaves it to the system when what was written is on the disk. A loss of
	// power then leaves whatever it leaves.
	NoSync bool
	// Verify reads every byte of the last build before anything of it is taken over.
	Verify bool
	// Private says that nobody else writes into the folder, as into a preview's own. Only the folders of the last
	// build are then held against what was published, not each of its files.
	Private bool
	// disk is the file system; nil for the real one.
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
	// published says that the moment of publication is over.
	published bool

	// started says that the spare folder is made ready; see start.
	started sync.Once
	failed  error
	// ledger says what the last publication left; nil where that is not known.
	// last is the build that it published, which is read when it is asked for.
	ledger *ledger
	// was is the ledger that was found, whether it holds or not.
	was         *ledger
	examination examination
	reading     sync.Once
	last        *artifact.Manifest
	copying     sync.Once
	copier      *artifact.Copier
	// forgotten says that the ledger was removed, because what it describes is
	// being changed.
	forgotten bool
	// delta says that the spare public folder becomes the new build by what
	// differs, public that there is a build/public of which nothing is known.
	delta, public bool
	// links is how the spare public folder is made where there is none.
	links links
	// written are the public files that were written, same those that were to
	// be, and are as in the last build.
	written, same names
	// copied says that a file was copied because the file system has no hard links.
	copied atomic.Bool
	// damaged are the files of the last build that are not what was built.
	damaged []string
	// restamp says that the stamps of public files were changed by this stage, dirty
	// that the ledger has to be written even where the last build is kept.
	restamp, dirty bool
	// derived are the files for platforms by the hashes of their bytes.
	derived map[string]uint64
	keep    bool
	// onPublished is called when the build is published; see OnPublished.
	onPublished func(Summary, []uint32) error
}

// Summary counts what a build holds.
type Summary struct {
	// Pages is the number of negotiated pages, Files that of public files.
	Pages, Files int
	// Bytes is the size of all public files.
	Bytes int64
	// Build identifies the build; see artifact.Manifest.
	Build uint64
	// Unchanged says that the last build was kept as it is; see Stage.Keep.
	Unchanged bool
	// Damaged are the files of the last build that were not as it had left them, and
	// were made again. Unknown are files that stood in build/public and are of no
	// build, where they are now.
	Damaged, Unknown []string
}

// Begin opens a stage for a build in dir, which is made where it is missing. A
// folder that is not empty, and not one that builds were made in, is refused.
// Begin waits for another build of the same folder to end, or for ctx.
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

// SetNextDue notes when the next scheduled page is due, the zero Time for none;
// see artifact.Manifest.
func (s *Stage) SetNextDue(t time.Time) { s.manifest.SetNextDue(t) }

// Commit publishes the build. limit requests in a window are the allowance
// that the manifest gives a server.
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

// prepareSwap makes the spare public folder the new build and writes its
// manifest beside it. From then on the ledger no longer holds.
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

// Abort throws the stage away and leaves the last build as it was.
func (s *Stage) Abort() error {
	defer s.unlock()
	// What kept the last build from being looked at does not matter any longer.
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

// clear removes what is in the spare folder, but not what a ledger knows of.
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
