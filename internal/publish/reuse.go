package publish

import (
	"errors"
	"fmt"

	"vitrine/internal/artifact"
)

// A build doesn't generate a resource again if the previous build has the same resource. Reuse adds the previous
// build's resource, with its files and its compressed representations.

// Last returns the manifest of the previous build. It returns nil if there is no previous build, or if that build can't
// be reused because files in it have changed.
func (s *Stage) Last() *artifact.Manifest {
	last := s.previous.last()
	s.copying.Do(func() {
		if last != nil {
			s.copier = artifact.NewCopier(s.manifest, last)
		}
	})
	return last
}

// Intact waits for the check of the previous build's files, and reports whether they are unchanged.
func (s *Stage) Intact() bool { return s.previous.settle() == nil && s.previous.ledger != nil }

// LastBuild returns the ID of the previous build. ok is false if the ID is unknown. LastBuild neither reads the build
// nor waits for the check of the build's files, so that the caller can prepare work in the meantime. Last and Intact
// report whether the build is usable, and must be called only after LastBuild.
func (s *Stage) LastBuild() (build uint64, ok bool) {
	if since := s.options.Since; since != nil {
		return since.Manifest.Build, true
	}
	if s.previous.ledger == nil {
		return 0, false
	}
	return s.previous.ledger.build, true
}

// Kind returns a string that identifies the options on which the bytes of a build depend. Two builds with the same Kind
// differ only if their inputs differ.
func (s *Stage) Kind() string {
	return fmt.Sprint(s.options.Codings, s.options.SharedCodings, s.options.Every, s.options.Derive != nil)
}

// Keep makes Commit keep the previous build, because the new build would be identical. Commit then publishes nothing,
// and returns summary with Unchanged set to true.
func (s *Stage) Keep(summary Summary) {
	s.summary, s.keep = summary, true
	s.summary.Unchanged = true
}

// Added returns the number of resources appended so far.
func (s *Stage) Added() int { return s.manifest.Added() }

// OnPublished sets a function that Commit calls after publishing the build, before another build of the same folder can
// start. places contains the positions of the resources in the manifest, in the order in which the resources were
// appended. Commit doesn't call the function if it keeps the previous build.
func (s *Stage) OnPublished(do func(summary Summary, places []uint32) error) {
	s.onPublished = do
}

// Reuse appends resources of the previous build. routes contains the positions of the resources in that build's
// manifest. The previous build must have appended these resources in a single call of Append.
func (s *Stage) Reuse(routes []uint32) error {
	if len(routes) == 0 {
		return nil
	}
	if err := s.files.start(); err != nil {
		return err
	}
	last := s.Last()
	if last == nil {
		return errors.New("there is no previous build to reuse")
	}
	before := s.packs.size
	sum, err := s.copier.Add(routes, s.packs.packName(), s.packs.carry)
	if err != nil {
		return fmt.Errorf("reusing resources from the previous build: %w", err)
	}
	if first, ok := last.RouteAt(routes[0]); ok {
		err = s.packs.endGroup(first.Path(), before)
	}
	s.summary.Pages += sum.Pages
	s.summary.Files += sum.Files
	s.summary.Bytes += sum.Bytes
	return err
}
