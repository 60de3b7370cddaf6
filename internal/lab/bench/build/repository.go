//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"

	"vitrine/internal/lab/bench/corpus"
)

// commits is the number of commits in a site's repository at the start of the measurement.
const commits = 2000

// commitEdits turns a site into a repository with one commit for each of many edits to its posts.
func commitEdits(ctx context.Context, root string, posts int) error {
	tell("committing %s edits", thousands(commits))
	for _, arguments := range [][]string{{"init", "--quiet", "--initial-branch=main"}, {"config", "gc.auto", "0"}} {
		if err := git(ctx, root, nil, arguments...); err != nil {
			return err
		}
	}
	if err := commitAll(ctx, root); err != nil {
		return err
	}
	var edits bytes.Buffer
	for i := range commits {
		p := corpus.At(i*6151%posts, seed).Edited(i)
		name, err := filepath.Rel(root, corpus.PostFile(root, p.Name))
		if err != nil {
			return err
		}
		text, from := p.Source(), ""
		if i == 0 {
			from = "from refs/heads/main^0\n"
		}
		fmt.Fprintf(&edits, "commit refs/heads/main\ncommitter bench <bench@vitrine.example> %d +0000\ndata 4\nEdit\n%sM 100644 inline %s\ndata %d\n%s\n",
			1_700_000_000+600*i, from, filepath.ToSlash(name), len(text), text)
	}
	if err := git(ctx, root, &edits, "fast-import", "--quiet"); err != nil {
		return err
	}
	for _, arguments := range [][]string{{"reset", "--quiet", "--hard"}, {"gc", "--quiet"}} {
		if err := git(ctx, root, nil, arguments...); err != nil {
			return err
		}
	}
	return nil
}

// commitAll commits the changes in a site.
func commitAll(ctx context.Context, root string) error {
	if err := git(ctx, root, nil, "add", "--all"); err != nil {
		return err
	}
	return git(ctx, root, nil, "-c", "user.name=bench", "-c", "user.email=bench@vitrine.example", "commit", "--quiet", "--message", "Edit")
}

func git(ctx context.Context, root string, in io.Reader, arguments ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", root}, arguments...)...)
	cmd.Stdin = in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", arguments[0], err, out)
	}
	return nil
}
