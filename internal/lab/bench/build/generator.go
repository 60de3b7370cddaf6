//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// generator is a program that builds a site.
type generator struct {
	name string
	// write writes a site with the given posts to root.
	write func(root string, posts iter.Seq[corpus.Post], o corpus.Options) error
	// command returns the command that builds the site at root into the folder out, which must be empty or missing.
	command func(ctx context.Context, s *suite, root, out string) *exec.Cmd
}

// vitrine, compressing, and usual return generators that run vitrine. vitrine disables compression, compressing selects
// gzip and Brotli, and usual uses the default flags.
func vitrine() generator { return vitrineWith("vitrine", "-codings", "none") }

func compressing() generator {
	return vitrineWith("vitrine with gzip and brotli", "-codings", "gzip,br")
}

func usual() generator { return vitrineWith("vitrine by default") }

func vitrineWith(name string, flags ...string) generator {
	return generator{name, corpus.WriteVitrine, func(ctx context.Context, s *suite, root, out string) *exec.Cmd {
		arguments := append([]string{"build", "-root", root, "-out", out}, flags...)
		return exec.CommandContext(ctx, s.vitrineProgram, arguments...)
	}}
}

func hugo() generator {
	return generator{"Hugo", corpus.WriteHugo, func(ctx context.Context, s *suite, root, out string) *exec.Cmd {
		return exec.CommandContext(ctx, s.hugoProgram, "--quiet", "--source", root, "--destination", out)
	}}
}

// chain returns a generator that runs Hugo and the programs that create the rest of vitrine's default outputs.
func chain() generator {
	return generator{"Hugo, pagefind, and gzip", corpus.WriteHugoChain, func(ctx context.Context, s *suite, root, out string) *exec.Cmd {
		return exec.CommandContext(ctx, "sh", "-c", corpus.ChainScript, "chain", s.hugoProgram, s.pagefindProgram, root, out)
	}}
}

func eleventy() generator {
	write := func(root string, posts iter.Seq[corpus.Post], _ corpus.Options) error {
		return corpus.WriteEleventy(root, posts)
	}
	return generator{"Eleventy", write, func(ctx context.Context, s *suite, root, out string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, s.nodeProgram, s.eleventyProgram, "--quiet", "--output="+out)
		cmd.Dir = root
		return cmd
	}}
}

// floor returns a generator that builds a Vitrine site with the minimum of work.
func floor() generator {
	return generator{"the floor", corpus.WriteVitrine, func(ctx context.Context, s *suite, root, out string) *exec.Cmd {
		return exec.CommandContext(ctx, s.floorProgram, "-root", root, "-out", out)
	}}
}

// build builds a site and returns its cost. Each output folder has its own home folder so that the caches in the home
// folder start empty.
func (s *suite) build(ctx context.Context, g generator, root, out string) (paired.Sample, error) {
	home := out + ".home"
	cache := filepath.Join(home, "cache")
	// If the cache folder doesn't exist, Hugo uses a folder that all builds share.
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return paired.Sample{}, fmt.Errorf("creating a cache folder: %w", err)
	}
	cmd := g.command(ctx, s, root, out)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache)
	return paired.Run(cmd)
}

// coldly returns a contestant that builds a site into a fresh folder in each round. It checks that the build of the
// first round is complete.
func (s *suite) coldly(g generator, root string, posts int) paired.Contestant {
	return paired.Contestant{Name: g.name, Run: func(ctx context.Context, round int) (paired.Sample, error) {
		out := s.fresh()
		sample, err := s.build(ctx, g, root, out)
		if err == nil && round == 0 {
			err = complete(out, posts)
		}
		if err == nil && round == 0 && g.name == chain().name {
			err = completeChain(root, out, posts)
		}
		return sample, err
	}}
}

// complete checks that a build contains the HTML and the Markdown of every post, because an incomplete build would be
// faster.
func complete(out string, posts int) error {
	pages := map[string]int{}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(strings.TrimPrefix(path, out), "post-") {
			pages[filepath.Ext(path)]++
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("counting the files of a build: %w", err)
	}
	if pages[".html"] < posts || pages[".md"] < posts {
		return fmt.Errorf("the build of %d posts has only %d HTML pages and %d Markdown pages of posts", posts, pages[".html"], pages[".md"])
	}
	return nil
}

// completeChain checks that a build by chain contains a search index, a compressed file for each page, and the required
// images.
func completeChain(root, out string, posts int) error {
	if _, err := os.Stat(filepath.Join(out, "pagefind", "pagefind.js")); err != nil {
		return fmt.Errorf("finding the search index: %w", err)
	}
	compressed, images := 0, 0
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".html.gz"):
			compressed++
		case strings.HasSuffix(path, ".png"):
			images++
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("counting the files of a build: %w", err)
	}
	wanted := 0
	if _, err := os.Stat(filepath.Join(root, "assets")); err == nil {
		wanted = posts
	}
	if compressed < posts || images < wanted {
		return fmt.Errorf("the build of %d posts has %d compressed pages and %d images, want at least %d and %d", posts, compressed, images, posts, wanted)
	}
	return nil
}

// against compares cold builds by the given generators, on sites with the same posts. purpose is part of the sites'
// names; see site.
func (s *suite) against(ctx context.Context, purpose string, rounds, posts int, o corpus.Options, all ...generator) (paired.Results, error) {
	match := paired.Match{Rounds: s.times(rounds)}
	for _, g := range all {
		kind := g
		switch g.name {
		case compressing().name, floor().name:
			kind = vitrine()
		}
		root, err := s.site(purpose, kind, posts, o)
		if err != nil {
			return nil, err
		}
		match.Contestants = append(match.Contestants, s.coldly(g, root, posts))
	}
	tell("%s: %s posts, rounds: %d", purpose, thousands(posts), match.Rounds)
	results, err := match.Run(ctx)
	return results, errors.Join(err, s.clear())
}
