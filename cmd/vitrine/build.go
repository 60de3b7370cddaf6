package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// buildFlags are what build and serve have in common.
type buildFlags struct {
	source
	profiles profiles
	out      string
	codings  string
	format   string
}

func (b *buildFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&b.root, "root", ".", "the site's `folder`: the one that holds content/")
	flags.StringVar(&b.out, "out", "", "the `folder` to build into (default build below the root)")
	flags.BoolVar(&b.drafts, "drafts", false, "publish drafts and scheduled pages too")
	flags.BoolVar(&b.strict, "strict", false, "take what contradicts product.yaml for an error")
	flags.StringVar(&b.codings, "codings", "gzip,br", "the content `codings` to make, or none")
	flags.StringVar(&b.format, "format", "text", "how problems are told: `text`, json or github")
}

// folder is where the build goes.
func (b *buildFlags) folder() string {
	if b.out != "" {
		return b.out
	}
	return filepath.Join(b.root, "build")
}

func runBuild(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("build", " [flags]", stderr)
	var b buildFlags
	b.register(flags)
	b.profiles.register(flags)
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	return b.profiles.during(func() error {
		b.watch = b.profiles.watch(stderr)
		done, err := build(ctx, flags, &b, stderr)
		if err != nil {
			return err
		}
		if _, err = fmt.Fprintln(stdout, done); err != nil {
			return err
		}
		return b.watch.timings.write(stderr)
	})
}

// built is a build that was published.
type built struct {
	publish.Summary
	site *site.Site
	took time.Duration
}

// String is the line that a build ends with.
func (b *built) String() string {
	what := "built"
	if b.Unchanged {
		what = "nothing has changed since the build of"
	}
	line := fmt.Sprintf("%s %s, %s, %s in %s", what, counted(b.Pages, "page"), counted(b.Files, "file"),
		size(b.Bytes), b.took.Round(time.Millisecond))
	if next := scheduleLine(b.site); next != "" {
		line += "; " + next
	}
	return line
}

// build compiles the site and publishes it, unless it has errors: then the
// last build stays as it is.
func build(ctx context.Context, flags *flag.FlagSet, b *buildFlags, stderr io.Writer) (*built, error) {
	start := time.Now()
	b.watch.collector = relaxCollector()
	defer b.watch.collector.restore()
	codings, err := parseCodings(b.codings)
	if err != nil {
		return nil, usageError(flags, "%v", err)
	}
	tell, err := newTeller(b.format, b.root, stderr)
	if err != nil {
		return nil, usageError(flags, "%v", err)
	}
	stage, err := publish.Begin(ctx, b.folder(), publish.Options{Codings: codings, Derive: edgeFiles})
	if err != nil {
		return nil, err
	}
	b.cache = filepath.Join(b.folder(), "cache")
	compiled, problems, err := compile(ctx, b.source, stage)
	if err != nil {
		return nil, errors.Join(err, stage.Abort())
	}
	if err := tell(problems); err != nil {
		return nil, errors.Join(err, stage.Abort())
	}
	if site.HasErrors(problems) {
		return nil, errors.Join(errProblems, stage.Abort())
	}
	stage.SetNextDue(nextDue(compiled))
	summary, err := stage.Commit(artifact.DefaultLimit, artifact.DefaultWindow)
	if err != nil {
		return nil, err
	}
	b.watch.timings.phase("publish")
	b.watch.timings.count("pages", summary.Pages)
	b.watch.timings.count("files", summary.Files)
	return &built{Summary: summary, site: compiled, took: time.Since(start)}, nil
}

// edgeFiles makes what a CDN needs to give the answers of a build by itself.
func edgeFiles(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]publish.Derived, error) {
	files, err := edge.Outputs(m, read)
	if err != nil {
		return nil, err
	}
	derived := make([]publish.Derived, len(files))
	for i, f := range files {
		derived[i] = publish.Derived(f)
	}
	return derived, nil
}
