package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// Derived is a file made from a build's manifest for a platform that serves the build without vitrined. It is in the platform's
// folder next to the public folder, or among the public files if the platform expects it there. vitrined doesn't serve it.
type Derived struct {
	// Name has forward slashes and starts with the platform's folder or the public folder: "cloudflare/worker.mjs",
	// "public/_headers".
	Name string
	Body []byte
}

// derivedDir is the folder inside the spare folder where derived files are staged.
const derivedDir = "derived"

// derive stages the derived files.
func (s *Stage) derive(m *artifact.Manifest) error {
	if s.options.Derive == nil {
		return nil
	}
	read := func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
		body := m.Body(i)
		if body.Pack == "" {
			return s.readPublic(m.File(v), body)
		}
		return readPacked(filepath.Join(s.dir, artifact.CodedDir, body.Pack), body)
	}
	files, err := s.options.Derive(m, read)
	if err != nil {
		return err
	}
	s.derived = make(map[string]uint64)
	for _, f := range files {
		local := filepath.FromSlash(f.Name)
		if folder, _, nested := strings.Cut(f.Name, "/"); !nested || folder == "" || !filepath.IsLocal(local) {
			return fmt.Errorf("%q is not the name of a file in a platform's folder", f.Name)
		}
		if err := s.noLinkTo(f.Name); err != nil {
			return err
		}
		path := filepath.Join(s.spare, derivedDir, local)
		if err := s.disk.mkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		if err := s.disk.create(path, f.Body); err != nil {
			return err
		}
		s.derived[f.Name] = artifact.Hash(f.Body)
	}
	return nil
}

// noLinkTo rejects a platform's file if its folder is a symbolic link, which points outside the build.
func (s *Stage) noLinkTo(name string) error {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		place := filepath.Join(s.dir, filepath.FromSlash(folder))
		info, err := os.Lstat(place)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s must be a folder for a platform's files, but it is not a folder; move it away", place)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// readPublic reads a public file of the build that is being published. The file is staged or in the last build. Files are moved
// meanwhile, in the order in which the folders are searched. The hash selects the right version.
func (s *Stage) readPublic(name string, want artifact.Body) ([]byte, error) {
	for _, folder := range []string{filepath.Join(s.spare, newDir), filepath.Join(s.spare, artifact.PublicDir), s.Public()} {
		body, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && artifact.Hash(body) == want.Hash {
			return body, nil
		}
	}
	return nil, fmt.Errorf("reading %s back: %w", name, artifact.ErrBytes)
}

// readPacked reads a body from a finished pack.
func readPacked(path string, want artifact.Body) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	body := make([]byte, want.Size)
	_, err = f.ReadAt(body, want.Offset)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("reading a body back: %w", err)
	}
	if artifact.Hash(body) != want.Hash {
		return nil, fmt.Errorf("reading a body back: %w", artifact.ErrBytes)
	}
	return body, nil
}

// inPublic reports whether a derived file is among the public files.
func inPublic(name string) bool { return strings.HasPrefix(name, artifact.PublicDir+"/") }

// besidePublic reports whether a derived file is in a platform's folder.
func besidePublic(name string) bool { return !inPublic(name) }

// placeDerived moves those staged files whose names are chosen to their places below dir, and
// removes the chosen ones of the last build that are no longer made.
func (s *Stage) placeDerived(dir string, last map[string]uint64, chosen func(name string) bool) error {
	for _, name := range slices.Sorted(maps.Keys(s.derived)) {
		if !chosen(name) {
			continue
		}
		local := filepath.FromSlash(name)
		placed := filepath.Join(dir, local)
		err := s.disk.mkdirAll(filepath.Dir(placed))
		if err == nil {
			err = s.disk.rename(filepath.Join(s.spare, derivedDir, local), placed)
		}
		if err != nil {
			return fmt.Errorf("putting the files for platforms in place: %w", err)
		}
	}
	return s.removeDerived(dir, last, chosen)
}

// removeDerived removes those files of the last build below dir whose names are chosen, and that
// are no longer made.
func (s *Stage) removeDerived(dir string, last map[string]uint64, chosen func(name string) bool) error {
	for name := range last {
		if _, made := s.derived[name]; made || !chosen(name) || s.noLinkTo(name) != nil {
			continue
		}
		if err := removeFile(s.disk, dir, name); err != nil {
			return fmt.Errorf("removing the last build's files for platforms: %w", err)
		}
	}
	return nil
}

// placeBesidePublic puts the files for platforms in their folders, after the moment of
// publication. A build that is killed before it ends leaves them to the next one. Other files in
// those folders are left alone.
func (s *Stage) placeBesidePublic(last map[string]uint64) error {
	if err := s.placeDerived(s.dir, last, besidePublic); err != nil {
		return err
	}
	// The last build's public folder is the spare one now. The next build is made from it.
	if err := s.removeDerived(s.spare, last, inPublic); err != nil {
		return err
	}
	if err := s.disk.removeAll(filepath.Join(s.spare, derivedDir)); err != nil {
		return fmt.Errorf("removing the staged files for platforms: %w", err)
	}
	return nil
}
