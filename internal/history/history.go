// Package history reads the history of a site's files from Git: the dates of their last changes, their earlier
// versions, and their new names after moves. It never guesses dates. Without git, a repository, or the full history, it
// returns no dates.
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

// Dates maps files to the times of their last changes. Paths are relative to the requested folder, with forward
// slashes.
type Dates map[string]time.Time

// Read returns the dates of the files under dir. It reads Git's log once. A file that was moved unchanged keeps the
// date of its last change. A file that replaced another file doesn't inherit that file's date. The map is empty if no
// commit has a file under dir. It is nil if the dates are unknown: outside a repository, before the repository's first
// commit, without git, and in a shallow clone, whose oldest commit seems to change every file.
func Read(ctx context.Context, dir string) (Dates, error) {
	shallow, err := git(ctx, dir, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(string(shallow)) != "false" {
		return nil, ctx.Err()
	}
	all, err := readLog(ctx, dir, "HEAD")
	if err != nil || all == nil {
		return nil, err
	}
	return all.dates, nil
}

// Since is like Read, but starts from was, the dates as of an earlier commit. If the history since that commit is
// linear, Since reads only the later commits; otherwise, it reads the full history. was may omit files.
func Since(ctx context.Context, dir, commit string, was Dates) (Dates, error) {
	commits := ""
	if isHash(commit) {
		// If the commit isn't in the history of HEAD, git fails or the commits don't form a linear history.
		line, err := git(ctx, dir, "rev-list", "--parents", commit+"..HEAD")
		if err == nil && isLine(string(line), commit) {
			commits = commit + "..HEAD"
		}
	}
	if commits == "" {
		return Read(ctx, dir)
	}
	now, err := readLog(ctx, dir, commits)
	if err != nil || now == nil {
		return nil, err
	}
	for before, today := range now.today {
		_, changed := now.dates[today]
		if _, known := was[before]; today != "" && !known && !changed {
			// The file was moved, and the date of its previous path is unknown.
			return Read(ctx, dir)
		}
	}
	for name, when := range was {
		now.note(name, when)
	}
	return now.dates, nil
}

// isLine reports whether commits form a linear history that starts at behind, the only parent of the oldest commit.
// Each line of commits contains a commit and its parents, newest first.
func isLine(commits, behind string) bool {
	next := ""
	for line := range strings.Lines(commits) {
		fields := strings.Fields(line)
		if len(fields) != 2 || next != "" && fields[0] != next {
			return false
		}
		next = fields[1]
	}
	return next == behind
}

// readLog reads the log of commits. It returns nil without an error if git fails, for example because the repository
// has no commit.
func readLog(ctx context.Context, dir, commits string) (*changes, error) {
	log, err := git(ctx, dir, "-c", "core.quotePath=false", "log", "--format=%x01%ct", "--name-status", "-z", "-M", "--relative", commits, "--", ".")
	if err != nil {
		// git fails in a repository without a commit, so this isn't an error.
		return nil, ctx.Err()
	}
	c, err := parse(log)
	if err != nil {
		return nil, fmt.Errorf("reading the git log: %w", err)
	}
	return c, nil
}

// git runs a read-only git command.
func git(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-C", dir}, arguments...)...)
	return cmd.Output()
}

// changes collects the changes in a log, which must be added newest first.
type changes struct {
	dates Dates
	// today maps a file's name as of the log's current commit to its present name, or to "" if another file has
	// replaced it.
	today map[string]string
}

// parse reads a log, newest commit first. Each commit consists of the byte 0x01, a time, and its changes. A change
// consists of a status and a path, or of a status and two paths for a move or a copy.
func parse(log []byte) (*changes, error) {
	c := &changes{make(Dates), make(map[string]string)}
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
		// A line break separates a commit's header from its first change.
		f := strings.TrimLeft(next(), "\n")
		if header, ok := strings.CutPrefix(f, "\x01"); ok {
			seconds, err := strconv.ParseInt(strings.TrimSpace(header), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%q is not a commit time", header)
			}
			when = time.Unix(seconds, 0).UTC()
			continue
		}
		switch {
		case f == "":
		case f[0] == 'R' || f[0] == 'C':
			before, after := next(), next()
			if f != "R100" {
				c.note(after, when)
			}
			is := c.nameToday(after)
			c.today[after] = ""
			if f[0] == 'R' {
				c.today[before] = is
			}
		case f[0] == 'A':
			added := next()
			c.note(added, when)
			c.today[added] = ""
		case f[0] == 'D':
			next()
		default:
			c.note(next(), when)
		}
	}
	return c, nil
}

func (c *changes) nameToday(name string) string {
	if today, ok := c.today[name]; ok {
		return today
	}
	return name
}

// note records when as the date of the named file, unless the file already has a date: the log is sorted newest first.
func (c *changes) note(name string, when time.Time) {
	name = c.nameToday(name)
	if _, ok := c.dates[name]; !ok && name != "" {
		c.dates[name] = when
	}
}
