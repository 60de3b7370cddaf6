package deploy

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/bucket"
	"vitrine/internal/edge"
)

// inBucket is a deploy to a bucket.
type inBucket struct {
	*deploy
	store *bucket.Store
	// current is the most recently read list of builds in the bucket.
	current *bucket.Current
	// held is the lock, or nil if the deploy hasn't locked the bucket.
	held *bucket.Lock
	plan *bucket.Plan
}

func newBucket(d *deploy) (*inBucket, error) {
	if d.Reload != "" {
		return nil, fmt.Errorf("%w: a bucket has no vitrined to reload; omit --reload", ErrFlags)
	}
	store, err := bucket.Open(d.Target)
	return &inBucket{deploy: d, store: store}, err
}

func (b *inBucket) String() string { return b.store.String() }

func (b *inBucket) pointer() string { return b.store.String() + "/current" }

func (b *inBucket) prepare(ctx context.Context) (last string, err error) {
	if b.current, err = b.store.Current(ctx); err != nil {
		return "", err
	}
	for _, build := range b.current.Builds {
		if build.Name != b.name {
			return build.Name, nil
		}
	}
	return "", nil
}

func (b *inBucket) lock(ctx context.Context) (held context.Context, unlock func(), err error) {
	if b.DryRun {
		return ctx, func() {}, nil
	}
	lease := b.Lease
	if lease == 0 {
		lease = bucket.DefaultLease
	}
	held, b.held, err = b.store.Lock(ctx, b.holder, b.Wait, lease, b.Report)
	if errors.Is(err, bucket.ErrHeld) {
		err = fmt.Errorf("%w: %w", ErrLocked, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return held, func() {
		b.held.Unlock(ctx)
		b.Report("requests: " + b.store.Traffic().String())
	}, nil
}

func (b *inBucket) note(ctx context.Context, r Record) error { return b.store.WriteState(ctx, r) }

func (b *inBucket) copy(ctx context.Context, _ string) error {
	if err := b.upload(ctx); err != nil || !b.Edge || b.DryRun {
		return err
	}
	table, err := edge.BucketTable(b.Build.Manifest, b.Build.Read, bucket.Files(b.Build.Manifest))
	if err != nil {
		return err
	}
	return b.store.PutTable(ctx, b.name, table)
}

// upload uploads the objects and records that the bucket lacks. In a dry run, it only reports how many are missing.
func (b *inBucket) upload(ctx context.Context) (err error) {
	if known := b.current.Find(b.name); known != nil {
		b.Report("the target already has the complete build")
		b.plan = &bucket.Plan{Build: *known}
		if len(known.Records) > 0 || b.DryRun {
			return nil
		}
		if err := b.addRecords(); err != nil || b.plan.Records() == 0 {
			return err
		}
		return b.store.PutRecords(ctx, b.plan)
	}
	unfinished, err := b.unfinished(ctx)
	if err != nil {
		return err
	}
	if b.plan, err = b.store.Plan(ctx, b.Build, b.current, unfinished, b.Report); err != nil {
		return err
	}
	p := b.plan
	if err := errors.Join(b.complete(), b.addRecords()); err != nil {
		return err
	}
	var progress func(int, int64)
	if b.Progress != nil {
		progress = show(b.Progress, len(p.Objects), p.Bytes)
	}
	b.Report(fmt.Sprintf("uploading %d of %d objects, the manifest, and %d record objects (%d bytes)", len(p.Objects), p.Total, p.Records(), p.Bytes))
	if b.DryRun {
		return nil
	}
	return b.store.Upload(ctx, b.held, b.Build, p, progress)
}

// unfinished returns the interrupted uploads that the bucket's lock lists.
func (b *inBucket) unfinished(ctx context.Context) ([]bucket.Unfinished, error) {
	if b.held != nil {
		return b.held.Unfinished(), nil
	}
	return b.store.Unfinished(ctx)
}

func (b *inBucket) activate(ctx context.Context, _ string) error {
	if b.DryRun {
		return b.estimate(ctx)
	}
	return b.store.Activate(ctx, b.current, b.plan.Build)
}

// estimate reports approximately how many requests and bytes the deploy would send.
func (b *inBucket) estimate(ctx context.Context) error {
	removed, err := b.store.Removed(ctx, b.Build, b.current, b.plan.Build, b.Keep)
	if err != nil {
		return err
	}
	// In addition to the objects, a deploy sends one PUT for the manifest, three for the state, six for the lock (the
	// probe, taking and releasing the lock, and three updates of its state), and one for current. If the deploy removes
	// builds, it writes current again.
	puts, others := len(b.plan.Objects)+b.plan.Records()+1+3+6+1, 0
	if b.plan.Total == 0 {
		puts -= 3 // the bucket already has the build
	}
	if b.Edge {
		puts++
	}
	if removed > 0 {
		puts++
		others = (removed+999)/1000 + 1
		puts += others // each request renews the lock first
	}
	b.Report(fmt.Sprintf("  about %d PUT and %d other requests, %d bytes sent, %d objects removed; requests so far: %s", puts, others, b.plan.Bytes, removed, b.store.Traffic()))
	return nil
}

func (b *inBucket) restore(ctx context.Context, last string) error {
	known := b.current.Find(last)
	if known == nil {
		return fmt.Errorf("the bucket does not contain build %s", last)
	}
	return b.store.Activate(ctx, b.current, *known)
}

func (b *inBucket) reload(context.Context, string) error { return nil }

func (b *inBucket) prune(ctx context.Context) error {
	if b.DryRun {
		return nil
	}
	return b.store.Prune(ctx, b.held, b.current, b.Keep)
}

func (b *inBucket) status(ctx context.Context) (*State, error) {
	s := &State{Pointer: "current", Last: &Record{}}
	c, err := b.store.Current(ctx)
	if err != nil {
		return nil, err
	}
	s.Build = c.Name()
	if len(c.Builds) > 1 {
		s.Previous = c.Builds[1].Name
	}
	found, err := b.store.ReadState(ctx, s.Last)
	if err != nil {
		return nil, err
	}
	if !found {
		s.Last = nil
	}
	s.Holder, err = b.store.Holder(ctx)
	return s, err
}

// previousBuild is the name that selects the previous build in Rollback.
const previousBuild = "previous"

// Rollback switches a bucket back to a build that it still contains. name is the build's name, or "previous" for the
// previous build. If a URL is set, Rollback waits until that build is served at the URL. If the build isn't served in
// time, Rollback leaves the build in place and returns an error that wraps ErrLeft.
func Rollback(ctx context.Context, o Options, name string) error {
	d := &deploy{Options: o, holder: holder()}
	b, err := newBucket(d)
	if err != nil {
		return err
	}
	d.to = b
	ctx, unlock, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	last, err := b.prepare(ctx)
	if err != nil {
		return err
	}
	if name == previousBuild && len(b.current.Builds) > 1 {
		name = b.current.Builds[1].Name
	}
	if b.current.Find(name) == nil {
		var kept []string
		for _, build := range b.current.Builds {
			kept = append(kept, build.Name)
		}
		return fmt.Errorf("%s does not contain build %q; it contains %q", b, name, kept)
	}
	d.name = name
	d.Report("replacing " + orNone(last) + " with " + orNone(name))
	if d.DryRun {
		d.done()
		return nil
	}
	if err := b.restore(ctx, name); err != nil {
		return err
	}
	d.note(ctx, last, PhaseActivated, nil)
	if err := d.serve(ctx, name, false); err != nil {
		d.note(ctx, last, PhaseLeft, err)
		return fmt.Errorf("%w: %w", ErrLeft, err)
	}
	d.note(ctx, last, PhaseDone, nil)
	d.done()
	return nil
}
