//go:build linux

package main

import (
	"context"
	"fmt"
	"time"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// flat compares the waits of an editor whose preview and language server are running, on sites of different sizes. The
// waits should depend on the change, not on the number of pages.
func (s *suite) flat(ctx context.Context) error {
	sizes := []int{1000, 10000, s.sizes(100000)[0]}
	saves, keys := paired.Match{Rounds: s.times(15)}, paired.Match{Rounds: s.times(100)}
	for _, posts := range sizes {
		root, err := s.site("flat", usual(), posts, byDefault())
		if err != nil {
			return err
		}
		p, err := s.startPreview(ctx, root)
		if err != nil {
			return err
		}
		defer p.stop()
		saves.Contestants = append(saves.Contestants, p.saves(root, posts))
		y, err := s.startTyping(ctx, root, corpus.At(posts/2, seed))
		if err != nil {
			return err
		}
		defer y.stop()
		keys.Contestants = append(keys.Contestants, paired.Contestant{Name: thousands(posts), Run: pressing(y)})
	}
	t := newTable("Waits among more pages")
	for _, m := range []struct {
		what  string
		match paired.Match
	}{{"save to page", saves}, {"keystroke to problems", keys}} {
		tell("%s, rounds: %d", m.what, m.match.Rounds)
		results, err := m.match.Run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", m.what, err)
		}
		for _, posts := range sizes[1:] {
			many, few := thousands(posts), thousands(sizes[0])
			t.compare(fmt.Sprintf("%s, among %s posts ÷ among %s", m.what, many, few), atMost(2), results, many, few)
		}
	}
	fmt.Print(t)
	return nil
}

// pressing returns a function that sends one keystroke and waits until the language server reports the problems.
func pressing(y *typing) func(context.Context, int) (paired.Sample, error) {
	return func(ctx context.Context, round int) (paired.Sample, error) {
		before := cpuTime(y.cmd.Process.Pid)
		took, err := y.key(ctx, round)
		return paired.Sample{Wall: took, CPU: max(cpuTime(y.cmd.Process.Pid)-before, time.Microsecond)}, err
	}
}
