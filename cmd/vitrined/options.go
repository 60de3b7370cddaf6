package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// options contains the values of the flags.
type options struct {
	dir, addr, admin string
	// adminPprof enables profiles on the admin address.
	adminPprof bool
	allowance  *decide.Allowance
	// ownAllowance reports whether --allowance was given. Otherwise, the build's allowance applies.
	ownAllowance bool
	accessLog    logFormat
	proxies      proxies
	drain        time.Duration
	engine       string
	connections  int
	// memory is the maximum memory of all connections in bytes, or 0 for no limit.
	memory  int64
	tls     tlsOptions
	version bool
	// health enables /healthz and /readyz on the main address, in addition to the admin address.
	health bool
	// check makes vitrined only check the build and the options, without serving.
	check bool
	// probe is the URL that vitrined requests instead of serving a build, or "" to serve.
	probe string
}

// tlsOptions configures the encryption of the public address. The address is encrypted only if a certificate file or an
// ACME domain is set.
type tlsOptions struct {
	cert, key string
	acme      acmeOptions
	// redirect is the address of the plain HTTP listener that redirects to https, or "" if there is none.
	redirect string
	// hsts is the number of seconds for which browsers must use only HTTPS, or 0 to omit the header field.
	hsts int
}

func (o *tlsOptions) on() bool { return o.cert != "" || len(o.acme.domains) > 0 }

// acmeOptions configures the certificates that vitrined gets from a certificate authority's ACME directory.
type acmeOptions struct {
	domains                 []string
	cache, email, directory string
}

// Values of --engine.
const (
	engineFast    = "fast"
	engineNetHTTP = "net/http"
)

// year is the default of --hsts in seconds. See docs/guides/operate.md for the reason.
const year = 365 * 24 * 60 * 60

// errUsage indicates invalid arguments that have already been reported.
var errUsage = errors.New("usage")

