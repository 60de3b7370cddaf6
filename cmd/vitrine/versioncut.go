package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"vitrine/internal/cut"
)

// declareVersionCut declares version-cut, which copies the current documentation to a new version.
func declareVersionCut(flags *flag.FlagSet) action {
	var r cut.Request
	flags.StringVar(&r.Root, "root", ".", "the site's `folder`, which contains content/")
	flags.StringVar(&r.Label, "label", "", "the `label` of the new version for readers, such as 3.x (default NAME)")
	flags.StringVar(&r.Current, "current", "next", "the `label` of the current version for readers, such as 4.x, if the site has no versions yet")
	dry := flags.Bool("dry-run", false, "show the copies and changes without writing them")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		names, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(names) != 2 {
			return usageError(flags, "vitrine version-cut needs the documentation folder and the version name, such as docs v3")
		}
		r.Folder, r.Name = names[0], names[1]
		v, err := cut.New(ctx, r)
		if err != nil {
			return err
		}
		if *dry {
			for _, f := range v.Files {
				if _, err := fmt.Fprintf(stdout, "%s -> %s\n", f.From, f.To); err != nil {
					return err
				}
			}
			if err := writeDiff(stdout, v.Settings.Diff()); err != nil {
				return err
			}
		} else if err := v.Write(r.Root); err != nil {
			return err
		}
		return reportCut(stdout, stderr, v, *dry)
	}
}

// reportCut writes the numbers of copied files and changed links, and the next step, to stdout. It writes the links
// that must be changed by hand to stderr.
func reportCut(stdout, stderr io.Writer, v *cut.Version, dry bool) error {
	for _, p := range v.Left {
		if _, err := fmt.Fprintln(stderr, p); err != nil {
			return err
		}
	}
	done := "copied"
	if dry {
		done = "would copy"
	}
	text := fmt.Sprintf("%s %s from content/%s to content/%s, with %s rewritten", done, counted(len(v.Files), "file"), v.From, v.To, counted(v.Links, "link"))
	if v.Aliases > 0 {
		text += fmt.Sprintf(" and without the aliases of %s", counted(v.Aliases, "page"))
	}
	next := fmt.Sprintf("next: check the labels in content/site.yaml, then continue in content/%s, the current version", v.From)
	if v.BecomesCurrent {
		next = fmt.Sprintf("next: point the navigation in content/site.yaml to /%s, the current version, and mark old versions with state: unmaintained", v.To)
	}
	_, err := fmt.Fprintf(stdout, "%s\n%s\n", text, next)
	return err
}
