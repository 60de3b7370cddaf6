// Command vitrined is the production server: it serves a build that vitrine
// made, from memory, and reads no YAML, Markdown or template.
//
// SIGTERM and an interrupt let requests under way finish, then end it with 0.
// SIGHUP loads the build again, and the certificate where it comes from files,
// and serves with them from the next request on; what is not whole is refused,
// the old one stays, and the log says why.
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
	os.Exit(run(ctx, os.Args[1:], reload, os.Stdout, os.Stderr))
}

// run serves until ctx ends and returns the exit code.
func run(ctx context.Context, arguments []string, reload <-chan os.Signal, stdout, stderr io.Writer) int {
	o, err := parse(arguments, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case o.version:
		fmt.Fprintln(stdout, programVersion())
		return exitOK
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	requests := startAccessLog(o.accessLog, stdout)
	err = serveBuild(ctx, o, reload, log, requests)
	requests.stop()
	if err != nil {
		log.LogAttrs(ctx, slog.LevelError, "the server ended", slog.Any("error", err))
		return exitFailed
	}
	return exitOK
}

// serveBuild loads the build, listens, and serves until ctx ends.
func serveBuild(ctx context.Context, o options, reload <-chan os.Signal, log *slog.Logger, requests *accessLog) error {
	d, err := newDaemon(o, log, requests)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // where serving does not begin; else it is closed already
	if o.admin != "" {
		stop, err := d.startAdmin(o.admin)
		if err != nil {
			return err
		}
		defer stop()
	}
	if o.tls.redirect != "" {
		stop, err := d.startRedirect(o.tls.redirect, listener.Addr())
		if err != nil {
			return err
		}
		defer stop()
	}
	running, end := context.WithCancel(ctx)
	defer end()
	go d.reloadOn(running, reload)
	if d.secure != nil {
		go d.secure.obtain(running, log)
	}
	err = d.serve(ctx, listener, o)
	log.LogAttrs(ctx, slog.LevelInfo, "ended")
	return err
}
