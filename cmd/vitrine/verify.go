package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/verify"
	"vitrine/internal/verify/visit"
)

// declareVerify declares verify, which fails if a live deployment doesn't satisfy the wire contract.
func declareVerify(flags *flag.FlagSet) action {
	build := flags.String("build", "", "the `folder` of the expected build; the command compares the build's bytes with the responses")
	thorough := flags.Bool("thorough", false, "check the complete contract, follow every link, and compare every byte; this uses up the allowance (rate limit) of the JSON API")
	host := flags.String("host", "", "the site's `server`, if the responses do not reveal it: "+strings.Join(hostNames(), ", "))
	timeout := flags.Duration("timeout", 10*time.Second, "the maximum `duration` of each request")
	wait := flags.Duration("wait", 0, "the maximum `duration` to wait, such as 30s, until the site serves the build in --build; the command then verifies the site")
	format := flags.String("format", "text", "the `format` of the report: text or json")
	var quiet quiet
	quiet.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		others, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		switch {
		case len(others) != 1:
			return usageError(flags, "vitrine verify needs the URL of one site, such as https://acorn.example")
		case *format != "text" && *format != "json":
			return usageError(flags, "--format: want text or json, found %q", *format)
		case *wait < 0:
			return usageError(flags, "--wait: want a positive duration such as 30s, found %s", *wait)
		case *wait > 0 && *build == "":
			return usageError(flags, "--wait needs --build, the folder of the build to wait for")
		case *timeout <= 0:
			return usageError(flags, "--timeout: want a positive duration such as 10s, found %s", *timeout)
		}
		if _, err := visit.Parse(others[0]); err != nil {
			return usageError(flags, "%v", err)
		}
		serves := hosts.ByName(*host)
		if *host != "" && serves == nil {
			return usageError(flags, "--host: want one of %s; found %q", strings.Join(hostNames(), ", "), *host)
		}
		options := verify.Options{Host: serves, URL: others[0], Thorough: *thorough, Timeout: *timeout, Tell: reporter(quiet.notes(stderr))}
		if *build != "" {
			if options.Build, err = artifact.Open(*build); err != nil {
				return missingBuild(err)
			}
			defer options.Build.Close()
		}
		if *wait > 0 {
			if err := verify.Wait(ctx, options, artifact.BuildName(options.Build.Manifest.Build), *wait); err != nil {
				return err
			}
		}
		report, err := verify.Run(ctx, options)
		if err != nil {
			return err
		}
		write := report.WriteText
		if *format == "json" {
			write = report.WriteJSON
		}
		if *format == "text" && report.Count(verify.Failed) == 0 {
			stdout = quiet.notes(stdout)
		}
		if err := write(stdout); err != nil {
			return err
		}
		if report.Count(verify.Failed) > 0 {
			return errFindings
		}
		return nil
	}
}

// hostNames returns the valid values of --host: the hosts whose differences from the contract are documented.
func hostNames() []string {
	var names []string
	for _, h := range hosts.All() {
		names = append(names, h.Name)
	}
	return names
}

// reporter returns a function that writes its argument to w as a line.
func reporter(w io.Writer) func(string) {
	return func(s string) { fmt.Fprintf(w, "%s\n", s) }
}
