//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// waits measures the operations that an editor of a site waits for: the start of the preview; a build and a check after
// an edit; the report of problems after a keystroke; and the help. The part named preview measures the time from a save
// until a browser has received the page.
func (s *suite) waits(ctx context.Context) error {
	posts := s.sizes(10000)[0]
	root, err := s.site("waits", usual(), posts, byDefault())
	if err != nil {
		return err
	}
	w := &waiting{suite: s, root: root, posts: posts, home: filepath.Join(s.dir, "home")}
	t := newTable("An editor's waits, among " + thousands(posts) + " posts")
	for _, measure := range []func(context.Context, *table) error{w.start, w.afterEdit, w.check, w.keystroke, w.help} {
		if err := measure(ctx, t); err != nil {
			return errors.Join(err, s.clear())
		}
	}
	fmt.Print(t)
	return s.clear()
}

// waiting measures the waits on one site, built into the default folder.
type waiting struct {
	*suite
	root, home string
	posts      int
}

// program runs vitrine with home as the home folder and returns the cost of the run.
func (w *waiting) program(ctx context.Context, home string, arguments ...string) (paired.Sample, error) {
	cmd := exec.CommandContext(ctx, w.vitrineProgram, arguments...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	return paired.Run(cmd)
}

func (w *waiting) build(ctx context.Context, _ int) (paired.Sample, error) {
	return w.program(ctx, w.home, "build", "--root", w.root)
}

// edit changes a sentence in a post. Each call selects a different post and a different text.
func (w *waiting) edit(context.Context, int) error {
	w.edits++
	return corpus.WritePost(w.root, corpus.At(w.edits*7919%w.posts, seed).Edited(w.edits))
}

// compare runs a match of two contestants and adds a row with the ratio of the first contestant to the second.
func (w *waiting) compare(ctx context.Context, t *table, what string, b bar, m paired.Match) error {
	tell("%s, rounds: %d", what, m.Rounds)
	results, err := m.Run(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	t.compare(what, b, results, m.Contestants[0].Name, m.Contestants[1].Name)
	return nil
}

// start compares the start of a preview with a build. Both run on a site that was already built and previewed.
func (w *waiting) start(ctx context.Context, t *table) error {
	if _, err := w.build(ctx, 0); err != nil {
		return err
	}
	started := func(ctx context.Context, _ int) (paired.Sample, error) {
		begun := time.Now()
		p, err := w.startPreview(ctx, w.root)
		if err != nil {
			return paired.Sample{}, err
		}
		defer p.stop()
		return paired.Sample{Wall: time.Since(begun), CPU: cpuTime(p.cmd.Process.Pid)}, nil
	}
	if _, err := started(ctx, 0); err != nil {
		return err
	}
	return w.compare(ctx, t, "start of the preview ÷ build, nothing changed", atMost(1.5), paired.Match{Rounds: w.times(7),
		Contestants: []paired.Contestant{{Name: "preview", Run: started}, {Name: "build", Run: w.build}}})
}

// afterEdit compares Hugo's build, which renders every page, with vitrine's build after one edit.
func (w *waiting) afterEdit(ctx context.Context, t *table) error {
	if w.hugoProgram == "" {
		return nil
	}
	root, err := w.site("waits", hugo(), w.posts, byDefault())
	if err != nil {
		return err
	}
	return w.compare(ctx, t, "Hugo ÷ build after one edit", atLeast(80), paired.Match{Rounds: w.times(3), Before: w.edit, Contestants: []paired.Contestant{
		{Name: "Hugo", Run: w.coldly(hugo(), root, w.posts).Run},
		{Name: "build", Run: w.build},
	}})
}

// check compares a check without a cache with a check after one edit.
func (w *waiting) check(ctx context.Context, t *table) error {
	check := func(home string) func(context.Context, int) (paired.Sample, error) {
		return func(ctx context.Context, _ int) (paired.Sample, error) {
			return w.program(ctx, home, "check", "--root", w.root)
		}
	}
	warm := check(w.home)
	if _, err := warm(ctx, 0); err != nil {
		return err
	}
	return w.compare(ctx, t, "first check ÷ check after one edit", atLeast(10), paired.Match{Rounds: w.times(5), Before: w.edit, Contestants: []paired.Contestant{
		{Name: "first", Run: func(ctx context.Context, round int) (paired.Sample, error) { return check(w.fresh())(ctx, round) }},
		{Name: "after one edit", Run: warm},
	}})
}

// keystroke adds a row with the time from a keystroke until the language server reports the problems.
func (w *waiting) keystroke(ctx context.Context, t *table) error {
	const bar = 50 * time.Millisecond
	keys := w.times(200)
	tell("%d keystrokes", keys)
	y, err := w.startTyping(ctx, w.root, corpus.At(w.posts/2, seed))
	if err != nil {
		return err
	}
	defer y.stop()
	var all []float64
	for i := range keys {
		took, err := y.key(ctx, i)
		if err != nil {
			return fmt.Errorf("keystroke %d: %w", i+1, err)
		}
		all = append(all, took.Seconds())
	}
	slices.Sort(all)
	p99, met := all[(len(all)*99-1)/100], "met"
	if p99 > bar.Seconds() {
		met = "missed"
	}
	t.rows = append(t.rows, []string{"keystroke to problems, p99", "≤ " + bar.String() + ": " + met, seconds(p99), "", strconv.Itoa(keys), seconds(paired.Median(all))})
	return nil
}

// help compares starting vitrine with starting a program that does nothing.
func (w *waiting) help(ctx context.Context, t *table) error {
	return w.compare(ctx, t, "vitrine help ÷ a program that does nothing", bar{}, paired.Match{Rounds: w.times(20), Contestants: []paired.Contestant{
		{Name: "help", Run: func(ctx context.Context, _ int) (paired.Sample, error) { return w.program(ctx, w.home, "help") }},
		{Name: "nothing", Run: func(ctx context.Context, _ int) (paired.Sample, error) {
			return paired.Run(exec.CommandContext(ctx, "true"))
		}},
	}})
}
