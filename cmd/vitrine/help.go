package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"vitrine/internal/load/suggest"
)

// help prints an overview, the usage of one command, or the manual page, and returns the exit code.
func help(arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) == 0 {
		writeOverview(stdout)
		return exitOK
	}
	if arguments[0] == "--man" || arguments[0] == "-man" {
		if err := writeMan(stdout); err != nil {
			fmt.Fprintf(stderr, "vitrine help: writing the manual page: %v\n", err)
			return exitFailed
		}
		return exitOK
	}
	v, ok := findVerb(arguments[0])
	if ok && len(arguments) > 1 {
		fmt.Fprintf(stderr, "vitrine help: unexpected argument %q; run vitrine help %s\n", arguments[1], v.name)
		return exitUsage
	}
	if !ok {
		fmt.Fprintf(stderr, "vitrine: unknown command %q%s; run vitrine help for a list\n", arguments[0], suggestVerb(arguments[0]))
		return exitUsage
	}
	flags, _ := v.flags(stdout)
	flags.Usage()
	return exitOK
}

func writeOverview(w io.Writer) {
	fmt.Fprint(w, "Vitrine builds a company's website from one file of facts and a folder of Markdown.\n\nUsage: vitrine <command> [flags]\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, v := range verbs() {
		fmt.Fprintf(table, "  %s\t%s\n", v.name, v.summary)
	}
	fmt.Fprintf(table, "  help\texplains a command and its flags: vitrine help <command>; --man prints the manual page\n")
	// Ignore the error: if writing to w fails, the error can't be reported there either.
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

// flags declares the flags of a command and returns them with the command's action. The flag set writes the usage and
// errors in the arguments to w.
func (v verb) flags(w io.Writer) (*flag.FlagSet, action) {
	flags := flag.NewFlagSet("vitrine "+v.name, flag.ContinueOnError)
	flags.SetOutput(w)
	flags.Usage = func() {
		fmt.Fprintf(w, "Usage: vitrine %s%s\n\n%s.\n\nExample: %s\n", v.name, v.arguments, strings.ToUpper(v.summary[:1])+v.summary[1:], v.example)
		writeFlags(w, flags, v.everyday)
	}
	return flags, v.declare(flags)
}

// A flagGroup contains the names of the flags that the help lists under one heading.
type flagGroup struct {
	heading string
	names   []string
}

// groupFlags divides a command's flags into groups: the common flags, whose names are in everyday; the other flags; and
// the flags for each argument. The usage of a flag for one argument begins with that argument, such as "nginx: ".
func groupFlags(flags *flag.FlagSet, everyday []string) []flagGroup {
	groups := []flagGroup{{"Common flags", everyday}, {"Other flags", nil}}
	if len(everyday) == 0 {
		groups[1].heading = "Flags"
	}
	visitListed(flags, func(f *flag.Flag) {
		if slices.Contains(everyday, f.Name) {
			return
		}
		at := 1
		if argument, _, ok := strings.Cut(f.Usage, ": "); ok && strings.Trim(argument, "abcdefghijklmnopqrstuvwxyz, ") == "" {
			heading := "Flags for " + argument
			if at = slices.IndexFunc(groups, func(g flagGroup) bool { return g.heading == heading }); at < 0 {
				at, groups = len(groups), append(groups, flagGroup{heading: heading})
			}
		}
		groups[at].names = append(groups[at].names, f.Name)
	})
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return len(g.names) == 0 })
}

// writeFlags writes the names and descriptions of flags to w, in the groups that groupFlags returns.
func writeFlags(w io.Writer, flags *flag.FlagSet, everyday []string) {
	for _, group := range groupFlags(flags, everyday) {
		fmt.Fprintf(w, "\n%s:\n", group.heading)
		for _, name := range group.names {
			value, text := describeFlag(flags.Lookup(name))
			if value != "" {
				value = " " + value
			}
			fmt.Fprintf(w, "  --%s%s\n        %s\n", name, value, text)
		}
	}
}

// describeFlag returns the name of f's value in upper case, or "" if f is Boolean. text is f's description, including
// the default.
func describeFlag(f *flag.Flag) (value, text string) {
	value, text = flag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return strings.ToUpper(value), text
}

// parse parses flags up to the first positional argument. Unlike flags.Parse, it reports an invalid flag in one line,
// without the usage.
func parse(flags *flag.FlagSet, arguments []string) error {
	w, usage := flags.Output(), flags.Usage
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	err := flags.Parse(arguments)
	flags.SetOutput(w)
	flags.Usage = usage
	switch {
	case err == nil:
		return nil
	case errors.Is(err, flag.ErrHelp):
		usage()
		return err
	}
	return usageError(flags, "%s", flagMistake(flags, err.Error()))
}

// flagMistake returns text, an error message of package flag, with two hyphens before flag names and shorter wording.
// For an unknown flag, it suggests the nearest match, if any.
func flagMistake(flags *flag.FlagSet, text string) string {
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		var known []string
		visitListed(flags, func(f *flag.Flag) { known = append(known, f.Name) })
		name = strings.TrimLeft(name, "-")
		near := suggest.Nearest(name, known)
		if near == "" {
			return fmt.Sprintf("unknown flag --%s", name)
		}
		return fmt.Sprintf("unknown flag --%s; did you mean --%s?", name, near)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return fmt.Sprintf("--%s needs a value", strings.TrimLeft(name, "-"))
	}
	return strings.Replace(text, " for flag -", " for --", 1)
}

// parseFlags parses the arguments of a command that accepts only flags.
func parseFlags(flags *flag.FlagSet, arguments []string) error {
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return usageError(flags, "unexpected argument %q; %s takes no arguments", flags.Arg(0), flags.Name())
	}
	return nil
}

// usageError writes one line that describes a problem in the arguments and names the command that prints the help. It
// returns an error that wraps errUsage.
func usageError(flags *flag.FlagSet, format string, values ...any) error {
	err := fmt.Errorf("%w: "+format, append([]any{errUsage}, values...)...)
	_, name, _ := strings.Cut(flags.Name(), " ")
	fmt.Fprintf(flags.Output(), format+" (run vitrine help %s for details)\n", append(values, name)...)
	return err
}

// parseArguments parses a command's arguments and returns the positional arguments. Flags may come before, between, or
// after them.
func parseArguments(flags *flag.FlagSet, arguments []string) ([]string, error) {
	var others []string
	for {
		if err := parse(flags, arguments); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return others, nil
		}
		// Arguments after "--" are not flags.
		if read := len(arguments) - flags.NArg(); read > 0 && arguments[read-1] == "--" {
			return append(others, flags.Args()...), nil
		}
		others = append(others, flags.Arg(0))
		arguments = flags.Args()[1:]
	}
}
