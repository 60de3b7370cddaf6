package bucket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// Download is the difference between a build in a bucket and a build in a folder; see Store.Download.
type Download struct {
	// Objects is the number of distinct bodies that the folder lacks. Total is the total number of bodies in the build.
	Objects, Total int
	// Bytes is the total size of the distinct bodies that the folder lacks.
	Bytes int64

	store *Store
	m     *artifact.Manifest
	// last is the previous build, which is in the folder lastDir, or nil if there is none.
	last    *artifact.Build
	lastDir string
	// known contains the bodies of last, keyed by content.
	known map[content]place
	// here lists the bodies of the new build that are also in last.
	here []place
	// missing lists the bodies of the new build that last lacks, grouped by content.
	missing [][]place
	// packs contains the open packs in the folder of the new build, keyed by name.
	packs map[string]*os.File
	// linked reports whether the pack with the key as its name is a hard link to a pack of last.
	linked map[string]bool
}

// content identifies the bytes of a body. It includes the encoding, which determines where a build stores the bytes.
type content struct {
	hash   uint64
	size   int64
	coding artifact.Coding
}

// place identifies a body of a build and a variant that uses it.
type place struct {
	v artifact.VariantIndex
	i artifact.BodyIndex
}

// Download compares b with the build in the folder last. last may be "" or a folder without a build. Download reads
// only the manifest of b; the method Write reads the bodies. The caller must close the Download.
func (s *Store) Download(ctx context.Context, b Build, last string) (*Download, error) {
	m, err := s.Manifest(ctx, b)
	if err != nil {
		return nil, err
	}
	d := &Download{store: s, m: m, packs: make(map[string]*os.File), linked: make(map[string]bool)}
	d.open(last)
	groups := make(map[content]int)
	for v, i := range bodies(m) {
		c := contentOf(m, i)
		d.Total++
		if _, ok := d.known[c]; ok {
			d.here = append(d.here, place{v, i})
			continue
		}
		n, ok := groups[c]
		if !ok {
			n = len(d.missing)
			groups[c], d.missing = n, append(d.missing, nil)
			d.Objects, d.Bytes = d.Objects+1, d.Bytes+c.size
		}
		d.missing[n] = append(d.missing[n], place{v, i})
	}
	return d, nil
}

// open opens the build in dir, whose bodies Write reuses. If dir is "" or contains no valid build, open does nothing.
func (d *Download) open(dir string) {
	if dir == "" {
		return
	}
	last, err := artifact.Open(dir)
	if err != nil {
		return // Write then downloads every body
	}
	d.last, d.lastDir, d.known = last, dir, make(map[content]place, last.Manifest.BodyCount())
	for v, i := range bodies(last.Manifest) {
		d.known[contentOf(last.Manifest, i)] = place{v, i}
	}
}

// Close closes the last build.
func (d *Download) Close() error {
	if d.last == nil {
		return nil
	}
	return d.last.Close()
}

func contentOf(m *artifact.Manifest, i artifact.BodyIndex) content {
	hash, size := m.Digest(i)
	return content{hash, size, m.CodingOf(i)}
}

// bodies yields each body of a build once, with a variant that uses it.
func bodies(m *artifact.Manifest) iter.Seq2[artifact.VariantIndex, artifact.BodyIndex] {
	return func(yield func(artifact.VariantIndex, artifact.BodyIndex) bool) {
		seen := make([]bool, m.BodyCount())
		for route := range m.Routes() {
			for n := range route.Variants() {
				v := route.Variant(n)
				first, count := m.Bodies(v)
				for i := first; i < first+artifact.BodyIndex(count); i++ {
					if seen[i] {
						continue
					}
					seen[i] = true
					if !yield(v, i) {
						return
					}
				}
			}
		}
	}
}

// Write writes the build to dir in the layout that vitrined serves, then checks every representation against its hash.
// If a hash differs, the error wraps artifact.ErrBytes. dir may contain an interrupted download. Write calls progress
// after each distinct body that the previous build lacks. progress must be nil or safe for concurrent use.
func (d *Download) Write(ctx context.Context, dir string, progress func(objects int, bytes int64)) error {
	if err := d.prepare(dir); err != nil {
		return err
	}
	err := d.bodies(ctx, dir, progress)
	for _, f := range d.packs {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, artifact.ManifestFile), []byte(d.m.Data()), 0o644); err != nil {
		return err
	}
	b, err := artifact.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(b.Verify(ctx), b.Close())
}

