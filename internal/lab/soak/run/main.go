// Command run runs the long form of the proofs in package soak. It prints a Markdown table and exits with 1 if a proof
// fails.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"

	"vitrine/internal/lab/soak"
)

func main() {
	scale := flag.Float64("scale", 1, "the `factor` for all counts and times; 1 takes about five minutes")
	only := regexp.MustCompile("")
	flag.Func("only", "a `pattern` of proofs to run, such as 'idle.*fast'", func(value string) (err error) {
		only, err = regexp.Compile(value)
		return err
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *scale, only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, scale float64, only *regexp.Regexp) (err error) {
	dir, err := os.MkdirTemp("", "vitrine-soak")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bench, err := soak.NewBench(ctx, dir, scale)
	if err != nil {
		return err
	}
	bench.Only = only
	fmt.Println(soak.TableHead)
	return bench.Run(ctx, func(r *soak.Result) {
		fmt.Println(r)
		if r.Err != nil {
			fmt.Fprintf(os.Stderr, "%s, %s: %v\n", r.Proof, r.Server, r.Err)
		}
	})
}
