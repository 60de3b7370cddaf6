package main

import (
	"errors"
	"flag"
	"fmt"
)

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
