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

// Open opens the build in a folder for a deploy to a target. If the target is a bucket, the build may be sparse: files
// that the folder lacks are then read from the bucket until ctx ends. For other targets, Open returns an error if the
// build is sparse.
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

// Earlier is the current build of a bucket, on which the next build can be based.
type Earlier struct {
	Build   *artifact.Build
	Records *bucket.Records
	// Store is the bucket that contains the build.
	Store *bucket.Store
}

// OpenEarlier opens the current build of a bucket, on which the next build can be based. It returns an error if the
// bucket has no build, or no records of its current build. ctx must not end before the caller has finished reading the
// build's content, because each read sends requests to the bucket.
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
		return nil, fmt.Errorf("there is no build in %s yet; run vitrine build without --since, and then run vitrine deploy %s", store, store)
	}
	b := current.Builds[0]
	if len(b.Records) == 0 {
		return nil, fmt.Errorf("build %s in %s has no records to build on; run vitrine build without --since, and vitrine deploy %s", b.Name, store, store)
	}
	m, err := store.Manifest(ctx, b)
	if err != nil {
		return nil, err
	}
	read := func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) { return store.Fetch(ctx, m, v, i) }
	return &Earlier{Build: artifact.Remote(m, read), Records: store.Records(ctx, b, record.HeapName), Store: store}, nil
}

// addRecords adds the records of the build to the plan, so that a later build can be based on this one.
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

// smallEntry is the maximum size in bytes of the cache entries stored in the bucket. Small entries contain properties
// of images. Larger entries contain copies of images, which the next build takes from the files of this build instead.
const smallEntry = 2 << 10

// complete returns an error if the build is sparse and lacks objects that the bucket also lacks.
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
	return fmt.Errorf("%w, and %d of its objects are neither in %s nor in %s; first deploy build %s, which it builds on, or run vitrine build without --since",
		artifact.ErrSparse, missing, b, b.Dir, b.Build.Since())
}
