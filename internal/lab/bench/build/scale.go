//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

const (
	// diskOfPost is the maximum disk space, in bytes, used by a post's source and build during the measurement, on a
	// disk with 4 KiB blocks.
	diskOfPost = 112 << 10
	// filesOfPost is the maximum number of files of a post's source and build.
	filesOfPost = 8
)

// sized contains the costs of a site with a given number of posts.
type sized struct {
	shape corpus.Shape
	posts int
	// pages is the number of HTML pages, including lists.
	pages int
	// cold is the cost of a cold build. first is the cost of the first rebuild after an edit, edited is the cost of
	// later rebuilds after an edit, and same is the cost of a rebuild without changes.
	cold, first, edited, same paired.Sample
	// start is the wall time until vitrined's first response, and startCPU is vitrined's total CPU time, both in
	// seconds. resident is vitrined's memory after the first response, in bytes. All three are medians.
	startCPU, start, resident float64
	all, public, coded, cache extent
	manifest, table           extent
	lists, sitemaps, llms     extent
	index, sent               extent
	// looked is the data loaded by one search, or zero if Node.js is missing.
	looked extent
}

// scale measures all costs for sites of increasing size, each built once with default flags on a disk. It prints the
// costs and their growth per page.
func (s *suite) scale(ctx context.Context) error {
	server, err := s.compile(ctx, "vitrine/cmd/vitrined")
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		shape corpus.Shape
		sizes []int
	}{
		{corpus.Blog(), s.sizes(1000, 10000, 50000, 200000)},
		{corpus.Languages(), s.sizes(1000, 10000, 200000)},
		{corpus.Documentation(), s.sizes(1000, 10000, 50000)},
	} {
		var all []sized
		for _, posts := range kind.sizes {
			measured, err := s.scaleOf(ctx, server, kind.shape, posts)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.shape.Name, err)
			}
			all = append(all, measured)
		}
		fmt.Print(scaleTables(all))
	}
	return nil
}

// scaleOf measures one site and then removes it, because the disk has space for only one site.
func (s *suite) scaleOf(ctx context.Context, server string, shape corpus.Shape, posts int) (m sized, err error) {
	m = sized{shape: shape, posts: posts}
	if err := roomFor(s.dir, posts); err != nil {
		return m, err
	}
	root, out := filepath.Join(s.dir, "sites"), s.fresh()
	defer func() { err = errors.Join(err, s.clear(), os.RemoveAll(root)) }()
	tell("scale: writing %s with %s posts", shape.Name, thousands(posts))
	if err := shape.Write(root, posts, seed, byDefault()); err != nil {
		return m, err
	}
	if err := s.measure(ctx, &m, server, root, out); err != nil {
		return m, err
	}
	// Print each result immediately, because a run takes a long time and may be interrupted.
	tell("scale: %s", scaleTables([]sized{m}))
	return m, nil
}

// measure builds, serves, searches, and rebuilds the site at root, and records the costs in m.
func (s *suite) measure(ctx context.Context, m *sized, server, root, out string) (err error) {
	tell("scale: cold build of %s posts", thousands(m.posts))
	if m.cold, err = s.build(ctx, usual(), root, out); err != nil {
		return err
	}
	if err := complete(out, m.posts); err != nil {
		return err
	}
	if err := m.count(out); err != nil {
		return err
	}
	tell("scale: serving, searching, and rebuilding %s posts", thousands(m.posts))
	if m.looked, err = s.search(ctx, out); err != nil {
		return err
	}
	if err := m.serve(ctx, server, out); err != nil {
		return err
	}
	return s.again(ctx, m, root, out)
}

// roomFor returns an error if the disk that contains dir has too little space or too few free inodes for a site and its
// build.
func roomFor(dir string, posts int) error {
	var room syscall.Statfs_t
	if err := syscall.Statfs(dir, &room); err != nil {
		return fmt.Errorf("checking the disk space: %w", err)
	}
	n := uint64(posts)
	// Some file systems don't report the number of inodes.
	if room.Bavail*uint64(room.Bsize) < n*diskOfPost || room.Files > 0 && room.Ffree < n*filesOfPost {
		return fmt.Errorf("%s does not have enough space for %s posts, which need %d GB and %s files; choose another folder with -dir",
			dir, thousands(posts), n*diskOfPost>>30+1, thousands(posts*filesOfPost))
	}
	return nil
}

// again measures rebuilds after a change to the text of one post and rebuilds without changes. It repeats each
// measurement, because these rebuilds are short. It reports the first rebuild separately, because only that rebuild
// links all files into a second folder, which later rebuilds reuse.
func (s *suite) again(ctx context.Context, m *sized, root, out string) (err error) {
	edit := func() (paired.Sample, error) {
		s.edits++
		if err := m.shape.Edit(root, s.edits*7919%m.posts, seed, s.edits); err != nil {
			return paired.Sample{}, err
		}
		return s.build(ctx, usual(), root, out)
	}
	if m.first, err = edit(); err != nil {
		return err
	}
	edited, unchanged := make(paired.Results), make(paired.Results)
	for range s.times(3) {
		before := time.Now()
		one, err := edit()
		if err != nil {
			return err
		}
		if m.sent, err = newer(filepath.Join(out, "public"), before); err != nil {
			return err
		}
		none, err := s.build(ctx, usual(), root, out)
		if err != nil {
			return err
		}
		edited[""], unchanged[""] = append(edited[""], one), append(unchanged[""], none)
	}
	m.edited, m.same = middle(edited), middle(unchanged)
	return nil
}

// middle returns the medians for the only contestant, whose name is "".
func middle(r paired.Results) paired.Sample {
	return paired.Sample{
		Wall: time.Duration(r.Median("", paired.Wall) * float64(time.Second)),
		CPU:  time.Duration(r.Median("", paired.CPU) * float64(time.Second)),
		Peak: int64(r.Median("", paired.Peak)),
	}
}
