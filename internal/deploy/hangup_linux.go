package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// minAge is the age from which a vitrined process certainly handles SIGHUP. A younger process may not have installed
// its handler yet, and the signal would then kill it.
const minAge = time.Second

// hangUp sends SIGHUP to each vitrined that serves dir. It isn't an error if no vitrined is running, because a vitrined
// that starts later loads the new build anyway.
func hangUp(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return fmt.Errorf("finding vitrined: %w", err)
	}
	var problems []error
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || !serves(e.Name(), dir) {
			continue
		}
		// The modification time of a folder in /proc is the time of the first access to it, so the process is at least
		// that old.
		if info, err := e.Info(); err == nil {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(minAge - time.Since(info.ModTime())):
			}
		}
		if err := syscall.Kill(pid, syscall.SIGHUP); err != nil && !errors.Is(err, syscall.ESRCH) {
			problems = append(problems, fmt.Errorf("sending SIGHUP to vitrined, process %d: %w", pid, err))
		}
	}
	return errors.Join(problems...)
}

// serves reports whether a process is a vitrined whose -dir is dir.
func serves(pid, dir string) bool {
	line, err := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
	if err != nil {
		return false // the process has ended
	}
	words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	if filepath.Base(words[0]) != "vitrined" {
		return false
	}
	served := "build" // vitrined's default
	for i, word := range words[1:] {
		name, value, found := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
		switch {
		case name != "dir" || !strings.HasPrefix(word, "-"):
		case found:
			served = value
		case i+2 < len(words):
			served = words[i+2]
		}
	}
	if !filepath.IsAbs(served) {
		at, err := os.Readlink(filepath.Join("/proc", pid, "cwd"))
		if err != nil {
			return false
		}
		served = filepath.Join(at, served)
	}
	return filepath.Clean(served) == dir
}
