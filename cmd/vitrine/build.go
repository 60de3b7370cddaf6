package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// buildFlags are what build and serve have in common.
type buildFlags struct {
	build.Options
	codings string
	reporting
	sync bool
}

func (b *buildFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&b.Root, "root", ".", "the site's `folder`: the one that holds content/")
	flags.StringVar(&b.Out, "out", "", "the `folder` to build into (default build below the root)")
	flags.BoolVar(&b.Drafts, "drafts", false, "publish drafts and scheduled pages too")
	flags.BoolVar(&b.Strict, "strict", false, "take what contradicts product.yaml for an error")
	flags.StringVar(&b.codings, "codings", "gzip,br", "the content `codings` to make, or none")
	flags.BoolVar(&b.sync, "sync", true, "wait until the build is on the disk, so that a loss of power leaves this build or the last; --sync=false is for builds that are uploaded at once")
	b.reporting.register(flags)
}

func runBuild(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("build", " [flags]", stderr)
	var b buildFlags
	var profiles profiles
	b.register(flags)
	flags.BoolVar(&b.Verify, "verify", false, "read every byte of the last build, and make again what is not as it was built")
	profiles.register(flags)
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	return profiles.during(func() error {
		profiles.watch(&b.Options, stderr)
		start := time.Now()
		result, err := b.run(ctx, flags, stderr)
		if err != nil {
			return err
		}
		if _, err = fmt.Fprintln(stdout, builtLine(result, time.Since(start))); err != nil {
			return err
		}
		return b.Timings.Write(stderr)
	})
}

// run builds the site as the flags say, and reports its problems.
func (b *buildFlags) run(ctx context.Context, flags *flag.FlagSet, stderr io.Writer) (result build.Result, err error) {
	if b.Codings, err = parseCodings(b.codings); err != nil {
		return result, usageError(flags, "%v", err)
	}
	report, err := b.reporter(b.Root, stderr)
	if err != nil {
		return result, usageError(flags, "%v", err)
	}
	if b.Out == "" {
		b.Out = filepath.Join(b.Root, "build")
	}
	b.Edges, b.NoSync = true, !b.sync
	result, problems, err := build.Build(ctx, b.Options)
	if err != nil && problems == nil {
		return result, err
	}
	return result, errors.Join(report(problems), reportFound(stderr, b.Out, result), err, problemsError(problems))
}

// reportFound reports what was found in the build folder and should not have been
// there.
func reportFound(stderr io.Writer, out string, result build.Result) error {
	const most = 10
	var failed error
	report := func(names []string, format string) {
		for i, name := range names {
			if i == most {
				_, err := fmt.Fprintf(stderr, "… and %s\n", counted(len(names)-most, "file"))
				failed = errors.Join(failed, err)
				return
			}
			_, err := fmt.Fprintf(stderr, format, name)
			failed = errors.Join(failed, err)
		}
	}
	report(result.Damaged, filepath.ToSlash(out)+"/%s was not as it had been built; it was made again\n")
	report(result.Unknown, "a file in public/ that no build made is now %s\n")
	return failed
}

// problemsError is errProblems where one of the problems is an error.
func problemsError(problems []site.Problem) error {
	if site.HasErrors(problems) {
		return errProblems
	}
	return nil
}

// builtLine is the line that a build ends with.
func builtLine(result build.Result, took time.Duration) string {
	what := "built"
	if result.Unchanged {
		what = "nothing has changed since the build of"
	}
	line := fmt.Sprintf("%s %s, %s, %s in %s", what, counted(result.Pages, "page"), counted(result.Files, "file"),
		size(result.Bytes), took.Round(time.Millisecond))
	if next := scheduleLine(result.Site); next != "" {
		line += "; " + next
	}
	return line
}

// parseCodings reads the value of --codings.
func parseCodings(value string) ([]artifact.Coding, error) {
	if value == "none" || value == "" {
		return nil, nil
	}
	var codings []artifact.Coding
	for name := range strings.SplitSeq(value, ",") {
		switch strings.TrimSpace(name) {
		case "gzip":
			codings = append(codings, artifact.Gzip)
		case "br":
			codings = append(codings, artifact.Brotli)
		default:
			return nil, fmt.Errorf("--codings %s: %q is not known; it is gzip, br, both with a comma, or none", value, name)
		}
	}
	return codings, nil
}
