package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// SparseFile is the name of the file that identifies a sparse build: a folder with the complete manifest of a build,
// but only the files and packs that an earlier build lacks. The file contains the earlier build's name.
const SparseFile = "sparse"

// ErrSparse is wrapped by the errors of functions that require a complete build but find a sparse build.
var ErrSparse = errors.New("the build is sparse")

// A part of a build has two files instead of a manifest: PartFile lists the pages of the part, and PartPages contains
// them; see record.Part.
const (
	PartFile  = "part"
	PartPages = "part-pages"
)

// ErrPart is wrapped by the errors of functions that require a complete build but find one part of a build.
var ErrPart = errors.New("the build is incomplete")

// errPart returns the error for a folder without a readable manifest. err is the error from reading the manifest. If
// the folder contains part of a build, the result wraps ErrPart and explains how to use the part. Otherwise, it wraps
// err.
func errPart(root *os.Root, dir string, err error) error {
	if _, missing := root.Lstat(PartFile); missing != nil || !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading the manifest in %s: %w", dir, err)
	}
	return fmt.Errorf("%w: %s contains one part of a build; combine all parts with vitrine merge", ErrPart, dir)
}

// errSparse returns an error that explains how to use a sparse build.
func errSparse(dir, since string) error {
	return fmt.Errorf("%w: %s contains only the files that changed since the build %s; deploy it with vitrine deploy s3://bucket/prefix, "+
		"or run vitrine build without --since for a full build", ErrSparse, dir, since)
}

// sparseSince returns the name of the build on which a sparse build is based, or "" for a complete build.
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
	return "(unknown)", nil
}

// IsSparse reports whether dir contains SparseFile, which identifies a sparse build.
func IsSparse(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, SparseFile))
	return err == nil
}

// OpenSparse is like Open, but also opens sparse builds.
func OpenSparse(dir string) (*Build, error) { return openAny(dir, true) }

// Sparse reports whether the build is sparse.
func (b *Build) Sparse() bool { return b.since != "" }

// Since returns the name of the build on which a sparse build is based, or "" for a complete build.
func (b *Build) Since() string { return b.since }

// Has reports whether the folder contains the public file or pack with body i of variant v. It doesn't check the bytes.
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

// Remote returns a build that isn't in a folder, for example a build in object storage. read must read a body, check it
// against the hash in the manifest, and be safe for concurrent use.
func Remote(m *Manifest, read func(VariantIndex, BodyIndex) ([]byte, error)) *Build {
	return &Build{Manifest: m, Elsewhere: read}
}

// PackSize returns the size of a pack in bytes, or -1 if the pack is missing. If only Elsewhere can read the pack,
// PackSize returns the end of the pack's last body.
func (b *Build) PackSize(name string) int64 {
	if p := b.packs[name]; p != nil {
		return p.size
	}
	bodies := b.packed()[name]
	if len(bodies) == 0 || b.Elsewhere == nil {
		return -1
	}
	return bodies[len(bodies)-1].end
}

// ReadPack fills into with one or more complete bodies from the pack called name, starting at offset. It doesn't check
// bodies from a file against their hashes.
func (b *Build) ReadPack(name string, into []byte, offset int64) error {
	if p := b.packs[name]; p != nil {
		_, err := p.ReadAt(into, offset)
		return err
	}
	bodies := b.packed()[name]
	first, _ := slices.BinarySearchFunc(bodies, offset, func(p packedBody, offset int64) int { return cmp.Compare(p.offset, offset) })
	end := first
	for end < len(bodies) && bodies[end].end <= offset+int64(len(into)) {
		end++
	}
	if b.Elsewhere == nil || first == end || bodies[first].offset != offset || bodies[end-1].end != offset+int64(len(into)) {
		return fmt.Errorf("reading %s/%s: %w", CodedDir, name, os.ErrNotExist)
	}
	var readers sync.WaitGroup
	var next atomic.Int64
	failed := make([]error, packReaders)
	var stopped atomic.Bool
	for n := range packReaders {
		readers.Go(func() {
			for i := first + int(next.Add(1)) - 1; i < end && !stopped.Load(); i = first + int(next.Add(1)) - 1 {
				var body []byte
				if body, failed[n] = b.Elsewhere(bodies[i].variant, bodies[i].body); failed[n] != nil {
					stopped.Store(true)
					return
				}
				copy(into[bodies[i].offset-offset:bodies[i].end-offset], body)
			}
		})
	}
	readers.Wait()
	return cmp.Or(failed...) // one error is enough, because they usually have the same cause
}

// packReaders is the number of concurrent calls to Elsewhere in ReadPack.
const packReaders = 32

// packedBody is the location of a body in a pack, from offset to end.
type packedBody struct {
	offset, end int64
	variant     VariantIndex
	body        BodyIndex
}

// packed returns the bodies of each pack, sorted by offset.
func (b *Build) packed() map[string][]packedBody {
	b.locating.Do(func() {
		b.located = make(map[string][]packedBody)
		seen := make([]bool, b.Manifest.BodyCount())
		for v := range VariantIndex(b.Manifest.VariantCount()) {
			first, count := b.Manifest.Bodies(v)
			for i := first; i < first+BodyIndex(count); i++ {
				if body := b.Manifest.Body(i); body.Pack != "" && !seen[i] {
					seen[i] = true
					b.located[body.Pack] = append(b.located[body.Pack], packedBody{body.Offset, body.Offset + body.Size, v, i})
				}
			}
		}
		for _, bodies := range b.located {
			slices.SortFunc(bodies, func(a, b packedBody) int { return cmp.Compare(a.offset, b.offset) })
		}
	})
	return b.located
}
