package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/migrate"
)

// declareImport declares import, which converts another generator's site to a Vitrine site in a new folder.
func declareImport(flags *flag.FlagSet) action {
	var options migrate.Options
	flags.StringVar(&options.To, "to", "", "the new `folder` to write (default FOLDER-vitrine)")
	flags.StringVar(&options.Kind, "from", "", "the `kind` of site, if the files do not reveal it: "+strings.Join(migrate.Kinds(), ", "))
	flags.StringVar(&options.Built, "built", "", "the published copy of the old site, as a `folder` or a sitemap.xml; the import reports each old address that the new site neither serves nor redirects")
	flags.BoolVar(&options.Replace, "replace", false, "remove files that an earlier import wrote but this import does not write")
	flags.StringVar(&options.Map, "map", "", "a YAML `file` with replacements for components; an import writes a draft of this file as "+migrate.ComponentsName)
	flags.BoolVar(&options.Versions, "versions", false, "import all versions of a Docusaurus site's documentation, not just the newest")
	oldAddresses := flags.String("check-old-urls", "", "like --built, but also fail if an address in the old site's `sitemap.xml` neither responds nor redirects")
	flags.BoolVar(&options.Partial, "partial", false, "import even if fewer than half of the source's Markdown files are found")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		others, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(others) != 1 {
			return usageError(flags, "vitrine import needs one folder, the site to import")
		}
		options.From = others[0]
		if *oldAddresses != "" {
			options.Built = *oldAddresses
		}
		if isTerminal(stderr) {
			options.Progress = newProgress(stderr)
		}
		result, err := migrate.Import(ctx, options)
		if err != nil {
			if errors.Is(err, migrate.ErrUnknownKind) {
				return usageError(flags, "%v", err)
			}
			if result == nil {
				return err
			}
		}
		_, printErr := fmt.Fprint(stdout, importLines(result))
		if gone := result.Addresses.Gone; *oldAddresses != "" && len(gone) > 0 {
			err = errors.Join(err, fmt.Errorf("the new site is missing %s from the old site, such as %s; add each missing address to the aliases of the page that replaces it", counted(len(gone), "address"), gone[0]))
		}
		return errors.Join(err, printErr)
	}
}

// importLines returns a summary of an import, its problems, and the next step.
func importLines(r *migrate.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "imported %s and %s from a site made with %s into %s\n", counted(r.Pages, "page"), counted(r.Files, "file"), r.Kind, r.To)
	if n := len(r.Notes); n > 0 {
		fmt.Fprintf(&b, "%s on changed or omitted content\n", counted(n, "note"))
	}
	for _, why := range slices.Sorted(maps.Keys(r.Omitted)) {
		fmt.Fprintf(&b, "%s skipped: %s\n", counted(r.Omitted[why], "Markdown file"), why)
	}
	if n := len(r.LostWords); n > 0 {
		fmt.Fprintf(&b, "%s with missing words\n", counted(n, "page"))
	}
	if n := len(r.Kept); n > 0 {
		fmt.Fprintf(&b, "did not write %s that you changed or deleted since the last import\n", counted(n, "file"))
	}
	if n := len(r.Left); n > 0 {
		fmt.Fprintf(&b, "kept %s from an earlier import that the source no longer has; use --replace to remove them\n", counted(n, "file"))
	}
	if a := r.Addresses; a.Known > 0 {
		fmt.Fprintf(&b, "old addresses: %d in total, %d working, %d redirected, %d missing\n", a.Known, a.Answered, a.Redirected, len(a.Gone))
	}
	for _, c := range r.Problems {
		fmt.Fprintf(&b, "check: %s %s\n", c.Code, counted(c.Number, c.Severity))
	}
	fmt.Fprintf(&b, "next: read %s, add the facts to content/product.yaml, then run vitrine preview --root %s\n", filepath.Join(r.To, migrate.ReportHTML), r.To)
	return b.String()
}
