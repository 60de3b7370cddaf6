package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// Derived is a file that is made from the manifest of a build, for a platform
// that serves the build without the program: it stands beside the public
// folder, in a folder of its platform.
type Derived struct {
	// Name has forward slashes and begins with the platform's folder:
	// "cloudflare/worker.mjs".
	Name string
	Body []byte
}

// derivedDir is where derived files are staged, below the spare folder.
const derivedDir = "derived"

// derive stages the derived files and returns the names of their folders.
func (s *Stage) derive(m *artifact.Manifest, pack string) ([]string, error) {
	if s.options.Derive == nil {
		return nil, nil
	}
	read := func(_ artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
		return readPacked(filepath.Join(s.dir, artifact.CodedDir, pack), m.Body(i))
	}
	files, err := s.options.Derive(m, read)
	if err != nil {
		return nil, err
	}
	var folders []string
	known := make(map[string]bool)
	for _, f := range files {
		folder, _, nested := strings.Cut(f.Name, "/")
		local := filepath.FromSlash(f.Name)
		if !nested || !filepath.IsLocal(local) {
			return nil, fmt.Errorf("%q is not the name of a file in a platform's folder", f.Name)
		}
		path := filepath.Join(s.spare, derivedDir, local)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Body, 0o666); err != nil {
			return nil, err
		}
		s.derived = append(s.derived, f.Name)
		if !known[folder] {
			known[folder] = true
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

// readPacked reads a body from the finished pack.
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

// placeDerived lets the staged folders of platforms and the last build's change
// places. It comes after the moment of publication: a build that is cut off in
// between fails, and the next one puts the folders right.
func (s *Stage) placeDerived(folders []string) error {
	for _, folder := range folders {
		staged, placed := filepath.Join(s.spare, derivedDir, folder), filepath.Join(s.dir, folder)
		var err error
		if _, missing := os.Lstat(placed); errors.Is(missing, os.ErrNotExist) {
			err = rename(staged, placed)
		} else {
			err = exchange(placed, staged)
		}
		if err != nil {
			return fmt.Errorf("putting the files for %s in place: %w", folder, err)
		}
	}
	if err := os.RemoveAll(filepath.Join(s.spare, derivedDir)); err != nil {
		return fmt.Errorf("removing the last build's files for platforms: %w", err)
	}
	return nil
}
