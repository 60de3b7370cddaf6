package deploy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/publish"
)

// PullOptions configure a pull.
type PullOptions struct {
	// Source is the address of a bucket. Dir is a folder on this machine with the same layout as the target folder of a
	// deploy.
	Source, Dir string
	// Watch is the time between two requests for the bucket's current build, or 0 to pull only once.
	Watch time.Duration
	// Keep is the number of previous builds to keep in the folder.
	Keep int
	// Reload is the command that makes vitrined load the build, HangUp to send a signal instead, or "" to do neither.
	Reload string
	// Report is called with each step, and Warn is called with each problem that doesn't end the pull. Neither may be
	// nil.
	Report, Warn func(string)
	// Progress is the writer for the progress of transfers, or nil.
	Progress io.Writer
}

// puller keeps a folder up to date with the current build of a bucket.
type puller struct {
	PullOptions
	store  *bucket.Store
	holder string
	// done is the name of the last build that this process has verified and loaded, or "" if there is none.
	done string
}

// Pull downloads the current build of a bucket into a folder, verifies its hashes, points the current link to the
// build, and reloads vitrined as specified by Reload. If Watch is set, Pull repeats these steps until ctx ends, even
// after a failed pull.
func Pull(ctx context.Context, o PullOptions) error {
	store, err := bucket.Open(o.Source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(o.Dir, releases), 0o755); err != nil {
		return fmt.Errorf("creating the folder for builds: %w", err)
	}
	p := &puller{PullOptions: o, store: store, holder: holder()}
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if info, err := os.Lstat(filepath.Join(o.Dir, currentLink)); err == nil && info.IsDir() {
		return errFolder(filepath.Join(o.Dir, currentLink))
	}
	if o.Watch == 0 {
		return p.pull(ctx)
	}
	p.watch(ctx)
	return nil
}

// maxPause is the maximum time between two attempts after failures. If Watch is longer, Watch is the maximum.
const maxPause = time.Minute

// watch pulls until ctx ends, with exponential backoff after failures. It reports consecutive problems of the same kind
// only once.
func (p *puller) watch(ctx context.Context) {
	told, pause := noProblem, p.Watch
	for ctx.Err() == nil {
		err := p.pull(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if told != noProblem {
				p.Warn("pulling works again")
			}
			told, pause = noProblem, p.Watch
		default:
			if told != kindOf(err) {
				p.Warn(fmt.Sprintf("%v; keeping the build in the folder and retrying", err))
			}
			told, pause = kindOf(err), min(2*pause, max(maxPause, p.Watch))
		}
		select {
		case <-ctx.Done():
		// The pause varies randomly by up to 5% in both directions so that replicas don't all send their requests at
		// the same time.
		case <-time.After(pause - pause/20 + rand.N(pause/10+1)):
		}
	}
}

// problem is a kind of error that a pull returns. watch compares kinds instead of messages, because messages of the
// same kind may differ in details such as port numbers.
type problem int

const (
	noProblem problem = iota
	otherProblem
	missing
	damaged
)

func kindOf(err error) problem {
	switch {
	case errors.Is(err, artifact.ErrBytes):
		return damaged
	case errors.Is(err, fs.ErrNotExist):
		return missing
	}
	return otherProblem
}

// patienceForCurrent is the time limit of a request for the current build, including retries.
const patienceForCurrent = 30 * time.Second

// partial is the suffix of a build's folder until the build is complete.
const partial = ".part"

// pull updates the folder to the current build.
func (p *puller) pull(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, patienceForCurrent)
	current, err := p.store.Current(short)
	cancel()
	switch {
	case err != nil:
		return err
	case current.Name() == "":
		return fmt.Errorf("there is no build in %s yet; run vitrine deploy %s", p.store, p.store)
	case current.Name() == p.done:
		return nil
	}
	b := current.Builds[0]
	if !isName(b.Name) {
		return fmt.Errorf("%s points to %q, which is not a valid build name", p.store, b.Name)
	}
	last := p.linked(currentLink)
	if err := p.addRelease(ctx, b, last); err != nil {
		return err
	}
	if err := p.activate(b.Name, last); err != nil {
		return fmt.Errorf("activating the build: %w", err)
	}
	if err := p.reload(ctx, b.Name); err != nil {
		return fmt.Errorf("reloading: %w", err)
	}
	p.done = b.Name
	p.Report("build " + b.Name + " is in " + filepath.Join(p.Dir, currentLink))
	p.prune()
	return nil
}

// HangUp is the value of Reload that makes Pull send SIGHUP, without a shell, to each vitrined that serves the folder.
const HangUp = "SIGHUP"

func (p *puller) reload(ctx context.Context, name string) error {
	switch p.Reload {
	case "":
		return nil
	case HangUp:
		return hangUp(ctx, filepath.Join(p.Dir, currentLink))
	}
	_, err := shell(ctx, p.Reload, "VITRINE_BUILD="+name)
	return err
}

// isName reports whether name, a build's name, is also a valid folder name.
func isName(name string) bool {
	return name != "" && filepath.IsLocal(name) && filepath.Base(name) == name && name != "."
}

