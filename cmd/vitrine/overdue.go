package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// buildDue is what a published build says of the pages that it left out.
type buildDue struct {
	folder string
	// next is when the first of them is due, zero where none waited.
	next time.Time
	// overdue says that the moment has come.
	overdue bool
	// unreadable says why a build cannot be read, nil where it can.
	unreadable error
}

// readBuildDue asks the build in a folder; it returns nil where there is none.
func readBuildDue(folder string, now time.Time) (*buildDue, error) {
	built, err := artifact.Open(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, artifact.ErrManifest):
		// No server can serve it either, so it is to be made anew in any case.
		return &buildDue{folder: folder, overdue: true, unreadable: err}, nil
	case err != nil:
		return nil, err
	}
	next := built.Manifest.NextDue
	return &buildDue{folder: folder, next: next, overdue: !next.IsZero() && !next.After(now)}, built.Close()
}

// line says that the build is to be made anew; it is "" where it is not.
func (b *buildDue) line(s *site.Site) string {
	switch {
	case b == nil || !b.overdue:
		return ""
	case b.unreadable != nil:
		return fmt.Sprintf("%v; run vitrine build", b.unreadable)
	}
	return fmt.Sprintf("the build in %s lacks what was due at %s; run vitrine build", b.folder, clock(s, b.next))
}
