package deploy

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
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
	return fmt.Errorf("%w, and %s lacks %d of its objects that %s doesn't have either; deploy the build %s first, which it continues, or run vitrine build without --since",
		artifact.ErrSparse, b, missing, b.Dir, b.Build.Since())
}
