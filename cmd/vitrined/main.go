// Command vitrined is the production server: it serves a build that vitrine
// made, from memory, and reads no YAML, Markdown or template.
//
// SIGTERM and an interrupt let requests under way finish, then end it with 0.
// SIGHUP loads the build again and serves it from the next request on; where
// the new build is not whole, the old one stays and the log says why.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"vitrine/internal/serve"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	os.Exit(run(ctx, os.Args[1:], reload, os.Stderr))
}

// options are what the flags say.
type options struct {
	dir, addr, admin string
	allowance        *serve.Allowance
	// ownAllowance says that the flag was given, else the build's holds.
	ownAllowance bool
	accessLog    bool
	drain        time.Duration
	engine       string
	connections  int
}

// Engines.
const (
	engineFast    = "fast"
	engineNetHTTP = "net/http"
)

// run serves until ctx ends and returns the exit code.
func run(ctx context.Context, arguments []string, reload <-chan os.Signal, stderr io.Writer) int {
	o, err := parse(arguments, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	if err := serveBuild(ctx, o, reload, log); err != nil {
		log.LogAttrs(ctx, slog.LevelError, "the server ended", slog.Any("error", err))
		return exitFailed
	}
	return exitOK
}

func parse(arguments []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("vitrined", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", "build", "the `folder` of the build to serve")
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "the `address` to serve on")
	flags.StringVar(&o.admin, "admin", "", "an `address` for health and metrics; none where it is empty")
	flags.BoolVar(&o.accessLog, "access-log", false, "log every request")
	flags.DurationVar(&o.drain, "drain", 20*time.Second, "how `long` requests under way may take at the end")
	flags.StringVar(&o.engine, "engine", engineFast, "the `engine` that answers plain HTTP/1.1 requests: fast, or net/http as all others")
	flags.IntVar(&o.connections, "connections", 20000, "the `number` of connections at a time, further ones are closed; 0 for any number")
	flags.Func("allowance", "requests in a window, such as `120/60s`, or 0 to switch the allowance off (default the build's)", func(value string) error {
		a, err := serve.ParseAllowance(value)
		o.allowance, o.ownAllowance = a, true
		return err
	})
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	if o.engine != engineFast && o.engine != engineNetHTTP {
		fmt.Fprintf(stderr, "there is no engine %q; use %s or %s\n", o.engine, engineFast, engineNetHTTP)
		return o, errors.New("usage")
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "vitrined takes no argument %q\n", flags.Arg(0))
		flags.Usage()
		return o, errors.New("usage")
	}
	return o, nil
}

// serveBuild loads the build, listens, and serves until ctx ends.
func serveBuild(ctx context.Context, o options, reload <-chan os.Signal, log *slog.Logger) error {
	d, err := newDaemon(o, log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	if o.admin != "" {
		stop, err := d.startAdmin(o.admin)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer stop()
	}
	log.LogAttrs(ctx, slog.LevelInfo, "serving", slog.String("address", listener.Addr().String()), slog.String("engine", o.engine),
		slog.String("build", d.build()), slog.Int("allowance", d.allowance.Limit()))
	reloading, end := context.WithCancel(ctx)
	defer end()
	go d.reloadOn(reloading, reload)
	err = d.serve(ctx, listener, o)
	log.LogAttrs(ctx, slog.LevelInfo, "ended")
	return err
}
