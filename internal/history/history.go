// Package history reads from git when the files of a site were last changed.
// It promises never to guess: where git, a repository or its full history is
// missing, there are no dates.
package history

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Dates are the times of the last change of files, by their paths relative to
// the folder that was asked about, with forward slashes.
type Dates map[string]time.Time

// Read makes one pass over git's log of the files below dir. A file that was
// moved without a change keeps the date of its last change. The map is empty
// outside of a repository, without git, and in a shallow clone, whose oldest
// commit would pass for the last change of everything.
func Read(ctx context.Context, dir string) (Dates, error) {
	shallow, err := git(ctx, dir, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(string(shallow)) != "false" {
		return nil, ctx.Err()
	}
	log, err := git(ctx, dir, "-c", "core.quotePath=false", "log", "--format=%x01%ct", "--name-status", "-z", "-M", "--relative", "--", ".")
	if err != nil {
		// A repository without a commit has no log.
		return nil, ctx.Err()
	}
	dates, err := parse(log)
	if err != nil {
		return nil, fmt.Errorf("reading git's log: %w", err)
	}
	return dates, nil
}

// git runs a git command that only reads.
func git(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-C", dir}, arguments...)...)
	return cmd.Output()
}

// parse reads a log with the newest commit first: a mark and a time for each
// commit, then its changes, a status and one path, or two for a move.
func parse(log []byte) (Dates, error) {
	dates := make(Dates)
	// current is the name that a file has today, by the name that it had at
	// the commit at hand.
	current := make(map[string]string)
	var when time.Time
	fields := bytes.Split(log, []byte{0})
	next := func() string {
		if len(fields) == 0 {
			return ""
		}
		f := string(fields[0])
		fields = fields[1:]
		return f
	}
	for len(fields) > 0 {
		// The first change of a commit follows its header behind a line break.
		f := strings.TrimLeft(next(), "\n")
		if header, ok := strings.CutPrefix(f, "\x01"); ok {
			seconds, err := strconv.ParseInt(strings.TrimSpace(header), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%q is not a time", header)
			}
			when = time.Unix(seconds, 0).UTC()
			continue
		}
		switch {
		case f == "":
		case f[0] == 'R' || f[0] == 'C':
			old, name := next(), next()
			today := nameToday(current, name)
			if f != "R100" {
				note(dates, today, when)
			}
			if f[0] == 'R' {
				current[old] = today
			} else {
				note(dates, today, when)
			}
		default:
			note(dates, nameToday(current, next()), when)
		}
	}
	return dates, nil
}

func nameToday(current map[string]string, name string) string {
	if today, ok := current[name]; ok {
		return today
	}
	return name
}

// note keeps the first date that a file is seen with, which is its newest.
func note(dates Dates, name string, when time.Time) {
	if _, ok := dates[name]; !ok {
		dates[name] = when
	}
}
