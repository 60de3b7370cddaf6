// Command vitrined is the production server of a site. It serves a build that vitrine created, from memory. It doesn't
// read YAML, Markdown, or templates.
//
// On SIGTERM or an interrupt, vitrined finishes the requests in progress and exits with code 0. It exits at most a
// second after --drain has passed, and immediately after a second signal.
//
// On SIGHUP, vitrined reloads the build and, if the certificate comes from files, the certificate. New requests use the
// new build, and new connections use the new certificate. If vitrined can't use the new build or the new certificate,
// it logs the reason and keeps the old one.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := context.WithCancel(context.Background())
	ends := make(chan os.Signal, 2)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ends
		stop()
		// Exit here instead of relying on the signal's default action, which doesn't end the first process of a
		// container (PID 1).
		<-ends
		os.Exit(exitFailed)
	}()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	os.Exit(run(ctx, os.Args[1:], reload, os.Stdout, os.Stderr))
}

// exitGrace is the maximum time that the program takes to exit after --drain has passed.
const exitGrace = time.Second

// run runs the program and returns its exit code. Unless a flag such as --check selects another task, it serves until
// ctx ends.
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
	if o.probe != "" {
		if err := probe(ctx, o.probe); err != nil {
			fmt.Fprintln(stderr, "vitrined:", err)
			return exitFailed
		}
		return exitOK
	}
	if o.check {
		line, err := checkBuild(ctx, o)
		if err != nil {
			fmt.Fprintln(stderr, "vitrined:", err)
			return exitFailed
		}
		fmt.Fprintln(stdout, line)
		return exitOK
	}
	log := slog.New(slog.NewJSONHandler(printable{stderr}, nil))
	requests := startAccessLog(o.accessLog, o.proxies, stdout)
	var asked atomic.Pointer[time.Time]
	defer context.AfterFunc(ctx, func() {
		now := time.Now()
		asked.Store(&now)
		// Exit without logging the reason, because a write to the log blocks if the log has no reader.
		time.AfterFunc(o.drain+exitGrace, func() { os.Exit(exitFailed) })
	})()
	err = serveBuild(ctx, o, reload, log, requests)
	left := o.drain
	if at := asked.Load(); at != nil {
		left = max(o.drain-time.Since(*at), exitGrace/2)
	}
	requests.stop(left)
	if lost := requests.Dropped(); lost > 0 {
		log.LogAttrs(ctx, slog.LevelWarn, "request log lines were lost, because the reader of the log is too slow", slog.Int64("lines", lost))
	}
	if err != nil {
		log.LogAttrs(ctx, slog.LevelError, "the server stopped", slog.Any("error", err))
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
	defer listener.Close() // in case serving doesn't start; serving closes the listener itself
	if o.admin != "" {
		stop, err := d.startAdmin(o.admin, o.adminPprof)
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
	go d.verifyServed(running)
	if d.secure != nil {
		go d.secure.obtain(running, log)
	}
	err = d.serve(ctx, listener, o)
	log.LogAttrs(ctx, slog.LevelInfo, "ended")
	return err
}

// probe requests a URL and returns an error unless the status is 200. It doesn't verify the certificate, because the
// server runs on this machine and its certificate may be for a different name.
func probe(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("requesting %s: %w", url, err)
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("requesting %s: %w", url, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responded with %s, want 200 OK", url, answer.Status)
	}
	return nil
}
