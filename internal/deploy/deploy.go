// Package deploy copies a build to its server and ends when the server uses it. It copies the build next to the
// current one and activates it with one rename. A killed deploy can be run again, and a build that doesn't respond
// correctly is replaced by the previous one.
package deploy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/platform"
	"vitrine/internal/verify"
)

// Options configure a deploy: the build, the target, and the commands there.
type Options struct {
	// Build is the build in the folder Dir.
	Build *artifact.Build
	Dir   string
	// Target is a folder, host:folder, or the name of a platform. Arguments are for the platform's tool.
	Target    string
	Arguments []string
	// URL is the site's public address, and Origin the address of vitrined itself, which is the same without a cache in
	// front of it.
	URL, Origin string
	// Reload is a command for the target's machine, and Purge a command for this one. Either may be "".
	Reload, Purge string
	// Wait is how long the build may take to answer.
	Wait time.Duration
	// DryRun reports each step without taking it.
	DryRun bool
	// Report is called with each next step. Progress receives rsync's progress. Either may be nil.
	Report   func(string)
	Progress io.Writer
	// Verify returns the problem of the site at URL, or nil.
	Verify func(context.Context) error
}

// ErrRolledBack is wrapped by errors of deploys after which the last build answers again.
var ErrRolledBack = errors.New("the last build was put back")

// ErrLeft is wrapped by errors of deploys after which the new build is in place.
var ErrLeft = errors.New("the new build was left in place")

// ErrDoubt is wrapped by errors of deploys after which the link points back to the previous build, but the new one may
// still be served.
var ErrDoubt = errors.New("the link was put back, but the new build may still be served")

// ErrFlags is wrapped by errors of deploys that changed nothing, because an option is missing.
var ErrFlags = errors.New("an option is missing")

// Names in a target's folder: the link to the current build, the link to the previous one, and the folder that
// contains both, each named after its build.
const (
	currentLink  = "build"
	previousLink = "previous"
	releases     = "releases"
)

// deploy is a deploy in progress.
type deploy struct {
	Options
	name   string
	target target
	// holder names this deploy to others.
	holder string
}

// Run deploys in these steps: it copies the build next to the current one, activates it, makes vitrined load it,
// waits until it is served, purges caches, waits for them, and verifies the site.
func Run(ctx context.Context, o Options) error {
	d := &deploy{Options: o, name: artifact.BuildName(o.Build.Manifest.Build), holder: holder()}
	if p, ok := platform.ByName(o.Target); ok {
		return d.toPlatform(ctx, p)
	}
	var err error
	if d.target, err = newTarget(o.Target); err != nil {
		return err
	}
	d.target.progress = o.Progress
	if err := d.caches(ctx); err != nil {
		return err
	}
	d.Report("build " + d.name + " to " + d.target.String())
	// Before the folder is made, this rejects one that a deploy can't use.
	if _, err := d.prepare(ctx); err != nil {
		return err
	}
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	last, err := d.prepare(ctx) // another deploy may have ended meanwhile
	if err != nil {
		return err
	}
	d.note(ctx, last, PhaseCopying, nil)
	if err := d.copy(ctx, last); err != nil {
		return fmt.Errorf("copying the build: %w", err)
	}
	if err := d.step(ctx, "replacing "+orNone(last), activate(d.target.dir, d.name, last)); err != nil {
		return fmt.Errorf("putting the build in its place: %w", err)
	}
	d.note(ctx, last, PhaseActivated, nil)
	if err := d.serve(ctx, d.name, true); err != nil {
		return d.rollBack(ctx, last, err)
	}
	d.note(ctx, last, PhaseDone, nil)
	if err := d.step(ctx, "removing older builds", prune(d.target.dir)); err != nil {
		d.Report("older builds were not removed: " + err.Error())
	}
	d.done()
	return nil
}

// lock keeps other deploys to the target out until unlock is called.
func (d *deploy) lock(ctx context.Context) (unlock func(), err error) {
	if d.DryRun {
		return func() {}, nil
	}
	unlock, err = d.target.lock(ctx, d.holder, d.Wait, d.Report)
	if errors.Is(err, errNoFlock) {
		d.Report("there is no flock on the target: nothing keeps another deploy from starting")
		return func() {}, nil
	}
	return unlock, err
}

