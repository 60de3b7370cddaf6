package main

import (
	"context"
	"fmt"

	"vitrine/internal/lab/bench/corpus"
)

// highlight measures cold builds with code coloured, which chroma does for both
// programs, with classes.
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
