package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// unknownDir is the folder for files that were in build/public but belong to no build. A build must not publish or
// delete them.
const unknownDir = "unknown"

// setUnknownAside moves files that no build created from build/public to unknownDir. known is the set of public files
// of the previous build and of the new build. moved lists the new paths of the moved files.
func (t *target) setUnknownAside(known map[string]bool) (moved []string, err error) {
	public := t.Public()
	err = filepath.WalkDir(public, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(public, path)
		if err != nil || e.IsDir() || known[filepath.ToSlash(name)] {
			return err
		}
		to := filepath.Join(t.dir, unknownDir, name)
		for n := 1; exists(to); n++ {
			to = filepath.Join(t.dir, unknownDir, fmt.Sprintf("%s.%d", name, n))
		}
		if err := t.disk.mkdirAll(filepath.Dir(to)); err != nil {
			return err
		}
		moved = append(moved, to)
		return t.disk.rename(path, to)
	})
	return moved, err
}

// keepUnknown sets aside the files in build/public that no build created. It does nothing if the state of build/public
// is known, because build/public then contains only files of the previous build.
func (s *Stage) keepUnknown(m *artifact.Manifest) error {
	if !s.files.unknown {
		return nil
	}
	known := make(map[string]bool)
	for name := range publicFiles(m) {
		known[name] = true
	}
	for name := range s.platforms.made {
		known[strings.TrimPrefix(name, artifact.PublicDir+"/")] = true
	}
	if was := s.previous.found; was != nil {
		for name := range was.derived {
			known[strings.TrimPrefix(name, artifact.PublicDir+"/")] = true
		}
		for name := range was.all {
			known[name] = true
		}
	} else {
		last, err := artifact.ReadManifestFile(filepath.Join(s.dir, artifact.ManifestFile))
		if err != nil {
			// It is unknown which files belong to the previous build, so treat all files as files of that build.
			return nil
		}
		for name := range publicFiles(last) {
			known[name] = true
		}
	}
	moved, err := s.setUnknownAside(known)
	s.summary.Unknown = moved
	return err
}
