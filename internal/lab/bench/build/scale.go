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

// sized holds the costs of a site with a given number of posts.
type sized struct {
	posts int
	// pages is the number of HTML pages, including lists.
	pages                     int
	cold, first, edited, same paired.Sample
	// start is the wall time until vitrined's first response, and startCPU is its total CPU time, both in seconds.
	// resident is its memory after the first response, in bytes. All are medians.
	startCPU, start, resident float64
	all, public, coded, cache extent
	manifest, table           extent
	lists, sitemaps, llms     extent
	index, sent               extent
	// looked is the data loaded by one search, or zero if Node.js is missing.
	looked extent
}

// scale measures all costs for sites of increasing size, each built once with default flags on a disk, and reports the
// costs that grow faster than the number of pages.
func (s *suite) scale(ctx context.Context) error {
	server, err := s.compile(ctx, "vitrine/cmd/vitrined")
	if err != nil {
		return err
	}
	var all []sized
	for _, posts := range s.sizes(1000, 10000, 50000, 200000) {
		measured, err := s.scaleOf(ctx, server, posts)
		if err == nil {
			// Print each result immediately, because a run takes a long time and may be interrupted.
			tell("scale: %s", scaleTables([]sized{measured}))
			all = append(all, measured)
		}
		// The disk has space for only one site.
		if err = errors.Join(err, s.clear(), os.RemoveAll(filepath.Join(s.dir, "sites"))); err != nil {
			return err
		}
	}
	fmt.Print(scaleTables(all))
	return nil
}

func (s *suite) scaleOf(ctx context.Context, server string, posts int) (sized, error) {
	m := sized{posts: posts}
	if err := roomFor(s.dir, posts); err != nil {
		return m, err
	}
	g := usual()
	root, err := s.site("scale", g, posts, byDefault())
	if err != nil {
		return m, err
	}
	out := s.fresh()
	tell("scale: %s posts from nothing", thousands(posts))
	if m.cold, err = s.build(ctx, g, root, out); err != nil {
		return m, err
	}
	if err := complete(out, posts); err != nil {
		return m, err
	}
	if err := m.count(out); err != nil {
		return m, err
	}
	tell("scale: %s posts served, searched, and rebuilt", thousands(posts))
	if m.looked, err = s.search(ctx, out); err != nil {
		return m, err
	}
	if err := m.serve(ctx, server, out); err != nil {
		return m, err
	}
	err = s.again(ctx, &m, root, out)
	return m, err
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
		if err := corpus.WritePost(root, corpus.At(s.edits*7919%m.posts, seed).Edited(s.edits)); err != nil {
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
