//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/image/encode"
	"vitrine/internal/image/file"
	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
	"vitrine/internal/lab/bench/photo"
	"vitrine/internal/ordered"
)

// photoCopies returns vitrine's default settings for copies, which the other programs also use. JPEG and WebP copies
// have the same quality.
func photoCopies() corpus.CopySettings {
	return corpus.CopySettings{Widths: file.Widths(), Quality: encode.Quality, Method: encode.Method}
}

// photographs compares programs that make copies of photographs.
type photographs struct {
	*suite
	// count is the number of photographs in folder.
	count  int
	folder string
	// made maps the names of programs to the quality of their copies.
	made map[string]copies
}

// photos compares the programs that makers returns. vitrine and Hugo build a complete site, and the other programs only
// make copies.
func (s *suite) photos(ctx context.Context) error {
	p := &photographs{suite: s, count: s.sizes(500)[0], folder: filepath.Join(s.dir, "photographs"), made: make(map[string]copies)}
	makers, err := p.makers()
	if err != nil {
		return err
	}
	if err := p.take(ctx); err != nil {
		return err
	}
	match := paired.Match{Rounds: s.times(5)}
	for _, m := range makers {
		if m.root, err = p.site(m); err != nil {
			return err
		}
		match.Contestants = append(match.Contestants, p.contestant(m))
	}
	tell("photos: %s photographs, rounds: %d", thousands(p.count), match.Rounds)
	results, err := match.Run(ctx)
	if err = errors.Join(err, s.clear()); err != nil {
		return err
	}
	fmt.Print(p.table(makers, results))
	return nil
}

// take generates the photographs, using all processors.
func (p *photographs) take(ctx context.Context) error {
	tell("generating %s photographs", thousands(p.count))
	if err := os.MkdirAll(p.folder, 0o777); err != nil {
		return fmt.Errorf("generating photographs: %w", err)
	}
	set := photo.NewSet(seed)
	numbers := make([]int, p.count)
	for i := range numbers {
		numbers[i] = i
	}
	return ordered.Each(ctx, numbers,
		func(_ context.Context, i int) (struct{}, error) { return struct{}{}, p.takeOne(set, i) },
		func(struct{}) error { return nil })
}

func (p *photographs) takeOne(set *photo.Set, i int) error {
	data, err := set.JPEG(i)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.folder, corpus.PhotoName(i)), data, 0o666); err != nil {
		return fmt.Errorf("writing a photograph: %w", err)
	}
	return nil
}

// site writes the site for a program and returns its root.
func (p *photographs) site(m *maker) (string, error) {
	root := filepath.Join(p.dir, "sites", "photos-"+m.name)
	if err := m.write(root); err != nil {
		return "", fmt.Errorf("writing the site for %s: %w", m.name, err)
	}
	return root, nil
}

// contestant returns a contestant that writes all copies to a fresh folder. It inspects the copies of the first round
// and removes each folder after its run.
func (p *photographs) contestant(m *maker) paired.Contestant {
	return paired.Contestant{Name: m.name, Run: func(ctx context.Context, round int) (paired.Sample, error) {
		out := p.fresh()
		sample, err := p.build(ctx, m.generator(), m.root, out)
		if err == nil && round == 0 {
			p.made[m.name], err = p.inspect(ctx, out)
		}
		return sample, errors.Join(err, p.clear())
	}}
}
