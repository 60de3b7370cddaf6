//go:build linux

// Command build compares the speed of vitrine, Hugo, Eleventy, and a program that does only the minimum of work. It
// runs the programs in rounds, in alternating order, and compares them by the ratios within each round:
//
//	go run ./internal/lab/bench/build
//
// It prints Markdown tables to standard output and its progress to standard error. It needs several minutes and several
// gigabytes of temporary space. It skips missing peers; `make bench` installs all of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// part is an independent measurement of the benchmark.
type part struct {
	name    string
	measure func(*suite, context.Context) error
	// asked reports whether the part runs only on request, because it takes a long time or needs a disk or additional
	// programs.
	asked bool
}

func parts() []part {
	return []part{
		{name: "alike", measure: (*suite).alike},
		{name: "default", measure: (*suite).defaults},
		{name: "cold", measure: (*suite).cold},
		{name: "highlight", measure: (*suite).highlight},
		{name: "growth", measure: (*suite).growth},
		{name: "warm", measure: (*suite).warm},
		{name: "preview", measure: (*suite).preview},
		{name: "waits", measure: (*suite).waits},
		{name: "flat", measure: (*suite).flat, asked: true},
		{name: "scale", measure: (*suite).scale, asked: true},
		{name: "photos", measure: (*suite).photos, asked: true},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var s suite
	var names, usually []string
	for _, p := range parts() {
		names = append(names, p.name)
		if !p.asked {
			usually = append(usually, p.name)
		}
	}
	only := flag.String("parts", strings.Join(usually, ","), "the parts to measure, separated by commas; flat, photos, and scale are measured only if listed")
	flag.IntVar(&s.rounds, "rounds", 0, "the `number` of rounds of each comparison; 0 for defaults that differ by comparison")
	flag.IntVar(&s.posts, "posts", 0, "the `number` of posts of the site that each part builds; 0 for the default sizes: 1,000 and 10,000; 50,000 for growth; 100,000 for flat; up to 200,000 for scale; and 500 photographs for photos")
	flag.StringVar(&s.hugoProgram, "hugo", ".tools/bench/hugo", "the Hugo `program`")
	flag.StringVar(&s.pagefindProgram, "pagefind", ".tools/bench/eleventy/node_modules/@pagefind/linux-x64/bin/pagefind_extended", "the pagefind `program`, which indexes Hugo's builds")
	flag.StringVar(&s.eleventyProgram, "eleventy", ".tools/bench/eleventy/node_modules/@11ty/eleventy/cmd.cjs", "Eleventy's `script`")
	flag.StringVar(&s.nodeProgram, "node", "node", "the Node.js `program` that runs Eleventy")
	flag.StringVar(&s.sharpScript, "sharp", ".tools/bench/sharp/copies.mjs", "the `script` that makes copies of photographs with sharp")
	temporary := flag.String("dir", usualFolder(), "the `folder` for sites and builds")
	write := flag.String("write", "", "only write a corpus of -posts posts with all default features, for each generator, into a `folder`")
	flag.Parse()
	if *write != "" {
		return writeCorpus(*write, s.posts)
	}
	chosen := strings.Split(*only, ",")
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			return fmt.Errorf("-parts: unknown part %q; want %s", name, strings.Join(names, ", "))
		}
	}
	if err := s.prepare(ctx, *temporary); err != nil {
		return err
	}
	defer s.close()
	fmt.Println(s.machine(ctx))
	for _, p := range parts() {
		if slices.Contains(chosen, p.name) {
			if err := p.measure(&s, ctx); err != nil {
				return fmt.Errorf("measuring %s: %w", p.name, err)
			}
		}
	}
	return nil
}

// writeCorpus writes sites for vitrine, Hugo, and Eleventy to dir, for manual testing and profiling.
func writeCorpus(dir string, posts int) error {
	for _, g := range []generator{vitrine(), hugo(), eleventy()} {
		if err := g.write(filepath.Join(dir, g.name), corpus.Posts(posts, seed), byDefault()); err != nil {
			return err
		}
	}
	return nil
}

// machine returns one line that describes the machine and the measured versions.
func (s *suite) machine(ctx context.Context) string {
	versions := []string{paired.Said(ctx, s.vitrineProgram, "version")}
	if s.hugoProgram != "" {
		version, _, _ := strings.Cut(strings.TrimPrefix(paired.Said(ctx, s.hugoProgram, "version"), "hugo "), " ")
		versions = append(versions, "Hugo "+version)
	}
	if s.pagefindProgram != "" {
		versions = append(versions, paired.Said(ctx, s.pagefindProgram, "--version"))
	}
	if s.eleventyProgram != "" {
		versions = append(versions, "Eleventy "+paired.Said(ctx, s.nodeProgram, s.eleventyProgram, "--version"), "Node.js "+paired.Said(ctx, s.nodeProgram, "--version"))
	}
	return paired.Machine(ctx, s.dir, versions...)
}
