package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/http1"
	"vitrine/internal/serve/http2"
)

// daemon is the server, including the build that it serves.
type daemon struct {
	dir       string
	log       *slog.Logger
	requests  *accessLog
	handler   *serve.Handler
	allowance *decide.Allowance
	metrics   *serverMetrics
	audience  *audience
	// memory limits the memory that the connections to all addresses use together.
	memory  *serve.Memory
	manager notifier
	// secure is the TLS configuration of the public address, or nil if that address isn't encrypted.
	secure *secure
	// loaded is the time at which the served build was loaded.
	loaded atomic.Pointer[time.Time]
	// loading serializes replacements of the served build.
	loading sync.Mutex
	// flaw describes the damage to the build in the folder, or is nil if no damage was found.
	flaw atomic.Pointer[flaw]
	// verified reports whether every byte of the served build was read and compared with its checksum.
	verified atomic.Bool
	draining atomic.Bool
}

func newDaemon(o options, log *slog.Logger, requests *accessLog) (*daemon, error) {
	d := &daemon{dir: o.dir, log: log, requests: requests, metrics: newMetrics(), audience: newAudience(), memory: serve.NewMemory(o.memory, log),
		manager: newNotifier(log)}
	built, err := d.openBuild(context.Background())
	if err != nil {
		return nil, err
	}
	d.allowance = o.allowance
	if !o.ownAllowance {
		d.allowance = decide.NewAllowance(built.Manifest.Limit, built.Manifest.Window)
	}
	site, err := d.prepare(built)
	if err != nil {
		return nil, fmt.Errorf("preparing the build in %s: %w", o.dir, err)
	}
	if d.secure, err = newSecure(o.tls); err != nil {
		return nil, err
	}
	d.metrics.allowance(d.allowance)
	served := serve.HandlerOptions{Allowance: d.allowance, Log: log, Observe: d.observe}
	if o.health {
		served.Ready = func() bool { return d.unready() == "" }
	}
	d.handler = serve.NewHandler(site, served)
	d.describe()
	d.nowLoaded()
	return d, nil
}

// prepare returns the site in built, ready to be served, and sets the request allowance that the site's responses
// announce.
func (d *daemon) prepare(built *artifact.Build) (*decide.Site, error) {
	site, err := decide.NewSite(built)
	if err != nil {
		return nil, err
	}
	site.Announce(d.allowance)
	return site, nil
}

// observe counts a response and, if the request log is enabled, logs it.
func (d *daemon) observe(r *decide.Request, a decide.Answer) {
	reader := d.audience.of(r.UserAgent, d.handler)
	now := time.Now()
	d.metrics.count(r, &a, reader, max(now.Sub(r.Began), 0))
	if d.requests != nil {
		d.requests.add(r, &a, reader, now)
	}
}

func (d *daemon) nowLoaded() {
	now := time.Now().UTC()
	d.loaded.Store(&now)
	paceCollector(d.handler.Site().Size())
}

