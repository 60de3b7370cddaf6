package history

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Version is the content of a file after a commit, and the commit's time.
type Version struct {
	When time.Time
	Text []byte
}

// Versions returns the content of a file after each commit that changed it, oldest first, for at most the given number
// of most recent commits. It follows first parents, so a change on a branch has the date of its merge, when it became
// part of the published site. It doesn't follow moves of the file, because a file that Git reports as moved may be a
// copy of another site's facts. Like Read, it returns nil if the history is unknown.
func Versions(ctx context.Context, dir, name string, most int) ([]Version, error) {
	shallow, err := git(ctx, dir, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(string(shallow)) != "false" {
		return nil, ctx.Err()
	}
	log, err := git(ctx, dir, "-c", "log.showSignature=false", "log", "--no-follow", "--first-parent", "--format=%H %ct",
		"--max-count="+strconv.Itoa(most), "--", name)
	if err != nil {
		return nil, ctx.Err()
	}
	var versions []Version
	var asked bytes.Buffer
	for line := range strings.Lines(string(log)) {
		hash, date, _ := strings.Cut(strings.TrimSpace(line), " ")
		seconds, err := strconv.ParseInt(date, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("reading the git log of %s: %q is not a commit time", name, date)
		}
		versions = append(versions, Version{When: time.Unix(seconds, 0).UTC()})
		fmt.Fprintf(&asked, "%s:./%s\n", hash, name)
	}
	if len(versions) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "git", "--no-optional-locks", "-C", dir, "cat-file", "--batch")
	cmd.Stdin = &asked
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("reading %s from git: %w", name, err)
	}
	batch := bufio.NewReader(bytes.NewReader(out))
	for i := range versions {
		if versions[i].Text, err = nextBlob(batch); err != nil {
			return nil, fmt.Errorf("reading %s from git: %w", name, err)
		}
	}
	// Skip commits that removed the file.
	versions = slices.DeleteFunc(versions, func(v Version) bool { return v.Text == nil })
	slices.Reverse(versions)
	return versions, nil
}

// nextBlob reads the next response of git cat-file --batch and returns the file's content, or nil if the commit has no
// such file.
func nextBlob(r *bufio.Reader) ([]byte, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 || fields[1] != "blob" {
		if strings.HasSuffix(strings.TrimSpace(head), " missing") {
			return nil, nil
		}
		return nil, fmt.Errorf("unexpected response %q", head)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, err
	}
	text := make([]byte, size+1)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	return text[:size], nil
}
