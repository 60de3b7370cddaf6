package deploy

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vitrine/internal/edge/platform"
)

// toPlatform deploys with the platform's tool, which npx downloads if it is missing. The tool reads its credentials
// from the environment. toPlatform never restores the previous build, because all platforms keep earlier deploys and
// can publish them again.
func (d *deploy) toPlatform(ctx context.Context, p platform.Platform) error {
	if err := d.suits(); err != nil {
		return err
	}
	dir, err := filepath.Abs(d.Dir)
	if err != nil {
		return err
	}
	how := p.Deploy(dir)
	how.Command = append(how.Command, d.Arguments...)
	d.Report("build " + d.name + " to " + d.Target + ": " + strings.Join(how.Command, " "))
	if !d.DryRun {
		if err := runTool(ctx, p, how); err != nil {
			return err
		}
	}
	if err := d.serve(ctx, d.name, true); err != nil {
		return fmt.Errorf("%w: %w; %s keeps previous deploys, and can publish one of them again", ErrLeft, err, d.Target)
	}
	d.done()
	return nil
}

// runTool runs a platform's tool. The tool's output goes to standard error because standard output is reserved for
// verify's report.
func runTool(ctx context.Context, p platform.Platform, how platform.Deploy) error {
	cmd := exec.CommandContext(ctx, how.Command[0], how.Command[1:]...)
	if how.Prepare != nil {
		folder, err := os.MkdirTemp("", "vitrine-"+p.Name)
		if err != nil {
			return fmt.Errorf("preparing a folder for the %s tool: %w", p.Title, err)
		}
		defer os.RemoveAll(folder)
		if err := how.Prepare(folder); err != nil {
			return fmt.Errorf("preparing a folder for the %s tool: %w", p.Title, err)
		}
		cmd.Dir = folder
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(how.Command[:3], " "), err)
	}
	return nil
}

// suits returns an error if an option doesn't apply to the platform, or if the build has no files for the platform.
func (d *deploy) suits() error {
	if d.Reload != "" {
		return fmt.Errorf("%s has no vitrined to reload; omit --reload", d.Target)
	}
	if _, err := os.Stat(filepath.Join(d.Dir, d.Target)); err != nil {
		return fmt.Errorf("the build has no files for %s; run vitrine build", d.Target)
	}
	return nil
}
