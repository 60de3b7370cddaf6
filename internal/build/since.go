package build

import (
	"fmt"

	"vitrine/internal/artifact"
)

// reachEarlier returns an error if the records of the base build couldn't be read because the storage failed. Missing
// or damaged records aren't an error, because the build can render their pages.
func (b *builder) reachEarlier() error {
	if b.opt.Earlier == nil {
		return nil
	}
	if err := b.opt.Earlier.Records.Err(); err != nil {
		return fmt.Errorf("reading the records of the earlier build: %w", err)
	}
	return nil
}

// openSince opens the base build of a sparse build. It returns nil for a full build. If the base build is in a folder,
// the sparse build reuses the smaller copies of images in that folder, unless Seed is set.
func (b *builder) openSince() (*artifact.Build, error) {
	if b.opt.Earlier != nil {
		b.since = b.opt.Earlier.Build
		return b.since, nil
	}
	if b.opt.Since == "" {
		return nil, nil
	}
	out, err := resolve(b.opt.Out)
	if err != nil {
		return nil, fmt.Errorf("looking for the build folder: %w", err)
	}
	since, err := resolve(b.opt.Since)
	if err != nil {
		return nil, fmt.Errorf("looking for the --since build: %w", err)
	}
	if within(out, since) || within(since, out) {
		return nil, fmt.Errorf("a sparse build needs its own folder, outside %s; choose another folder with --out", b.opt.Since)
	}
	if b.since, err = artifact.Open(b.opt.Since); err != nil {
		return nil, fmt.Errorf("opening the --since build: %w", err)
	}
	if b.opt.Seed == "" {
		b.opt.Seed = b.opt.Since
	}
	return b.since, nil
}
