// Command run is a longer version of the tests in package faults. It kills builds of an edited site at random moments,
// or stops and continues cold builds, and finally prints the numbers of builds and of outcomes on one line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"vitrine/internal/lab/faults"
	"vitrine/internal/lab/rig"
)

func main() {
	kills := flag.Int("kills", 500, "the number of builds to kill")
	seed := flag.Uint64("seed", 1, "the seed of the site, its edits, and the times of kills or stops")
	stops := flag.Int("stops", 0, "the number of cold builds to stop and continue instead of killing builds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *kills, *stops, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kills, stops int, seed uint64) (err error) {
	dir, err := os.MkdirTemp("", "vitrine-faults")
	if err != nil {
		return err
	}
	defer func() {
		// Keep the files of a failed run for inspection.
		if err == nil {
			err = os.RemoveAll(dir)
		} else {
			err = errors.Join(err, fmt.Errorf("the site and its builds were kept in %s", dir))
		}
	}()
	programs, err := rig.Compile()
	if err != nil {
		return err
	}
	if stops > 0 {
		report, err := faults.Stop(ctx, faults.StopOptions{Program: faults.Program(programs.Vitrine), Dir: dir, Builds: stops, Seed: seed, Log: os.Stderr})
		if err == nil {
			fmt.Println(report)
		}
		return err
	}
	report, err := faults.Kill(ctx, faults.KillOptions{Program: faults.Program(programs.Vitrine), Dir: dir, Kills: kills, Seed: seed, Log: os.Stderr})
	if err != nil {
		return err
	}
	fmt.Println(report)
	return nil
}
