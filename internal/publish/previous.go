package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/folder"
)

// Before a build reuses results of the last build, it compares each file with the published state. It compares the
// stamp, which needs only the file's metadata. If the stamp differs or is inconclusive, it compares the bytes. If the
// bytes of a file differ, the build discards all knowledge of the last build. It then regenerates everything, and
// reuses files of build/public only after comparing their bytes.

// previous is the previous build: its known properties, and the check of its files, which runs while the site is read.
type previous struct {
	*target
	// since is the build that a sparse build uses as the last build, or nil. If since is set, there is no ledger.
	since *artifact.Build
	// ledger describes the last publication, or is nil if that publication is unknown. found is the ledger that was
	// read, even if its stamps don't match.
	ledger, found *ledger
	// manifest is the manifest of the build that ledger describes, or nil. It is read on demand.
	manifest *artifact.Manifest
	reading  sync.Once

	over    sync.WaitGroup
	settled sync.Once
	// doubt reports whether the build in the folder differs from the published build.
	doubt bool
	// failed is the error that prevented the check, or nil.
	failed error
	// damaged contains the names of the damaged files.
	damaged []string
	// dirty reports whether the ledger must be written even if the build is kept.
	dirty bool
}

// open reads the ledger, and drops it if the folders differ from the published build. Otherwise, it starts to check the
// files in the background. If all is set or the folder is a copy, the check reads every byte. If private is set without
// all, open omits the check, because no other process writes to the files.
func (p *previous) open(ctx context.Context, private, all bool) {
	p.ledger = readLedger(p.dir)
	p.found = p.ledger
	switch {
	case p.ledger == nil:
	case p.ledger.isCopy(p.dir):
		p.ledger.forgetSpare()
		p.over.Go(func() { p.doubt, p.failed = p.examineCopy(ctx, p.ledger) })
	case !p.ledger.holds(p.dir):
		p.ledger = nil
	case all || !private:
		p.over.Go(func() { p.doubt, p.failed = p.examine(ctx, p.ledger, all) })
	}
}

// settle waits for the check of the last build's files and drops the ledger if they differ from the published build. Code that
// relies on the ledger must call settle first.
func (p *previous) settle() error {
	p.settled.Do(func() {
		p.over.Wait()
		if p.doubt || p.failed != nil {
			p.ledger, p.manifest = nil, nil
		}
	})
	return p.failed
}

// examine reports whether the build in the folder differs from the published build, and records the damaged files.
func (p *previous) examine(ctx context.Context, l *ledger, all bool) (doubt bool, err error) {
	doubtful, err := l.changed(p.Public(), false)
	if err != nil || len(doubtful) == 0 && !all {
		return false, err
	}
	last := p.read()
	if last == nil {
		return true, nil
	}
	// Take the stamps before reading the bytes, so that a change in between isn't missed.
	for _, name := range doubtful {
		if is, err := folder.StampOf(filepath.Join(p.Public(), filepath.FromSlash(name))); err == nil {
			l.set(name, hashStamp(is, time.Now()))
		}
	}
	if all {
		p.damaged, err = p.verify(ctx)
	} else {
		p.damaged = wrong(p.Public(), last, doubtful)
	}
	p.dirty = len(doubtful) > 0
	return len(p.damaged) > 0, err
}

// verify reads every byte of the build and returns the damaged files.
func (p *previous) verify(ctx context.Context) ([]string, error) {
	var found []string
	for name, was := range p.ledger.derived {
		is, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
		if err != nil || artifact.Hash(is) != was {
			found = append(found, name)
		}
	}
	b, err := artifact.OpenOwn(p.dir)
	if err == nil {
		err = errors.Join(b.Verify(ctx), b.Close())
	}
	if err == nil || ctx.Err() != nil {
		return found, ctx.Err()
	}
	found = append(found, wrong(p.Public(), p.manifest, slices.Collect(p.ledger.all))...)
	for _, pack := range p.ledger.packs {
		// A pack's name is the hash of its content.
		hash, err := strconv.ParseUint(strings.TrimSuffix(pack, packExtension), 16, 64)
		if err != nil || !packHolds(filepath.Join(p.dir, artifact.CodedDir, pack), hash) {
			found = append(found, artifact.CodedDir+"/"+pack)
		}
	}
	return found, nil
}

// read reads the manifest of the build that the ledger describes. It returns nil if there is no such manifest.
func (p *previous) read() *artifact.Manifest {
	p.reading.Do(func() {
		if p.since != nil {
			p.manifest = p.since.Manifest
			return
		}
		m, err := artifact.ReadManifestFile(filepath.Join(p.dir, artifact.ManifestFile))
		if err == nil && m.Build == p.ledger.build {
			p.manifest = m
		}
	})
	return p.manifest
}

// last waits for the check of the build's files, and returns its manifest. It returns nil if there is no previous build
// or the build can't be reused.
func (p *previous) last() *artifact.Manifest {
	// Commit reports the error, if there is one.
	if p.settle() != nil || p.ledger == nil && p.since == nil {
		return nil
	}
	return p.read()
}

// file returns the identity body of a resource's public file. ok is false if the build has no such file.
func (p *previous) file(resource, name string) (body artifact.Body, ok bool) {
	if p.manifest == nil {
		return body, false
	}
	route, ok := p.manifest.Lookup(resource)
	if !ok {
		return body, false
	}
	for i := range route.Variants() {
		v := route.Variant(i)
		if p.manifest.File(v) != name {
			continue
		}
		if index, ok := p.manifest.BodyIn(v, artifact.Identity); ok {
			return p.manifest.Body(index), true
		}
	}
	return body, false
}

// derived returns the platform files of the last publication, with the hashes of their bytes.
func (p *previous) derived() map[string]uint64 {
	if p.found == nil {
		return nil
	}
	return p.found.derived
}

// wrong returns the elements of files whose bytes in the folder public differ from m, prefixed with "public/".
func wrong(public string, m *artifact.Manifest, files []string) []string {
	want := make(map[string]artifact.Body, len(files))
	for _, name := range files {
		want[name] = artifact.Body{Size: -1}
	}
	for v := range artifact.VariantIndex(m.VariantCount()) {
		name := m.File(v)
		if b, asked := want[name]; !asked || b.Size >= 0 {
			continue
		}
		if i, ok := m.BodyIn(v, artifact.Identity); ok {
			want[name] = m.Body(i)
		}
	}
	var found []string
	for _, name := range files {
		if !hasBody(filepath.Join(public, filepath.FromSlash(name)), want[name]) {
			found = append(found, artifact.PublicDir+"/"+name)
		}
	}
	return found
}

// hasBody reports whether name is a regular file whose bytes match want.
func hasBody(name string, want artifact.Body) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != want.Size {
		return false
	}
	is, err := os.ReadFile(name)
	return err == nil && artifact.Hash(is) == want.Hash
}
