//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// byDefault returns the options for a site with all default features.
func byDefault() corpus.Options { return corpus.Options{Highlight: true, Images: true, Search: true} }

// alike compares cold builds with the same outputs: vitrine with default flags, and Hugo followed by the programs that
// create the outputs that Hugo lacks.
func (s *suite) alike(ctx context.Context) error {
	if s.hugoProgram == "" || s.pagefindProgram == "" {
		return nil
	}
	t := newTable("Cold build with the same outputs")
	for _, posts := range s.sizes(2000, 10000) {
		for _, images := range []bool{true, false} {
			o, purpose, without := byDefault(), "alike", ""
			if o.Images = images; !images {
				purpose, without = "alike without images", ", without images"
			}
			results, err := s.against(ctx, purpose, 3, posts, o, usual(), chain())
			if err != nil {
				return err
			}
			t.compareIf("Hugo, pagefind, and gzip ÷ vitrine, "+thousands(posts)+" posts"+without, atLeast(4), results, chain(), usual())
		}
	}
	fmt.Print(t)
	return nil
}

// defaults measures typical cold builds, with highlighting, social images, the search index, and gzip.
func (s *suite) defaults(ctx context.Context) error {
	if s.hugoProgram == "" {
		return nil
	}
	speed := newTable("Cold build as it is run by default")
	memory := &table{title: "Peak memory of a cold build as it is run by default", head: []string{"", "bar", "resident memory", "pairs", "medians"}}
	for _, posts := range s.sizes(2000, 10000) {
		rounds := 5
		if posts < 5000 {
			rounds = 9
		}
		results, err := s.against(ctx, "default", rounds, posts, byDefault(), usual(), hugo())
		if err != nil {
			return err
		}
		speed.compareIf("Hugo ÷ vitrine, "+thousands(posts)+" posts", atLeast(1.6), results, hugo(), usual())
		b := bar{}
		if posts == 10000 {
			b = atMost(1.0 / 8)
		}
		memory.peak(posts, b, results, usual(), hugo())
	}
	fmt.Print(speed.String() + memory.String())
	return nil
}

// cold measures builds without previous output and without a cache. Code highlighting and the outputs that the other
// generators don't create are disabled.
func (s *suite) cold(ctx context.Context) error {
	speed := newTable("Cold build with everything switched off")
	memory := &table{title: "Peak memory of a cold build", head: []string{"", "bar", "resident memory", "pairs", "medians"}}
	for _, posts := range s.sizes(1000, 10000) {
		if err := s.coldOf(ctx, posts, speed, memory); err != nil {
			return err
		}
	}
	fmt.Print(speed.String() + memory.String())
	return nil
}

func (s *suite) coldOf(ctx context.Context, posts int, speed, memory *table) error {
	rounds, few := 5, 3
	if posts < 5000 {
		rounds, few = 9, 5
	}
	all := []generator{vitrine(), compressing(), floor()}
	if s.hugoProgram != "" {
		all = append(all, hugo())
	}
	results, err := s.against(ctx, "cold", rounds, posts, corpus.Options{}, all...)
	if err != nil {
		return err
	}
	of := ", " + thousands(posts) + " posts"
	// On a small site, the start of the process accounts for a larger share of the time, so the target is lower.
	bare := atLeast(4)
	if posts < 5000 {
		bare = atLeast(3)
	}
	speed.compareIf("Hugo ÷ vitrine"+of, bare, results, hugo(), vitrine())
	speed.compareIf("Hugo ÷ vitrine that makes gzip and brotli too"+of, atLeast(1.5), results, hugo(), compressing())
	speed.compareIf("vitrine ÷ the floor"+of, atMost(1.5), results, vitrine(), floor())
	for _, peer := range []generator{hugo(), floor()} {
		b := bar{}
		if peer.name == hugo().name && posts == 10000 {
			b = atMost(1.0 / 8)
		}
		memory.peak(posts, b, results, vitrine(), peer)
	}
	if s.eleventyProgram == "" {
		return nil
	}
	// Eleventy is so slow that it runs separately, with fewer rounds.
	if results, err = s.against(ctx, "cold", few, posts, corpus.Options{}, vitrine(), eleventy()); err != nil {
		return err
	}
	speed.compareIf("Eleventy ÷ vitrine"+of, bar{}, results, eleventy(), vitrine())
	memory.peak(posts, bar{}, results, vitrine(), eleventy())
	return nil
}

// compareIf adds a row that compares two generators if both were measured.
func (t *table) compareIf(what string, b bar, results paired.Results, dividend, divisor generator) {
	if len(results[dividend.name]) > 0 && len(results[divisor.name]) > 0 {
		t.compare(what, b, results, dividend.name, divisor.name)
	}
}

// peak adds a row that compares vitrine's memory with a peer's.
func (t *table) peak(posts int, b bar, results paired.Results, ours, peer generator) {
	r := results.Ratio(ours.name, peer.name, paired.Peak)
	if r.Pairs == 0 {
		return
	}
	t.rows = append(t.rows, []string{
		fmt.Sprintf("vitrine ÷ %s, %s posts", peer.name, thousands(posts)), b.show(r), r.String(), fmt.Sprint(r.Pairs),
		medians(results, ours.name, peer.name, paired.Peak, megabytes),
	})
}

// highlight measures cold builds with highlighted code. Both programs use chroma and write CSS classes.
func (s *suite) highlight(ctx context.Context) error {
	if s.hugoProgram == "" {
		return nil
	}
	t := newTable("Cold build with highlighting on")
	for _, posts := range s.sizes(1000, 10000) {
		rounds := 3
		if posts < 5000 {
			rounds = 7
		}
		results, err := s.against(ctx, "highlight", rounds, posts, corpus.Options{Highlight: true}, vitrine(), hugo())
		if err != nil {
			return err
		}
		t.compareIf("Hugo ÷ vitrine, "+thousands(posts)+" posts", atLeast(4), results, hugo(), vitrine())
	}
	fmt.Print(t)
	return nil
}

// growth compares the cost per page of a large site and a small site.
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
