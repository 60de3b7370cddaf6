package publish

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
)

// What a build has in common with the last one need not be made again: Reuse
// takes resources of the last build over, with their files and their coded
// representations.

// Last is the build that stands. It is nil where there is none, or where it is
// no longer what was published, so that nothing of it can be taken over.
func (s *Stage) Last() *artifact.Manifest {
	// What kept it from being looked at is reported when the build is begun.
	if s.settle() != nil || s.ledger == nil {
		return nil
	}
	last := s.readLast()
	s.copying.Do(func() {
		if last != nil {
			s.copier = artifact.NewCopier(s.manifest, last)
		}
	})
	return last
}

// readLast reads the manifest of the build that the ledger is of; nil where there
// is no such thing.
func (s *Stage) readLast() *artifact.Manifest {
	s.reading.Do(func() {
		m, err := artifact.ReadManifestFile(filepath.Join(s.dir, artifact.ManifestFile))
		if err == nil && m.Build == s.ledger.build {
			s.last = m
		}
	})
	return s.last
}

// Stands reports whether the build that LastBuild identifies is still what was
// published.
func (s *Stage) Stands() bool { return s.settle() == nil && s.ledger != nil }

// LastBuild identifies the build that was published last; ok is false where none
// is known. It neither reads the build nor waits until its files are looked at, so
// that it is for what is got ready meanwhile: Last or Stands say what is left of it.
// It is called before either.
func (s *Stage) LastBuild() (build uint64, ok bool) {
	if s.ledger == nil {
		return 0, false
	}
	return s.ledger.build, true
}

// Kind says how the stage writes a build: two builds of one kind differ only in
// what they are given.
func (s *Stage) Kind() string {
	return fmt.Sprint(s.options.Codings, s.options.SharedCodings, s.options.Every, s.options.Derive != nil)
}

// Public is the folder of the last build's public files.
func (s *Stage) Public() string { return filepath.Join(s.dir, artifact.PublicDir) }

// Keep leaves the last build as it is, because this one would be the same.
// Commit then publishes nothing and returns the summary given.
func (s *Stage) Keep(summary Summary) {
	s.summary, s.keep = summary, true
	s.summary.Unchanged = true
}

// Added is the number of resources that were appended so far.
func (s *Stage) Added() int { return s.manifest.Added() }

// OnPublished has a function called when the build is published, while no other
// build of the folder can begin. places are where the resources stand in the
// manifest, in the order in which they were appended.
func (s *Stage) OnPublished(do func(summary Summary, places []uint32) error) {
	s.onPublished = do
}

// Reuse appends resources of the last build, by their places in its manifest.
// They were appended in one call then; see Append.
func (s *Stage) Reuse(routes []uint32) error {
	if len(routes) == 0 {
		return nil
	}
	if err := s.start(); err != nil {
		return err
	}
	last := s.Last()
	if last == nil {
		return errors.New("there is no last build to take anything from")
	}
	before := s.segment.size
	sum, err := s.copier.Add(routes, s.packName(), s.carry)
	if err != nil {
		return fmt.Errorf("taking resources over from the last build: %w", err)
	}
	if first, ok := last.RouteAt(routes[0]); ok {
		err = s.endGroup(first.Path(), before)
	}
	s.summary.Pages += sum.Pages
	s.summary.Files += sum.Files
	s.summary.Bytes += sum.Bytes
	return err
}

// sameAsLast reports whether the last build has a public file with these bytes.
func (s *Stage) sameAsLast(resource, name string, body artifact.Body) bool {
	if s.last == nil {
		return false
	}
	route, ok := s.last.Lookup(resource)
	if !ok {
		return false
	}
	for i := range route.Variants() {
		v := route.Variant(i)
		if s.last.File(v) != name {
			continue
		}
		if index, ok := s.last.BodyIn(v, artifact.Identity); ok {
			was := s.last.Body(index)
			return was.Hash == body.Hash && was.Size == body.Size
		}
	}
	return false
}

// there reports whether build/public, of which nothing is known, has a file with
// these bytes.
func (s *Stage) there(name string, body []byte) bool {
	if !s.public {
		return false
	}
	path := filepath.Join(s.dir, artifact.PublicDir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(body)) {
		return false
	}
	is, err := os.ReadFile(path)
	return err == nil && bytes.Equal(is, body)
}
