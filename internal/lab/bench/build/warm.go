//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// warm compares rebuilds with cold builds of the same source, with both minimal and default outputs. The outputs of a
// rebuild and a cold build must be identical, byte for byte.
func (s *suite) warm(ctx context.Context) error {
	t := newTable("Warm build")
	for _, posts := range s.sizes(10000) {
		for _, w := range []warmly{
			// Set bars only for the generator with the faster cold build, because its ratios are lower.
			{generator: vitrine(), pairs: s.times(5), unchanged: atLeast(50), changed: atLeast(30)},
			{generator: usual(), options: byDefault(), pairs: s.times(5)},
			{generator: usual(), options: byDefault(), pairs: s.times(5), committed: true},
		} {
			w.suite, w.posts, w.out = s, posts, s.fresh()
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

// warmly measures a site that is built repeatedly into the same folder.
type warmly struct {
	*suite
	generator generator
	options   corpus.Options
	posts     int
	pairs     int
	// committed reports whether the site is a Git repository with a history of edits.
	committed bool
	// unchanged and changed are the bars for rebuilds without changes and after one edit.
	unchanged, changed bar
	root, out          string
	// cold is the folder of the current round's cold build.
	cold string
}

func (w *warmly) measure(ctx context.Context, t *table) (err error) {
	if w.root, err = w.site("warm "+w.generator.name, vitrine(), w.posts, w.options); err != nil {
		return err
	}
	name, changed := fmt.Sprintf("%s, %s posts", w.generator.name, thousands(w.posts)), "one post's text changed"
	if w.committed {
		name, changed = fmt.Sprintf("%s and %s commits", name, thousands(commits)), changed+" and committed"
		if err := commitEdits(ctx, w.root, w.posts); err != nil {
			return fmt.Errorf("creating a repository: %w", err)
		}
	}
	if _, err := w.build(ctx, w.generator, w.root, w.out); err != nil {
		return err
	}
	if err := w.compare(ctx, t, name+": cold ÷ nothing changed", w.unchanged, nil); err != nil {
		return err
	}
	return w.compare(ctx, t, name+": cold ÷ "+changed, w.changed, w.edit)
}

// compare compares builds into w.out, which contains an earlier build, with builds into fresh folders. before is called
// before each round, or is nil.
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

// edit changes a sentence in a post. Each call selects a different post and a different text.
func (w *warmly) edit(ctx context.Context, _ int) error {
	w.edits++
	// Spread the edits over the site, so that the post's neighbors haven't been read recently.
	p := corpus.At(w.edits*7919%w.posts, seed)
	if err := corpus.WritePost(w.root, p.Edited(w.edits)); err != nil || !w.committed {
		return err
	}
	return commitAll(ctx, w.root)
}

// same returns an error if two builds don't contain the same files with the same bytes. It ignores files used only by
// the next build.
func same(a, b string) error {
	out, err := exec.Command("diff", "-rq", "--exclude=cache", "--exclude=.spare", "--exclude=.lock", a, b).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the warm build differs from the cold build: %w\n%.1000s", err, out)
	}
	return nil
}

// edit is a change to a site.
type edit struct {
	name  string
	apply func(root string) error
}

// siteEdits returns one edit of each kind, ordered from the smallest effect to the largest.
func (s *suite) siteEdits() []edit {
	changed := func(i int, change func(*corpus.Post)) func(string) error {
		return func(root string) error {
			p := corpus.At(i, seed)
			change(&p)
			return corpus.WritePost(root, p)
		}
	}
	return []edit{
		{"a text", changed(3, func(p *corpus.Post) { *p = p.Edited(1) })},
		{"a title", changed(4, func(p *corpus.Post) { p.Title = "Another title" })},
		{"tags", changed(5, func(p *corpus.Post) { p.Tags = []string{"unheard", p.Tags[0]} })},
		{"a date", changed(6, func(p *corpus.Post) { p.Date = p.Date.AddDate(0, 0, 40) })},
		{"a new post", changed(1_000_000, func(p *corpus.Post) { p.Body = "Text without a link.\n" })},
		{"a removed post", func(root string) error { return os.Remove(corpus.PostFile(root, corpus.At(1_000_000, seed).Name)) }},
		{"the site's title", func(root string) error { return replaceIn(root, "site.yaml", "title: Bench", "title: Another") }},
		{"a fact", func(root string) error { return replaceIn(root, "product.yaml", "monthlyPrice: 9", "monthlyPrice: 10") }},
	}
}

// afterEdits checks that, after each kind of edit, a warm build is identical to a cold build.
func (s *suite) afterEdits(ctx context.Context) error {
	const posts = 150
	root, err := s.site("edits", vitrine(), posts, corpus.Options{Highlight: true})
	if err != nil {
		return err
	}
	out := s.fresh()
	if _, err := s.build(ctx, compressing(), root, out); err != nil {
		return err
	}
	var names []string
	for _, e := range s.siteEdits() {
		tell("warm build after an edit: %s", e.name)
		if err := e.apply(root); err != nil {
			return fmt.Errorf("making the edit %q: %w", e.name, err)
		}
		cold := s.fresh()
		for _, to := range []string{out, cold} {
			if _, err := s.build(ctx, compressing(), root, to); err != nil {
				return fmt.Errorf("building after the edit %q: %w", e.name, err)
			}
		}
		if err := same(cold, out); err != nil {
			return fmt.Errorf("comparing builds after the edit %q: %w", e.name, err)
		}
		names = append(names, e.name)
	}
	fmt.Printf("\nAfter every round, the warm build was identical to the cold build, byte for byte. On a site of %d posts, the two builds were also identical after each of these successive edits: %s.\n",
		posts, strings.Join(names, ", "))
	return s.clear()
}

// replaceIn replaces old with text in the named file under content/.
func replaceIn(root, name, old, text string) error {
	path := filepath.Join(root, "content", name)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(data), old) {
		return fmt.Errorf("%s has no %q", name, old)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(data), old, text, 1)), 0o666)
}
