// Package publish writes a build so that a reader sees either all of it or none of it. Artifacts are staged in a spare
// folder. Commit syncs them, exchanges the spare public folder and build/public in one step, and renames the new
// manifest into place, which is the moment of publication. A build that fails or is killed before that leaves the last
// build unchanged: a reader finds its files by name in one of the two folders and checks them by hash. Identical
// artifacts produce identical bytes, regardless of the order in which the workers finish.
package publish

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"vitrine/internal/artifact"
)

// Options contains the settings for writing a build.
type Options struct {
	// Codings are the content codings of the representations.
	Codings []artifact.Coding
	// SharedCodings are additional content codings for representations that artifact.Shared selects.
	SharedCodings []artifact.Coding
	// Every contains the fields to add to every representation that lacks a field of that name.
	Every []artifact.Field
	// Derive generates the platform files, or is nil. An error stops the publication.
	Derive Deriver
	// NoSync disables syncing, so the system decides when data reaches the disk. After a power loss, the build may then
	// be damaged.
	NoSync bool
	// Verify makes the build read every byte of the last build before reusing any of it.
	Verify bool
	// Private reports whether no other process writes to the folder, as with a preview's own folder. If so, a build
	// compares only the folders of the last build with the published state, not each file.
	Private bool
	// Since is a complete build, or nil. If it is set, the stage writes a sparse build: only the files and packs that
	// Since lacks. It treats Since as the last build, and generates no platform files.
	Since *artifact.Build
	// Part means that the stage only prepares resources for a part of a build, and that the part is stored elsewhere.
	// Prepare then keeps all bytes in memory, and the stage is never committed.
	Part bool
	// disk is the file system, or nil for the real file system.
	disk disk
}

// Stage is a build in progress. Its fields are in the order of its phases.
type Stage struct {
	target
	options Options
	unlock  func()

	// Begin finds the last build, and checks its files in the background.
	previous previous

	// Prepare writes public files and compresses bodies. It may run on all processors.
	files    spareFiles
	encoders *encoders

	// Append and Reuse add resources in order. copier copies resources of the last build; see Last.
	manifest *artifact.ManifestWriter
	packs    packs
	copying  sync.Once
	copier   *artifact.Copier
	summary  Summary
	// lastFiles contains the public files of Options.Since; see ReadLast.
	finding   sync.Once
	lastFiles map[string]artifact.VariantIndex

	// Commit generates the platform files and publishes the build, or keeps the last build if keep is set. onPublished
	// is called at the end of Commit unless it is nil.
	keep        bool
	platforms   platformFiles
	onPublished func(Summary, []uint32) error
}

// Summary counts the contents of a build.
type Summary struct {
	// Pages is the number of pages, which have several representations, and Files is the number of public files.
	Pages, Files int
	// Bytes is the total size of the public files in bytes.
	Bytes int64
	// Build identifies the build; see artifact.Manifest.
	Build uint64
	// Unchanged reports whether the last build was kept; see Stage.Keep.
	Unchanged bool
	// Damaged contains the regenerated files of the last build, whose bytes had changed since its publication. Unknown
	// contains the current names of files found in build/public that belong to no build.
	Damaged, Unknown []string
}

// Begin opens a stage for a build in dir, and creates dir if it is missing. It rejects a folder that isn't empty and
// wasn't created by a build. If another build of the same folder is in progress, Begin waits until that build or ctx
// ends.
func Begin(ctx context.Context, dir string, options Options) (*Stage, error) {
	d := options.disk
	if d == nil {
		d = realDisk{}
	}
	if err := rejectReplacing(dir, options); err != nil {
		return nil, err
	}
	if err := claim(d, dir); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(ctx, dir)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("waiting for another build in %s to finish: %w", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the build folder: %w", err)
	}
	s := &Stage{
		target:  target{dir: dir, spare: filepath.Join(dir, artifact.SpareDir), disk: d, noSync: options.NoSync},
		options: options, unlock: unlock,
		encoders: newEncoders(), manifest: artifact.NewManifestWriter(),
	}
	s.previous.target, s.files.target, s.packs.target, s.platforms.target = &s.target, &s.target, &s.target, &s.target
	s.files.previous, s.packs.manifest = &s.previous, s.manifest
	s.previous.since, s.packs.since = options.Since, options.Since
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Abort())
	}
	return s, nil
}

func (s *Stage) open(ctx context.Context) error {
	switch {
	case s.options.Since != nil:
		return s.openSparse()
	case s.options.Part:
		return nil
	}
	if err := s.finishInterrupted(ctx); err != nil {
		return err
	}
	s.previous.open(ctx, s.options.Private, s.options.Verify)
	s.platforms.before = s.previous.derived()
	restamp, err := s.files.clearOld()
	if err != nil {
		return err
	}
	if l := s.previous.ledger; l != nil && restamp {
		s.previous.dirty = true
		_, err = l.changed(s.Public(), true)
	}
	return err
}

// SetNextDue sets the time when the next scheduled page is due, or the zero Time if no page is scheduled; see
// artifact.Manifest.
func (s *Stage) SetNextDue(t time.Time) { s.manifest.SetNextDue(t) }

