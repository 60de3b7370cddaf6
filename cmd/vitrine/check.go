package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"vitrine/internal/build"
	"vitrine/internal/check"
	"vitrine/internal/check/outside"
	"vitrine/internal/site"
)

func runCheck(ctx context.Context, arguments []string, _, stderr io.Writer) error {
	flags := newFlags("check", " [flags]", stderr)
	options := build.Options{Cache: build.CheckCache()}
	flags.StringVar(&options.Root, "root", ".", "the site's `folder`: the one that holds content/")
	flags.BoolVar(&options.Drafts, "drafts", false, "check drafts and scheduled pages too")
	flags.BoolVar(&options.Strict, "strict", false, "take what contradicts product.yaml for an error")
	links := flags.String("links", "internal", "which `links` are looked at: internal, or external for those to other sites too")
	var reporting reporting
	reporting.register(flags)
	var profiles profiles
	profiles.register(flags)
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	report, err := reporting.reporter(options.Root, stderr)
	if err != nil {
		return usageError(flags, "%v", err)
	}
	switch *links {
	case "internal":
	case "external":
		options.Outside = outsideLinks
	default:
		return usageError(flags, "--links %s is not known; it is internal or external", *links)
	}
	return profiles.during(func() error {
		profiles.watch(&options, stderr)
		_, problems, err := build.Build(ctx, options)
		if err != nil {
			return err
		}
		return errors.Join(report(problems), options.Timings.Write(stderr), problemsError(problems))
	})
}

// outsideLinks asks the other sites; what they answered is kept in the user's
// cache folder.
func outsideLinks(ctx context.Context, found []check.Outside) ([]site.Problem, error) {
	links := make([]outside.Link, len(found))
	for i, o := range found {
		links[i] = outside.Link(o)
	}
	options := outside.Options{Now: time.Now()}
	if folder, err := os.UserCacheDir(); err == nil {
		options.Cache = filepath.Join(folder, "vitrine", "links.json")
	}
	return outside.Check(ctx, links, options)
}
