// Package config writes configurations for programs that serve a build or run in front of vitrined, such as nginx,
// Caddy, Varnish, systemd, and Docker. The tests of this package run every server's configuration against the wire
// contract. Each server's differences from the contract are declared in edge/hosts, exchange by exchange, and listed in
// docs/project/capabilities-servers.md. No configuration adds rate-limit fields, or lets a shared cache store a
// response with rate-limit fields.
package config

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
)

// Options are the operator's choices. Each function uses only the options that its configuration needs.
type Options struct {
	// Listen is the host and port on which the server listens.
	Listen string
	// Upstream is the host and port of vitrined.
	Upstream string
	// Files is the absolute path of a folder filled by WriteFiles. If it is set, the server sends these files itself,
	// without vitrined.
	Files string
	// Name is the prefix of a site's nginx variables and zones, which share one namespace with the server's other
	// sites. "" means "vitrine".
	Name string
	// Second reports whether the server already has a configuration for another site. If so, parts that may appear only
	// once are omitted.
	Second bool
	// ServerName lists the site's hosts for nginx, separated by spaces. "" means any host.
	ServerName string
	// Certificate and Key are absolute paths of PEM files with which nginx terminates TLS. If they are "", nginx serves
	// plain HTTP.
	Certificate, Key string
	// Cache is the absolute path of nginx's cache folder.
	Cache string
	// Mount is the site's base path on its host, such as "/acorn", or "" for the root. Functions that take a manifest
	// use the manifest's value instead.
	Mount string
	// Agents lists the agents that get Markdown, or is nil if the site hasn't enabled negotiation by User-Agent.
	// Functions that take a manifest use the manifest's value instead.
	Agents *artifact.Agents
	// Release is the version of Vitrine whose archive provides vitrined for a container image.
	Release string
	// Image is a released image that provides vitrined, or "" to use the archive.
	Image string
	// Bucket is the URL of the bucket from which replicas pull builds, or "" if their image contains the build.
	Bucket string
	// Program is the absolute path of vitrined, for systemd's unit.
	Program string
	// Service is the HTTPS setup of vitrined in the systemd unit.
	Service Service
	// Command is the command that prints the configuration. The configuration's comments contain it.
	Command string
}

// Service is the HTTPS setup of vitrined without a proxy: certificates from files, or by ACME.
type Service struct {
	// Cert and Key are the absolute paths of the files with the certificate and its private key, or "".
	Cert, Key string
	// Domains are the names on certificates requested by ACME, and Email is the contact. Redirect is the host and port
	// on which vitrined listens for plain HTTP and redirects all requests to HTTPS.
	Domains         []string
	Email, Redirect string
}

// check returns an error for the first option that can't be written into a unit, or if options can't be combined.
func (s Service) check() error {
	for _, value := range append([]string{s.Cert, s.Key, s.Email, s.Redirect}, s.Domains...) {
		if strings.ContainsAny(value, " \t\r\n\"'\\%$;:") && value != s.Redirect {
			return fmt.Errorf("%q is not allowed in a systemd unit; remove spaces, quotes, colons, and %%", value)
		}
	}
	switch {
	case (s.Cert == "") != (s.Key == ""):
		return errors.New("--tls-cert and --tls-key must be used together; specify both")
	case s.Cert != "" && len(s.Domains) > 0:
		return errors.New("--tls-cert and --acme-domain cannot be combined; use --tls-cert and --tls-key, or --acme-domain")
	case s.Cert != "" && (!filepath.IsAbs(s.Cert) || !filepath.IsAbs(s.Key)):
		return errors.New("--tls-cert and --tls-key must be absolute paths in a systemd unit")
	case s.Redirect != "" && s.Cert == "" && len(s.Domains) == 0:
		return errors.New("--redirect-addr needs HTTPS to redirect to; use --tls-cert and --tls-key, or --acme-domain")
	}
	if _, _, err := net.SplitHostPort(s.Redirect); s.Redirect != "" && (err != nil || strings.ContainsAny(s.Redirect, " \"'%$\\;")) {
		return fmt.Errorf("--redirect-addr %q is not a host and a port, such as :80", s.Redirect)
	}
	return nil
}

// Flags returns vitrined's flags for HTTPS, each preceded by a space. In their values, %d is systemd's name for the
// folder with the unit's credentials.
func (s Service) Flags() string {
	var flags string
	if s.Cert != "" {
		flags += " -tls-cert %d/cert.pem -tls-key %d/key.pem"
	}
	for _, d := range s.Domains {
		flags += " -acme-domain " + d
	}
	if len(s.Domains) > 0 {
		flags += " -acme-cache /var/cache/vitrined"
	}
	if s.Email != "" {
		flags += " -acme-email " + s.Email
	}
	if s.Redirect != "" {
		flags += " -redirect-addr " + s.Redirect
	}
	return flags
}

