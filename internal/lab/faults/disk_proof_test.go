//go:build proof && unix

package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fails runs a build whose output can't be written. It must exit with 1, report the error and the advice, and leave the
// last good build.
func (s *site) fails(t *testing.T, cmd *exec.Cmd, why, advice string) {
	t.Helper()
	outcome, err := try(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Code != 1 || !strings.Contains(outcome.Told, why) || !strings.Contains(outcome.Told, advice) {
		t.Errorf("exit %d, told\n%s\nwant exit 1, %q and %q", outcome.Code, outcome.Told, why, advice)
	}
	s.holdsLast(t)
}

// A build that exceeds the file size limit fails and leaves the last good build. With these limits, in 512-byte blocks,
// writing a page, the pack, or an image fails.
func TestFileSizeLimit(t *testing.T) {
	s := newSite(t, "")
	for _, blocks := range []int{1, 8, 40, 100} {
		s.edit(t)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf("ulimit -f %d; exec \"$@\"", blocks), "sh")
		build := s.command(t.Context(), s.Source.dir, s.out)
		cmd.Args, cmd.Env = append(cmd.Args, build.Args...), build.Env
		s.fails(t, cmd, "file too large", "raise the file size limit")
	}
	s.recovers(t)
}

// A build into folders without write permission reports the missing permission. Permissions don't restrict root, so if
// root runs the test, the test runs the build as another user.
func TestReadOnlyOutput(t *testing.T) {
	s := newSite(t, "")
	s.edit(t)
	openUp(t, s.dir)
	if os.Geteuid() == 0 {
		// Other users can't run a program in root's checkout.
		code, err := os.ReadFile(string(s.Program))
		s.Program = Program(filepath.Join(s.dir, "vitrine"))
		if err := errors.Join(err, os.WriteFile(string(s.Program), code, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{s.out, filepath.Join(s.out, "public")} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if err := os.Chmod(folder, 0o555); err != nil {
				t.Fatal(err)
			}
			cmd := s.command(t.Context(), s.Source.dir, s.out)
			if os.Geteuid() == 0 {
				const nobody = 65534
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			}
			s.fails(t, cmd, "permission denied", "--out")
			if err := os.Chmod(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
	s.recovers(t)
}

// openUp makes dir and its parents, up to the temporary folder, readable by all users.
func openUp(t *testing.T, dir string) {
	t.Helper()
	for folder := dir; folder != filepath.Clean(os.TempDir()) && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