// lock prevents other deploys and pulls to the folder until unlock is called. If the folder is locked, lock doesn't
// wait, but returns an error that wraps ErrLocked.
func (p *puller) lock() (unlock func(), err error) {
	name := filepath.Join(p.Dir, lockFile)
	free, err := publish.TryLock(name)
	if errors.Is(err, publish.ErrLocked) {
		by, _ := os.ReadFile(name)
		return nil, fmt.Errorf("%w in %s, by %s; stop that process first", ErrLocked, p.Dir, orUnknown(string(by)))
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", p.Dir, err)
	}
	_ = os.WriteFile(name, []byte(p.holder), 0o644) // only informs users; the lock works without it
	return func() { _ = os.Truncate(name, 0); free() }, nil
}

func (p *puller) release(name string) string { return filepath.Join(p.Dir, releases, name) }

// linked returns the name of the build that link points to, or "" if there is no such link.
func (p *puller) linked(link string) string {
	to, err := os.Readlink(filepath.Join(p.Dir, link))
	if err != nil {
		return ""
	}
	return filepath.Base(to)
}

// addRelease adds a complete build to the folder, unless the folder already has an intact copy. last is the name of the
// current build, or "".
func (p *puller) addRelease(ctx context.Context, b bucket.Build, last string) error {
	switch err := verified(ctx, p.release(b.Name)); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.Is(err, fs.ErrNotExist):
		p.Warn(fmt.Sprintf("build %s in the folder is damaged; downloading its damaged files: %v", b.Name, err))
	}
	from := ""
	if last != "" {
		from = p.release(last)
	}
	part := p.release(b.Name) + partial
	err := p.download(ctx, b, part, from)
	if errors.Is(err, artifact.ErrBytes) && ctx.Err() == nil {
		// Some of the reused files are damaged. Download them instead of reusing them.
		err = p.download(ctx, b, part, "")
	}
	if err != nil {
		return fmt.Errorf("downloading build %s: %w", b.Name, err)
	}
	if err := publish.SyncFolder(part); err != nil {
		return fmt.Errorf("syncing the build to disk: %w", err)
	}
	if err := os.RemoveAll(p.release(b.Name)); err != nil {
		return fmt.Errorf("removing the damaged build: %w", err)
	}
	return os.Rename(part, p.release(b.Name))
}

// verified returns an error unless dir contains a complete and intact build.
func verified(ctx context.Context, dir string) error {
	b, err := artifact.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(b.Verify(ctx), b.Close())
}

// download writes a build to the folder part. It reuses unchanged files from the build in the folder from, unless from
// is "".
func (p *puller) download(ctx context.Context, b bucket.Build, part, from string) error {
	d, err := p.store.Download(ctx, b, from)
	if err != nil {
		return err
	}
	defer d.Close()
	if from != "" || p.linked(currentLink) == "" {
		p.Report(fmt.Sprintf("downloading %d of %d representations, %d bytes", d.Objects, d.Total, d.Bytes))
	} else {
		p.Report(fmt.Sprintf("checking the hashes of %d representations and downloading the damaged ones", d.Total))
	}
	var progress func(int, int64)
	if p.Progress != nil && d.Objects > 0 {
		progress = show(p.Progress, d.Objects, d.Bytes)
	}
	if err := d.Write(ctx, part, progress); err != nil {
		return err
	}
	p.Report("requests: " + p.store.Traffic().String())
	return nil
}

// activate points the current link to the build called name, and the previous link to last, the build that was current
// until then. It also writes the state.
func (p *puller) activate(name, last string) error {
	if last != name {
		if last != "" {
			if err := p.point(previousLink, last); err != nil {
				return err
			}
		}
		if err := p.point(currentLink, name); err != nil {
			return err
		}
	}
	now := time.Now()
	// prune orders the builds by the modification times of their manifests.
	if err := os.Chtimes(filepath.Join(p.release(name), artifact.ManifestFile), now, now); err != nil {
		return err
	}
	return p.note(Record{Build: name, Previous: p.linked(previousLink), Phase: PhaseDone, By: p.holder, Changed: now.UTC().Truncate(time.Second)})
}

// point points link to the build called name, with one rename.
func (p *puller) point(link, name string) error {
	fresh := filepath.Join(p.Dir, link+".new")
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(releases+"/"+name, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, filepath.Join(p.Dir, link))
}

// note writes the state for `vitrine deploy --status`.
func (p *puller) note(r Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	name := filepath.Join(p.Dir, stateFile)
	if err := os.WriteFile(name+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// prune removes partial downloads and old builds. It keeps the current build, the Keep newest previous builds, and
// builds that a server still reads.
func (p *puller) prune() {
	entries, err := os.ReadDir(filepath.Join(p.Dir, releases))
	if err != nil {
		return
	}
	current, previous := p.linked(currentLink), p.linked(previousLink)
	type old struct {
		name string
		used time.Time
	}
	var all []old
	for _, e := range entries {
		o := old{name: e.Name()}
		info, err := os.Stat(filepath.Join(p.release(o.name), artifact.ManifestFile))
		switch {
		case o.name == current:
			continue
		case o.name == previous:
			o.used = time.Now()
		case err == nil && filepath.Ext(o.name) != partial:
			o.used = info.ModTime()
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b old) int { return b.used.Compare(a.used) })
	for i, o := range all {
		if i < p.Keep && !o.used.IsZero() || artifact.InUse(filepath.Join(p.release(o.name), artifact.PublicDir)) {
			continue
		}
		if err := os.RemoveAll(p.release(o.name)); err != nil {
			p.Warn("an old build was not removed: " + err.Error())
		}
	}
}
