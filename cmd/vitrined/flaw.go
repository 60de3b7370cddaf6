package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"vitrine/internal/artifact"
)

// flaw describes damage to the build in the folder. fallback reports whether the previous build is served instead.
type flaw struct {
	fallback bool
	why      error
}

// health returns the served build's health: "ok", "fallback", or "damaged", followed by the build's name and the flaw,
// if any.
func (d *daemon) health() string {
	switch f := d.flaw.Load(); {
	case f == nil:
		return "ok " + d.build()
	case f.fallback:
		return fmt.Sprintf("fallback %s: %s", d.build(), firstLine(f.why))
	default:
		return fmt.Sprintf("damaged %s: %s", d.build(), firstLine(f.why))
	}
}

// unready returns why the server shouldn't receive traffic, or "" if every byte of the served build has been verified
// and the server isn't draining.
func (d *daemon) unready() string {
	switch f := d.flaw.Load(); {
	case d.draining.Load():
		return "draining"
	case f != nil && !f.fallback:
		return d.health()
	case !d.verified.Load():
		return "verifying " + d.build()
	}
	return ""
}

// openBuild opens the initial build before the server listens. It checks everything required for a start: the manifest,
// byte for byte, and the presence and length of all packs. verifyServed checks the rest. If the build fails these
// checks, openBuild opens the previous build if that build is completely intact. Otherwise, it opens the damaged build,
// or returns an error if that fails.
func (d *daemon) openBuild(ctx context.Context) (*artifact.Build, error) {
	built, err := artifact.Open(d.dir)
	if err == nil {
		if err = built.Check(); err == nil {
			return built, nil
		}
	}
	if last := d.lastWhole(ctx); last != nil {
		if built != nil {
			_ = built.Close()
		}
		d.found(ctx, &flaw{fallback: true, why: err}, artifact.BuildName(last.Manifest.Build))
		d.verified.Store(true)
		return last, nil
	}
	if built == nil {
		return nil, err
	}
	d.found(ctx, &flaw{why: err}, artifact.BuildName(built.Manifest.Build))
	return built, nil
}

// lastWhole opens the previous build in the folder, or returns nil if that build is missing or damaged.
func (d *daemon) lastWhole(ctx context.Context) *artifact.Build {
	last, err := artifact.OpenLast(d.dir)
	if err != nil {
		return nil
	}
	if last.Verify(ctx) != nil {
		_ = last.Close()
		return nil
	}
	return last
}

// found records and logs the flaw f. served is the name of the build being served.
func (d *daemon) found(ctx context.Context, f *flaw, served string) {
	d.flaw.Store(f)
	what := "the build is damaged; serving its intact files and responding with 500 for the rest"
	if f.fallback {
		what = "the build is damaged; serving the previous build"
	}
	d.log.LogAttrs(ctx, slog.LevelError, what, slog.String("build", served), slog.Any("error", f.why))
}

// verifyServed reads every byte of the initial build while serving it. If the build is damaged and the previous build
// is intact, it replaces the served build with the previous build. If reload has replaced the initial build in the
// meantime, verifyServed does nothing, because reload has verified the new build.
func (d *daemon) verifyServed(ctx context.Context) {
	if d.flaw.Load() != nil {
		return
	}
	serving := d.handler.Site()
	built, err := artifact.Open(d.dir)
	if err != nil {
		return // a build is being published; loading verifies it
	}
	defer built.Close()
	if built.Manifest.Build != serving.Build() {
		return
	}
	err = built.VerifyInBackground(ctx)
	if ctx.Err() != nil {
		return
	}
	d.loading.Lock()
	defer d.loading.Unlock()
	if d.handler.Site() != serving {
		return
	}
	if err == nil {
		d.verified.Store(true)
		return
	}
	if last := d.lastWhole(ctx); last != nil {
		site, e := d.prepare(last)
		if e == nil {
			d.handler.Swap(site)
			d.verified.Store(true)
			d.nowLoaded()
			d.found(ctx, &flaw{fallback: true, why: err}, d.build())
			return
		}
		_ = last.Close()
	}
	d.found(ctx, &flaw{why: err}, d.build())
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
