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

// diffFlags are what diff was asked for.
type diffFlags struct {
	base, format, purge, netlifySite string
	allowRemoved, export             bool
	timeout                          time.Duration
}

func (d *diffFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&d.format, "format", "text", "how the difference is told: `text` or json")
	flags.StringVar(&d.purge, "purge", "", "print only what caches must forget, as `host` takes it: "+strings.Join(compare.Purgers(), ", "))
	flags.StringVar(&d.netlifySite, "netlify-site", "", "netlify: the `id` of the site")
	flags.StringVar(&d.base, "base", "", "the `URL` that caches know the site by (default what OLD says)")
	flags.BoolVar(&d.allowRemoved, "allow-removed", false, "do not fail where URLs were removed without a redirect")
	flags.BoolVar(&d.export, "export", false, "take one build or site, and print what a later diff needs of it")
	flags.DurationVar(&d.timeout, "timeout", 10*time.Second, "how long one answer of a live site may take")
}

// check returns what is wrong with the flags and the other arguments, or "".
func (d *diffFlags) check(others []string) string {
	switch {
	case d.export && len(others) != 1:
		return "vitrine diff --export takes one build or site"
	case !d.export && len(others) != 2:
		return "vitrine diff takes the old state of a site and the new one: each a build's folder, the URL of a live site, or a file from --export"
	case d.format != "text" && d.format != "json":
		return fmt.Sprintf("--format %s is not known; it is text or json", d.format)
	case d.purge != "" && !slices.Contains(compare.Purgers(), d.purge):
		return fmt.Sprintf("--purge %s is not known; it is one of %s", d.purge, strings.Join(compare.Purgers(), ", "))
	case d.purge == "netlify" && d.netlifySite == "":
		return "say with --netlify-site which site to purge; Netlify shows its id in the site's configuration"
	case d.timeout <= 0:
		return fmt.Sprintf("--timeout %s is no time for an answer to come", d.timeout)
	}
	return ""
}

// runDiff reports how a site changed, and fails where URLs were lost.
func runDiff(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("diff", " OLD NEW [flags]", stderr)
	var d diffFlags
	d.register(flags)
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
	difference := compare.Between(states[0], states[1])
	if d.base != "" {
		difference.Base = strings.TrimSuffix(d.base, "/")
	}
	if err := d.write(difference, stdout); err != nil {
		return err
	}
	if n := len(difference.Removed); n > 0 && !d.allowRemoved {
		return fmt.Errorf("%s removed without a redirect: %s; list each among the aliases of the page that takes its place, or say --allow-removed",
			counted(n, "URL"), shortened(difference.Removed))
	}
	return nil
}

// write writes the difference, or the purge list alone.
func (d *diffFlags) write(difference *compare.Diff, stdout io.Writer) error {
	switch {
	case d.purge != "":
		return difference.WritePurge(stdout, d.purge, d.netlifySite)
	case d.format == "json":
		return difference.WriteJSON(stdout)
	}
	return difference.WriteText(stdout)
}

// shortened is the beginning of a list.
func shortened(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:most], ", ") + ", …"
}

// states reads the states of the site. A live site is asked last, since it is
// asked for what the others have too.
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

// readState reads a build's folder, or a file that was exported.
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
