package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"vitrine/internal/preview"
	"vitrine/internal/site"
)

// previewTeller tells what becomes of a site where its preview was started.
type previewTeller struct {
	root string
	w    io.Writer
	// told are the problems of the build before.
	told []site.Problem
}

// tell writes the problems that are new and a line for the build, such as
// "rebuilt in 12 ms: content/blog/x.md (1 warning)".
func (t *previewTeller) tell(o preview.Outcome) {
	if o.Err != nil {
		fmt.Fprintf(t.w, "not %s: %v\n", previewVerb(o), o.Err)
		return
	}
	fresh := slices.DeleteFunc(slices.Clone(o.Problems), func(p site.Problem) bool { return slices.Contains(t.told, p) })
	t.told = o.Problems
	// A terminal that is gone has nobody left to be told.
	_ = tellLines(fresh, t.root, t.w)
	errors, warnings := count(o.Problems)
	counts := previewCounts(errors, warnings)
	switch {
	case errors > 0 && o.Number == 1:
		fmt.Fprintf(t.w, "not built%s: the first build waits for the errors to be mended\n", counts)
	case errors > 0:
		fmt.Fprintf(t.w, "not rebuilt: %s%s; the last good build stays served\n", previewChanged(o.Changed), counts)
	case len(o.Changed) == 0:
		fmt.Fprintf(t.w, "built in %s: %s%s\n", milliseconds(o.Took), counted(len(o.Site.Pages), "page"), counts)
	default:
		fmt.Fprintf(t.w, "rebuilt in %s: %s%s\n", milliseconds(o.Took), previewChanged(o.Changed), counts)
	}
}

func previewVerb(o preview.Outcome) string {
	if o.Number == 1 {
		return "built"
	}
	return "rebuilt"
}

func previewCounts(errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, counted(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, counted(warnings, "warning"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// previewChanged names the files that a build was made for, as far as they fit
// a line.
func previewChanged(changed []string) string {
	switch len(changed) {
	case 0:
		return "once more"
	case 1, 2, 3:
		return strings.Join(changed, ", ")
	}
	return fmt.Sprintf("%s and %d more", changed[0], len(changed)-1)
}

// milliseconds is a time as a line of the preview has it.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}