// parse parses the flags. If they are invalid, it prints the errors and returns errUsage. It returns flag.ErrHelp after
// printing the help.
func parse(arguments []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("vitrined", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", "build", "`folder` of the build to serve")
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`address` to serve on")
	flags.StringVar(&o.admin, "admin", "", "`address` for health and metrics, such as 127.0.0.1:9090; do not expose it to other machines")
	flags.BoolVar(&o.adminPprof, "admin-pprof", false, "serve profiles of the program (pprof) on the admin address")
	flags.Var(&o.accessLog, "access-log", "log each request to standard output in this `format`: json (the default if you omit the value) or combined")
	flags.Var(&o.proxies, "trusted-proxies", "`networks` of proxies in front of this server, such as 10.0.0.0/8,::1; vitrined logs the client address that these proxies send in X-Forwarded-For or Forwarded and does not throttle the proxies' connections; you can repeat this flag")
	flags.DurationVar(&o.drain, "drain", 20*time.Second, "maximum `duration` to wait for requests in progress after SIGTERM")
	flags.StringVar(&o.engine, "engine", engineFast, "`engine` that serves requests: fast, or net/http (Go's server), which does not support HTTP/2")
	flags.IntVar(&o.connections, "connections", 20000, "maximum `number` of open connections; vitrined closes further connections; set 0 to allow as many as the operating system does")
	o.memory = serve.ConnectionMemory()
	flags.Func("connection-memory", "maximum `bytes` of memory for all connections, such as 256MiB; above this limit, vitrined closes the connections that use the most memory; set 0 for no limit (default half of the available memory, from 32MiB to 1GiB)", func(value string) (err error) {
		o.memory, err = parseBytes(value)
		return err
	})
	flags.Func("allowance", "request allowance (rate limit) of the JSON API, as `requests/seconds`, such as 120/60s; set 0 for no limit (default set in the build)", func(value string) error {
		a, err := decide.ParseAllowance(value)
		o.allowance, o.ownAllowance = a, true
		return err
	})
	flags.BoolVar(&o.health, "health", false, "serve /healthz and /readyz on the main address too; requests for them do not count toward the allowance")
	flags.StringVar(&o.probe, "probe", "", "request a `URL`, such as http://127.0.0.1:8080/readyz, and exit with 0 if the status is 200; use this flag for the health check of a container that has no other programs")
	flags.Func("check", "check the build in this `folder` and the other flags; the exit code is 0 if vitrined could start with them; run this check before you reload or change flags", func(value string) error {
		if value == "" {
			return errors.New("specify a build folder")
		}
		o.dir, o.check = value, true
		return nil
	})
	flags.BoolVar(&o.version, "version", false, "print the version and exit")
	o.tls.flags(flags)
	if err := parseLine(flags, arguments, stderr); err != nil {
		return o, err
	}
	problems := o.tls.problems()
	if o.engine != engineFast && o.engine != engineNetHTTP {
		problems = append(problems, fmt.Sprintf("unknown engine %q; want %s or %s", o.engine, engineFast, engineNetHTTP))
	}
	for _, p := range problems {
		fmt.Fprintln(stderr, p)
	}
	if len(problems) > 0 {
		return o, errUsage
	}
	return o, nil
}

// parseLine parses the flags without checking whether their values are compatible. If the user requested help, it
// prints all flags and returns flag.ErrHelp. If an argument is invalid, it prints one line and returns errUsage.
func parseLine(flags *flag.FlagSet, arguments []string, stderr io.Writer) error {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	err := flags.Parse(arguments)
	flags.SetOutput(stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		// The flag package lists flags with one hyphen. The documentation and vitrine use two.
		var list strings.Builder
		flags.SetOutput(&list)
		flags.PrintDefaults()
		fmt.Fprint(stderr, "Usage of vitrined:", strings.ReplaceAll("\n"+list.String(), "\n  -", "\n  --"))
		return err
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q; vitrined takes no arguments", flags.Arg(0))
	case err == nil:
		return nil
	}
	text := strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag --", 1)
	fmt.Fprintf(stderr, "%s (run vitrined --help for the list)\n", strings.Replace(text, " for flag -", " for --", 1))
	return errUsage
}

// parseBytes parses a number of bytes, KiB, MiB, or GiB, such as 256MiB. It returns an error for values above 1024GiB
// and for values other than 0 below leastMemory.
func parseBytes(value string) (int64, error) {
	digits, shift := value, 0
	for unit, s := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if number, ok := strings.CutSuffix(value, unit); ok {
			digits, shift = number, s
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n < 0 || n > 1<<40>>shift:
		return 0, errors.New("want a number of bytes, KiB, MiB, or GiB, such as 256MiB, up to 1024GiB")
	case n > 0 && n<<shift < leastMemory:
		return 0, errors.New("less than 1MiB leaves no room for connections; use 0 for no limit")
	}
	return n << shift, nil
}

// leastMemory is the lowest limit, in bytes, for the memory of connections: enough for a few connections of any kind.
const leastMemory = 1 << 20

func (o *tlsOptions) flags(flags *flag.FlagSet) {
	flags.StringVar(&o.cert, "tls-cert", "", "PEM `file` with the certificate and its intermediate certificates, to serve HTTPS; send SIGHUP after renewing it")
	flags.StringVar(&o.key, "tls-key", "", "PEM `file` with the certificate's key")
	flags.Func("acme-domain", "`domain` to serve over HTTPS with a certificate that vitrined gets from Let's Encrypt or another certificate authority; by using this flag, you accept the authority's terms of service; you can repeat this flag", func(value string) error {
		for domain := range strings.SplitSeq(value, ",") {
			o.acme.domains = append(o.acme.domains, strings.ToLower(strings.TrimSpace(domain)))
		}
		return nil
	})
	flags.StringVar(&o.acme.cache, "acme-cache", "", "`folder` for certificates and keys from ACME; let only the user that runs vitrined read it")
	flags.StringVar(&o.acme.email, "acme-email", "", "e-mail `address` for notices from the certificate authority")
	flags.StringVar(&o.acme.directory, "acme-directory", "", "`URL` of the certificate authority's ACME directory (default the directory of Let's Encrypt)")
	flags.StringVar(&o.redirect, "redirect-addr", "", "`address` for plain HTTP, at which vitrined redirects to HTTPS and responds to ACME challenges")
	o.hsts = year
	flags.Func("hsts", "`seconds` for which browsers must use HTTPS (HSTS), by default a year; vitrined sends the HSTS header field only over HTTPS; set 0 to omit the field (default 31536000)", func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return errors.New("want a whole number of seconds, 0 or more")
		}
		o.hsts = n
		return nil
	})
}

// problems returns a message for each option that is incomplete or conflicts with another option.
func (o *tlsOptions) problems() []string {
	var all []string
	acme := len(o.acme.domains) > 0
	if (o.cert == "") != (o.key == "") {
		all = append(all, "--tls-cert and --tls-key must be used together; specify both")
	}
	if acme && o.cert != "" {
		all = append(all, "--tls-cert and --acme-domain cannot be combined; use --tls-cert and --tls-key, or --acme-domain")
	}
	if acme && o.acme.cache == "" {
		all = append(all, "--acme-domain needs --acme-cache; set it to a folder for keys and certificates")
	}
	if slices.Contains(o.acme.domains, "") {
		all = append(all, "--acme-domain contains an empty name; use domains such as example.com,www.example.com")
	}
	if !acme && (o.acme.cache != "" || o.acme.email != "" || o.acme.directory != "") {
		all = append(all, "--acme-cache, --acme-email, and --acme-directory have no effect without --acme-domain; add --acme-domain")
	}
	if !o.on() && o.redirect != "" {
		all = append(all, "--redirect-addr needs HTTPS to redirect to; use --tls-cert and --tls-key, or --acme-domain")
	}
	return all
}
