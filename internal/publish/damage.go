package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/folder"
)

// Before a build reuses results of the last build, it compares each file with the published state. It compares the stamp, which
// only needs a look at the folder, and the bytes if the stamp is inconclusive. If a file differs, the build discards all
// knowledge of the last build. It then makes everything again, and reuses files of build/public only after comparing their
// bytes.

// examination checks the last build's files while the site is read.
type examination struct {
	over    sync.WaitGroup
	settled sync.Once
	// doubt reports whether the existing build differs from the published one. failed is the error that prevented the check.
	doubt  bool
	failed error
}

// beginExamination drops the ledger if the folders differ from the published build. Otherwise it starts to check the files,
// unless no other process can write them. If all is set, it reads every byte.
func (s *Stage) beginExamination(ctx context.Context, all bool) {
	if s.ledger == nil {
		return
	}
	if !s.ledger.holds(s.dir) {
		s.ledger = nil
		return
	}
	if s.options.Private && !all {
		return
	}
	s.examination.over.Go(func() { s.examination.doubt, s.examination.failed = s.examine(ctx, s.ledger, all) })
}

// settle waits for the check of the last build's files and drops the ledger if they differ from the published build. Code that
// relies on the ledger must call settle first.
func (s *Stage) settle() error {
	s.examination.settled.Do(func() {
		s.examination.over.Wait()
		if s.examination.doubt || s.examination.failed != nil {
			s.ledger, s.last = nil, nil
		}
	})
	return s.examination.failed
}

// examine reports whether the existing build differs from the published one, and records the damaged files.
func (s *Stage) examine(ctx context.Context, l *ledger, all bool) (doubt bool, err error) {
	doubtful, err := l.changed(s.Public(), false)
	if err != nil || len(doubtful) == 0 && !all {
		return false, err
	}
	last := s.readLast()
	if last == nil {
		return true, nil
	}
	// The stamps are taken before the bytes are read.
	for _, name := range doubtful {
		if is, err := folder.StampOf(filepath.Join(s.Public(), filepath.FromSlash(name))); err == nil {
			l.set(name, hashStamp(is, time.Now()))
		}
	}
	if all {
		s.damaged, err = s.verify(ctx)
	} else {
		s.damaged = wrong(s.Public(), last, doubtful)
	}
	s.dirty = len(doubtful) > 0
	return len(s.damaged) > 0, err
}

// changed returns the public files whose stamps differ from the ledger. If note is set, it updates the ledger with the current
// stamps instead. It stats files by name in an open folder, on all processors.
func (l *ledger) changed(public string, note bool) ([]string, error) {
	const atOnce = 512
	var found names
	var failed names
	var working sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, f := range l.folders {
		if len(f.files) == 0 {
			continue
		}
		dir, err := os.Open(filepath.Join(public, filepath.FromSlash(f.name)))
		if err != nil {
			return nil, fmt.Errorf("looking at the last build: %w", err)
		}
		var inFolder sync.WaitGroup
		for first := 0; first < len(f.files); first += atOnce {
			part := f.files[first:min(first+atOnce, len(f.files))]
			slots <- struct{}{}
			inFolder.Go(func() {
				defer func() { <-slots }()
				now := time.Now()
				for i := range part {
					is, err := folder.StampIn(dir, part[i].name)
					switch {
					case note && err != nil:
						failed.add(path.Join(f.name, part[i].name))
					case note:
						part[i].stamp = hashStamp(is, now)
					case err != nil || part[i].stamp == 0 || hashStamp(is, now) != part[i].stamp:
						found.add(path.Join(f.name, part[i].name))
					}
				}
			})
		}
		working.Go(func() {
			inFolder.Wait()
			_ = dir.Close() // it was only read
		})
	}
	working.Wait()
	if len(failed.all) > 0 {
		return nil, fmt.Errorf("checking the published files: %s: %w", failed.sorted()[0], fs.ErrNotExist)
	}
	return found.sorted(), nil
}

// wrong returns the public files whose bytes differ from the build.
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

// hasBody reports whether there is a regular file with the bytes of a body.
func hasBody(name string, want artifact.Body) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != want.Size {
		return false
	}
	is, err := os.ReadFile(name)
	return err == nil && artifact.Hash(is) == want.Hash
}

// verify reads every byte of the last build and returns the damaged files.
func (s *Stage) verify(ctx context.Context) ([]string, error) {
	var found []string
	for name, was := range s.ledger.derived {
		is, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		if err != nil || artifact.Hash(is) != was {
			found = append(found, name)
		}
	}
	b, err := artifact.OpenOwn(s.dir)
	if err == nil {
		err = errors.Join(b.Verify(ctx), b.Close())
	}
	if err == nil || ctx.Err() != nil {
		return found, ctx.Err()
	}
	found = append(found, wrong(s.Public(), s.last, slices.Collect(s.ledger.all))...)
	for _, pack := range s.ledger.packs {
		// A pack's name is the hash of its content.
		hash, err := strconv.ParseUint(strings.TrimSuffix(pack, packExtension), 16, 64)
		if err != nil || !packHolds(filepath.Join(s.dir, artifact.CodedDir, pack), hash) {
			found = append(found, artifact.CodedDir+"/"+pack)
		}
	}
	return found, nil
}
