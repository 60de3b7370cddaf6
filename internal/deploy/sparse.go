package deploy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/cache"
	"vitrine/internal/record"
)

// Open opens the build in a folder for a deploy to a target. A bucket accepts a sparse build: the files that its folder lacks
// are read from the bucket.
func Open(ctx context.Context, dir, target string) (*artifact.Build, error) {
	if !bucket.Is(target) {
		return artifact.Open(dir)
	}
	b, err := artifact.OpenSparse(dir)
	if err != nil || !b.Sparse() {
		return b, err
	}
	store, err := bucket.Open(target)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.Elsewhere = func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
		return store.Fetch(ctx, b.Manifest, v, i)
	}
	return b, nil
}

// Earlier is the current build of a bucket, for a build that builds on it.
type Earlier struct {
	Build   *artifact.Build
	Records *bucket.Records
	// Store is the bucket.
	Store *bucket.Store
}

// OpenEarlier opens the current build of a bucket for a build that builds on it. Its requests end with ctx.
func OpenEarlier(ctx context.Context, address string) (*Earlier, error) {
	store, err := bucket.Open(address)
	if err != nil {
		return nil, err
	}
	current, err := store.Current(ctx)
	if err != nil {
		return nil, err
	}
	if current.Name() == "" {
		return nil, fmt.Errorf("%s has no build; run vitrine build without --since, and vitrine deploy %s", store, store)
	}
	b := current.Builds[0]
	if len(b.Records) == 0 {
		return nil, fmt.Errorf("the build %s in %s has no records to build on; run vitrine build without --since, and vitrine deploy %s", b.Name, store, store)
	}
	m, err := store.Manifest(ctx, b)
	if err != nil {
		return nil, err
	}
	read := func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) { return store.Fetch(ctx, m, v, i) }
	return &Earlier{Build: artifact.Remote(m, read), Records: store.Records(ctx, b, record.HeapName), Store: store}, nil
}

// addRecords adds the records of the build to the plan, so that another build can build on it.
func (b *inBucket) addRecords() error {
	dir := filepath.Join(b.Dir, record.Dir)
	s := record.ReadStored(dir)
	if s == nil || b.NoRecords {
		return nil
	}
	more := make(map[string][]byte)
	if copies := cache.Small(filepath.Join(dir, record.CopiesName), smallEntry); copies != nil {
		more[record.CopiesName] = copies
	}
	return b.plan.AddRecords(&bucket.Stored{
		Dir: dir, More: more, Files: s.Files, Heap: record.HeapName, HeapFile: s.Heap, Base: s.Base, End: s.End, Since: s.Since,
	}, b.current)
}

// smallEntry is the maximum size in bytes of the entries to store: they contain the properties of images. Copies of
// images are larger, and the next build reuses them from this build's files.
const smallEntry = 2 << 10

// complete returns an error if the bucket and a sparse build together lack objects of the build.
func (b *inBucket) complete() error {
	if !b.Build.Sparse() {
		return nil
	}
	missing := 0
	for _, o := range b.plan.Objects {
		if !b.Build.Has(o.Variant, o.Body) {
			missing++
		}
	}
	if missing == 0 {
		return nil
	}
	return fmt.Errorf("%w, and %s lacks %d of its objects that %s does not have either; first deploy the build %s, which it builds on, or run vitrine build without --since",
		artifact.ErrSparse, b, missing, b.Dir, b.Build.Since())
}
