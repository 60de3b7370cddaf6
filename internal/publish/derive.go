package publish

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// A Derived is a file for a platform that serves the build without vitrined. It is generated from the build's manifest.
// The file is in a folder of the platform next to the public folder, or among the public files if the platform expects
// it there. vitrined doesn't serve it.
type Derived struct {
	// Name is the file's path in the build folder, with forward slashes. It starts with the name of the platform's
	// folder or the public folder, as in "cloudflare/worker.mjs" and "public/_headers".
	Name string
	Body []byte
}

// A Deriver generates the platform files for a build with the manifest m. read returns the bytes of one body of a
// variant.
type Deriver func(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]Derived, error)

// derivedDir is the folder in the spare folder in which platform files are staged.
const derivedDir = "derived"

// platformFiles are the platform files of a build.
type platformFiles struct {
	*target
	// made maps the names of the staged files to the hashes of their contents.
	made map[string]uint64
	// before maps the names of the previous build's platform files to the hashes of their contents.
	before map[string]uint64
}

// derive generates the platform files with the Deriver from, and stages the files.
func (p *platformFiles) derive(m *artifact.Manifest, from Deriver) error {
	read := func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
		body := m.Body(i)
		if body.Pack == "" {
			return p.readPublic(m.File(v), body)
		}
		return readPacked(filepath.Join(p.dir, artifact.CodedDir, body.Pack), body)
	}
	files, err := from(m, read)
	if err != nil {
		return err
	}
	p.made = make(map[string]uint64)
	for _, f := range files {
		local := filepath.FromSlash(f.Name)
		if folder, _, nested := strings.Cut(f.Name, "/"); !nested || folder == "" || !filepath.IsLocal(local) {
			return fmt.Errorf("%q is not a file name in a platform's folder", f.Name)
		}
		if err := p.noLinkTo(f.Name); err != nil {
			return err
		}
		path := filepath.Join(p.spare, derivedDir, local)
		if err := p.disk.mkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		if err := p.disk.create(path, f.Body); err != nil {
			return err
		}
		p.made[f.Name] = artifact.Hash(f.Body)
	}
	return nil
}

// readPacked reads the body want from the finished pack at path. It returns an error if the bytes don't match the hash
// of the body.
func readPacked(path string, want artifact.Body) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	body := make([]byte, want.Size)
	_, err = f.ReadAt(body, want.Offset)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("reading a representation back: %w", err)
	}
	if artifact.Hash(body) != want.Hash {
		return nil, fmt.Errorf("reading a representation back: %w", artifact.ErrBytes)
	}
	return body, nil
}

// inPublic reports whether the platform file with the given name is among the public files.
func inPublic(name string) bool { return strings.HasPrefix(name, artifact.PublicDir+"/") }

// besidePublic reports whether the platform file with the given name is in a folder of the platform.
func besidePublic(name string) bool { return !inPublic(name) }

// place moves staged platform files to their places under dir, and removes platform files that only the previous build
// has. It skips files for whose names chosen returns false.
func (p *platformFiles) place(dir string, chosen func(name string) bool) error {
	for _, name := range slices.Sorted(maps.Keys(p.made)) {
		if !chosen(name) {
			continue
		}
		local := filepath.FromSlash(name)
		placed := filepath.Join(dir, local)
		err := p.disk.mkdirAll(filepath.Dir(placed))
		if err == nil {
			err = p.disk.rename(filepath.Join(p.spare, derivedDir, local), placed)
		}
		if err != nil {
			return fmt.Errorf("moving the platform files into place: %w", err)
		}
	}
	return p.remove(dir, chosen)
}

// remove removes the platform files under dir that only the previous build has. It skips files for whose names chosen
// returns false.
func (p *platformFiles) remove(dir string, chosen func(name string) bool) error {
	for name := range p.before {
		if _, made := p.made[name]; made || !chosen(name) || p.noLinkTo(name) != nil {
			continue
		}
		if err := removeFile(p.disk, dir, name); err != nil {
			return fmt.Errorf("removing the previous build's platform files: %w", err)
		}
	}
	return nil
}

// placeOutsidePublic moves staged platform files to the platforms' folders after the build is published. If the build
// is killed before it finishes this step, the next build generates these files again. placeOutsidePublic doesn't change
// any other files in these folders.
func (p *platformFiles) placeOutsidePublic() error {
	if err := p.place(p.dir, besidePublic); err != nil {
		return err
	}
	// The spare public folder contains the previous build, which the next build updates. Platform files don't belong in
	// it.
	if err := p.remove(p.spare, inPublic); err != nil {
		return err
	}
	if err := p.disk.removeAll(filepath.Join(p.spare, derivedDir)); err != nil {
		return fmt.Errorf("removing the staged platform files: %w", err)
	}
	return nil
}
