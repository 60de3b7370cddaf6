package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// declareSchedule declares schedule, which lists scheduled pages and, with --since, the pages that have become due
// since that time. It also reports whether the build is missing pages that are due.
func declareSchedule(flags *flag.FlagSet) action {
	root := flags.String("root", ".", "the site's `folder`, which contains content/")
	format := flags.String("format", "text", "the `format` of the output: text or json")
	folder := flags.String("build", "", "the `folder` of the build to check for overdue pages (default the folder build in --root)")
	since := flags.String("since", "", "also list the pages that have become due since this `time`, such as 2026-03-14T09:30:00Z")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		var last time.Time
		if *since != "" {
			var err error
			if last, err = time.Parse(time.RFC3339, *since); err != nil {
				return usageError(flags, "--since: want a time such as 2026-03-14T09:30:00Z, found %q", *since)
			}
		}
		write := writeSchedule
		switch *format {
		case "text":
		case "json":
			write = writeScheduleJSON
		default:
			return usageError(flags, "--format: want text or json, found %q", *format)
		}
		s, err := loadForSchedule(ctx, *root, stderr)
		if err != nil {
			return err
		}
		if *folder == "" {
			*folder = filepath.Join(*root, "build")
		}
		due, err := readBuildDue(*folder, s.Now)
		if err != nil {
			return err
		}
		return write(stdout, s, last, due)
	}
}

// loadForSchedule reads a site's front matter. It fails if the site has errors, because the schedule would omit a page
// with an invalid date.
func loadForSchedule(ctx context.Context, root string, stderr io.Writer) (*site.Site, error) {
	s, problems, err := build.Load(ctx, root)
	if err != nil || !site.HasErrors(problems) {
		return s, err
	}
	return nil, errors.Join(reportText(problems, 0, nil, root, stderr, stderr), errProblems)
}

// scheduled returns the pages that a build omits until their date, earliest first. It excludes drafts, because builds
// omit drafts even after their date.
func scheduled(s *site.Site) []*site.Page {
	var pages []*site.Page
	for _, p := range slices.Concat(s.Pages, s.Withheld) {
		if p.Scheduled && !p.Draft {
			pages = append(pages, p)
		}
	}
	slices.SortStableFunc(pages, byDate)
	return pages
}

// dueSince returns the published pages whose date is after moment, earliest first.
func dueSince(s *site.Site, moment time.Time) []*site.Page {
	var pages []*site.Page
	for _, p := range s.Pages {
		if !p.Scheduled && !p.Draft && p.Date.After(moment) {
			pages = append(pages, p)
		}
	}
	slices.SortStableFunc(pages, byDate)
	return pages
}

func byDate(a, b *site.Page) int {
	return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Path, b.Path))
}

// scheduleLine returns a line with the number of scheduled pages and the time at which to build again, or "" if no
// pages are scheduled.
func scheduleLine(s *site.Site) string {
	pages := scheduled(s)
	if len(pages) == 0 {
		return ""
	}
	return fmt.Sprintf("%s scheduled; build again at %s, for %s",
		counted(len(pages), "page"), clock(s, pages[0].Date), pages[0].Source)
}

// clock formats t for people, in the site's time zone.
func clock(s *site.Site, t time.Time) string {
	return t.In(s.Config.Location).Format("2006-01-02 15:04 MST")
}

func writeSchedule(w io.Writer, s *site.Site, since time.Time, build *buildDue) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !since.IsZero() {
		due := dueSince(s, since)
		fmt.Fprintf(table, "%s due since %s\n", counted(len(due), "page"), clock(s, since))
		writePages(table, s, due)
	}
	fmt.Fprintln(table, cmp.Or(scheduleLine(s), "no pages are scheduled"))
	writePages(table, s, scheduled(s))
	if line := build.line(s); line != "" {
		fmt.Fprintln(table, line)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("writing the schedule: %w", err)
	}
	return nil
}

func writePages(w io.Writer, s *site.Site, pages []*site.Page) {
	for _, p := range pages {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", clock(s, p.Date), p.Path, p.Source)
	}
}

// scheduleJSON is the schedule for programs. Times are in RFC 3339 format and in the site's time zone.
type scheduleJSON struct {
	Now      string          `json:"now"`
	TimeZone string          `json:"timeZone"`
	Next     *string         `json:"next"`
	Waiting  []scheduledPage `json:"scheduled"`
	Due      []scheduledPage `json:"due,omitzero"`
	// Build describes the published build, or is nil if there is none.
	Build *scheduledBuild `json:"build,omitempty"`
}

// scheduledBuild describes when the published build must be replaced and whether that time has passed.
type scheduledBuild struct {
	Next    *string `json:"next"`
	Overdue bool    `json:"overdue"`
}

type scheduledPage struct {
	Path   string `json:"path"`
	Source string `json:"source"`
	Title  string `json:"title"`
	Date   string `json:"date"`
}

func writeScheduleJSON(w io.Writer, s *site.Site, since time.Time, build *buildDue) error {
	stamp := func(t time.Time) string { return t.In(s.Config.Location).Format(time.RFC3339) }
	list := func(pages []*site.Page) []scheduledPage {
		out := make([]scheduledPage, 0, len(pages))
		for _, p := range pages {
			out = append(out, scheduledPage{p.Path, p.Source, p.Title, stamp(p.Date)})
		}
		return out
	}
	out := scheduleJSON{Now: stamp(s.Now), TimeZone: s.Config.Location.String(), Waiting: list(scheduled(s))}
	moment := func(t time.Time) *string {
		if t.IsZero() {
			return nil
		}
		text := stamp(t)
		return &text
	}
	out.Next = moment(s.NextDue())
	if build != nil {
		out.Build = &scheduledBuild{Next: moment(build.next), Overdue: build.overdue}
	}
	if !since.IsZero() {
		out.Due = list(dueSince(s, since))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("writing the schedule: %w", err)
	}
	return nil
}

// buildDue describes when a published build must be replaced because of the scheduled pages that it omits.
type buildDue struct {
	folder string
	// next is the date of the earliest scheduled page, or the zero time if no page is scheduled.
	next time.Time
	// overdue reports whether next has passed or the build is unreadable.
	overdue bool
	// unreadable is the error in reading the build, or nil if the build is readable.
	unreadable error
}

// readBuildDue returns when the build in folder must be replaced, or nil if folder contains no build.
func readBuildDue(folder string, now time.Time) (*buildDue, error) {
	built, err := artifact.Open(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, artifact.ErrManifest):
		// No server can serve a build without a valid manifest, so the build must be replaced in any case.
		return &buildDue{folder: folder, overdue: true, unreadable: err}, nil
	case err != nil:
		return nil, err
	}
	next := built.Manifest.NextDue
	return &buildDue{folder: folder, next: next, overdue: !next.IsZero() && !next.After(now)}, built.Close()
}

// line returns a message that asks the user to rebuild the site, or "" if the build isn't overdue.
func (b *buildDue) line(s *site.Site) string {
	switch {
	case b == nil || !b.overdue:
		return ""
	case b.unreadable != nil:
		return fmt.Sprintf("%v; run vitrine build", b.unreadable)
	}
	return fmt.Sprintf("the build in %s is missing pages that were due at %s; run vitrine build", b.folder, clock(s, b.next))
}
