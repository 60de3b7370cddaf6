package main

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// growth measures what a page costs in a large site, against a small one.
func (s *suite) growth(ctx context.Context) error {
	const small = 1000
	large := s.sizes(50000)[0]
	match := paired.Match{Rounds: s.times(3)}
	for _, posts := range []int{small, large} {
		root, err := s.site("cold", vitrine(), posts, corpus.Options{})
		if err != nil {
			return err
		}
		c := s.coldly(vitrine(), root, posts)
		c.Name = thousands(posts)
		match.Contestants = append(match.Contestants, c)
	}
	tell("growth: %s and %s posts, rounds: %d", thousands(small), thousands(large), match.Rounds)
	results, err := match.Run(ctx)
	if err = errors.Join(err, s.clear()); err != nil {
		return err
	}
	few, many := thousands(small), thousands(large)
	t := newTable("Growth")
	per := float64(small) / float64(large)
	t.ratio(fmt.Sprintf("cost of a page among %s ÷ among %s", many, few), atMost(1.2),
		results.Ratio(many, few, paired.Wall).Times(per), results.Ratio(many, few, paired.CPU).Times(per),
		fmt.Sprintf("%s for all ÷ %s for all; %s and %s at the peak", seconds(results.Median(many, paired.Wall)), seconds(results.Median(few, paired.Wall)),
			megabytes(results.Median(many, paired.Peak)), megabytes(results.Median(few, paired.Peak))))
	fmt.Print(t)
	return nil
}
