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

// spareFiles writes the public files of a build to the spare folder. start and putPublic are safe for concurrent use.
type spareFiles struct {
	*target
	previous *previous

	// started ensures that start prepares the spare folder only once. failed is the error from preparing the folder, or
	// nil.
	started sync.Once
	failed  error
	// delta reports whether the build updates the spare public folder by replacing only the files that differ. unknown
	// reports whether there is a build/public whose state is unknown.
	delta, unknown bool
	// links creates the spare public folder if it is missing.
	links links
	// folders is the set of folders that are known to exist.
	folders sync.Map
	// written contains the public files that this build has written. same contains the public files that are unchanged
	// since the previous build.
	written, same names
	// copied reports whether a file was copied because the file system has no hard links.
	copied atomic.Bool
	// changing reports whether the build has removed the ledger and started to change the files that it describes.
	changing bool
}

// start prepares the spare folder on its first call. It must be called before the stage writes any file.
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

// putPublic adds a public file to the new build. It writes the file only if the previous build doesn't have the same
// file, because comparing is much faster than writing. resource is the path of the resource that has the file, and
// identity describes the uncompressed body of the file. putPublic returns an error if another resource has added a file
// with the same name.
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

// has reports whether putPublic has added the named file to the new build.
func (f *spareFiles) has(name string) bool { return f.written.all[name] || f.same.all[name] }

// writePublic writes a public file to the given folder in the spare folder.
func (f *spareFiles) writePublic(folder string, v *artifact.Variant) error {
	path, err := f.place(filepath.Join(f.spare, folder), v.File)
	if err != nil {
		return err
	}
	return f.disk.create(path, v.Body)
}

// there reports whether the named file in build/public has the bytes in body. It returns false if the state of
// build/public is known, because putPublic then compares hashes in the manifests instead.
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

// place returns the path of the named public file under the folder below, and creates the parent folders of the file.
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

// link adds the named file of build/public to the spare public folder as a hard link. The two folders share the file,
// so no build may modify it in place.
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

// clear removes everything in the spare folder except the ledger and the files that the ledger describes.
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

// clearOld prepares the spare folder for a new stage. It removes the earlier build in the spare folder, or sets that
// build aside while a server is still reading it. It keeps the ledger, and keeps the spare public folder if the ledger
// describes that folder. restamp reports whether clearOld has changed the stamps of public files.
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
		// The next steps change the stamps of files, so wait for the check of the files.
		if err := f.previous.settle(); err != nil {
			return false, err
		}
		known = f.previous.ledger
		if !inUse {
			// Removing a hard link to a file of build/public changes the stamp of that file.
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

// setAside moves the public folder in the folder spare to a new folder, and removes spare. The name of the new folder
// consists of the name of spare and the first unused number. setAside renames the public folder instead of spare,
// because Windows can't rename a folder that contains an open folder.
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
