// Package deploy copies a build to a folder, a bucket, or a platform, and waits until the build is served. In a folder
// or a bucket, it copies the build next to the current one and activates it with a single rename or write. A killed
// deploy can be run again. If the new build isn't served correctly from the folder or bucket, the package restores the
// previous build.
package deploy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/edge/platform"
	"vitrine/internal/verify"
)

// Options configure a deploy: the build, the target, and the commands to run.
type Options struct {
	// Build is the build to deploy, which is in the folder Dir.
	Build *artifact.Build
	Dir   string
	// NoRecords disables storing the build's records in a bucket. Later builds then can't be based on this build.
	NoRecords bool
	// Target is a folder, host:folder, s3://bucket/prefix, or the name of a platform.
	Target string
	// Arguments are additional arguments for the platform's tool.
	Arguments []string
	// URL is the site's public address, and Origin is the address of vitrined itself. The two are the same if no cache
	// is in front of vitrined.
	URL, Origin string
	// Reload is a command that runs on the target's machine, and Purge is a command that runs on this machine. Either
	// may be "".
	Reload, Purge string
	// Keep is the number of previous builds that a bucket keeps.
	Keep int
	// Lease is the time after which the lock of a bucket expires unless its holder renews it; 0 means
	// bucket.DefaultLease.
	Lease time.Duration
	// Edge makes the deploy write the build's table, which a Worker in front of the bucket needs, to the bucket.
	Edge bool
	// Wait is the maximum time to wait for the lock, and then until the build is served.
	Wait time.Duration
	// DryRun makes the deploy report each step without performing it.
	DryRun bool
	// Report is called with a description of each step before it starts, and with results and warnings. It must not be
	// nil.
	Report func(string)
	// Progress is the writer for the progress of transfers, or nil.
	Progress io.Writer
	// Verify checks the site at URL and returns its problems as an error, or nil if it has no problems.
	Verify func(context.Context) error
}

// ErrRolledBack is wrapped by the error of a failed deploy after which the previous build is served again.
var ErrRolledBack = errors.New("the previous build was restored")

// ErrLeft is wrapped by the error of a failed deploy after which the new build is still in place.
var ErrLeft = errors.New("the new build was left in place")

// ErrDoubt is wrapped by the error of a failed deploy after which the link points back to the previous build, but the
// new build may still be served.
var ErrDoubt = errors.New("the link was restored, but the new build may still be served")

// ErrFlags is wrapped by the error of a deploy that made no changes because its options don't fit the target.
var ErrFlags = errors.New("the options do not match the target")

// deploy is a deploy in progress.
type deploy struct {
	Options
	name string
	// to is the target, or nil if the target is a platform.
	to destination
	// holder identifies this deploy to other deploys.
	holder string
}

// destination is a folder or a bucket that stores several builds, one of which is current. In a dry run, its methods
// report what they would do and change nothing.
type destination interface {
	String() string
	// pointer returns the name of the link or object that points to the current build.
	pointer() string
	// prepare returns the name of the current build, or "" if there is none. If a killed deploy has already made the
	// new build current, prepare returns the name of the previous build instead.
	prepare(ctx context.Context) (last string, err error)
	// lock keeps other deploys out until unlock is called. The context held ends if another deploy takes the lock.
	lock(ctx context.Context) (held context.Context, unlock func(), err error)
	// note stores the state of the deploy in the target.
	note(ctx context.Context, r Record) error
	// copy copies the complete build next to the current build.
	copy(ctx context.Context, last string) error
	// activate makes the copy current.
	activate(ctx context.Context, last string) error
	// restore makes the previous build current again.
	restore(ctx context.Context, last string) error
	// reload runs the reload command.
	reload(ctx context.Context, name string) error
	// prune removes old builds.
	prune(ctx context.Context) error
	// status reads the state of the target.
	status(ctx context.Context) (*State, error)
}

// destination returns the destination for a target other than a platform.
func (d *deploy) destination() (destination, error) {
	if bucket.Is(d.Target) {
		return newBucket(d)
	}
	t, err := newTarget(d.Target)
	t.progress = d.Progress
	return &folder{d, t}, err
}

// Run deploys a build. For a platform, it runs the platform's tool. For a folder or a bucket, it copies the build next
// to the current one, activates it, makes vitrined load it, waits until vitrined serves it, purges the caches, waits
// until the caches serve it, and verifies the site. If a step after the activation fails, Run restores the previous
// build, if there is one.
func Run(ctx context.Context, o Options) error {
	d := &deploy{Options: o, name: artifact.BuildName(o.Build.Manifest.Build), holder: holder()}
	if p, ok := platform.ByName(o.Target); ok {
		return d.toPlatform(ctx, p)
	}
	var err error
	if d.to, err = d.destination(); err != nil {
		return err
	}
	if err := d.caches(ctx); err != nil {
		return err
	}
	d.Report("build " + d.name + " to " + d.to.String())
	// Check the target before locking it, because locking creates the folder if the folder is missing.
	if _, err := d.to.prepare(ctx); err != nil {
		return err
	}
	ctx, unlock, err := d.to.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	last, err := d.to.prepare(ctx) // another deploy may have ended in the meantime
	if err != nil {
		return err
	}
	d.note(ctx, last, PhaseCopying, nil)
	if err := d.to.copy(ctx, last); err != nil {
		return fmt.Errorf("copying the build: %w", err)
	}
	d.Report("replacing " + orNone(last))
	if err := d.to.activate(ctx, last); err != nil {
		return fmt.Errorf("activating the build: %w", err)
	}
	d.note(ctx, last, PhaseActivated, nil)
	if err := d.serve(ctx, d.name, true); err != nil {
		return d.rollBack(ctx, last, err)
	}
	d.note(ctx, last, PhaseDone, nil)
	d.Report("removing older builds")
	if err := d.to.prune(ctx); err != nil {
		d.Report("older builds were not removed: " + err.Error())
	}
	d.done()
	return nil
}