// Commit publishes the build, or keeps the last build; see Keep. The manifest sets the server's allowance: limit requests per
// window.
func (s *Stage) Commit(limit int, window time.Duration) (Summary, error) {
	defer s.unlock()
	if err := s.previous.settle(); err != nil {
		return Summary{}, errors.Join(err, s.discard())
	}
	if s.keep {
		return s.summary, s.keepLast()
	}
	m, gone, err := s.publish(limit, window)
	if err != nil {
		return Summary{}, errors.Join(err, s.discard())
	}
	// The spare folder contains the last build, which a server may still be reading, so don't discard it on error.
	if err := s.conclude(m, gone); err != nil {
		return Summary{}, err
	}
	return s.summary, nil
}

// publish stages the remaining files and publishes the build. If it fails, the last build is unchanged. It returns the
// manifest, and in gone the public files of the last build that the new build lacks.
func (s *Stage) publish(limit int, window time.Duration) (m *artifact.Manifest, gone []string, err error) {
	data, m, err := s.finishManifest(limit, window)
	if err != nil {
		return nil, nil, err
	}
	gone = s.gone()
	staged, err := s.stageAll(m, data, gone)
	if err != nil {
		return nil, nil, err
	}
	if err := s.keepUnknown(m); err != nil {
		return nil, nil, fmt.Errorf("setting aside files that were not created by a build: %w", err)
	}
	if err := s.syncStaged(gone); err != nil {
		return nil, nil, err
	}
	if err := swap(s.disk, s.dir); err != nil {
		return nil, nil, fmt.Errorf("moving the new build into place: %w", err)
	}
	if err := s.disk.rename(staged, filepath.Join(s.dir, artifact.ManifestFile)); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("moving the new manifest into place: %w", err), swap(s.disk, s.dir))
	}
	return m, gone, nil
}

// finishManifest finishes the packs and the manifest.
func (s *Stage) finishManifest(limit int, window time.Duration) (data []byte, m *artifact.Manifest, err error) {
	if err := s.files.start(); err != nil {
		return nil, nil, err
	}
	if err := s.packs.place(); err != nil {
		return nil, nil, fmt.Errorf("finishing the compressed representations: %w", err)
	}
	if data, err = s.manifest.Bytes(limit, window); err != nil {
		return nil, nil, fmt.Errorf("generating the manifest: %w", err)
	}
	if m, err = artifact.ReadManifestBytes(data); err != nil {
		return nil, nil, fmt.Errorf("reading the new manifest back: %w", err)
	}
	s.summary.Build = m.Build
	return data, m, nil
}

// stageAll generates the platform files, turns the spare public folder into the new build, and writes the new manifest
// next to that folder. It returns the name of the staged manifest.
func (s *Stage) stageAll(m *artifact.Manifest, data []byte, gone []string) (staged string, err error) {
	var underivable error
	var deriving sync.WaitGroup
	if s.options.Derive != nil && s.options.Since == nil {
		deriving.Go(func() { underivable = s.platforms.derive(m, s.options.Derive) })
	}
	staged, err = s.prepareSwap(data, gone)
	if deriving.Wait(); underivable != nil {
		return "", fmt.Errorf("generating the platform files: %w", underivable)
	}
	if err != nil {
		return "", err
	}
	return staged, s.platforms.place(s.spare, inPublic)
}

// prepareSwap turns the spare public folder into the new build and writes the new manifest next to that folder. The
// ledger is invalid from then on.
func (s *Stage) prepareSwap(manifest []byte, gone []string) (staged string, err error) {
	if err := s.forgetLedger(); err != nil {
		return "", fmt.Errorf("starting to publish: %w", err)
	}
	s.files.changing = true
	if s.files.delta {
		if err := s.files.update(gone); err != nil {
			return "", fmt.Errorf("updating the spare folder: %w", err)
		}
	}
	if err := s.keepManifest(); err != nil {
		return "", fmt.Errorf("saving the last manifest: %w", err)
	}
	staged = filepath.Join(s.spare, artifact.ManifestFile)
	if err := s.disk.write(staged, manifest); err != nil {
		return "", fmt.Errorf("writing the manifest: %w", err)
	}
	return staged, nil
}

// conclude ends a publication. Once the new build is on the disk, it removes the files that only the last build needed.
// Then it records the result and calls onPublished.
func (s *Stage) conclude(m *artifact.Manifest, gone []string) error {
	if err := s.syncFolders(); err != nil {
		return err
	}
	if err := s.platforms.placeOutsidePublic(); err != nil {
		return err
	}
	if err := s.packs.sweep(); err != nil {
		return err
	}
	if err := s.record(m, gone); err != nil {
		return err
	}
	s.summary.Damaged = s.previous.damaged
	if s.onPublished != nil {
		return s.onPublished(s.summary, s.manifest.Places())
	}
	return nil
}

// keepLast keeps the last build and ensures that its ledger is valid.
func (s *Stage) keepLast() error {
	l := s.previous.ledger
	if !s.noSync && !l.synced {
		if err := s.sync(s.everything); err != nil {
			return err
		}
		l.synced, s.previous.dirty = true, true
	}
	if !s.previous.dirty {
		return nil
	}
	if err := l.write(s.disk, s.dir); err != nil {
		return fmt.Errorf("recording the publication: %w", err)
	}
	return nil
}

// Abort discards the stage and leaves the last build unchanged.
func (s *Stage) Abort() error {
	defer s.unlock()
	// Ignore an error in the check of the last build.
	_ = s.previous.settle()
	s.packs.close()
	return s.discard()
}

func (s *Stage) discard() error {
	s.files.links.quit()
	if err := s.files.clear(); err != nil {
		return fmt.Errorf("removing the spare folder: %w", err)
	}
	return nil
}
