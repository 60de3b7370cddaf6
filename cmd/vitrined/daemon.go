package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/engine"
	"vitrine/internal/serve"
)

// daemon is a server with the build that it serves.
type daemon struct {
	dir       string
	log       *slog.Logger
	handler   *serve.Handler
	allowance *serve.Allowance
	metrics   *serverMetrics
}

func newDaemon(o options, log *slog.Logger) (*daemon, error) {
	d := &daemon{dir: o.dir, log: log, metrics: newMetrics()}
	built, err := artifact.Open(o.dir)
	if err != nil {
		return nil, err
	}
	site, err := serve.NewSite(built)
	if err != nil {
		return nil, fmt.Errorf("making the build in %s ready: %w", o.dir, err)
	}
	d.allowance = o.allowance
	if !o.ownAllowance {
		d.allowance = serve.NewAllowance(built.Manifest.Limit, built.Manifest.Window)
	}
	d.handler = serve.NewHandler(site, serve.HandlerOptions{
		Allowance: d.allowance, Log: log, Observe: d.observer(o.accessLog),
	})
	return d, nil
}

// observer counts answers and, where asked, logs them.
func (d *daemon) observer(log bool) func(*serve.Request, serve.Answer) {
	return func(r *serve.Request, a serve.Answer) {
		d.metrics.count(a)
		if log {
			d.log.LogAttrs(context.Background(), slog.LevelInfo, "request",
				// Cloned, as a log may keep what it is given.
				slog.String("method", r.Method), slog.String("path", strings.Clone(r.Path)),
				slog.Int("status", a.Status), slog.Int("bytes", len(a.Body)), slog.String("reason", a.Reason))
		}
	}
}

// serve answers on a listener with the engine that was asked for, until ctx ends.
func (d *daemon) serve(ctx context.Context, listener net.Listener, o options) error {
	limited := engine.Limit(listener, o.connections)
	server := serve.NewServer(d.handler, d.log)
	if o.engine == engineNetHTTP {
		d.metrics.connections(limited, nil)
		return serve.Run(ctx, server, limited, o.drain)
	}
	fast := engine.New(d.handler, server, d.log)
	d.metrics.connections(limited, fast)
	return fast.Run(ctx, limited, o.drain)
}

// build names the build that is being served.
func (d *daemon) build() string {
	return fmt.Sprintf("%016x", d.handler.Site().Build())
}

// reloadOn loads the build again at every signal, until ctx ends.
func (d *daemon) reloadOn(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		before := d.build()
		err := d.reload(ctx)
		d.metrics.reloaded(err)
		if err != nil {
			d.log.LogAttrs(ctx, slog.LevelError, "the build was not loaded again; the old one is still served",
				slog.String("build", before), slog.Any("error", err))
			continue
		}
		d.log.LogAttrs(ctx, slog.LevelInfo, "loaded the build again", slog.String("before", before), slog.String("build", d.build()))
	}
}

// reload verifies the build in full before it is swapped in, as there is an
// old one to keep.
func (d *daemon) reload(ctx context.Context) error {
	built, err := artifact.Open(d.dir)
	if err != nil {
		return err
	}
	if err := built.Verify(ctx); err != nil {
		_ = built.Close()
		return fmt.Errorf("verifying the build in %s: %w", d.dir, err)
	}
	site, err := serve.NewSite(built)
	if err != nil {
		_ = built.Close()
		return fmt.Errorf("making the build in %s ready: %w", d.dir, err)
	}
	d.handler.Swap(site)
	return nil
}
