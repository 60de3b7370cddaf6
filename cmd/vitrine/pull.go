package main

import (
	"context"
	"flag"
	"io"

	"vitrine/internal/bucket"
	"vitrine/internal/deploy"
)

// pullFlags contains the values of pull's flags.
type pullFlags struct {
	deploy.PullOptions
	quiet quiet
}

// declarePull declares pull, which keeps a folder up to date with a bucket's current build.
func declarePull(flags *flag.FlagSet) action {
	var p pullFlags
	flags.DurationVar(&p.Watch, "watch", 0, "keep running and look for a new build at this `interval`, such as 10s; without this flag, vitrine pull ends after one build")
	flags.IntVar(&p.Keep, "keep", 1, "the `number` of previous builds to keep in the folder")
	flags.Var((*reloadFlag)(&p.Reload), "reload", "make vitrined load the build: without a value, send SIGHUP to each vitrined that serves the folder; with a value, run this `command`, as in --reload=\"systemctl reload vitrined\", where $VITRINE_BUILD names the build")
	p.quiet.register(flags)
	return func(ctx context.Context, arguments []string, _, stderr io.Writer) error {
		others, err := parseArguments(flags, arguments)
		switch {
		case err != nil:
			return err
		case len(others) != 2 || !bucket.Is(others[0]):
			return usageError(flags, "vitrine pull needs s3://bucket/prefix and a folder; write the command of --reload after =, as in --reload=COMMAND")
		case p.Watch < 0:
			return usageError(flags, "--watch: want a positive duration such as 10s, found %s", p.Watch)
		case p.Keep < 1:
			return usageError(flags, "--keep %d leaves no build for a server that has not reloaded; use 1 or more", p.Keep)
		}
		p.Source, p.Dir = others[0], others[1]
		p.Report, p.Warn = reporter(p.quiet.notes(stderr)), reporter(stderr)
		if isTerminal(stderr) && !bool(p.quiet) {
			p.Progress = stderr
		}
		return deploy.Pull(ctx, p.PullOptions)
	}
}

// reloadFlag is the value of --reload. It is a command, deploy.HangUp if the flag has no value, or "" if the flag isn't
// set.
type reloadFlag string

func (r *reloadFlag) String() string { return string(*r) }

// IsBoolFlag returns true so that package flag accepts --reload without a value.
func (r *reloadFlag) IsBoolFlag() bool { return true }

// Set sets the command to value. If --reload has no value, package flag passes "true", which selects deploy.HangUp.
func (r *reloadFlag) Set(value string) error {
	switch value {
	case "true":
		value = deploy.HangUp
	case "false":
		value = ""
	}
	*r = reloadFlag(value)
	return nil
}
