package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"vitrine/internal/artifact"
)

// Program is the file of the program vitrine, built for the proofs.
type Program string

// Compile builds vitrine into a folder.
func Compile(ctx context.Context, dir string) (Program, error) {
	name := filepath.Join(dir, "vitrine")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.CommandContext(ctx, "go", "build", "-o", name, "vitrine/cmd/vitrine").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building vitrine: %w\n%s", err, out)
	}
	return Program(name), nil
}

// command is "vitrine build" of a source into out, at a moment that does not
// pass, so that equal sources give equal builds.
func (p Program) command(ctx context.Context, source, out string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, string(p), "build", "--root", source, "--out", out)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1790000000")
	return cmd
}

// Build builds a source that is in order, in peace.
func (p Program) Build(ctx context.Context, source, out string) error {
	if told, err := p.command(ctx, source, out).CombinedOutput(); err != nil {
		return fmt.Errorf("vitrine build: %w\n%s", err, told)
	}
	return nil
}

// Outcome is how a build ended.
type Outcome struct {
	// Code is the exit code, -1 where a signal ended the process.
	Code int
	// Told is what it wrote to its standard error.
	Told string
}

// try runs a command that may fail.
func try(cmd *exec.Cmd) (Outcome, error) {
	var told bytes.Buffer
	cmd.Stderr = &told
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Outcome{}, fmt.Errorf("running vitrine: %w", err)
	}
	return Outcome{cmd.ProcessState.ExitCode(), told.String()}, nil
}

// Whole opens the build in a folder as a server does, reads every
// representation against its hash, and returns which build it is.
func Whole(ctx context.Context, dir string) (build uint64, err error) {
	b, err := artifact.Open(dir)
	if err != nil {
		return 0, err
	}
	err = b.Verify(ctx)
	return b.Manifest.Build, errors.Join(err, b.Close())
}
