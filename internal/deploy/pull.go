package deploy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/publish"
)

// PullOptions configure a pull.
type PullOptions struct {
	// Source is the address of a bucket, and Dir a folder of this machine, in the layout of a deploy to a folder.
	Source, Dir string
	// Watch is the time between two looks at the bucket, or 0 for one pull.
	Watch time.Duration
	// Reload sends SIGHUP to each vitrined that serves the folder.
	Reload bool
	// Report is called with each step.
	Report func(string)
	// Progress receives the progress of transfers; it may be nil.
	Progress io.Writer
}

// puller keeps a folder at the current build of a bucket.
type puller struct {
	PullOptions
	store   *bucket.Store
	current *bucket.Current
	// checked reports that the build in the folder was compared with its hashes since the start.
	checked bool
}

// Pull copies the current build of a bucket next to the one in a folder, compares it with its hashes, and replaces the
// link. With Watch, it goes on until ctx ends, and keeps the build in the folder while the bucket can't be read.
func Pull(ctx context.Context, o PullOptions) error {
	store, err := bucket.Open(o.Source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(o.Dir, releases), 0o755); err != nil {
		return err
	}
	unlock, err := publish.TryLock(filepath.Join(o.Dir, lockFile))
	if err != nil {
		return fmt.Errorf("locking %s: %w; end the other pull or deploy to this folder", o.Dir, err)
	}
	defer unlock()
	p := &puller{PullOptions: o, store: store, current: &bucket.Current{}}
	if o.Watch == 0 {
		return p.pull(ctx)
	}
	for told := ""; ; {
		problem := ""
		if err := p.pull(ctx); err != nil && ctx.Err() == nil {
			problem = err.Error()
		}
		switch {
		case problem != "" && problem != told:
			o.Report(fmt.Sprintf("%s; keeping the build in the folder, and trying again every %s", problem, o.Watch))
		case problem == "" && told != "":
			o.Report("the bucket can be read again")
		}
		told = problem
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(o.Watch):
		}
	}
}

// pull brings the folder to the current build, if it is not there.
func (p *puller) pull(ctx context.Context) error {
	current, err := p.store.Changed(ctx, p.current)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s has no build; run vitrine deploy %s first", p.store, p.store)
	case err != nil:
		return err
	case current == nil:
		return nil // unchanged
	case current.Name() == "":
		return fmt.Errorf("%s has no build; run vitrine deploy %s first", p.store, p.store)
	}
	if err := p.bring(ctx, current.Builds[0]); err != nil {
		return err
	}
	p.current = current
	return nil
}

// bring makes a build the one in the folder.
func (p *puller) bring(ctx context.Context, b bucket.Build) error {
	last := p.linked(currentLink)
	ready := p.release(b.Name)
	switch {
	case last == b.Name && (p.checked || intact(ctx, ready)):
		p.checked = true
		return nil
	case last == b.Name:
		p.Report("the build in the folder is damaged; fetching it again")
	}
	if last == b.Name || !intact(ctx, ready) {
		if err := p.fetch(ctx, b, last); err != nil {
			return err
		}
	}
	if last != b.Name {
		if last != "" {
			if err := p.point(previousLink, last); err != nil {
				return err
			}
		}
		if err := p.point(currentLink, b.Name); err != nil {
			return err
		}
	}
	p.checked = true
	p.Report("the build " + b.Name + " is in " + filepath.Join(p.Dir, currentLink))
	if p.Reload {
		if err := p.hangUp(); err != nil {
			p.Report("reloading: " + err.Error())
		}
	}
	p.prune()
	return nil
}

func (p *puller) release(name string) string { return filepath.Join(p.Dir, releases, name) }

// linked returns the name of the build that a link names, or "".
func (p *puller) linked(link string) string {
	to, err := os.Readlink(filepath.Join(p.Dir, link))
	if err != nil {
		return ""
	}
	return filepath.Base(to)
}

// fetch writes a build into the folder's releases.
func (p *puller) fetch(ctx context.Context, b bucket.Build, last string) error {
	part := p.release(b.Name) + ".part"
	from := ""
	if last != "" && last != b.Name {
		from = p.release(last)
	}
	sum, err := p.copy(ctx, b, part, from)
	if errors.Is(err, artifact.ErrBytes) && ctx.Err() == nil {
		// Bytes on this disk are damaged: none of them is used.
		if err := os.RemoveAll(part); err != nil {
			return err
		}
		sum, err = p.copy(ctx, b, part, "")
	}
	if err != nil {
		return fmt.Errorf("fetching the build %s: %w", b.Name, err)
	}
	p.Report(fmt.Sprintf("fetched %d representations of %d bytes, reused %d; requests so far: %s", sum.Fetched, sum.Bytes, sum.Reused, p.store.Traffic()))
	if err := os.RemoveAll(p.release(b.Name)); err != nil {
		return err
	}
	return os.Rename(part, p.release(b.Name))
}

func (p *puller) copy(ctx context.Context, b bucket.Build, part, from string) (bucket.Pulled, error) {
	var progress func(int, int64)
	if p.Progress != nil {
		progress = count(p.Progress)
	}
	return p.store.Pull(ctx, b, part, from, progress)
}

// intact reports whether a folder has a build whose bytes are the built ones.
func intact(ctx context.Context, dir string) bool {
	b, err := artifact.Open(dir)
	if err != nil {
		return false
	}
	defer b.Close()
	return b.Verify(ctx) == nil
}

// point replaces a link with one rename.
func (p *puller) point(link, name string) error {
	fresh := filepath.Join(p.Dir, link+".new")
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(releases+"/"+name, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, filepath.Join(p.Dir, link))
}

// prune removes builds except for the current one, the previous one, and those that a server still reads.
func (p *puller) prune() {
	entries, err := os.ReadDir(filepath.Join(p.Dir, releases))
	if err != nil {
		return
	}
	current, previous := p.linked(currentLink), p.linked(previousLink)
	for _, e := range entries {
		if e.Name() == current || e.Name() == previous || artifact.InUse(filepath.Join(p.release(e.Name()), artifact.PublicDir)) {
			continue
		}
		if err := os.RemoveAll(p.release(e.Name())); err != nil {
			p.Report("an old build was not removed: " + err.Error())
		}
	}
}