// caches returns an error if the current site is behind a cache that `vitrine config` prints, and nothing purges it: each
// build needs its own configuration.
func (d *deploy) caches(ctx context.Context) error {
	if d.Purge != "" {
		return nil
	}
	cache := verify.BuildCache(ctx, d.URL)
	if cache == "" {
		return nil
	}
	return fmt.Errorf("%w: %s is in front of %s, and its configuration belongs to one build; add --purge with the commands that print and load it, and --origin with the address of vitrined", ErrFlags, cache, d.URL)
}

// done reports the result. After a dry run, the new build isn't served.
func (d *deploy) done() {
	if d.DryRun {
		d.Report("nothing was changed: this was a dry run")
		return
	}
	d.Report("the build " + d.name + " answers at " + d.URL)
}

func orNone(build string) string {
	if build == "" {
		return "nothing"
	}
	return "the build " + build
}

// prepare creates the target's folder, and returns the name of its current build, or "". After a killed deploy it
// is the previous build.
func (d *deploy) prepare(ctx context.Context) (last string, err error) {
	folder := quote(d.target.dir)
	script := `f=` + folder + `
if [ -e "$f/` + currentLink + `" ] && [ ! -L "$f/` + currentLink + `" ]; then echo folder; exit; fi
echo "link $(basename "$(readlink "$f/` + currentLink + `" 2>/dev/null)") $(basename "$(readlink "$f/` + previousLink + `" 2>/dev/null)")"`
	out, err := d.target.run(ctx, script) // which changes nothing, so that a dry run knows it too
	if err != nil {
		return "", fmt.Errorf("looking at %s: %w", d.target, err)
	}
	if strings.TrimSpace(out) == "folder" {
		at := path.Join(d.target.dir, currentLink)
		return "", fmt.Errorf("%s is a folder, but a deploy needs to replace it with a link; stop vitrined, move the folder away and deploy, then start vitrined with -dir %s", at, at)
	}
	// A link that is not there leaves its word empty.
	words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(out, "link "), "\n"), " ")
	if last = words[0]; last == d.name && len(words) > 1 {
		last = words[1]
	}
	if last == d.name {
		last = ""
	}
	return last, nil
}

// copy copies the files in the manifest, then the manifest, then renames the copy: a folder with its final name is
// complete.
func (d *deploy) copy(ctx context.Context, last string) error {
	whole := path.Join(d.target.dir, releases, d.name)
	out, err := d.target.run(ctx, `if [ -e `+quote(whole+"/"+artifact.ManifestFile)+` ]; then echo whole; fi`)
	if err != nil {
		return err
	}
	if strings.TrimSpace(out) == "whole" {
		d.Report("the build is already there, complete")
		return nil
	}
	d.Report(fmt.Sprintf("copying %d files of %d MB", d.Build.Manifest.RouteCount(), d.Build.Manifest.Size>>20))
	if d.DryRun {
		d.Report("  " + d.target.copying(d.Dir, whole+".part", last))
		return nil
	}
	if _, err := d.target.run(ctx, "mkdir -p "+quote(whole+".part")); err != nil {
		return err
	}
	var folders []string
	for _, name := range []string{artifact.PublicDir, artifact.CodedDir} {
		if _, err := os.Stat(filepath.Join(d.Dir, name)); err == nil {
			folders = append(folders, name)
		}
	}
	if err := d.target.copy(ctx, d.Dir, whole+".part", last, folders...); err != nil {
		return err
	}
	if err := d.target.copy(ctx, d.Dir, whole+".part", last, artifact.ManifestFile); err != nil {
		return err
	}
	_, err = d.target.run(ctx, "sync; mv "+quote(whole+".part")+" "+quote(whole))
	return err
}