// Privileged reports whether vitrined listens on a port below 1024, which requires a privilege.
func (o Options) Privileged() bool {
	ports := []string{o.UpstreamPort()}
	if _, redirect, err := net.SplitHostPort(o.Service.Redirect); err == nil {
		ports = append(ports, redirect)
	}
	return slices.ContainsFunc(ports, func(port string) bool {
		n, err := net.LookupPort("tcp", port)
		return err == nil && n < 1024
	})
}

// MountExpression returns a regular expression that matches Mount in every server's dialect. It escapes only dots,
// because Mount contains no other special characters.
func (o Options) MountExpression() string { return strings.ReplaceAll(o.Mount, ".", "[.]") }

var (
	// siteName limits a name to 14 characters, because a group name in a regular expression may have at most 32
	// characters and starts with the site's name.
	siteName      = lazyregexp.New(`^(?:[a-z][a-z0-9_]{0,13})?$`)
	imageName     = lazyregexp.New(`^[a-zA-Z0-9./:@_-]*$`)
	bucketAddress = lazyregexp.New(`^(?:s3://[a-zA-Z0-9._-]+(?:/[a-zA-Z0-9._/-]*)?)?$`)
	hostNames     = lazyregexp.New(`^[a-zA-Z0-9.*:_ -]*$`)
)

// Site returns the prefix of nginx variables and zones.
func (o Options) Site() string { return cmp.Or(o.Name, "vitrine") }

// Self returns the host and port for requests from nginx to its own server. If nginx listens on all interfaces, the
// host is the loopback address.
func (o Options) Self() string {
	host := o.ListenHost()
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, o.ListenPort())
}

// check returns an error for the first option that can't be written into a configuration, or if only one of Certificate
// and Key is set.
func (o Options) check() error {
	for _, a := range []struct{ name, value string }{{"listen", o.Listen}, {"upstream", o.Upstream}} {
		if _, _, err := net.SplitHostPort(a.value); err != nil || strings.ContainsAny(a.value, " \t\r\n;{}\"'$\\") {
			return fmt.Errorf("--%s %q is not a host and a port, such as 127.0.0.1:8080", a.name, a.value)
		}
	}
	if !siteName.MatchString(o.Name) {
		return fmt.Errorf("--name %q is not a valid variable prefix; use up to 14 lowercase letters, digits, and underscores, such as staging", o.Name)
	}
	if !hostNames.MatchString(o.ServerName) {
		return fmt.Errorf("--server-name %q is not a list of hosts; use a list such as \"acorn.example www.acorn.example\"", o.ServerName)
	}
	if !bucketAddress.MatchString(o.Bucket) {
		return fmt.Errorf("--bucket %q is not allowed in a Kubernetes manifest; write it as s3://bucket/prefix", o.Bucket)
	}
	if (o.Certificate == "") != (o.Key == "") {
		return fmt.Errorf("--tls-cert and --tls-key must be used together; specify both, or neither")
	}
	for _, p := range []struct{ name, value string }{{"files", o.Files}, {"cache", o.Cache}, {"tls-cert", o.Certificate}, {"tls-key", o.Key}} {
		if p.value != "" && (!filepath.IsAbs(p.value) || strings.ContainsAny(p.value, "\r\n;{}\"'`$\\ ")) {
			return fmt.Errorf("--%s %q is not allowed in a configuration; use an absolute path without spaces, quotes, or any of ; { } $ \\", p.name, p.value)
		}
	}
	return nil
}

// MadeFor returns the settings that a configuration depends on, for a comment in the configuration.
func (o Options) MadeFor() artifact.MadeFor {
	return artifact.MadeFor{Mount: o.Mount, Agents: o.Agents != nil, Command: o.Command}
}

// The parts of Listen and Upstream, which check has validated.

// ListenHost returns the host of Listen.
func (o Options) ListenHost() string { host, _, _ := net.SplitHostPort(o.Listen); return host }

// ListenPort returns the port of Listen.
func (o Options) ListenPort() string { _, port, _ := net.SplitHostPort(o.Listen); return port }

// UpstreamHost returns the host of Upstream.
func (o Options) UpstreamHost() string { host, _, _ := net.SplitHostPort(o.Upstream); return host }

