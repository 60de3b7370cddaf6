package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/build"
	"vitrine/internal/deploy"
	"vitrine/internal/edge/platform"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

// buildFlags contains the values of the flags of build and serve. merge has some of these flags, too.
type buildFlags struct {
	build.Source
	build.Output
	build.Observer
	codings string
	reporting
	sync bool
}

func (b *buildFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&b.Root, "root", ".", "the site's `folder`, which contains content/")
	flags.StringVar(&b.Out, "out", "", "the `folder` to build into (default the folder build in --root)")
	flags.BoolVar(&b.Drafts, "drafts", false, "publish drafts and scheduled pages too")
	flags.BoolVar(&b.Strict, "strict", false, "treat placeholders and text that contradicts product.yaml as errors")
	flags.StringVar(&b.codings, "codings", "auto", "the `encodings` to write: gzip, br, gzip,br, or none; auto writes gzip for all files and also br for files that pages share")
	b.registerSync(flags)
	b.reporting.register(flags)
}

func (b *buildFlags) registerSync(flags *flag.FlagSet) {
	flags.BoolVar(&b.sync, "sync", true, "wait until the build is on disk, so that a power failure leaves either this build or the previous build; for builds that you upload, use the faster --sync=false")
}

func declareBuild(flags *flag.FlagSet) action {
	var b buildFlags
	var profiles profiles
	b.register(flags)
	b.quiet.register(flags)
	flags.BoolVar(&b.Verify, "verify", false, "read every byte of the last build and rebuild damaged files")
	flags.StringVar(&b.Since, "since", "", "write a sparse build into --out: the complete manifest, but only the files that differ from the full build in this `folder` or at s3://bucket/prefix; deploy the sparse build with vitrine deploy s3://bucket/prefix")
	part := flags.String("part", "", "build only a `part` of the pages, for vitrine merge; for example, 3/16 is the third of 16 parts; the part goes into --out, by default parts/3 in --root")
	base := flags.String("base-url", "", "build a preview for this `address` instead of the site's baseURL; the preview tells search engines not to index it (default the preview address on "+platform.Titles()+")")
	profiles.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		if b.Since != "" && b.Verify {
			return usageError(flags, "--since and --verify cannot be combined; use --verify with a full build")
		}
		if err := b.setPart(*part); err != nil {
			return usageError(flags, "%v", err)
		}
		notes := b.quiet.notes(stderr)
		if *base == "" {
			*base = previewURL(os.Getenv)
		}
		if *base != "" {
			var err error
			if b.BaseURL, err = load.BaseURL(*base); err != nil {
				return usageError(flags, "--base-url: %v", err)
			}
			if _, err := fmt.Fprintf(notes, "building a preview for %s; search engines will not index it\n", b.BaseURL); err != nil {
				return err
			}
		}
		return profiles.during(func() error {
			b.Observer = profiles.observer(stderr)
			start := time.Now()
			since := b.Since
			traffic, err := b.openBucket(ctx)
			if err != nil {
				return err
			}
			result, err := b.run(ctx, flags, stdout, stderr)
			if err != nil {
				return err
			}
			if err := reportUnused(stderr, since, result); err != nil {
				return err
			}
			summary := b.quiet.notes(stdout)
			if b.forPrograms() {
				summary = notes
			}
			if b.Part.Of > 0 {
				if _, err = fmt.Fprintln(summary, partLine(b.Part, b.Out, result, time.Since(start))); err != nil {
					return err
				}
				return b.Timings.Write(stderr)
			}
			if _, err = fmt.Fprintln(summary, builtLine(result, time.Since(start))); err != nil {
				return err
			}
			if err := errors.Join(reportMount(notes, result), traffic(notes)); err != nil {
				return err
			}
			return b.Timings.Write(stderr)
		})
	}
}

// partsFolder is the default folder for the parts that vitrine build --part builds, relative to the site's root.
const partsFolder = "parts"

// setPart sets the part to build from value, the value of --part, and the default output folder for parts. If value is
// "", which selects a complete build, it does nothing.
func (b *buildFlags) setPart(value string) (err error) {
	if value == "" {
		return nil
	}
	if b.Part, err = build.ParsePart(value); err != nil {
		return fmt.Errorf("--part: %w", err)
	}
	if b.Since != "" || b.Verify {
		return errors.New("--part builds a part of a full build in an empty folder; omit --since and --verify, which need an earlier build")
	}
	if b.Out == "" {
		b.Out = filepath.Join(b.Root, partsFolder, strconv.Itoa(b.Part.Number))
	}
	return nil
}

// openBucket opens the build in the bucket that --since names, if any, and sets b.Earlier instead of b.Since. traffic
// writes how many requests were sent to the bucket, or nothing if there is no bucket.
func (b *buildFlags) openBucket(ctx context.Context) (traffic func(io.Writer) error, err error) {
	if !bucket.Is(b.Since) {
		return func(io.Writer) error { return nil }, nil
	}
	earlier, err := deploy.OpenEarlier(ctx, b.Since)
	if err != nil {
		return nil, fmt.Errorf("opening the --since build: %w", err)
	}
	b.Since, b.Earlier = "", &build.Earlier{Build: earlier.Build, Records: earlier.Records}
	return func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "requests: "+earlier.Store.Traffic().String())
		return err
	}, nil
}

