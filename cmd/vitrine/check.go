package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"vitrine/internal/build"
	"vitrine/internal/check"
	"vitrine/internal/check/outside"
	"vitrine/internal/site"
)

func declareCheck(flags *flag.FlagSet) action {
	var source build.Source
	var options build.CheckOptions
	flags.StringVar(&source.Root, "root", ".", "the site's `folder`, which contains content/")
	flags.BoolVar(&source.Drafts, "drafts", false, "check drafts and scheduled pages too")
	flags.BoolVar(&source.Strict, "strict", false, "treat placeholders and text that contradicts product.yaml as errors")
	links := flags.String("links", "internal", "the `links` to check: internal, or external for links to other sites too")
	flags.BoolVar(&options.Translations, "translations", false, "list missing and outdated translations; with --strict, each of them is an error")
	var reporting reporting
	reporting.register(flags)
	reporting.quiet.register(flags)
	var profiles profiles
	profiles.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		options.Cache = build.CheckCache()
		report, err := reporting.reporter(source.Root, stdout)
		if err != nil {
			return usageError(flags, "%v", err)
		}
		switch *links {
		case "internal":
		case "external":
			options.Outside = outsideLinks
		default:
			return usageError(flags, "--links: want internal or external, found %q", *links)
		}
		return profiles.during(func() error {
			observer := profiles.observer(stderr)
			checked, problems, err := build.Check(ctx, source, options, observer)
			if err != nil {
				return err
			}
			if options.Translations {
				table := stdout
				if reporting.forPrograms() {
					table = stderr
				}
				err = writeUntranslated(table, checked)
			}
			return errors.Join(err, report(problems), observer.Timings.Write(stderr), problemsError(problems))
		})
	}
}

// writeUntranslated writes a table of missing and outdated translations and, for each language, a list of the facts in
// prose that are checked against product.yaml.
func writeUntranslated(w io.Writer, checked build.Checked) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	switch {
	case checked.Site == nil:
		return nil
	case len(checked.Untranslated) == 0:
		fmt.Fprintln(table, "all translations are complete and up to date")
	default:
		fmt.Fprintln(table, "page\tlanguage\tstate")
	}
	for _, u := range checked.Untranslated {
		page := u.Page
		switch {
		case u.Facts:
			page = "(strings in product.yaml)"
		case page == "":
			page = "(theme words)"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", page, u.Language, u.State)
	}
	if len(checked.Site.Languages) > 0 {
		fmt.Fprintln(table, "\nfacts in prose that are checked against product.yaml:")
	}
	for _, view := range checked.Site.Languages {
		fmt.Fprintf(table, "%s\t%s\n", view.Config.Language, check.Held(view.Config.Language))
	}
	return table.Flush()
}

// outsideLinks returns the problems of links to other sites. It caches the responses in the user's cache folder.
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
