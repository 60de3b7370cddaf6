package publish

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// spareFiles are the public files of the build, in the spare folder. start and putPublic are safe for concurrent use.
type spareFiles struct {
	*target
	previous *previous

	// started ensures that start prepares the spare folder only once.
	started sync.Once
	// failed is the error of the preparation, or nil.
	failed error
	// delta reports whether the spare public folder becomes the new build by replacing only the files that differ.
	// unknown reports whether there is a build/public in an unknown state.
	delta, unknown bool
	// links creates the spare public folder if there is none.
	links links
	// folders contains the folders known to exist.
	folders sync.Map
	// written contains the public files written by this build. same contains the requested files unchanged from the
	// last build.
	written, same names
	// copied reports whether a file was copied because the file system has no hard links.
	copied atomic.Bool
	// changing reports whether the ledger was removed because the files that it describes are changing.
	changing bool
}

// start prepares the spare folder on its first call. The stage calls start before it writes anything.
func (f *spareFiles) start() error {
	f.started.Do(func() { f.failed = f.ready() })
	return f.failed
}

func (f *spareFiles) ready() error {
	if err := f.previous.settle(); err != nil {
		return err
	}
	if f.previous.last() == nil {
		f.previous.ledger, f.delta = nil, false
		if err := f.forgetLedger(); err != nil {
			return fmt.Errorf("starting a build: %w", err)
		}
	}
	if err := f.clear(); err != nil {
		return fmt.Errorf("removing an earlier build: %w", err)
	}
	place := filepath.Join(f.spare, newDir)
	if f.previous.manifest == nil || f.previous.since != nil {
		place = filepath.Join(f.spare, artifact.PublicDir)
		f.unknown = exists(f.Public()) && f.previous.since == nil
	}
	if err := f.disk.mkdirAll(place); err != nil {
		return fmt.Errorf("creating the spare folder: %w", err)
	}
	if f.previous.ledger != nil && f.previous.manifest != nil && !f.delta {
		f.beginLinks()
	}
	return nil
}

// putPublic ensures that the new build has a public file. It writes the file only if no previous build has it, because
// reading is much cheaper than writing. It returns an error if another resource has the same file.
func (f *spareFiles) putPublic(resource string, v *artifact.Variant, identity artifact.Body) error {
	if !filepath.IsLocal(filepath.FromSlash(v.File)) {
		return fmt.Errorf("%q would be written outside the build", v.File)
	}
	last, known := f.previous.file(resource, v.File)
	same := known && last.Hash == identity.Hash && last.Size == identity.Size
	set := &f.written
	if same {
		set = &f.same
	}
	var err error
	switch {
	case !set.add(v.File):
		err = os.ErrExist
	case same:
	case f.there(v.File, v.Body):
		err = f.link(v.File)
	case f.delta:
		err = f.writePublic(newDir, v)
	default:
		err = f.writePublic(artifact.PublicDir, v)
	}
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("two resources write the file %s", v.File)
	}
	return err
}

// has reports whether putPublic put a public file into the new build.
func (f *spareFiles) has(name string) bool { return f.written.all[name] || f.same.all[name] }

// writePublic writes a public file to a folder in the spare folder.
func (f *spareFiles) writePublic(folder string, v *artifact.Variant) error {
	path, err := f.place(filepath.Join(f.spare, folder), v.File)
	if err != nil {
		return err
	}
	return f.disk.create(path, v.Body)
}

// there reports whether build/public contains the file called name with the bytes of body. It returns false if the
// state of build/public is known, because putPublic then compares the hashes in the manifests instead.
func (f *spareFiles) there(name string, body []byte) bool {
	if !f.unknown {
		return false
	}
	path := filepath.Join(f.Public(), filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(body)) {
		return false
	}
	is, err := os.ReadFile(path)
	return err == nil && bytes.Equal(is, body)
}

// place returns the path of the public file called name under below, and creates the file's parent folders.
func (f *spareFiles) place(below, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%q would be written outside the build", name)
	}
	path := filepath.Join(below, local)
	folder := filepath.Dir(path)
	if _, made := f.folders.Load(folder); !made {
		if err := f.disk.mkdirAll(folder); err != nil {
			return "", err
		}
		f.folders.Store(folder, true)
	}
	return path, nil
}

// link links a file of build/public into the new public folder. Both folders then share the file, so it must not be modified in
// place.
func (f *spareFiles) link(name string) error {
	path, err := f.place(filepath.Join(f.spare, artifact.PublicDir), name)
	if err != nil {
		return err
	}
	copied, err := f.disk.link(filepath.Join(f.Public(), filepath.FromSlash(name)), path)
	if copied {
		f.copied.Store(true)
	}
	return err
}

// clear empties the spare folder, except for the ledger and the files that it describes.
func (f *spareFiles) clear() error {
	if f.previous.ledger == nil || f.changing {
		return f.disk.removeAll(f.spare)
	}
	entries, err := os.ReadDir(f.spare)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		switch e.Name() {
		case ledgerFile:
			continue
		case artifact.PublicDir, artifact.LastManifest, artifact.CodedDir:
			if f.delta && !f.links.begun {
				continue
			}
		}
		if err := f.disk.removeAll(filepath.Join(f.spare, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// clearOld prepares the spare folder for a new stage. It removes the files of an earlier build, or sets them aside while a server
// still reads them. It keeps the ledger, and the spare public folder if the ledger describes it. restamp reports whether it
// changed the stamps of public files.
func (f *spareFiles) clearOld() (restamp bool, err error) {
	dir, known := f.dir, f.previous.ledger
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, fmt.Errorf("reading the build folder: %w", err)
	}
	for _, e := range entries {
		if !isSpare(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		inUse := artifact.InUse(filepath.Join(path, artifact.PublicDir))
		if !inUse && e.Name() == artifact.SpareDir && known != nil {
			f.delta = known.spare
			continue
		}
		// The next steps change the stamps of files that are still being checked.
		if err := f.previous.settle(); err != nil {
			return false, err
		}
		known = f.previous.ledger
		if !inUse {
			// The folder contains hard links to files of build/public, so removing it changes the stamps of those
			// files.
			restamp = true
			if err := f.disk.removeAll(path); err != nil {
				return false, fmt.Errorf("removing an earlier build: %w", err)
			}
			continue
		}
		if e.Name() == artifact.SpareDir {
			if err := setAside(f.disk, path); err != nil {
				return false, fmt.Errorf("setting aside a build that is being served: %w", err)
			}
			if known != nil {
				known.spare, restamp = false, true
			}
		}
	}
	return restamp, nil
}

// setAside moves the public folder of a spare folder into a new folder, named after the spare folder and the first free
// number, and removes the spare folder. It renames the public folder rather than its parent because Windows can't
// rename a folder that contains an open folder.
func setAside(d disk, spare string) error {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s-%d", spare, n)
		switch err := os.Mkdir(aside, 0o777); {
		case errors.Is(err, os.ErrExist):
			continue
		case err != nil:
			return err
		}
		if err := d.rename(filepath.Join(spare, artifact.PublicDir), filepath.Join(aside, artifact.PublicDir)); err != nil {
			return err
		}
		return d.removeAll(spare)
	}
}
