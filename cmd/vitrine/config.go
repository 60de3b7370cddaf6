package main

import (
	"context"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
	"vitrine/internal/edge/config"
)

// configFlags contains the values of config's flags.
type configFlags struct {
	build   string
	options config.Options
}

// declareConfig declares config, which prints the configuration of a program that serves the build, runs vitrined, or
// is in front of vitrined.
func declareConfig(flags *flag.FlagSet) action {
	var c configFlags
	flags.StringVar(&c.build, "build", "build", "the `folder` of the build to serve")
	flags.StringVar(&c.options.Listen, "listen", "127.0.0.1:8081", "the `address` to listen on")
	flags.StringVar(&c.options.Upstream, "upstream", "127.0.0.1:8080", "the `address` of vitrined")
	flags.StringVar(&c.options.Files, "files", "", "nginx, caddy: serve without vitrined, from files that the command writes into this `folder`")
	flags.StringVar(&c.options.Cache, "cache", "", "nginx: the cache `folder` (default /var/cache/nginx/NAME)")
	flags.StringVar(&c.options.Name, "name", "vitrine", "nginx: the `name` that prefixes all variables; each site on a server needs its own name")
	flags.BoolVar(&c.options.Second, "second", false, "nginx: omit the settings that may appear only once; use this flag if the server already has a Vitrine site")
	flags.StringVar(&c.options.ServerName, "server-name", "", "nginx: the site's `hosts`, separated by spaces")
	flags.StringVar(&c.options.Certificate, "tls-cert", "", "nginx, systemd: a PEM `file` with a certificate, to serve HTTPS")
	flags.StringVar(&c.options.Key, "tls-key", "", "nginx, systemd: a PEM `file` with the certificate's key")
	flags.StringVar(&c.options.Program, "program", "/usr/local/bin/vitrined", "systemd: the `path` of vitrined")
	s := &c.options.Service
	flags.Func("acme-domain", "systemd: a `domain` to serve over HTTPS with a certificate that vitrined gets from Let's Encrypt; by using this flag, you accept the terms of service of Let's Encrypt; you can repeat this flag", func(value string) error {
		s.Domains = append(s.Domains, strings.ToLower(value))
		return nil
	})
	flags.StringVar(&s.Email, "acme-email", "", "systemd: an e-mail `address` for notices from Let's Encrypt")
	flags.StringVar(&s.Redirect, "redirect-addr", "", "systemd: an `address` for plain HTTP, at which vitrined redirects to HTTPS")
	flags.StringVar(&c.options.Release, "release", released(), "docker: the Vitrine `version` whose archive provides vitrined for the image")
	flags.StringVar(&c.options.Image, "image", "", "docker, dockerignore: a released `image` to copy vitrined from, instead of downloading an archive")
	flags.StringVar(&c.options.Bucket, "bucket", "", "kubernetes: the `address` of a bucket, such as s3://bucket/prefix, from which replicas pull builds; without this flag, the build is in the image")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		targets, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(targets) != 1 {
			return usageError(flags, "vitrine config needs one of %s", strings.Join(configTargets(), ", "))
		}
		return writeConfig(ctx, flags, targets[0], c, stdout)
	}
}

// configTargets returns the targets that config supports.
func configTargets() []string {
	return append([]string{"nginx", "caddy", "varnish", "systemd", "docker", "dockerignore", "r2"}, config.Fronts()...)
}

// writeConfig writes the configuration for target to stdout. If --files is set for nginx or caddy, it also writes the
// representations to the folder in --files.
func writeConfig(ctx context.Context, flags *flag.FlagSet, target string, c configFlags, stdout io.Writer) error {
	c.options.Command = configCommand(flags, target)
	// Some targets need only these two settings of the build. If there is no build, they use the defaults.
	if m, err := artifact.ReadManifestFile(filepath.Join(c.build, artifact.ManifestFile)); err == nil {
		c.options.Mount, c.options.Agents = strings.Clone(m.Mount), m.Agents
	}
	switch target {
	case "systemd":
		if address, given := listenOf(flags); given {
			c.options.Upstream = address
		}
		c.options.Service.Cert, c.options.Service.Key = c.options.Certificate, c.options.Key
		return config.Systemd(stdout, c.options)
	case "docker":
		return config.Docker(stdout, c.options)
	case "r2":
		_, err := stdout.Write(edge.BucketWorker())
		return err
	case "dockerignore":
		return config.DockerIgnore(stdout, c.options)
	case "caddy":
		if c.options.Files == "" {
			return config.CaddyProxy(stdout, c.options)
		}
	case "nginx", "varnish":
	default:
		if slices.Contains(config.Fronts(), target) {
			return config.Front(stdout, target, c.options)
		}
		return usageError(flags, "unknown target %q; want one of %s", target, strings.Join(configTargets(), ", "))
	}
	built, err := artifact.Open(c.build)
	if err != nil {
		return missingBuild(err)
	}
	defer built.Close()
	if c.options.Files != "" && target != "varnish" {
		if c.options.Files, err = filepath.Abs(c.options.Files); err != nil {
			return err
		}
		if err := config.WriteFiles(ctx, built, c.options.Files); err != nil {
			return err
		}
	}
	if c.options.Cache == "" {
		c.options.Cache = "/var/cache/nginx/" + c.options.Name
	}
	switch target {
	case "varnish":
		return config.Varnish(stdout, built.Manifest, c.options)
	case "caddy":
		return config.Caddy(stdout, built.Manifest, c.options)
	}
	return config.Nginx(stdout, built.Manifest, c.options)
}

// listenOf returns the value of --listen and reports whether the flag was set. For systemd, the flag sets the address
// of vitrined, but the flag's default doesn't apply.
func listenOf(flags *flag.FlagSet) (address string, given bool) {
	flags.Visit(func(f *flag.Flag) {
		if f.Name == "listen" {
			address, given = f.Value.String(), true
		}
	})
	return address, given
}

// released returns this program's version in the form used in release archive names, such as 1.2.3. It returns "0.0.0"
// if the program isn't a release.
func released() string {
	v := strings.TrimPrefix(strings.Fields(version() + " ")[0], "v")
	if v == "" || strings.Trim(v, "0123456789.") != "" {
		return "0.0.0"
	}
	return v
}

// configCommand returns the command line for target, including all flags that the user set.
func configCommand(flags *flag.FlagSet, target string) string {
	command := "vitrine config " + target
	flags.Visit(func(f *flag.Flag) { command += " --" + f.Name + " " + shellQuoted(f.Value.String()) })
	return command
}

// shellQuoted quotes word for a POSIX shell if necessary.
func shellQuoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:-@=,+") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
