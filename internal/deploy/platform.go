package deploy

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// platform deploys by the platform's own tool, which npx fetches where it is not there, and which takes its credentials
// from the environment. Going back is the platform's: both keep the deploys before.
func (d *deploy) platform(ctx context.Context) error {
	if err := d.suits(); err != nil {
		return err
	}
	dir, err := filepath.Abs(d.Dir)
	if err != nil {
		return err
	}
	command, at := append([]string{"npx", "--yes", "wrangler@4", "deploy", "--config", filepath.Join(dir, "cloudflare", "wrangler.jsonc")}, d.Arguments...), "."
	if d.Target == "netlify" {
		command = append([]string{"npx", "--yes", "netlify-cli@23", "deploy", "--prod", "--build"}, d.Arguments...)
		if !d.DryRun {
			if at, err = netlifyFolder(dir); err != nil {
				return fmt.Errorf("preparing a folder for Netlify's tool: %w", err)
			}
			defer os.RemoveAll(at)
		}
	}
	d.Report("build " + d.name + " to " + d.Target + ": " + strings.Join(command, " "))
	if !d.DryRun {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Dir = at
		// The tool shows its own progress; standard output is for the report of verify.
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(command[:3], " "), err)
		}
	}
	if err := d.serve(ctx, d.name, true); err != nil {
		return fmt.Errorf("%w: %w; %s keeps the deploys before, and can publish one of them again", ErrLeft, err, d.Target)
	}
	d.done()
	return nil
}

// suits says what keeps a build from being deployed to a platform.
func (d *deploy) suits() error {
	if d.Reload != "" {
		return fmt.Errorf("there is no vitrined to reload on %s; leave --reload out", d.Target)
	}
	if _, err := os.Stat(filepath.Join(d.Dir, d.Target)); err != nil {
		return fmt.Errorf("the build has nothing for %s; build it with the edges", d.Target)
	}
	return nil
}

// netlifyFolder makes a folder in which Netlify's tool finds the build as its configuration names it: the tool reads
// netlify.toml where it runs, and bundles the edge function there.
func netlifyFolder(build string) (string, error) {
	dir, err := os.MkdirTemp("", "vitrine-netlify")
	if err != nil {
		return "", err
	}
	config, err := os.ReadFile(filepath.Join(build, "netlify", "netlify.toml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "netlify.toml"), config, 0o644)
	}
	if err == nil {
		err = os.Symlink(build, filepath.Join(dir, "build"))
	}
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return dir, err
}
