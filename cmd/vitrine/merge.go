package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"vitrine/internal/build"
	"vitrine/internal/site"
)

// declareMerge declares merge, which combines parts into a complete build.
func declareMerge(flags *flag.FlagSet) action {
	var b buildFlags
	var profiles profiles
	b.registerMerge(flags)
	profiles.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		folders, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(folders) == 0 {
			folders = []string{filepath.Join(b.Root, partsFolder)}
		}
		return profiles.during(func() error {
			b.Observer = profiles.observer(stderr)
			start := time.Now()
			result, err := b.reported(flags, stdout, stderr, func() (build.Result, []site.Problem, error) {
				return build.Merge(ctx, folders, b.Source, b.Output, b.Observer)
			})
			if err != nil {
				return err
			}
			notes := b.quiet.notes(stderr)
			summary := b.quiet.notes(stdout)
			if b.forPrograms() {
				summary = notes
			}
			_, err = fmt.Fprintln(summary, builtLine(result, time.Since(start)))
			return errors.Join(err, reportMount(notes, result), b.Timings.Write(stderr))
		})
	}
}

// registerMerge registers the flags of merge. The other build options come from the parts.
func (b *buildFlags) registerMerge(flags *flag.FlagSet) {
	flags.StringVar(&b.Root, "root", ".", "the site's `folder`, which contains content/, at the commit that the parts were built from")
	flags.StringVar(&b.Out, "out", "", "the `folder` to build into (default the folder build in --root)")
	b.registerSync(flags)
	b.reporting.register(flags)
	b.quiet.register(flags)
}
