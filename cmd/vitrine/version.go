package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
)

func declareVersion(flags *flag.FlagSet) action {
	return func(_ context.Context, arguments []string, stdout, _ io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "vitrine %s\n", version())
		return err
	}
}

// version returns the program's version (or "devel"), its commit if known, and the Go release, separated by spaces. It
// returns "unknown" if the program contains no build information.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	out := info.Main.Version
	if out == "" || out == "(devel)" {
		out = "devel"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			out += " " + s.Value
		}
	}
	return out + " " + info.GoVersion
}
