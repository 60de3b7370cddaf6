// Package faults tests that a build survives faults: killing its process at random times, a full or read-only disk, a
// concurrent build, changes to the source during the build, and hostile content. The tests run a few builds. The
// command in the folder run, which make soak starts, runs many.
//
// The tests don't guess the expected result: they also build every state of the site without faults in another folder,
// and readers must find exactly that build's bytes.
package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// Program is the path of the vitrine program to test.
type Program string

// command returns a "vitrine build" command that prints every problem. The build time is fixed, so that the same source
// always produces the same build.
func (p Program) command(ctx context.Context, source, out string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, string(p), "build", "--root", source, "--out", out, "--max", "1000000")
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1790000000")
	return cmd
}

// Build builds a source undisturbed. It returns an error if the source contains errors.
func (p Program) Build(ctx context.Context, source, out string) error {
	_, err := rig.Run(p.command(ctx, source, out))
	return err
}

// Outcome describes how a build's process ended.
type Outcome struct {
	// Code is the exit code, or -1 if a signal terminated the process.
	Code int
	// Told is the text that the process wrote to standard error.
	Told string
}

// try runs a command and returns its outcome. A nonzero exit code is not an error.
func try(cmd *exec.Cmd) (Outcome, error) {
	var told bytes.Buffer
	cmd.Stderr = &told
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Outcome{}, fmt.Errorf("running vitrine: %w", err)
	}
	return Outcome{cmd.ProcessState.ExitCode(), told.String()}, nil
}

// Whole opens the build in dir as a server does, checks every representation against its hash, and returns the build's
// ID.
func Whole(ctx context.Context, dir string) (build uint64, err error) {
	b, err := artifact.Open(dir)
	if err != nil {
		return 0, err
	}
	err = b.Verify(ctx)
	return b.Manifest.Build, errors.Join(err, b.Close())
}

// SameTree returns an error that names the files that differ between two build folders, or nil if no files differ. It
// ignores locks, spare folders, and the cache, which aren't published.
func SameTree(a, b string) error {
	one, err := readTree(a)
	if err != nil {
		return err
	}
	other, err := readTree(b)
	if err != nil {
		return err
	}
	var differ []string
	for name, data := range one {
		if there, ok := other[name]; !ok || !bytes.Equal(data, there) {
			differ = append(differ, name)
		}
		delete(other, name)
	}
	differ = append(differ, slices.Collect(maps.Keys(other))...)
	if len(differ) == 0 {
		return nil
	}
	slices.Sort(differ)
	return fmt.Errorf("the build folders %s and %s differ in the files %s", a, b, strings.Join(differ, ", "))
}

func readTree(dir string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(name, artifact.SpareDir) || name == "cache"):
			return filepath.SkipDir
		case d.IsDir() || name == ".lock":
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return files, err
}