// reportUnused writes a message if a sparse build couldn't reuse the records of some pages and rendered these pages
// again. since is the folder or bucket that contains the records.
func reportUnused(w io.Writer, since string, result build.Result) error {
	format, cause := "", result.Unused
	switch {
	case cause != nil:
		format = "rendered all pages, because the records in %s cannot be used: %v\n"
	case result.Repaired:
		format, cause = "rendered the pages whose records in %s are %v\n", errors.New("missing or damaged")
	default:
		return nil
	}
	_, err := fmt.Fprintf(w, format, since, cause)
	return err
}

// reportMount writes a message if the site is served under a path. The message names the site's files that programs
// look for only at the root of a host.
func reportMount(w io.Writer, result build.Result) error {
	if result.Site == nil || result.Site.Config.Mount() == "" {
		return nil
	}
	files := "robots.txt and .well-known/api-catalog"
	if result.Site.Config.Security.Contact != "" {
		files = "robots.txt, .well-known/api-catalog, and .well-known/security.txt"
	}
	_, err := fmt.Fprintf(w, "the site is under %s, but programs look for %s only at the root of its host; add these files there too, as described in \"Serve a site under a path\" in docs/guides/edges.md\n",
		result.Site.Config.Mount(), files)
	return err
}

// run builds the site with the settings in the flags. It writes problems to stderr as text or, if --format selects a
// format for programs, to stdout.
func (b *buildFlags) run(ctx context.Context, flags *flag.FlagSet, stdout, stderr io.Writer) (result build.Result, err error) {
	if b.Codings, b.SharedCodings, err = parseCodings(b.codings); err != nil {
		return result, usageError(flags, "%v", err)
	}
	b.Edges = true
	return b.reported(flags, stdout, stderr, func() (build.Result, []site.Problem, error) {
		return build.Build(ctx, b.Source, b.Output, b.Observer)
	})
}

// reported calls make, which builds a site or merges parts, and reports the problems that make returns. If --out isn't
// set, it first sets b.Out to the default folder.
func (b *buildFlags) reported(flags *flag.FlagSet, stdout, stderr io.Writer, make func() (build.Result, []site.Problem, error)) (result build.Result, err error) {
	to := stderr
	if b.forPrograms() {
		to = stdout
	}
	report, err := b.reporter(b.Root, to)
	if err != nil {
		return result, usageError(flags, "%v", err)
	}
	if b.Out == "" {
		b.Out = filepath.Join(b.Root, "build")
	}
	b.NoSync = !b.sync
	result, problems, err := make()
	if err != nil && problems == nil {
		return result, err
	}
	return result, errors.Join(report(problems), reportFound(stderr, b.Out, result), err, problemsError(problems))
}

// reportFound lists the damaged files that a build replaced in its output folder, and the files that it moved out of
// public/ because no build created them. It lists at most ten files of each kind.
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
	report(result.Damaged, filepath.ToSlash(out)+"/%s was damaged; it was rebuilt\n")
	report(result.Unknown, "moved a file out of public/ to %s, because it was not created by a build\n")
	return failed
}

// problemsError returns errProblems if any of the problems is an error, otherwise nil.
func problemsError(problems []site.Problem) error {
	if site.HasErrors(problems) {
		return errProblems
	}
	return nil
}

// builtLine returns the last line of a build's output.
func builtLine(result build.Result, took time.Duration) string {
	what := "built"
	if result.Unchanged {
		what = "unchanged:"
	}
	line := fmt.Sprintf("%s %s, %s, %s in %s", what, counted(result.Pages, "page"), counted(result.Files, "file"),
		size(result.Bytes), took.Round(time.Millisecond))
	if next := scheduleLine(result.Site); next != "" {
		line += "; " + next
	}
	return line
}

// partLine returns the last line of the output of a build of part p into the folder out.
func partLine(p build.Part, out string, result build.Result, took time.Duration) string {
	return fmt.Sprintf("built part %s in %s, %s of %d, %s in %s", p, filepath.ToSlash(out), counted(result.Pages, "page"), len(result.Site.Pages),
		size(result.Bytes), took.Round(time.Millisecond))
}

// parseCodings parses the value of --codings. The encodings in codings are for all files, and the encodings in shared
// are additional ones for files that pages share. The default, auto, uses Brotli only for shared files, because Brotli
// makes a page only a tenth smaller than gzip does, but takes five times as long.
func parseCodings(value string) (codings, shared []artifact.Coding, err error) {
	switch value {
	case "none", "":
		return nil, nil, nil
	case "auto":
		return []artifact.Coding{artifact.Gzip}, []artifact.Coding{artifact.Brotli}, nil
	}
	for name := range strings.SplitSeq(value, ",") {
		switch strings.TrimSpace(name) {
		case "gzip":
			codings = append(codings, artifact.Gzip)
		case "br":
			codings = append(codings, artifact.Brotli)
		default:
			return nil, nil, fmt.Errorf("--codings %s: unknown encoding %q; want auto, none, gzip, br, or gzip,br", value, name)
		}
	}
	return codings, nil, nil
}

// previewURL returns the URL at which a platform will serve this build as a preview, or "" if the platform's
// environment variables don't name such a URL. environment returns the value of a variable, like os.Getenv.
func previewURL(environment func(string) string) string {
	for _, p := range platform.All() {
		if address := p.Preview(environment); address != "" {
			return address
		}
	}
	return ""
}
