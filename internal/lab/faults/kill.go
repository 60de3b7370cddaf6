package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"vitrine/internal/artifact"
)

// KillOptions are the options of Kill.
type KillOptions struct {
	Program Program
	// Dir is an empty folder for the site and its builds.
	Dir string
	// Kills is the number of builds to kill.
	Kills int
	// Seed determines the site, its edits, and the times of the kills.
	Seed uint64
	// Log receives the progress of the run.
	Log io.Writer
}

// KillReport counts the builds of a run of Kill, and their outcomes.
type KillReport struct {
	// Killed is the number of killed builds, and Ended is the number of builds that ended before their kill.
	Killed, Ended int
	// Cold, Warm, and Aimed are the numbers of builds killed without a cache, with a cache, and during publication.
	Cold, Warm, Aimed int
	// Old and New are the numbers of kills after which the folder contained the old or the new build, respectively.
	Old, New int
	// Interrupted is the number of publications killed during the swap of folders, before the staged manifest was in
	// place. Resumed is the number of interrupted publications that the next build finished before that build was
	// killed.
	Interrupted, Resumed int
	// Reads is the number of times that a reader opened and verified the published build while another build ran.
	Reads int
	// Finished is the number of undisturbed builds after kills. Each of them equals a cold build.
	Finished int
}

func (r KillReport) String() string {
	return fmt.Sprintf("%d builds killed (%d cold, %d warm, and %d during publication, including %d between the steps of a publication), %d builds ended before their kill; "+
		"after the kills, the folder contained the old build %d times, the new build %d times, and a build whose publication the next build finished %d times; %d reads during builds, all of intact builds; %d undisturbed builds after kills, all equal to cold builds",
		r.Killed, r.Cold, r.Warm, r.Aimed, r.Interrupted, r.Ended, r.Old, r.New, r.Resumed, r.Reads, r.Finished)
}

// killer holds the state of one run of Kill.
type killer struct {
	KillOptions
	report KillReport
	source *Source
	random *rand.Rand
	// out is the folder of killed builds, and peace is the folder of undisturbed builds of the same states.
	out, peace string
	// last is the ID of the build in out. pending is the ID of a build whose publication was interrupted between steps,
	// or 0. The next build may finish publishing it first.
	last, pending uint64
	// took is the duration of the most recent undisturbed build.
	took time.Duration
}

// Kill kills builds of an edited site at random times. The folder must always contain a complete build: the old one or
// the new one. Otherwise, Kill returns an error that describes the build that it killed and the resulting state.
func Kill(ctx context.Context, options KillOptions) (KillReport, error) {
	k := &killer{
		KillOptions: options, random: rand.New(rand.NewPCG(options.Seed, 1)),
		out: filepath.Join(options.Dir, "out"), peace: filepath.Join(options.Dir, "peace"),
	}
	var err error
	if k.source, err = NewSource(filepath.Join(options.Dir, "site"), options.Seed); err != nil {
		return k.report, err
	}
	if err := k.Program.Build(ctx, k.source.dir, k.out); err != nil {
		return k.report, err
	}
	if k.last, err = Whole(ctx, k.out); err != nil {
		return k.report, err
	}
	for n := 1; k.report.Killed < k.Kills; n++ {
		if err := k.round(ctx, n); err != nil {
			return k.report, fmt.Errorf("build %d (seed %d): %w", n, k.Seed, err)
		}
		if n%50 == 0 {
			fmt.Fprintf(k.Log, "%d: %s\n", n, k.report)
		}
	}
	return k.report, nil
}

// round edits the site, kills its build, and examines the result.
func (k *killer) round(ctx context.Context, n int) error {
	if err := k.source.Edit(); err != nil {
		return err
	}
	start := time.Now()
	if err := k.Program.Build(ctx, k.source.dir, k.peace); err != nil {
		return err
	}
	k.took = time.Since(start)
	next, err := Whole(ctx, k.peace)
	if err != nil {
		return fmt.Errorf("verifying the undisturbed build: %w", err)
	}
	if next == k.last {
		return errors.New("the edit did not change the build; want a different build after every edit")
	}
	killed, err := k.kill(ctx, n%3, next)
	if err != nil {
		return err
	}
	if err := k.look(ctx, next, killed); err != nil {
		return err
	}
	if n%10 == 0 {
		return k.finish(ctx, next)
	}
	return nil
}

// publication is the approximate time from the start of a publication to the end of the build.
const publication = 3 * time.Millisecond

// These are the kinds of builds to kill: without a cache, with a cache, and during publication.
const (
	cold = iota
	warm
	aimed
)

