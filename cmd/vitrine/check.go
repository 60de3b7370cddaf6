package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"vitrine/internal/check"
	"vitrine/internal/check/outside"
	"vitrine/internal/site"
)

func runCheck(ctx context.Context, arguments []string, _, stderr io.Writer) error {
	flags := newFlags("check", " [flags]", stderr)
	var src source
	flags.StringVar(&src.root, "root", ".", "the site's `folder`: the one that holds content/")
	flags.BoolVar(&src.drafts, "drafts", false, "check drafts and scheduled pages too")
	flags.BoolVar(&src.strict, "strict", false, "take what contradicts product.yaml for an error")
	links := flags.String("links", "internal", "which `links` are looked at: internal, or external for those to other sites too")
	format := flags.String("format", "text", "how problems are told: `text`, json or github")
	var profiles profiles
	profiles.register(flags)
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	tell, err := newTeller(*format, src.root, stderr)
	if err != nil {
		return usageError(flags, "%v", err)
	}
	switch *links {
	case "internal":
	case "external":
		src.outside = outsideLinks
	default:
		return usageError(flags, "--links %s is not known; it is internal or external", *links)
	}
	return profiles.during(func() error {
		src.watch = profiles.watch(stderr)
		src.watch.collector = relaxCollector()
		defer src.watch.collector.restore()
		_, problems, err := compile(ctx, src, nil)
		if err != nil {
			return err
		}
		if err := errors.Join(tell(problems), src.watch.timings.write(stderr)); err != nil {
			return err
		}
		if site.HasErrors(problems) {
			return errProblems
		}
		return nil
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
