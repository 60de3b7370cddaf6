package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"vitrine/internal/build"
	"vitrine/internal/fix"
	"vitrine/internal/site"
)

// declareFix declares fix, which applies the edits that the site's problems suggest.
func declareFix(flags *flag.FlagSet) action {
	root := flags.String("root", ".", "the site's `folder`, which contains content/")
	dry := flags.Bool("dry-run", false, "show the changes without writing them")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) (err error) {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		opened, err := os.OpenRoot(*root)
		if err != nil {
			return fmt.Errorf("opening the site: %w", err)
		}
		defer func() { err = errors.Join(err, opened.Close()) }()
		f := &fixer{name: *root, site: opened, files: make(map[string]*fix.File)}
		left, err := f.fix(ctx)
		if err != nil {
			return err
		}
		edits := 0
		for _, name := range slices.Sorted(maps.Keys(f.files)) {
			file := f.files[name]
			if err := writeDiff(stdout, file.Diff()); err != nil {
				return err
			}
			if !*dry {
				if err := file.Write(f.site); err != nil {
					f.failed = errors.Join(f.failed, fmt.Errorf("%s: %w", name, err))
					continue
				}
			}
			edits += file.Edits
		}
		_, err = fmt.Fprintln(stderr, fixedLine(edits, len(f.files), left, *dry))
		return errors.Join(f.failed, err)
	}
}

// A fixer edits the files of a site in memory. It can therefore check the site again after each round of edits and
// write each file only once.
type fixer struct {
	name  string
	site  *os.Root
	files map[string]*fix.File
	// failed joins the errors for files that couldn't be edited or written.
	failed error
}

// mostRounds is the maximum number of rounds of checks and fixes. Several rounds may be necessary, because a fix may
// reveal another problem and a check reports at most a hundred problems per rule and file.
const mostRounds = 100

// fix applies edits in memory until no remaining problem has an edit, for at most mostRounds rounds. It skips files
// that can't be edited. It returns the number of problems that the last check reported.
func (f *fixer) fix(ctx context.Context) (left int, err error) {
	source, options := build.Source{Root: f.name, Drafts: true}, build.CheckOptions{Instead: make(map[string][]byte)}
	skip := make(map[string]bool)
	for range mostRounds {
		_, problems, err := build.Check(ctx, source, options, build.Observer{})
		if err != nil {
			return 0, err
		}
		left = len(problems)
		edits := fix.Edits(problems)
		maps.DeleteFunc(edits, func(name string, _ []site.Edit) bool { return skip[name] })
		if len(edits) == 0 {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(edits)) {
			if err := f.edit(name, edits[name]); err != nil {
				skip[name] = true
				f.failed = errors.Join(f.failed, fmt.Errorf("%s: %w", name, err))
				continue
			}
			options.Instead[name] = f.files[name].Text
		}
	}
	return left, nil
}

// edit applies edits to the named file in memory.
func (f *fixer) edit(name string, edits []site.Edit) error {
	file := f.files[name]
	if file == nil {
		var err error
		if file, err = fix.Read(f.site, name); err != nil {
			return err
		}
	}
	if err := file.Edit(edits); err != nil {
		return err
	}
	f.files[name] = file
	return nil
}

// writeDiff writes diff to w. If w is a terminal, it replaces characters that could control the terminal.
func writeDiff(w io.Writer, diff string) error {
	if isTerminal(w) {
		diff = strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return printable(r)
		}, diff)
	}
	_, err := io.WriteString(w, diff)
	return err
}

// fixedLine returns a line with the numbers of edits, changed files, and remaining problems. dry selects the wording
// for --dry-run, which leaves the files unchanged.
func fixedLine(edits, files, left int, dry bool) string {
	switch {
	case edits == 0 && left == 0:
		return "found no problems"
	case edits == 0:
		return fmt.Sprintf("none of the problems can be fixed automatically; vitrine check lists %s", counted(left, "problem"))
	case dry:
		return fmt.Sprintf("would make %s in %s; %s would remain", counted(edits, "change"), counted(files, "file"), counted(left, "problem"))
	}
	return fmt.Sprintf("made %s in %s; vitrine check lists %s", counted(edits, "change"), counted(files, "file"), counted(left, "problem"))
}
