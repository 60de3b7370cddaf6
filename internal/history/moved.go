package history

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
)

// mostMoves is the maximum number of consecutive renames to follow.
const mostMoves = 8

// Moved returns the current name of the file that was formerly called name. It returns "" if the file was removed, if
// Git doesn't know the name, or if the file isn't found after mostMoves renames. If the file was moved since the last
// commit, Moved finds it by its content. Names are relative to dir, with forward slashes.
func Moved(ctx context.Context, dir, name string) string {
	for range mostMoves {
		next := movedByCommit(ctx, dir, name)
		if next == "" {
			next = movedSince(ctx, dir, name)
		}
		if next == "" || exists(dir, next) {
			return next
		}
		name = next
	}
	return ""
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

// movedByCommit returns the file's new name in the commit that removed the old name. It returns "" if no commit removed
// the old name, or if that commit didn't rename the file.
func movedByCommit(ctx context.Context, dir, name string) string {
	commit, err := git(ctx, dir, "log", "-1", "--format=%H", "--no-renames", "--diff-filter=D", "--", name)
	hash := strings.TrimSpace(string(commit))
	if err != nil || !isHash(hash) {
		return ""
	}
	changed, err := git(ctx, dir, "-c", "core.quotePath=false", "diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", "--relative", "--no-commit-id", hash, "--", ".")
	if err != nil {
		return ""
	}
	fields := strings.Split(string(changed), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		if fields[i+1] == name {
			return fields[i+2]
		}
	}
	return ""
}

// movedSince returns the uncommitted file that shares the most lines with the named file in the last commit, or "" if
// there is none; see sameLines.
func movedSince(ctx context.Context, dir, name string) string {
	text, err := git(ctx, dir, "show", "HEAD:./"+name)
	if err != nil {
		return ""
	}
	var names []byte
	for _, arguments := range [][]string{
		{"ls-files", "-z", "--others", "--exclude-standard", "--", "."},
		{"diff", "-z", "--no-renames", "--cached", "--name-only", "--relative", "--diff-filter=A", "HEAD", "--", "."},
	} {
		more, err := git(ctx, dir, arguments...)
		if err != nil {
			return ""
		}
		names = append(names, more...)
	}
	best, most := "", 0
	for candidate := range strings.SplitSeq(string(names), "\x00") {
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
