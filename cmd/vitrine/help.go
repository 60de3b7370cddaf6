package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"vitrine/internal/load/suggest"
)

// help prints an overview, or the usage of one verb.
func help(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) == 0 {
		writeOverview(stdout)
		return exitOK
	}
	v, ok := findVerb(arguments[0])
	if !ok || len(arguments) > 1 {
		fmt.Fprintf(stderr, "vitrine: there is no verb %q%s\n\n", arguments[0], suggestVerb(arguments[0]))
		writeOverview(stderr)
		return exitUsage
	}
	// A verb's usage comes from its own flags.
	if err := v.run(ctx, []string{"-help"}, io.Discard, stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stderr, "vitrine: %v\n", err)
		return exitFailed
	}
	return exitOK
}

func writeOverview(w io.Writer) {
	fmt.Fprint(w, "Vitrine compiles a company's public facts into files that any edge can serve.\n\nUsage: vitrine <verb> [flags]\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, v := range verbs() {
		fmt.Fprintf(table, "  %s\t%s\n", v.name, v.summary)
	}
	fmt.Fprintf(table, "  help\tsay more about a verb: vitrine help <verb>\n")
	// A writer that fails has nobody left to read it.
	_ = table.Flush()
}

func suggestVerb(name string) string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	if nearest := suggest.Nearest(name, names); nearest != "" {
		return fmt.Sprintf("; did you mean %q?", nearest)
	}
	return ""
}

// newFlags returns a verb's flag set. Its usage goes to w.
func newFlags(v, arguments string, w io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("vitrine "+v, flag.ContinueOnError)
	flags.SetOutput(w)
	flags.Usage = func() {
		known, _ := findVerb(v)
		fmt.Fprintf(w, "Usage: vitrine %s%s\n\nIt is to %s.\n", v, arguments, known.summary)
		if hasFlags(flags) {
			fmt.Fprint(w, "\n")
			flags.PrintDefaults()
		}
	}
	return flags
}

func hasFlags(flags *flag.FlagSet) bool {
	found := false
	flags.VisitAll(func(*flag.Flag) { found = true })
	return found
}

// parseFlags parses a verb's arguments, which are flags alone.
func parseFlags(flags *flag.FlagSet, arguments []string) error {
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() > 0 {
		return usageError(flags, "%s takes no argument %q", flags.Name(), flags.Arg(0))
	}
	return nil
}

// usageError says what is wrong with the arguments, then how to write them.
func usageError(flags *flag.FlagSet, format string, values ...any) error {
	err := fmt.Errorf("%w: "+format, append([]any{errUsage}, values...)...)
	fmt.Fprintf(flags.Output(), format+"\n", values...)
	flags.Usage()
	return err
}

// parseArguments parses a verb's arguments where flags may stand before,
// between and after others, and returns the others.
func parseArguments(flags *flag.FlagSet, arguments []string) ([]string, error) {
	var others []string
	for {
		if err := flags.Parse(arguments); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, fmt.Errorf("%w: %w", errUsage, err)
		}
		if flags.NArg() == 0 {
			return others, nil
		}
		// What follows "--" is no flag.
		if read := len(arguments) - flags.NArg(); read > 0 && arguments[read-1] == "--" {
			return append(others, flags.Args()...), nil
		}
		others = append(others, flags.Arg(0))
		arguments = flags.Args()[1:]
	}
}
