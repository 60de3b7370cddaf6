// Package config writes the configuration of the programs that serve a
// build, or stand before vitrined, on a machine of one's own: nginx, Caddy,
// Varnish, systemd and Docker. It promises configurations that the tests of
// this package have run for real against the wire contract: what a target
// cannot do is declared there, exchange by exchange, and stands in
// docs/capabilities-servers.md. No configuration sends a rate-limit field of
// its own, and none lets a shared cache keep an answer that carries one.
package config

import (
	"embed"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"text/template"
)

// Options are what the one who runs a server decides.
type Options struct {
	// Listen is the host and port that the server answers on.
	Listen string
	// Upstream is the host and port of vitrined.
	Upstream string
	// Files is the absolute path of the folder with the representations that
	// WriteFiles wrote. Where it is not empty, the server answers from it and
	// there is no vitrined.
	Files string
	// Cache is the absolute path of the folder that nginx keeps its cache in.
	Cache string
}

// check returns an error that says which option cannot be written into a
// configuration.
func (o Options) check() error {
	for _, a := range []struct{ name, value string }{{"listen", o.Listen}, {"upstream", o.Upstream}} {
		if _, _, err := net.SplitHostPort(a.value); err != nil || strings.ContainsAny(a.value, " \t\r\n;{}\"'$\\") {
			return fmt.Errorf("--%s %q is not a host and a port, such as 127.0.0.1:8080", a.name, a.value)
		}
	}
	for _, p := range []struct{ name, value string }{{"files", o.Files}, {"cache", o.Cache}} {
		if p.value != "" && (!filepath.IsAbs(p.value) || strings.ContainsAny(p.value, "\r\n;{}\"'`$\\ ")) {
			return fmt.Errorf("--%s %q cannot stand in a configuration; give an absolute path without spaces and quotes", p.name, p.value)
		}
	}
	return nil
}

// The halves of the two addresses, which check has found to be addresses.

// ListenHost is the host of Listen.
func (o Options) ListenHost() string { host, _, _ := net.SplitHostPort(o.Listen); return host }

// ListenPort is the port of Listen.
func (o Options) ListenPort() string { _, port, _ := net.SplitHostPort(o.Listen); return port }

// UpstreamHost is the host of Upstream.
func (o Options) UpstreamHost() string { host, _, _ := net.SplitHostPort(o.Upstream); return host }

// UpstreamPort is the port of Upstream.
func (o Options) UpstreamPort() string { _, port, _ := net.SplitHostPort(o.Upstream); return port }

// Local reports whether vitrined answers this machine alone.
func (o Options) Local() bool {
	ip := net.ParseIP(o.UpstreamHost())
	return ip != nil && ip.IsLoopback()
}

//go:embed templates/*.tmpl
var templates embed.FS

// generate fills a template in.
func generate(w io.Writer, name string, data any) error {
	t, err := template.New(name).Funcs(template.FuncMap{
		"nginx": nginxString, "regex": nginxRegex, "caddy": caddyString, "caddyKey": caddyKey, "caddyRegex": caddyRegex,
		"weightOf": weightOf, "listed": listed, "accepts": accepts,
		"htmlRanges": htmlRanges, "markdownRanges": markdownRanges, "weights": weights, "weightOne": func() string { return weightOne },
		"lessThan1": func() string { return lessThan1 }, "anyWeight": func() string { return anyWeight },
		"markdownRange": func() string { return markdownRange },
		"named": func(name, expr string) string {
			return strings.Replace(expr, "([0-9]{0,3})", "(?<"+name+">[0-9]{0,3})", 1)
		},
		"below": func(n int) string { return "[0-" + fmt.Sprint(n-1) + "]" },
		"join":  strings.Join,
	}).ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the template %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("filling in the template %s: %w", name, err)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// weights are a variable of a configuration, and the ranges of an Accept field
// that decide its value, the first that is listed.
func weights(variable string, ranges ...string) any {
	return struct {
		Variable string
		Ranges   []string
	}{variable, ranges}
}

// Systemd writes a unit that runs vitrined in a sandbox.
func Systemd(w io.Writer, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	return generate(w, "systemd.tmpl", options)
}

// Docker writes a Dockerfile whose image holds vitrined and a build of the site.
func Docker(w io.Writer) error {
	return generate(w, "docker.tmpl", nil)
}

// Varnish writes the VCL of a cache before vitrined.
func Varnish(w io.Writer, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	return generate(w, "varnish.tmpl", options)
}
