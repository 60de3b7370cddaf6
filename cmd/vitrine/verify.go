package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/verify"
)

// runVerify asks a live deployment whether it keeps the wire contract, and
// fails where it does not.
func runVerify(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("verify", " URL [flags]", stderr)
	build := flags.String("build", "", "the `folder` of the build that should be served; its bytes are compared")
	thorough := flags.Bool("thorough", false, "play the whole contract, follow every link, compare every byte; uses the request allowance up")
	timeout := flags.Duration("timeout", 10*time.Second, "how long one answer may take")
	format := flags.String("format", "text", "how the report is told: `text` or json")
	others, err := parseArguments(flags, arguments)
	if err != nil {
		return err
	}
	switch {
	case len(others) != 1:
		return usageError(flags, "vitrine verify takes the URL of one site, such as https://acorn.example")
	case *format != "text" && *format != "json":
		return usageError(flags, "--format %s is not known; it is text or json", *format)
	case *timeout <= 0:
		return usageError(flags, "--timeout %s is no time for an answer to come", *timeout)
	}
	options := verify.Options{URL: others[0], Thorough: *thorough, Timeout: *timeout, Tell: reporter(stderr)}
	if *build != "" {
		if options.Build, err = artifact.Open(*build); err != nil {
			return fmt.Errorf("%w; run vitrine build first, or say with --build where the build is", err)
		}
		defer options.Build.Close()
	}
	report, err := verify.Run(ctx, options)
	if err != nil {
		return err
	}
	write := report.WriteText
	if *format == "json" {
		write = report.WriteJSON
	}
	if err := write(stdout); err != nil {
		return err
	}
	if report.Count(verify.Failed) > 0 {
		return errFindings
	}
	return nil
}

// reporter reports what takes long.
func reporter(w io.Writer) func(string) {
	return func(s string) { fmt.Fprintf(w, "%s\n", s) }
}
