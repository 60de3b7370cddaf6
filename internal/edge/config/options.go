package config

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
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
