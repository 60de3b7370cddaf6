package main

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// warm measures builds over the build before, against cold builds of the same
// source. What both make must be the same, byte for byte.
func (s *suite) warm(ctx context.Context) error {
	t := newTable("Warm build")
	for _, posts := range s.sizes(10000) {
		for _, g := range []generator{vitrine(), compressing()} {
			w := warmly{suite: s, generator: g, posts: posts, out: s.fresh()}
			if err := w.measure(ctx, t); err != nil {
				return errors.Join(err, s.clear())
			}
			if err := s.clear(); err != nil {
				return err
			}
		}
	}
	fmt.Print(t)
	return s.afterEdits(ctx)
}

// warmly is one site that is built over and over into one folder.
type warmly struct {
	*suite
	generator generator
	posts     int
	pairs     int
	root, out string
	// cold is where the round's cold build is.
	cold string
}

func (w *warmly) measure(ctx context.Context, t *table) (err error) {
	if w.root, err = w.site("warm", vitrine(), w.posts, corpus.Options{}); err != nil {
		return err
	}
	if _, err := w.build(ctx, w.generator, w.root, w.out); err != nil {
		return err
	}
	name := fmt.Sprintf("%s, %s posts", w.generator.name, thousands(w.posts))
	// The bars are those of the quicker cold build, which are harder to reach.
	unchanged, changed := atLeast(50), atLeast(30)
	w.pairs = w.times(5)
	if w.generator.name != vitrine().name {
		unchanged, changed = bar{}, bar{}
		w.pairs = w.times(3)
	}
	if err := w.compare(ctx, t, name+": cold ÷ nothing changed", unchanged, nil); err != nil {
		return err
	}
	return w.compare(ctx, t, name+": cold ÷ one post's text changed", changed, w.edit)
}

// compare compares builds into the same folder with builds into fresh ones.
func (w *warmly) compare(ctx context.Context, t *table, what string, b bar, before func(context.Context, int) error) error {
	match := paired.Match{
		Rounds: w.pairs,
		Before: before,
		Contestants: []paired.Contestant{
			{Name: "cold", Run: func(ctx context.Context, _ int) (paired.Sample, error) {
				w.cold = w.fresh()
				return w.build(ctx, w.generator, w.root, w.cold)
			}},
			{Name: "warm", Run: func(ctx context.Context, _ int) (paired.Sample, error) {
				return w.build(ctx, w.generator, w.root, w.out)
			}},
		},
		After: func(context.Context, int) error { return same(w.cold, w.out) },
	}
	tell("%s, rounds: %d", what, match.Rounds)
	results, err := match.Run(ctx)
	if err != nil {
		return err
	}
	t.compare(what, b, results, "cold", "warm")
	return nil
}

// edit changes a sentence of one post, another one to another text each time.
func (w *warmly) edit(context.Context, int) error {
	w.edits++
	// Spread over the site, so that no neighbour was just read.
	p := corpus.At(w.edits*7919%w.posts, w.seed)
	return corpus.WritePost(w.root, p.Edited(w.edits))
}
