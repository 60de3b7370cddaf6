package bucket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// Pulled counts the representations of a build in a folder by their origin.
type Pulled struct {
	Fetched, Reused int
	Bytes           int64
}

// pull makes a build's folder.
type pull struct {
	store *Store
	dir   string
	m     *artifact.Manifest
	last  *artifact.Build
	// lastDir is the folder of last, and known the places of its bodies by hash.
	lastDir string
	known   map[content]place
	packs   map[string]*os.File
}

// content identifies the bytes of a body.
type content struct {
	hash   uint64
	size   int64
	coding artifact.Coding
}

type place struct {
	v artifact.VariantIndex
	i artifact.BodyIndex
}

// Pull writes a build into a folder, in the layout that vitrined serves: the manifest last. It fetches only
// representations that neither the folder, after an interrupted pull, nor the build in lastDir has, and compares every
// one with its hash. lastDir may be "" or not have a build.
func (s *Store) Pull(ctx context.Context, b Build, dir, lastDir string, progress func(objects int, bytes int64)) (Pulled, error) {
	m, data, err := s.Manifest(ctx, b)
	if err != nil {
		return Pulled{}, err
	}
	p := &pull{store: s, dir: dir, m: m, packs: make(map[string]*os.File)}
	if lastDir != "" {
		p.reuse(lastDir)
	}
	if p.last != nil {
		defer p.last.Close()
	}
	sum, err := p.bodies(ctx, progress)
	if err != nil {
		return sum, err
	}
	if err := os.WriteFile(filepath.Join(dir, artifact.ManifestFile), data, 0o644); err != nil {
		return sum, err
	}
	return sum, verify(ctx, dir)
}

// verify compares every representation of the build in a folder with its hash.
func verify(ctx context.Context, dir string) error {
	b, err := artifact.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(b.Verify(ctx), b.Close())
}

// reuse opens the last build, if there is one.
func (p *pull) reuse(dir string) {
	last, err := artifact.Open(dir)
	if err != nil {
		return
	}
	p.last, p.lastDir, p.known = last, dir, make(map[content]place, last.Manifest.BodyCount())
	for v, i := range bodies(last.Manifest) {
		p.known[contentOf(last.Manifest, i)] = place{v, i}
	}
}

func contentOf(m *artifact.Manifest, i artifact.BodyIndex) content {
	hash, size := m.Digest(i)
	return content{hash, size, m.CodingOf(i)}
}

// bodies yields every body of a build once, with a variant that has it.
func bodies(m *artifact.Manifest) func(func(artifact.VariantIndex, artifact.BodyIndex) bool) {
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

// bodies writes the public files and the packs.
func (p *pull) bodies(ctx context.Context, progress func(int, int64)) (sum Pulled, err error) {
	if err := errors.Join(p.folders(), p.openPacks()); err != nil {
		return sum, err
	}
	defer func() {
		for _, f := range p.packs {
			err = errors.Join(err, f.Close())
		}
	}()
	var jobs []place
	for v, i := range bodies(p.m) {
		jobs = append(jobs, place{v, i})
	}
	var fetched, reused, bytes atomic.Int64
	err = each(ctx, len(jobs), func(n int) int64 { _, size := p.m.Digest(jobs[n].i); return size }, func(ctx context.Context, _, n int) error {
		fresh, err := p.body(ctx, jobs[n])
		if err != nil {
			return err
		}
		if !fresh {
			reused.Add(1)
			return nil
		}
		_, size := p.m.Digest(jobs[n].i)
		if count, sent := fetched.Add(1), bytes.Add(size); progress != nil {
			progress(int(count), sent)
		}
		return nil
	}, func(int) {})
	return Pulled{int(fetched.Load()), int(reused.Load()), bytes.Load()}, err
}

// folders creates the folders of all public files.
func (p *pull) folders() error {
	made := make(map[string]bool)
	for _, folder := range []string{artifact.PublicDir, artifact.CodedDir} {
		if err := os.MkdirAll(filepath.Join(p.dir, folder), 0o755); err != nil {
			return err
		}
	}
	for v, i := range bodies(p.m) {
		if p.m.Body(i).Pack != "" {
			continue
		}
		name := p.m.File(v)
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the manifest has a file outside of the build: %q", name)
		}
		folder := filepath.Dir(filepath.Join(p.dir, artifact.PublicDir, filepath.FromSlash(name)))
		if made[folder] {
			continue
		}
		made[folder] = true
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// openPacks links the packs that the last build has too, and creates the others. A pack is named after its hash.
func (p *pull) openPacks() error {
	for _, name := range p.m.Packs() {
		if strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
			return fmt.Errorf("the manifest has a pack outside of the build: %q", name)
		}
		at := filepath.Join(p.dir, artifact.CodedDir, name)
		if p.last != nil {
			if replaceByLink(filepath.Join(p.lastDir, artifact.CodedDir, name), at) == nil {
				continue
			}
		}
		f, err := os.OpenFile(at, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		p.packs[name] = f
	}
	return nil
}

// body puts a body in its place, and reports whether it was fetched.
func (p *pull) body(ctx context.Context, job place) (fetched bool, err error) {
	b := p.m.Body(job.i)
	if b.Pack != "" {
		f := p.packs[b.Pack]
		if f == nil {
			return false, nil // linked whole
		}
		data, fetched, err := p.bytes(ctx, job, func() ([]byte, bool) {
			data := make([]byte, b.Size)
			_, err := f.ReadAt(data, b.Offset)
			return data, err == nil && artifact.Hash(data) == b.Hash
		})
		if err != nil {
			return false, err
		}
		_, err = f.WriteAt(data, b.Offset)
		return fetched, err
	}
	name := filepath.FromSlash(p.m.File(job.v))
	at := filepath.Join(p.dir, artifact.PublicDir, name)
	if p.link(name, at, job.i) {
		return false, nil
	}
	data, fetched, err := p.bytes(ctx, job, func() ([]byte, bool) {
		data, err := os.ReadFile(at)
		return data, err == nil && int64(len(data)) == b.Size && artifact.Hash(data) == b.Hash
	})
	if err != nil {
		return false, err
	}
	// The file may be a link to a file of another build, which must not change.
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return fetched, os.WriteFile(at, data, 0o644)
}

// link links a public file that the last build has under the same name.
func (p *pull) link(name, at string, i artifact.BodyIndex) bool {
	if p.last == nil {
		return false
	}
	was, ok := p.known[contentOf(p.m, i)]
	if !ok || p.last.Manifest.Body(was.i).Pack != "" || filepath.FromSlash(p.last.Manifest.File(was.v)) != name {
		return false
	}
	if _, err := p.last.Read(was.v, was.i); err != nil {
		return false // damaged
	}
	return replaceByLink(filepath.Join(p.lastDir, artifact.PublicDir, name), at) == nil
}

// replaceByLink links a file, in place of one that an interrupted pull left.
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

// bytes returns a body from an interrupted pull, from the last build, or from the bucket.
func (p *pull) bytes(ctx context.Context, job place, here func() ([]byte, bool)) (data []byte, fetched bool, err error) {
	if data, ok := here(); ok {
		return data, false, nil
	}
	if p.last != nil {
		if was, ok := p.known[contentOf(p.m, job.i)]; ok {
			if data, err := p.last.Read(was.v, was.i); err == nil {
				return data, false, nil
			}
		}
	}
	data, err = p.store.Fetch(ctx, p.m, job.v, job.i)
	return data, true, err
}
