package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
)

// flaw is what is wrong with the build in the folder: it is damaged, and the one
// before is served where that is whole.
type flaw struct {
	fallback bool
	why      error
}

// health is the word for the state of what is served.
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

// unready says why traffic should go elsewhere, or "" if every byte of the build that is served has been verified and
// the server is not draining.
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

// openBuild opens the build to begin with, before anybody is listened to. What a
// start must know is looked at: the manifest, byte for byte, and that everything
// that is coded is there; verifyServed looks at the rest. Where that is not so, the
// build before takes its place, if all of it is whole.
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

// lastWhole opens the build before the one in the folder, nil where it is not whole.
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

// found notes and logs what is wrong.
func (d *daemon) found(ctx context.Context, f *flaw, served string) {
	d.flaw.Store(f)
	what := "the build is damaged; serving its intact files and responding with 500 for the rest"
	if f.fallback {
		what = "the build is damaged; serving the previous build"
	}
	d.log.LogAttrs(ctx, slog.LevelError, what, slog.String("build", served), slog.Any("error", f.why))
}

// verifyServed reads every byte of the build that the server has begun with, while
// it serves. Where a build is damaged and the one before it is whole, that one is
// served; a build that was loaded meanwhile was verified then.
func (d *daemon) verifyServed(ctx context.Context) {
	if d.flaw.Load() != nil {
		return
	}
	serving := d.handler.Site()
	built, err := artifact.Open(d.dir)
	if err != nil {
		return // a build is being published; loading it verifies it
	}
	defer built.Close()
	if built.Manifest.Build != serving.Build() {
		return
	}
	err = built.VerifyBeside(ctx)
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
		site, e := serve.NewSite(last)
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