// prepare creates the folders, links the packs that the previous build also has, and creates the other packs. A pack is
// named after its hash, so packs with the same name have the same bytes.
func (d *Download) prepare(dir string) error {
	made := make(map[string]bool)
	create := func(folder string) error {
		if made[folder] {
			return nil
		}
		made[folder] = true
		return os.MkdirAll(folder, 0o755)
	}
	if err := errors.Join(create(filepath.Join(dir, artifact.PublicDir)), create(filepath.Join(dir, artifact.CodedDir))); err != nil {
		return err
	}
	for v, i := range bodies(d.m) {
		if d.m.Body(i).Pack != "" {
			continue
		}
		name := d.m.File(v)
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the manifest lists a file outside the build: %q", name)
		}
		if err := create(filepath.Dir(public(dir, name))); err != nil {
			return err
		}
	}
	for _, name := range d.m.Packs() {
		if err := d.preparePack(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func (d *Download) preparePack(dir, name string) error {
	if strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return fmt.Errorf("the manifest lists a pack outside the build: %q", name)
	}
	at := filepath.Join(dir, artifact.CodedDir, name)
	if d.last != nil {
		d.linked[name] = replaceByLink(filepath.Join(d.lastDir, artifact.CodedDir, name), at) == nil
	}
	f, err := os.OpenFile(at, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	d.packs[name] = f
	return nil
}

// public returns the path of the public file called name in the build at dir.
func public(dir, name string) string {
	return filepath.Join(dir, artifact.PublicDir, filepath.FromSlash(name))
}

// bodies writes the public files and the packs. It starts with the bodies that the previous build also has.
func (d *Download) bodies(ctx context.Context, dir string, progress func(int, int64)) error {
	size := func(p place) int64 { _, size := d.m.Digest(p.i); return size }
	err := each(ctx, len(d.here), func(n int) int64 { return size(d.here[n]) }, func(ctx context.Context, _, n int) error {
		return d.reuse(ctx, dir, d.here[n])
	}, func(int) {})
	if err != nil {
		return err
	}
	var objects, bytes atomic.Int64
	return each(ctx, len(d.missing), func(n int) int64 { return size(d.missing[n][0]) }, func(ctx context.Context, _, n int) error {
		if err := d.fetch(ctx, dir, d.missing[n]); err != nil {
			return err
		}
		if count, done := objects.Add(1), bytes.Add(size(d.missing[n][0])); progress != nil {
			progress(int(count), done)
		}
		return nil
	}, func(int) {})
}

// reuse copies or links a body of the previous build into the new build, or downloads the body if the previous build's
// copy is damaged.
func (d *Download) reuse(ctx context.Context, dir string, p place) error {
	was := d.known[contentOf(d.m, p.i)]
	is := d.m.Body(p.i)
	if is.Pack != "" && d.linked[is.Pack] {
		return nil
	}
	if is.Pack == "" && d.last.Manifest.Body(was.i).Pack == "" {
		// Write compares the linked file with its hash later.
		if replaceByLink(public(d.lastDir, d.last.Manifest.File(was.v)), public(dir, d.m.File(p.v))) == nil {
			return nil
		}
	}
	data, err := d.last.Read(was.v, was.i)
	if err != nil {
		return d.fetch(ctx, dir, []place{p}) // damaged
	}
	return d.write(dir, p, data)
}

// fetch writes a body to all of its places in the new build. It takes the bytes from an interrupted download if
// possible, otherwise from the bucket.
func (d *Download) fetch(ctx context.Context, dir string, places []place) error {
	var data []byte
	left := places[:0:0]
	for _, p := range places {
		if found, ok := d.read(dir, p); ok {
			data = found
		} else {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		return nil
	}
	if data == nil {
		var err error
		if data, err = d.store.Fetch(ctx, d.m, left[0].v, left[0].i); err != nil {
			return err
		}
	}
	for _, p := range left {
		if err := d.write(dir, p, data); err != nil {
			return err
		}
	}
	return nil
}

// read reads a body from its place in the folder dir, and reports whether its bytes match the hash in the manifest.
func (d *Download) read(dir string, p place) (data []byte, ok bool) {
	b := d.m.Body(p.i)
	var err error
	if b.Pack != "" {
		data = make([]byte, b.Size)
		_, err = d.packs[b.Pack].ReadAt(data, b.Offset)
	} else {
		data, err = os.ReadFile(public(dir, d.m.File(p.v)))
	}
	return data, err == nil && int64(len(data)) == b.Size && artifact.Hash(data) == b.Hash
}

// write writes a body to its place. A linked pack is also a pack of the previous build, so writing to the pack repairs
// both builds.
func (d *Download) write(dir string, p place, data []byte) error {
	b := d.m.Body(p.i)
	if b.Pack != "" {
		_, err := d.packs[b.Pack].WriteAt(data, b.Offset)
		return err
	}
	at := public(dir, d.m.File(p.v))
	// The file may be a hard link to a file of another build, and that file must not change.
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(at, data, 0o644)
}

// replaceByLink makes to a hard link to the file from. It replaces a file left by an interrupted download.
func replaceByLink(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		if err := os.Remove(to); err != nil {
			return err
		}
		err = os.Link(from, to)
	}
	return err
}

// Fetch reads body i of variant v, with retries. The error wraps artifact.ErrBytes if the body doesn't match the hash
// in the build's manifest.
func (s *Store) Fetch(ctx context.Context, m *artifact.Manifest, v artifact.VariantIndex, i artifact.BodyIndex) (data []byte, err error) {
	o := object(m, v, i)
	err = repeat(ctx, func() (err error) {
		if data, _, err = s.getOnce(ctx, o.Key(), o.Size); err != nil {
			return err
		}
		if int64(len(data)) != o.Size || artifact.Hash(data) != o.bytes {
			return artifact.ErrBytes
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.at(o.Key()), err)
	}
	return data, nil
}
