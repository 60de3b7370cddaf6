// Package publish writes a build in such a way that a reader sees either the complete build or none of it. A build is
// staged in a spare folder. Commit syncs the staged files, exchanges the spare public folder and build/public in one
// step, and then renames the new manifest to its place, which is the moment of publication. If a build fails or is
// killed before that moment, the previous build stays valid: a reader looks for each file by name in both folders and
// checks the file's hash. Identical input produces identical bytes, regardless of the order in which workers finish.
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

// Options are the settings of a Stage.
type Options struct {
	// Codings are the content codings in which compressible representations are stored.
	Codings []artifact.Coding
	// SharedCodings are additional content codings for the media types that artifact.Shared selects.
	SharedCodings []artifact.Coding
	// Every contains fields that are added to each representation that doesn't have a field with the same name.
	Every []artifact.Field
	// Derive generates the platform files. It may be nil. If it returns an error, the build isn't published.
	Derive Deriver
	// NoSync disables syncing, so that the operating system decides when data is written to disk. After a power loss,
	// the build may then be damaged.
	NoSync bool
	// Verify makes the stage read every byte of the previous build before it reuses results.
	Verify bool
	// Private is true if no other process writes to the build folder, for example in a preview. The stage then compares
	// only the folders of the previous build with the published state, and not each file.
	Private bool
	// Since is a complete build, or nil. If it is set, the stage writes a sparse build, which contains only the files
	// and packs that Since doesn't have. The stage then treats Since as the previous build, and generates no platform
	// files.
	Since *artifact.Build
	// Part makes the stage only prepare resources for a part of a build. The caller stores these resources. Prepare
	// then keeps all bytes in memory, and the caller must not call Commit.
	Part bool
	// disk is the disk to write to, or nil for the disk of the operating system.
	disk disk
}

// A Stage is a build in progress. Its fields are in the order of the phases that use them.
type Stage struct {
	target
	options Options
	unlock  func()

	// Begin opens the previous build, and checks its files in the background.
	previous previous

	// Prepare writes public files and compresses bodies. Goroutines may call it concurrently.
	files    spareFiles
	encoders *encoders

	// Append and Reuse add resources in order. copier copies reused resources to the new manifest; see Last.
	manifest *artifact.ManifestWriter
	packs    packs
	copying  sync.Once
	copier   *artifact.Copier
	summary  Summary
	// lastFiles maps the names of public files of Options.Since to their variants. ReadLast sets it on the first call.
	finding   sync.Once
	lastFiles map[string]artifact.VariantIndex

	// Unless keep is set, Commit generates platform files, publishes the build, and calls onPublished, which may be
	// nil.
	keep        bool
	platforms   platformFiles
	onPublished func(Summary, []uint32) error
}

// A Summary describes a finished build.
type Summary struct {
	// Pages is the number of pages, and Files is the number of public files.
	Pages, Files int
	// Bytes is the total size of the public files in bytes.
	Bytes int64
	// Build is the ID of the build; see artifact.Manifest.
	Build uint64
	// Unchanged reports whether Commit kept the previous build; see Stage.Keep.
	Unchanged bool
	// Damaged contains the names of the previous build's files that had changed since their publication and that this
	// build has written again. Unknown contains the new names of files that were in build/public but belonged to no
	// build.
	Damaged, Unknown []string
}

// Begin starts a build in the folder dir, which it creates if it is missing. It returns an error if dir is not empty
// and wasn't created by a build. If another build in dir is in progress, Begin waits until that build ends or ctx is
// done. The caller must call either Commit or Abort.
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

// SetNextDue sets the time at which the next scheduled page is due, or the zero Time if no page is scheduled; see
// artifact.Manifest.
func (s *Stage) SetNextDue(t time.Time) { s.manifest.SetNextDue(t) }

// Commit publishes the build, or keeps the previous build if Keep was called. limit and window are the server's request
// allowance, limit requests per window, which Commit stores in the manifest.
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
	// The spare folder now contains the previous build. A server may still be reading that build, so don't discard it
	// after an error.
	if err := s.conclude(m, gone); err != nil {
		return Summary{}, err
	}
	return s.summary, nil
}

// publish stages all remaining files and publishes the build. It returns the manifest. gone lists the names of the
// previous build's public files that the new build doesn't have. After an error, the previous build is still published.
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

// finishManifest finishes the packs and generates the manifest. data is the manifest in encoded form.
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
// next to that folder. staged is the path of that manifest.
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

// prepareSwap removes the ledger, turns the spare public folder into the new build, and writes the new manifest next to
// that folder. staged is the path of that manifest.
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
		return "", fmt.Errorf("saving the previous manifest: %w", err)
	}
	staged = filepath.Join(s.spare, artifact.ManifestFile)
	if err := s.disk.write(staged, manifest); err != nil {
		return "", fmt.Errorf("writing the manifest: %w", err)
	}
	return staged, nil
}

// conclude finishes the publication of m. It first syncs the publication to disk. Only then does it place the platform
// files and remove packs that are no longer needed. Finally, it writes the ledger, for which gone lists the previous
// build's public files that m doesn't have, and calls onPublished.
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

// keepLast ensures that the previous build is synced and that its ledger is valid.
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

// Abort discards the build. The previous build stays published.
func (s *Stage) Abort() error {
	defer s.unlock()
	// Ignore the error, because this build reuses nothing of the previous build.
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
