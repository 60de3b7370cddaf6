package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
)

// Build describes a build in a bucket. The object "current" contains a list of such descriptions.
type Build struct {
	Name string `json:"name"`
	// Size is the size of the manifest in bytes.
	Size int64 `json:"size"`
	// SHA256 is the SHA-256 digest of the manifest in hexadecimal.
	SHA256 string `json:"sha256"`
	// Since is the time when the build became current.
	Since time.Time `json:"since"`
	// Records lists the parts of the build's records, or is nil if later builds can't be based on this build.
	Records []Part `json:"records,omitempty"`
}

// Current is the content of the object "current", which readers read first. The zero Current lists no builds.
type Current struct {
	// Builds lists the complete builds, newest first. The first is the current build.
	Builds []Build `json:"builds"`
	etag   string
}

// Name returns the name of the current build, or "" if there is none.
func (c *Current) Name() string {
	if len(c.Builds) == 0 {
		return ""
	}
	return c.Builds[0].Name
}

// Find returns the complete build called name, or nil if there is none.
func (c *Current) Find(name string) *Build {
	i := slices.IndexFunc(c.Builds, func(b Build) bool { return b.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Builds[i]
}

// maxSmall is the maximum size in bytes of each mutable object: current, the lock, and the state.
const maxSmall = 1 << 20

// Current reads the list of complete builds, which begins with the current build. The list is empty if the object
// doesn't exist.
func (s *Store) Current(ctx context.Context) (*Current, error) {
	data, etag, err := s.get(ctx, currentName, maxSmall)
	if errors.Is(err, os.ErrNotExist) {
		return &Current{}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &Current{etag: etag}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.at(currentName), err)
	}
	return c, nil
}

// Activate makes b, which must be complete, the current build and updates c. It fails if another deploy changed the
// list after c was read.
func (s *Store) Activate(ctx context.Context, c *Current, b Build) error {
	b.Since = time.Now().UTC().Truncate(time.Second)
	next := []Build{b}
	for _, old := range c.Builds {
		if old.Name != b.Name {
			next = append(next, old)
		}
	}
	return s.setBuilds(ctx, c, next)
}

func (s *Store) setBuilds(ctx context.Context, c *Current, builds []Build) error {
	data, err := json.MarshalIndent(Current{Builds: builds}, "", "  ")
	if err != nil {
		return err
	}
	etag, err := s.swap(ctx, currentName, c.etag, data)
	if err != nil {
		return err
	}
	c.Builds, c.etag = builds, etag
	return nil
}

// Manifest reads the manifest of b. The error wraps artifact.ErrBytes if the manifest doesn't match its hash.
func (s *Store) Manifest(ctx context.Context, b Build) (*artifact.Manifest, error) {
	var data []byte
	err := repeat(ctx, func() (err error) {
		if data, _, err = s.getOnce(ctx, buildsFolder+b.Name, b.Size); err != nil {
			return err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != b.SHA256 {
			return artifact.ErrBytes
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.at(buildsFolder+b.Name), err)
	}
	return artifact.ReadManifestBytes(data)
}

// describe returns the description of the build with manifest m, without Since and Records. data contains the bytes of
// m.
func describe(m *artifact.Manifest, data []byte) Build {
	sum := sha256.Sum256(data)
	return Build{Name: artifact.BuildName(m.Build), Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// ID identifies an object by the hash of its bytes and the hash of its header fields and size.
type ID struct{ bytes, fields uint64 }

// Key returns the name of the object, without the store's prefix.
func (id ID) Key() string { return fmt.Sprintf("%s%016x-%016x", filesFolder, id.bytes, id.fields) }

// Object describes the object that stores a representation in a bucket. Variant and Body identify the representation in
// the build's manifest, and Size is its size in bytes.
type Object struct {
	ID
	Variant artifact.VariantIndex
	Body    artifact.BodyIndex
	Size    int64
	meta    meta
}

// Objects yields each object of a build once, in the manifest's order. Representations with the same bytes and the same
// fields share an object.
func Objects(m *artifact.Manifest) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		seen := make(map[ID]struct{}, m.BodyCount())
		for route := range m.Routes() {
			for i := range route.Variants() {
				v := route.Variant(i)
				first, count := m.Bodies(v)
				for body := first; body < first+artifact.BodyIndex(count); body++ {
					o := object(m, v, body)
					if _, ok := seen[o.ID]; ok {
						continue
					}
					seen[o.ID] = struct{}{}
					if !yield(o) {
						return
					}
				}
			}
		}
	}
}

// Files returns the object keys of a build's public files, without the store's prefix, keyed by file name.
func Files(m *artifact.Manifest) map[string]string {
	files := make(map[string]string)
	for route := range m.Routes() {
		for i := range route.Variants() {
			v := route.Variant(i)
			if body, ok := m.BodyIn(v, artifact.Identity); ok && m.HasFile(v) {
				files[m.File(v)] = object(m, v, body).Key()
			}
		}
	}
	return files
}

// object returns the object that stores body i of variant v.
func object(m *artifact.Manifest, v artifact.VariantIndex, i artifact.BodyIndex) Object {
	b := m.Body(i)
	o := Object{Variant: v, Body: i, Size: b.Size, meta: meta{contentType: m.Field(v, "Content-Type"), cacheControl: m.Field(v, "Cache-Control")}}
	if b.Coding != artifact.Identity {
		o.meta.encoding = b.Coding.String()
	}
	o.ID = ID{b.Hash, xxhash.Sum64String(o.meta.contentType + "\n" + o.meta.cacheControl + "\n" + o.meta.encoding + "\n" + strconv.FormatInt(b.Size, 10))}
	return o
}
