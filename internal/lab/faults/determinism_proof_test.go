//go:build proof && unix

package faults

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Builds of the same commit are byte-for-byte identical: in another folder, in a clone, in a copy with old files in the
// reverse order, with another user's umask, language, and time zone, on one processor and on many, and with and without
// an earlier build.
func TestSameCommitSameBytes(t *testing.T) {
	s := newSite(t, "")
	commit(t, s.Source.dir)
	s.rebuild(t) // with the dates of the commit
	clone := filepath.Join(s.dir, "far", "away", "a clone of the site")
	git(t, s.dir, "clone", "--quiet", s.Source.dir, clone)
	reversed := filepath.Join(s.dir, "reversed")
	copyReversed(t, s.Source.dir, reversed)
	for _, v := range []struct {
		name, source string
		environment  []string
		umask        string
	}{
		{"again", s.Source.dir, nil, "022"},
		{"a clone", clone, nil, "022"},
		{"a copy in reverse order", reversed, nil, "022"},
		{"another user", s.Source.dir, []string{"HOME=/nonexistent", "USER=other", "TMPDIR=" + s.dir}, "077"},
		{"an open umask", clone, nil, "000"},
		{"Turkish, on the other side of the world", reversed, []string{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=Pacific/Kiritimati"}, "022"},
		{"no language at all", s.Source.dir, []string{"LC_ALL=C", "LANGUAGE=", "TZ=America/Los_Angeles"}, "022"},
		{"one processor", clone, []string{"GOMAXPROCS=1"}, "022"},
		{"many processors", reversed, []string{"GOMAXPROCS=32", "GOGC=10"}, "022"},
	} {
		t.Run(v.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			build := s.command(t.Context(), v.source, out)
			cmd := exec.CommandContext(t.Context(), "sh", "-c", "umask "+v.umask+`; exec "$@"`, "sh")
			cmd.Args, cmd.Env = append(cmd.Args, build.Args...), append(build.Env, v.environment...)
			if outcome, err := try(cmd); err != nil || outcome.Code != 0 {
				t.Fatalf("%v, exit %d, told\n%s", err, outcome.Code, outcome.Told)
			}
			if err := SameTree(s.out, out); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("over other builds", func(t *testing.T) {
		other, err := NewSource(filepath.Join(s.dir, "other"), 99)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		for _, source := range []string{other.dir, s.Source.dir, other.dir, clone} {
			if err := s.Build(t.Context(), source, out); err != nil {
				t.Fatal(err)
			}
		}
		if err := SameTree(s.out, out); err != nil {
			t.Error(err)
		}
	})
}

// commit creates a repository in dir and commits all files.
func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=Editor", "-c", "user.email=editor@parley.example", "commit", "--quiet", "--message=The site")
}

func git(t *testing.T, dir string, arguments ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, arguments...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_COMMITTER_DATE=2026-02-03T04:05:06Z", "GIT_AUTHOR_DATE=2026-02-03T04:05:06Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

// copyReversed copies a folder file by file in reverse order of name and gives every file an old modification time.
func copyReversed(t *testing.T, from, to string) {
	t.Helper()
	var names []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(names)
	for _, name := range names {
		rel, err := filepath.Rel(from, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := copyOld(name, filepath.Join(to, rel)); err != nil {
			t.Fatal(err)
		}
	}
}

func copyOld(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		return err
	}
	old := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	return os.Chtimes(to, old, old)
}
