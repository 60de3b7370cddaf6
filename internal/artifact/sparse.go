package artifact

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// SparseFile marks a sparse build: a folder with the whole manifest of a build, and only those files and packs that an
// earlier build doesn't have. The file has the name of the earlier build.
const SparseFile = "sparse"

// ErrSparse is wrapped by errors about sparse builds where a whole one is needed.
var ErrSparse = errors.New("the build is sparse")

// errSparse explains what a sparse build is for.
func errSparse(dir, since string) error {
	return fmt.Errorf("%w: %s has only the files that changed since the build %s; deploy it with vitrine deploy s3://bucket/prefix, "+
		"or run vitrine build without --since to make a whole build", ErrSparse, dir, since)
}

// sparseSince returns the name of the build that a sparse build continues, or "" for a whole build.
func sparseSince(root *os.Root) (string, error) {
	text, err := root.ReadFile(SparseFile)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if name := strings.TrimSpace(string(text)); name != "" {
		return name, nil
	}
	return "an unknown one", nil
}

// IsSparse reports whether a folder is marked as a sparse build.
func IsSparse(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, SparseFile))
	return err == nil
}

// OpenSparse is like Open, but also opens sparse builds.
func OpenSparse(dir string) (*Build, error) { return openAny(dir, true) }

// Sparse reports whether the build is sparse.
func (b *Build) Sparse() bool { return b.since != "" }

// Since returns the name of the build that a sparse build continues, or "".
func (b *Build) Since() string { return b.since }

// Has reports whether the folder has a body, whose bytes may be damaged.
func (b *Build) Has(v VariantIndex, i BodyIndex) bool {
	if pack := b.Manifest.Body(i).Pack; pack != "" {
		return b.packs[pack] != nil
	}
	for _, f := range b.folders {
		if _, err := f.root.Lstat(filepath.FromSlash(b.Manifest.File(v))); err == nil {
			return true
		}
	}
	return false
}

// PackSize returns the size of a pack in bytes, or -1 if the build doesn't have it.
func (b *Build) PackSize(name string) int64 {
	if p := b.packs[name]; p != nil {
		return p.size
	}
	return -1
}

// ReadPack reads bytes of a pack at an offset. It doesn't compare them with a hash.
func (b *Build) ReadPack(name string, into []byte, offset int64) error {
	p := b.packs[name]
	if p == nil {
		return fmt.Errorf("reading %s/%s: %w", CodedDir, name, os.ErrNotExist)
	}
	_, err := p.ReadAt(into, offset)
	return err
}