// kill starts a build and kills it at a time that depends on kind, while a reader repeatedly opens the build in out.
func (k *killer) kill(ctx context.Context, kind int, next uint64) (killed bool, err error) {
	// Leave a margin, because this build may be faster than the undisturbed build.
	longest := k.took * 9 / 10
	if kind == cold {
		longest = k.took
		if err := os.RemoveAll(filepath.Join(k.out, "cache")); err != nil {
			return false, err
		}
	}
	cmd := k.Program.command(ctx, k.source.dir, k.out)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	over := make(chan struct{})
	read := make(chan error, 1)
	go func() { read <- k.readUntil(ctx, over, next) }()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if kind == aimed {
		awaitPublication(k.out, ended)
		longest = publication
	}
	killed, err = killAfter(cmd, ended, time.Duration(k.random.Int64N(int64(longest))))
	close(over)
	if err := errors.Join(err, <-read); err != nil || !killed {
		k.report.Ended++
		return false, err
	}
	k.report.Killed++
	switch kind {
	case cold:
		k.report.Cold++
	case warm:
		k.report.Warm++
	default:
		k.report.Aimed++
	}
	return true, nil
}

// coarse is the assumed maximum delay of a timer. A publication is shorter than this delay, so killAfter busy-waits at
// the end.
const coarse = 5 * time.Millisecond

// killAfter kills a process after the given time. killed is false if the process ended first.
func killAfter(cmd *exec.Cmd, ended chan error, after time.Duration) (killed bool, err error) {
	moment := time.Now().Add(after)
	select {
	case err := <-ended:
		return false, err
	case <-time.After(after - coarse):
	}
	for time.Now().Before(moment) {
		runtime.Gosched()
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	err = <-ended
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == -1 {
		return true, nil
	}
	return false, err
}

// derived is the folder in which package publish stages platform files, the last step before publication.
const derived = "derived"

// awaitPublication busy-waits until the build stages its last files, just before it swaps the folders, or until the
// build ends. awaitPublication doesn't sleep, because publication takes only one or two milliseconds.
func awaitPublication(out string, ended chan error) {
	staged := filepath.Join(out, artifact.SpareDir, derived)
	for {
		if _, err := os.Lstat(staged); err == nil {
			return
		}
		select {
		case err := <-ended:
			ended <- err
			return
		default:
		}
	}
}

// readUntil opens and verifies the build in out repeatedly until over is closed. Each time, it must find a complete
// build: the old, the new, or the pending one.
func (k *killer) readUntil(ctx context.Context, over <-chan struct{}, next uint64) error {
	for {
		found, err := Whole(ctx, k.out)
		if err != nil {
			return fmt.Errorf("opening the published build during another build: %w", err)
		}
		if found != k.last && found != next && found != k.pending {
			return fmt.Errorf("found build %016x during another build; want build %016x or %016x", found, k.last, next)
		}
		k.report.Reads++
		select {
		case <-over:
			return nil
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// look verifies the build in out after a kill or a completed build, counts the outcome, and updates last and pending.
func (k *killer) look(ctx context.Context, next uint64, killed bool) error {
	found, err := Whole(ctx, k.out)
	switch {
	case err != nil:
		return fmt.Errorf("verifying the published build after the process ended: %w", err)
	case found == next && killed:
		k.report.New++
	case found == k.last && killed:
		k.report.Old++
	case found == k.pending && killed:
		k.report.Resumed++
	case found != next:
		return fmt.Errorf("found build %016x after the process ended; want build %016x, or build %016x if the process was killed (killed: %t)", found, next, k.last, killed)
	}
	k.last, k.pending = found, 0
	if b, err := artifact.OpenInterrupted(k.out); err == nil && killed && found != next {
		k.report.Interrupted++
		k.pending = b.Manifest.Build
		return b.Close()
	}
	return nil
}

// finish runs an undisturbed build into the folder of the killed builds and compares the result with a cold build.
func (k *killer) finish(ctx context.Context, next uint64) error {
	if err := k.Program.Build(ctx, k.source.dir, k.out); err != nil {
		return fmt.Errorf("building after builds were killed: %w", err)
	}
	found, err := Whole(ctx, k.out)
	if err != nil {
		return fmt.Errorf("verifying the build after builds were killed: %w", err)
	}
	if found != next {
		return fmt.Errorf("found build %016x after builds were killed; want build %016x", found, next)
	}
	// Compare with a build into an empty folder, because peace has a cache too.
	nothing := filepath.Join(k.Dir, "nothing")
	if err := errors.Join(k.Program.Build(ctx, k.source.dir, nothing), SameTree(k.out, nothing), os.RemoveAll(nothing)); err != nil {
		return err
	}
	k.last, k.pending = found, 0
	k.report.Finished++
	return nil
}
