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

// Derived is a file generated from a build's manifest for a platform that serves the build without vitrined. It is in
// the platform's folder next to the public folder, or among the public files if the platform expects it there. vitrined
// doesn't serve it.
type Derived struct {
	// Name is the slash-separated path under the build folder. It starts with the platform's folder or the public
	// folder, as in "cloudflare/worker.mjs" and "public/_headers".
	Name string
	Body []byte
}

// Deriver generates platform files from the manifest of a build. read returns a variant's body, from a public file or a
// pack.
type Deriver func(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]Derived, error)

// derivedDir is the folder inside the spare folder where derived files are staged.
const derivedDir = "derived"

// platformFiles are the derived files of a build.
type platformFiles struct {
	*target
	// made contains the hashes of the staged files, keyed by name.
	made map[string]uint64
	// before contains the hashes of the last build's derived files, keyed by name.
	before map[string]uint64
}

// derive calls from to generate the files, and stages them.
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

// place moves the staged files selected by chosen to their places under dir, and removes selected files that only the
// last build made.
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

// remove removes the files under dir that chosen selects and only the last build made.
func (p *platformFiles) remove(dir string, chosen func(name string) bool) error {
	for name := range p.before {
		if _, made := p.made[name]; made || !chosen(name) || p.noLinkTo(name) != nil {
			continue
		}
		if err := removeFile(p.disk, dir, name); err != nil {
			return fmt.Errorf("removing the last build's platform files: %w", err)
		}
	}
	return nil
}

// placeOutsidePublic moves the staged files to the platforms' folders after the moment of publication. If the build is killed in
// between, the next build puts its own files there. Other files in those folders are left alone.
func (p *platformFiles) placeOutsidePublic() error {
	if err := p.place(p.dir, besidePublic); err != nil {
		return err
	}
	// After the exchange, the spare public folder contains the last build, from which the next build is made.
	if err := p.remove(p.spare, inPublic); err != nil {
		return err
	}
	if err := p.disk.removeAll(filepath.Join(p.spare, derivedDir)); err != nil {
		return fmt.Errorf("removing the staged platform files: %w", err)
	}
	return nil
}
