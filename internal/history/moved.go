package history

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mostMoves is the maximum number of consecutive renames to follow.
const mostMoves = 8

// Moved returns the current name of the file that was formerly called one of names. It returns "" if the file was
// removed, if Git doesn't know any of the names, or if the file isn't found after mostMoves renames. If the file was
// moved since the last commit, Moved finds it by its content. Names are relative to dir, with forward slashes.
func Moved(ctx context.Context, dir string, names ...string) string {
	if head, ok := Head(dir); ok && head == None {
		return ""
	}
	for range mostMoves {
		next := movedByCommit(ctx, dir, names)
		if next == "" {
			next = movedSince(ctx, dir, names)
		}
		if next == "" || exists(dir, next) {
			return next
		}
		names = []string{next}
	}
	return ""
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

// mostRemovals is the maximum number of commits that movedByCommit inspects.
const mostRemovals = 4

// movedByCommit returns a file's new name in the last commit that renamed one of names. It returns "" if none of the
// last mostRemovals commits that removed such a name renamed the file.
func movedByCommit(ctx context.Context, dir string, names []string) string {
	arguments := []string{"log", "-" + strconv.Itoa(mostRemovals), "--format=%H", "--no-renames", "--diff-filter=D", "--"}
	commits, err := git(ctx, dir, append(arguments, names...)...)
	if err != nil {
		return ""
	}
	for commit := range strings.FieldsSeq(string(commits)) {
		changed, err := git(ctx, dir, "-c", "core.quotePath=false", "diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", "--relative", "--no-commit-id", commit, "--", ".")
		if err != nil {
			return ""
		}
		fields := strings.Split(string(changed), "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			if slices.Contains(names, fields[i+1]) {
				return fields[i+2]
			}
		}
	}
	return ""
}

// movedSince returns the uncommitted file that shares the most lines with one of names in the last commit, or "" if
// there is none; see sameLines.
func movedSince(ctx context.Context, dir string, names []string) string {
	committed, err := git(ctx, dir, append([]string{"ls-tree", "-z", "--name-only", "HEAD", "--"}, names...)...)
	if err != nil {
		return ""
	}
	missing := func(name string) bool { return name != "" && !exists(dir, name) }
	removed := strings.Split(string(committed), "\x00")
	i := slices.IndexFunc(removed, missing)
	if i < 0 {
		return ""
	}
	name := removed[i]
	text, err := git(ctx, dir, "show", "HEAD:./"+name)
	if err != nil {
		return ""
	}
	var added []byte
	for _, arguments := range [][]string{
		{"ls-files", "-z", "--others", "--exclude-standard", "--", "."},
		{"diff", "-z", "--no-renames", "--cached", "--name-only", "--relative", "--diff-filter=A", "HEAD", "--", "."},
	} {
		more, err := git(ctx, dir, arguments...)
		if err != nil {
			return ""
		}
		added = append(added, more...)
	}
	best, most := "", 0
	for candidate := range strings.SplitSeq(string(added), "\x00") {
		if candidate == "" || filepath.Ext(candidate) != filepath.Ext(name) {
			continue
		}
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(candidate)))
		if same := sameLines(text, now); err == nil && same > most {
			best, most = candidate, same
		}
	}
	return best
}

// sameLines returns the number of lines that two files share, or 0 if this number is less than half the number of lines
// in the longer file. It ignores blank lines and lines of three hyphens.
func sameLines(a, b []byte) (same int) {
	counts := make(map[string]int)
	lines := func(text []byte, add int) (total int) {
		for line := range bytes.Lines(text) {
			line = bytes.TrimSpace(line)
			if len(line) == 0 || string(line) == "---" {
				continue
			}
			total++
			if add < 0 && counts[string(line)] > 0 {
				same++
			}
			counts[string(line)] += add
		}
		return total
	}
	longer := max(lines(a, 1), lines(b, -1))
	if 2*same < longer {
		return 0
	}
	return same
}
