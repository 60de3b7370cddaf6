package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/lab/bench/corpus"
)

// edit is a change of a site.
type edit struct {
	name  string
	apply func(root string) error
}

// siteEdits are changes whose effects reach further and further.
func (s *suite) siteEdits() []edit {
	changed := func(i int, change func(*corpus.Post)) func(string) error {
		return func(root string) error {
			p := corpus.At(i, s.seed)
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
		{"a removed post", func(root string) error { return os.Remove(corpus.PostFile(root, corpus.At(1_000_000, s.seed).Name)) }},
		{"the site's title", func(root string) error { return replaceIn(root, "site.yaml", "title: Bench", "title: Another") }},
		{"a fact", func(root string) error { return replaceIn(root, "product.yaml", "monthlyPrice: 9", "monthlyPrice: 10") }},
	}
}

// afterEdits checks that a warm build is a cold one after each kind of edit.
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
			return fmt.Errorf("editing %s: %w", e.name, err)
		}
		cold := s.fresh()
		for _, to := range []string{out, cold} {
			if _, err := s.build(ctx, compressing(), root, to); err != nil {
				return fmt.Errorf("after an edit of %s: %w", e.name, err)
			}
		}
		if err := same(cold, out); err != nil {
			return fmt.Errorf("after an edit of %s: %w", e.name, err)
		}
		names = append(names, e.name)
	}
	fmt.Printf("\nAfter every round the warm build was the cold one, byte for byte; and so it was among %d posts after each of these edits, one after the other: %s.\n",
		posts, strings.Join(names, ", "))
	return s.clear()
}

// replaceIn replaces a text in a file of a site's content.
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
