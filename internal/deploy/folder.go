package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// Names in a target's folder.
const (
	// currentLink is the link to the current build.
	currentLink = "build"
	// previousLink is the link to the previous build.
	previousLink = "previous"
	// releases is the folder that contains the builds, each in a folder with the build's name.
	releases = "releases"
)

// folder is a deploy to a folder, on this machine or on a host.
type folder struct {
	*deploy
	target target
}

func (f *folder) String() string { return f.target.String() }

func (f *folder) pointer() string { return path.Join(f.target.String(), currentLink) }

func (f *folder) activate(ctx context.Context, last string) error {
	return f.step(ctx, activate(f.target.dir, f.name, last))
}

func (f *folder) restore(ctx context.Context, last string) error {
	return f.step(ctx, "cd "+quote(f.target.dir)+"\n"+link(releases+"/"+last, currentLink)+"rm -f "+previousLink)
}

func (f *folder) reload(ctx context.Context, name string) error {
	return f.step(ctx, "VITRINE_BUILD="+name+"; export VITRINE_BUILD\n"+f.Reload)
}

func (f *folder) prune(ctx context.Context) error { return f.step(ctx, prune(f.target.dir)) }

// lock keeps other deploys to the target out until unlock is called.
func (f *folder) lock(ctx context.Context) (held context.Context, unlock func(), err error) {
	if f.DryRun {
		return ctx, func() {}, nil
	}
	unlock, err = f.target.lock(ctx, f.holder, f.Wait, f.Report)
	if errors.Is(err, errNoFlock) {
		f.Report("flock is not installed on the target, so another deploy can start at the same time")
		return ctx, func() {}, nil
	}
	return ctx, unlock, err
}

// prepare returns the name of the target's current build, or "" if there is none. If a killed deploy has already made
// the new build current, prepare returns the name of the previous build instead. It changes nothing.
func (f *folder) prepare(ctx context.Context) (last string, err error) {
	script := `f=` + quote(f.target.dir) + `
if [ -e "$f/` + currentLink + `" ] && [ ! -L "$f/` + currentLink + `" ]; then echo folder; exit; fi
echo "link $(basename "$(readlink "$f/` + currentLink + `" 2>/dev/null)") $(basename "$(readlink "$f/` + previousLink + `" 2>/dev/null)")"`
	out, err := f.target.run(ctx, script) // the script only reads, so a dry run runs it too
	if err != nil {
		return "", fmt.Errorf("inspecting %s: %w", f.target, err)
	}
	if strings.TrimSpace(out) == "folder" {
		return "", errFolder(path.Join(f.target.dir, currentLink))
	}
	// For a missing link, the script prints an empty word.
	words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(out, "link "), "\n"), " ")
	if last = words[0]; last == f.name && len(words) > 1 {
		last = words[1]
	}
	if last == f.name {
		last = ""
	}
	return last, nil
}

func errFolder(at string) error {
	return fmt.Errorf("%s is a folder, but a deploy needs to replace it with a link; stop vitrined, move the folder away, deploy, and start vitrined with -dir %s", at, at)
}

// copy copies the folders with the representations, then the manifest, and then renames the copy to the build's name. A
// folder with that name is therefore complete.
func (f *folder) copy(ctx context.Context, last string) error {
	whole := path.Join(f.target.dir, releases, f.name)
	out, err := f.target.run(ctx, `if [ -e `+quote(whole+"/"+artifact.ManifestFile)+` ]; then echo whole; fi`)
	if err != nil {
		return err
	}
	if strings.TrimSpace(out) == "whole" {
		f.Report("the target already has the complete build")
		return nil
	}
	f.Report(fmt.Sprintf("copying %d files, %d MB", f.Build.Manifest.RouteCount(), f.Build.Manifest.Size>>20))
	if f.DryRun {
		f.Report("  " + f.target.copying(f.Dir, whole+".part", last))
		return nil
	}
	if _, err := f.target.run(ctx, "mkdir -p "+quote(whole+".part")); err != nil {
		return err
	}
	var folders []string
	for _, name := range []string{artifact.PublicDir, artifact.CodedDir} {
		if _, err := os.Stat(filepath.Join(f.Dir, name)); err == nil {
			folders = append(folders, name)
		}
	}
	if err := f.target.copy(ctx, f.Dir, whole+".part", last, folders...); err != nil {
		return err
	}
	if err := f.target.copy(ctx, f.Dir, whole+".part", last, artifact.ManifestFile); err != nil {
		return err
	}
	_, err = f.target.run(ctx, "sync; mv "+quote(whole+".part")+" "+quote(whole))
	return err
}

// activate returns the script that points the current link to the build called name. vitrined doesn't serve this build
// until the next reload. If last isn't "", the script also points the previous link to the build called last.
func activate(folder, name, last string) string {
	script := "cd " + quote(folder) + "\n"
	if last != "" {
		script += link(releases+"/"+last, previousLink)
	}
	return script + link(releases+"/"+name, currentLink)
}

// link returns a script that points a link to another folder with a single rename. To replace a link to a folder, mv
// needs the option -T in GNU and BusyBox, and -h in BSD.
func link(to, name string) string {
	return fmt.Sprintf("rm -f %[2]s.new; ln -s %[1]s %[2]s.new\nmv -T %[2]s.new %[2]s 2>/dev/null || mv -fh %[2]s.new %[2]s\n", quote(to), quote(name))
}

// prune returns the script that removes all builds except the current and the previous build.
func prune(folder string) string {
	return `cd ` + quote(path.Join(folder, releases)) + `
current=$(basename "$(readlink ../` + currentLink + `)"); previous=$(basename "$(readlink ../` + previousLink + ` 2>/dev/null)")
for build in *; do
	if [ "$build" != "$current" ] && [ "$build" != "$previous" ]; then rm -rf "./$build"; fi
done`
}

// step runs a script on the target's machine. In a dry run, it reports the script instead.
func (f *folder) step(ctx context.Context, script string) error {
	if f.DryRun {
		for line := range strings.Lines(strings.TrimSpace(script)) {
			f.Report("  " + strings.TrimRight(line, "\n"))
		}
		return nil
	}
	_, err := f.target.run(ctx, script)
	return err
}