// UpstreamPort returns the port of Upstream.
func (o Options) UpstreamPort() string { _, port, _ := net.SplitHostPort(o.Upstream); return port }

// Local reports whether the host of Upstream is a loopback address.
func (o Options) Local() bool {
	ip := net.ParseIP(o.UpstreamHost())
	return ip != nil && ip.IsLoopback()
}

//go:embed templates/*.tmpl
var templates embed.FS

// generate executes the template called name and writes the result to w.
func generate(w io.Writer, name string, data any) error {
	return generateFor(w, name, "vitrine", data)
}

// generateFor is like generate, but uses site instead of "vitrine" as the prefix of the site's nginx variables.
func generateFor(w io.Writer, name, site string, data any) error {
	t := template.New(name).Funcs(template.FuncMap{
		"nginx": func(s string) string { return nginxString(site, s) }, "regex": nginxRegex, "caddy": caddyString, "caddyKey": caddyKey, "caddyRegex": caddyRegex,
		"unplain": unplain, "unplainCoding": unplainCoding, "celAccept": celAccept, "celCoding": celCoding,
		"weightOf": weightOf, "listed": listed, "accepts": accepts, "agentName": agentName,
		"aiWords":    func(a *artifact.Agents) string { ai, _ := a.Names(); return spaced(ai) },
		"otherWords": func(a *artifact.Agents) string { _, others := a.Names(); return spaced(others) },
		"htmlRanges": htmlRanges, "markdownRanges": markdownRanges, "weights": weights, "weightOne": func() string { return weightOne },
		"lessThan1": func() string { return lessThan1 }, "anyWeight": func() string { return anyWeight },
		"markdownRange": func() string { return markdownRange },
		"named": func(name, expr string) string {
			return strings.Replace(expr, "([0-9]{0,3})", "(?<"+name+">[0-9]{0,3})", 1)
		},
		"below": func(n int) string { return "[0-" + fmt.Sprint(n-1) + "]" },
		"join":  strings.Join,
	})
	files, err := fs.Glob(templates, "templates/*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the templates: %w", err)
	}
	for _, file := range files {
		source, err := fs.ReadFile(templates, file)
		if err != nil {
			return fmt.Errorf("reading the templates: %w", err)
		}
		if _, err := t.New(path.Base(file)).Parse(strings.ReplaceAll(string(source), "vitrine_", site+"_")); err != nil {
			return fmt.Errorf("reading the template %s: %w", file, err)
		}
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("filling in the template %s: %w", name, err)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// weights returns template data: a configuration variable, and the ranges of an Accept field that decide its value. The
// first range that the field lists decides.
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
	if err := options.Service.check(); err != nil {
		return err
	}
	if !filepath.IsAbs(options.Program) || strings.ContainsAny(options.Program, " \t\r\n\"'\\%$;:") {
		return fmt.Errorf("--program %q is not allowed in a systemd unit; use an absolute path without spaces, quotes, or any of ; : $ %% \\", options.Program)
	}
	return generate(w, "systemd.tmpl", options)
}

// Docker writes a Dockerfile for an image with a released vitrined and a build of the site.
func Docker(w io.Writer, options Options) error {
	if options.Release == "" || strings.Trim(options.Release, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
		return fmt.Errorf("--release %q is not a Vitrine version; use the form 1.2.3", options.Release)
	}
	if !imageName.MatchString(options.Image) {
		return fmt.Errorf("--image %q is not an image reference; write it as registry/name:version@sha256:…", options.Image)
	}
	return generate(w, "docker.tmpl", options)
}

// Fronts returns the names of the configurations that don't depend on the build: for servers in front of vitrined, and
// for platforms that run vitrined. Each configuration has a template of the same name.
func Fronts() []string { return []string{"apache", "h2o", "kubernetes", "fly", "cloudfront", "fastly"} }

// Front writes the configuration called name, which must be one of Fronts.
func Front(w io.Writer, name string, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	if options.Agents != nil && name == "fastly" {
		return errAgents
	}
	return generate(w, name+".tmpl", options)
}

// DockerIgnore writes the .dockerignore for the Dockerfile. It excludes the content's source files and the internal
// files of builds from the context in which Docker builds the image.
func DockerIgnore(w io.Writer, options Options) error {
	return generate(w, "dockerignore.tmpl", options)
}

// Varnish writes the VCL of a cache in front of vitrined. The cache stores the responses of one build.
func Varnish(w io.Writer, m *artifact.Manifest, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	options.Mount, options.Agents = m.Mount, m.Agents
	return generate(w, "varnish.tmpl", nginxData{Options: options, Build: artifact.BuildName(m.Build)})
}
