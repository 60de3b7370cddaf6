// Package deploy takes a build to where it is served, and ends when it is served there. It promises that a build is
// copied beside the one that is served and put in its place by one rename, that a deploy which was killed can be run
// again, and that a build which does not answer as it should gives way to the last one.
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

// Options say what is deployed, to where, and what is done there.
type Options struct {
	// Build is the build in the folder Dir.
	Build *artifact.Build
	Dir   string
	// Target is a folder, host:folder, or the name of a platform; Arguments are for the platform's own tool.
	Target    string
	Arguments []string
	// URL is where the site answers its visitors, Origin where vitrined does, the same where nothing is before it.
	URL, Origin string
	// Reload is a command that is run on the target's machine, Purge one that is run on this one; "" for none.
	Reload, Purge string
	// Wait is how long the build may take to answer.
	Wait time.Duration
	// DryRun reports each step and takes none.
	DryRun bool
	// Report is called with what is done next. Progress takes what rsync shows of a copy; nil for nothing.
	Report   func(string)
	Progress io.Writer
	// Verify says what is wrong with the site that answers at URL, nil for nothing.
	Verify func(context.Context) error
}

// ErrRolledBack is wrapped by errors of deploys after which the last build answers again.
var ErrRolledBack = errors.New("the last build was put back")

// ErrLeft is wrapped by errors of deploys after which the new build, or part of what is to be done for it, is in place.
var ErrLeft = errors.New("the new build was left in place")

// Names below a target's folder: that of the build that is served, a link; that which leads to the last one; and
// the folder that both are in, each named after its build.
const (
	currentLink  = "build"
	previousLink = "previous"
	releases     = "releases"
)

// deploy is a deploy under way.
type deploy struct {
	Options
	name   string
	target target
}

// Run deploys. What a deploy does, in this order: it copies the build beside the one that is served, puts it in its
// place, has vitrined load it, waits until it answers, purges caches, waits for these, and verifies the site.
func Run(ctx context.Context, o Options) error {
	d := &deploy{Options: o, name: artifact.BuildName(o.Build.Manifest.Build)}
	if p, ok := platform.ByName(o.Target); ok {
		return d.toPlatform(ctx, p)
	}
	var err error
	if d.target, err = newTarget(o.Target); err != nil {
		return err
	}
	d.target.progress = o.Progress
	d.Report("build " + d.name + " to " + d.target.String())
	last, err := d.prepare(ctx)
	if err != nil {
		return err
	}
	if err := d.copy(ctx, last); err != nil {
		return fmt.Errorf("copying the build: %w", err)
	}
	if err := d.step(ctx, "replacing "+orNone(last), activate(d.target.dir, d.name, last)); err != nil {
		return fmt.Errorf("putting the build in its place: %w", err)
	}
	if err := d.serve(ctx, d.name, true); err != nil {
		return d.rollBack(ctx, last, err)
	}
	if err := d.step(ctx, "removing older builds", prune(d.target.dir)); err != nil {
		d.Report("older builds were not removed: " + err.Error())
	}
	d.done()
	return nil
}

// done says how it ended. A dry run has done nothing, and so nothing new answers.
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

// prepare makes the target's folder, and returns the name of the build that is served from it, "" for none. After a
// deploy that was killed it is that of the build before.
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

// copy copies what the manifest names, then the manifest, then gives the copy its name: a folder of that name is whole.
func (d *deploy) copy(ctx context.Context, last string) error {
	whole := path.Join(d.target.dir, releases, d.name)
	out, err := d.target.run(ctx, `if [ -e `+quote(whole+"/"+artifact.ManifestFile)+` ]; then echo whole; fi`)
	if err != nil {
		return err
	}
	if strings.TrimSpace(out) == "whole" {
		d.Report("it is there already, whole")
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

// link is a script that makes a link lead elsewhere, by one rename. GNU and BusyBox have -T for what BSD has -h for.
func link(to, name string) string {
	return fmt.Sprintf("rm -f %[2]s.new; ln -s %[1]s %[2]s.new\nmv -T %[2]s.new %[2]s 2>/dev/null || mv -fh %[2]s.new %[2]s\n", quote(to), quote(name))
}

// prune is the script that removes builds but the one that is served and the last.
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
	if err := d.await(ctx, d.Origin, name); err != nil {
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
		if err := d.await(ctx, d.URL, name); err != nil {
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

func (d *deploy) await(ctx context.Context, url, name string) error {
	d.Report(fmt.Sprintf("waiting until the build %s is served at %s, %s at most", name, url, d.Wait))
	if d.DryRun {
		return nil
	}
	return verify.Wait(ctx, verify.Options{URL: url, Build: d.Build, Tell: d.Report}, name, d.Wait)
}

// rollBack puts the last build back after a deploy that failed. It goes on where the deploy was asked to end.
func (d *deploy) rollBack(ctx context.Context, last string, why error) error {
	if last == "" {
		return fmt.Errorf("%w: %w; there is no build before it to go back to", ErrLeft, why)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*d.Wait+time.Minute)
	defer cancel()
	d.Report("it failed: " + why.Error())
	script := "cd " + quote(d.target.dir) + "\n" + link(releases+"/"+last, currentLink) + "rm -f " + previousLink
	err := d.step(ctx, "putting the build "+last+" back", script)
	if err == nil {
		err = d.serve(ctx, last, false)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; putting the last one back failed too: %w", ErrLeft, why, err)
	}
	return fmt.Errorf("%w: %w", ErrRolledBack, why)
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
