package publish

import (
	"errors"
	"fmt"

	"vitrine/internal/artifact"
)

// A build doesn't regenerate resources that it shares with the last build: Reuse copies them with their files and their
// compressed representations.

// Last returns the manifest of the published build. It is nil if there is no published build, or if the build can't be
// reused because it has changed since its publication.
func (s *Stage) Last() *artifact.Manifest {
	last := s.previous.last()
	s.copying.Do(func() {
		if last != nil {
			s.copier = artifact.NewCopier(s.manifest, last)
		}
	})
	return last
}

// Intact reports whether the build identified by LastBuild is unchanged since its publication.
func (s *Stage) Intact() bool { return s.previous.settle() == nil && s.previous.ledger != nil }

// LastBuild returns the ID of the last published build. ok is false if the ID is unknown. LastBuild doesn't read the
// build or wait for the check of its files, so that the caller can prepare work in the meantime. Last or Intact reports
// later whether the build is usable. The caller must call LastBuild before those methods.
func (s *Stage) LastBuild() (build uint64, ok bool) {
	if since := s.options.Since; since != nil {
		return since.Manifest.Build, true
	}
	if s.previous.ledger == nil {
		return 0, false
	}
	return s.previous.ledger.build, true
}

// Kind identifies the options that affect the bytes of a build. Two builds of the same kind differ only if their inputs
// differ.
func (s *Stage) Kind() string {
	return fmt.Sprint(s.options.Codings, s.options.SharedCodings, s.options.Every, s.options.Derive != nil)
}

// Keep leaves the last build in place because the new build would be identical. Commit then doesn't publish a build,
// and returns summary with Unchanged set.
func (s *Stage) Keep(summary Summary) {
	s.summary, s.keep = summary, true
	s.summary.Unchanged = true
}

// Added returns the number of resources appended so far.
func (s *Stage) Added() int { return s.manifest.Added() }

// OnPublished sets a function to call when the build is published, before another build of the folder can start. places
// contains the positions of the resources in the manifest, in the order in which the resources were appended. If the
// last build is kept, Commit doesn't call the function.
func (s *Stage) OnPublished(do func(summary Summary, places []uint32) error) {
	s.onPublished = do
}

// Reuse appends resources of the last build. routes contains their positions in its manifest. The last build must have
// appended them in one call of Append.
func (s *Stage) Reuse(routes []uint32) error {
	if len(routes) == 0 {
		return nil
	}
	if err := s.files.start(); err != nil {
		return err
	}
	last := s.Last()
	if last == nil {
		return errors.New("there is no last build to reuse")
	}
	before := s.packs.size
	sum, err := s.copier.Add(routes, s.packs.packName(), s.packs.carry)
	if err != nil {
		return fmt.Errorf("reusing resources from the last build: %w", err)
	}
	if first, ok := last.RouteAt(routes[0]); ok {
		err = s.packs.endGroup(first.Path(), before)
	}
	s.summary.Pages += sum.Pages
	s.summary.Files += sum.Files
	s.summary.Bytes += sum.Bytes
	return err
}
