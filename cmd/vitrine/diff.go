package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/compare"
	"vitrine/internal/verify/visit"
)

// diffFlags contains the values of diff's flags.
type diffFlags struct {
	base, format, purge  string
	allowRemoved, export bool
	indexNow, send       bool
	endpoint             string
	timeout              time.Duration
}

func (d *diffFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&d.format, "format", "text", "the `format` of the report: text or json")
	flags.StringVar(&d.purge, "purge", "", "print only the purge list for caches, in the format of the `host`: "+strings.Join(compare.Purgers(), ", "))
	flags.StringVar(&d.base, "base", "", "the `URL` that caches use for the site (default the URL in OLD)")
	flags.BoolVar(&d.allowRemoved, "allow-removed", false, "do not fail if URLs were removed without a redirect")
	flags.BoolVar(&d.export, "export", false, "print a snapshot of one build or site for a later diff")
	flags.BoolVar(&d.indexNow, "indexnow", false, "print only the IndexNow requests for search engines; NEW must be the folder of a build whose site.yaml contains indexNow")
	flags.BoolVar(&d.send, "send", false, "send the requests that --indexnow prints")
	flags.StringVar(&d.endpoint, "endpoint", compare.IndexNowEndpoint, "the IndexNow `URL` to which --send sends requests")
	flags.DurationVar(&d.timeout, "timeout", 10*time.Second, "the maximum `duration` of each request to a live site")
}

// check returns a message about the first invalid flag or argument, or "" if all are valid. others contains the
// positional arguments.
func (d *diffFlags) check(others []string) string {
	switch {
	case d.export && len(others) != 1:
		return "vitrine diff --export needs one build or site"
	case !d.export && len(others) != 2:
		return "vitrine diff needs the old and the new version of a site, each as a build folder, the URL of a live site, or a file from --export"
	case d.indexNow && (d.export || d.purge != ""):
		return "--indexnow cannot be combined with --export or --purge; run vitrine diff separately for each"
	case d.send && !d.indexNow:
		return "--send sends the requests of --indexnow; add --indexnow, or remove --send"
	case d.format != "text" && d.format != "json":
		return fmt.Sprintf("--format: want text or json, found %q", d.format)
	case d.purge != "" && !slices.Contains(compare.Purgers(), d.purge):
		return fmt.Sprintf("--purge: want one of %s; found %q", strings.Join(compare.Purgers(), ", "), d.purge)
	case d.timeout <= 0:
		return fmt.Sprintf("--timeout: want a positive duration such as 10s, found %s", d.timeout)
	}
	return ""
}

// declareDiff declares diff, which reports the changes between two states of a site. It fails if URLs were removed
// without a redirect.
func declareDiff(flags *flag.FlagSet) action {
	var d diffFlags
	d.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		others, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if wrong := d.check(others); wrong != "" {
			return usageError(flags, "%s", wrong)
		}
		states, err := d.states(ctx, others, reporter(stderr))
		if err != nil {
			return err
		}
		if d.export {
			return states[0].Write(stdout)
		}
		if d.indexNow {
			return tellSearch(ctx, states[0], states[1], others[1], d.send, d.endpoint, stdout)
		}
		difference := compare.Between(states[0], states[1])
		if d.base != "" {
			difference.Base = strings.TrimSuffix(d.base, "/")
		}
		if err := d.write(difference, stdout); err != nil {
			return err
		}
		if n := len(difference.Removed); n > 0 && !d.allowRemoved {
			return fmt.Errorf("%s removed without a redirect: %s; add each to the aliases of the page that replaces it, or set --allow-removed",
				counted(n, "URL"), shortened(difference.Removed))
		}
		return nil
	}
}

// tellSearch prints the IndexNow requests for the pages that changed from old to new. If send is set, it also sends the
// requests to endpoint. dir is the folder of the new build.
func tellSearch(ctx context.Context, old, new *compare.Snapshot, dir string, send bool, endpoint string, stdout io.Writer) error {
	all, err := compare.IndexNow(old, new, dir)
	if err != nil {
		return err
	}
	if err := compare.WriteIndexNow(stdout, all); err != nil || !send {
		return err
	}
	return compare.SendIndexNow(ctx, endpoint, all)
}

// write writes difference in the format of --format, or only its purge list if --purge is set.
func (d *diffFlags) write(difference *compare.Diff, stdout io.Writer) error {
	switch {
	case d.purge != "":
		return difference.WritePurge(stdout, d.purge)
	case d.format == "json":
		return difference.WriteJSON(stdout)
	}
	return difference.WriteText(stdout)
}

// shortened joins the items of list with commas, replacing all items after the fifth with an ellipsis.
func shortened(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:most], ", ") + ", …"
}

// states returns one snapshot for each name, which is a build's folder, a file from diff --export, or the URL of a live
// site. It reads folders and files first, because it also requests the paths in their snapshots from the live sites.
func (d *diffFlags) states(ctx context.Context, names []string, report func(string)) ([]*compare.Snapshot, error) {
	states := make([]*compare.Snapshot, len(names))
	var known *compare.Snapshot
	for i, name := range names {
		if isURL(name) {
			continue
		}
		var err error
		if states[i], err = readState(name); err != nil {
			return nil, err
		}
		known = states[i]
	}
	for i, name := range names {
		if !isURL(name) {
			continue
		}
		v, err := visit.Open(name, visit.Options{Timeout: d.timeout, Tell: report})
		if err != nil {
			return nil, err
		}
		states[i], err = compare.OfSite(ctx, v, known)
		v.Close()
		if err != nil {
			return nil, err
		}
		if known == nil {
			known = states[i]
		}
	}
	return states, nil
}

func isURL(name string) bool { return strings.Contains(name, "://") }

// readState returns the snapshot of a build, or the snapshot in a file from diff --export. name is the path of the
// build's folder or of the file.
func readState(name string) (*compare.Snapshot, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		build, err := artifact.Open(name)
		if err != nil {
			return nil, err
		}
		defer build.Close()
		return compare.OfBuild(build)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	state, err := compare.Read(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return state, nil
}
