package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/config"
)

// configFlags are what the targets of config have in common.
type configFlags struct {
	build   string
	options config.Options
}

// runConfig prints the configuration of a program that serves the build or
// stands before vitrined.
func runConfig(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("config", " "+strings.Join(configTargets(), "|")+" [flags]", stderr)
	var c configFlags
	flags.StringVar(&c.build, "build", "build", "the `folder` of the build that is served")
	flags.StringVar(&c.options.Listen, "listen", "127.0.0.1:8081", "the `address` that the server answers on")
	flags.StringVar(&c.options.Upstream, "upstream", "127.0.0.1:8080", "the `address` of vitrined")
	flags.StringVar(&c.options.Files, "files", "", "nginx and caddy: serve without vitrined, from this `folder`, which is written too")
	flags.StringVar(&c.options.Cache, "cache", "/var/cache/nginx/vitrine", "nginx: the `folder` of its cache")
	if len(arguments) == 0 || strings.HasPrefix(arguments[0], "-") {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		return usageError(flags, "vitrine config needs one of %s", strings.Join(configTargets(), ", "))
	}
	if err := parseFlags(flags, arguments[1:]); err != nil {
		return err
	}
	return writeConfig(ctx, flags, arguments[0], c, stdout)
}

// configTargets are the programs that config knows.
func configTargets() []string { return []string{"nginx", "caddy", "varnish", "systemd", "docker"} }

// writeConfig writes the configuration of one target.
func writeConfig(ctx context.Context, flags *flag.FlagSet, target string, c configFlags, stdout io.Writer) error {
	switch target {
	case "varnish":
		return config.Varnish(stdout, c.options)
	case "systemd":
		return config.Systemd(stdout, c.options)
	case "docker":
		return config.Docker(stdout)
	case "nginx", "caddy":
	default:
		return usageError(flags, "there is no target %q; the targets are %s", target, strings.Join(configTargets(), ", "))
	}
	built, err := artifact.Open(c.build)
	if err != nil {
		return fmt.Errorf("%w; run vitrine build first, or say with --build where the build is", err)
	}
	defer built.Close()
	if c.options.Files != "" {
		if c.options.Files, err = filepath.Abs(c.options.Files); err != nil {
			return err
		}
		if err := config.WriteFiles(ctx, built, c.options.Files); err != nil {
			return err
		}
	}
	if target == "caddy" {
		return config.Caddy(stdout, built.Manifest, c.options)
	}
	return config.Nginx(stdout, built.Manifest, c.options)
}
