package main

import (
	"context"
	"io"

	"vitrine/internal/site"
)

func runCheck(ctx context.Context, arguments []string, _, stderr io.Writer) error {
	flags := newFlags("check", " [flags]", stderr)
	var src source
	flags.StringVar(&src.root, "root", ".", "the site's `folder`: the one that holds content/")
	flags.BoolVar(&src.drafts, "drafts", false, "check drafts and scheduled pages too")
	format := flags.String("format", "text", "how problems are told: `text`, json or github")
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	tell, err := newTeller(*format, src.root, stderr)
	if err != nil {
		return usageError(flags, "%v", err)
	}
	problems, err := compile(ctx, src, nil)
	if err != nil {
		return err
	}
	if err := tell(problems); err != nil {
		return err
	}
	if site.HasErrors(problems) {
		return errProblems
	}
	return nil
}