// caches returns an error if a cache with a configuration from `vitrine config` is in front of the site and the deploy
// has no purge command. Such a cache must load a new configuration for each build.
func (d *deploy) caches(ctx context.Context) error {
	if d.Purge != "" || d.URL == "" {
		return nil
	}
	cache := verify.BuildCache(ctx, d.URL)
	if cache == "" {
		return nil
	}
	return fmt.Errorf("%w: %s is in front of %s and needs a new configuration for each build; add --purge with the commands that print and load this configuration, and --origin with the address of vitrined", ErrFlags, cache, d.URL)
}

// done reports the result of a successful deploy or a dry run.
func (d *deploy) done() {
	if d.DryRun {
		d.Report("dry run: no changes were made")
		return
	}
	if d.URL == "" {
		d.Report("build " + d.name + " is current in " + d.to.String() + "; it was not verified, because --url is not set")
		return
	}
	d.Report(d.URL + " now serves build " + d.name)
}

func orNone(build string) string {
	if build == "" {
		return "nothing"
	}
	return "build " + build
}

// serve makes vitrined load the current build, and returns when vitrined and the caches serve that build. If whole is
// true and a URL is set, it also verifies the site.
func (d *deploy) serve(ctx context.Context, name string, whole bool) error {
	if d.Reload != "" {
		d.Report("reloading")
		if err := d.to.reload(ctx, name); err != nil {
			return fmt.Errorf("reloading: %w", err)
		}
	}
	// Purge the caches only after the origin serves the build. Otherwise, the caches would store responses of the old
	// build again.
	if err := d.await(ctx, d.Origin, name, d.Purge != ""); err != nil {
		return err
	}
	if d.Purge != "" {
		d.Report("purging: " + d.Purge)
		if !d.DryRun {
			if _, err := shell(ctx, d.Purge, "VITRINE_BUILD="+name); err != nil {
				return fmt.Errorf("purging: %w", err)
			}
		}
	}
	if d.Purge != "" || d.URL != d.Origin {
		if err := d.await(ctx, d.URL, name, false); err != nil {
			return err
		}
	}
	if !whole || d.URL == "" {
		return nil
	}
	d.Report("verifying " + d.URL)
	if d.DryRun {
		return nil
	}
	return d.Verify(ctx)
}

// await waits until the build called name is served at url, or returns immediately if url is "". If server is set, it
// waits only for the server, not for the caches in front of it.
func (d *deploy) await(ctx context.Context, url, name string, server bool) error {
	if url == "" {
		return nil // a bucket whose readers are unknown
	}
	d.Report(fmt.Sprintf("waiting up to %s for %s to serve build %s", d.Wait, url, name))
	if d.DryRun {
		return nil
	}
	err := verify.Wait(ctx, verify.Options{URL: url, Build: d.Build, Server: server, Tell: d.Report}, name, d.Wait)
	if err != nil && d.Purge == "" && ctx.Err() == nil {
		return fmt.Errorf("%w; if a cache is in front of vitrined, add --purge, and --origin with the address of vitrined", err)
	}
	return err
}

// rollBack restores the previous build, whose name is last, after the deploy failed with the error why. The returned
// error describes the resulting state of the target. rollBack continues even if the deploy was interrupted.
func (d *deploy) rollBack(ctx context.Context, last string, why error) error {
	at := d.to.pointer()
	if last == "" {
		d.note(ctx, last, PhaseLeft, why)
		return fmt.Errorf("%w: %w; there is no previous build to restore, so %s still points to build %s", ErrLeft, why, at, d.name)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*d.Wait+time.Minute)
	defer cancel()
	d.Report("the deploy failed: " + why.Error())
	d.Report("restoring build " + last)
	if err := d.to.restore(ctx, last); err != nil {
		d.note(ctx, last, PhaseLeft, why)
		return fmt.Errorf("%w: %w; %s still points to build %s, because restoring the previous build failed too: %w", ErrLeft, why, at, d.name, err)
	}
	if err := d.serve(ctx, last, false); err != nil {
		d.note(ctx, last, PhaseDoubtful, why)
		return fmt.Errorf("%w: %w; %s points to build %s again, but serving that build failed too: %w", ErrDoubt, why, at, last, err)
	}
	d.note(ctx, last, PhaseRolledBack, why)
	return fmt.Errorf("%w: %w; %s points to build %s", ErrRolledBack, why, at, last)
}
