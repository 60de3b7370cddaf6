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

// Before a build reuses results of the last build, it compares each of that build's files with the published state.
// First it compares the stamp, which requires only metadata. If the stamp differs or proves nothing, it compares the
// bytes. If the bytes of any file differ, the build ignores what it knows about the last build: it generates everything
// again, and reuses a file of build/public only if the bytes are equal.

// previous is what a build knows about the last build. It also checks that build's files, while the site is read.
type previous struct {
	*target
	// since is the build that a sparse build treats as the last build, or nil. If since is set, there is no ledger.
	since *artifact.Build
	// ledger describes the last publication. It is nil if the state of the build folder is unknown. found is the ledger
	// that was read, even if the stamps in it don't match.
	ledger, found *ledger
	// manifest is the manifest of the build that ledger describes, or nil. The method read sets it.
	manifest *artifact.Manifest
	reading  sync.Once

	over    sync.WaitGroup
	settled sync.Once
	// doubt reports whether files in the build folder differ from the published build.
	doubt bool
	// failed is the error that prevented the check of the files, or nil.
	failed error
	// damaged contains the names of files that differ from the published build.
	damaged []string
	// dirty reports whether the ledger must be written again even if the last build is kept.
	dirty bool
}

// open reads the ledger, and starts to check the files of the last build in the background. It drops the ledger if
// folders differ from the published build. If all is true or the build folder is a copy, the check reads every byte.
// Otherwise, if private is true, no other process writes to the files, so open checks only the folders.
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

// settle waits for the check of the last build's files, and drops the ledger if they differ from the published build.
// It must be called before the ledger is relied on. It returns the error that prevented the check, or nil.
func (p *previous) settle() error {
	p.settled.Do(func() {
		p.over.Wait()
		if p.doubt || p.failed != nil {
			p.ledger, p.manifest = nil, nil
		}
	})
	return p.failed
}

// examine reports whether files in the build folder differ from the published build, and sets p.damaged to these files.
// If all is true, it reads every byte.
func (p *previous) examine(ctx context.Context, l *ledger, all bool) (doubt bool, err error) {
	doubtful, err := l.changed(p.Public(), false)
	if err != nil || len(doubtful) == 0 && !all {
		return false, err
	}
	last := p.read()
	if last == nil {
		return true, nil
	}
	// Take the stamps before reading the bytes, so that a later run notices changes made in between.
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

// verify reads every byte of the build and returns the names of the damaged files.
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

// read returns the manifest of the build that the ledger describes, which it reads on the first call. It returns nil if
// that manifest is missing.
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

// last waits for the check of the last build's files, and returns that build's manifest. It returns nil if there is no
// last build or the build can't be reused.
func (p *previous) last() *artifact.Manifest {
	// Commit reports an error from settle.
	if p.settle() != nil || p.ledger == nil && p.since == nil {
		return nil
	}
	return p.read()
}

// file returns the uncompressed body of the public file with the given name in the last build. resource is the path of
// the resource that has the file. ok is false if the last build doesn't have the file.
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

// derived returns the names of the last publication's platform files, with the hashes of their contents.
func (p *previous) derived() map[string]uint64 {
	if p.found == nil {
		return nil
	}
	return p.found.derived
}

// wrong returns the names in files whose bytes in the folder public don't match the manifest m. It adds the prefix
// "public/" to each name.
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

// hasBody reports whether the named file is a regular file whose bytes match want.
func hasBody(name string, want artifact.Body) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != want.Size {
		return false
	}
	is, err := os.ReadFile(name)
	return err == nil && artifact.Hash(is) == want.Hash
}
