package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
)

// A sparse build has its own folder. The folder contains a complete manifest, but only the files and packs that another
// build, Options.Since, doesn't have. The folder contains no ledger, so that no later build treats the sparse build as
// a complete build.

// rejectReplacing returns an error if dir contains a build that this build must not replace. A part of a build must not
// replace any build, and a sparse build must not replace a full build.
func rejectReplacing(dir string, o Options) error {
	built := exists(filepath.Join(dir, artifact.ManifestFile))
	switch {
	case built && o.Part:
		return fmt.Errorf("%s contains a build, but a part of a build needs its own folder; choose another folder with --out", dir)
	case built && o.Since != nil && !artifact.IsSparse(dir):
		return fmt.Errorf("%s contains a full build, but a sparse build needs its own folder; choose another folder with --out", dir)
	}
	return nil
}

// openSparse marks the build folder as a sparse build, and removes an earlier sparse build from it.
func (s *Stage) openSparse() error {
	mark := artifact.BuildName(s.options.Since.Manifest.Build) + "\n"
	if err := s.disk.write(filepath.Join(s.dir, artifact.SparseFile), []byte(mark)); err != nil {
		return fmt.Errorf("marking the sparse build: %w", err)
	}
	for _, name := range []string{artifact.ManifestFile, artifact.PublicDir, artifact.CodedDir, artifact.SpareDir, artifact.PartFile, artifact.PartPages} {
		if err := s.disk.removeAll(filepath.Join(s.dir, name)); err != nil {
			return fmt.Errorf("removing an earlier sparse build: %w", err)
		}
	}
	return nil
}

// record removes the remains of an earlier sparse build or part of a build from the build folder, and writes the
// ledger. It does nothing for a sparse build. gone lists the public files of the previous build that the new build
// doesn't have.
func (s *Stage) record(m *artifact.Manifest, gone []string) error {
	if s.options.Since != nil {
		return nil
	}
	for _, name := range []string{artifact.SparseFile, artifact.PartFile, artifact.PartPages} {
		err := s.disk.remove(filepath.Join(s.dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing an earlier sparse or partial build: %w", err)
		}
	}
	return s.enter(m, gone)
}

// ReadLast returns the content of the named public file of the previous build.
func (s *Stage) ReadLast(name string) ([]byte, error) {
	since := s.options.Since
	if since == nil {
		return os.ReadFile(filepath.Join(s.Public(), filepath.FromSlash(name)))
	}
	s.finding.Do(func() {
		m := since.Manifest
		s.lastFiles = make(map[string]artifact.VariantIndex)
		for v := range artifact.VariantIndex(m.VariantCount()) {
			if file := m.File(v); file != "" {
				s.lastFiles[file] = v
			}
		}
	})
	v, known := s.lastFiles[name]
	if body, ok := since.Manifest.BodyIn(v, artifact.Identity); known && ok {
		return since.Read(v, body)
	}
	return nil, fmt.Errorf("reading %s from the previous build: %w", name, os.ErrNotExist)
}
