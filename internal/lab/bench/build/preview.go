package main

import (
	"context"
	"fmt"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// preview measures the time from a save to the moment that a reader of the page
// has the new text: the preview says "reload", and the page is asked for.
func (s *suite) preview(ctx context.Context) error {
	small, large := 10, s.sizes(10000)[0]
	match := paired.Match{Rounds: s.times(15)}
	for _, posts := range []int{small, large} {
		root, err := s.site("preview", vitrine(), posts, corpus.Options{Highlight: true})
		if err != nil {
			return err
		}
		p, err := s.startPreview(ctx, root)
		if err != nil {
			return err
		}
		defer p.stop()
		match.Contestants = append(match.Contestants, paired.Contestant{
			Name: thousands(posts),
			Run: func(ctx context.Context, round int) (paired.Sample, error) {
				post := corpus.At(round*7919%posts, s.seed)
				return p.save(ctx, root, post.Edited(round), corpus.EditedSentence(round))
			},
		})
	}
	tell("preview: %s and %s posts, rounds: %d", thousands(small), thousands(large), match.Rounds)
	results, err := match.Run(ctx)
	if err != nil {
		return err
	}
	few, many := thousands(small), thousands(large)
	t := newTable("Preview: from a save to the new page")
	t.compare(fmt.Sprintf("one post changed, among %s ÷ among %s", many, few), atMost(2), results, many, few)
	fmt.Print(t)
	return nil
}
