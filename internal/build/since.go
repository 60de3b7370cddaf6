package build

import (
	"fmt"
	"path/filepath"

	"vitrine/internal/artifact"
	"vitrine/internal/record"
)

// openSince opens the build that a sparse build continues, or returns nil for a whole build.
func (b *builder) openSince() (*artifact.Build, error) {
	if b.opt.Since == "" {
		return nil, nil
	}
	out, err := resolve(b.opt.Out)
	if err != nil {
		return nil, fmt.Errorf("looking for the build folder: %w", err)
	}
	since, err := resolve(b.opt.Since)
	if err != nil {
		return nil, fmt.Errorf("looking for the build to continue: %w", err)
	}
	if within(out, since) || within(since, out) {
		return nil, fmt.Errorf("a sparse build needs a folder of its own, and %s is in %s or the other way around; give another one with --out", b.opt.Out, b.opt.Since)
	}
	if b.since, err = artifact.Open(b.opt.Since); err != nil {
		return nil, fmt.Errorf("opening the build to continue: %w", err)
	}
	return b.since, nil
}

// takeSince copies the records of the build that a sparse build continues. The copies of images are a cache too.
func (b *builder) takeSince() error {
	if b.since == nil {
		return nil
	}
	if b.opt.Seed == "" {
		b.opt.Seed = b.opt.Since
	}
	if err := record.CopyFolder(cacheFolder(b.opt.Out), cacheFolder(b.opt.Since)); err != nil {
		return fmt.Errorf("copying the records of %s: %w", filepath.ToSlash(b.opt.Since), err)
	}
	return nil
}