// activate is the script that has a build served from a target's folder at the next reload, and keeps the way back.
func activate(folder, name, last string) string {
	script := "cd " + quote(folder) + "\n"
	if last != "" {
		script += link(releases+"/"+last, previousLink)
	}
	return script + link(releases+"/"+name, currentLink)
}

// link returns a script that retargets a link with one rename. GNU and BusyBox use -T for BSD's -h.
func link(to, name string) string {
	return fmt.Sprintf("rm -f %[2]s.new; ln -s %[1]s %[2]s.new\nmv -T %[2]s.new %[2]s 2>/dev/null || mv -fh %[2]s.new %[2]s\n", quote(to), quote(name))
}

// prune is the script that removes all builds except the served one and the previous one.
func prune(folder string) string {
	return `cd ` + quote(path.Join(folder, releases)) + `
current=$(basename "$(readlink ../` + currentLink + `)"); previous=$(basename "$(readlink ../` + previousLink + ` 2>/dev/null)")
for build in *; do
	if [ "$build" != "$current" ] && [ "$build" != "$previous" ]; then rm -rf "./$build"; fi
done`
}

// serve has vitrined load the build that is in place, and ends when it answers everywhere.
func (d *deploy) serve(ctx context.Context, name string, whole bool) error {
	if d.Reload != "" {
		if err := d.step(ctx, "reloading", "VITRINE_BUILD="+name+"; export VITRINE_BUILD\n"+d.Reload); err != nil {
			return fmt.Errorf("reloading: %w", err)
		}
	}
	// Caches in front are purged only then: they would store the old build again.
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
	if !whole {
		return nil
	}
	d.Report("verifying " + d.URL)
	if d.DryRun {
		return nil
	}
	return d.Verify(ctx)
}

// await waits until a build is served at a URL, through all caches unless server is set.
func (d *deploy) await(ctx context.Context, url, name string, server bool) error {
	d.Report(fmt.Sprintf("waiting until the build %s is served at %s, %s at most", name, url, d.Wait))
	if d.DryRun {
		return nil
	}
	err := verify.Wait(ctx, verify.Options{URL: url, Build: d.Build, Server: server, Tell: d.Report}, name, d.Wait)
	if err != nil && d.Purge == "" && ctx.Err() == nil {
		return fmt.Errorf("%w; if a cache is in front of vitrined, add --purge, and --origin with the address of vitrined", err)
	}
	return err
}

// rollBack restores the previous build after a failed deploy, and reports the target's state. It continues even if the
// deploy was interrupted.
func (d *deploy) rollBack(ctx context.Context, last string, why error) error {
	at := path.Join(d.target.String(), currentLink)
	if last == "" {
		d.note(ctx, last, PhaseLeft, why)
		return fmt.Errorf("%w: %w; there is no build before it to go back to, so %s points to the build %s", ErrLeft, why, at, d.name)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*d.Wait+time.Minute)
	defer cancel()
	d.Report("it failed: " + why.Error())
	script := "cd " + quote(d.target.dir) + "\n" + link(releases+"/"+last, currentLink) + "rm -f " + previousLink
	if err := d.step(ctx, "putting the build "+last+" back", script); err != nil {
		d.note(ctx, last, PhaseLeft, why)
		return fmt.Errorf("%w: %w; %s points to the build %s, because putting the last one back failed too: %w", ErrLeft, why, at, d.name, err)
	}
	if err := d.serve(ctx, last, false); err != nil {
		d.note(ctx, last, PhaseDoubtful, why)
		return fmt.Errorf("%w: %w; %s points to the build %s again, but serving that one failed too: %w", ErrDoubt, why, at, last, err)
	}
	d.note(ctx, last, PhaseRolledBack, why)
	return fmt.Errorf("%w: %w; %s points to the build %s", ErrRolledBack, why, at, last)
}

// step reports a step and takes it on the target's machine.
func (d *deploy) step(ctx context.Context, what, script string) error {
	d.Report(what)
	if d.DryRun {
		for line := range strings.Lines(strings.TrimSpace(script)) {
			d.Report("  " + strings.TrimRight(line, "\n"))
		}
		return nil
	}
	_, err := d.target.run(ctx, script)
	return err
}