// serve runs the selected engine on listener until ctx ends. Over TLS, the net/http engine serves only HTTP/1.1.
func (d *daemon) serve(ctx context.Context, listener net.Listener, o options) error {
	most := connectionLimit(o.connections)
	limited := d.memory.Limit(listener, most)
	limited.Pace(o.proxies.trust)
	handler := http.Handler(d.handler)
	var every []artifact.Field
	if d.secure != nil && o.tls.hsts > 0 {
		every = []artifact.Field{hsts(o.tls.hsts)}
		handler = withField(handler, every[0])
	}
	server := serve.NewServer(handler, d.log)
	var fast *http1.Server
	if o.engine == engineFast {
		fast = http1.New(d.handler, server, every, d.log)
	}
	d.metrics.connections(limited, most, fast)
	d.metrics.memory(d.memory)
	d.log.LogAttrs(ctx, slog.LevelInfo, "serving", slog.String("address", listener.Addr().String()), slog.String("engine", o.engine),
		slog.Bool("tls", d.secure != nil), slog.String("build", d.build()), slog.Int("allowance", d.allowance.Limit()),
		slog.Int("connections", most), slog.Int64("connectionMemory", o.memory))
	d.manager.ready("serving build " + d.build())
	defer context.AfterFunc(ctx, func() {
		d.draining.Store(true)
		d.manager.stopping()
	})()
	switch {
	case d.secure != nil && o.engine == engineFast:
		options := http2.Options{Fields: every, Erred: d.metrics.erred}
		return http2.New(d.handler, fast, server, d.secure.config, options, d.log).Run(ctx, limited, o.drain)
	case d.secure != nil:
		config := d.secure.config.Clone()
		config.NextProtos = slices.DeleteFunc(slices.Clone(config.NextProtos), func(p string) bool { return p == "h2" })
		return serve.Run(ctx, server, serve.Gated(serve.Secured(limited, config, d.handler, d.log, nil)), o.drain)
	case fast != nil:
		return fast.Run(ctx, limited, o.drain)
	}
	return serve.Run(ctx, server, serve.Gated(limited), o.drain)
}

// build returns the name of the served build.
func (d *daemon) build() string {
	return artifact.BuildName(d.handler.Site().Build())
}

// nextDue returns the time at which the site must be rebuilt for its next scheduled page, in Unix seconds, or 0 if no
// page is scheduled.
func (d *daemon) nextDue() int64 {
	if t := d.handler.Site().NextDue(); !t.IsZero() {
		return t.Unix()
	}
	return 0
}

// reloadOn reloads the build and the certificate on every signal until ctx ends.
func (d *daemon) reloadOn(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		d.manager.reloading()
		d.reloadCertificate(ctx)
		before := d.build()
		err := d.reload(ctx)
		d.metrics.reloads.Inc(reloadResult(err))
		if err != nil {
			d.log.LogAttrs(ctx, slog.LevelError, "could not reload the build; still serving the previous one",
				slog.String("build", before), slog.Any("error", err))
			d.manager.ready("serving build " + before + "; the build in the folder was rejected (see the log)")
			continue
		}
		d.log.LogAttrs(ctx, slog.LevelInfo, "reloaded the build", slog.String("before", before), slog.String("build", d.build()))
		d.manager.ready("serving build " + d.build())
	}
}

// reloadCertificate loads the certificate again if it comes from files. If that fails, the server keeps the previous
// certificate.
func (d *daemon) reloadCertificate(ctx context.Context) {
	if d.secure == nil || d.secure.reload == nil {
		return
	}
	err := d.secure.reload()
	d.metrics.certificates.Inc(reloadResult(err))
	if err != nil {
		d.log.LogAttrs(ctx, slog.LevelError, "could not reload the certificate; still using the previous one", slog.Any("error", err))
		return
	}
	d.log.LogAttrs(ctx, slog.LevelInfo, "reloaded the certificate", slog.Time("expires", d.secure.expires()))
}

// reload replaces the served build with the build in the folder, after verifying every byte. If that fails, reload
// returns an error and the server keeps the old build.
func (d *daemon) reload(ctx context.Context) error {
	built, err := artifact.Open(d.dir)
	if err != nil {
		return err
	}
	if err := built.VerifyInBackground(ctx); err != nil {
		_ = built.Close()
		return fmt.Errorf("verifying the build in %s: %w", d.dir, err)
	}
	site, err := d.prepare(built)
	if err != nil {
		_ = built.Close()
		return fmt.Errorf("preparing the build in %s: %w", d.dir, err)
	}
	d.loading.Lock()
	defer d.loading.Unlock()
	d.handler.Swap(site)
	d.audience.forget() // the new build's command-line tool may have a different name
	d.flaw.Store(nil)
	d.verified.Store(true)
	d.nowLoaded()
	return nil
}
